"""Both clocks keep their promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import Clock, ManualClock, SystemClock


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
