"""How far two clocks lie apart, found out by asking: as NTP has it, but for the drift.

Who asks notes when, the other notes when that came and when its answer went, and who asked notes
when the answer came. Half of the time that was spent on the way is the most that can be wrong; of
several samples the one with the shortest way counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.station.wire import Skew, Told

KEPT = 16
"""Samples that are compared."""

OLDEST_S = 300.0
"""Seconds after which a sample counts no more: clocks drift, by 15 ms in that time at 50 ppm."""

ROUNDING_S = 1e-6
"""What is lost of seconds since 1970 where they are subtracted, at most."""

DRIFT = 50e-6
"""Seconds that a clock may gain or lose in a second."""


@dataclass(frozen=True)
class Sample:
    """One answer.

    Attributes:
        at: when it came.
        offset_s: as of `Skew.offset_s`.
        way_s: seconds spent on the way there and back.
    """

    at: float
    offset_s: float
    way_s: float

    def error_s(self, now: float) -> float:
        """How wrong it can be by now."""
        return self.way_s / 2 + DRIFT * max(0.0, now - self.at)


def sampled(told: Told, now: float) -> Sample | None:
    """What an answer that comes now says; None where its times cannot be true."""
    way = (now - told.sent) - (told.went - told.came)
    if way < -ROUNDING_S or told.went < told.came:
        return None
    offset = ((told.came - told.sent) + (told.went - now)) / 2
    return Sample(now, offset, max(0.0, way))


@dataclass(frozen=True)
class Samples:
    """The last answers."""

    kept: tuple[Sample, ...] = ()

    def joined_by(self, sample: Sample) -> Samples:
        """With one more."""
        return Samples((*self.kept, sample)[-KEPT:])

    def skew(self, now: float) -> Skew | None:
        """What is known now; None where no answer is young enough."""
        young = [sample for sample in self.kept if now - sample.at <= OLDEST_S]
        if not young:
            return None
        best = min(young, key=lambda sample: sample.error_s(now))
        return Skew(best.offset_s, best.error_s(now))
