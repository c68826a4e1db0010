"""The engine in pure Python: needs no compiler, and is what the native one is checked against.

The search walks board and trie together, all paths of one length before any longer one. So the
words of a length come out together, and the points of all of them are one product.

It goes from place to place. A **place** is one letter of one cube: the only or last letter of a
face, which has the number of its cell and takes the cube, or one before it, which has a number of
its own and leads to the next letter alone. That way a bare Q, Qu and Sch are all alike to the
search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter, or_

from scoring.board import Board, Path
from scoring.rules.game import Game
from scoring.solution import FoundWord, SearchError, Solution
from scoring.trie import ROOT, WORD_END, Trie, below

_MOST_STATES = 1 << 20
"""Ways of one length at most: far beyond any real board and word list, and some 300 MB."""

_Step = tuple[int, int, int, int, str, Path]
"""A place to go to: the bit of its letter in the masks of the trie (0 where no word has it), the
bits of lower letters, the number of the place, the bit of the cube that it takes (0 for none), and
what the step adds to the word and to its path. A plain tuple: the innermost loop unpacks it."""

_State = tuple[int, int, int, int, str, Path]
"""How far the search has got on one path: the mask of the node of the trie and its first child, the
place, the bits of the cubes used, and the word and its path so far."""

_Ends = dict[int, tuple[str, Path]]
"""Words, each with a path, by the node of the trie where they end."""

_Group = tuple[int, int, _Ends]
"""All words of one length: the points of each, the length, the words."""


@dataclass(frozen=True)
class PythonEngine:
    """An `Engine` on any machine.

    Args:
        trie: the words.
    """

    trie: Trie

    @property
    def name(self) -> str:
        """As of `Engine.name`."""
        return "python"

    def solve(self, board: Board, game: Game) -> Solution:
        """As of `Engine.solve`."""
        groups = self._groups(board, game)
        count = sum(len(ends) for _, _, ends in groups)
        return Solution(_points(groups), count, lambda: _words(groups))

    def scores(
        self,
        boards: Sequence[Board],
        game: Game,
        threads: int,  # noqa: ARG002 - Python runs one thread at a time
    ) -> list[int]:
        """As of `Engine.scores`."""
        return [_points(self._groups(board, game)) for board in boards]

    def _groups(self, board: Board, game: Game) -> list[_Group]:
        """The words that count, by length."""
        worth = game.points_by_length
        return [
            (points, length, ends)
            for length, ends in enumerate(_search(board, self.trie), 1)
            if ends and (points := worth[length]) is not None
        ]


def _search(board: Board, trie: Trie) -> Iterator[_Ends]:
    """The words of the trie that the board spells: those of one letter, of two, and so on."""
    masks, firsts = trie.masks, trie.firsts
    steps, around = _places(board, trie)
    level: list[_State] = [(masks[ROOT], firsts[ROOT], -1, 0, "", ())]
    while level:
        ends: _Ends = {}
        longer: list[_State] = []
        for mask, first, here, used, word, path in level:
            for bit, lower, place, cube, letter, cell in steps[here]:
                if mask & bit and not used & cube:
                    node = first + (mask & lower).bit_count()
                    child = masks[node]
                    ways = child & around[place]
                    if ways:
                        text, cells = word + letter, path + cell
                        if ways & WORD_END and used:  # no word is of one cube alone
                            ends[node] = text, cells
                        if ways > WORD_END:
                            longer.append((child, firsts[node], place, used | cube, text, cells))
        yield ends
        level = _kept(longer)


def _kept(level: list[_State]) -> list[_State]:
    if len(level) > _MOST_STATES:
        raise SearchError("too many ways across the board begin a word")
    return level


def _points(groups: list[_Group]) -> int:
    return sum(points * len(ends) for points, _, ends in groups)


def _words(groups: list[_Group]) -> tuple[FoundWord, ...]:
    best_first = sorted(groups, key=itemgetter(0, 1), reverse=True)
    return tuple(
        [  # quicker than a generator
            FoundWord(word, points, path)
            for points, _, ends in best_first
            for word, path in sorted(ends.values())
        ]
    )


def _places(board: Board, trie: Trie) -> tuple[list[list[_Step]], list[int]]:
    """The steps from each place; and as bits what may come there: letters next to it, a word's end.

    The last steps, which no place has, are those to the first letter of every face.
    """
    bits = trie.bits
    heads: list[_Step] = []
    inner: list[list[_Step]] = []  # from the letters of a face that are not its last
    for number, (cell, letters) in enumerate(zip(board.cells, board.letters, strict=True)):
        step = _step(bits, letters[-1:], number, 1 << number, (cell,))
        for letter in reversed(letters[:-1]):
            inner.append([step])
            step = _step(bits, letter, len(board) + len(inner) - 1, 0, ())
        heads.append(step)
    outer = [[heads[other] for other in others] for others in board.neighbours]
    around = [reduce(or_, [step[0] for step in onward], WORD_END) for onward in outer]
    return [*outer, *inner, heads], [*around, *(step[0] for (step,) in inner)]


def _step(bits: dict[str, int], letter: str, place: int, cube: int, cell: Path) -> _Step:
    bit = bits.get(letter, 0)
    return bit, below(bit), place, cube, letter, cell
