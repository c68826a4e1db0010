"""The picture of a word, drawn with the half blocks of a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

_ROWS = 24  # half lines of a picture at most
_INK = 0.4  # of the darkest ink: what is darker is drawn
_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_PLAIN = {(False, False): " ", (True, False): "'", (False, True): ".", (True, True): "#"}


def crop_lines(picture: NDArray[np.uint8], columns: int, *, plain: bool = False) -> Iterator[str]:
    """A picture of a word as lines of text.

    Args:
        picture: (height, width), grey, dark ink on light paper.
        columns: signs of a line at most.
        plain: draw with ASCII signs.
    """
    height, width = picture.shape
    zoom = min(columns / width, _ROWS / height, 1.0)
    size = (max(1, round(width * zoom)), 2 * max(1, round(height * zoom / 2)))
    ink = 255.0 - cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    marks = ink > max(_INK * float(np.percentile(ink, 99)), 1.0)
    signs = _PLAIN if plain else _BLOCKS
    for upper, lower in zip(marks[::2].tolist(), marks[1::2].tolist(), strict=True):
        line = "".join(signs[pair] for pair in zip(upper, lower, strict=True))
        yield line.rstrip()
