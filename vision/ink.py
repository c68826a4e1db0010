"""Print told from cubes by any colour: grey on yellow, cyan on pink, as well as black on white.

A classifier that sees brightness first overlooks print as light as its cube. Seen along the colour
in which print and cubes differ most, it is as plain as any.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import CELL_PX, CROP_PX, RING

_REACH = 12  # pixels from a crop's middle that show a lid and its print alone
_FACE = CELL_PX // 2 - 4  # pixels from a crop's middle that the lid takes
_DARKEST, _LIGHTEST = 20.0, 235.0  # grey levels of all but the most extreme hundredths


def in_ink(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Crops as grey pictures, most of what is printed dark on light cubes.

    All are seen along one direction of colour: the one in which the middles of the board's cells
    vary most, each about its own mean.

    Args:
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), RGB, as of `vision.rectify.cut_cells`.

    Returns:
        The same shape; red, green and blue alike.
    """
    colours = _lab(crops)
    middles = _middles(colours, _REACH).reshape(-1, (2 * _REACH) ** 2, 3)
    away = middles - middles.mean(axis=1, keepdims=True)
    _, axes = np.linalg.eigh(np.cov(away.reshape(-1, 3).T))
    axis = axes[:, -1] * (-1 if _is_mostly_dark(away @ axes[:, -1]) else 1)
    levels = colours @ axis.astype(np.float32)
    low, high = np.percentile(_middles(levels, _FACE), [1, 99])
    spread = (levels - low) * ((_LIGHTEST - _DARKEST) / max(high - low, 1e-3)) + _DARKEST
    return np.repeat(np.clip(spread, 0, 255).astype(np.uint8)[..., None], 3, axis=-1)


def _is_mostly_dark(levels: NDArray[np.floating]) -> bool:
    """Whether a cell's smaller part, its print, is the lighter one; levels (cells, pixels)."""
    moments = (levels**3).mean(axis=1) / ((levels**2).mean(axis=1) + 1e-6) ** 1.5
    return bool(np.median(moments) > 0)


def _lab(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    column = crops.reshape(-1, CROP_PX, 3).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(column, cv2.COLOR_RGB2LAB), np.float32).reshape(crops.shape)


def _middles(values: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """The middles of the board's cells, without the ring around it."""
    own = slice(CROP_PX // 2 - reach, CROP_PX // 2 + reach)
    return values[RING:-RING, RING:-RING, own, own]
