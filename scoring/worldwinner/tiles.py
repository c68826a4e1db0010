"""The tiles of a round: a board, which of its tiles carry a bonus, and what each is worth."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from scoring.board import Board, Cell, Path, letters
from scoring.rules.worldwinner import BONUS_TILES_OF_A_KIND, GAME

QU = "Qu"
QU_VALUE = 11
"""Qu counts its two letters; some print 10 on it, the value of its Q alone."""

QU_VALUES = (10, QU_VALUE)
"""What players may agree on."""


class Bonus(StrEnum):
    """What a tile does to the points of a word that runs over it."""

    DL = "DL"
    TL = "TL"
    DW = "DW"
    TW = "TW"

    @property
    def times_letter(self) -> int:
        """What the value of its own tile is multiplied by."""
        return {Bonus.DL: 2, Bonus.TL: 3}.get(self, 1)

    @property
    def times_word(self) -> int:
        """What the sum of the word's tiles is multiplied by."""
        return {Bonus.DW: 2, Bonus.TW: 3}.get(self, 1)


@dataclass(frozen=True)
class Tile:
    """One tile: its face, the value printed on it, and its bonus or None."""

    face: str
    value: int
    bonus: Bonus | None = None

    @property
    def points(self) -> int:
        """What it adds to a word, before any multiplying of the word."""
        return self.value * (self.bonus.times_letter if self.bonus else 1)

    @property
    def times_word(self) -> int:
        """What it multiplies the word by."""
        return self.bonus.times_word if self.bonus else 1


@dataclass(frozen=True)
class Tiles:
    """All tiles of a round.

    Attributes:
        board: their faces.
        bonuses: the tiles with a bonus.
        qu_value: what Qu is worth.

    Example:
        >>> tiles = Tiles(Board.parse("CA/TQu"), {(0, 0): Bonus.DL})
        >>> tiles[0, 0].points, tiles[1, 1].points, tiles.spell(((0, 0), (0, 1), (1, 0)))
        (6, 11, 'cat')
    """

    board: Board
    bonuses: Mapping[Cell, Bonus] = field(default_factory=lambda: MappingProxyType({}))
    qu_value: int = QU_VALUE

    def __getitem__(self, cell: Cell) -> Tile:
        face = self.board[cell]
        value = self.qu_value if face == QU else GAME.letter_points(letters(face))
        return Tile(face, value, self.bonuses.get(cell))

    @property
    def lettered(self) -> tuple[Cell, ...]:
        """The cells with a letter: no blank face, no missing cube."""
        return tuple(cell for cell in self.board.cells if letters(self.board[cell]))

    def spell(self, path: Path) -> str:
        """The letters along a path."""
        return "".join(letters(self.board[cell]) for cell in path)


def place_bonuses(board: Board, round_number: int, seed: int) -> Mapping[Cell, Bonus]:
    """The bonus tiles of a round: the same board, round and seed give the same.

    A board with too few tiles gets as many as it has tiles, the kinds in turn.

    Args:
        board: bonuses go to its tiles with letters.
        round_number: from 1; says how many there are.
        seed: of the match.
    """
    rng = random.Random(f"{seed}/{round_number}")
    kinds = [*Bonus] * BONUS_TILES_OF_A_KIND[round_number]
    free = list(Tiles(board).lettered)
    rng.shuffle(free)
    return MappingProxyType(dict(sorted(zip(free, kinds, strict=False))))
