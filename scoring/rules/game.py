"""What makes a game: which words count, how much, and for how long one may look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from scoring.folding import Folding
from scoring.rules.conduct import Conduct
from scoring.trie import LONGEST_WORD

_plain = Folding("")

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
        table: points by length, ascending in letters: (letters, points of a word of so many letters
            or more, up to the next row); the points may rise and fall.
        per_letter: (letters, points a letter) for words of so many letters or more, in place of
            the table; None where the table holds for all.
        timer_s: seconds on the sand timer.
        letter_values: points of each letter, which a word gets besides those for its length; empty
            where all letters are alike.
        letter_limit: (cells, letters): on trays of up to so many cells, words of more letters do
            not count; None where they do.
        usual_length: letters of the shortest word of players without a handicap, where those with
            one may find shorter words; None where `min_length` holds for all.
        conduct: how the end of a round and of a match are held.
        as_tray: on another tray its numbers are those of the game of that tray.

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
    letter_values: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({}), hash=False
    )
    letter_limit: tuple[int, int] | None = None
    usual_length: int | None = None
    conduct: Conduct = field(default_factory=Conduct)
    as_tray: bool = False

    @property
    def shortest(self) -> int:
        """Letters of the shortest word of a player without a handicap."""
        return self.min_length if self.usual_length is None else self.usual_length

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
        if len(word) < self.min_length:
            return 0
        return self.points_for(len(word)) + self.letter_points(word)

    def letter_points(self, word: str) -> int:
        """What the letters of a word are worth; an accent changes nothing."""
        if not self.letter_values:
            return 0
        return sum(self.letter_values.get(letter, 0) for letter in _plain(word))

    def longest(self, cells: int) -> int:
        """Letters that a word may have at most on a tray of so many cells."""
        if self.letter_limit is not None and cells <= self.letter_limit[0]:
            return self.letter_limit[1]
        return LONGEST_WORD

    @cached_property
    def points_by_length(self) -> tuple[int | None, ...]:
        """`points_for` 0, 1, 2 … `LONGEST_WORD` letters; None where too short to count."""
        lengths = range(LONGEST_WORD + 1)
        return tuple(self.points_for(n) if n >= self.min_length else None for n in lengths)

    def points_for(self, length: int) -> int:
        """What any word of so many letters gets for its length."""
        if length < self.min_length:
            return 0
        if self.per_letter is not None and length >= self.per_letter[0]:
            return length * self.per_letter[1]
        _, points = max((row for row in self.table if row[0] <= length), default=(0, 0))
        return points  # of the longest that fits, even where a shorter word gets more
