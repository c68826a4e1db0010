"""Trays found in photos: real ones, rendered ones, at any place, turn, tilt and light."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from scoring.cubes import cube_set
from vision.cell_finder import CellFinder
from vision.lattice import apply
from vision.locate import GOOD_SCORE, SIDES, LocatedTray, locate, upright, ways_by
from vision.photo import load_photo
from vision.reading import Point
from vision.render.tray import PhotoOptions, RenderedTray, render_tray

Misplacement = Callable[[LocatedTray, tuple[Point, ...]], float]

EDITIONS = {4: "classic_4x4", 5: "big_2012_5x5", 6: "super_big_2012_6x6"}
SMALL = Board.parse("RAT/EGU/KLF")
WAYS = ways_by(CellFinder(), 1600)
GOOD_PLACE = 0.25  # of a cell, for every cell's middle
CALM = PhotoOptions(size=(1000, 750), variety=0.1, max_tilt=15, max_yaw=15)


@cache
def rendered(side: int, seed: int, options: PhotoOptions = CALM) -> RenderedTray:
    board = cube_set(EDITIONS[side]).roll(random.Random(seed)) if side > 3 else SMALL
    return render_tray(board, np.random.default_rng(seed), options)


def first(photo: NDArray[np.uint8]) -> LocatedTray:
    """The first tray that is plain to see, else the best of all; nine spots are often chance."""
    unsure = []
    for way in WAYS:
        for tray in locate(photo, way):
            if tray.score >= GOOD_SCORE and tray.rows > min(SIDES):
                return tray
            unsure.append(tray)
    return max(unsure, key=lambda tray: tray.score * tray.rows)


@pytest.mark.parametrize("side", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_rendered_tray_is_found_in_place(
    side: int, seed: int, misplacement: Misplacement
) -> None:
    shot = rendered(side, seed)
    assert misplacement(first(shot.photo), shot.corners_px) < GOOD_PLACE


@pytest.mark.parametrize(
    "options",
    [
        PhotoOptions(size=(1000, 750), variety=0.1, max_tilt=45, max_yaw=10),
        PhotoOptions(size=(1000, 750), variety=0.1, max_tilt=5, max_yaw=180),
        PhotoOptions(size=(1600, 1200), variety=0.1, share=(0.18, 0.22)),
        PhotoOptions(size=(1000, 750), variety=0.1, share=(0.97, 0.99)),
    ],
    ids=["oblique", "turned", "small", "filling"],
)
def test_tilt_turn_and_size_do_not_matter(
    options: PhotoOptions, misplacement: Misplacement
) -> None:
    for side in (3, 4, 5, 6):
        shot = rendered(side, 8, options)
        assert misplacement(first(shot.photo), shot.corners_px) < GOOD_PLACE


@pytest.mark.parametrize("light", [0.2, 0.5])
def test_dim_light_and_a_shadow_do_not_matter(light: float, misplacement: Misplacement) -> None:
    shot = rendered(4, 3)
    slope = np.linspace(light, 1, shot.photo.shape[1])[None, :, None]
    dim = (shot.photo * slope * light).astype(np.uint8)
    assert misplacement(first(dim), shot.corners_px) < GOOD_PLACE


def test_the_photos_scale_scales_the_corners() -> None:
    shot = rendered(5, 1)
    double = cv2.resize(shot.photo, None, fx=2, fy=2).astype(np.uint8)
    small = np.array(first(shot.photo).corners)
    assert np.allclose(np.array(first(double).corners) / 2, small, atol=6)


def test_a_plain_tray_comes_first_and_with_a_good_score() -> None:
    tray = first(rendered(4, 1).photo)
    assert tray.score >= GOOD_SCORE
    assert (tray.rows, tray.cols) == (4, 4)


@pytest.mark.parametrize("degrees", [-44, -20, 0, 30, 44, 46, 100, 170, 260])
def test_up_is_the_quarter_turn_whose_rows_run_rightward(degrees: int) -> None:
    angle = np.radians(degrees)
    turned = np.array(
        [[np.cos(angle), np.sin(angle), 9], [-np.sin(angle), np.cos(angle), 5], [0, 0, 1.0]]
    )
    start, end, below = apply(upright(turned, 4), np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]))
    assert end[0] - start[0] >= 4 * np.cos(np.radians(45)) - 1e-9
    assert below[1] > start[1]


def test_a_photo_is_looked_at_closer_only_if_it_shows_more_then() -> None:
    finder = WAYS[1].finder
    assert ways_by(finder, 640) == WAYS[:2]
    assert ways_by(finder, 641) == WAYS


@pytest.mark.parametrize("shape", [(64, 64, 3), (80, 900, 3), (750, 1000, 3)])
def test_an_empty_photo_holds_no_tray(shape: tuple[int, int, int]) -> None:
    photo = np.full(shape, 128, np.uint8)
    assert all(locate(photo, way) == [] for way in WAYS)


def test_what_lies_on_a_known_tray_is_not_looked_at() -> None:
    photo = np.hstack([rendered(4, 1).photo, rendered(4, 2).photo])
    for way in WAYS[:2]:
        for known in locate(photo, way)[:1]:
            assert not any(known.overlaps(tray) for tray in locate(photo, way, [known]))


def test_trays_side_by_side_do_not_overlap_and_a_shifted_one_does() -> None:
    tray = first(rendered(4, 1).photo)
    right, within = (
        replace(tray, homography=tray.homography @ np.array([[1, 0, by], [0, 1, 0], [0, 0, 1.0]]))
        for by in (5, 1)
    )
    assert tray.overlaps(within)
    assert not tray.overlaps(right)
    assert tray.is_like(tray)
    assert not tray.is_like(within)


@pytest.mark.real_data
def test_every_real_tray_is_found_in_place(
    real_photos: list[tuple[Path, Board, tuple[Point, ...]]], misplacement: Misplacement
) -> None:
    misses = {
        path.name: off
        for path, _, corners in real_photos
        if (off := misplacement(first(load_photo(path)), corners)) >= GOOD_PLACE
    }
    assert misses == {}
