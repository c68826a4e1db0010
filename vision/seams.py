"""What runs between cells: gaps and roundings between cubes, a thin line or nothing in print."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.rectify import CELL_PX, CROP_PX, RING

NARROWEST_GAP = 0.12
"""Width in cells from which a seam is one between cubes.

Real trays have 0.15 and more, rendered ones mostly as much as this, ruled lines 0.03 to 0.11.
"""

_FAINTEST = 0.15  # of the contrast of the prints
_REACH = CELL_PX // 4  # pixels to either side of the seam that are looked at
_BODY = 3  # outermost of these, which show the bodies of the cubes
_MARGIN = (CROP_PX - CELL_PX) // 2


def seam_width(crops: NDArray[np.uint8]) -> float:
    """Width of the seams between neighbouring cells, in cells; 0 where there are hardly any.

    It is that of a seam as different from the cells as this one is in its middle, but sharp.

    Args:
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), as of `vision.rectify.cut_cells`.
    """
    cells = crops[RING:-RING, RING:-RING].astype(np.float32)
    profiles = np.concatenate([_profiles(cells), _profiles(cells.transpose(1, 0, 3, 2, 4))])
    ends = np.concatenate([profiles[:, :_BODY], profiles[:, -_BODY:]], axis=1)
    away = np.abs(profiles - np.median(ends, axis=1, keepdims=True)).max(axis=2)[:, _BODY:-_BODY]
    heights = away.max(axis=1)
    if np.median(heights) < _FAINTEST * cells.std(axis=(2, 3, 4)).mean():
        return 0.0
    return float(np.median(away.sum(axis=1) / np.maximum(heights, 1))) / CELL_PX


def _profiles(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Colours across each upright seam: (seams, 2 · _REACH, 3).

    Each is the median along the seam, which no print reaches all along.
    """
    along = slice(CROP_PX // 6, -CROP_PX // 6)
    right = CROP_PX - _MARGIN
    before = cells[:, :-1, along, right - _REACH : right]
    after = cells[:, 1:, along, _MARGIN : _MARGIN + _REACH]
    strips = np.median(np.concatenate([before, after], axis=3), axis=2)
    return np.asarray(strips.reshape(-1, 2 * _REACH, 3), np.float32)
