"""What may have been written: the board's words, the whole lexicon, the board's paths, anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from scoring.paths import can_make
from vision.paper.ctc import Spellings

Floats = NDArray[np.float64]

_TIMES = 3  # a letter's first, second and further places in a word are told apart
_NEVER_SURE = 1e-4  # bounds of the probability that a letter is there so many times
_SHORTER, _LONGER = (
    2,
    4,
)  # letters by which a word may differ from what is seen: more merge than split
_ENDS = 0.2  # probability that a player who strings letters together stops after one
_ANY = 0.2  # share of letters that follow no rule: names, slips, what is no word


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may have been written, prepared once for all the words of a page.

    Attributes:
        alphabet: the letters, capitals.
        board_words: the words that score on the board; none where no board is known.
        lexicon: all words that there are.
        speech: (1 + letters, 1 + letters), probability of each letter (column) after each other
            (row) in words of the lexicon; row 0 stands for the beginning, column 0 for the end.
        paths: the same for strings of letters that lie side by side on the board, words or not;
            None where no board is known.
        slips: the board's words, and what is left of them without one letter.
        board: of the round; None where it is not known.
    """

    alphabet: str
    board_words: Spellings
    lexicon: Shortlist
    speech: Floats
    paths: Floats | None
    slips: frozenset[str]
    board: Board | None = None

    @classmethod
    def of(cls, lexicon: Iterable[str], alphabet: str) -> Candidates:
        """Where no board is known; prepared once for a lexicon, which takes a second.

        Args:
            lexicon: all words that there are, in letters of any case; those that the alphabet
                cannot spell are left out.
            alphabet: the letters that the recogniser knows, capitals.
        """
        words = _spelt(lexicon, alphabet)
        return cls(
            alphabet=alphabet,
            board_words=_spelt((), alphabet),
            lexicon=Shortlist.of(words, alphabet),
            speech=_pairs_in(words, alphabet),
            paths=None,
            slips=frozenset(),
        )

    def on(self, board: Board, board_words: Iterable[str]) -> Candidates:
        """The same for a round whose board is known.

        Args:
            board: the board of the round.
            board_words: the words that score on it.
        """
        scoring = _spelt(board_words, self.alphabet)
        return replace(
            self,
            board_words=scoring,
            paths=_pairs_on(board, self.alphabet),
            slips=frozenset(part for it in scoring.words for part in (it, *_one_less(it))),
            board=board,
        )

    def is_on_board(self, text: str) -> bool:
        """Whether cubes that lie side by side spell the text, none used twice."""
        return self.board is not None and can_make(self.board, text.lower())

    def is_slip(self, text: str) -> bool:
        """Whether the text is about one letter away from a word of the board, and none itself."""
        near = text in self.slips or not self.slips.isdisjoint(_one_less(text))
        return near and text not in self.board_words


@dataclass(frozen=True, eq=False)
class Shortlist:
    """A large list of words, out of which those that a word may be are found without comparing all.

    Attributes:
        by_length: the words of each length.
        parts: of each of these the places (letters, words) of their letters in a table of how
            often each letter is seen.
    """

    by_length: dict[int, Spellings]
    parts: dict[int, NDArray[np.uint8]]

    @classmethod
    def of(cls, words: Spellings, alphabet: str) -> Shortlist:
        """All of these words."""
        lengths = [int(it) for it in np.unique(words.lengths)]
        by_length = {it: words.take(np.flatnonzero(words.lengths == it)) for it in lengths}
        parts = {it: _parts(some.columns, len(alphabet)) for it, some in by_length.items()}
        return cls(by_length, parts)

    def __len__(self) -> int:
        return sum(map(len, self.by_length.values()))

    def __contains__(self, word: str) -> bool:
        return word in self.by_length.get(len(word), ())

    def likeliest(self, log_probabilities: Floats, count: int, length: int | None) -> Sequence[str]:
        """The words whose letters, in any order, agree best with what the steps show.

        Args:
            log_probabilities: (steps, 1 + letters).
            count: how many.
            length: letters of the word, where that is known.
        """
        chances = np.exp(log_probabilities[:, 1:])
        seen = _seen(chances)
        table = (np.log(seen) - np.log1p(-seen)).astype(np.float32)
        lengths = self._lengths(float(_runs(chances).sum()), length)
        fits = {it: _sums(table, self.parts[it]) for it in lengths}
        return _best(fits, self.by_length, count)

    def _lengths(self, expected: float, known: int | None) -> list[int]:
        if known is not None:
            return [known] if known in self.by_length else []
        return [it for it in self.by_length if -_SHORTER <= it - expected <= _LONGER]


