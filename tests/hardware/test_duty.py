"""The budget of the motor: whatever is asked, no window ever holds more than it may."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.duty import DutyLimits, DutyLog

LIMITS = DutyLimits(longest_s=6, budget_s=10, window_s=60, rest_s=1)
asked = st.lists(st.tuples(st.floats(0, 30), st.floats(0.01, 6)), max_size=40)


def running(runs: list[tuple[float, float]], since: float, until: float) -> float:
    return sum(max(0.0, min(end, until) - max(begin, since)) for begin, end in runs)


def obeyed(wishes: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Runs of somebody who waits for some time and then until he may."""
    log, now, runs = DutyLog(LIMITS), 0.0, []
    for pause, seconds in wishes:
        begin = log.ready_at(now + pause, seconds)
        now = begin + seconds
        log = log.with_run(begin, now)
        runs.append((begin, now))
    return runs


@given(asked)
def test_no_window_holds_more_than_the_budget(wishes: list[tuple[float, float]]) -> None:
    runs = obeyed(wishes)
    for moment in [end for _, end in runs] + [begin + LIMITS.window_s for begin, _ in runs]:
        assert running(runs, moment - LIMITS.window_s, moment) <= LIMITS.budget_s + 1e-6


@given(asked)
def test_there_is_rest_between_two_runs(wishes: list[tuple[float, float]]) -> None:
    runs = obeyed(wishes)
    for (_, end), (begin, _) in pairwise(runs):
        assert begin >= end + LIMITS.rest_s


@given(asked, st.floats(0.01, 6))
def test_nobody_waits_longer_than_he_must(
    wishes: list[tuple[float, float]], seconds: float
) -> None:
    log = DutyLog(LIMITS)
    for begin, end in (runs := obeyed(wishes)):
        log = log.with_run(begin, end)
    now = runs[-1][1] if runs else 0.0
    ready = log.ready_at(now, seconds)
    assert ready >= now
    if ready > now + LIMITS.rest_s:
        sooner = ready - 0.01 + seconds
        full = running(runs, sooner - LIMITS.window_s, sooner) + seconds
        assert full > LIMITS.budget_s


def test_a_run_beyond_the_budget_is_never_ready() -> None:
    assert DutyLog(LIMITS).ready_at(0, 10.5) == math.inf


def test_runs_that_no_window_reaches_are_forgotten() -> None:
    log = DutyLog(LIMITS).with_run(0, 5).with_run(100, 101)
    assert log.runs == ((100, 101),)


@pytest.mark.parametrize("seconds", [0.5, 6.0])
def test_a_motor_that_never_ran_is_ready(seconds: float) -> None:
    assert DutyLog(LIMITS).ready_at(7.0, seconds) == 7.0
