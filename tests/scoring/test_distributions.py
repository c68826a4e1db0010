"""Distributions: what histograms say, and that the stored ones are of what is shipped."""

from __future__ import annotations

import hashlib
import lzma
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cubes import CubeSet, cube_set, cube_sets
from scoring.distributions import (
    Distribution,
    Histogram,
    Standing,
    measure,
    stored,
    stored_file,
)
from scoring.lexicon import Lexicon, builtin_file
from scoring.rolls import roll_batches, roll_many
from scoring.rules import game, game_for_cells
from scoring.solver import solve

SETS = [edition for edition in cube_sets() if edition.name in stored_file()["sets"]]
MILLION = 1_000_000


@pytest.fixture(params=SETS, ids=lambda edition: edition.name)
def edition(request: pytest.FixtureRequest) -> CubeSet:
    found: CubeSet = request.param
    return found


def stored_of(edition: CubeSet, enable: Lexicon) -> Distribution:
    found = stored(edition, game_for_cells(edition.rows * edition.cols), enable)
    assert found is not None
    return found


@given(values=st.lists(st.integers(0, 9), min_size=1), value=st.integers(0, 12))
def test_a_histogram_says_of_values_what_counting_says(values: list[int], value: int) -> None:
    histogram = Histogram.of(values)
    assert histogram.rolls == len(values)
    assert math.isclose(histogram.mean, sum(values) / len(values))
    less = sum(other < value for other in values)
    rich = sum(other >= value for other in values)
    poor = sum(other <= value for other in values)
    assert histogram.standing(value) == Standing(
        less / len(values),
        len(values) / rich if rich else None,
        len(values) / poor if poor else None,
    )


def test_rolls_are_measured_by_points_and_words(enable: Lexicon) -> None:
    rules, edition = game("big"), cube_set("big_1979_5x5")
    solved = [
        solve(board, enable, rules) for board in roll_many(edition, 50, np.random.default_rng(1))
    ]
    found = measure(roll_batches(edition, 50, np.random.default_rng(1), 16), enable, rules)
    assert found.points == Histogram.of(solution.points for solution in solved)
    assert found.words == Histogram.of(solution.count for solution in solved)


def test_all_english_sets_are_stored_and_no_others() -> None:
    assert [edition.name for edition in SETS] == [
        edition.name for edition in cube_sets() if not edition.name.startswith(FOREIGN)
    ]


FOREIGN = ("french", "italian", "spanish", "czech")


def test_the_stored_word_list_is_the_shipped_one(enable: Lexicon) -> None:
    text = lzma.decompress(builtin_file())
    words = stored_file()["word_list"]
    assert words["sha256"] == hashlib.sha256(text).hexdigest()
    assert words["words"] == len(enable)


def test_a_million_rolls_of_every_set_are_stored(edition: CubeSet, enable: Lexicon) -> None:
    found = stored_of(edition, enable)
    assert found.points.rolls == found.words.rolls == MILLION
    assert min(found.points.times[-1], found.words.times[-1]) > 0


def test_fresh_rolls_agree_with_the_stored_means(edition: CubeSet, enable: Lexicon) -> None:
    rolls = 1_000 if enable.engine.name == "python" else 20_000
    rules = game_for_cells(edition.rows * edition.cols)
    fresh = measure(roll_batches(edition, rolls, np.random.default_rng(99), 4096), enable, rules)
    known = stored_of(edition, enable)
    for mine, theirs in ((fresh.points, known.points), (fresh.words, known.words)):
        error = spread(theirs) / math.sqrt(rolls)
        assert abs(mine.mean - theirs.mean) < 4 * error
        assert abs(spread(mine) / spread(theirs) - 1) < 0.2


def spread(histogram: Histogram) -> float:
    """Standard deviation."""
    squares = sum(times * value**2 for value, times in enumerate(histogram.times))
    return math.sqrt(squares / histogram.rolls - histogram.mean**2)


def test_nothing_is_stored_for_other_words_rules_or_cubes(enable: Lexicon) -> None:
    classic = cube_set("classic_4x4")
    impostor = Lexicon.from_words("enable", ["tea"], source="/home/me/enable.txt")
    assert stored(classic, game("boggle"), enable)
    assert stored(classic, game("boggle"), impostor) is None
    assert stored(classic, game("big"), enable) is None
    assert stored(cube_set("french_4x4"), game("boggle"), enable) is None