def _sums(table: NDArray[np.float32], parts: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What the letters of each word come to (words,); letter by letter, which is fast."""
    fits = table[parts[0]]
    for places in parts[1:]:
        fits += table[places]
    return np.asarray(fits, np.float32)


def _best(
    fits: dict[int, NDArray[np.float32]], by_length: dict[int, Spellings], count: int
) -> list[str]:
    """The words with the highest fits, best first."""
    best: list[tuple[float, str]] = []
    for length, some in fits.items():
        rows = np.argpartition(-some, min(count, len(some)) - 1)[:count]
        best += [(-float(some[row]), by_length[length].words[row]) for row in rows]
    return [word for _, word in sorted(best)[:count]]


def _parts(columns: NDArray[np.uint8], letter_count: int) -> NDArray[np.uint8]:
    """Which place of `_seen` each letter of each word asks for: (letters, words)."""
    before = np.zeros((len(columns), 1 + letter_count), np.uint8)
    rows = np.arange(len(columns))
    parts = np.zeros(columns.shape, np.uint8)
    for place in range(columns.shape[1]):
        letter = columns[:, place]
        parts[:, place] = (letter - 1) * _TIMES + np.minimum(before[rows, letter], _TIMES - 1)
        before[rows, letter] += 1
    return np.ascontiguousarray(parts.T)


def _runs(chances: Floats) -> Floats:
    """How often each letter (steps, letters) begins anew at each step, to be expected."""
    before = np.vstack([np.zeros(chances.shape[1]), chances[:-1]])
    return np.asarray(np.maximum(chances - before, 0), np.float64)


def _seen(chances: Floats) -> Floats:
    """Probabilities (letters × times) that each letter is there once, twice, and more often."""
    begun = _runs(chances)
    at_least = np.zeros((_TIMES + 1, begun.shape[1]))
    at_least[0] = 1
    for step in begun:  # of independent beginnings
        at_least[1:] += (at_least[:-1] - at_least[1:]) * step
    return np.clip(at_least[1:].T.ravel(), _NEVER_SURE, 1 - _NEVER_SURE)


def _spelt(words: Iterable[str], alphabet: str) -> Spellings:
    """Those of the words that the alphabet can spell."""
    known = set(alphabet)
    capitals = {word.upper() for word in words}
    return Spellings.of((it for it in capitals if it and known.issuperset(it)), alphabet)


def _one_less(word: str) -> set[str]:
    """The word without one of its letters."""
    return {word[:place] + word[place + 1 :] for place in range(len(word))}


def _pairs_in(words: Spellings, alphabet: str) -> Floats:
    """How letters follow each other in words."""
    counts = np.zeros((1 + len(alphabet),) * 2)
    columns = np.pad(words.columns, ((0, 0), (1, 1)))
    for before, after in zip(columns.T[:-1], columns.T[1:], strict=True):
        np.add.at(counts, (before, after), 1)
    counts[0, 0] = 0  # behind the ends
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.asarray((1 - _ANY) * shares + _ANY / len(shares), np.float64)


def _pairs_on(board: Board, alphabet: str) -> Floats:
    """How letters follow each other along the board's paths, a cell used twice among them."""
    place = {letter: column for column, letter in enumerate(alphabet, 1)}
    counts = np.zeros((1 + len(alphabet),) * 2)
    cells = [
        [place[letter] for letter in face.upper() if letter in place] for face in board.letters
    ]
    for cell, spelt in enumerate(cells):
        if not spelt:
            continue
        counts[0, spelt[0]] += 1
        onward = [cells[it][0] for it in board.neighbours[cell] if cells[it]]
        np.add.at(counts, (spelt[-1], onward), 1)
        for before, after in pairwise(spelt):
            counts[before, after] += len(onward)
    sums = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    counts *= np.where(np.arange(len(counts)) == 0, 1, 1 - _ENDS)[:, None] / sums
    counts[1:, 0] = _ENDS
    return counts
