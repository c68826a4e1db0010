"""Where four cells meet: holes between rendered cubes, lines or nothing in print."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.cubes import cube_set
from vision.gaps import LEAST_GAP, gap_length
from vision.rectify import board_to_photo, cut_cells
from vision.render.tray import PhotoOptions, render_tray

CELL = 80


def printed(line: int, blur: float = 0.6) -> NDArray[np.uint8]:
    """Crops of four rows of four printed letters, ruled by lines of so many pixels."""
    sheet = np.full((6 * CELL, 6 * CELL, 3), 235, np.uint8)
    for row in range(1, 5):
        for col in range(1, 5):
            corner = (col * CELL, row * CELL)
            if line:
                opposite = (corner[0] + CELL, corner[1] + CELL)
                cv2.rectangle(sheet, corner, opposite, (30, 30, 30), line)
            foot = (corner[0] + 22, corner[1] + 58)
            cv2.putText(sheet, "RKAG"[row - 1], foot, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (30,) * 3, 5)
    photo = cv2.GaussianBlur(sheet, (0, 0), blur).astype(np.uint8)
    corners = [(CELL, CELL), (5 * CELL, CELL), (5 * CELL, 5 * CELL), (CELL, 5 * CELL)]
    return cut_cells(photo, board_to_photo(corners, 4, 4), 4, 4)


@pytest.mark.parametrize("blur", [0.6, 1.6])
@pytest.mark.parametrize("line", [2, 4, 6])
def test_ruled_lines_leave_no_hole_sharp_or_blurred(line: int, blur: float) -> None:
    assert 0 < gap_length(printed(line, blur)) < LEAST_GAP


def test_print_without_lines_has_no_holes() -> None:
    assert gap_length(printed(0)) == 0


def test_an_even_picture_has_no_holes() -> None:
    assert gap_length(np.full((6, 6, 48, 48, 3), 90, np.uint8)) == 0


@pytest.mark.parametrize("seed", range(6))
def test_cubes_have_holes_between_them(seed: int) -> None:
    board = cube_set("classic_4x4").roll(random.Random(seed))
    options = PhotoOptions(size=(900, 700), variety=0.2)
    shot = render_tray(board, np.random.default_rng(seed), options)
    crops = cut_cells(shot.photo, board_to_photo(shot.corners_px, 4, 4), 4, 4)
    assert gap_length(crops) > LEAST_GAP
