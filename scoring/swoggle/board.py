"""The board of Swoggle: squares with their values, read from a data file.

No picture of the printed board is known, so a board is data: ``scoring/data/swoggle.toml`` is ours,
and ``docs/swoggle.md`` says how to write another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from importlib import resources

from scoring.board import Cell
from scoring.encoding import TextError, decode_toml

LARGEST_SIDE = 25
"""Squares a side at most: a wrong file is caught early."""

_KEYS = ("name", "title", "source", "squares")
_SQUARE = re.compile(r"(\d{1,2}|[#oyr])(\+?)")
_CROSS = "+"


class LayoutError(TextError):
    """A file is no board of Swoggle."""


class Kind(Enum):
    """What a square is; the value is its sign in the data file, a number for a plain one."""

    PLAIN = "1"
    BLACK = "#"
    ORANGE = "o"
    YELLOW = "y"
    RED = "r"

    @property
    def dice(self) -> int:
        """Throws of the die that make the value of the square; 0 where it has one of its own."""
        return _DICE.get(self, 0)


_DICE = {Kind.ORANGE: 1, Kind.YELLOW: 2, Kind.RED: 3}


@dataclass(frozen=True)
class Square:
    """A square of the board.

    Attributes:
        kind: black, coloured or plain.
        value: points of a plain square, 0 of any other.
        cross: part of the cross, which the first word must touch.
    """

    kind: Kind
    value: int = 0
    cross: bool = False

    @classmethod
    def parse(cls, text: str) -> Square:
        """The square of its sign, such as ``4``, ``1+`` or ``o``.

        Raises:
            LayoutError: it is none.
        """
        found = _SQUARE.fullmatch(text)
        if not found:
            raise _wrong(f"{text!r} is no square", "Write a number, #, o, y or r.")
        sign, cross = found[1], bool(found[2])
        if sign.isdigit():
            return cls(Kind.PLAIN, int(sign), cross)
        return cls(Kind(sign), cross=cross)

    def __str__(self) -> str:
        sign = str(self.value) if self.kind is Kind.PLAIN else self.kind.value
        return sign + _CROSS * self.cross


@dataclass(frozen=True)
class Layout:
    """A board before anything is written on it.

    Attributes:
        name: short, for commands and files.
        title: for people.
        source: where it comes from.
        squares: the rows, from the top, all equally long.

    Raises:
        LayoutError: no rectangle, too large, or nowhere to begin.
    """

    name: str
    title: str
    source: str
    squares: tuple[tuple[Square, ...], ...]

    def __post_init__(self) -> None:
        lengths = {len(row) for row in self.squares}
        if len(lengths) != 1:
            raise _wrong("its rows are not equally long", "Give each row as many squares.")
        if max(self.rows, self.cols) > LARGEST_SIDE:
            raise _wrong(f"a side has over {LARGEST_SIDE} squares", "Draw a smaller board.")
        if not self.cross:
            raise _wrong("it has no cross", "Mark a square of the centre with +, as 1+.")
        if any(self[cell].kind is Kind.BLACK for cell in self.cross):
            raise _wrong("a square of the cross is black", "No word could begin there.")

    @classmethod
    def from_toml(cls, data: bytes) -> Layout:
        """The board of a data file.

        Raises:
            LayoutError: it is none; the message says what is wrong where.
        """
        return cls.from_facts(decode_toml(data, LayoutError, "Compare it with docs/swoggle.md."))

    @classmethod
    def from_facts(cls, facts: object) -> Layout:
        """The board of `facts`, or of what a data file holds.

        Raises:
            LayoutError: as `from_toml`.
        """
        if not isinstance(facts, dict) or set(facts) != set(_KEYS):
            raise _wrong(f"it must have {', '.join(_KEYS)} and nothing else", "Mend its keys.")
        if not all(isinstance(facts[key], str) for key in _KEYS):
            raise _wrong("one of its values is no text", 'Put each value between "".')
        name, title, source, squares = (facts[key] for key in _KEYS)
        lines = [line for line in squares.splitlines() if line.strip()]
        if not lines:
            raise _wrong("it has no squares", "Write a row of squares a line.")
        return cls(name, title, source, tuple(map(_row, range(1, len(lines) + 1), lines)))

    @property
    def facts(self) -> dict[str, str]:
        """The board as JSON can hold it; `from_facts` reads it."""
        text = "\n".join(" ".join(map(str, row)) for row in self.squares)
        return {"name": self.name, "title": self.title, "source": self.source, "squares": text}

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.squares)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.squares[0])

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((row, col) for row in range(self.rows) for col in range(self.cols))

    @cached_property
    def cross(self) -> tuple[Cell, ...]:
        """The squares of the cross."""
        return tuple(cell for cell in self.cells if self[cell].cross)

    @cached_property
    def open(self) -> frozenset[Cell]:
        """The squares that letters can be written on."""
        return frozenset(cell for cell in self.cells if self[cell].kind is not Kind.BLACK)

    def __getitem__(self, cell: Cell) -> Square:
        return self.squares[cell[0]][cell[1]]

    def __contains__(self, cell: Cell) -> bool:
        return cell[0] in range(self.rows) and cell[1] in range(self.cols)


@cache
def builtin_layout() -> Layout:
    """The board that comes with the product."""
    return Layout.from_toml(resources.files("scoring.data").joinpath("swoggle.toml").read_bytes())


def square_name(cell: Cell) -> str:
    """``"row 8, column 5"``, both from 1 as players count."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def square_names(cells: Iterable[Cell]) -> str:
    """Several of them, with ``and`` between."""
    return " and ".join(map(square_name, cells))


def _row(number: int, line: str) -> tuple[Square, ...]:
    try:
        return _squares(line.split())
    except LayoutError as error:
        raise LayoutError(f"{error} (row {number})", error.advice) from error


def _squares(signs: Sequence[str]) -> tuple[Square, ...]:
    return tuple(map(Square.parse, signs))


def _wrong(why: str, advice: str) -> LayoutError:
    return LayoutError(f"the board of Swoggle cannot be used: {why}", advice)
