"""How cubes lie: the features, the net on rendered trays, and its weights."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Cell
from scoring.cubes import cube_set
from vision.flatness import (
    COCKED,
    FEATURES,
    FLAT,
    SYMMETRIES,
    WINDOW_PX,
    FlatnessNet,
    Pose,
    cell_windows,
    features_of,
)
from vision.nets import WeightsError
from vision.rectify import board_to_photo, rectified
from vision.render.cubes import Posture
from vision.render.tray import PhotoOptions, photograph, render_tray
from vision.training.flatness import Cells, draw, figures, fit

Sheet = NDArray[np.uint8]
SURE = np.ones(16)
CELL = (1, 2)


@pytest.fixture(scope="session")
def net() -> FlatnessNet:
    return FlatnessNet.load()


@cache
def sheet(seed: int, postures: tuple[tuple[Cell, Posture], ...] = ()) -> Sheet:
    """A rectified tray, calm and seen from nearly above."""
    options = PhotoOptions(size=(640, 480), variety=0.1, max_tilt=12, share=(0.7, 0.8))
    board = cube_set("classic_4x4").roll(random.Random(seed))
    shot = render_tray(board, np.random.default_rng(seed), options)
    scene = replace(shot.scene, postures=dict(postures))
    again = photograph(board, scene, np.random.default_rng(seed + 1))
    return rectified(again.photo, board_to_photo(again.corners_px, 4, 4), 4, 4)


def pose_of(net: FlatnessNet, posture: Posture, seed: int) -> Pose:
    return net.poses(sheet(seed, ((CELL, posture),)), 4, 4, SURE)[4 * CELL[0] + CELL[1]]


@pytest.mark.parametrize("side", range(8))
def test_features_of_a_cell_turned_or_mirrored_are_the_same_in_another_order(side: int) -> None:
    windows = np.random.default_rng(1).uniform(-0.5, 0.5, (2, WINDOW_PX, WINDOW_PX))
    shown = windows[:, :, ::-1] if side >= 4 else windows
    seen = np.ascontiguousarray(np.rot90(shown, side % 4, (1, 2)), np.float32)
    expected = features_of(windows.astype(np.float32))[:, SYMMETRIES[side]]
    assert np.allclose(features_of(seen), expected, atol=1e-5)


def test_light_and_contrast_of_the_picture_are_nothing() -> None:
    darker = (sheet(1) * 0.6 + 20).astype(np.uint8)
    away = np.abs(cell_windows(sheet(1), 4, 4) - cell_windows(darker, 4, 4))
    assert np.percentile(away, 99) < 0.05


def test_flat_cubes_are_called_flat_and_none_cocked(net: FlatnessNet) -> None:
    poses = [pose for seed in range(6) for pose in net.poses(sheet(seed), 4, 4, SURE)]
    assert poses.count(Pose.COCKED) == 0
    assert poses.count(Pose.FLAT) > 0.9 * len(poses)


@pytest.mark.parametrize("lean", [30.0, 40.0])
def test_a_cube_that_leans_is_named_and_never_flat(lean: float, net: FlatnessNet) -> None:
    directions = np.linspace(0, 315, 8)
    found = [pose_of(net, Posture(lean, turn, 0.0), seed) for seed, turn in enumerate(directions)]
    assert Pose.FLAT not in found
    assert found.count(Pose.COCKED) >= 6


def test_a_cube_on_another_is_not_flat(net: FlatnessNet) -> None:
    found = [pose_of(net, Posture(lift=1.0), seed) for seed in range(4)]
    assert Pose.FLAT not in found


def test_beside_a_cocked_cube_no_other_is_blamed(net: FlatnessNet) -> None:
    for seed, turn in enumerate((20.0, 110.0, 200.0, 290.0)):
        poses = net.poses(sheet(seed, ((CELL, Posture(35.0, turn, 0.0)),)), 4, 4, SURE)
        blamed = [divmod(place, 4) for place, pose in enumerate(poses) if pose is Pose.COCKED]
        assert blamed in ([CELL], [])


def test_without_a_sure_face_nothing_is_flat(net: FlatnessNet) -> None:
    assert Pose.FLAT not in net.poses(sheet(1), 4, 4, np.full(16, 0.5))


def test_a_cell_without_a_cube_is_not_cocked(net: FlatnessNet) -> None:
    leaning = sheet(2, ((CELL, Posture(35.0, 110.0, 0.0)),))
    assert Pose.COCKED in net.poses(leaning, 4, 4, SURE)
    assert Pose.COCKED not in net.poses(leaning, 4, 4, np.zeros(16))


def test_a_picture_without_anything_can_be_judged(net: FlatnessNet) -> None:
    plain = np.full(sheet(1).shape, 128, np.uint8)
    assert len(net.poses(plain, 4, 4, SURE)) == 16


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04broken"])
def test_damaged_weights_are_told(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "flatness.npz").write_bytes(content)
    with pytest.raises(WeightsError, match="cannot be read"):
        FlatnessNet.load(tmp_path / "flatness.npz")
    with pytest.raises(WeightsError, match="cannot be read"):
        FlatnessNet.load(tmp_path / "none.npz")


# Training


def test_the_same_trays_are_drawn_again() -> None:
    one, two = draw(range(2)), draw(range(2))
    assert one.features.shape == (len(one.leans), FEATURES)
    assert 30 < len(one.leans) <= 25 + 16
    assert np.array_equal(one.features, two.features)
    assert np.array_equal(one.leans, two.leans)
    assert (one.leans > 0).any()


def test_training_learns_what_can_be_learnt() -> None:
    rng = np.random.default_rng(0)
    leans = np.where(rng.random(2000) < 0.3, 40.0, 0.0).astype(np.float32)
    features = rng.normal(0, 1, (2000, FEATURES)).astype(np.float32)
    features[leans > 0, 8::9] += 1.0  # lighter all over
    cells = Cells(features, leans)
    half = np.arange(2000) < 1000
    net = fit(cells.picked(half), np.random.default_rng(1), passes=20)
    measured = figures(net, cells.picked(~half), FLAT, COCKED)
    assert measured["leaning by 30-40°, called flat"] < 0.02
    assert measured["flat, called cocked"] < 0.02
