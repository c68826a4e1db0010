"""Words in letter boxes: what each box says, and what is read of it without help of a word list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.letters_net import LABELS
from vision.paper.reading import Doubt, WordImage, WordReading
from vision.paper.standing import Standing
from vision.swoggle.reading import EMPTY, OTHER

SURE = 0.98
"""Probability of each of a word's letters below which the word is asked about."""

_CAPITALS = LABELS[:26]
_BEST = 3  # readings that are told

ODD, BARE = LABELS.index(OTHER), LABELS.index(EMPTY)
"""Columns of what is no letter: something else, and nothing; those of capitals are before them."""


@dataclass(frozen=True, eq=False)
class BoxedWord:
    """A word in letter boxes.

    Attributes:
        picture: of the word, as of a word on free paper.
        log_probabilities: (n, 28), natural logarithms of the probabilities of `LABELS` (A to Z,
            empty, something else), one row for each box from the first that is not surely empty
            to the last; rows are independent of each other.
    """

    picture: WordImage
    log_probabilities: NDArray[np.float64]

    def log_probability_of(self, word: str) -> float:
        """That this word stands in the boxes, in a row, and nothing before or behind it.

        Args:
            word: capitals A to Z alone; minus infinity where it is longer than the boxes.
        """
        letters = np.array([[ord(sign) - ord("A") for sign in word]], np.uint8)
        return float(self.log_probabilities_of(letters)[0])

    def log_probabilities_of(self, letters: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The same (words,) of many words of one length.

        Args:
            letters: (words, length), of each from 0 for A.
        """
        empty = self.log_probabilities[:, BARE]
        starts = range(len(empty) - letters.shape[1] + 1)
        ways = [self._at(letters, start) + empty.sum() for start in starts]
        if not ways:
            return np.full(len(letters), -np.inf)
        return np.asarray(np.logaddexp.reduce(ways), np.float64)

    def _at(self, letters: NDArray[np.uint8], start: int) -> NDArray[np.float64]:
        """How much more likely the boxes are with letters from one on than all empty."""
        rows = self.log_probabilities[start : start + letters.shape[1]]
        fits = rows - rows[:, BARE, None]
        return np.asarray(fits[np.arange(len(rows)), letters].sum(axis=1), np.float64)


def read_word(word: BoxedWord) -> WordReading:
    """What is written, box by box: the most probable letter of each, and never another word.

    A word is doubtful where any of its boxes is: its letter is not sure, something else stands
    there, such as a letter that was written over, or it is empty between two letters.
    """
    filled = word.log_probabilities.argmax(axis=1) != BARE
    readings = _likeliest(word.log_probabilities[filled, :26])
    text, score = readings[0]
    standing = Standing(word.picture.struck, word.picture.cancelled)
    unclear = () if is_sure(word.log_probabilities) else (Doubt.UNCLEAR,)
    doubts = () if standing.is_surely_out else (*standing.doubts, *unclear)
    return WordReading(
        text=text,
        confidence=float(np.exp(score)),
        alternatives=tuple((other, float(np.exp(log))) for other, log in readings),
        struck=standing.is_out,
        doubtful=bool(doubts),
        quad_px=word.picture.quad_px,
        line=word.picture.line,
        doubts=doubts,
    )


def is_sure(log_probabilities: NDArray[np.float64]) -> bool:
    """Whether each box (boxes, 28) holds a letter that is plain by itself; one alone is no word."""
    best = log_probabilities.argmax(axis=1)
    sure = log_probabilities.max(axis=1) >= np.log(SURE)
    return len(best) > 1 and bool((sure & (best != ODD) & (best != BARE)).all())


def _likeliest(capitals: NDArray[np.float64]) -> list[tuple[str, float]]:
    """The most probable words (at most `_BEST`) with the logarithms of their probabilities."""
    words = [("", 0.0)]
    for scores in capitals:
        best = np.argsort(-scores)[:_BEST]
        longer = [
            (text + _CAPITALS[letter], log + float(scores[letter]))
            for text, log in words
            for letter in best
        ]
        words = sorted(longer, key=lambda one: -one[1])[:_BEST]
    return words
