"""What was read of thrown dice, with its doubts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from vision.reading import Point


class Doubt(StrEnum):
    """Why a person must look at a die."""

    OBLIQUE = "seen too much from the side to tell its top"
    UNCLEAR = "its pips or its edges are not plain"
    MORE_PIPS = "there may be more pips on it"
    UNLIKE = "it is unlike the other dice"
    CUT_OFF = "it is cut off by the edge of the photo"
    WASHED_OUT = "it is so bright that pips on it may be lost"
    SAME_PLACE = "its pips can be put together in several ways"


@dataclass(frozen=True)
class DieReading:
    """One die as it was read.

    Attributes:
        pips: 1–6, on its top.
        confidence: how probable that is, 0–1.
        middle_px: of its top.
        corners_px: around its top; for a one, which has no direction, upright in the photo.
        doubts: why it must be confirmed; empty where it need not.
    """

    pips: int
    confidence: float
    middle_px: Point
    corners_px: tuple[Point, Point, Point, Point]
    doubts: tuple[Doubt, ...] = ()

    @property
    def doubtful(self) -> bool:
        """A person must confirm this die before it counts."""
        return bool(self.doubts)


@dataclass(frozen=True)
class DiceReading:
    """The dice of a photo.

    Attributes:
        dice: by their pips, equal ones from left to right.
        unread_px: middles of what looks like further dice whose pips were not read.
    """

    dice: tuple[DieReading, ...]
    unread_px: tuple[Point, ...] = ()

    @property
    def pips(self) -> tuple[int, ...]:
        """Of all dice, sorted."""
        return tuple(die.pips for die in self.dice)

    @property
    def doubtful(self) -> bool:
        """Whether a die is doubtful, or one was not read: a person must confirm the throw."""
        return bool(self.unread_px) or any(die.doubtful for die in self.dice)

    def scaled(self, factor: float) -> DiceReading:
        """The same reading of the same photo at another size: places times the factor."""
        return DiceReading(
            tuple(_scaled(die, factor) for die in self.dice),
            tuple((factor * x, factor * y) for x, y in self.unread_px),
        )


def _scaled(die: DieReading, factor: float) -> DieReading:
    x, y = die.middle_px
    first, second, third, fourth = ((factor * u, factor * v) for u, v in die.corners_px)
    return replace(
        die, middle_px=(factor * x, factor * y), corners_px=(first, second, third, fourth)
    )
