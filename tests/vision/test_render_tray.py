"""Rendered trays: true corners and turns, everything from the seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.board import MISSING, Board
from vision.rectify import CROP_PX, board_to_photo, cut_cells
from vision.render.camera import Camera, Pose
from vision.render.clutter import Thing
from vision.render.cubes import Posture, placed, supports
from vision.render.hands import Finger, Hand
from vision.render.lens import Lens, Light
from vision.render.scene import Scene, Shot, shoot
from vision.render.tray import (
    PhotoOptions,
    RenderedTray,
    photograph,
    random_setting,
    render_tray,
)
from vision.render.typefaces import shipped_typefaces

SMALL = PhotoOptions(size=(480, 360))
EVEN_LIGHT = Light(40, 60, 0.5, 1.0, (1, 1, 1), 0.0, 0.0, None, ())
CLEAR_LENS = Lens(0.0, 0.0, 0.0, 0.0, 0.0, None)
OBLIQUE = Pose(tilt=35, azimuth=70, yaw=25, distance=9, pitch_px=60, centre_px=(240, 180))


def clear_scene(board: Board, seed: int = 3) -> Scene:
    """A scene without noise whose cubes lie in the middle of their cells."""
    scene = random_setting(board, np.random.default_rng(seed), SMALL, shipped_typefaces())
    cube = replace(
        scene.cubes[0],
        body=(240, 240, 240),
        ink=(200, 0, 0),
        cap_height=0.55,
        blank_size=0.5,
        blank_corner=0.0,
        fading=0.0,
        shear=0.0,
        blank_ink=(200, 0, 0),
    )
    return replace(
        scene,
        pose=OBLIQUE,
        tray=replace(scene.tray, sway=0.0, drift=0.0, edge=0.9, frame=(20, 60, 160)),
        cubes=(cube,) * len(board),
        light=EVEN_LIGHT,
        lens=CLEAR_LENS,
    )


def cells_of(shot: RenderedTray) -> NDArray[np.uint8]:
    """The crops of the board's own cells, row by row."""
    board = shot.board
    homography = board_to_photo(shot.corners_px, board.rows, board.cols)
    cells = cut_cells(shot.photo, homography, board.rows, board.cols)[1:-1, 1:-1]
    return np.ascontiguousarray(cells.reshape(-1, CROP_PX, CROP_PX, 3))


