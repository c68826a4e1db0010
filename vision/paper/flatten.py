"""Even light over a page: paper all of one brightness, shadows and folds gone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

_SCALE = 0.25  # at which the light is looked at
_STROKES = 30  # a window is this part of the longer side: wider than any stroke
_SOFT = 1.5  # pixels at that scale, of the blur that takes the steps out of the light
_PAPER = 235  # level that paper is brought to, so that noise above it is kept


def darkness(grey: Grey, paper: Grey) -> tuple[Grey, float]:
    """How much darker each pixel is than the paper around it would be.

    The light on the paper is what is left after a closing, which fills strokes but keeps the edge
    of a shadow where it is.

    Args:
        grey: (height, width).
        paper: (height, width), 255 where there is paper: elsewhere nothing is dark.

    Returns:
        (height, width), uint8: 0 paper, 235 black; and the spread of the paper's brightness, grey
        levels, at least 1.
    """
    small = cv2.resize(grey, None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(paper, small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    light = _light(cv2.medianBlur(small, 3).astype(np.uint8), inside.astype(np.uint8))
    even = cv2.divide(grey, cv2.resize(light, grey.shape[::-1]), scale=_PAPER)
    some = even[::4, ::4][paper[::4, ::4] > 0].astype(np.uint8)
    level = _level(some)
    dark = cv2.subtract(np.full_like(grey, level), even)
    return cv2.bitwise_and(dark, paper).astype(np.uint8), _noise(some, level)


def whitened(dark: Grey) -> Grey:
    """The page as a grey picture, paper at 255."""
    return (255 - cv2.convertScaleAbs(dark, alpha=255 / _PAPER)).astype(np.uint8)


def _light(small: Grey, inside: Grey) -> Grey:
    """Brightness of the paper at each place, strokes filled."""
    side = max(small.shape) // _STROKES | 1
    kernel = np.ones((side, side), np.uint8)
    within = np.where(inside > 0, small, 0).astype(np.uint8)
    widened = cv2.dilate(within, kernel)
    widened[widened == 0] = 255  # far from paper: it must not darken the paper's edge
    filled = np.maximum(cv2.erode(widened, kernel), small)
    return cv2.GaussianBlur(filled, (0, 0), _SOFT).astype(np.uint8)


def _noise(even: Grey, level: int) -> float:
    """Spread of what is lighter than the paper's level: no ink and no rule is among it."""
    lighter = even[even > level]
    return max(1.0, 1.4826 * float(np.median(lighter) - level)) if len(lighter) else 1.0


def _level(even: Grey) -> int:
    """The most frequent level near white."""
    counts = np.bincount(even.ravel(), minlength=256).astype(np.float64)
    smooth = np.convolve(counts[128:255], np.ones(5), "same")
    return 128 + int(np.argmax(smooth))
