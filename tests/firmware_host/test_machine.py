"""The real tray on pins of thin air: opened low, closed low, and whole rounds on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from luma.core.device import dummy
from rich.console import Console

from firmware_host.cli.ears import Ears
from firmware_host.cli.lines import DescriptorLines
from firmware_host.cli.table import TerminalTable
from firmware_host.machine import Drivers, open_devices, open_machine
from firmware_host.outputs import drive_off
from firmware_host.owner import Owner, OwnersClock
from firmware_host.photos import PhotoFolder, Pictures
from firmware_host.presses import listen
from firmware_host.rounds import (
    ButtonPressed,
    Phase,
    Plan,
    RoundState,
    Settled,
    ShakeDone,
    Timing,
    TrayRead,
)
from firmware_host.settings import Settings
from hardware.camera_pi import Driver, PiCameraOptions
from hardware.clock import ManualClock
from hardware.devices import DeviceError
from hardware.pins import Pins
from hardware.sand import apa102
from hardware.usb_camera import UsbCamera
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.rules import game
from tests.firmware_host.conftest import after
from tests.firmware_host.test_owner import Notebook
from vision.reading import TrayReading

MOTOR, ALIVE, LAMP, RED, GREEN, BUZZER, LID, START = 23, 25, 18, 13, 26, 12, 17, 27
OUTPUTS = (MOTOR, ALIVE, LAMP, RED, GREEN, BUZZER)


class Bench:
    """Drivers of thin air, and what they were asked for."""

    def __init__(self, lid_closed: bool = True) -> None:  # noqa: FBT001, FBT002 - a test's
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.panel = dummy(mode="1")
        self.sent: list[bytes] = []
        self.buses_closed = 0
        self.asked: list[Any] = []
        self.lid_closed = lid_closed

    def drivers(self) -> Drivers:
        return Drivers(
            pins=self._pins,
            bus=self._bus,
            panel=self._panel,
            picamera=self._picamera,
            photo=lambda file: np.full((4, 4, 3), len(file.name), np.uint8),
        )

    def _pins(self, library: str, chip: int | None) -> Pins:
        self.asked.append((library, chip))
        return Pins(self.factory, simulated=True)

    def _bus(self, speed_hz: int) -> Bench:
        self.asked.append(speed_hz)
        return self

    def writebytes2(self, values: bytes) -> None:
        self.sent.append(values)

    def close(self) -> None:
        self.buses_closed += 1

    def _panel(self, kind: str, address: int, port: int, rotate: int) -> dummy:
        self.asked.append((kind, address, port, rotate))
        return self.panel

    def _picamera(self, options: PiCameraOptions) -> Driver:
        self.asked.append(options)
        raise DeviceError("camera", "there is none", "Look.")

    def levels(self) -> list[float]:
        return [float(self.factory.pin(gpio).state) for gpio in OUTPUTS]

    def shut_lid(self) -> None:
        self.factory.pin(LID).drive_low()


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def settings(**sections: object) -> Settings:
    return Settings.model_validate(sections)


def test_opening_moves_and_lights_nothing(bench: Bench, clock: ManualClock) -> None:
    with open_devices(Settings(), clock, bench.drivers()) as devices:
        for gpio in OUTPUTS:
            pin = bench.factory.pin(gpio)
            assert pin.function == "output"
            assert not any(state.state for state in pin.states[1:])
        assert devices.simulated
    assert bench.asked == [("lgpio", None), ("ssd1306", 0x3C, 1, 0)]


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_every_way_out_drives_every_output_off(
    bench: Bench, clock: ManualClock, error: type[BaseException]
) -> None:
    devices = open_devices(Settings(), clock, bench.drivers())
    devices.lamp.on()
    devices.sand_timer.show(0.25)
    devices.display.show("hello")
    assert sum(bench.levels()) > 1
    with pytest.raises(error), devices:
        raise error
    assert bench.levels() == [0] * len(OUTPUTS)
    assert not np.asarray(bench.panel.image).any()
    assert {bench.factory.pin(gpio).function for gpio in OUTPUTS} == {"input"}


def test_what_cannot_be_opened_closes_what_was(bench: Bench, clock: ManualClock) -> None:
    def broken(*_: object) -> dummy:
        raise DeviceError("display", "nothing answers", "Look.")

    drivers = replace(bench.drivers(), panel=broken)
    with pytest.raises(DeviceError, match="nothing answers"):
        open_devices(settings(sand_timer={"kind": "apa102"}), clock, drivers)
    assert bench.buses_closed == 1
    assert bench.levels() == [0] * len(OUTPUTS)
    open_devices(settings(sand_timer={"kind": "apa102"}), clock, bench.drivers()).close()


def test_the_same_pins_can_be_opened_again(bench: Bench, clock: ManualClock) -> None:
    for _ in range(2):
        open_devices(Settings(), clock, bench.drivers()).close()


def test_the_machine_is_built_as_the_settings_have_it(bench: Bench, clock: ManualClock) -> None:
    built = settings(
        pins={"library": "rpigpio", "chip": 0},
        shaker={"driver": "h_bridge", "backward_pin": 24, "pattern": "reversals", "fault_pin": 16},
        sand_timer={"kind": "ws2812", "leds": 8},
        buzzer={"kind": "none"},
        display={"kind": "none"},
    )
    with open_devices(built, clock, bench.drivers()) as devices:
        bench.shut_lid()
        devices.shaker.shake(2.0)
        devices.buzzer.play("end")
        devices.display.show("nobody sees it")
        devices.display.show_join("http://tray.local")
        devices.sand_timer.show(1.0)
        assert max(state.state for state in bench.factory.pin(24).states) > 0.5
        with pytest.raises(ValueError, match="no tune"):
            devices.buzzer.play("waltz")
    assert bench.asked == [("rpigpio", 0), 2_400_000]
    assert len({len(words) for words in bench.sent}) == 1
    assert bench.buses_closed == 1


def test_the_camera_module_is_asked_for_what_is_fixed(bench: Bench, clock: ManualClock) -> None:
    built = settings(camera={"width": 800, "height": 600, "exposure_us": 9000, "gain": 2.0})
    with (
        open_devices(built, clock, bench.drivers()) as devices,
        pytest.raises(DeviceError, match="there is none"),
    ):
        devices.camera.capture()
    fixed = {"ExposureTime": 9000, "AnalogueGain": 2.0}
    assert bench.asked[-1] == PiCameraOptions(0, (800, 600), "BGR888", fixed)


def test_a_usb_camera_is_opened_by_its_device(bench: Bench, clock: ManualClock) -> None:
    built = settings(camera={"kind": "usb", "device": "/dev/video7"})
    with open_devices(built, clock, bench.drivers()) as devices:
        assert isinstance(devices.camera, UsbCamera)


def test_buttons_mean_what_the_settings_say(bench: Bench, clock: ManualClock) -> None:
    built = settings(buttons={"start": {"short": "pause"}, "second": {"pin": 22}})
    heard: list[str] = []
    with open_devices(built, clock, bench.drivers()) as devices:
        devices.button.on_press(lambda: heard.append("press"))
        devices.button.on_action(heard.append)
        for gpio in (START, 22):
            bench.factory.pin(gpio).drive_low()
            bench.factory.pin(gpio).drive_high()
        assert bench.factory.pin(START).bounce == 0.03
    assert heard == ["pause", "press"]


@pytest.mark.parametrize(("long", "told"), [("none", "press"), ("reroll", "reroll")])
def test_the_button_of_the_round_can_always_be_held(
    bench: Bench, clock: ManualClock, long: str, told: str
) -> None:
    built = settings(buttons={"start": {"long": long}})
    heard: list[str] = []
    with open_devices(built, clock, bench.drivers()) as devices:
        devices.button.on_hold(heard.append)
        bench.factory.pin(START).drive_low()
        clock.sleep(1.0)
        bench.factory.pin(START).drive_high()
    assert heard == [told]


def test_a_doubtful_cube_is_confirmed_at_the_pin_of_the_button(
    bench: Bench, reading: Callable[..., TrayReading]
) -> None:
    """From the contact of the one button that there is as the settings come, to the board."""
    clock = OwnersClock(ManualClock())
    doubtful = TrayRead(reading(doubtful=[(0, 0), (3, 3)]), Path("photo.jpg"))
    plan = Plan(game("boggle"), (), 60.0)
    events = (ButtonPressed(0.0), ShakeDone(), Settled(), doubtful)
    asked = after(RoundState(plan), *events)
    with open_devices(settings(), clock, bench.drivers()) as devices:
        owner = Owner(asked, devices, lambda _: None, clock, book=Notebook())
        listen(devices.button, clock, owner._hear)
        for seconds in (1.0, 0.1, 1.0):
            bench.factory.pin(START).drive_low()
            clock.sleep(seconds)
            bench.factory.pin(START).drive_high()
            owner.turn()
    state = owner.standing.state
    assert state.phase is Phase.READY
    assert state.confirmed == {(0, 0): "I", (3, 3): "#"}


def test_whoever_plays_at_the_terminal_is_heard_at_the_pin_of_the_button(
    bench: Bench, clock: ManualClock, ready: RoundState, tmp_path: Path
) -> None:
    """As the display says: a press starts a turn, a long press ends it; and lines in between."""
    ears, talk = Ears(DescriptorLines(0, clock.sleep), terminal=False), Console(quiet=True)
    state = replace(ready, plan=replace(ready.plan, timing=Timing.TURNS))
    with open_devices(settings(), clock, bench.drivers()) as devices:
        listen(devices.button, clock, ears.hear)
        table = TerminalTable(clock, talk, ears, Pictures(tmp_path))
        for seconds, phase in ((0.1, Phase.RUNNING), (1.0, Phase.READY)):
            bench.factory.pin(START).drive_low()
            clock.sleep(seconds)
            bench.factory.pin(START).drive_high()
            state = after(state, table.next_event(state))
            assert state.phase is phase
        ears.hear("")
        assert after(state, table.next_event(state)).to_play == "blue"


def test_shakes_turn_the_photos_of_a_folder(
    bench: Bench, clock: ManualClock, tmp_path: Path
) -> None:
    for name in ("a.jpg", "bcd.jpg"):
        (tmp_path / name).touch()
    built = settings(camera={"kind": "folder", "folder": str(tmp_path)})
    edition = cube_set("new_4x4")
    lexicon = Lexicon.from_words("tiny", ["toe"])
    machine = open_machine(
        built, edition, clock, PhotoFolder(tmp_path), lexicon, drivers=bench.drivers()
    )
    with machine.devices as devices:
        bench.shut_lid()
        photos = [devices.camera.capture()]
        devices.shaker.nudge()
        photos.append(devices.camera.capture())
        devices.shaker.shake(1.0)
        photos.append(devices.camera.capture())
        assert devices.camera.simulated
    seen = [int(photo[0, 0, 0]) for photo in photos]
    assert seen == [5, 5, 7]
    assert machine.tray.devices is machine.devices


def refuses(_value: float) -> None:
    raise OSError(5, "Input/output error")


def test_a_pin_that_fails_at_the_end_leaves_no_other_high(
    bench: Bench, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = open_devices(Settings(), clock, bench.drivers())
    devices.lamp.on()
    devices.sand_timer.show(1.0)
    lamp: Any = bench.factory.pin(LAMP)
    monkeypatch.setattr(lamp, "_set_state", refuses)
    with pytest.raises(DeviceError, match="GPIO 18"):
        devices.close()
    others = [gpio for gpio in OUTPUTS if gpio != LAMP]
    assert all(bench.factory.pin(gpio).state == 0 for gpio in others)
    monkeypatch.undo()


@pytest.mark.parametrize("broken", [None, MOTOR])
def test_after_a_program_that_died_every_output_is_driven_low(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, broken: int | None
) -> None:
    for gpio in OUTPUTS:
        pin = bench.factory.pin(gpio)
        pin.function = "output"
        pin.state = 1
        assert pin.state == 1
    monkeypatch.setattr(bench.factory, "close", lambda: None)  # it would hide who drove what
    if broken is not None:
        monkeypatch.setattr(bench.factory.pin(broken), "_set_state", refuses)
    built = settings(sand_timer={"kind": "apa102", "leds": 4})
    drivers = bench.drivers()
    told = list(drive_off(built, drivers.pins, drivers.bus))
    assert [one.role for one in told if one.error] == ["shaker.forward_pin"] * bool(broken)
    driven = {MOTOR, ALIVE, LAMP, BUZZER} - {broken}
    assert all(bench.factory.pin(gpio).state == 0 for gpio in driven)
    assert bench.factory.pin(RED).state == 1  # with a strip there is nothing at this pin
    assert bench.sent == [apa102([(0.0, 0.0, 0.0)] * 4)] * 2
    assert bench.buses_closed == 1
    monkeypatch.undo()
