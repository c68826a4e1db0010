"""Machines on a clock that does not wait: of twins, and of real parts on pins of thin air."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from luma.core.device import dummy

from hardware.buttons import Key, PushButtons
from hardware.buzzer import PinBuzzer
from hardware.camera_pi import PiCamera, PiCameraOptions
from hardware.clock import ManualClock
from hardware.devices import Devices, Photo
from hardware.display import OledDisplay
from hardware.duty import DutyLimits
from hardware.gestures import Gesture
from hardware.lamp import PinLamp
from hardware.lid import SwitchLid
from hardware.motion import Motion
from hardware.pins import Pins
from hardware.sand_timer import BarSandTimer
from hardware.shaker import MotorPins, MotorShaker
from hardware.simulated import Call, Faces, SimulatedDevices, simulated_devices


def render(faces: Faces, number: int) -> Photo:
    """Light squares on a dark ground, their brightness by face and number."""
    cells = np.array([[80 + (ord(face[0]) + number) % 150 for face in row] for row in faces])
    picture = np.pad(cells, 1, constant_values=30).astype(np.uint8)
    return np.repeat(np.kron(picture, np.ones((40, 40), np.uint8))[:, :, None], 3, axis=2)


@pytest.fixture
def clock() -> ManualClock:
    """Stands at 100 s."""
    return ManualClock(100.0)


@pytest.fixture
def calls() -> list[Call]:
    """Every call to the machine, in order."""
    return []


@pytest.fixture
def machine(clock: ManualClock, calls: list[Call]) -> SimulatedDevices:
    """Twins; the throws are AB/CD, EF/GH and so on."""
    letters = itertools.cycle("ABCDEFGHIJKLMNOPQRSTUVWX")

    def roll() -> Faces:
        return ((next(letters), next(letters)), (next(letters), next(letters)))

    return simulated_devices(roll, render, clock, calls.append)


class WatchedClock(ManualClock):
    """Does things at moments, in the midst of whatever sleeps then, and tells of every sleep."""

    def __init__(self, now: float = 0.0) -> None:
        super().__init__(now)
        self.due: list[tuple[float, Callable[[], object]]] = []
        self.on_sleep: Callable[[], object] = lambda: None

    def at(self, moment: float, act: Callable[[], object]) -> None:
        self.due.append((moment, act))

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.on_sleep()
        now = self.monotonic()
        acts = [act for moment, act in self.due if moment <= now]
        self.due = [(moment, act) for moment, act in self.due if moment > now]
        for act in acts:
            act()


LID, LAMP, MOTOR, BACK, FAULT, ALIVE, RED, GREEN, BUZZER, START = (
    17,
    18,
    23,
    24,
    16,
    25,
    13,
    26,
    12,
    27,
)


class Bench:
    """Pins of thin air under gpiozero's own code, and what a person or a part does to them."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.pins = Pins(self.factory, simulated=True)

    def level(self, gpio: int) -> float:
        """Share of the time in which a pin is high."""
        return float(self.factory.pin(gpio).state)

    def ground(self, gpio: int) -> None:
        """Close the contact at an input."""
        self.factory.pin(gpio).drive_low()

    def let_go(self, gpio: int) -> None:
        """Open the contact at an input."""
        self.factory.pin(gpio).drive_high()


@pytest.fixture
def bench() -> Iterator[Bench]:
    """Pins, let go of at the end."""
    bench = Bench()
    yield bench
    bench.pins.close()


@pytest.fixture
def watched() -> WatchedClock:
    """A clock at 0 that can act."""
    return WatchedClock()


class FakePicamera:
    """A driver whose exposure settles, with the controls that it is given."""

    def __init__(self, *controls: str) -> None:
        self.camera_controls = dict.fromkeys(controls)
        self.set: list[dict[str, Any]] = []
        self.frames = 0
        self.focused = 0
        self.closed = 0

    def capture_array(self, name: str) -> Photo:
        assert name == "main"
        return np.full((4, 6, 3), (10, 20, 30), np.uint8)

    def capture_metadata(self) -> dict[str, Any]:
        self.frames += 1
        return {
            "ExposureTime": 20_000 - 100 * min(self.frames, 20),
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 2.5),
            "LensPosition": 4.0,
            "AeState": 2 if self.frames >= 20 else 1,
        }

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.set.append(controls)

    def autofocus_cycle(self) -> bool:
        self.focused += 1
        return True

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def picamera() -> Callable[..., FakePicamera]:
    """Makes drivers with these controls."""
    return FakePicamera


@dataclass
class Rig:
    """A machine, twins or real parts, and what a person does to it."""

    devices: Devices
    clock: WatchedClock
    open_lid: Callable[[], None]
    shut_lid: Callable[[], None]
    press: Callable[[], None]
    hold: Callable[[], None]


def twin_rig() -> Rig:
    clock = WatchedClock()
    letters = itertools.cycle("ABCDEFGHIJKLMNOPQRSTUVWX")
    twins = simulated_devices(lambda: ((next(letters),),), render, clock)
    button = twins.button
    return Rig(twins, clock, twins.lid.open, twins.lid.shut, button.press, button.hold)


def pin_rig() -> Rig:
    clock, bench = WatchedClock(), Bench()
    pins = bench.pins
    switch = SwitchLid(pins.input("lid", LID))
    meant = {Gesture.SHORT: "press", Gesture.LONG: "cancel"}
    bench.ground(LID)

    def wait(seconds: float, callback: Callable[[], None]) -> None:
        clock.at(clock.monotonic() + seconds, callback)

    lamp = PinLamp(pins.output("lamp", LAMP), clock, warm_up_s=0)
    devices = Devices(
        shaker=MotorShaker(
            MotorPins(pins.output("shaker", MOTOR)),
            switch,
            clock,
            Motion("steady"),
            DutyLimits(longest_s=10, budget_s=300, window_s=600, rest_s=0),
        ),
        lid=switch,
        lamp=lamp,
        sand_timer=BarSandTimer(pins.output("sand_timer", RED), pins.output("sand_timer", GREEN)),
        buzzer=PinBuzzer(pins.output("buzzer", BUZZER), clock),
        button=PushButtons([Key(pins.input("button", START), meant)], clock, later=wait),
        display=OledDisplay(dummy(mode="1")),
        camera=PiCamera(PiCameraOptions(), lambda: lamp.lit, lambda _: FakePicamera()),
    )

    def press(seconds: float = 0.0) -> None:
        bench.ground(START)
        clock.sleep(seconds)
        bench.let_go(START)

    def lid(*, shut: bool) -> None:
        (bench.ground if shut else bench.let_go)(LID)

    return Rig(
        devices,
        clock,
        partial(lid, shut=False),
        partial(lid, shut=True),
        press,
        partial(press, 1.0),
    )


@pytest.fixture(params=[twin_rig, pin_rig], ids=["twins", "pins"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """The same machine twice: of twins, and of the real parts on pins of thin air."""
    made: Rig = request.param()
    with made.devices:
        yield made
