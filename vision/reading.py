"""What was read in a photo, with its doubts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan2, degrees

from scoring.board import Board, Cell, Face
from scoring.cubes import Shortage

Point = tuple[float, float]
"""Place in a photo in pixels, x to the right and y down from the upper left; EXIF turn applied."""


@dataclass(frozen=True)
class FaceReading:
    """One cell as it was read.

    Attributes:
        face: the face taken, the most probable one under all evidence.
        confidence: calibrated probability of ``face``, 0–1.
        turn: degrees, counter-clockwise from upright as seen in the photo, in [0, 360).
        alternatives: the most probable faces with their probabilities, best first, three at most.
        doubtful: a person must confirm this cell before its letter counts.
        second: what a second reader says of it; empty where it says nothing or was not asked.
    """

    face: Face
    confidence: float
    turn: float
    alternatives: tuple[tuple[Face, float], ...]
    doubtful: bool
    second: str = ""


@dataclass(frozen=True)
class TrayReading:
    """A photographed tray as it was read; rows from the top of the photo.

    Attributes:
        cells: the readings, row by row, rows of equal length.
        corners_px: corners of the cube area: upper left, upper right, lower right, lower left of
            the board as read.
        edition: name of the cube set that the faces fit, or None where none is sure.
        cut_off: the photo ends beyond two neighbouring edges, or letters are seen beyond one, or
            none along one, so that this may be a part of a larger tray: every cell is doubtful.
        editions: the names of those that may be it, with their probabilities, best first.
        shortage: faces, plain to see, that cannot all be of the cube set that was named, or that
            the others fit; its places count cells row by row.
    """

    cells: tuple[tuple[FaceReading, ...], ...]
    corners_px: tuple[Point, Point, Point, Point]
    edition: str | None
    cut_off: bool = False
    editions: tuple[tuple[str, float], ...] = ()
    shortage: Shortage | None = None

    @property
    def board(self) -> Board:
        """The board of the faces taken."""
        return Board.from_faces([cell.face for cell in row] for row in self.cells)

    @property
    def quarters(self) -> tuple[tuple[int, ...], ...]:
        """Quarter turns of the prints against the rows of the board, counter-clockwise, 0–3.

        Those of an O, or another face that looks alike after a turn, say little.
        """
        (left, top), (right, tip), *_ = self.corners_px
        rows = degrees(atan2(top - tip, right - left))
        return tuple(
            tuple(round((cell.turn - rows) / 90) % 4 for cell in row) for row in self.cells
        )

    def scaled(self, factor: float) -> TrayReading:
        """The same reading of the same photo at another size: places times the factor."""
        first, second, third, fourth = ((factor * x, factor * y) for x, y in self.corners_px)
        return replace(self, corners_px=(first, second, third, fourth))

    @property
    def doubtful(self) -> tuple[Cell, ...]:
        """Cells that a person must confirm, row by row."""
        return tuple(
            (row, col)
            for row, cells in enumerate(self.cells)
            for col, cell in enumerate(cells)
            if cell.doubtful
        )
