"""How probable it is that a row of steps spells a word, for many words at once.

A recogniser that was trained by connectionist temporal classification (CTC) says at each step of
its way along a word which letter it sees, or none (the blank). A word is spelt by every way of
spreading its letters over the steps: repeats of a letter in neighbouring steps are one letter, and
between two equal letters there is a blank. The probability of the word is the sum over all ways;
it is found step by step, with one array for the ways that end in a letter and one for those that
end in a blank.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLOOR = 1e-6
"""Least probability of a letter at a step: no step is so sure that it alone rules a word out."""

BLANK = 0
"""The column of a step that says that no letter is there; the letters of the alphabet follow."""

_RESCALED = 16  # steps after which the numbers are brought back to about 1: floats end at 1e-308


@dataclass(frozen=True, eq=False)
class Spellings:
    """Words as numbers, ready to be compared with steps.

    Attributes:
        words: the words, sorted.
        columns: (words, longest), uint8, the column of each letter; 0 behind the end.
        lengths: (words,), letters of each word.
    """

    words: tuple[str, ...]
    columns: NDArray[np.uint8]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, words: Iterable[str], alphabet: str) -> Spellings:
        """Words in letters of the alphabet, each once.

        Raises:
            ValueError: a word is empty or has a letter that the alphabet lacks.
        """
        place = {letter: column for column, letter in enumerate(alphabet, 1)}
        words = sorted(set(words))
        lengths = np.array([len(word) for word in words], np.int64)
        columns = np.zeros((len(words), int(lengths.max(initial=1))), np.uint8)
        for row, word in enumerate(words):
            if not word or not place.keys() >= set(word):
                raise ValueError(f"{word!r} is no word in the letters {alphabet}")
            columns[row, : len(word)] = [place[letter] for letter in word]
        return cls(tuple(words), columns, lengths)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        place = bisect_left(self.words, word)
        return place < len(self.words) and self.words[place] == word

    def take(self, rows: NDArray[np.integer]) -> Spellings:
        """Some of the words, in ascending order of their rows."""
        lengths = self.lengths[rows]
        longest = int(lengths.max(initial=1))
        words = tuple(self.words[row] for row in rows)
        return Spellings(words, self.columns[rows, :longest], lengths)


def log_likelihoods(log_probabilities: Floats, spellings: Spellings) -> Floats:
    """Natural logarithm of the probability that the steps spell each word.

    Args:
        log_probabilities: (steps, 1 + letters), of the blank and each letter at each step.
        spellings: the words, in the same letters; any number.

    Returns:
        (words,); -inf where a word has no room in the steps.
    """
    chances = np.maximum(np.exp(log_probabilities), FLOOR)
    columns = spellings.columns
    count, longest = columns.shape
    may_follow = np.ones((count, longest))  # 0 where a blank must stand before the letter
    may_follow[:, 1:] = columns[:, 1:] != columns[:, :-1]
    in_letter = np.zeros((count, longest))
    in_blank = np.zeros((count, longest + 1))
    in_blank[:, 0] = 1
    scale = np.zeros(count)
    for step, chance in enumerate(chances, 1):
        reached = in_letter + in_blank[:, :-1]
        reached[:, 1:] += in_letter[:, :-1] * may_follow[:, 1:]
        in_blank[:, 1:] += in_letter
        in_blank *= chance[BLANK]
        in_letter = reached * chance[columns]
        if step % _RESCALED == 0:
            scale += _rescale(in_letter, in_blank)
    rows = np.arange(count)
    ends = in_letter[rows, spellings.lengths - 1] + in_blank[rows, spellings.lengths]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(ends) + scale, np.float64)


def letter_places(log_probabilities: Floats, columns: Sequence[int]) -> Floats | None:
    """Where along the steps each letter of a word stands, in the likeliest way of spelling it.

    Args:
        log_probabilities: (steps, 1 + letters), as of `log_likelihoods`.
        columns: the column of each letter of the word.

    Returns:
        (letters,), the middle of each letter's steps, which count from 0; None where the word has
        no room in the steps.
    """
    states = np.zeros(2 * len(columns) + 1, np.int64)  # a blank before, between and behind letters
    states[1::2] = columns
    skips = np.zeros(len(states), bool)
    skips[3::2] = states[3::2] != states[1:-2:2]
    seen = np.maximum(log_probabilities, np.log(FLOOR))[:, states]
    best = np.where(np.arange(len(states)) < 2, seen[0], -np.inf)
    origins = np.zeros((len(seen), len(states)), np.int64)
    for step in range(1, len(seen)):
        one, two = np.roll(best, 1), np.roll(best, 2)
        one[:1] = -np.inf
        two[~skips] = -np.inf
        ways = np.stack([best, one, two])
        origins[step] = ways.argmax(axis=0)
        best = ways.max(axis=0) + seen[step]
    last = len(states) - 1 - int(best[-2] > best[-1])
    if np.isneginf(best[last]):
        return None
    return _middles(_way_back(origins, last), len(columns))


def _way_back(origins: NDArray[np.int64], last: int) -> NDArray[np.int64]:
    """The state at each step of the way that ends in the last one."""
    way = [last]
    for step in range(len(origins) - 1, 0, -1):
        way.append(way[-1] - int(origins[step, way[-1]]))
    return np.array(way[::-1])


def _middles(way: NDArray[np.int64], count: int) -> Floats:
    return np.array([np.flatnonzero(way == 2 * letter + 1).mean() for letter in range(count)])


def _rescale(in_letter: Floats, in_blank: Floats) -> Floats:
    """Brings the largest number of each word to 1; the logarithms by which they were smaller."""
    largest = np.maximum(in_letter.max(axis=1), in_blank.max(axis=1))
    in_letter /= largest[:, None]
    in_blank /= largest[:, None]
    return np.asarray(np.log(largest), np.float64)
