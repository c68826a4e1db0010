"""Random whole scenes: seeded, by difficulty, with the truth of all that lies askew."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board import MISSING, Board
from vision.render.clutter import random_clutter
from vision.render.cubes import random_postures
from vision.render.scenes import EASY, HARD, MEDIUM, random_scene

SMALL = (320, 240)


def test_same_arguments_give_the_same_photo() -> None:
    (board, shot), (again, other) = (random_scene((3, 4), HARD, size=SMALL) for _ in range(2))
    assert board == again
    np.testing.assert_array_equal(shot.photo, other.photo)
    np.testing.assert_array_equal(shot.corners_px, other.corners_px)
    assert not np.array_equal(shot.photo, random_scene((3, 5), HARD, size=SMALL)[1].photo)


@pytest.mark.parametrize("difficulty", [EASY, MEDIUM, HARD])
def test_the_truth_fits_the_board(difficulty: float) -> None:
    for seed in range(4):
        board, shot = random_scene(seed, difficulty, sides=(4, 6), size=SMALL)
        assert board.rows == board.cols
        assert board.rows in {4, 6}
        assert shot.photo.shape == (240, 320, 3)
        assert shot.turns.shape == shot.covered.shape == (board.rows, board.cols)
        assert shot.cocked | shot.stacked <= set(board.cells)
        assert (shot.corners_px > 0).all()
        assert (shot.corners_px < SMALL).all()


def test_easy_scenes_are_flat_and_whole() -> None:
    for seed in range(5):
        board, shot = random_scene(seed, 0.0, size=SMALL)
        assert MISSING not in board
        assert not shot.cocked | shot.stacked
        assert not shot.covered.any()


def test_hard_scenes_show_everything_that_may_go_wrong() -> None:
    met: Counter[str] = Counter()
    for seed in range(14):
        board, shot = random_scene(seed, 1.0, size=(120, 90))
        met["missing"] += MISSING in board
        met["cocked"] += bool(shot.cocked)
        met["stacked"] += bool(shot.stacked)
        met["covered"] += bool((shot.covered > 0.5).any())
    assert min(met[one] for one in ("missing", "cocked", "stacked", "covered")) > 0, met


@pytest.mark.parametrize("difficulty", [-0.1, 1.1, float("nan")])
def test_a_difficulty_out_of_range_is_an_error(difficulty: float) -> None:
    with pytest.raises(ValueError, match="difficulty"):
        random_scene(1, difficulty)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), side=st.integers(3, 6))
def test_things_lie_beside_the_tray(seed: int, side: int) -> None:
    for thing in random_clutter(np.random.default_rng(seed), (side, side), 6):
        nearest = np.hypot(*(np.array(thing.place) - side / 2)) - max(thing.size) / 2
        assert nearest > side / np.sqrt(2)


def test_postures_have_the_shares_asked_for() -> None:
    board = Board.from_faces([["A"] * 9 + [MISSING]] * 10)
    postures = random_postures(board, np.random.default_rng(1), cocked=0.3, stacked=0.2)
    stacked = [one for one in postures.values() if one.is_stacked]
    assert all(board[cell] != MISSING for cell in postures)
    assert 10 < len(stacked) < 30
    assert 18 < len(postures) - len(stacked) < 40
    assert all(one.lean > 10 for one in postures.values() if not one.is_stacked)
