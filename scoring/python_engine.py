"""The engine in pure Python: needs no compiler, and is what the native one is checked against.

The search walks board and trie together. A **place** is one letter of one cube: a face of several
letters is a chain of places, of which the first takes the cube and only the last can end a word.
That way a bare Q, Qu and Sch are all alike to the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import attrgetter, or_

from scoring.board import FEWEST_CUBES, Board, Cell, letters
from scoring.rules.game import Game
from scoring.solution import FoundWord, Solution
from scoring.trie import ROOT, WORD_END, Trie, below

_Trail = tuple[int, ...]
"""The places of a word, in order."""

_Step = tuple[int, int, int, int]
"""A place to go to: the bit of its letter in the masks of the trie (0 where no word has it), the
bits of lower letters, the number of the place, and the bit of the cube that it takes (0 for a
further letter of the same cube). A plain tuple: it is unpacked in the innermost loop."""


@dataclass(frozen=True)
class _Walk:
    """A board's places, numbered: the first letters of all cubes in order, then the others.

    Attributes:
        letters: the letter of each place.
        cells: the cell of each place, once: None for a further letter of the same cube.
        steps: from each place; from the last number, which is no place, to all first letters.
        around: from each place, the letter bits of all steps.
        ends: the places where a word may end: the last letters of the faces.
    """

    letters: list[str]
    cells: list[Cell | None]
    steps: list[list[_Step]]
    around: list[int]
    ends: frozenset[int]


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
        walk = _walk(board, self.trie)
        worth = game.points_by_length
        trails = [trail for trail in _search(walk, self.trie) if worth[len(trail)] is not None]
        points = sum(worth[len(trail)] or 0 for trail in trails)
        return Solution(points, len(trails), lambda: _words(walk, trails, game))

    def scores(
        self,
        boards: Sequence[Board],
        game: Game,
        threads: int,  # noqa: ARG002 - Python runs one thread at a time
    ) -> list[int]:
        """As of `Engine.scores`."""
        return [self.solve(board, game).points for board in boards]


def _search(walk: _Walk, trie: Trie) -> list[_Trail]:
    """The trail of each word of the trie that the board spells, one a word."""
    masks, firsts = trie.masks, trie.firsts
    steps, around, ends = walk.steps, walk.around, walk.ends
    found: dict[int, _Trail] = {}  # by the node where the word ends
    stack: list[tuple[int, int, int, int, _Trail]]
    stack = [(masks[ROOT], firsts[ROOT], len(walk.letters), 0, ())]
    while stack:
        mask, first, here, used, trail = stack.pop()
        for bit, lower, place, cube in steps[here]:
            if mask & bit and not used & cube:
                node = first + (mask & lower).bit_count()
                child = masks[node]
                if (
                    child & WORD_END
                    and node not in found
                    and place in ends
                    and (used | cube).bit_count() >= FEWEST_CUBES
                ):
                    found[node] = (*trail, place)
                if child & around[place]:
                    stack.append((child, firsts[node], place, used | cube, (*trail, place)))
    return list(found.values())


def _words(walk: _Walk, trails: list[_Trail], game: Game) -> tuple[FoundWord, ...]:
    letter_at, cell_at = walk.letters.__getitem__, walk.cells.__getitem__
    words = [
        FoundWord(
            "".join(map(letter_at, trail)),
            game.points_for(len(trail)),
            tuple(filter(None, map(cell_at, trail))),
        )
        for trail in trails
    ]
    words.sort(key=attrgetter("word"))
    words.sort(key=lambda found: len(found.word), reverse=True)
    words.sort(key=attrgetter("points"), reverse=True)
    return tuple(words)


def _walk(board: Board, trie: Trie) -> _Walk:
    faces = [letters(face) for face in board]
    heads = [_step(trie, face[:1], cell, 1 << cell) for cell, face in enumerate(faces)]
    steps = [[heads[other] for other in others if heads[other][0]] for others in board.neighbours]
    places = [face[:1] for face in faces]
    last = list(range(len(faces)))  # place of the last letter of each face
    for cell, face in enumerate(faces):
        for letter in face[1:]:
            step = _step(trie, letter, len(places), 0)
            steps.append(steps[last[cell]])
            steps[last[cell]] = [step]
            last[cell] = len(places)
            places.append(letter)
    steps.append([head for head in heads if head[0]])
    around = [reduce(or_, [step[0] for step in onward], 0) for onward in steps]
    cells = [*board.cells, *[None] * (len(places) - len(faces))]
    return _Walk(places, cells, steps, around, frozenset(last))


def _step(trie: Trie, letter: str, place: int, cube: int) -> _Step:
    bit = trie.bits.get(letter, 0)
    return bit, below(bit), place, cube
