"""What was read on a board, with its doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from vision.reading import Point
from vision.swoggle.printed import Cell

EMPTY = "."
"""Sign of a square that nobody wrote on."""

OTHER = "?"
"""Sign of a square with something on it that is no capital, or that cannot be seen."""

SURE = 0.98
"""Probability from which a square is not asked about."""

Corners = tuple[Point, Point, Point, Point]


class Doubt(StrEnum):
    """Why a person must look at a square."""

    UNCLEAR = "it may be read in several ways"
    NO_CAPITAL = "what stands there is no plain capital"
    ON_CROSS = "the cross may hide thin strokes"
    COVERED = "what is printed there is not seen: something covers it, or light drowns it"
    OUTSIDE = "it is not in the photo"
    TURN = "which way up the board lies, or whether the photo is mirrored, is not sure"


@dataclass(frozen=True)
class SquareReading:
    """One square as it was read.

    Attributes:
        sign: a capital, `EMPTY` or `OTHER`.
        confidence: calibrated probability of ``sign``, 0–1.
        shares: probabilities of all signs, best first.
        corners_px: upper left, upper right, lower right, lower left of the square in the photo.
        doubts: why it must be confirmed; empty where it need not.
    """

    sign: str
    confidence: float
    shares: tuple[tuple[str, float], ...]
    corners_px: Corners
    doubts: tuple[Doubt, ...] = ()

    @property
    def doubtful(self) -> bool:
        """A person must confirm this square before it counts."""
        return bool(self.doubts)

    @property
    def letter(self) -> str | None:
        """The capital that stands there, or None."""
        return None if self.sign in {EMPTY, OTHER} else self.sign


@dataclass(frozen=True)
class BoardReading:
    """A photographed board as it was read.

    Attributes:
        squares: all that can be written on, row by row.
        corners_px: upper left, upper right, lower right, lower left of the board as it is printed,
            wherever they lie in the photo.
    """

    squares: Mapping[Cell, SquareReading]
    corners_px: Corners

    @cached_property
    def doubtful(self) -> tuple[Cell, ...]:
        """Squares that a person must confirm, row by row."""
        return tuple(cell for cell, square in self.squares.items() if square.doubtful)

    @cached_property
    def letters(self) -> Mapping[Cell, str]:
        """The capitals, sure or not, by square."""
        return {cell: square.sign for cell, square in self.squares.items() if square.letter}

    def scaled(self, factor: float) -> BoardReading:
        """The same reading of the same photo at another size: places times the factor."""
        squares = {
            cell: replace(square, corners_px=_scaled(square.corners_px, factor))
            for cell, square in self.squares.items()
        }
        return BoardReading(squares, _scaled(self.corners_px, factor))


def _scaled(corners: Corners, factor: float) -> Corners:
    first, second, third, fourth = ((factor * x, factor * y) for x, y in corners)
    return first, second, third, fourth
