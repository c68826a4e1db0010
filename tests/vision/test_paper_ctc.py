"""The probability of a word under a row of steps, against the sum over all ways of spelling it."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.paper.beam import likely_spellings
from vision.paper.ctc import FLOOR, Spellings, letter_places, log_likelihoods

ALPHABET = "AB"
WORDS = tuple("".join(word) for length in (1, 2, 3) for word in product(ALPHABET, repeat=length))


def spelt(way: tuple[int, ...]) -> str:
    """What a way spells: runs are one letter, blanks none."""
    return "".join(ALPHABET[column - 1] for column, _ in groupby(way) if column)


def brute_force(chances: NDArray[np.float64], word: str) -> float:
    """The sum over all ways, one by one."""
    steps, columns = chances.shape
    ways = (way for way in product(range(columns), repeat=steps) if spelt(way) == word)
    return sum(float(np.prod(chances[np.arange(steps), list(way)])) for way in ways)


def steps_of(rows: list[list[float]]) -> NDArray[np.float64]:
    chances = np.array(rows)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float64)


chance = st.floats(0.01, 1)
some_steps = st.lists(st.lists(chance, min_size=3, max_size=3), min_size=1, max_size=5)


@given(some_steps)
def test_likelihoods_are_the_sums_over_all_ways(rows: list[list[float]]) -> None:
    chances = steps_of(rows)
    found = np.exp(log_likelihoods(np.log(chances), Spellings.of(WORDS, ALPHABET)))
    sums = [brute_force(chances, word) for word in sorted(WORDS)]
    np.testing.assert_allclose(found, sums, rtol=1e-9, atol=1e-300)


@given(some_steps)
def test_a_search_without_preferences_finds_the_likeliest_spelling(rows: list[list[float]]) -> None:
    chances = steps_of(rows)
    everything = {spelt(way) for way in product(range(3), repeat=len(chances))} - {""}
    likeliest = max(brute_force(chances, word) for word in everything)
    found = likely_spellings(np.log(chances), np.ones((3, 3)), ALPHABET, 1000)
    assert set(found) == everything
    assert brute_force(chances, found[0]) == pytest.approx(likeliest)


def test_a_search_keeps_to_what_may_follow() -> None:
    chances = steps_of([[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.5, 0.4]])
    follows = np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]], float)  # no letter after itself
    found = likely_spellings(np.log(chances), follows, ALPHABET, 10)
    assert found[0] == "AB"
    assert "AA" not in found


def test_long_rows_do_not_run_out_of_numbers() -> None:
    chances = np.tile(steps_of([[0.5, 0.25, 0.25]]), (600, 1))
    found = log_likelihoods(np.log(chances), Spellings.of(["AB" * 8], ALPHABET))
    assert np.isfinite(found).all()


def test_a_letter_that_is_never_seen_costs_no_more_than_the_floor() -> None:
    chances = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    with np.errstate(divide="ignore"):
        (found,) = log_likelihoods(np.log(chances), Spellings.of(["B"], ALPHABET))
    assert found == pytest.approx(np.log(0.5 * FLOOR + FLOOR + FLOOR**2), abs=1e-3)


def test_a_word_without_room_is_impossible() -> None:
    chances = steps_of([[1, 1, 1], [1, 1, 1]])
    found = log_likelihoods(np.log(chances), Spellings.of(["AA", "AB"], ALPHABET))
    assert found[0] == -np.inf  # a blank must stand between equal letters
    assert np.isfinite(found[1])
    assert letter_places(np.log(chances), [1, 1]) is None


def test_letters_stand_where_they_are_seen() -> None:
    chances = np.full((9, 3), 0.01)
    chances[:, 0] = 0.98
    chances[[1, 2, 7], 0] = 0.01
    chances[1:3, 1] = chances[7, 2] = 0.98
    places = letter_places(np.log(chances), [1, 2])
    assert places is not None
    assert places.tolist() == [1.5, 7.0]


def test_words_the_alphabet_cannot_spell_are_refused() -> None:
    with pytest.raises(ValueError, match="'AC' is no word"):
        Spellings.of(["AC"], ALPHABET)
    with pytest.raises(ValueError, match="'' is no word"):
        Spellings.of([""], ALPHABET)


def test_no_words_have_no_likelihoods() -> None:
    assert log_likelihoods(np.zeros((3, 3)), Spellings.of([], ALPHABET)).shape == (0,)
