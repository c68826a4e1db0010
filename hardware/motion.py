"""How the motor moves: speeds over time, as a pure function."""

from __future__ import annotations

import math
from dataclasses import dataclass

PATTERNS = ("steady", "bursts", "reversals")
"""One run; runs with pauses between; the same, each the other way round."""


@dataclass(frozen=True)
class Motion:
    """A pattern of speeds, each ramped up and down.

    Attributes:
        pattern: one of `PATTERNS`.
        power: highest speed, above 0 to 1.
        ramp_s: seconds from standing to full speed, and back.
        burst_s: seconds of a burst with its ramps; of no account for ``steady``.
        pause_s: seconds between two bursts.

    Example:
        >>> steady = Motion("steady", power=0.8, ramp_s=0.5)
        >>> [round(steady.speed(t, 2.0), 2) for t in (0.0, 0.25, 1.0, 1.75, 2.0)]
        [0.0, 0.4, 0.8, 0.4, 0.0]
    """

    pattern: str = "steady"
    power: float = 0.8
    ramp_s: float = 0.25
    burst_s: float = 0.6
    pause_s: float = 0.15

    def speed(self, at_s: float, length_s: float) -> float:
        """Speed −1 to 1 at a moment of a run; 0 at its beginning, its end and outside.

        Args:
            at_s: seconds since the run began.
            length_s: of the whole run.
        """
        if not 0.0 <= at_s <= length_s:
            return 0.0
        number, since, burst_s = self._burst(at_s, length_s)
        backward = self.pattern == "reversals" and number % 2 == 1
        return math.copysign(self._ramped(since, burst_s), -1 if backward else 1)

    def _burst(self, at_s: float, length_s: float) -> tuple[int, float, float]:
        """Number of the burst, seconds since it began, and its length."""
        if self.pattern == "steady":
            return 0, at_s, length_s
        period_s = self.burst_s + self.pause_s
        number = int(at_s // period_s)
        begins_s = number * period_s
        return number, at_s - begins_s, min(self.burst_s, length_s - begins_s)

    def _ramped(self, since: float, burst_s: float) -> float:
        """A burst too short to reach full speed is a triangle below it."""
        edge = min(since, burst_s - since)
        return self.power * min(1.0, max(0.0, edge) / self.ramp_s)
