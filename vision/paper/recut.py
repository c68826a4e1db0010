"""A word cut out once more, for a second look: recognisers read other margins otherwise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

_MARGIN = 0.12  # of the ink's height, of white on all sides
_LEAN = 0.25  # to the left, of the height: as far as hands commonly lean to the right


def recut(picture: Grey) -> Grey:
    """The same word with the same little white on all sides of its ink.

    Args:
        picture: (height, width), uint8, dark ink on light paper; without any it stays as it is.
    """
    middle, _ = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = picture <= middle
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return picture
    tight = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    margin = round(_MARGIN * len(tight))
    return np.pad(tight, margin, constant_values=255)


def leaned_back(picture: Grey) -> Grey:
    """The same, sheared so that writing which leans to the right stands upright.

    Args:
        picture: as of `recut`.
    """
    tight = recut(picture)
    height, width = tight.shape
    shear = np.array([[1, _LEAN, 0], [0, 1, 0]])
    size = (width + round(_LEAN * height), height)
    return recut(cv2.warpAffine(tight, shear, size, borderValue=(255,)).astype(np.uint8))
