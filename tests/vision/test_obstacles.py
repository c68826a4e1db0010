"""Small things that training lays over prints."""

from __future__ import annotations

import numpy as np

from vision.render.styles import random_cube
from vision.render.typefaces import shipped_typefaces
from vision.training.obstacles import paint_obstacles

TO_PHOTO = np.diag([40.0, 40.0, 1.0])


def painted(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    photo = np.full((160, 160, 3), 90, np.uint8)
    cube = random_cube(np.random.default_rng(1), shipped_typefaces(), 0.0)
    paint_obstacles(photo, TO_PHOTO, (cube,) * 16, 4, np.random.default_rng(seed))
    return photo


def test_obstacles_hide_some_of_the_photo_but_not_most() -> None:
    changed = [(painted(seed) != 90).any(axis=2).mean() for seed in range(12)]
    assert 0.03 < np.median(changed) < 0.6
    assert np.ptp(changed) > 0.03


def test_obstacles_depend_on_the_seed_alone() -> None:
    np.testing.assert_array_equal(painted(3), painted(3))
    assert not np.array_equal(painted(3), painted(4))
