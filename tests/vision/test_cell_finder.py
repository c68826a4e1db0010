"""Cells of trays found by the net, and what is made of what it tells."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from scoring.cubes import cube_set
from vision.cell_finder import STRIDE, CellFinder, spots_of
from vision.lattice import apply
from vision.nets import WeightsError
from vision.rectify import board_to_photo
from vision.render.tray import PhotoOptions, render_tray

NOWHERE = -9.0  # logit


@pytest.fixture(scope="module")
def finder() -> CellFinder:
    return CellFinder()


def test_a_spot_is_where_the_net_is_surer_than_around() -> None:
    told = np.zeros((4, 10, 20), np.float32)
    told[0] = NOWHERE
    told[0, 3, 5:8] = -1, 2, 1
    told[:, 8, 15] = 3, 0.25, -0.5, np.log(6)
    spots = spots_of(told)
    np.testing.assert_allclose(spots.places, [[63.0, 32.0], [26.0, 14.0]])
    np.testing.assert_allclose(spots.sizes, [6 * STRIDE, STRIDE], rtol=1e-6)
    assert spots.counts[0] > spots.counts[1] > 2


def test_where_no_cell_is_likely_there_is_no_spot() -> None:
    assert len(spots_of(np.full((4, 8, 8), NOWHERE, np.float32)).places) == 0


@pytest.mark.parametrize("size", [(640, 480), (333, 451)])
def test_the_cells_of_a_tray_are_found(finder: CellFinder, size: tuple[int, int]) -> None:
    board = cube_set("classic_4x4").roll(random.Random(3))
    options = PhotoOptions(size, variety=0.1, max_tilt=15, share=(0.7, 0.8))
    shot = render_tray(board, np.random.default_rng(3), options)
    spots = finder.spots(shot.photo, 0.0)
    to_photo = board_to_photo(shot.corners_px, 4, 4)
    found = apply(np.linalg.inv(to_photo), spots.places[:16])
    off = np.abs(found - (np.floor(found) + 0.5)).max(axis=1)
    assert len({(int(x), int(y)) for x, y in found}) == 16
    assert ((found > 0) & (found < 4)).all()
    assert off.max() < 0.25
    assert len(finder.spots(shot.photo, 2 * float(spots.sizes.max())).places) == 0


@pytest.mark.parametrize("shape", [(16, 16), (90, 410)])
def test_an_empty_picture_has_no_cells(finder: CellFinder, shape: tuple[int, int]) -> None:
    assert len(finder.spots(np.full((*shape, 3), 120, np.uint8), 0.0).places) == 0


def test_damaged_weights_are_an_error_when_they_are_needed(tmp_path: Path) -> None:
    (tmp_path / "cells.onnx.gz").write_bytes(b"no net")
    finder = CellFinder(tmp_path / "cells.onnx.gz")
    with pytest.raises(WeightsError, match=r"cell finder.*cannot be read"):
        finder.spots(np.zeros((64, 64, 3), np.uint8), 0.0)


def test_the_shipped_weights_are_small() -> None:
    weights = Path(str(resources.files("vision.models") / "cells.onnx.gz"))
    assert weights.stat().st_size < 400_000


def test_threads_that_share_it_see_what_each_sees_alone(finder: CellFinder) -> None:
    rng = np.random.default_rng(8)
    pictures = [rng.integers(256, size=(96, 16 * n, 3), dtype=np.uint8) for n in (5, 9) * 6]
    alone = [finder.spots(picture, 1.0) for picture in pictures]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda picture: finder.spots(picture, 1.0), pictures))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one.places, other.places)
        np.testing.assert_array_equal(one.counts, other.counts)
