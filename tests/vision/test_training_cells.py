"""Training of the net that finds cells: its photos, its targets, itself."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install wordtray[train]")
pytest.importorskip("onnx", reason="onnx is not installed: pip install wordtray[train]")

from vision.blobs import Spots  # noqa: E402 - only where torch is there
from vision.cell_finder import CellFinder, normalised, spots_of  # noqa: E402
from vision.render.typefaces import shipped_typefaces  # noqa: E402
from vision.training.cell_figures import found_cells  # noqa: E402
from vision.training.cell_fit import CellPlan, altered, fit_cells  # noqa: E402
from vision.training.cell_net import CellNet, export, loss_of, targets_of  # noqa: E402
from vision.training.cell_photos import (  # noqa: E402
    CellPhoto,
    StoredPhotos,
    cells_of,
    draw_photo,
    store_photos,
)

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

CELLS = np.array([[30.0, 50.0, 24.0], [54.0, 51.0, 24.0], [81.0, 21.5, 16.0]], np.float32)


def test_the_net_is_small() -> None:
    assert sum(one.numel() for one in CellNet().parameters()) < 200_000


def test_opencv_runs_the_exported_net_as_torch_does_at_any_size(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = CellNet().eval()
    export(net, tmp_path / "cells.onnx")
    finder = CellFinder(tmp_path / "cells.onnx")
    for shape in ((96, 64), (80, 160)):
        picture = np.random.default_rng(1).integers(0, 256, (*shape, 3), np.uint8)
        with torch.no_grad():
            told = net(torch.from_numpy(normalised(picture))[None])[0].numpy()
        told[0] += 3  # a fresh net takes nothing for a cell
        assert len(spots_of(told).places)
        found = finder._told(picture)
        np.testing.assert_allclose(found[1:], told[1:], atol=1e-3)


def test_targets_say_where_the_cells_are() -> None:
    targets = targets_of(CELLS, (96, 112))
    targets[0] = np.log(targets[0].clip(1e-6, 1 - 1e-6) / (1 - targets[0].clip(1e-6, 1 - 1e-6)))
    spots = spots_of(targets)
    order = np.argsort(spots.places[:, 0])
    np.testing.assert_allclose(spots.places[order], CELLS[:, :2], atol=1e-3)
    np.testing.assert_allclose(spots.sizes[order], CELLS[:, 2], rtol=1e-3)


def test_without_cells_there_is_no_heat() -> None:
    assert not targets_of(np.zeros((0, 3), np.float32), (64, 64)).any()


def test_the_loss_is_least_for_the_truth() -> None:
    goal = torch.from_numpy(targets_of(CELLS, (96, 112)))[None]
    told = goal.clone()
    told[:, 0] = torch.logit(goal[:, 0].clamp(1e-4, 1 - 1e-4))
    missed, moved = told.clone(), told.clone()
    missed[:, 0] = -9
    moved[:, 1] += 0.5
    assert loss_of(told, goal) < 0.5 * min(loss_of(missed, goal), loss_of(moved, goal))


def test_cells_go_with_a_photo_that_is_turned_and_scaled() -> None:
    photo = np.zeros((300, 400, 3), np.uint8)
    cells = np.array([[x, y, 30] for x in (120, 200, 280) for y in (90, 210)], np.float32)
    for x, y, _ in cells.tolist():
        cv2.circle(photo, (round(x), round(y)), 8, (255, 255, 255), -1)
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(20):
        picture, found = altered(CellPhoto(photo, cells), rng, 320)
        assert picture.shape == (320, 320, 3)
        light = picture.mean(axis=2)
        at = found[:, :2].astype(int)
        seen += len(at)
        assert (light[at[:, 1], at[:, 0]] >= np.percentile(light, 80)).all()
    assert seen > 40


def test_the_cells_of_a_board_are_a_step_apart() -> None:
    cells = cells_of(np.diag([20.0, 20.0, 1.0]), 2, 3)
    np.testing.assert_allclose(cells[:, :2], [[x, y] for y in (10, 30) for x in (10, 30, 50)])
    np.testing.assert_allclose(cells[:, 2], 20)


def test_photos_are_drawn_alike_and_some_show_no_tray() -> None:
    photos = [draw_photo((number,), shipped_typefaces()) for number in range(8)]
    again = draw_photo((3,), shipped_typefaces())
    np.testing.assert_array_equal(photos[3].photo, again.photo)
    np.testing.assert_array_equal(photos[3].cells, again.cells)
    assert {len(each.cells) for each in photos} <= {0, 9, 16, 25, 36}
    assert 1 <= sum(not len(each.cells) for each in photos) <= 4
    for each in photos:
        assert max(each.photo.shape) == 640
        height, width = each.photo.shape[:2]
        assert ((each.cells[:, :2] > 0) & (each.cells[:, :2] < (width, height))).all()


def test_a_few_steps_on_stored_photos_lessen_the_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.training.cell_photos.BLOCK", 4)
    for block in (0, 1, 1):
        store_photos(tmp_path, block, 77, shipped_typefaces())
    stored = StoredPhotos(tmp_path)
    assert len(stored) == 8
    expected = draw_photo((82,), shipped_typefaces())
    np.testing.assert_array_equal(stored[5].photo, expected.photo)
    np.testing.assert_array_equal(stored[5].cells, expected.cells)
    for name, value in (("_REPORTED", 10), ("_CROP", 96), ("_BATCH", 6), ("_WARM_UP", 1)):
        monkeypatch.setattr(f"vision.training.cell_fit.{name}", value)
    losses: list[float] = []
    fit_cells(CellPlan(tmp_path, steps=30, workers=0), lambda _, loss: losses.append(loss))
    assert losses[-1] < losses[0]


def test_a_find_belongs_to_a_cell_if_it_is_near_its_middle() -> None:
    places = np.array([[31.0, 50.0], [54.0, 58.0]])
    spots = Spots(places, np.full(2, 24.0), np.ones(2))
    assert found_cells(spots, CELLS).tolist() == [True, False, False]
