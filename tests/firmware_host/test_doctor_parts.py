"""The doctor tries every part, on twins and on pins of thin air, and leaves all of them off."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st
from luma.core.device import dummy

from firmware_host.doctor.finding import Finding, Grade
from firmware_host.doctor.parts import MOVE_S, QUESTION, Bench
from firmware_host.doctor.picture import fault_of, is_torn
from firmware_host.errors import ExitCode
from firmware_host.machine import Drivers, open_devices
from firmware_host.settings import Settings
from hardware.camera_pi import PiCameraOptions
from hardware.clock import ManualClock
from hardware.devices import DeviceError, Devices, Photo
from hardware.pins import OutputPin, Pins
from hardware.simulated import (
    Call,
    Faces,
    Script,
    Scripted,
    SimulatedDevices,
    simulated_devices,
)
from vision.render.scenes import random_scene

OK, WARN, FAIL, NONE = Grade.OK, Grade.WARN, Grade.FAIL, Grade.NONE
MOTOR, ALIVE, LAMP, RED, GREEN, BUZZER, LID = 23, 25, 18, 13, 26, 12, 17
OUTPUTS = (MOTOR, ALIVE, LAMP, RED, GREEN, BUZZER)
ALL = ("lid", "button", "lamp", "sand_timer", "display", "buzzer", "camera", "shaker")


def render(faces: Faces, number: int) -> Photo:
    """Squares whose brightness goes by face and number, on a ground with a grain."""
    cells = np.array([[80 + (17 * ord(face[0]) + number) % 150 for face in row] for row in faces])
    picture = np.kron(np.pad(cells, 1, constant_values=30), np.ones((60, 60)))
    grain = np.random.default_rng(1).integers(0, 20, picture.shape)
    return np.repeat((picture + grain).astype(np.uint8)[:, :, None], 3, axis=2)


@dataclass
class Sim:
    """A trial of twins, what they were asked, and what they say at the end."""

    faults: tuple[str, ...] = ()
    prepare: Callable[[SimulatedDevices], object] = lambda _: None
    calls: list[Call] = field(default_factory=list)
    clock: ManualClock = field(default_factory=ManualClock)

    def open(self, _settings: Settings) -> Devices:
        letters = itertools.cycle("ABCDEFGHIJKLMNOPQRSTUVWX")
        devices = simulated_devices(
            lambda: tuple((next(letters), next(letters)) for _ in "12"),
            render,
            self.clock,
            self.calls.append,
            script=Script(map(Scripted.parse, self.faults)),
            render_cocked=render,
        )
        self.prepare(devices)
        return devices

    def bench(self, **wishes: Any) -> Bench:  # noqa: ANN401 - as of Bench
        return Bench(Settings(), self.open, self.clock, **wishes)

    def findings(self, **wishes: Any) -> dict[str, Finding]:  # noqa: ANN401
        return {found.subject: found for found in self.bench(**wishes).findings()}

    def acts(self, device: str) -> list[str]:
        return [call.action for call in self.calls if call.device == device]

    @property
    def closed(self) -> set[str]:
        return {call.device for call in self.calls if call.action == "close"}


def yes(_question: str) -> bool:
    return True


def test_a_sound_machine_is_tried_part_by_part_and_left_off() -> None:
    trial = Sim()
    found = trial.findings()
    assert list(found) == ["pins", *ALL, "outputs"]
    assert {found[part].grade for part in (*ALL[:-1], "pins", "outputs")} == {OK}
    assert all("(simulated)" in found[part].text for part in ALL)
    assert trial.acts("lamp") == ["on", "off", "on", "off", "close"]
    assert trial.acts("sand_timer") == ["show", "show", "off", "close"]
    assert trial.acts("display") == ["show", "close"]
    assert trial.acts("buzzer") == ["play", "close"]
    assert trial.closed == set(ALL)


def test_the_motor_moves_only_when_asked_for_and_answered() -> None:
    trial = Sim()
    found = trial.findings()
    assert found["shaker"].grade is NONE
    assert "--move" in found["shaker"].advice
    assert trial.acts("shaker") == ["close"]

    asked: list[str] = []
    trial = Sim()
    found = trial.findings(ask=asked.append)  # None is no yes
    assert asked == [QUESTION]
    assert found["shaker"].grade is NONE
    assert trial.acts("shaker") == ["close"]

    trial = Sim()
    found = trial.findings(ask=yes)
    assert found["shaker"].grade is OK
    assert [str(call) for call in trial.calls if call.action == "shake"] == [
        f"shaker: shake {MOVE_S}"
    ]


def test_under_an_open_lid_nobody_is_even_asked() -> None:
    asked: list[str] = []
    trial = Sim(prepare=lambda devices: devices.lid.open())
    found = trial.findings(ask=asked.append)
    assert (found["lid"].grade, found["shaker"].grade) == (WARN, WARN)
    assert "open" in found["lid"].text
    assert found["lid"].advice
    assert not asked
    assert trial.acts("shaker") == ["close"]


def test_a_lid_that_is_opened_after_the_answer_stops_the_motor() -> None:
    opened: list[SimulatedDevices] = []

    def opens(_question: str) -> bool:
        opened[0].lid.open()
        return True

    found = Sim(prepare=opened.append).findings(ask=opens)
    assert (found["shaker"].grade, found["shaker"].advice) == (FAIL, "Close the lid.")


@pytest.mark.parametrize(
    ("fault", "part", "told"),
    [
        ("lamp-dead", "lamp", "gives no light"),
        ("lamp-dead", "camera", "black"),
        ("lamp-fails", "lamp", "failed"),
        ("lamp-fails", "camera", "lamp: failed"),
        ("lid-fails", "lid", "failed"),
        ("button-fails", "button", "failed"),
        ("sand-timer-fails", "sand_timer", "failed"),
        ("display-fails", "display", "failed"),
        ("buzzer-fails", "buzzer", "failed"),
        ("camera-fails", "camera", "failed"),
        ("camera-hangs", "camera", "no picture in 6 s"),
        ("camera-unplugged", "camera", "unplugged"),
        ("camera-black", "camera", "the picture is black"),
        ("camera-torn", "camera", "torn"),
        ("camera-torn@2x1", "camera", "torn"),
        ("motor-stuck", "shaker", "stuck"),
        ("shaker-fails", "shaker", "failed"),
        ("lid-opens", "shaker", "lid is open"),
    ],
)
def test_each_fault_is_found_with_advice_and_the_others_are_tried(
    fault: str, part: str, told: str
) -> None:
    trial = Sim((fault,))
    found = trial.findings(ask=yes)
    assert list(found) == ["pins", *ALL, "outputs"]
    assert (found[part].grade, found[part].code) == (FAIL, ExitCode.DEVICE_FAULT)
    assert told in found[part].text
    assert found[part].advice
    assert found["outputs"].grade is OK
    assert trial.closed == set(ALL)


def test_a_camera_that_is_black_while_it_wakes_up_is_well() -> None:
    assert Sim(("camera-black@1x2",)).findings()["camera"].grade is OK


def test_pins_that_are_taken_are_held_by_the_service() -> None:
    (only,) = Sim(("pins-busy",)).findings().values()
    assert (only.subject, only.grade, only.code) == ("pins", FAIL, ExitCode.DEVICE_FAULT)
    assert "sudo systemctl stop wordtray" in only.advice


def test_a_quiet_doctor_plays_nothing() -> None:
    trial = Sim()
    assert trial.findings(quiet=True)["buzzer"].grade is NONE
    assert trial.acts("buzzer") == ["close"]


def test_a_buzzer_that_is_silent_by_the_settings_is_not_said_to_have_played() -> None:
    trial = Sim()
    silent = Settings.model_validate({"buzzer": {"mode": "silent"}})
    found = [*replace(trial.bench(), settings=silent).findings()]
    assert {one.subject: one.grade for one in found}["buzzer"] is NONE


def test_a_part_that_cannot_be_switched_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses() -> None:
        raise DeviceError("lamp", "it stays lit", "Pull the plug.")

    def prepare(devices: SimulatedDevices) -> None:
        monkeypatch.setattr(devices.lamp, "close", refuses)

    trial = Sim(prepare=prepare)
    off = trial.findings()["outputs"]
    assert (off.grade, off.text, off.advice) == (FAIL, "lamp: it stays lit", "Pull the plug.")
    assert trial.closed == set(ALL) - {"lamp"}


class EndingClock(ManualClock):
    """Ends the program at a moment."""

    def __init__(self, moment: int, error: type[BaseException]) -> None:
        super().__init__()
        self.left = moment
        self.error = error

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if not self.left:
            raise self.error
        self.left -= 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_whatever_ends_a_trial_leaves_everything_off(error: type[BaseException]) -> None:
    moments = (*range(9), *range(9, 60, 10))  # the last ones are in the shake
    trials = [Sim(clock=EndingClock(moment, error)) for moment in moments]
    for trial in trials:
        with pytest.raises(error):
            trial.findings(ask=yes)
        assert trial.closed == set(ALL)
    assert "shake" in trials[-1].acts("shaker")


def test_a_trial_that_is_left_in_the_middle_leaves_everything_off() -> None:
    trial = Sim()
    findings = trial.bench().findings()
    while next(findings).subject != "lamp":
        pass
    assert trial.closed == set()
    findings.close()
    assert trial.closed == set(ALL)


class WatchingClock(ManualClock):
    """Looks at the levels of pins whenever somebody waits."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__()
        self.factory = factory
        self.highest = dict.fromkeys(OUTPUTS, 0.0)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        for gpio, highest in self.highest.items():
            self.highest[gpio] = max(highest, float(self.factory.pin(gpio).state))


