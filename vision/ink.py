"""Print told from cubes by any colour: grey on yellow, cyan on pink, as well as black on white.

A classifier that sees brightness first overlooks print as light as its cube. Seen along the colour
in which print and cubes differ most, it is as plain as any.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import CROP_PX, RING

_PRINT = 11  # pixels from a crop's middle within which a lid is printed on
_LID = 14  # and within which it ends: between the two it is bare
_LEVELS = (20.0, 235.0)  # grey of all but the most extreme hundredths

INK_SPAN = _LEVELS[1] - _LEVELS[0]
"""Grey levels from print to lid."""


def in_ink(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Crops as grey pictures of dark print on light cubes.

    All are seen along one direction of colour: the one in which the lids of the board vary most,
    each about its own mean.

    Args:
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), RGB, as of `vision.rectify.cut_cells`.

    Returns:
        The same shape; red, green and blue alike.
    """
    colours = _lab(crops)
    middles = _middles(colours, _PRINT).reshape(-1, (2 * _PRINT) ** 2, 3)
    away = (middles - middles.mean(axis=1, keepdims=True)).reshape(-1, 3)
    levels = colours @ np.linalg.eigh(away.T @ away)[1][:, -1].astype(np.float32)
    lids = _middles(levels, _LID)
    low, high = np.percentile(lids, [1, 99])
    grey = np.interp(levels, [low, high], _LEVELS[:: -1 if _is_light(lids) else 1])
    return np.repeat(grey.astype(np.uint8)[..., None], 3, axis=-1)


def _is_light(lids: NDArray[np.float32]) -> bool:
    """Whether the print on most lids (rows, cols, side, side) is lighter than they are bare."""
    bare = np.ones(lids.shape[2:], np.bool_)
    edge = _LID - _PRINT
    bare[edge:-edge, edge:-edge] = False
    printed = lids[:, :, ~bare].mean(axis=2) - np.median(lids[:, :, bare], axis=2)
    return bool(np.median(printed) > 0)


def _lab(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    column = crops.reshape(-1, CROP_PX, 3).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(column, cv2.COLOR_RGB2LAB), np.float32).reshape(crops.shape)


def _middles(values: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """The middles of the board's cells, without the ring around it."""
    own = slice(CROP_PX // 2 - reach, CROP_PX // 2 + reach)
    return values[RING:-RING, RING:-RING, own, own]
