"""What a solver finds: words with their points and paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scoring.board import Path


class SearchError(ValueError):
    """A board has more ways than can be kept: many like cubes, and long words of like letters."""


class FoundWord(NamedTuple):
    """A word with its points and one of its paths."""

    word: str
    points: int
    path: Path


class Solution:
    """All words of a board, each once.

    Made for every board that is solved, most of them for their points alone: hence a plain class,
    which costs less than its words would.

    Args:
        points: the sum of the points of all words.
        count: how many words they are.
        make_words: makes them, best first; called when somebody first asks for `words`.
    """

    __slots__ = ("_make_words", "_words", "count", "points")

    def __init__(
        self, points: int, count: int, make_words: Callable[[], tuple[FoundWord, ...]]
    ) -> None:
        self.points = points
        self.count = count
        self._make_words = make_words
        self._words: tuple[FoundWord, ...] | None = None

    @property
    def words(self) -> tuple[FoundWord, ...]:
        """The words, best first: by points, then the longer, then by alphabet."""
        if self._words is None:
            self._words = self._make_words()
        return self._words

    def __repr__(self) -> str:
        return f"Solution(points={self.points}, count={self.count})"
