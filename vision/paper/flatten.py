"""Even light over a page: paper all of one brightness, shadows and folds gone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

_SCALE = 0.25  # at which the light is looked at
_STROKES = 30  # a window is this part of the longer side: wider than any stroke
_PAPER = 235  # level that paper is brought to, so that noise above it is kept


def darkness(grey: Grey, paper: Grey) -> Grey:
    """How much darker each pixel is than the paper around it would be.

    The light on the paper is what is left after a closing, which fills strokes but keeps the edge
    of a shadow where it is.

    Args:
        grey: (height, width).
        paper: (height, width), 255 where there is paper: elsewhere nothing is dark.

    Returns:
        (height, width), uint8: 0 paper, 235 black.
    """
    small = cv2.resize(grey, None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(paper, small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    light = _light(cv2.medianBlur(small, 3).astype(np.uint8), inside.astype(np.uint8))
    even = cv2.divide(grey, cv2.resize(light, grey.shape[::-1]), scale=_PAPER)
    level = _level(even[::4, ::4][paper[::4, ::4] > 0])
    dark = cv2.subtract(np.full_like(grey, min(level, 254)), even)
    return cv2.bitwise_and(dark, paper).astype(np.uint8)


def whitened(dark: Grey) -> Grey:
    """The page as a grey picture, paper at 255."""
    return (255 - cv2.convertScaleAbs(dark, alpha=255 / _PAPER)).astype(np.uint8)


def noise(dark: Grey) -> float:
    """Spread of the paper's brightness, grey levels."""
    some = dark[::3, ::3]
    return max(1.0, 1.4826 * float(np.median(some[some > 0])) if some.any() else 1.0)


def _light(small: Grey, inside: Grey) -> Grey:
    """Brightness of the paper at each place, strokes filled."""
    side = max(small.shape) // _STROKES | 1
    kernel = np.ones((side, side), np.uint8)
    within = np.where(inside > 0, small, 0).astype(np.uint8)
    filled = cv2.erode(cv2.dilate(within, kernel), kernel)
    filled = np.maximum(filled, small)
    return cv2.GaussianBlur(filled, (0, 0), side / 6).astype(np.uint8)


def _level(even: Grey) -> int:
    """The most frequent level near white."""
    counts = np.bincount(even.ravel(), minlength=256).astype(np.float64)
    smooth = np.convolve(counts[128:255], np.ones(5), "same")
    return 128 + int(np.argmax(smooth))