def ink_of(crops: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the red print of `clear_scene` is, in the middle of each crop."""
    values = crops.astype(int)
    red, green = values[..., 0], values[..., 1]
    ink = np.asarray((red - green > 90) & (green < 120), np.bool_)
    ink[:, :8], ink[:, -8:], ink[:, :, :8], ink[:, :, -8:] = False, False, False, False
    return ink


def test_same_seed_gives_the_same_photo() -> None:
    board = Board.parse("AB/CD")
    first, second = (render_tray(board, np.random.default_rng(5), SMALL) for _ in range(2))
    other = render_tray(board, np.random.default_rng(6), SMALL)
    np.testing.assert_array_equal(first.photo, second.photo)
    assert first.corners_px == second.corners_px
    assert first.turns == second.turns
    assert not np.array_equal(first.photo, other.photo)


def test_corners_put_every_print_into_the_middle_of_its_crop() -> None:
    board = Board.parse("####/####/####")
    shot = photograph(board, clear_scene(board), np.random.default_rng(1))
    rows, cols = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    ink = ink_of(cells_of(shot))
    offsets = np.array([[rows[one].mean(), cols[one].mean()] for one in ink])
    # a print may be off the middle of its cube by 0.035 edges, 1.3 px
    assert np.abs(offsets).max() < 1.8
    assert np.abs(offsets.mean(axis=0)).max() < 0.6


def test_prints_are_as_wide_as_the_style_says_wherever_they_lie() -> None:
    board = Board.parse("####/####/####")
    shot = photograph(board, clear_scene(board), np.random.default_rng(1))
    sides = np.sqrt(ink_of(cells_of(shot)).sum(axis=(1, 2)))
    # 0.5 edges of 0.9 cells of 40 px, 18 px, less the margin of the mask
    assert sides.min() > 15.0
    assert sides.max() < 18.5


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_turns_are_counter_clockwise_as_the_crop_shows_them(quarter: int) -> None:
    board = Board.parse("FFF/FFF")
    scene = clear_scene(board)
    upright = photograph(board, scene, np.random.default_rng(1), turns=np.zeros((2, 3)))
    turned = photograph(
        board, scene, np.random.default_rng(1), turns=np.full((2, 3), 90.0 * quarter)
    )
    assert turned.turns == ((90.0 * quarter,) * 3,) * 2
    before = ink_of(cells_of(upright)).mean(axis=0)
    after = ink_of(cells_of(turned)).mean(axis=0)
    overlaps = [float((np.rot90(before, one) * after).sum()) for one in range(4)]
    assert int(np.argmax(overlaps)) == quarter


def test_a_missing_cube_shows_the_floor() -> None:
    board = Board.parse("#_/##")
    shot = photograph(board, clear_scene(board), np.random.default_rng(1))
    amounts = ink_of(cells_of(shot)).sum(axis=(1, 2))
    assert amounts[1] == 0
    assert min(amounts[[0, 2, 3]]) > 100
    assert shot.turns[0][1] == 0.0


@settings(max_examples=15, deadline=None)
@given(
    rows=st.integers(1, 7),
    cols=st.integers(1, 7),
    seed=st.integers(0, 2**32),
    variety=st.floats(0, 1),
)
def test_any_board_lies_wholly_in_its_photo(
    rows: int, cols: int, seed: int, variety: float
) -> None:
    rng = np.random.default_rng(seed)
    board = Board.from_faces(rng.choice(["A", "Qu", "#", MISSING], (rows, cols)).tolist())
    options = replace(SMALL, variety=variety, max_tilt=45.0)
    shot = render_tray(board, rng, options)
    assert shot.photo.shape == (360, 480, 3)
    assert shot.photo.dtype == np.uint8
    corners = np.array(shot.corners_px)
    assert (corners > 0).all()
    assert (corners < [480, 360]).all()
    assert [len(row) for row in shot.turns] == [cols] * rows
    assert all(0 <= turn < 360 for row in shot.turns for turn in row)


@pytest.mark.parametrize("seed", range(8))
def test_the_board_stays_upright_within_the_yaw_allowed(seed: int) -> None:
    board = Board.parse("AB/CD")
    shot = render_tray(board, np.random.default_rng(seed), replace(SMALL, max_yaw=10, max_tilt=10))
    (left, top), (right, other), *_ = shot.corners_px
    assert abs(np.degrees(np.arctan2(other - top, right - left))) < 15


def test_further_photos_of_a_tray_differ_by_the_cubes_alone() -> None:
    board = Board.parse("AB/CD")
    first = render_tray(board, np.random.default_rng(2), SMALL)
    again = photograph(Board.parse("EF/GH"), first.scene, np.random.default_rng(9))
    np.testing.assert_allclose(first.corners_px, again.corners_px)
    assert not np.array_equal(first.photo, again.photo)


def shot_of(board: Board, scene: Scene) -> Shot:
    return shoot(board, scene, np.zeros((board.rows, board.cols)), np.random.default_rng(1))


def test_corners_follow_the_distortion_of_the_lens() -> None:
    board = Board.parse("####/####/####")
    aside = replace(OBLIQUE, tilt=10.0, pitch_px=40.0, centre_px=(350.0, 250.0))
    scene = replace(clear_scene(board), pose=aside)
    bent_scene = replace(scene, lens=replace(CLEAR_LENS, distortion=0.15))
    plain, bent = (photograph(board, one, np.random.default_rng(1)) for one in (scene, bent_scene))
    followed = np.abs(middle_offsets(bent)).mean()
    assert followed < 1.5
    assert np.abs(middle_offsets(replace(bent, corners_px=plain.corners_px))).mean() > 3 * followed


def middle_offsets(shot: RenderedTray) -> NDArray[np.float64]:
    """How far the red blanks lie from the middles of their crops, pixels (cells, 2)."""
    rows, cols = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    return np.array([[rows[one].mean(), cols[one].mean()] for one in ink_of(cells_of(shot))])


@pytest.mark.parametrize("towards", [0.0, 90.0, 200.0])
def test_the_lid_of_a_cocked_cube_is_not_level_and_looks_where_it_leans(towards: float) -> None:
    board = Board.parse("A#/EF")
    scene = clear_scene(board)
    flat, cocked = (
        placed(
            board,
            scene.cubes,
            scene.tray,
            np.zeros((2, 2)),
            np.random.default_rng(1),
            postures=postures,
        )[1]
        for postures in ({}, {(0, 1): Posture(30.0, towards)})
    )
    up = -cocked.axes[:, 2]
    assert np.degrees(np.arccos(-up[2])) == pytest.approx(30, abs=3)
    assert np.degrees(np.arctan2(up[1], up[0])) % 360 == pytest.approx(towards, abs=6) or (
        towards == 0.0 and up[0] > 0.4
    )
    assert np.ptp(flat.side(np.eye(2) - 0.5, np.array([0, 0, -1.0]))[:, 2]) < 0.05
    lowest = cocked.foot[:, 2].max()
    assert lowest == pytest.approx(0.0, abs=0.02)
    assert cocked.centre[2] < flat.centre[2]


def test_a_cocked_cube_shows_less_of_its_lid_than_its_neighbours() -> None:
    board = Board.parse("###/###/###")
    scene = replace(clear_scene(board), postures={(1, 1): Posture(38.0, 250.0)})
    shot = shot_of(board, scene)
    assert shot.cocked == {(1, 1)}
    assert not shot.stacked
    amounts = ink_of(cells_of(photograph(board, scene, np.random.default_rng(1)))).sum(axis=(1, 2))
    assert amounts[4] < 0.9 * np.delete(amounts, 4).min()


def test_a_stacked_cube_stands_on_another_and_looks_larger() -> None:
    board = Board.parse("###/###/###")
    scene = clear_scene(board)
    postures = {(1, 1): Posture(lift=1.0)}
    rng = np.random.default_rng(1)
    cubes = placed(board, scene.cubes, scene.tray, np.zeros((3, 3)), rng, postures=postures)
    (below,) = supports(cubes, postures, rng)
    assert cubes[4].centre[2] - below.centre[2] == pytest.approx(-0.9, abs=0.02)
    straight = replace(scene, pose=replace(OBLIQUE, tilt=0.0), postures=postures)
    shot = photograph(board, straight, np.random.default_rng(1))
    amounts = ink_of(cells_of(shot)).sum(axis=(1, 2))
    assert amounts[4] > 1.1 * np.delete(amounts, 4).max()
    assert shot_of(board, straight).stacked == {(1, 1)}


def test_a_hand_covers_the_prints_below_it_alone() -> None:
    board = Board.parse("###/###/###")
    finger = Finger(root=(4.0, 0.5), joint=(2.5, 0.5), tip=(0.6, 0.5), width=1.1)
    hand = Hand((200, 150, 120), (finger,), palm=(6.0, 0.5), elbow=(9.0, 0.5), palm_width=3.0)
    straight = replace(OBLIQUE, tilt=0.0, distance=40.0)
    scene = replace(clear_scene(board), pose=straight, hand=hand)
    shot = shot_of(board, scene)
    assert shot.covered[0].min() > 0.9
    assert shot.covered[1:].max() == 0
    camera = Camera(straight, (1.5, 1.5, -0.9))
    x, y = camera.project(np.array([1.5, 0.5, -1.5])).astype(int)
    red, green, blue = shot.photo[y, x].astype(int)
    assert red > green > blue > 60


def test_an_engraved_print_has_a_lit_and_a_dark_edge() -> None:
    board = Board.parse("HHH/HHH")
    scene = clear_scene(board)
    body = np.array(scene.cubes[0].body) * 0.7
    cube = replace(scene.cubes[0], body=tuple(body.tolist()), ink=tuple((0.9 * body).tolist()))
    plain, sunk = (
        photograph(
            board,
            replace(scene, cubes=(replace(cube, engraved=depth),) * 6),
            np.random.default_rng(1),
        )
        for depth in (0.0, 0.03)
    )
    before, after = (cells_of(shot)[:, 12:36, 12:36].mean(axis=3) for shot in (plain, sunk))
    assert after.min() < before.min() - 20
    assert after.max() > before.max() + 5


def test_blanks_have_a_colour_of_their_own() -> None:
    board = Board.parse("#A/B#")
    scene = clear_scene(board)
    cubes = (replace(scene.cubes[0], blank_ink=(20, 40, 200)),) * 4
    shot = photograph(board, replace(scene, cubes=cubes), np.random.default_rng(1))
    middles = cells_of(shot)[:, 20:28, 20:28].reshape(4, -1, 3).astype(int).mean(axis=1)
    assert (middles[[0, 3], 2] > 150).all()
    assert (middles[[0, 3], 0] < 80).all()
    assert ink_of(cells_of(shot)).sum(axis=(1, 2))[[1, 2]].min() > 20


def test_what_lies_on_the_table_leaves_the_cubes_as_they_are() -> None:
    board = Board.parse("AB/CD")
    phone = Thing("slab", (220, 30, 30), place=(-2.2, 1.0), size=(2.0, 3.0), turn=20.0)
    scene = clear_scene(board)
    shots = [
        photograph(board, replace(scene, clutter=things), np.random.default_rng(4))
        for things in ((phone,), ())
    ]
    with_phone, without = (cells_of(shot)[:, 10:38, 10:38] for shot in shots)
    np.testing.assert_array_equal(with_phone, without)
    assert (np.abs(shots[0].photo.astype(int) - shots[1].photo).max(axis=2) > 60).sum() > 500
