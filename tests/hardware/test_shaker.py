"""The motor on pins: what the driver sees, in every run and on every way out of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from hardware.devices import DeviceError
from hardware.duty import DutyLimits
from hardware.lid import SwitchLid
from hardware.motion import Motion
from hardware.shaker import LID_LAG_S, STEP_S, MotorPins, MotorShaker

if TYPE_CHECKING:
    from tests.hardware.conftest import Bench, WatchedClock

LID, MOTOR, BACK, FAULT, ALIVE = 17, 23, 24, 16, 25
LIMITS = DutyLimits(longest_s=6, budget_s=10, window_s=60, rest_s=1)
STEADY = Motion("steady", power=0.8, ramp_s=0.4)

Make = Callable[..., MotorShaker]
Trace = list[tuple[float, float, float]]


@pytest.fixture
def make(bench: Bench, watched: WatchedClock) -> Make:
    """Makes a shaker under a closed lid; on an H-bridge, with all its pins."""

    def shaker(motion: Motion = STEADY, limits: DutyLimits = LIMITS) -> MotorShaker:
        pins = bench.pins
        motor = MotorPins(
            pins.output("shaker", MOTOR),
            pins.output("shaker", BACK),
            pins.input("shaker", FAULT),
            pins.output("shaker", ALIVE),
        )
        lid = SwitchLid(pins.input("lid", LID))
        bench.ground(LID)
        return MotorShaker(motor, lid, watched, motion, limits)

    return shaker


@pytest.fixture
def trace(bench: Bench, watched: WatchedClock) -> Trace:
    """Time and the levels of both motor pins at the end of each step."""
    seen: Trace = []

    def note() -> None:
        seen.append((watched.monotonic(), bench.level(MOTOR), bench.level(BACK)))

    watched.on_sleep = note
    return seen


def all_low(bench: Bench) -> bool:
    return all(bench.level(pin) == 0 for pin in (MOTOR, BACK, ALIVE))


def test_opening_moves_nothing(make: Make, bench: Bench) -> None:
    make()
    for pin in (MOTOR, BACK, ALIVE):
        assert bench.factory.pin(pin).function == "output"
        assert [state.state for state in bench.factory.pin(pin).states] == [False]


def test_the_power_is_ramped_up_and_down(make: Make, bench: Bench, trace: Trace) -> None:
    make().shake(2.0)
    levels = [forward for _, forward, _ in trace]
    assert max(levels) == pytest.approx(0.8)
    steepest = max(abs(after - before) for before, after in pairwise(levels))
    assert steepest <= 0.8 * STEP_S / 0.4 + 1e-9
    assert levels[0] == 0
    assert levels[-1] <= 0.05
    assert all_low(bench)


def test_a_gentler_run_is_one_run_alone(make: Make, trace: Trace) -> None:
    shaker = make()
    shaker.shake(2.0, 0.3)
    assert max(forward for _, forward, _ in trace) == pytest.approx(0.3)
    shaker.shake(2.0)
    assert max(forward for _, forward, _ in trace) == pytest.approx(0.8)


def test_reversals_never_drive_both_ways_and_stop_in_between(make: Make, trace: Trace) -> None:
    make(Motion("reversals", power=1.0, ramp_s=0.1, burst_s=0.5, pause_s=0.1)).shake(3.0)
    ways = [(forward > 0) - (back > 0) for _, forward, back in trace]
    assert not any(forward and back for _, forward, back in trace)
    assert {-1, 0, 1} == set(ways)
    assert all(one * other >= 0 for one, other in pairwise(ways))


def test_an_open_lid_leaves_the_pins_low_in_the_same_step(
    make: Make, bench: Bench, watched: WatchedClock
) -> None:
    watched.at(1.0, lambda: bench.let_go(LID))
    with pytest.raises(DeviceError, match="lid is open"):
        make().shake(3.0)
    assert watched.monotonic() <= 1.0 + STEP_S
    assert all_low(bench)


def test_a_fault_of_the_driver_stops_and_latches_until_it_is_gone_and_cleared(
    make: Make, bench: Bench, watched: WatchedClock
) -> None:
    shaker = make()
    watched.at(0.5, lambda: bench.ground(FAULT))
    with pytest.raises(DeviceError, match="tells a fault") as caught:
        shaker.shake(3.0)
    assert "supply off" in caught.value.advice
    assert watched.monotonic() <= 0.5 + STEP_S + LID_LAG_S
    assert all_low(bench)
    with pytest.raises(DeviceError, match="tells a fault"):
        shaker.clear()
    bench.let_go(FAULT)
    with pytest.raises(DeviceError, match="stands still: its driver told a fault"):
        shaker.shake(1.0)
    shaker.clear()
    shaker.shake(1.0)


@pytest.mark.parametrize("lag_s", [-0.02, 0.0, 0.02])
def test_a_driver_without_supply_under_an_open_lid_is_no_fault(
    make: Make, bench: Bench, watched: WatchedClock, trace: Trace, lag_s: float
) -> None:
    """Whichever contact of the lid opens first."""
    shaker = make()
    watched.at(0.5, lambda: bench.ground(FAULT))
    watched.at(0.5 + lag_s, lambda: bench.let_go(LID))
    with pytest.raises(DeviceError, match="lid is open"):
        shaker.shake(3.0)
    assert shaker.latched is None
    assert max(at for at, forward, _ in trace if forward) <= 0.5 + STEP_S
    watched.sleep(0.1)
    bench.let_go(FAULT)
    bench.ground(LID)
    shaker.shake(1.0)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_an_error_in_the_midst_of_a_run_leaves_the_pins_low(
    make: Make, bench: Bench, watched: WatchedClock, error: type[BaseException]
) -> None:
    def fail() -> None:
        assert bench.level(MOTOR) > 0
        raise error

    watched.at(1.0, fail)
    with pytest.raises(error):
        make().shake(3.0)
    assert all_low(bench)


def test_closing_leaves_the_pins_as_inputs(make: Make, bench: Bench) -> None:
    shaker = make()
    shaker.shake(1.0)
    shaker.close()
    assert {bench.factory.pin(pin).function for pin in (MOTOR, BACK, ALIVE)} == {"input"}


def test_the_one_shot_hears_of_every_step_and_of_nothing_else(
    make: Make, bench: Bench, watched: WatchedClock
) -> None:
    shaker = make()
    states = bench.factory.pin(ALIVE).states
    shaker.shake(2.0)
    pulses = len(states)
    assert pulses > 2.0 / 0.05  # well within the 100 ms of the one-shot
    assert bench.level(ALIVE) == 0
    watched.sleep(5.0)
    assert len(states) == pulses


def test_a_pin_that_cannot_be_driven_low_latches(
    make: Make, bench: Bench, watched: WatchedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shaker = make()

    def break_pin() -> None:
        def refuse(_value: float) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(bench.factory.pin(MOTOR), "_set_state", refuse)

    watched.at(1.0, break_pin)
    with pytest.raises(DeviceError, match="GPIO 23"):
        shaker.shake(3.0)
    assert shaker.latched == "its pins could not be driven low"
    assert bench.level(BACK) == bench.level(ALIVE) == 0
    monkeypatch.undo()


def test_short_rests_are_waited_for_and_long_ones_told(make: Make, watched: WatchedClock) -> None:
    shaker = make()
    shaker.shake(5.0)
    shaker.shake(4.0)
    assert watched.monotonic() == pytest.approx(10.0)
    with pytest.raises(DeviceError, match="must rest for") as caught:
        shaker.shake(4.0)
    assert caught.value.retry_after_s == pytest.approx(49.0)
    watched.sleep(caught.value.retry_after_s or 0.0)
    shaker.shake(4.0)
    assert shaker.runs == 3


def test_a_run_that_was_stopped_counts_as_far_as_it_went(
    make: Make, bench: Bench, watched: WatchedClock
) -> None:
    shaker = make()
    watched.at(3.0, lambda: bench.let_go(LID))
    with pytest.raises(DeviceError, match="lid"):
        shaker.shake(6.0)
    bench.ground(LID)
    shaker.shake(6.0)
    with pytest.raises(DeviceError, match="must rest"):
        shaker.shake(6.0)


def test_the_settings_may_have_it_run_for_shorter(make: Make) -> None:
    with pytest.raises(DeviceError, match="at most 6 s, not 7"):
        make().shake(7.0)


def test_two_at_once_are_refused(make: Make, watched: WatchedClock) -> None:
    shaker = make()
    refused: list[DeviceError] = []

    def again() -> None:
        try:
            shaker.nudge()
        except DeviceError as error:
            refused.append(error)

    def meanwhile() -> None:
        other = threading.Thread(target=again)
        other.start()
        other.join()

    watched.at(0.5, meanwhile)
    shaker.shake(1.0)
    assert [str(error) for error in refused] == ["shaker: it runs already"]


def test_a_mosfet_knows_one_way_and_needs_no_other_pin(bench: Bench, watched: WatchedClock) -> None:
    lid = SwitchLid(bench.pins.input("lid", LID))
    bench.ground(LID)
    motor = MotorPins(bench.pins.output("shaker", MOTOR))
    with MotorShaker(motor, lid, watched, Motion("bursts"), LIMITS) as shaker:
        shaker.shake(2.0)
        shaker.clear()
    assert max(state.state for state in bench.factory.pin(MOTOR).states) > 0.5
    assert bench.level(MOTOR) == 0
