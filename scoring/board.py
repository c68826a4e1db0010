"""The board: a grid of faces, and its notation.

A face is a short string: ``"A"``, ``"Qu"``, ``"Ñ"``; `BLANK` is a face that carries no letter,
`MISSING` a cell without a cube. The notation is the one of ``docs/notation.md``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

Face = str
"""What a cube shows: one or more letters, a capital first; or `BLANK` or `MISSING`."""

Cell = tuple[int, int]
"""A place on the board: (row, column), both from 0."""

Path = tuple[Cell, ...]
"""The cells that a word runs through, in order."""

FEWEST_CUBES = 2
"""A word uses at least so many cubes: the face He alone is not the word "he"."""

BLANK: Face = "#"
MISSING: Face = "_"

LARGEST_SIDE = 10
"""Cells a side at most: no tray is near it, and a wrong notation is caught early."""

_MARKS = {"#": BLANK, ".": BLANK, "_": MISSING}


class BoardError(ValueError):
    """The notation is malformed or does not make a rectangle."""


@dataclass(frozen=True)
class Board:
    """A rectangle of faces; rows from the top, columns from the left.

    Args:
        faces: the rows, each of the same length, 1 to `LARGEST_SIDE`.

    Raises:
        BoardError: no faces, rows of unequal length, a side too long, or a string that is no face.

    Example:
        >>> board = Board.parse("IETC/HQuPE/SEYH/TOER")
        >>> board[1, 1], board.rows, board.cols
        ('Qu', 4, 4)
        >>> str(board)
        'IETC/HQuPE/SEYH/TOER'
    """

    faces: tuple[tuple[Face, ...], ...]

    def __post_init__(self) -> None:
        lengths = {len(row) for row in self.faces}
        if not self.faces or lengths == {0}:
            raise BoardError("the board has no faces")
        if len(lengths) > 1:
            rows = ", ".join(str(len(row)) for row in self.faces)
            raise BoardError(f"the rows hold {rows} faces: they must be equally long")
        if max(self.rows, self.cols) > LARGEST_SIDE:
            raise BoardError(
                f"{self.rows}×{self.cols} is larger than any tray ({LARGEST_SIDE}×{LARGEST_SIDE})"
            )
        for row in self.faces:
            for face in row:
                _check_face(face)

    @classmethod
    def from_faces(cls, rows: Iterable[Iterable[Face]]) -> Board:
        """Board of any nested iterable of faces."""
        return cls(tuple(tuple(row) for row in rows))

    @classmethod
    def parse(cls, text: str, size: tuple[int, int] | None = None) -> Board:
        """Read the board notation.

        Rows are divided by ``/`` or line ends; a capital begins a face and small letters continue
        it; ``#`` or ``.`` is a blank face, ``_`` a missing cube. Faces may also be divided by
        spaces. A text without any capital is the solver's notation: a letter a face, q for Qu. A
        single row is folded into a square, or into ``size``, unless it ends in ``/``.

        Args:
            text: the notation.
            size: (rows, columns) where the text holds no row ends; else a square is expected.

        Raises:
            BoardError: with a message that says what is wrong.
        """
        text = unicodedata.normalize("NFC", text).strip()
        read = _capital_faces if any(char.isupper() for char in text) else _small_faces
        rows = [read(row) for row in re.split(r"[/\r\n]", text) if row.strip()]
        if len(rows) == 1 and "/" not in text:
            rows = _fold(rows[0], size)
        board = cls.from_faces(rows)
        if size is not None and (board.rows, board.cols) != size:
            raise BoardError(
                f"the text has {board.rows} rows of {board.cols}, not {size[0]}×{size[1]}"
            )
        return board

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.faces)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.faces[0])

    def __getitem__(self, cell: Cell) -> Face:
        return self.faces[cell[0]][cell[1]]

    def __iter__(self) -> Iterator[Face]:
        return (face for row in self.faces for face in row)

    def __len__(self) -> int:
        return self.rows * self.cols

    def __str__(self) -> str:
        text = "/".join("".join(row) for row in self.faces)
        return text if self.rows > 1 or self.cols == 1 else f"{text}/"  # else it reads as a square

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters that each cell puts into a word, in the order of `cells`."""
        return tuple(map(letters, self))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return _cells(self.rows, self.cols)

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, in the order of `cells`, the indices of its neighbours, eight at most."""
        return _neighbours(self.rows, self.cols)


def letters(face: Face) -> str:
    """Letters that a face puts into a word, small: ``"qu"`` for Qu, none for a blank or no cube."""
    return "" if face in (BLANK, MISSING) else face.lower()


@cache
def _cells(rows: int, cols: int) -> tuple[Cell, ...]:
    return tuple((row, col) for row in range(rows) for col in range(cols))


@cache
def _neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    cells = _cells(rows, cols)
    return tuple(
        tuple(other for other, (r, c) in enumerate(cells) if max(abs(r - row), abs(c - col)) == 1)
        for row, col in cells
    )


def _check_face(face: Face) -> None:
    if face in (BLANK, MISSING):
        return
    if not (face.isalpha() and face == face.capitalize()):
        raise BoardError(f"{face!r} is no face: a capital, then small letters")


def _capital_faces(row: str) -> list[Face]:
    return [face for piece in row.split() for face in _capital_piece(piece)]


def _capital_piece(piece: str) -> list[Face]:
    faces: list[Face] = []
    for char in piece:
        if char in _MARKS:
            faces.append(_MARKS[char])
        elif char.isalpha() and not char.islower():
            faces.append(char)
        elif char.isalpha() and faces and faces[-1].isalpha():
            faces[-1] += char
        else:
            raise BoardError(_wrong(char))
    return faces


def _small_faces(row: str) -> list[Face]:
    words = row.split()
    return [_small_face(piece) for piece in (words if len(words) > 1 else row.strip())]


def _small_face(piece: str) -> Face:
    if piece in _MARKS:
        return _MARKS[piece]
    if not piece.isalpha():
        raise BoardError(_wrong(piece))
    return "Qu" if piece == "q" else piece.capitalize()


def _wrong(text: str) -> str:
    return f"{text!r} is neither a face, '#' (blank) nor '_' (missing cube)"


def _fold(faces: list[Face], size: tuple[int, int] | None) -> list[list[Face]]:
    if size is None:
        side = math.isqrt(len(faces))
        size = (side, side)
        if side * side != len(faces):
            raise BoardError(
                f"{len(faces)} faces do not make a square: divide the rows by '/' or give the size"
            )
    rows, cols = size
    if rows * cols != len(faces):
        raise BoardError(f"{len(faces)} faces do not fill {rows}×{cols} = {rows * cols} cells")
    return [faces[start : start + cols] for start in range(0, len(faces), cols)]
