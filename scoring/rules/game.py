"""What makes a game: which words count, how much, and for how long one may look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scoring.trie import LONGEST_WORD

MOST_POINTS = 1_000_000
"""Points of a word at most."""


@dataclass(frozen=True)
class Game:
    """The rules of one game about words and time.

    Attributes:
        name: short name for commands and files, such as ``"super-big"``.
        title: name for people.
        sizes: trays it is sold with, as (rows, columns); it may be played on any.
        min_length: letters of the shortest word that counts.
        table: points by length, ascending: (letters, points of a word of so many letters or more).
        per_letter: (letters, points a letter) for words of so many letters or more, in place of
            the table; None where the table holds for all.
        timer_s: seconds on the sand timer.

    Raises:
        ValueError: a word would pay less than nothing, a fraction, or more than `MOST_POINTS`.

    Example:
        >>> game = Game("tiny", "Tiny", ((2, 2),), 2, table=((2, 1), (4, 3)))
        >>> [game.points(word) for word in ("a", "at", "tea", "team", "steam")]
        [0, 1, 1, 3, 3]
    """

    name: str
    title: str
    sizes: tuple[tuple[int, int], ...]
    min_length: int
    table: tuple[tuple[int, int], ...]
    per_letter: tuple[int, int] | None = None
    timer_s: int = 180

    def __post_init__(self) -> None:
        for length in range(LONGEST_WORD + 1):
            points = self.points_for(length)
            if points not in range(MOST_POINTS + 1):  # a fraction is not either
                raise ValueError(
                    f"{self.title}: {points} points for {length} letters; "
                    f"a word pays whole points, 0 to {MOST_POINTS}"
                )

    def points(self, word: str) -> int:
        """Points of a word that counts; 0 where it is too short."""
        return self.points_for(len(word))

    @cached_property
    def points_by_length(self) -> tuple[int | None, ...]:
        """Points of words of 0, 1, 2 … `LONGEST_WORD` letters; None where too short to count."""
        lengths = range(LONGEST_WORD + 1)
        return tuple(self.points_for(n) if n >= self.min_length else None for n in lengths)

    def points_for(self, length: int) -> int:
        """Points of any word of so many letters."""
        if length < self.min_length:
            return 0
        if self.per_letter is not None and length >= self.per_letter[0]:
            return length * self.per_letter[1]
        return max((points for letters, points in self.table if letters <= length), default=0)
