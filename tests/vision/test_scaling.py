"""Shrinking: of the right size, in place, and no brighter or darker."""

from __future__ import annotations

import numpy as np
import pytest

from vision.scaling import shrunk


@pytest.mark.parametrize("scale", [0.05, 0.24, 0.25, 0.4, 0.5, 0.7, 1.0])
def test_size_and_light_are_those_of_the_scale(scale: float) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (401, 603, 3), np.uint8)
    small = shrunk(picture, scale)
    assert np.abs(np.array(small.shape[:2]) - scale * np.array([401, 603])).max() <= 1.5
    assert abs(small.mean() - picture.mean()) < 1.5


@pytest.mark.parametrize("scale", [0.2, 0.25, 0.6])
def test_what_is_in_the_picture_stays_in_its_place(scale: float) -> None:
    picture = np.zeros((400, 600), np.uint8)
    picture[100:140, 300:360] = 255
    rows, cols = np.nonzero(shrunk(picture, scale) > 127)
    middle = np.array([rows.mean(), cols.mean()]) + 0.5
    assert np.allclose(middle / scale, [120, 330], atol=1.5 / scale)


def test_a_thin_line_is_not_lost() -> None:
    picture = np.zeros((800, 800), np.uint8)
    picture[:, 301] = 255
    across = shrunk(picture, 0.1).sum(axis=1)
    assert np.abs(across - 25.5).max() < 3


def test_nothing_is_made_larger() -> None:
    picture = np.zeros((40, 60, 3), np.uint8)
    assert shrunk(picture, 1.0).shape == picture.shape


def test_a_narrow_picture_keeps_a_pixel() -> None:
    assert shrunk(np.zeros((10, 10_000, 3), np.uint8), 0.04).shape == (1, 400, 3)
