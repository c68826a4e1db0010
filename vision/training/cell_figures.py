"""How many cells a finder finds in fresh photos, and how many that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.blobs import Spots
from vision.cell_finder import CellFinder
from vision.render.typefaces import Typefaces
from vision.training.cell_photos import draw_photo

_NEAR = 0.25  # of a cell: how far off its middle a find may be


def figures_on(
    weights: Path, seed: int, typefaces: Typefaces, count: int = 400
) -> dict[str, float]:
    """What weights find in photos of seeds from one on.

    Returns:
        The share of the cells that are found, and what else is found for each photo.
    """
    finder = CellFinder(weights)
    cells = found = others = 0
    for number in range(seed, seed + count):
        sample = draw_photo((number,), typefaces)
        spots = finder.spots(sample.photo, 0.0)
        hits = found_cells(spots, sample.cells)
        cells, found = cells + len(hits), found + int(hits.sum())
        others += len(spots.places) - int(hits.sum())
    return {
        "photos": count,
        "cells found": round(found / max(cells, 1), 4),
        "others a photo": round(others / count, 2),
    }


def found_cells(spots: Spots, cells: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which cells (n, 3), as of `vision.training.cell_photos.CellPhoto`, a spot lies on: (n,)."""
    away = np.linalg.norm(spots.places[None] - cells[:, None, :2], axis=2)
    nearest = away.min(axis=1, initial=np.inf)
    return np.asarray(nearest < _NEAR * cells[:, 2], np.bool_)
