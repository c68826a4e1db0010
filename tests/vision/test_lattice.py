"""Lattices in perspective among missing and stray spots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.blobs import Spots
from vision.lattice import Window, apply, best_windows

Corners = NDArray[np.float64]


def spots_of(
    side: int, corners: Corners, rng: np.random.Generator, missing: int = 0, stray: int = 0
) -> Spots:
    """Spots at the cell middles of a board, some missing, and strays of like size around."""
    homography = homography_of(side, corners)
    grid = np.array([(x, y) for y in range(side) for x in range(side)]) + 0.5
    places = apply(homography, grid)
    right_half = np.array([0.5, 0.0])
    right = apply(homography, grid + right_half) - apply(homography, grid - right_half)
    down = apply(homography, grid + right_half[::-1]) - apply(homography, grid - right_half[::-1])
    sizes = 0.8 * np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    kept = rng.permutation(side**2)[missing:]
    jitter = rng.normal(0, 0.03 * sizes.mean(), (len(kept), 2))
    strays = rng.uniform(0, 560, (stray, 2))
    return Spots(
        np.vstack([places[kept] + jitter, strays]),
        np.concatenate([sizes[kept], rng.uniform(0.7, 1.3, stray) * sizes.mean()]),
        np.concatenate([np.full(len(kept), 6.0), rng.integers(1, 3, stray).astype(float)]),
    )


def homography_of(side: int, corners: Corners) -> NDArray[np.float64]:
    """From board coordinates to corners, by the linear equations of the map."""
    board = np.array([[0, 0], [side, 0], [side, side], [0, side]], float)
    rows = []
    for (x, y), (u, v) in zip(board, corners, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solution = np.linalg.solve(np.array(rows), np.asarray(corners).ravel())
    return np.append(solution, 1.0).reshape(3, 3)


def corner_error(window: Window, corners: Corners) -> float:
    """Pixels between the corners, at the best of four quarter turns."""
    side = window.side
    ends = apply(window.homography, np.array([[0, 0], [side, 0], [side, side], [0, side]], float))
    return min(float(np.abs(np.roll(ends, turn, axis=0) - corners).max()) for turn in range(4))


def turned_square(side_px: float, degrees: float, squeeze: float) -> Corners:
    """A square around the middle of a 560-pixel picture, its upper edge shorter by the squeeze."""
    half = side_px / 2
    x = half * (1 - squeeze)
    flat = np.array([[-x, -half], [x, -half], [half, half], [-half, half]])
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(flat @ turn + 280, np.float64)


@pytest.mark.parametrize("degrees", [0, 20, 70])
def test_gaps_that_are_as_plain_as_the_cubes_do_not_hide_them(degrees: int) -> None:
    """Where four cubes meet lies a spot of its own, seen twice and nearer than the next cube."""
    corners = turned_square(300, degrees, 0.1)
    cubes = spots_of(5, corners, np.random.default_rng(4))
    grid = np.array([(x, y) for y in range(1, 5) for x in range(1, 5)], float)
    gaps = apply(homography_of(5, corners), np.vstack([grid, grid + 0.08]))
    spots = Spots(
        np.vstack([cubes.places, gaps]),
        np.concatenate([cubes.sizes, np.full(len(gaps), 0.8 * cubes.sizes.mean())]),
        np.full(len(cubes.places) + len(gaps), 6.0),
    )
    best = best_windows(spots, (3, 4, 5, 6))[0]
    assert best.side == 5
    assert corner_error(best, corners) < 20


@settings(max_examples=40, deadline=None)
@given(
    side=st.sampled_from([3, 4, 5, 6]),
    degrees=st.floats(0, 360),
    squeeze=st.floats(0, 0.35),
    side_px=st.floats(150, 380),
    seed=st.integers(0, 1000),
)
def test_a_board_is_found_at_any_turn_and_tilt(
    side: int, degrees: float, squeeze: float, side_px: float, seed: int
) -> None:
    corners = turned_square(side_px, degrees, squeeze)
    spots = spots_of(side, corners, np.random.default_rng(seed))
    best = best_windows(spots, (3, 4, 5, 6))[0]
    assert best.side == side
    assert corner_error(best, corners) < 0.25 * side_px / side
    assert best.score > 0.8


@pytest.mark.parametrize("side", [4, 5, 6])
def test_missing_cubes_and_strays_do_not_hide_a_board(side: int) -> None:
    found = 0
    for seed in range(10):
        corners = turned_square(300, 13 * seed, 0.15)
        spots = spots_of(side, corners, np.random.default_rng(seed), missing=2, stray=12)
        best = best_windows(spots, (3, 4, 5, 6))[0]
        found += best.side == side and corner_error(best, corners) < 0.25 * 300 / side
    assert found >= 9


def test_scattered_spots_make_no_good_window() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        spots = Spots(rng.uniform(0, 560, (60, 2)), rng.uniform(20, 30, 60), np.full(60, 4.0))
        assert all(window.score < 0.8 for window in best_windows(spots, (3, 4, 5, 6)))


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_too_few_spots_make_no_window(count: int) -> None:
    places = np.array([(20.0 * k, 3.0 * k * k) for k in range(count)]).reshape(-1, 2)
    assert best_windows(Spots(places, np.full(count, 15.0), np.ones(count)), (3, 4, 5, 6)) == []
