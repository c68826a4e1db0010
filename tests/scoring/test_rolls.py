"""Many rolls at once: the odds of single ones, the same boards in any batches, scored unmade."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.board import Board, BoardError
from scoring.cubes import CubeSet, cube_set, cube_sets, usual_set
from scoring.engine import engines
from scoring.lexicon import Lexicon
from scoring.rolls import Rolls, roll_batches, roll_many
from scoring.rules import game
from scoring.solver import score_many, solve

UNEVEN = CubeSet(
    "uneven", "", 1, 2, (("A", "B", "B"), ("C", "D"), ("E", "F", "G", "Qu")), "", "firm", ""
)
"""Two of three cubes lie in the tray, and they have two to four sides."""

SURE = 0.001
"""A fair roll would fail a test once in a thousand seeds; the seeds here are fixed."""


def at_once(edition: CubeSet, count: int) -> Iterable[Board]:
    return roll_many(edition, count, np.random.default_rng(5))


def one_by_one(edition: CubeSet, count: int) -> Iterable[Board]:
    rng = random.Random(5)
    return (edition.roll(rng) for _ in range(count))


@pytest.mark.parametrize("roll", [at_once, one_by_one])
def test_each_arrangement_and_face_is_equally_likely(
    roll: Callable[[CubeSet, int], Iterable[Board]],
) -> None:
    count = 30_000
    chances: defaultdict[str, float] = defaultdict(float)
    for left, right in permutations(UNEVEN.cubes, 2):
        for faces in product(left, right):
            chances["".join(faces) + "/"] += 1 / (6 * len(left) * len(right))
    seen = Counter(map(str, roll(UNEVEN, count)))
    assert seen.keys() <= chances.keys()
    expected = [count * chance for chance in chances.values()]
    assert stats.chisquare([seen[board] for board in chances], expected).pvalue > SURE


@pytest.mark.parametrize("name", ["classic_4x4", "big_2012_5x5", "super_big_2012_6x6"])
def test_real_cubes_show_their_faces_as_often_as_single_rolls(name: str) -> None:
    edition, count = cube_set(name), 3_000
    seen = [
        Counter(chain.from_iterable(enumerate(board) for board in roll(edition, count)))
        for roll in (at_once, one_by_one)
    ]
    shown = sorted(seen[0] | seen[1])
    table = [[times[face] for face in shown] for times in seen]
    assert stats.chi2_contingency(table).pvalue > SURE


@pytest.mark.parametrize("edition", cube_sets(), ids=lambda edition: edition.name)
def test_no_two_faces_come_from_one_cube(edition: CubeSet) -> None:
    cubes = tuple((f"{letter}{letter.lower()}",) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    marked = CubeSet("marked", "", edition.rows, edition.cols, (*cubes, *edition.cubes), "", "", "")
    for board in roll_many(marked, 200, np.random.default_rng(2)):
        known = [face for face in board if (face,) in cubes]
        assert len(set(known)) == len(known)


@given(parts=st.lists(st.integers(0, 40), max_size=5), batch=st.integers(1, 50))
def test_batches_of_any_size_make_the_same_boards(parts: list[int], batch: int) -> None:
    count = sum(parts)
    whole = roll_many(UNEVEN, count, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    assert b"".join(roll_many(UNEVEN, part, rng).numbers for part in parts) == whole.numbers
    batches = list(roll_batches(UNEVEN, count, np.random.default_rng(3), batch))
    assert b"".join(rolls.numbers for rolls in batches) == whole.numbers
    assert all(0 < len(rolls) <= batch for rolls in batches)


def test_a_seed_gives_the_boards_that_it_always_gave() -> None:
    rolls = roll_many(cube_set("new_4x4"), 2, np.random.default_rng(1))
    assert list(map(str, rolls)) == SEED_1


SEED_1 = ["EHIO/SEMZ/NVTE/EXKA", "AVVR/LQuIE/SNYN/BEHP"]


@given(data=st.data())
def test_rolls_are_a_sequence_of_boards(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    cell = st.sampled_from(range(len(FACES)))
    numbers = data.draw(st.lists(st.lists(cell, min_size=rows * cols, max_size=rows * cols)))
    rolls = Rolls(FACES, rows, cols, bytes(chain.from_iterable(numbers)))
    twin = [Board(rows_of([FACES[at] for at in board], cols)) for board in numbers]
    assert list(rolls) == twin
    assert len(rolls) == len(twin)
    part = data.draw(st.slices(len(twin)))
    assert list(rolls[part]) == twin[part]
    if twin:
        places = data.draw(st.lists(st.sampled_from(range(-len(twin), len(twin)))))
        assert [rolls[place] for place in places] == [twin[place] for place in places]
        some = [place % len(twin) for place in places]
        assert list(rolls.pick(some)) == [twin[place] for place in some]


FACES = ("A", "Qu", "Ñ", "#", "_")


def rows_of(faces: list[str], cols: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(faces[start : start + cols]) for start in range(0, len(faces), cols))


@pytest.mark.parametrize("place", [2, -3])
def test_a_place_outside_is_refused(place: int) -> None:
    rolls = roll_many(UNEVEN, 2, np.random.default_rng(1))
    with pytest.raises(IndexError):
        rolls[place]


@pytest.mark.parametrize("edition", cube_sets(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("count", [0, 1, 70])
def test_every_engine_scores_rolls_as_the_boards_they_are(
    enable: Lexicon, edition: CubeSet, count: int
) -> None:
    rolls = roll_many(edition, count, np.random.default_rng(4))
    expected = [solve(board, enable, BOGGLE).points for board in rolls]
    for engine in engines(enable.trie):
        for threads in (1, 3):
            assert engine.scores(rolls, BOGGLE, threads) == expected


BOGGLE = game("boggle")


def test_rolls_too_large_for_the_native_search_are_scored_all_the_same() -> None:
    few = Lexicon.from_words("few", ["aaa", "aaaa"])
    rolls = Rolls(("A", "#"), 10, 10, bytes([0] * 4 + [1] * 96 + [1] * 100))
    for engine in engines(few.trie):
        assert score_many(rolls, few, BOGGLE, engine=engine) == [2, 0]


def test_the_usual_set_of_a_size_is_one_of_english() -> None:
    found = [usual_set(*size) for size in ((4, 4), (5, 5), (6, 6), (3, 4))]
    names = [edition and edition.name for edition in found]
    assert names == ["new_4x4", "deluxe_master_5x5", "super_big_2012_6x6", None]


@pytest.mark.parametrize(
    ("faces", "rows", "cols", "numbers", "problem"),
    [
        (("A",), 20, 1, bytes(20), "larger than any tray"),
        (("t",), 1, 1, bytes(1), "no face"),
        (("A", "1"), 1, 1, bytes(1), "no face"),
        (("A",), 2, 2, bytes(5), "no whole boards"),
        (("A", "B"), 1, 2, bytes([0, 2]), "no face: there are 2"),
    ],
)
def test_what_makes_no_boards_is_refused(
    faces: tuple[str, ...], rows: int, cols: int, numbers: bytes, problem: str
) -> None:
    with pytest.raises(BoardError, match=problem):
        Rolls(faces, rows, cols, numbers)
