"""The parts of a render: camera, meshes, prints, typefaces, light and lens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cubes import all_faces
from vision.render import mesh
from vision.render.camera import Camera, Pose
from vision.render.finishes import over_print, under_print
from vision.render.glyphs import print_mask
from vision.render.lens import (
    Glare,
    Lens,
    Light,
    ShadowEdge,
    bent,
    bent_points,
    captured,
    lit,
    random_light,
)
from vision.render.styles import CubeStyle, MarkStyle, random_cube
from vision.render.textures import random_table, texture
from vision.render.typefaces import shipped_typefaces

STRAIGHT = Pose(0.0, 0.0, 0.0, 10.0, 50.0, (100.0, 80.0))
EVEN = Light(0, 60, 0.5, 1.0, (1, 1, 1), 0.0, 0.0, None, ())
CLEAR = Lens(0.0, 0.0, 0.0, 0.0, 0.0, None)
GREY = np.full((60, 80, 3), 120, np.uint8)
NO_MARK = MarkStyle("solid", 0.1, 0.1, 1.0, frozenset())


def cube(mark: MarkStyle = NO_MARK) -> CubeStyle:
    return replace(random_cube(np.random.default_rng(0), shipped_typefaces(), 0.0), mark=mark)


@given(tilt=st.floats(0, 60), azimuth=st.floats(0, 360), yaw=st.floats(-180, 180))
def test_the_target_is_seen_at_its_place_from_anywhere(
    tilt: float, azimuth: float, yaw: float
) -> None:
    pose = replace(STRAIGHT, tilt=tilt, azimuth=azimuth, yaw=yaw)
    camera = Camera(pose, (2.0, 3.0, -0.9))
    np.testing.assert_allclose(camera.project(np.array([2.0, 3.0, -0.9])), (100, 80), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(camera.position - [2, 3, -0.9]), 10)


def test_a_cell_is_as_wide_as_the_pitch_and_turns_counter_clockwise() -> None:
    target = (2.0, 2.0, 0.0)
    beside = np.array([3.0, 2.0, 0.0])
    np.testing.assert_allclose(Camera(STRAIGHT, target).project(beside), (150, 80))
    turned = Camera(replace(STRAIGHT, yaw=90.0), target)
    np.testing.assert_allclose(turned.project(beside), (100, 30), atol=1e-9)


def test_the_camera_stands_where_its_azimuth_says() -> None:
    camera = Camera(replace(STRAIGHT, tilt=30.0, azimuth=90.0), (0.0, 0.0, 0.0))
    np.testing.assert_allclose(camera.position, (0, 5, -10 * np.cos(np.pi / 6)), atol=1e-9)


@pytest.mark.parametrize(
    "solid",
    [
        mesh.rounded_cube(0.3, 0.1, 3),
        mesh.unit_box(),
    ],
    ids=["rounded cube", "box"],
)
def test_normals_of_convex_solids_point_outside(solid: mesh.Mesh) -> None:
    middles = solid.vertices[solid.quads].mean(axis=1)
    inside = solid.vertices.mean(axis=0)
    outwards = np.einsum("ij,ij->i", middles - inside, solid.normals)
    real = np.linalg.norm(solid.normals, axis=1) > 0.5
    assert (outwards[real] > 0).all()


def test_a_cube_has_edges_of_length_one_and_a_level_lid() -> None:
    solid = mesh.rounded_cube(0.25, 0.1, 4)
    np.testing.assert_allclose(np.ptp(solid.vertices, axis=0), 1.0)
    np.testing.assert_allclose(solid.vertices[solid.lid, 2], -0.5)


def test_the_rim_leaves_the_cells_free() -> None:
    rim = mesh.frame((4, 3), gap=0.1, width=0.3, height=0.5, corner=0.05)
    np.testing.assert_allclose(rim.vertices[:, 0].min(), -0.4)
    np.testing.assert_allclose(rim.vertices[:, 0].max(), 4.4)
    inside = np.all((rim.vertices[:, :2] > 0) & (rim.vertices[:, :2] < [4, 3]), axis=1)
    assert not inside.any()


@pytest.mark.parametrize("typeface", shipped_typefaces().faces, ids=lambda one: one.path[-24:])
def test_shipped_typefaces_tell_all_faces_apart(typeface: object) -> None:
    style = replace(cube(), typeface=typeface)  # type: ignore[arg-type]
    masks = {print_mask(face, style, 40).tobytes() for face in all_faces()}
    assert len(masks) == len(all_faces())


@pytest.mark.parametrize("kind", ["solid", "short", "double", "dash", "dots"])
def test_a_mark_is_printed_below_its_letters_alone(kind: str) -> None:
    mark = MarkStyle(kind, 0.15, 0.1, 0.9, frozenset("M"))  # type: ignore[arg-type]
    plain, marked = print_mask("M", cube(), 60), print_mask("M", cube(mark), 60)
    np.testing.assert_array_equal(print_mask("A", cube(), 60), print_mask("A", cube(mark), 60))
    foot = plain.shape[0]
    assert marked.shape[0] > foot
    assert marked[foot:].max() == 255
    np.testing.assert_array_equal(marked[: foot - 2].max(axis=0), plain[: foot - 2].max(axis=0))


def test_letters_are_as_high_as_asked_for() -> None:
    for size in (24, 48, 96):
        ink = np.flatnonzero(print_mask("H", cube(), size).max(axis=1) > 128)
        assert abs(np.ptp(ink) + 1 - size) <= 2


def test_even_light_and_a_clear_lens_change_nothing() -> None:
    rng = np.random.default_rng(0)
    photo = rng.integers(0, 256, (60, 80, 3), np.uint8)
    np.testing.assert_array_equal(captured(lit(photo, EVEN), CLEAR, rng), photo)


def test_a_shadow_takes_its_share_of_the_light_on_its_side() -> None:
    shadow = ShadowEdge(angle=0.0, offset=0.0, softness=0.01, strength=0.5)
    scene = lit(GREY, replace(EVEN, shadow=shadow))
    np.testing.assert_allclose(scene[:, :30], 120, atol=1)
    np.testing.assert_allclose(scene[:, 50:], 60, atol=1)


def test_glare_is_white_in_its_middle() -> None:
    scene = lit(GREY, replace(EVEN, glares=(Glare(0.5, 0.375, 0.1, 1.0),)))
    assert scene[30, 40].min() > 235
    np.testing.assert_allclose(scene[2, 2], 120, atol=1)


def test_grain_has_the_spread_asked_for() -> None:
    large = np.full((300, 300, 3), 120, np.float32)
    noisy = captured(large, replace(CLEAR, grain=9.0), np.random.default_rng(1))
    assert noisy.std() == pytest.approx(9.0, rel=0.1)


@pytest.mark.parametrize(
    "lens", [replace(CLEAR, focus_px=3.0), replace(CLEAR, motion_px=12.0, motion_angle=20.0)]
)
def test_blur_keeps_the_brightness_and_softens_edges(lens: Lens) -> None:
    halves = np.zeros((60, 80, 3), np.float32)
    halves[:, 40:] = 200
    blurred = captured(halves, lens, np.random.default_rng(0)).astype(float)
    assert blurred.mean() == pytest.approx(100, abs=2)
    assert np.abs(np.diff(blurred, axis=1)).max() < 60


def test_compression_keeps_the_picture_about_as_it_was() -> None:
    ramp = np.broadcast_to(np.linspace(0, 255, 80)[None, :, None], (60, 80, 3))
    kept = captured(ramp.astype(np.float32), replace(CLEAR, quality=90), np.random.default_rng(0))
    np.testing.assert_allclose(kept, ramp, atol=6)


@pytest.mark.parametrize("seed", range(6))
def test_table_tops_have_about_their_colour(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style = random_table(rng)
    top = texture(style, rng, 128)
    assert top.shape == (128, 128, 3)
    np.testing.assert_allclose(top.mean(axis=(0, 1)), style.colour, rtol=0.25, atol=12)


@given(
    x=st.integers(5, 74),
    y=st.integers(5, 54),
    distortion=st.floats(-0.05, 0.1, allow_subnormal=False),
)
def test_points_move_as_the_lens_bends_the_photo(x: int, y: int, distortion: float) -> None:
    photo = np.zeros((60, 80, 3), np.uint8)
    photo[y - 1 : y + 2, x - 1 : x + 2] = 255
    lens = replace(CLEAR, distortion=distortion)
    rows, cols = np.nonzero(bent(photo, lens)[..., 0] > 100)
    seen = np.array([cols.mean() + 0.5, rows.mean() + 0.5])
    expected = bent_points(np.array([x + 0.5, y + 0.5]), (80, 60), lens)
    assert np.abs(seen - expected).max() < 0.8


def test_a_wide_angle_draws_the_corners_in() -> None:
    corner = bent_points(np.array([80.0, 60.0]), (80, 60), replace(CLEAR, distortion=0.1))
    assert (corner < [78, 58]).all()
    middle = bent_points(np.array([40.0, 30.0]), (80, 60), replace(CLEAR, distortion=0.1))
    np.testing.assert_allclose(middle, (40, 30))


@pytest.mark.parametrize(
    ("finish", "grime", "below", "above"),
    [("plastic", 0.0, 0, 0), ("plastic", 0.8, 1, 1), ("wood", 0.0, 1, 0), ("gloss", 0.0, 0, 1)],
)
def test_each_finish_has_its_coats(finish: str, grime: float, below: int, above: int) -> None:
    style = replace(cube(), finish=finish, grime=grime)  # type: ignore[arg-type]
    under, over = (coats(style, np.random.default_rng(1)) for coats in (under_print, over_print))
    assert (len(under), len(over)) == (below, above)
    for mask, ink in under + over:
        assert mask.max() > 20
        assert mask[[0, 0, -1, -1], [0, -1, 0, -1]].max() == 0  # nothing on the rounded corners
        assert ((ink >= 0) & (ink <= 255)).all()


def test_pearl_is_clouded_in_two_tones_and_shines() -> None:
    style = replace(cube(), finish="pearl")
    assert len(under_print(style, np.random.default_rng(1))) == 2
    assert len(over_print(style, np.random.default_rng(1))) == 1


def test_worn_sets_show_every_finish_and_good_ones_are_plain() -> None:
    rng = np.random.default_rng(2)
    odd = [random_cube(rng, shipped_typefaces(), 1.0) for _ in range(200)]
    assert {one.finish for one in odd} == {"plastic", "gloss", "pearl", "wood"}
    assert any(one.engraved for one in odd)
    assert any(one.blank_ink != one.ink for one in odd)
    good = [random_cube(rng, shipped_typefaces(), 0.0) for _ in range(50)]
    assert all(one.finish == "plastic" and not one.grime for one in good)


def test_print_on_wood_is_dark() -> None:
    rng = np.random.default_rng(3)
    cubes = [random_cube(rng, shipped_typefaces(), 1.0) for _ in range(300)]
    wood = [one for one in cubes if one.finish == "wood"]
    assert wood
    assert all(max(one.ink) <= 111 < min(130, max(one.body)) for one in wood)


@pytest.mark.parametrize("seed", range(6))
def test_busy_tables_have_edges_all_over(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style = random_table(rng, busy=1.0)
    assert style.kind in {"gingham", "newspaper", "chessboard"}
    top = texture(style, rng, 256).astype(int).mean(axis=2)
    quarters = [np.abs(np.diff(one, axis=1)).max() for one in (top[:128], top[128:])]
    assert min(quarters) > 30


def test_a_table_keeps_its_seed_beside_busy_ones() -> None:
    calm = random_table(np.random.default_rng(5), busy=0.0)
    busy = random_table(np.random.default_rng(5), busy=1e-9)
    assert calm == busy


def test_coloured_lamps_are_met_in_hard_scenes_alone() -> None:
    casts = {
        variety: [random_light(np.random.default_rng(seed), variety).cast for seed in range(120)]
        for variety in (0.0, 1.0)
    }
    spread = {variety: max(max(c) - min(c) for c in found) for variety, found in casts.items()}
    assert spread[0.0] < 0.2
    assert spread[1.0] > 0.4
