"""Many rolls of a cube set at once, without a `Board` for each: a microsecond or two a roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from scoring.board import BLANK, Board, BoardError, Face
from scoring.cubes import CubeSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Rolls(Sequence[Board]):
    """Boards of one size in a byte a cell, made into `Board` only when looked at.

    Attributes:
        faces: the faces that occur, 256 at most, in any order.
        rows: rows of each board.
        cols: columns of each board.
        numbers: which of ``faces`` each cell shows, row by row, board by board.

    Raises:
        BoardError: what one board would be refused for, part of a board, or a number of no face.

    Example:
        >>> rolls = Rolls(("A", "Qu"), 1, 2, bytes([0, 1, 1, 1]))
        >>> len(rolls), str(rolls[0]), str(rolls[-1])
        (2, 'AQu/', 'QuQu/')
    """

    faces: tuple[Face, ...]
    rows: int
    cols: int
    numbers: bytes

    def __post_init__(self) -> None:
        Board(((BLANK,) * self.cols,) * self.rows)  # refuses a size that no board has,
        for face in self.faces:
            Board(((face,),))  # and a face
        if len(self.numbers) % self._cells:
            raise BoardError(f"{len(self.numbers)} faces are no whole boards of {self._cells}")
        if self.numbers.translate(None, bytes(range(len(self.faces)))):
            raise BoardError(f"a number of no face: there are {len(self.faces)}")

    def __len__(self) -> int:
        return len(self.numbers) // self._cells

    @overload
    def __getitem__(self, at: int) -> Board: ...

    @overload
    def __getitem__(self, at: slice) -> Rolls: ...

    def __getitem__(self, at: int | slice) -> Board | Rolls:
        places = range(len(self))[at]
        if isinstance(places, range):
            return self.pick(places)
        shown = [self.faces[number] for number in self._numbers_of(places)]
        rows = range(0, self._cells, self.cols)
        return Board.from_faces(shown[start : start + self.cols] for start in rows)

    def pick(self, places: Iterable[int]) -> Rolls:
        """Some of the boards, by their places in the sequence."""
        numbers = b"".join(map(self._numbers_of, places))
        return Rolls(self.faces, self.rows, self.cols, numbers)

    @property
    def _cells(self) -> int:
        return self.rows * self.cols

    def _numbers_of(self, place: int) -> bytes:
        return self.numbers[place * self._cells : (place + 1) * self._cells]


def roll_many(edition: CubeSet, count: int, rng: np.random.Generator) -> Rolls:
    """Shake so many times, with the odds of `CubeSet.roll`.

    Each board takes the same number of doubles from the generator, one board after the other, so
    that ten rolls and then five are the same as fifteen. Of the generator only `random` is
    used, whose stream has been the same in all versions of numpy.
    """
    import numpy as np  # noqa: PLC0415 - only to roll

    faces = tuple(sorted({face for cube in edition.cubes for face in cube}))
    cubes = _numbered(edition, faces)
    sides = np.array([len(cube) for cube in edition.cubes])
    cells = edition.rows * edition.cols
    chances = rng.random((count, len(sides) + cells))
    # The cubes in a random order: the first fill the tray, spare ones stay in the box.
    tray = chances[:, : len(sides)].argsort(axis=1)[:, :cells]
    up = (chances[:, len(sides) :] * sides[tray]).astype(np.intp)
    return Rolls(faces, edition.rows, edition.cols, cubes[tray, up].tobytes())


def roll_batches(
    edition: CubeSet, count: int, rng: np.random.Generator, batch: int
) -> Iterator[Rolls]:
    """The boards of `roll_many`, some at a time, for work that is to be watched and stopped."""
    for done in range(0, count, batch):
        yield roll_many(edition, min(batch, count - done), rng)


def _numbered(edition: CubeSet, faces: Sequence[Face]) -> NDArray[np.uint8]:
    """The faces of each cube as numbers, (cubes, sides); a cube with fewer sides is filled up."""
    import numpy as np  # noqa: PLC0415 - only to roll

    number = {face: place for place, face in enumerate(faces)}
    table = np.zeros((len(edition.cubes), max(map(len, edition.cubes))), np.uint8)
    for row, cube in zip(table, edition.cubes, strict=True):
        row[: len(cube)] = [number[face] for face in cube]
    return table