class Rig:
    """Drivers of thin air around gpiozero's own code."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.lid_closed = True
        self.clock = WatchingClock(self.factory)
        self.panel = dummy(mode="1")
        self.shown: list[bytes] = []
        self.photo = render((("A", "B"), ("C", "D")), 0)
        self.drivers = Drivers(
            pins=lambda *_: Pins(self.factory),
            panel=lambda *_: self.panel,
            picamera=self._picamera,
        )

    def _picamera(self, _options: PiCameraOptions) -> Any:  # noqa: ANN401 - a driver
        return self

    camera_controls: tuple[str, ...] = ()

    def capture_array(self, _name: str) -> Photo:
        assert self.factory.pin(LAMP).state == 1
        if self.panel.image is not None:
            self.shown.append(self.panel.image.tobytes())
        return self.photo

    def close(self) -> None:
        """Let go."""

    def bench(self, settings: Settings | None = None, **wishes: Any) -> Bench:  # noqa: ANN401
        def opened(built: Settings) -> Devices:
            devices = open_devices(built, self.clock, self.drivers)
            self.put_lid()
            return devices

        return Bench(settings or Settings(), opened, self.clock, **wishes)

    def findings(self, settings: Settings | None = None, **wishes: Any) -> dict[str, Finding]:  # noqa: ANN401
        return {found.subject: found for found in self.bench(settings, **wishes).findings()}

    def put_lid(self) -> None:
        lid = self.factory.pin(LID)
        (lid.drive_low if self.lid_closed else lid.drive_high)()

    @property
    def is_off(self) -> bool:
        return not any(self.factory.pin(gpio).state for gpio in OUTPUTS)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Rig:
    rig = Rig()
    monkeypatch.setattr(rig, "camera_controls", {})
    return rig


def test_real_parts_are_tried_on_their_pins_and_left_low(rig: Rig) -> None:
    found = rig.findings(ask=yes)
    assert {one.grade for one in found.values()} == {OK}
    assert "lgpio" in found["pins"].text
    assert "(simulated)" not in found["lamp"].text
    assert "wordtray wiring" in found["lamp"].advice
    assert all(level > 0 for level in rig.clock.highest.values())
    assert any(rig.shown[0])
    assert rig.is_off
    assert not np.asarray(rig.panel.image).any()


def test_a_motor_that_nobody_asked_for_never_gets_power(rig: Rig) -> None:
    rig.findings()
    lit = {gpio for gpio, level in rig.clock.highest.items() if level}
    assert lit == set(OUTPUTS) - {MOTOR, ALIVE}


def test_an_open_lid_is_told_and_keeps_the_motor_still(rig: Rig) -> None:
    rig.lid_closed = False
    found = rig.findings(ask=yes)
    assert (found["lid"].grade, found["shaker"].grade) == (WARN, WARN)
    assert rig.clock.highest[MOTOR] == 0


def test_the_motor_runs_no_longer_than_the_settings_let_it(rig: Rig) -> None:
    short = {"shaker": {"shake_s": 0.4, "longest_s": 0.4}}
    assert "0.4 s" in rig.findings(Settings.model_validate(short), ask=yes)["shaker"].text


def test_a_display_that_does_not_answer_keeps_no_other_part_from_its_trial(rig: Rig) -> None:
    def broken(*_: object) -> dummy:
        raise DeviceError("display", "nothing answers at 0x3C", "Look at the four wires.")

    rig.drivers = replace(rig.drivers, panel=broken)
    found = rig.findings()
    assert (found["display"].grade, found["display"].text) == (FAIL, "nothing answers at 0x3C")
    assert {found[part].grade for part in ("pins", "lamp", "buzzer", "camera")} == {OK}
    assert list(found).count("display") == 1
    assert rig.is_off


def test_parts_that_a_machine_is_built_without_are_none(rig: Rig) -> None:
    absent = {part: {"kind": "none"} for part in ("display", "buzzer", "sand_timer")}
    found = rig.findings(Settings.model_validate(absent))
    assert {found[part].grade for part in absent} == {NONE}
    assert found["outputs"].grade is OK


def test_pins_that_may_not_be_opened_have_their_own_advice(rig: Rig) -> None:
    def forbidden(*_: object) -> Pins:
        raise DeviceError("pins", "/dev/gpiochip0 may not be opened", "Join its group.")

    rig.drivers = replace(rig.drivers, pins=forbidden)
    (only,) = rig.findings().values()
    assert (only.grade, only.advice) == (FAIL, "Join its group.")


def test_an_error_of_ours_at_the_opening_is_a_finding_too(rig: Rig) -> None:
    def broken(*_: object) -> Pins:
        raise ZeroDivisionError("no pins to share")

    rig.drivers = replace(rig.drivers, pins=broken)
    (only,) = rig.findings().values()
    assert (only.subject, only.grade, only.code) == ("pins", FAIL, ExitCode.OUR_FAULT)
    assert "no pins to share" in only.text


def test_a_pin_that_another_program_holds_is_told(rig: Rig) -> None:
    def busy(*_: object) -> Pins:
        pins = Pins(rig.factory)
        taken.append(pins.output("elsewhere", LAMP))
        return pins

    taken: list[OutputPin] = []
    rig.drivers = replace(rig.drivers, pins=busy)
    found = rig.findings()
    assert rig.is_off
    assert found["pins"].grade is FAIL
    assert "systemctl stop wordtray" in found["pins"].advice


@pytest.mark.parametrize("seed", range(4))
def test_rendered_scenes_are_sound_and_torn_ones_are_not(seed: int) -> None:
    photo = random_scene(seed, difficulty=0.5, size=(800, 600))[1].photo
    assert fault_of([photo]) is None
    half = len(photo) * (seed + 2) // 7
    torn = photo.copy()
    torn[half:] = np.roll(photo[half:], photo.shape[1] // (seed + 3), axis=1)
    found = fault_of([torn])
    assert found is not None
    assert (found.useless, "torn" in found.text) == (True, True)


def test_light_that_is_lost_is_told() -> None:
    photo = render((("A", "B"), ("C", "D")), 0)
    glaring = photo.copy()
    glaring[:, : photo.shape[1] // 2] = 255
    found = fault_of([photo, glaring])
    assert found is not None
    assert (found.useless, "50%" in found.text) == (False, True)
    assert fault_of([glaring, photo]) is None


@given(st.integers(0, 255), st.integers(1, 40), st.integers(1, 60))
def test_pictures_of_one_colour_and_of_any_size_are_never_torn(
    level: int, height: int, width: int
) -> None:
    assert not is_torn(np.full((height, width), level, np.float32))
