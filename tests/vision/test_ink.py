"""Print seen by whichever colour tells it from the cubes, always dark on light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.ink import in_ink
from vision.rectify import CROP_PX

Colour = tuple[int, int, int]

PRINTS: dict[str, tuple[Colour, Colour]] = {
    "black on white": ((20, 20, 20), (240, 240, 240)),
    "white on black": ((240, 240, 240), (20, 20, 20)),
    "cyan on pink, as light as it": ((90, 200, 205), (225, 160, 165)),
    "grey on yellow, as light as it": ((186, 186, 186), (205, 190, 40)),
}


def crops(ink: Colour, cube: Colour) -> NDArray[np.uint8]:
    """Four cells with a letter each, dark all around."""
    sheet = np.full((4, 4, CROP_PX, CROP_PX, 3), (40, 30, 30), np.uint8)
    for row in (1, 2):
        for col in (1, 2):
            crop = sheet[row, col]
            cv2.rectangle(crop, (6, 6), (41, 41), cube, cv2.FILLED)
            cv2.putText(crop, "RKAG"[2 * row + col - 3], (15, 33), 0, 0.8, ink, 3)
    noise = np.random.default_rng(1).normal(0, 3, sheet.shape)
    return np.clip(sheet + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", PRINTS)
def test_any_print_becomes_dark_on_light(name: str) -> None:
    ink, cube = PRINTS[name]
    lids = in_ink(crops(ink, cube))[1:-1, 1:-1, 12:36, 12:36, 0]
    bare = np.median(lids, axis=(2, 3))
    assert (bare > 150).all()
    assert (lids.min(axis=(2, 3)) < 80).all()


@pytest.mark.parametrize("name", PRINTS)
def test_the_letters_keep_their_form(name: str) -> None:
    form = in_ink(crops(*PRINTS["black on white"]))[1:-1, 1:-1, 10:38, 10:38, 0] < 128
    seen = in_ink(crops(*PRINTS[name]))[1:-1, 1:-1, 10:38, 10:38, 0] < 128
    assert (form != seen).mean() < 0.03


def test_the_pictures_are_grey() -> None:
    grey = in_ink(crops(*PRINTS["cyan on pink, as light as it"]))
    assert grey.shape == (4, 4, CROP_PX, CROP_PX, 3)
    assert grey.dtype == np.uint8
    assert (grey == grey[..., :1]).all()


def test_a_board_without_print_is_no_error() -> None:
    flat = np.full((5, 5, CROP_PX, CROP_PX, 3), 120, np.uint8)
    assert in_ink(flat).shape == flat.shape
