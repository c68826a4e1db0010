"""What a solver finds: words with their points and paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scoring.board import Path


class FoundWord(NamedTuple):
    """A word with its points and one of its paths."""

    word: str
    points: int
    path: Path


@dataclass(frozen=True, eq=False)
class Solution:
    """All words of a board, each once.

    Attributes:
        points: the sum of their points.
        count: how many they are.
        make_words: makes `words`; called when somebody first asks for them, because most boards
            are solved for their points alone.
    """

    points: int
    count: int
    make_words: Callable[[], tuple[FoundWord, ...]] = field(repr=False)

    @cached_property
    def words(self) -> tuple[FoundWord, ...]:
        """The words, best first: by points, then the longer, then by alphabet."""
        return self.make_words()
