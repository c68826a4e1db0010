"""A turn as players write it: row, column, direction, letters.

``8 5 across PARADE``: from the square in row 8, column 5, both counted from 1, to the right. The
letters are those that the player writes, as many as the die shows, the first on that square. A
letter that stands there already is stepped over; it may also be named in brackets, as in
``7 10 down H(E)M``, and is then compared with the board. Letters at several places, which the rules
always refuse, are several such pieces joined by ``+``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat

from scoring.board import Cell
from scoring.match import RuleError

_PIECE = re.compile(r"(\d{1,4})[\s,]+(\d{1,4})[\s,]+([^\W\d_]+|→|↓)[\s,]+(\S.*)")
_LETTERS = re.compile(r"(?:[^\W\d_]|\([^\W\d_]+\))+")
_SIGN = re.compile(r"\(([^()]+)\)|(.)")


class Direction(StrEnum):
    """Which way a word runs."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def other(self) -> Direction:
        """The direction that crosses it."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS

    def step(self, cell: Cell, steps: int = 1) -> Cell:
        """The cell so many steps on, or back."""
        row, col = cell
        return (row, col + steps) if self is Direction.ACROSS else (row + steps, col)


_DIRECTIONS = {
    **dict.fromkeys(("across", "a", "right", "→"), Direction.ACROSS),
    **dict.fromkeys(("down", "d", "↓"), Direction.DOWN),
}


@dataclass(frozen=True)
class Sign:
    """A letter of a piece.

    Attributes:
        letter: small.
        stands: it was in brackets: it is on the board already.
    """

    letter: str
    stands: bool = False

    def __str__(self) -> str:
        return f"({capital(self.letter)})" if self.stands else capital(self.letter)


@dataclass(frozen=True)
class Piece:
    """Letters in a line.

    Attributes:
        start: the square of the first sign, (row, column) from 0.
        direction: which way they run.
        signs: the letters.
    """

    start: Cell
    direction: Direction
    signs: tuple[Sign, ...]

    def __str__(self) -> str:
        row, col = self.start
        letters = "".join(map(str, self.signs)).replace(")(", "")
        return f"{row + 1} {col + 1} {self.direction} {letters}"


@dataclass(frozen=True)
class Turn:
    """What a player writes in a turn.

    Attributes:
        pieces: one; several are for saying what a player has done wrong.

    Example:
        >>> str(Turn.parse("8,5,a,parade"))
        '8 5 across PARADE'
    """

    pieces: tuple[Piece, ...]

    @classmethod
    def parse(cls, text: str) -> Turn:
        """Read the notation; commas serve as spaces, and any letters as capitals.

        Raises:
            RuleError: it is none.
        """
        plain = unicodedata.normalize("NFC", text)
        return cls(tuple(_piece(part.strip(), text) for part in plain.split("+")))

    @classmethod
    def writing(cls, written: Mapping[Cell, str], standing: Container[Cell]) -> Turn:
        """The turn that writes letters on squares, small ones and at least one.

        They are one piece where they lie in a line with nothing but standing letters between; else
        one for each part, which the rules refuse.

        Example:
            >>> str(Turn.writing({(6, 9): "h", (8, 9): "m"}, {(7, 9)}))
            '7 10 down HM'
        """
        cells = sorted(written)
        down = len(cells) > 1 and len({col for _, col in cells}) == 1
        direction = Direction.DOWN if down else Direction.ACROSS
        parts: list[list[Cell]] = []
        for cell in cells:
            if parts and _follows(cell, parts[-1][-1], direction, standing):
                parts[-1].append(cell)
            else:
                parts.append([cell])
        signs = (tuple(Sign(written[cell]) for cell in part) for part in parts)
        return cls(tuple(map(Piece, (part[0] for part in parts), repeat(direction), signs)))

    @property
    def direction(self) -> Direction:
        """Of the first piece."""
        return self.pieces[0].direction

    def __str__(self) -> str:
        return " + ".join(map(str, self.pieces))


def capital(letter: str) -> str:
    """The letter as it is written on the board; as it is where it has no capital of its own."""
    upper = letter.upper()
    return upper if upper.lower() == letter else letter


def _follows(cell: Cell, last: Cell, direction: Direction, standing: Container[Cell]) -> bool:
    """Whether a letter is the next of a piece: nothing but standing letters lies between."""
    between = direction.step(last)
    while between in standing:
        between = direction.step(between)
    return cell == between


def _piece(part: str, text: str) -> Piece:
    found = _PIECE.fullmatch(part)
    if not found:
        raise _unreadable(f"{text.strip()!r} is no turn")
    row, col, direction, letters = found.groups()
    if direction.lower() not in _DIRECTIONS:
        raise _unreadable(f"{direction!r} is no direction: words run across or down")
    joined = re.sub(r"\s", "", letters)
    if not _LETTERS.fullmatch(joined):
        raise _unreadable(f"{letters!r} is not letters alone, one a square")
    start = int(row) - 1, int(col) - 1
    return Piece(start, _DIRECTIONS[direction.lower()], _signs(joined.lower()))


def _signs(letters: str) -> tuple[Sign, ...]:
    return tuple(
        Sign(letter, stands=bool(standing))
        for standing, written in _SIGN.findall(letters)
        for letter in standing or written
    )


def _unreadable(why: str) -> RuleError:
    return RuleError(
        "notation",
        why,
        "Write row, column, direction and the letters that you write, as 8 5 across PARADE.",
    )
