"""How bright the cubes are in a photo: what an exposure is judged by."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Point

BURNT = 250
"""Level of the brightest colour from which on nothing can be told apart."""

LIGHT_SHARE = 90
"""Percentile of the pixels that shows the light faces: they are more than the print on them."""


@dataclass(frozen=True)
class Light:
    """What the cubes of a tray look like.

    Attributes:
        level: of the light faces' brightest colour, 0–255.
        burnt: share of the pixels that are burnt out, 0–1.
    """

    level: float
    burnt: float


def light_of(photo: NDArray[np.uint8], corners_px: tuple[Point, ...]) -> Light:
    """How bright the cubes are.

    Args:
        photo: (height, width, 3), RGB.
        corners_px: of the cube area, as of `vision.reading.TrayReading`; what lies beyond the photo
            is left out.
    """
    area = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(area, np.rint(np.array(corners_px)).astype(np.int32), 1)
    brightest = photo.max(axis=2)[area > 0]
    if not brightest.size:
        return Light(0.0, 0.0)
    return Light(float(np.percentile(brightest, LIGHT_SHARE)), float((brightest >= BURNT).mean()))
