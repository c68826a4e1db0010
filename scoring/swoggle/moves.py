"""Every legal move for a throw, best first.

What a move scores depends on its squares alone: the letters are free, and so are the words that
squares make with what stands. So the finder looks for *slots*, the runs of empty squares that as
many letters as the die shows can be written on, scores each once, and then looks for the words that
fit it: standing letters are given, and a new square beside standing letters takes only the letters
that make words there (the cross-checks of Appel and Jacobson, "The World's Fastest Scrabble
Program", 1988).

There is no rack: on most squares every letter may be written, so that a walk over the trie visits
nearly all of it at each slot. Here the words of each length are kept as sets of bits instead, one
set for each letter at each place, and a slot is a few ANDs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scoring.board import Cell
from scoring.lexicon import Lexicon
from scoring.swoggle.board import Kind, Layout
from scoring.swoggle.rules import PIPS, Letters, neighbours, run_through
from scoring.swoggle.turn import Direction, Piece, Sign, Turn
from scoring.trie import WORD_END, Trie

MEAN_THROW = sum(PIPS) / len(PIPS)

Bits = int
"""A set of words of one length: bit *n* is the *n*-th of them."""


@dataclass(frozen=True, eq=False)
class WordIndex:
    """The words of a word list by length, letter and place; made by `of`.

    Attributes:
        lexicon: the word list.
        lengths: for each length from 0 its words.
    """

    lexicon: Lexicon
    lengths: tuple[_Words, ...]

    @classmethod
    def of(cls, lexicon: Lexicon, longest: int) -> WordIndex:
        """Index the words of up to so many letters."""
        levels = list(islice(_levels(lexicon.trie), longest))
        rows = (_rows(levels[: depth + 1]) for depth in range(len(levels)))
        alphabet = lexicon.trie.alphabet
        nothing = np.zeros((0, 0), np.uint8)
        lengths = (_Words(alphabet, nothing), *(_Words(alphabet, words) for words in rows))
        return cls(lexicon, lengths)

    def words(self, length: int) -> _Words:
        """The words of a length."""
        return self.lengths[length] if length < len(self.lengths) else self.lengths[0]


@dataclass(frozen=True, eq=False)
class _Words:
    """Words of one length: a row a word, each letter as its place in the alphabet from 0."""

    alphabet: str
    rows: NDArray[np.uint8]

    @property
    def every(self) -> Bits:
        return (1 << len(self.rows)) - 1

    @cached_property
    def having(self) -> Mapping[tuple[int, str], Bits]:
        """For each place and letter the words that have it there."""
        return {
            (place, self.alphabet[letter]): _bits(column == letter)
            for place, column in enumerate(self.rows.T)
            for letter in np.unique(column).tolist()
        }

    def spelt(self, bits: Bits) -> list[str]:
        """The words of a set, sorted."""
        if not bits:
            return []
        packed = np.frombuffer(bits.to_bytes((len(self.rows) + 7) // 8, "little"), np.uint8)
        chosen = self.rows[np.flatnonzero(np.unpackbits(packed, bitorder="little"))]
        letters = np.array(list(self.alphabet))[chosen]
        spelt: list[str] = letters.view(f"<U{self.rows.shape[1]}").ravel().tolist()
        return spelt


@dataclass(frozen=True)
class Slot:
    """Squares that a turn may write on, and the words that fit.

    Attributes:
        direction: of the line.
        run: the squares of the word in that line, those of standing letters included.
        written: the empty squares among them.
        points: what the turn scores without its throws.
        throws: how many throws it adds; one on a square in two words counts twice.
        words: the words that fit the run.
    """

    direction: Direction
    run: tuple[Cell, ...]
    written: frozenset[Cell]
    points: int
    throws: int
    words: Bits

    @property
    def mean(self) -> float:
        """What it scores on the average."""
        return self.points + self.throws * MEAN_THROW

    @property
    def count(self) -> int:
        """Number of moves."""
        return self.words.bit_count()


@dataclass(frozen=True)
class Move:
    """A legal move.

    Attributes:
        slot: where.
        word: in small letters; with standing letters.
    """

    slot: Slot
    word: str

    @property
    def turn(self) -> Turn:
        """As players write it, standing letters in brackets."""
        slot = self.slot
        signs = tuple(
            Sign(letter, stands=cell not in slot.written)
            for cell, letter in zip(slot.run, self.word, strict=True)
        )
        return Turn((Piece(slot.run[0], slot.direction, signs),))


@dataclass(frozen=True)
class Moves:
    """All legal moves for a throw: iterated best first by the mean of what they score.

    Attributes:
        index: the words.
        slots: best first, each with a word at least.
    """

    index: WordIndex
    slots: tuple[Slot, ...]

    @property
    def count(self) -> int:
        """How many there are; 0 says that no move is possible."""
        return sum(slot.count for slot in self.slots)

    def __iter__(self) -> Iterator[Move]:
        for slot in self.slots:
            for word in self.index.words(len(slot.run)).spelt(slot.words):
                yield Move(slot, word)

    def best(self, number: int) -> list[Move]:
        """The best few."""
        return list(islice(self, number))


def find_moves(
    index: WordIndex,
    layout: Layout,
    letters: Letters,
    count: int,
    *,
    worth: int = 0,
    together: bool = False,
) -> Moves:
    """Every legal move of so many letters.

    Args:
        index: the words, as long as a side of the board.
        layout: the board.
        letters: what stands on it, small.
        count: letters to write.
        worth: points of a throw where none is made, as 4 in Fours; 0 where dice are thrown.
        together: the letters lie next to one another, as in Fours.
    """
    search = _Search(index, layout, letters, count, worth, together)
    ways = tuple(Direction) if count > 1 else (Direction.ACROSS,)
    found = [
        slot
        for direction in ways
        for cell in layout.cells
        if (slot := search.slot(cell, direction)) is not None
    ]
    found.sort(key=lambda slot: -slot.mean)
    return Moves(index, tuple(found))


@dataclass(frozen=True, eq=False)
class _Search:
    index: WordIndex
    layout: Layout
    letters: Letters
    count: int
    worth: int
    together: bool

    @cached_property
    def _fitting(self) -> dict[tuple[Cell, Direction], frozenset[str]]:
        """Letters that a square takes where words cross it in a direction; filled as asked for."""
        return {}

    def slot(self, start: Cell, direction: Direction) -> Slot | None:
        """The slot whose first new letter is on a square, if there is one with a word."""
        written = self._empty_from(start, direction)
        if written is None or not self._may_stand(written):
            return None
        run = self._run(written, direction)
        crossing = {
            cell: cells
            for cell in written
            if len(cells := run_through(cell, direction.other, self.letters)) > 1
        }
        if len(run) == 1:  # a single letter that only makes a word across its line
            return self._single(written[0], direction.other)
        words = self._words(run, crossing, direction)
        if not words:
            return None
        points, throws = self._worth([run, *crossing.values()])
        return Slot(direction, run, frozenset(written), points, throws, words)

    def _single(self, cell: Cell, direction: Direction) -> Slot | None:
        run = run_through(cell, direction, self.letters)
        words = self._words(run, {}, direction)
        if not words:
            return None
        points, throws = self._worth([run])
        return Slot(direction, run, frozenset({cell}), points, throws, words)

    def _empty_from(self, start: Cell, direction: Direction) -> tuple[Cell, ...] | None:
        """So many empty squares from a square, standing letters stepped over."""
        if start in self.letters:
            return None
        written: list[Cell] = []
        cell = start
        while len(written) < self.count:
            if cell not in self.layout.open:
                return None
            if cell not in self.letters:
                written.append(cell)
            elif self.together:
                return None
            cell = direction.step(cell)
        return tuple(written)

    def _may_stand(self, written: Sequence[Cell]) -> bool:
        """Joined to what stands; the first word on the cross, and longer than a letter."""
        if not self.letters:
            return len(written) > 1 and any(self.layout[cell].cross for cell in written)
        return any(near in self.letters for cell in written for near in neighbours(cell))

    def _run(self, written: Sequence[Cell], direction: Direction) -> tuple[Cell, ...]:
        head = run_through(written[0], direction, self.letters)
        tail = run_through(written[-1], direction, self.letters)
        length = max(tail[-1][0] - head[0][0], tail[-1][1] - head[0][1]) + 1
        return tuple(direction.step(head[0], steps) for steps in range(length))

    def _words(
        self, run: Sequence[Cell], crossing: Mapping[Cell, object], direction: Direction
    ) -> Bits:
        words = self.index.words(len(run))
        found, having = words.every, words.having
        for place, cell in enumerate(run):
            if cell in self.letters:
                found &= having.get((place, self.letters[cell]), 0)
        for place, cell in enumerate(run):
            if found and cell in crossing:
                fit = 0
                for letter in self._letters_for(cell, direction.other):
                    fit |= having.get((place, letter), 0)
                found &= fit
        return found

    def _letters_for(self, cell: Cell, direction: Direction) -> frozenset[str]:
        """The cross-check: letters that make a word of what stands on both sides."""
        known = self._fitting.get((cell, direction))
        if known is None:
            run = run_through(cell, direction, self.letters)
            place = run.index(cell)
            before, after = (
                "".join(map(self.letters.__getitem__, part))
                for part in (run[:place], run[place + 1 :])
            )
            lexicon = self.index.lexicon
            known = frozenset(
                letter for letter in lexicon.trie.alphabet if before + letter + after in lexicon
            )
            self._fitting[cell, direction] = known
        return known

    def _worth(self, runs: Sequence[Sequence[Cell]]) -> tuple[int, int]:
        squares = [self.layout[cell] for run in runs for cell in run]
        throws = sum(square.kind.dice for square in squares)
        points = sum(square.value for square in squares if square.kind is Kind.PLAIN)
        return (points + throws * self.worth, 0) if self.worth else (points, throws)


def _levels(trie: Trie) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8], NDArray[np.bool_]]]:
    """Of each depth from 1 its nodes: parent in the depth above, letter, whether a word ends."""
    masks = np.frombuffer(trie.masks, np.uint64).astype("<u8")
    for level, below in zip(trie.levels, trie.levels[1:], strict=False):
        octets = masks[level.start : level.stop].view(np.uint8).reshape(-1, 8)
        children = np.unpackbits(octets, axis=1, bitorder="little")[:, 1:]
        parents, letters = np.nonzero(children)
        ends = (masks[below.start : below.stop] & np.uint64(WORD_END)) != 0
        yield parents, letters.astype(np.uint8), ends


def _rows(
    levels: Sequence[tuple[NDArray[np.intp], NDArray[np.uint8], NDArray[np.bool_]]],
) -> NDArray[np.uint8]:
    """The words that end at the last of these depths, a row each."""
    nodes = np.flatnonzero(levels[-1][2])
    rows = np.empty((len(nodes), len(levels)), np.uint8)
    for place in range(len(levels) - 1, -1, -1):
        parents, letters, _ = levels[place]
        rows[:, place] = letters[nodes]
        nodes = parents[nodes]
    return rows


def _bits(chosen: NDArray[np.bool_]) -> Bits:
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
