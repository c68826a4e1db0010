"""Both clocks keep their promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import Clock, ManualClock, SystemClock, WallClock


@given(st.lists(st.floats(-10, 1000)))
def test_a_manual_clock_adds_up_what_is_slept_and_never_goes_back(naps: list[float]) -> None:
    clock = ManualClock(5.0)
    for nap in naps:
        before = clock.monotonic()
        clock.sleep(nap)
        assert clock.monotonic() == before + max(nap, 0.0)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_the_system_clock_goes_forward_and_takes_a_sleep_of_nothing(seconds: float) -> None:
    clock: Clock = SystemClock()
    before = clock.monotonic()
    clock.sleep(seconds)
    assert clock.monotonic() >= before


@pytest.mark.parametrize(("time_of_day", "starts"), [(500.0, 500.0), (300.0, 400.0)])
def test_a_wall_clock_starts_at_the_time_of_day_but_not_before_what_has_been(
    time_of_day: float, starts: float
) -> None:
    clock: Clock = WallClock(400.0, lambda: time_of_day)
    before = clock.monotonic()
    clock.sleep(0.0)
    assert starts <= before <= clock.monotonic() < starts + 60


def test_a_wall_clock_is_not_moved_when_the_time_of_day_is_set() -> None:
    hours = iter([5000.0, 100.0])
    clock = WallClock(0.0, lambda: next(hours))
    assert 5000.0 <= clock.monotonic() < 5060.0
