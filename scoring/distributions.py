"""How rich the boards of a cube set are: measured on rolls, or looked up where that was done.

``scoring/data/distributions.json`` holds a million rolls of every English set with the built-in
word list and the game of the tray; ``tools/make_distributions.py`` made it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import accumulate
from typing import Any

from scoring.cubes import CubeSet
from scoring.lexicon import Lexicon
from scoring.quality import counting
from scoring.rolls import Rolls
from scoring.rules.game import Game
from scoring.solver import score_many

FILE = "distributions.json"


@dataclass(frozen=True)
class Standing:
    """Where a board stands among rolls.

    Attributes:
        poorer: share of the rolls that have less, 0 to 1.
        rich_in: one roll in so many has as much or more; None where no roll has.
        poor_in: one roll in so many has as much or less; None where no roll has.
    """

    poorer: float
    rich_in: float | None
    poor_in: float | None


@dataclass(frozen=True)
class Histogram:
    """How often rolls had each number of something.

    Attributes:
        times: of 0, of 1, of 2 … up to the largest that came up; at least one roll.

    Example:
        >>> histogram = Histogram.of([1, 2, 2, 3])
        >>> histogram.times, histogram.mean
        ((0, 1, 2, 1), 2.0)
        >>> histogram.standing(3)
        Standing(poorer=0.75, rich_in=4.0, poor_in=1.0)
    """

    times: tuple[int, ...]

    @classmethod
    def of(cls, values: Iterable[int]) -> Histogram:
        """Count values, 0 or more each."""
        counted = Counter(values)
        return cls(tuple(counted[value] for value in range(max(counted) + 1)))

    @property
    def rolls(self) -> int:
        """How many rolls."""
        return self._up_to[-1]

    @cached_property
    def mean(self) -> float:
        """The mean of the rolls."""
        return sum(value * times for value, times in enumerate(self.times)) / self.rolls

    def standing(self, value: int) -> Standing:
        """Where a board with this number stands."""
        less, no_more = self._at_most(value - 1), self._at_most(value)
        return Standing(less / self.rolls, self._one_in(self.rolls - less), self._one_in(no_more))

    def _at_most(self, value: int) -> int:
        return self._up_to[min(value, len(self.times) - 1)] if value >= 0 else 0

    def _one_in(self, times: int) -> float | None:
        return self.rolls / times if times else None

    @cached_property
    def _up_to(self) -> tuple[int, ...]:
        return tuple(accumulate(self.times))


@dataclass(frozen=True)
class Distribution:
    """How rich the rolls of a cube set are.

    Attributes:
        points: the points of all words.
        words: how many words there are.
    """

    points: Histogram
    words: Histogram

    @property
    def rolls(self) -> int:
        """How many rolls."""
        return self.points.rolls


@dataclass(frozen=True)
class Comparison:
    """What a board is compared with.

    Attributes:
        edition: the cube set that was rolled.
        distribution: how rich its rolls are.
        stored: whether that was looked up; else it was measured just now.
    """

    edition: CubeSet
    distribution: Distribution
    stored: bool


def measure(batches: Iterable[Rolls], lexicon: Lexicon, game: Game) -> Distribution:
    """Score rolls, one at least, such as `scoring.rolls.roll_batches` makes them."""
    number = counting(game)
    points: list[int] = []
    words: list[int] = []
    for rolls in batches:
        points += score_many(rolls, lexicon, game)
        words += score_many(rolls, lexicon, number)
    return Distribution(Histogram.of(points), Histogram.of(words))


def stored(edition: CubeSet, game: Game, lexicon: Lexicon) -> Distribution | None:
    """What is stored of a cube set, or None where it was measured with other words or rules."""
    content = stored_file()
    words, entry = content["word_list"], content["sets"].get(edition.name)
    # A file of the user may have the name of the built-in list, but not its source.
    same_words = (words["name"], words["source"]) == (lexicon.name, lexicon.source)
    if entry is None or not same_words or entry["game"] != game.name:
        return None
    return Distribution(Histogram(tuple(entry["points"])), Histogram(tuple(entry["words"])))


@cache
def stored_file() -> dict[str, Any]:
    """The stored distributions as they are, with how they were made."""
    content: dict[str, Any] = json.loads(
        resources.files("scoring.data").joinpath(FILE).read_text("utf-8")
    )
    return content
