"""Finds every word on a board, and proves a single one.

The search walks board and trie together. A **place** is one letter of one cube: a face of several
letters is a chain of places, of which the first takes the cube and only the last can end a word.
That way a bare Q, Qu and Sch are all alike to the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce
from operator import attrgetter, or_
from typing import NamedTuple

from scoring.board import Board, Cell, Path, letters
from scoring.lexicon import Lexicon
from scoring.rules.game import Game
from scoring.trie import ROOT, WORD_END, Trie, below

_FEWEST_CUBES = 2
"""A word uses at least two cubes: the face He alone is not the word "he"."""


_Trail = tuple[int, ...]
"""The places of a word, in order."""


class FoundWord(NamedTuple):
    """A word with its points and one of its paths."""

    word: str
    points: int
    path: Path


@dataclass(frozen=True)
class Solution:
    """All words of a board, each once.

    Attributes:
        words: the words, best first: by points, then the longer, then by alphabet.
        points: the sum of their points.
        count: how many they are.
    """

    words: tuple[FoundWord, ...]
    points: int
    count: int


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


def solve(board: Board, lexicon: Lexicon, game: Game) -> Solution:
    """Find all words that count in this game.

    Example:
        >>> from scoring.rules import game
        >>> few = Lexicon.from_words("few", ["tea", "eat", "at"])
        >>> solution = solve(Board.parse("TE/#A"), few, game("boggle"))
        >>> solution.count, solution.words[0]
        (2, FoundWord(word='eat', points=1, path=((0, 1), (1, 1), (0, 0))))
    """
    walk = _walk(board, lexicon.trie)
    points_for = cache(game.points_for)
    letter_at, cell_at = walk.letters.__getitem__, walk.cells.__getitem__
    words = [
        FoundWord(
            "".join(map(letter_at, trail)),
            points_for(len(trail)),
            tuple(filter(None, map(cell_at, trail))),
        )
        for trail in _search(walk, lexicon.trie)
        if len(trail) >= game.min_length
    ]
    words.sort(key=attrgetter("word"))
    words.sort(key=lambda found: len(found.word), reverse=True)
    words.sort(key=attrgetter("points"), reverse=True)
    return Solution(tuple(words), sum(found.points for found in words), len(words))


def find_path(board: Board, word: str) -> Path | None:
    """A path of the word on the board, or None; any letters will do, no word list is asked.

    Args:
        board: where to look.
        word: small letters, NFC.
    """
    faces = [letters(face) for face in board]
    onward = _onward(board, faces, word)
    everywhere = range(len(faces))

    def extend(path: list[int], start: int) -> list[int] | None:
        if start == len(word):
            return path if len(path) >= _FEWEST_CUBES else None
        for cell in board.neighbours[path[-1]] if path else everywhere:
            if cell in onward[start] and cell not in path:
                found = extend([*path, cell], start + len(faces[cell]))
                if found:
                    return found
        return None

    found = extend([], 0)
    return tuple(board.cells[cell] for cell in found) if found else None


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
                    and (used | cube).bit_count() >= _FEWEST_CUBES
                ):
                    found[node] = (*trail, place)
                if child & around[place]:
                    stack.append((child, firsts[node], place, used | cube, (*trail, place)))
    return list(found.values())


def _onward(board: Board, faces: list[str], word: str) -> list[set[int]]:
    """For each place in the word the cells that can spell the rest from there.

    Cubes may be used again here, so this says too much, but cheaply: it keeps the exact search from
    walking every path of a board of few letters.
    """
    shown = "".join(faces)
    if any(word.count(letter) > shown.count(letter) for letter in set(word)):
        return [set() for _ in word]
    onward: list[set[int]] = [set() for _ in word] + [set(range(len(faces)))]
    for start in reversed(range(len(word))):
        for cell, face in enumerate(faces):
            if face and word.startswith(face, start):
                rest = onward[start + len(face)]
                if not rest.isdisjoint(board.neighbours[cell]):
                    onward[start].add(cell)
    return onward


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
