"""Crops: where they are cut, which way up, and how fine print survives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rectify import CELL_PX, CROP_PX, board_to_photo, cut_cells

SQUARE = [(100.0, 100.0), (500.0, 100.0), (500.0, 500.0), (100.0, 500.0)]


@pytest.fixture
def checked() -> NDArray[np.uint8]:
    """A 4×4 board of 100-pixel cells at (100, 100); each cell grey of its own, the rest black."""
    photo = np.zeros((600, 600, 3), np.uint8)
    for row in range(4):
        for col in range(4):
            y, x = 100 * (row + 1), 100 * (col + 1)
            photo[y : y + 100, x : x + 100] = 60 + 10 * (4 * row + col)
    return photo


def test_the_homography_maps_corners_to_corners() -> None:
    corners = [(10.0, 20.0), (300.0, 50.0), (280.0, 400.0), (30.0, 350.0)]
    homography = board_to_photo(corners, 5, 6)
    board = np.array([[[0, 0], [6, 0], [6, 5], [0, 5]]], np.float64)
    assert np.allclose(cv2.perspectiveTransform(board, homography)[0], corners, atol=0.01)


def test_each_cell_and_the_ring_become_a_crop_in_place(checked: NDArray[np.uint8]) -> None:
    crops = cut_cells(checked, board_to_photo(SQUARE, 4, 4), 4, 4)
    assert crops.shape == (6, 6, CROP_PX, CROP_PX, 3)
    assert crops.dtype == np.uint8
    middles = crops[:, :, CROP_PX // 2, CROP_PX // 2, 0]
    assert np.array_equal(middles[1:-1, 1:-1], 60 + 10 * np.arange(16).reshape(4, 4))
    assert middles[0].max() == middles[-1].max() == middles[:, 0].max() == 0


def test_a_crop_shows_a_margin_beyond_its_cell(checked: NDArray[np.uint8]) -> None:
    crop = cut_cells(checked, board_to_photo(SQUARE, 4, 4), 4, 4)[2, 2, :, :, 0]
    margin = (CROP_PX - CELL_PX) // 2
    assert crop[CROP_PX // 2, margin - 2] == 100  # of the left neighbour
    assert crop[CROP_PX // 2, margin + 1] == 110
    assert crop[margin - 2, CROP_PX // 2] == 70  # of the upper neighbour


def test_a_turned_board_is_cut_with_its_own_up(checked: NDArray[np.uint8]) -> None:
    quarter = SQUARE[1:] + SQUARE[:1]  # the board's upper left is the photo's upper right
    crops = cut_cells(checked, board_to_photo(quarter, 4, 4), 4, 4)
    middles = crops[1:-1, 1:-1, CROP_PX // 2, CROP_PX // 2, 0]
    assert np.array_equal(middles, np.rot90(60 + 10 * np.arange(16).reshape(4, 4)))


def test_what_lies_outside_the_photo_repeats_its_edge() -> None:
    photo = np.full((200, 200, 3), 90, np.uint8)
    corners = [(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)]
    assert (cut_cells(photo, board_to_photo(corners, 4, 4), 4, 4) == 90).all()


@pytest.mark.parametrize("cell", [30, 60, 150, 600])
def test_thin_strokes_survive_at_any_scale(cell: int) -> None:
    """A stroke of a twentieth of a cell keeps its darkness as an average."""
    photo = np.full((6 * cell, 6 * cell, 3), 240, np.uint8)
    left = round(2.5 * cell)
    photo[:, left : left + max(1, cell // 20)] = 0
    corners = [(cell, cell), (5 * cell, cell), (5 * cell, 5 * cell), (cell, 5 * cell)]
    crop = cut_cells(photo, board_to_photo([(float(x), float(y)) for x, y in corners], 4, 4), 4, 4)
    ink = (240 - crop[2, 2, CROP_PX // 2, :, 0].astype(float)).sum() / 240 / CELL_PX
    assert ink == pytest.approx(max(1, cell // 20) / cell, rel=0.25)
