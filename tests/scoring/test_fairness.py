"""Fairness: which cube lies where, the tests' levels, and that they find what is unfair."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cubes import CubeSet, cube_set
from scoring.fairness.evidence import evidence_of, fair_shakes
from scoring.fairness.identity import cubes_in_cells, encoded, face_shares
from scoring.fairness.power import LEVEL, shakes_for_one_more, shakes_for_share
from scoring.fairness.verdict import FEWEST, Finding, judge

NEW = cube_set("new_4x4")
Boards = list[list[str]]


def tiny(*cubes: str) -> CubeSet:
    """A set of a few cubes in one row."""
    faces = tuple(tuple(cube) for cube in cubes)
    return CubeSet("tiny", "Tiny", 1, len(cubes), faces, "", "firm", "made up")


def shaken(
    edition: CubeSet,
    count: int,
    seed: int,
    *,
    loaded: tuple[int, float] | None = None,
    sticky: float = 0.0,
    lazy: float = 0.0,
) -> Boards:
    """Boards of a shaker.

    Args:
        edition: the cubes.
        count: of shakes.
        seed: of all chance.
        loaded: the number of a cube, and how often it falls on its first face for that alone.
        sticky: how often a cube is put back into its cell.
        lazy: how often a cube keeps its face.
    """
    rng = random.Random(seed)
    cells = edition.rows * edition.cols
    order = list(range(cells))
    up = [rng.choice(cube) for cube in edition.cubes]
    boards = []
    for _ in range(count):
        loose = [cell for cell in range(cells) if rng.random() >= sticky]
        moved = rng.sample(loose, len(loose))
        order = [
            dict(zip(loose, (order[cell] for cell in moved), strict=True)).get(c, order[c])
            for c in range(cells)
        ]
        up = [
            face if rng.random() < lazy else rng.choice(cube)
            for face, cube in zip(up, edition.cubes, strict=True)
        ]
        if loaded and rng.random() < loaded[1]:
            up[loaded[0]] = edition.cubes[loaded[0]][0]
        boards.append([up[cube] for cube in order])
    return boards


def worst(findings: tuple[Finding, ...]) -> Finding:
    return min(findings, key=lambda finding: finding.adjusted_p)


@given(st.data())
@settings(max_examples=40)
def test_cubes_are_told_apart_about_as_well_as_by_all_layouts(data: st.DataObject) -> None:
    cubes = data.draw(st.lists(st.text("ABCD", min_size=6, max_size=6), min_size=3, max_size=4))
    edition = tiny(*cubes)
    faces, shares = face_shares(edition)
    order = data.draw(st.permutations(range(len(cubes))))
    board = encoded([[data.draw(st.sampled_from(cubes[cube])) for cube in order]], faces)
    found = cubes_in_cells(board, shares)[0]
    exact = np.zeros_like(found)
    for layout in permutations(range(len(cubes))):
        weight = np.prod([shares[cube, board[0, cell]] for cell, cube in enumerate(layout)])
        exact[np.arange(len(cubes)), layout] += weight
    exact /= exact.sum(axis=1, keepdims=True)
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert np.abs(found - exact).max() < 0.4
    assert np.abs(found - exact).mean() < 0.15


def test_a_face_of_one_cube_alone_tells_it() -> None:
    faces, shares = face_shares(NEW)
    board = [cube[0] for cube in NEW.cubes if "Qu" not in cube]
    held = cubes_in_cells(encoded([[*board, "Qu"]], faces), shares)[0, -1]
    assert held.max() > 0.99
    assert "Qu" in NEW.cubes[int(held.argmax())]


def test_what_is_seen_adds_up_to_all_cubes() -> None:
    edition = cube_set("big_2012_5x5")  # of 26 cubes, one of which stays in the box
    seen = evidence_of(shaken(edition, 3, 1)[:3], edition)
    assert seen.shows.sum(axis=(1, 2)) == pytest.approx(25, abs=0.01)
    assert (len(seen), len(seen.repeats), len(seen.stays)) == (3, 2, 2)


def test_made_up_shakes_are_fair() -> None:
    edition = cube_set("classic_4x4")
    true = fair_shakes(edition, 4000, np.random.default_rng(1)).true
    _, shares = face_shares(edition)
    assert np.abs(true.shows.mean(axis=0) - shares).max() < 0.03
    assert true.stays.mean() == pytest.approx(1, abs=0.06)


def test_the_shakes_needed_are_those_of_the_textbook() -> None:
    assert shakes_for_one_more(0.05, 6) == 713
    assert shakes_for_share(1 / 16, 0.0825, 16) == 79
    assert shakes_for_share(1 / 6, 1 / 6 + 0.02, 16) == pytest.approx(177, abs=1)
    assert shakes_for_one_more(0.05, 6, blur=2.5) == pytest.approx(2.5 * 713, abs=2)


def test_a_fair_shaker_is_seldom_called_unfair() -> None:
    verdicts = [judge(shaken(NEW, 120, seed), NEW, seed=seed) for seed in range(16)]
    below = np.array([[finding.p < LEVEL for finding in findings] for findings in verdicts])
    assert 0.01 < below.mean() < 0.1
    assert sum(worst(findings).unfair for findings in verdicts) <= 3


def test_a_loaded_cube_is_found_and_named() -> None:
    found = worst(judge(shaken(NEW, 2000, 5, loaded=(3, 0.12)), NEW))
    assert found.unfair
    assert (found.test, found.subject, found.what) == ("faces", "AFFKPS", "A")
    assert found.seen == pytest.approx(1 / 6 + 0.12 * 5 / 6, abs=0.05)


def test_cubes_that_stay_are_found() -> None:
    found = worst(judge(shaken(NEW, 400, 5, sticky=0.3), NEW))
    assert (found.test, found.unfair) == ("stays", True)
    assert found.seen > found.fair


def test_faces_that_repeat_are_found() -> None:
    found = worst(judge(shaken(NEW, 500, 5, lazy=0.15), NEW))
    assert (found.test, found.unfair) == ("repeats", True)
    assert found.seen == pytest.approx(1 / 5, abs=0.2)


def test_turns_are_judged_by_faces_that_tell_them() -> None:
    boards = shaken(NEW, 200, 5)
    rng = random.Random(1)
    fair = [[rng.randrange(4) for _ in board] for board in boards]
    (turns,) = [one for one in judge(boards, NEW, fair) if one.test == "turns"]
    assert not turns.unfair
    lying = [[0 if rng.random() < 0.1 else turn for turn in row] for row in fair]
    (turns,) = [one for one in judge(boards, NEW, lying) if one.test == "turns"]
    assert (turns.unfair, turns.what) == (True, "0°")
    blind = [["O"] * 16 for _ in boards]
    (turns,) = [one for one in judge(blind, NEW, lying) if one.test == "turns"]
    assert turns.p == 1


def test_too_few_shakes_are_refused() -> None:
    with pytest.raises(ValueError, match=str(FEWEST)):
        judge(shaken(NEW, FEWEST - 1, 1), NEW)


def test_the_same_shakes_get_the_same_verdict() -> None:
    boards = shaken(NEW, 40, 2)
    assert judge(boards, NEW) == judge(boards, NEW)
    assert all(one.adjusted_p >= one.p for one in judge(boards, NEW))
