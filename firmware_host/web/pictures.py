"""Pixels as small JPEGs, for pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_QUALITY = 85


def jpeg(pixels: NDArray[np.uint8], side: int, quality: int = _QUALITY) -> bytes:
    """Pixels, (height, width, 3), RGB, as a JPEG of at most ``side`` pixels on its longer side."""
    import cv2  # heavy: not before somebody looks

    from vision.scaling import shrunk

    small = shrunk(pixels, min(1.0, side / max(pixels.shape[:2])))
    bgr = cv2.cvtColor(small, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
