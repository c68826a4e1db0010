"""Boards that were located askew are moved to where their prints are."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.cubes import cube_set
from vision.ink import in_ink
from vision.lattice import Homography, apply
from vision.rectify import CROP_PX, board_to_photo, cut_cells
from vision.refine import refined
from vision.render.tray import PhotoOptions, RenderedTray, render_tray

EDITIONS = {4: "classic_4x4", 5: "big_2012_5x5", 6: "super_big_2012_6x6"}


@cache
def rendered(side: int, seed: int) -> RenderedTray:
    board = cube_set(EDITIONS[side]).roll(random.Random(seed))
    options = PhotoOptions(size=(800, 600), variety=0.3)
    return render_tray(board, np.random.default_rng(seed), options)


def askew(side: int, *corners: tuple[float, float]) -> Homography:
    """From coordinates of a board with its corners off by so many cells to its own."""
    ends = np.array([[0, 0], [side, 0], [side, side], [0, side]], float) + np.array(corners)
    return board_to_photo([(x, y) for x, y in ends.tolist()], side, side)


def inked(shot: RenderedTray, place: Homography) -> NDArray[np.uint8]:
    side = shot.board.rows
    true = board_to_photo(shot.corners_px, side, side)
    return in_ink(cut_cells(shot.photo, true @ place, side, side))


def farthest(side: int, place: Homography) -> float:
    """How far the worst cell's middle lies from its true one, cells."""
    grid = np.array([(x, y) for y in range(side) for x in range(side)]) + 0.5
    return float(np.hypot(*(apply(place, grid) - grid).T).max())


CORNERS = ((0.4, 0.3), (0.3, -0.4), (-0.1, 0.0), (0.2, 0.4))


@pytest.mark.parametrize("side", [4, 5, 6])
@pytest.mark.parametrize("seed", [21, 22])
def test_a_board_that_lies_askew_is_moved_to_its_prints(side: int, seed: int) -> None:
    place = askew(side, *CORNERS)
    found = refined(inked(rendered(side, seed), place))
    assert found is not None
    assert farthest(side, place) > 0.3
    assert farthest(side, place @ found) < 0.15


@pytest.mark.parametrize("side", [4, 5, 6])
def test_a_board_that_lies_well_stays(side: int) -> None:
    assert refined(inked(rendered(side, 21), np.eye(3))) is None


@pytest.mark.parametrize("shift", [(0.5, 0.0), (0.0, 0.5), (0.5, 0.5)])
def test_a_board_on_the_gaps_between_cubes_is_moved_onto_cubes(shift: tuple[float, float]) -> None:
    found = refined(inked(rendered(5, 22), askew(5, *[shift] * 4)))
    assert found is not None
    middle = apply(askew(5, *[shift] * 4) @ found, np.array([[2.5, 2.5]]))[0]
    assert np.abs(middle - np.round(middle - 0.5) - 0.5).max() < 0.15


def test_what_shows_no_print_moves_nothing() -> None:
    noise = np.random.default_rng(1).normal(128, 3, (6, 6, CROP_PX, CROP_PX, 1))
    plain = np.repeat(noise.astype(np.uint8), 3, axis=-1)
    assert refined(in_ink(plain)) is None
    assert refined(in_ink(np.full_like(plain, 90))) is None
