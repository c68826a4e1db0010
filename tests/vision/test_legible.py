"""How much of each print a photo shows: what hides it, burns it out or drowns it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board import Board
from vision.render.cubes import Posture
from vision.render.hands import Finger, Hand
from vision.render.legible import ink_seen, prints_seen
from vision.render.lens import Glare
from vision.render.scene import Scene, shoot
from vision.render.scenes import HARD, random_scene, random_scene_and_prints
from vision.render.tray import PhotoOptions, random_setting
from vision.render.typefaces import shipped_typefaces

BOARD = Board.parse("AB_/DEF/GHI")
FLAT = np.zeros((3, 3))
FINGER = Finger((0.5, -4.0), (0.5, -1.0), (0.5, 0.4), 1.2)
HAND = Hand((200, 150, 120), (FINGER,), (0.5, -6.0), (0.5, -20.0), 1.3)


def scene() -> Scene:
    options = PhotoOptions((480, 360), max_tilt=5, max_yaw=5, variety=0.0)
    return random_setting(BOARD, np.random.default_rng(2), options, shipped_typefaces())


def seen_in(scene: Scene) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    rng = np.random.default_rng(7)
    before = deepcopy(rng)
    return prints_seen(BOARD, scene, FLAT, before, shoot(BOARD, scene, FLAT, rng))


def test_a_clear_photo_shows_all_of_each_print() -> None:
    seen = seen_in(scene())
    assert seen[0, 2] == 0
    assert np.delete(seen.ravel(), 2).min() > 0.97


def test_a_finger_hides_the_prints_below_it_alone() -> None:
    seen = seen_in(replace(scene(), hand=HAND))
    assert seen[0, 0] < 0.2
    assert seen[1:].min() > 0.9


def test_a_cube_on_top_of_another_hides_the_print_behind_it_alone() -> None:
    plain = scene()
    pose = replace(plain.pose, tilt=45.0, azimuth=90.0)
    stacked = replace(plain, pose=pose, postures={(1, 1): Posture(lift=1.0)})
    seen = seen_in(stacked)
    assert seen[0, 1] < 0.5
    assert seen[1, 1] == 0  # its own print is where no flat cube has one
    assert min(seen[0, 0], seen[1, 0], seen[1, 2], seen[2].min()) > 0.9


@pytest.mark.parametrize(
    "light",
    [{"brightness": 0.02}, {"haze": 0.99}, {"glares": (Glare(0.5, 0.4, 1.5, 1.0),)}],
    ids=["dark", "haze", "glare"],
)
def test_no_print_is_seen_in_light_that_shows_nothing(light: dict[str, object]) -> None:
    plain = scene()
    assert seen_in(replace(plain, light=replace(plain.light, **light))).max() < 0.3  # type: ignore[arg-type]


def test_strong_noise_is_not_taken_for_print() -> None:
    plain = scene()
    noisy = replace(plain, lens=replace(plain.lens, grain=40.0))
    dark = replace(noisy, light=replace(plain.light, brightness=0.02))
    assert seen_in(dark).max() < 0.3


def test_the_prints_of_a_random_scene_go_with_its_photo() -> None:
    board, shot = random_scene((3, 4), HARD, size=(320, 240))
    again, other, seen = random_scene_and_prints((3, 4), HARD, size=(320, 240))
    assert board == again
    np.testing.assert_array_equal(shot.photo, other.photo)
    assert seen.shape == (board.rows, board.cols)
    assert 0 <= seen.min() <= seen.max() <= 1


@settings(max_examples=40, deadline=None)
@given(share=st.floats(0, 1), strength=st.floats(10, 200))
def test_the_share_counts_ink_alone(share: float, strength: float) -> None:
    due = np.zeros((1, 20, 20), np.float32)
    due[0, 5:15, :] = strength
    left = due.copy()
    gone = round(share * 20)
    left[0, :, :gone] = 0
    assert ink_seen(due, left) == pytest.approx(1 - gone / 20)
