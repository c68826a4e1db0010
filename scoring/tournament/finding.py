"""A model of a player: which words of a board somebody of a strength finds.

A word is the harder the longer it is and the less usual its pairs of letters are in the word list;
how often people use a word nobody asks here. The chance to find it is a logistic curve of strength
less difficulty. The figures make an average player find about every fifth word of three letters,
and every thirtieth of six; they are for rehearsals and for comparing methods, not for predictions.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

EASIEST = -1.3
"""Log-odds of an average player for a word of three letters of usual pairs."""
PER_LETTER = 0.7
UNUSUAL = 0.6
"""What a deviation of one in usualness changes."""

_SHORTEST = 3
_END = "."


@dataclass(frozen=True)
class Usualness:
    """How usual the pairs of letters of words are in a word list.

    Attributes:
        pairs: logarithm of the share of each pair, both ends included.
        mean: of the words.
        deviation: of the words, more than 0.
    """

    pairs: Mapping[tuple[str, str], float]
    mean: float
    deviation: float

    @classmethod
    def of(cls, words: Sequence[str]) -> Usualness:
        """That of a list of words, one or more."""
        counts = Counter(pair for word in words for pair in _pairs(word))
        total = counts.total()
        pairs = {pair: math.log(count / total) for pair, count in counts.items()}
        values = [_mean(pairs[pair] for pair in _pairs(word)) for word in words]
        mean = _mean(values)
        deviation = math.sqrt(_mean((value - mean) ** 2 for value in values))
        return cls(pairs, mean, deviation or 1.0)

    def __call__(self, word: str) -> float:
        """Deviations from the mean; words of pairs that no word has are the least usual."""
        least = min(self.pairs.values())
        value = _mean(self.pairs.get(pair, least) for pair in _pairs(word))
        return (value - self.mean) / self.deviation


@dataclass(frozen=True)
class Finder:
    """Finds words as people of a strength do.

    Attributes:
        usual: how usual words are.
    """

    usual: Usualness

    def ease(self, word: str) -> float:
        """Log-odds of an average player to find a word that is there."""
        longer = len(word) - _SHORTEST
        return EASIEST - PER_LETTER * longer + UNUSUAL * self.usual(word)

    def found(self, eases: Mapping[str, float], strength: float, rng: random.Random) -> list[str]:
        """The words that a player finds on a board.

        Args:
            eases: of each word of the board, as of `ease`.
            strength: 0 is average; one more finds a word with 2.7 times the odds.
            rng: chance.
        """
        return [word for word, ease in eases.items() if rng.random() < chance(ease + strength)]


def chance(odds: float) -> float:
    """The probability of log-odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def _pairs(word: str) -> Iterable[tuple[str, str]]:
    return pairwise(f"{_END}{word}{_END}")


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return math.fsum(found) / len(found)
