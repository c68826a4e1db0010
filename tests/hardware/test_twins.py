"""What each twin does when asked, when it is broken and after it was closed."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import ManualClock
from hardware.devices import LONGEST_SHAKE_S, TUNES, DeviceError, Photo
from hardware.simulated import Call, Fault, SimulatedDevices, simulated_devices
from hardware.simulated.outputs import SimulatedDisplay, SimulatedLamp, SimulatedSandTimer
from hardware.simulated.shaker import NUDGE_S

USES: dict[str, Callable[[SimulatedDevices], object]] = {
    "shaker": lambda machine: machine.shaker.shake(1.0),
    "lid": lambda machine: machine.lid.closed,
    "lamp": lambda machine: machine.lamp.on(),
    "sand_timer": lambda machine: machine.sand_timer.show(0.5),
    "buzzer": lambda machine: machine.buzzer.play("end"),
    "button": lambda machine: machine.button.on_press(print),
    "display": lambda machine: machine.display.show("hello"),
    "camera": lambda machine: machine.camera.capture(),
}

every_device = pytest.mark.parametrize("name", USES)


class WatchedClock(ManualClock):
    """Does what it was given when it shows one second, in the midst of whatever sleeps then."""

    act: Callable[[], None]

    def sleep(self, seconds: float) -> None:
        before = self.monotonic()
        super().sleep(seconds)
        if before < 1.0 <= self.monotonic():
            self.act()


GREY = np.full((8, 8, 3), 128, np.uint8)


def any_machine(clock: ManualClock, photo: Photo = GREY) -> SimulatedDevices:
    """Twins whose tray always looks the same."""
    throws = itertools.count()
    return simulated_devices(lambda: ((str(next(throws)),),), lambda *_: photo, clock)


def outcomes(machine: SimulatedDevices, name: str, uses: int) -> str:
    """A letter a use: w where it worked, f where it failed."""
    done = ""
    for _ in range(uses):
        try:
            USES[name](machine)
            done += "w"
        except DeviceError:
            done += "f"
    return done


# Faults


@every_device
def test_a_permanent_fault_fails_every_call_and_names_the_device(
    machine: SimulatedDevices, name: str
) -> None:
    getattr(machine, name).fail(Fault())
    for _ in range(3):
        with pytest.raises(DeviceError, match=f"^{name}: failed") as caught:
            USES[name](machine)
        assert caught.value.device == name


@every_device
def test_a_fault_fails_just_the_calls_that_it_names(machine: SimulatedDevices, name: str) -> None:
    getattr(machine, name).fail(Fault(after=2, times=1))
    assert outcomes(machine, name, 5) == "wwfww"


@every_device
def test_a_cleared_fault_is_gone(machine: SimulatedDevices, name: str) -> None:
    getattr(machine, name).fail(Fault())
    assert outcomes(machine, name, 1) == "f"
    getattr(machine, name).fail(None)
    assert outcomes(machine, name, 2) == "ww"


@every_device
def test_a_time_out_blocks_on_the_clock_before_it_fails(
    machine: SimulatedDevices, clock: ManualClock, name: str
) -> None:
    getattr(machine, name).fail(Fault(blocks_s=5.0))
    before = clock.monotonic()
    with pytest.raises(DeviceError, match=r"gave no answer in 5 s"):
        USES[name](machine)
    assert clock.monotonic() == before + 5.0


@given(after=st.integers(0, 5), times=st.none() | st.integers(0, 5), calls=st.integers(0, 12))
def test_a_fault_is_a_window_of_calls(after: int, times: int | None, calls: int) -> None:
    fault = Fault(after, times)
    window = range(after, after + times) if times is not None else itertools.count(after)
    hit = set(itertools.islice(window, 20))
    assert [fault.hits(call) for call in range(calls)] == [call in hit for call in range(calls)]


def test_a_failed_call_changes_nothing_but_is_recorded(
    machine: SimulatedDevices, calls: list[Call]
) -> None:
    machine.lamp.fail(Fault())
    with pytest.raises(DeviceError):
        machine.lamp.on()
    assert not machine.lamp.lit
    assert [str(call) for call in calls] == ["lamp: on"]


# Closing


@every_device
def test_a_closed_device_refuses_every_call(machine: SimulatedDevices, name: str) -> None:
    getattr(machine, name).close()
    with pytest.raises(DeviceError, match=f"^{name}: it was closed"):
        USES[name](machine)


@every_device
def test_a_device_closes_once_even_when_broken(
    machine: SimulatedDevices, calls: list[Call], name: str
) -> None:
    device = getattr(machine, name)
    device.fail(Fault())
    with pytest.raises(DeviceError), device:
        USES[name](machine)
    device.close()
    assert [call.action for call in calls].count("close") == 1


# Records


def test_calls_are_heard_in_order_with_their_times(
    machine: SimulatedDevices, calls: list[Call]
) -> None:
    machine.lamp.on()
    machine.shaker.shake(3.0)
    machine.buzzer.play("start")
    assert [(call.device, call.action, call.args) for call in calls] == [
        ("lamp", "on", ()),
        ("shaker", "shake", (3.0,)),
        ("buzzer", "play", ("start",)),
    ]
    assert [call.time for call in calls] == pytest.approx([100.0, 100.0, 103.0])


# Shaker and lid


@given(st.floats(0.001, LONGEST_SHAKE_S))
def test_a_shake_takes_its_time(seconds: float) -> None:
    clock = ManualClock()
    machine = any_machine(clock)
    machine.shaker.shake(seconds)
    assert clock.monotonic() == pytest.approx(seconds)


@pytest.mark.parametrize("seconds", [0.0, -1.0, LONGEST_SHAKE_S + 0.1, float("inf"), float("nan")])
def test_a_shake_of_a_wrong_length_does_not_begin(
    machine: SimulatedDevices, clock: ManualClock, seconds: float
) -> None:
    faces = machine.tray.faces
    with pytest.raises(DeviceError, match="at most 10 s"):
        machine.shaker.shake(seconds)
    assert machine.tray.faces == faces
    assert clock.monotonic() == 100.0


def test_the_shaker_stands_still_while_the_lid_is_open(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    faces = machine.tray.faces
    machine.lid.open()
    with pytest.raises(DeviceError, match="lid is open"):
        machine.shaker.shake(1.0)
    with pytest.raises(DeviceError, match="lid is open"):
        machine.shaker.nudge()
    assert machine.tray.faces == faces
    assert clock.monotonic() == 100.0
    machine.lid.shut()
    machine.shaker.shake(1.0)
    assert machine.tray.faces != faces


def test_opening_the_lid_stops_the_run_at_once_and_the_cubes_have_moved() -> None:
    clock = WatchedClock()
    machine = any_machine(clock)
    clock.act = machine.lid.open
    faces = machine.tray.faces
    with pytest.raises(DeviceError, match="lid is open"):
        machine.shaker.shake(3.0)
    assert 1.0 <= clock.monotonic() < 1.1
    assert machine.tray.faces != faces


def test_closing_the_shaker_from_elsewhere_stops_its_run() -> None:
    clock = WatchedClock()
    machine = any_machine(clock)
    clock.act = machine.shaker.close
    with pytest.raises(DeviceError, match="it was closed"):
        machine.shaker.shake(3.0)
    assert 1.0 <= clock.monotonic() < 1.1


def test_a_broken_lid_keeps_the_shaker_from_running(machine: SimulatedDevices) -> None:
    machine.lid.fail(Fault())
    with pytest.raises(DeviceError, match=r"^lid: failed"):
        machine.shaker.shake(1.0)


def test_a_nudge_is_short_and_keeps_the_faces(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    faces = machine.tray.faces
    machine.shaker.nudge()
    assert clock.monotonic() == pytest.approx(100.0 + NUDGE_S)
    assert machine.tray.faces == faces


# Outputs


def test_the_lamp_remembers_whether_it_is_lit() -> None:
    lamp = SimulatedLamp(ManualClock())
    seen = [lamp.lit]
    for act in (lamp.on, lamp.on, lamp.off, lamp.on, lamp.close):
        act()
        seen.append(lamp.lit)
    assert seen == [False, True, True, False, True, False]


@given(st.floats(allow_nan=False))
def test_the_sand_timer_shows_a_share(left: float) -> None:
    timer = SimulatedSandTimer(ManualClock())
    seen = [timer.left]
    show = partial(timer.show, left)
    for act in (show, timer.off, show, timer.close):
        act()
        seen.append(timer.left)
    share = sorted([0.0, left, 1.0])[1]
    assert seen == [None, share, None, share, None]


def test_the_buzzer_plays_every_tune_and_no_other(
    machine: SimulatedDevices, calls: list[Call]
) -> None:
    for tune in TUNES:
        machine.buzzer.play(tune)
    assert [call.args for call in calls] == [(tune,) for tune in TUNES]
    with pytest.raises(ValueError, match="no tune 'waltz'; the tunes are start"):
        machine.buzzer.play("waltz")


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 5), st.integers(0, 25))
def test_the_display_cuts_what_does_not_fit(lines: list[str], rows: int, columns: int) -> None:
    display = SimulatedDisplay(ManualClock(), rows=rows, columns=columns)
    display.show("from before", "and more")
    display.show(*lines)
    assert len(display.lines) == min(rows, len(lines))
    for shown, line in zip(display.lines, lines, strict=False):
        assert line.startswith(shown)
        assert len(shown) == min(columns, len(line))


# Button


def test_a_press_calls_the_last_callback_once(machine: SimulatedDevices) -> None:
    heard: list[str] = []
    machine.button.press()
    machine.button.on_press(lambda: heard.append("first"))
    machine.button.press()
    machine.button.on_press(lambda: heard.append("second"))
    machine.button.press()
    assert heard == ["first", "second"]


def test_a_press_may_come_from_any_thread(machine: SimulatedDevices) -> None:
    threads: list[threading.Thread] = []
    machine.button.on_press(lambda: threads.append(threading.current_thread()))
    presser = threading.Thread(target=machine.button.press)
    presser.start()
    presser.join()
    assert threads == [presser]


# Camera


def test_a_picture_is_an_rgb_photo_that_takes_its_time(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    photo = machine.camera.capture()
    assert photo.shape == (160, 160, 3)
    assert photo.dtype == np.uint8
    assert clock.monotonic() > 100.0


def test_without_the_lamp_the_picture_is_almost_black(machine: SimulatedDevices) -> None:
    assert machine.camera.capture().mean() < 6
    machine.lamp.on()
    assert machine.camera.capture().mean() > 50
    machine.lamp.off()
    assert machine.camera.capture().mean() < 6


def test_the_camera_adds_noise_and_nothing_else(machine: SimulatedDevices) -> None:
    machine.lamp.on()
    frames = np.array([machine.camera.capture() for _ in range(64)], float)
    assert 2.0 < frames.std(axis=0).mean() < 3.5
    assert np.abs(frames.mean(axis=0) - machine.tray.look()).max() < 2.0


def test_noise_stays_within_black_and_white() -> None:
    white = np.full((4, 4, 3), 255, np.uint8)
    for extreme in (white, white * 0):
        seen = any_machine(ManualClock(), extreme)
        seen.lamp.on()
        assert np.abs(seen.camera.capture().astype(int) - extreme).max() <= 4
