"""Whether a written word counts, or is crossed out, or cancelled by the circle of its row."""

from __future__ import annotations

from dataclasses import dataclass

from vision.paper.reading import Doubt

SURELY = 0.8
"""Probability from which a word is out, without asking; below the rest to 1 it is not."""

_HALF = 0.5


@dataclass(frozen=True)
class Standing:
    """What speaks against a word.

    Attributes:
        crossed: probability that it is crossed out, 0–1.
        cancelled: probability that its circle is filled, 0–1; None where it has no circle.
    """

    crossed: float
    cancelled: float | None = None

    @property
    def is_surely_out(self) -> bool:
        """Whether nobody need be asked."""
        return max(self.crossed, self.cancelled or 0.0) >= SURELY

    @property
    def is_out(self) -> bool:
        """Whether it likely does not count; beside an empty circle a doubtful line is no reason."""
        if self.cancelled is None:
            return self.crossed >= _HALF
        return self.is_surely_out or self.cancelled >= _HALF

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What a person must be asked about."""
        if self.is_surely_out:
            return ()
        told = ((Doubt.CROSSED_OUT, self.crossed), (Doubt.CIRCLE, self.cancelled or 0.0))
        return tuple(doubt for doubt, chance in told if chance > 1 - SURELY)
