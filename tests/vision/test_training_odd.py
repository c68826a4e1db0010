"""What the net for doubtful cells is shown more of: odd cubes, and prints half in the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.board import Board
from vision.rectify import CROP_PX
from vision.render.cubes import Cube, Posture
from vision.render.scene import Scene, paint
from vision.render.scenes import EASY, random_scene
from vision.render.styles import CubeStyle, random_cube
from vision.render.tray import PhotoOptions, random_setting
from vision.render.typefaces import shipped_typefaces
from vision.training.labels import FOREIGN, LABELS
from vision.training.marred import marred
from vision.training.odd import NONE_ODD, Odd, made_odd
from vision.training.samples import DOUBTFUL, draw_samples

MIDDLE = slice(CROP_PX // 2 - 5, CROP_PX // 2 + 5)


def cube_of(seed: int) -> CubeStyle:
    return random_cube(np.random.default_rng(seed), shipped_typefaces(), 0.0)


def crops_of(count: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 200, (count, CROP_PX, CROP_PX, 3), np.uint8)


def test_a_cube_that_is_not_to_be_odd_stays_as_it_is() -> None:
    cube = cube_of(1)
    assert made_odd(cube, NONE_ODD, np.random.default_rng(1)) is cube


@pytest.mark.parametrize("seed", range(5))
def test_an_odd_cube_has_light_print_reflects_and_marks_more_letters(seed: int) -> None:
    cube = cube_of(seed)
    odd = made_odd(cube, Odd(light=1, glossy=1, marked=1), np.random.default_rng(seed))
    assert min(np.subtract(odd.ink, odd.body)) > 30
    assert max(odd.body) <= 150
    assert max(odd.ink) <= 255
    assert odd.finish in {"gloss", "pearl"}
    assert odd.mark.faces > cube.mark.faces


def test_wood_does_not_reflect() -> None:
    wood = replace(cube_of(1), finish="wood")
    assert made_odd(wood, Odd(glossy=1), np.random.default_rng(1)).finish == "wood"


def test_the_share_of_the_crops_asked_for_is_marred() -> None:
    crops = crops_of(400)
    before = crops.copy()
    seen = marred(crops, 0.3, np.random.default_rng(2))
    np.testing.assert_array_equal(crops, before)
    changed = (seen != crops).any(axis=(1, 2, 3))
    assert 0.2 < changed.mean() < 0.4
    np.testing.assert_array_equal(marred(crops, 0.0, np.random.default_rng(2)), crops)


def test_what_mars_a_print_leaves_its_middle_to_be_seen() -> None:
    """It may be in a shadow or in a reflection, but as much differs from pixel to pixel."""
    crops = crops_of(200)
    seen = marred(crops, 1.0, np.random.default_rng(3))
    spreads = [one[:, MIDDLE, MIDDLE].std(axis=(1, 2, 3)) for one in (seen, crops)]
    assert (spreads[0] > 0.2 * spreads[1]).all()
    assert seen.dtype == np.uint8


def flat_scene(board: Board) -> Scene:
    options = PhotoOptions(size=(320, 320), max_tilt=5, variety=0.0, share=(0.9, 0.95))
    return random_setting(board, np.random.default_rng(4), options, shipped_typefaces())


def test_cubes_that_stand_up_hide_a_part_of_those_beside_them() -> None:
    board = Board.parse("ABC/DEF/GHI")
    scene = flat_scene(board)
    flat = replace(scene, pose=replace(scene.pose, tilt=25.0, azimuth=0.0, yaw=0.0))
    upset = replace(flat, postures={(1, 1): Posture(lift=1.0)})
    turns = np.zeros((3, 3))
    plain, shot = (paint(board, one, turns, np.random.default_rng(5)) for one in (flat, upset))
    assert not plain.overhung.any()
    hidden = shot.overhung > 0.1
    assert hidden.sum() == 1  # the one behind it
    assert not hidden[1, 1]
    assert hidden[[0, 1, 1, 2], [1, 0, 2, 1]].any()


def test_what_of_a_cube_is_above_its_neighbours_has_corners_where_it_crosses_their_height() -> None:
    style = cube_of(1)
    cube = Cube((0, 0), "A", style, np.array([0.5, 0.5, -0.9]), np.eye(3), 0.9, 0.0, 0.0)
    above = cube.above(0.9)
    assert sorted(set((-above[:, 2]).round(9).tolist())) == [0.9, 1.35]
    np.testing.assert_allclose(above[:, :2].min(axis=0), 0.05)
    np.testing.assert_allclose(above[:, :2].max(axis=0), 0.95)
    assert len(above) == 8
    assert len(cube.above(2.0)) == 0


def test_samples_for_doubtful_cells_show_every_label_and_foreign_faces() -> None:
    samples = draw_samples((9,), 500, shipped_typefaces(), DOUBTFUL)
    assert len(set(samples.labels.tolist()) - {FOREIGN}) > 0.9 * len(LABELS)
    assert FOREIGN in samples.labels
    assert samples.crops.shape == (500, CROP_PX, CROP_PX, 3)


def test_easy_scenes_have_nothing_that_hangs_over() -> None:
    shot = random_scene(3, EASY, sides=(4,), size=(320, 240))[1]
    assert shot.overhung.shape == (4, 4)
    assert not shot.overhung.any()
