"""What boards offer, and the search for boards of a wanted kind, against plain twins."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.quality import (
    Catch,
    Find,
    Quality,
    Wanted,
    counting,
    possible_lengths,
    quality,
    search,
)
from scoring.rolls import roll_batches, roll_many
from scoring.rules import Game, game, games
from scoring.solver import solve

NEW = cube_set("new_4x4")
BOGGLE = game("boggle")
ROLLS = 300


def quality_of(text: str, *words: str) -> Quality:
    board = Board.parse(text)
    return quality(board, solve(board, Lexicon.from_words("few", words), BOGGLE))


def test_words_are_counted_by_length_and_the_longest_are_named() -> None:
    found = quality_of("TEAM/SRND", "tea", "eat", "team", "rest", "stream", "mates", "at")
    assert found == Quality(6, 4, {3: 1, 4: 2, 6: 1}, ("stream",), vowels=2, ys=0)
    assert list(found.by_length) == [3, 4, 6]


def test_the_longest_are_in_the_order_of_the_alphabet() -> None:
    assert quality_of("TE/#A", "tea", "eat", "ate").longest == ("ate", "eat", "tea")


def test_a_board_without_words_has_no_longest() -> None:
    assert quality_of("XX/XX", "tea") == Quality(0, 0, {}, (), vowels=0, ys=0)


@pytest.mark.parametrize(
    ("board", "vowels", "ys"),
    [
        ("AEIOU/BCDFG", 5, 0),
        ("QuQTh/HeInAn", 4, 0),  # the u of Qu, and one in each of He, In, An
        ("ÄÉÎÕÜ/ÑČŁS#", 5, 0),
        ("ŒØYŸ_/AaBbYy#_", 4, 4),
    ],
)
def test_vowels_are_letters_with_or_without_accents_and_y_is_apart(
    board: str, vowels: int, ys: int
) -> None:
    found = quality_of(board, "tea")
    assert (found.vowels, found.ys) == (vowels, ys)


@pytest.mark.parametrize("rules", games(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("shortest", [0, 3, 6])
def test_counting_pays_a_point_for_each_word_that_counts(
    enable: Lexicon, rules: Game, shortest: int
) -> None:
    for board in roll_many(NEW, 20, np.random.default_rng(1)):
        words = solve(board, enable, rules).words
        expected = sum(len(found.word) >= shortest for found in words)
        assert solve(board, enable, counting(rules, shortest)).points == expected


@given(least=st.integers(0, 50), most=st.none() | st.integers(0, 50), points=st.integers(0, 99))
def test_a_miss_is_the_way_to_the_nearest_points_wanted(
    least: int, most: int | None, points: int
) -> None:
    wanted = range(least, 100 if most is None else most + 1)
    if wanted:
        assert Wanted(least, most).misses_by(points) == min(abs(points - p) for p in wanted)


def twin(wanted: Wanted, enable: Lexicon) -> Iterator[Find]:
    """Solves every board, and keeps those that are as wanted."""
    for tried, board in enumerate(roll_many(NEW, ROLLS, np.random.default_rng(1)), 1):
        solution = solve(board, enable, BOGGLE)
        longest = max((len(found.word) for found in solution.words), default=0)
        most = solution.points if wanted.most is None else wanted.most
        if wanted.least <= solution.points <= most and longest >= (wanted.word_of or 0):
            yield Find(board, tried)


def catches(wanted: Wanted, enable: Lexicon, batch: int, threads: int) -> list[Catch]:
    batches = roll_batches(NEW, ROLLS, np.random.default_rng(1), batch)
    return list(search(batches, wanted, enable, BOGGLE, threads))


@pytest.mark.parametrize("batch", [1, 64, 300])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(),
        Wanted(200),
        Wanted(100, 150),
        Wanted(0, 20),
        Wanted(word_of=8),
        Wanted(word_of=1),
        Wanted(100, 250, 7),
        Wanted(5000),
    ],
    ids=str,
)
def test_search_finds_what_solving_every_board_finds(
    enable: Lexicon, wanted: Wanted, batch: int, threads: int
) -> None:
    caught = catches(wanted, enable, batch, threads)
    finds = [find for catch in caught for find in catch.finds]
    assert finds == list(twin(wanted, enable))
    assert [catch.tried for catch in caught] == [
        *range(batch, ROLLS, batch),
        ROLLS,
    ]


@pytest.mark.parametrize("wanted", [Wanted(5000), Wanted(0, 0), Wanted(133, 134)], ids=str)
def test_search_tells_the_nearest_points_so_far(enable: Lexicon, wanted: Wanted) -> None:
    boards = list(roll_many(NEW, ROLLS, np.random.default_rng(1)))
    points = [solve(board, enable, BOGGLE).points for board in boards]
    for catch in catches(wanted, enable, 50, 1):
        assert catch.nearest is not None
        assert catch.nearest in points[: catch.tried]
        nearest = min(map(wanted.misses_by, points[: catch.tried]))
        assert wanted.misses_by(catch.nearest) == nearest


def test_where_any_points_will_do_none_are_nearest(enable: Lexicon) -> None:
    assert {catch.nearest for catch in catches(Wanted(word_of=6), enable, 50, 1)} == {None}


def test_a_word_too_short_for_the_game_is_no_find() -> None:
    batches = list(roll_batches(NEW, 40, np.random.default_rng(1), 40))
    few = Lexicon.from_words("few", ["at", "be", "it", "no", "on", "so", "to"])
    (catch,) = search(batches, Wanted(word_of=2), few, BOGGLE)
    assert catch.finds == ()


def test_possible_lengths_are_those_of_words_with_cubes_enough(enable: Lexicon) -> None:
    assert possible_lengths(NEW, enable) == tuple(range(2, 18))  # 15 letters and Qu
    assert possible_lengths(cube_set("super_big_2012_6x6"), enable) == tuple(enable.lengths())
    assert possible_lengths(NEW, Lexicon.from_words("long", ["a" * 18])) == ()


@given(st.lists(st.text("aeéñω", min_size=1, max_size=18), max_size=20))
def test_possible_lengths_are_those_of_words_whose_letters_the_cubes_show(
    words: list[str],
) -> None:
    for edition, shown in ((NEW, "ae"), (cube_set("spanish_5x5"), "aeñ")):
        fits = {len(w) for w in words if set(w) <= set(shown) and len(w) <= 17}
        found = possible_lengths(edition, Lexicon.from_words("any", words))
        assert {length for length in found if length <= 17} == fits
        assert list(found) == sorted(found)
