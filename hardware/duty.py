"""How much a motor may run: a budget over a window of time, and rest between runs. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class DutyLimits:
    """What a motor stands.

    Attributes:
        longest_s: seconds of one run, at most.
        budget_s: seconds of running within any ``window_s``, at most.
        window_s: length of that window in seconds.
        rest_s: seconds of rest between two runs, at least.
    """

    longest_s: float = 6.0
    budget_s: float = 30.0
    window_s: float = 120.0
    rest_s: float = 0.5


@dataclass(frozen=True)
class DutyLog:
    """The runs that still count.

    Attributes:
        limits: what the motor stands.
        runs: (begin, end) of each, seconds of one clock, in order.

    Example:
        >>> log = DutyLog(DutyLimits(budget_s=10, window_s=60, rest_s=1)).with_run(0, 6)
        >>> log.ready_at(6, 4), log.ready_at(6, 6)
        (7.0, 56.0)
    """

    limits: DutyLimits
    runs: tuple[tuple[float, float], ...] = ()

    def ready_at(self, now: float, seconds: float) -> float:
        """The earliest moment, not before now, at which a run of so many seconds may begin."""
        rested = self.runs[-1][1] + self.limits.rest_s if self.runs else -math.inf
        return float(max(now, rested, self._affordable_at(seconds)))

    def with_run(self, begin: float, end: float) -> DutyLog:
        """The log with another run; those that no window reaches any more are left out."""
        oldest = end - self.limits.window_s
        kept = tuple(run for run in self.runs if run[1] > oldest)
        return DutyLog(self.limits, (*kept, (begin, end)))

    def _affordable_at(self, seconds: float) -> float:
        """When the window that ends with such a run has room for it.

        Its own last moment is the fullest one of a run: what leaves the window meanwhile is never
        more than what is added.
        """
        left = self.limits.budget_s - seconds
        if left < 0:
            return math.inf
        for begin, end in reversed(self.runs):
            if end - begin > left:
                return end - left + self.limits.window_s - seconds
            left -= end - begin
        return -math.inf
