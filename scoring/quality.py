"""What a board offers, and the search for boards of a wanted kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.board import Board, letters
from scoring.cubes import CubeSet
from scoring.folding import Folding
from scoring.lexicon import Lexicon
from scoring.rolls import Rolls
from scoring.rules.game import Game
from scoring.solution import Solution
from scoring.solver import score_many
from scoring.trie import ROOT, WORD_END, Trie

_VOWELS = frozenset("aeiou")
_plain = Folding("")


@dataclass(frozen=True)
class Quality:
    """What a board offers.

    Attributes:
        points: of all words.
        count: how many words.
        by_length: number of words by their letters, shortest first; lengths without a word are
            left out.
        longest: the longest words, by alphabet.
        vowels: letters on the faces that are a, e, i, o or u, with any accent; the u of Qu too.
        ys: letters that are y, which is a vowel in some words only and not among ``vowels``.
    """

    points: int
    count: int
    by_length: Mapping[int, int]
    longest: tuple[str, ...]
    vowels: int
    ys: int


def quality(board: Board, solution: Solution) -> Quality:
    """What a solved board offers."""
    words = [found.word for found in solution.words]
    by_length = dict(sorted(Counter(map(len, words)).items()))
    most = max(by_length, default=0)
    shown = [_plain(letter)[0] for face in board for letter in letters(face)]
    return Quality(
        solution.points,
        solution.count,
        by_length,
        longest=tuple(sorted(word for word in words if len(word) == most)),
        vowels=sum(letter in _VOWELS for letter in shown),
        ys=shown.count("y"),
    )


@dataclass(frozen=True)
class Wanted:
    """What a board must offer: all of what is set here.

    Attributes:
        least: points at least.
        most: points at most, or None for any number.
        word_of: it holds a word of so many letters or more, or None for any words.
    """

    least: int = 0
    most: int | None = None
    word_of: int | None = None

    @property
    def bounds_points(self) -> bool:
        """Whether not any number of points will do."""
        return self.least > 0 or self.most is not None

    def misses_by(self, points: int) -> int:
        """How many points are lacking, or are too many; 0 for what is wanted."""
        if points < self.least:
            return self.least - points
        return 0 if self.most is None or points <= self.most else points - self.most


@dataclass(frozen=True)
class Find:
    """A board of the wanted kind.

    Attributes:
        board: the board.
        tried: how many boards were rolled to come to it, itself included.
    """

    board: Board
    tried: int


@dataclass(frozen=True)
class Catch:
    """What a search has come to after one more batch of rolls.

    Attributes:
        finds: the boards of the wanted kind in this batch.
        tried: boards of this batch and all before.
        nearest: of all these, the points that come nearest to those that are wanted; None where
            any will do.
    """

    finds: tuple[Find, ...]
    tried: int
    nearest: int | None


def search(
    batches: Iterable[Rolls],
    wanted: Wanted,
    lexicon: Lexicon,
    game: Game,
    threads: int | None = None,
) -> Iterator[Catch]:
    """Look for boards among rolls; neither batches nor threads matter for what is found.

    Args:
        batches: the rolls, such as `scoring.rolls.roll_batches` makes them.
        wanted: the boards to look for.
        lexicon: the words that there are.
        game: which of them count, and how much.
        threads: as of `scoring.solver.score_many`.
    """
    long = counting(game, wanted.word_of or 0)
    tried, nearest = 0, None
    for rolls in batches:
        places: Sequence[int] = range(len(rolls))
        if wanted.bounds_points:
            points = score_many(rolls, lexicon, game, threads)
            misses = list(map(wanted.misses_by, points))
            places = [place for place in places if not misses[place]]
            nearest = _nearer(nearest, points[misses.index(min(misses))], wanted)
        if wanted.word_of is not None:
            words = score_many(rolls.pick(places), lexicon, long, threads)
            places = [place for place, some in zip(places, words, strict=True) if some]
        finds = tuple(Find(rolls[place], tried + place + 1) for place in places)
        tried += len(rolls)
        yield Catch(finds, tried, nearest)


def possible_lengths(edition: CubeSet, lexicon: Lexicon) -> tuple[int, ...]:
    """Lengths of the words whose letters a cube set shows and for which it has enough, ascending.

    Whether it shows each letter often enough, and whether they can lie so, is not asked.
    """
    cells = edition.rows * edition.cols
    longest = sorted(max(len(letters(face)) for face in cube) for cube in edition.cubes)
    most = sum(longest[-cells:])
    faces = (face for cube in edition.cubes for face in cube)
    shown = frozenset(letter for face in faces for letter in letters(face))
    lengths: Iterable[int] = lexicon.lengths()
    if not shown.issuperset(lexicon.trie.alphabet):
        lengths = _lengths_spelt(lexicon.trie, shown)
    return tuple(length for length in lengths if length <= most)


def _lengths_spelt(trie: Trie, shown: Collection[str]) -> Iterator[int]:
    """Lengths of the words of these letters alone, ascending."""
    import numpy as np  # noqa: PLC0415 - only where a list has letters that the cubes have not

    masks, firsts = np.asarray(trie.masks), np.asarray(trie.firsts)
    nodes, length = np.array([ROOT]), 0
    while len(nodes):
        here, child = masks[nodes], firsts[nodes].astype(np.intp)
        if (here & WORD_END).any():
            yield length
        reached = []
        for letter, bit in trie.bits.items():
            has = (here & bit) != 0
            if letter in shown:
                reached.append(child[has])
            child += has
        nodes, length = np.concatenate([*reached, nodes[:0]]), length + 1


def counting(game: Game, shortest: int = 0) -> Game:
    """The same words at a point each, so that the points of a board are their number.

    Args:
        game: says which words count.
        shortest: only words of so many letters or more.
    """
    min_length = max(game.min_length, shortest)
    return replace(
        game, min_length=min_length, table=((min_length, 1),), per_letter=None, letter_values={}
    )


def _nearer(one: int | None, other: int, wanted: Wanted) -> int:
    return other if one is None else min(one, other, key=wanted.misses_by)
