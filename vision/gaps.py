"""What lies where four cells meet: cubes are rounded and leave a hole, print at most two lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.rectify import CELL_PX, RING, sheet_of

LEAST_GAP = 0.21
"""Length in cells of the hole, from corner to corner, from which it is one between cubes.

Photographed trays have 0.29 and more, nearly all rendered ones 0.2; ruled lines 0.16 at most, and
0.19 where they are blurred and seen aslant. Blur widens hole and line alike, but the rounded
corners of cubes leave twice as much.
"""

_FAINTEST = 0.15  # of the contrast of the prints; paper without lines has 0.07
_REACH = CELL_PX // 5  # pixels to every side of the place where four cells meet
_BODY = 2  # outermost pixels of a diagonal, which show the bodies of the cubes


def gap_length(crops: NDArray[np.uint8]) -> float:
    """Length of the holes where four cells meet, along the diagonals, in cells; 0 without holes.

    It is that of a hole as different from the cells as this one is in its middle, but sharp.

    Args:
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), as of `vision.rectify.cut_cells`.
    """
    sheet = sheet_of(crops[RING:-RING, RING:-RING]).astype(np.float32)
    diagonals = _diagonals(sheet)
    ends = np.concatenate([diagonals[:, :_BODY], diagonals[:, -_BODY:]], axis=1)
    away = np.abs(diagonals - np.median(ends, axis=1, keepdims=True)).max(axis=2)[:, _BODY:-_BODY]
    heights = away.max(axis=1)
    if np.median(heights) < _FAINTEST * sheet.std():
        return 0.0
    lengths = away.sum(axis=1) / np.maximum(heights, 1)
    return float(np.median(lengths)) * 2**0.5 / CELL_PX


def _diagonals(sheet: NDArray[np.float32]) -> NDArray[np.float32]:
    """Both diagonals through each place where four cells meet: (2 · places, 2 · _REACH, 3)."""
    steps = np.arange(-_REACH, _REACH)
    rows, cols = (np.arange(CELL_PX, side, CELL_PX) for side in sheet.shape[:2])
    y, x = (places.ravel()[:, None] for places in np.meshgrid(rows, cols, indexing="ij"))
    return np.concatenate([sheet[y + steps, x + steps], sheet[y + steps, x - 1 - steps]])
