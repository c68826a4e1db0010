"""Points of words: of a given path, of the best path, and of all words of a board."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from scoring.board import Cell, Path
from scoring.lexicon import Lexicon
from scoring.notation import cell_name
from scoring.rules.worldwinner import GAME, LETTER_BONUS, LONG_WORD
from scoring.solution import SearchError
from scoring.solver import solve
from scoring.worldwinner.refusals import Rule, refused
from scoring.worldwinner.tiles import Tile, Tiles


@dataclass(frozen=True)
class WordScore:
    """A word along a path, and how its points come about.

    The values of the tiles are summed, each times its letter bonus; the sum is multiplied by every
    word bonus; then a word of five or more letters gets five points a letter from the fifth on.

    Attributes:
        word: small letters.
        path: its tiles' cells.
        tiles: its tiles.
    """

    word: str
    path: Path
    tiles: tuple[Tile, ...]

    @property
    def tile_sum(self) -> int:
        """The tiles, each with its letter bonus."""
        return sum(tile.points for tile in self.tiles)

    @property
    def times(self) -> int:
        """The product of the word bonuses; 1 for none."""
        return math.prod(tile.times_word for tile in self.tiles)

    @property
    def length_bonus(self) -> int:
        """For words of five or more letters."""
        return GAME.points_for(len(self.word))

    @property
    def points(self) -> int:
        """All together."""
        return self.tile_sum * self.times + self.length_bonus

    def explain(self) -> tuple[str, ...]:
        """How the points come about, a line a part.

        Example:
            >>> from scoring.board import Board
            >>> from scoring.worldwinner.tiles import Bonus
            >>> tiles = Tiles(Board.parse("CAT/"), {(0, 0): Bonus.DL, (0, 1): Bonus.DW})
            >>> for line in score_path(tiles, ((0, 0), (0, 1), (0, 2))).explain():
            ...     print(line)
            tiles: C 3 × 2 (DL) + A 1 + T 1 = 8
            word bonus: 8 × 2 (DW on A) = 16
        """
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"tiles: {' + '.join(map(_tile_text, self.tiles))} = {self.tile_sum}"
        if self.times > 1:
            factors = " × ".join(
                f"{tile.times_word} ({tile.bonus} on {tile.face})"
                for tile in self.tiles
                if tile.times_word > 1
            )
            yield f"word bonus: {self.tile_sum} × {factors} = {self.tile_sum * self.times}"
        if self.length_bonus:
            length = len(self.word)
            yield (
                f"length: {length} letters, ({length} − {LONG_WORD - 1}) × {LETTER_BONUS} = "
                f"{self.length_bonus}, together {self.points}"
            )


def _tile_text(tile: Tile) -> str:
    if tile.points == tile.value:
        return f"{tile.face} {tile.value}"
    return f"{tile.face} {tile.value} × {tile.points // tile.value} ({tile.bonus})"


def check_step(tiles: Tiles, path: Path, cell: Cell) -> None:
    """Whether a cell may come next after a path, which may be empty.

    Raises:
        RuleError: it is off the board, carries no letter, is used already or is no neighbour.
    """
    board, name = tiles.board, cell_name(cell)
    if cell not in board.cells:
        size = f"{board.rows}×{board.cols}"
        raise refused(Rule.OFF_BOARD, f"there is no {name} on a board of {size}")
    if not tiles.spell((cell,)):
        raise refused(Rule.NO_LETTER, f"{name} shows no letter, and a word runs through letters")
    if cell in path:
        raise refused(
            Rule.USED_TWICE,
            f"{name} ({board[cell]}) is in the word already: no tile may be selected twice",
        )
    if path and max(abs(path[-1][0] - cell[0]), abs(path[-1][1] - cell[1])) > 1:
        raise refused(
            Rule.NO_NEIGHBOUR,
            f"{name} does not touch {cell_name(path[-1])}: each tile must lie beside the one "
            "before it, side by side or diagonally",
        )


def score_path(tiles: Tiles, path: Path) -> WordScore:
    """Points of the letters along a path; whether they are a word is not asked.

    Raises:
        RuleError: the path breaks a rule; see `check_step`.
    """
    for number, cell in enumerate(path):
        check_step(tiles, path[:number], cell)
    return WordScore(tiles.spell(path), path, tuple(tiles[cell] for cell in path))


def best_path(tiles: Tiles, word: str) -> WordScore | None:
    """The word along the path that pays most, or None where no path spells it.

    Exact: paths are grown in the order of a bound that no ending of theirs can exceed, so that the
    first whole one is the best. The bound is that of walks which use each bonus tile once at most,
    but plain tiles as often as they like.

    Args:
        tiles: the tiles of the round.
        word: small letters, NFC.

    Raises:
        SearchError: made-up boards of one or two letters have too many ways.
    """
    enough = Counter(word) <= Counter(letter for face in tiles.board.letters for letter in face)
    path = _Search(tiles, word).best() if word and enough else None
    return None if path is None else score_path(tiles, path)


def best_words(tiles: Tiles, lexicon: Lexicon) -> tuple[WordScore, ...]:
    """Every word of the board along its best path; best first, the longer first, by alphabet."""
    words = [found.word for found in solve(tiles.board, lexicon, GAME).words]
    scores = [score for word in words if (score := best_path(tiles, word)) is not None]
    return tuple(sorted(scores, key=lambda score: (-score.points, -len(score.word), score.word)))


MOST_WAYS = 200_000
"""Beginnings of a word that are looked at; no word of a rolled board comes near."""

_Gain = tuple[int, int, int]
"""What a walk collects: its bonus tiles as bits, the sum of its tiles, the product of its word
bonuses."""

_NOTHING: _Gain = (0, 0, 1)


class _Search:
    """Looks for the best path of a word. Cells are numbers here, places count letters."""

    def __init__(self, tiles: Tiles, word: str) -> None:
        self._board = tiles.board
        self._faces = tiles.board.letters
        self._word = word
        self._gains = [_gain_of(number, tiles) for number in range(len(tiles.board))]
        self._rests = self._walks_to_the_end()

    def best(self) -> Path | None:
        """The best path."""
        unfinished: list[tuple[int, int, tuple[int, ...], _Gain]] = []
        self._grow(unfinished, (), 0, _NOTHING)
        for _ in range(MOST_WAYS):
            if not unfinished:
                return None
            _, unspelt, path, gain = heappop(unfinished)
            if not unspelt:
                return tuple(self._board.cells[cell] for cell in path)
            self._grow(unfinished, path, len(self._word) - unspelt, gain)
        raise SearchError(f"there are too many ways across the board for {self._word}")

    def _grow(
        self,
        unfinished: list[tuple[int, int, tuple[int, ...], _Gain]],
        path: tuple[int, ...],
        place: int,
        gain: _Gain,
    ) -> None:
        """Add each path that is one tile longer; of equal bounds the longest path comes first."""
        ways = self._rests[place]
        onward = self._board.neighbours[path[-1]] if path else ways.keys()
        for cell in onward:
            if cell in ways and cell not in path:
                ends = (_joined(gain, rest) for rest in ways[cell])
                bound = max((end[1] * end[2] for end in ends if end is not None), default=None)
                grown = _joined(gain, self._gains[cell])
                if bound is not None and grown is not None:
                    unspelt = len(self._word) - place - len(self._faces[cell])
                    heappush(unfinished, (-bound, unspelt, (*path, cell), grown))

    def _walks_to_the_end(self) -> list[dict[int, set[_Gain]]]:
        """For each place in the word and each cell: what walks from there to the end collect."""
        rests: list[dict[int, set[_Gain]]] = [{} for _ in self._word]
        for place in reversed(range(len(self._word))):
            for cell, face in enumerate(self._faces):
                if face and self._word.startswith(face, place):
                    found = self._walks_from(cell, place, rests)
                    if found:
                        rests[place][cell] = found
        return rests

    def _walks_from(self, cell: int, place: int, rests: list[dict[int, set[_Gain]]]) -> set[_Gain]:
        own, end = self._gains[cell], place + len(self._faces[cell])
        if end == len(self._word):
            return {own} if place else set()  # no word is of one tile alone
        walks = (
            _joined(own, rest)
            for other in self._board.neighbours[cell]
            for rest in rests[end].get(other, ())
        )
        return {walk for walk in walks if walk is not None}


def _gain_of(number: int, tiles: Tiles) -> _Gain:
    cell = tiles.board.cells[number]
    tile = tiles[cell]
    return (1 << number if tile.bonus else 0), tile.points, tile.times_word


def _joined(one: _Gain, other: _Gain) -> _Gain | None:
    """Both together; None where they share a bonus tile."""
    if one[0] & other[0]:
        return None
    return one[0] | other[0], one[1] + other[1], one[2] * other[2]
