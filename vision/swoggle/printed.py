"""What is printed on a board before anybody writes on it, handed in as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Cell = tuple[int, int]
"""Row and column, from 0."""


class Ground(StrEnum):
    """The colour of a square."""

    PLAIN = "plain"
    BLACK = "black"
    ORANGE = "orange"
    YELLOW = "yellow"
    RED = "red"


@dataclass(frozen=True)
class PrintedSquare:
    """A square as it is printed.

    Attributes:
        ground: its colour; nobody writes on black ones.
        number: what stands in its upper right corner, or nothing.
        cross: a black cross fills it.
    """

    ground: Ground = Ground.PLAIN
    number: str = ""
    cross: bool = False


@dataclass(frozen=True)
class PrintedBoard:
    """A board as it is printed.

    Attributes:
        squares: the rows, from the top, all equally long.

    Raises:
        ValueError: the rows are not equally long, or there are none.
    """

    squares: tuple[tuple[PrintedSquare, ...], ...]

    def __post_init__(self) -> None:
        if len({len(row) for row in self.squares}) != 1 or not self.squares[0]:
            raise ValueError("a board has rows of one length")

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.squares)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.squares[0])

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((row, col) for row in range(self.rows) for col in range(self.cols))

    @property
    def open(self) -> tuple[Cell, ...]:
        """The cells that can be written on, row by row."""
        return tuple(cell for cell in self.cells if self[cell].ground is not Ground.BLACK)

    def __getitem__(self, cell: Cell) -> PrintedSquare:
        return self.squares[cell[0]][cell[1]]
