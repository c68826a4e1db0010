"""Pictures of what is asked about: a cube of a photographed tray, a word of a photographed list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Cell
from vision.photo import load_photo
from vision.reading import Point, TrayReading
from vision.rectify import board_to_photo

CELL_SIDE = 192
"""Pixels of the side of a cube's picture."""

MARGIN = 0.15
"""Shares of a cube, or of a word's height, that are shown around it."""

WORD_HEIGHT = 96
"""Pixels of a word's picture."""

LONGEST_WORD = 960

QUALITIES = (85, 70, 50, 30)
"""Of JPEG, the best first."""

Pixels = NDArray[np.uint8]


def cell_crop(photo: Path, reading: TrayReading, cell: Cell) -> bytes:
    """The cube of a cell seen from above, as PNG.

    Args:
        photo: the file that was read.
        reading: what was read in it.
        cell: row and column.

    Raises:
        PhotoError: the photo is gone or damaged.
    """
    return _png(cell_of(load_photo(photo), reading, cell))


def cell_of(photo: Pixels, reading: TrayReading, cell: Cell) -> Pixels:
    """The cube of a cell seen from above, (`CELL_SIDE`, `CELL_SIDE`, 3), RGB.

    Args:
        photo: (height, width, 3), RGB.
        reading: what was read in it.
        cell: row and column.
    """
    rows, cols = reading.board.rows, reading.board.cols
    to_photo = board_to_photo(reading.corners_px, rows, cols)
    zoom = CELL_SIDE / (1 + 2 * MARGIN)
    row, col = cell
    to_board = np.array([[1 / zoom, 0, col - MARGIN], [0, 1 / zoom, row - MARGIN], [0, 0, 1]])
    return _warped(photo, to_photo @ to_board, (CELL_SIDE, CELL_SIDE))


def word_crop(photo: Path, quad: Sequence[Point]) -> bytes:
    """A word seen level, as PNG.

    Args:
        photo: the file that was read.
        quad: its corners as of `vision.paper.reading.Quad`.

    Raises:
        PhotoError: the photo is gone or damaged.
    """
    return _png(word_of(load_photo(photo), quad))


def word_of(photo: Pixels, quad: Sequence[Point]) -> Pixels:
    """A word seen level, (about `WORD_HEIGHT`, at most about `LONGEST_WORD`, 3), RGB.

    Args:
        photo: (height, width, 3), RGB.
        quad: its corners as of `vision.paper.reading.Quad`.
    """
    corners = np.array(quad, np.float64)
    width = max(1.0, _length(corners[1] - corners[0]), _length(corners[2] - corners[3]))
    height = max(1.0, _length(corners[3] - corners[0]), _length(corners[2] - corners[1]))
    zoom = min(WORD_HEIGHT / (height * (1 + 2 * MARGIN)), LONGEST_WORD / width)
    edge = MARGIN * height * zoom
    right, low = edge + width * zoom, edge + height * zoom
    shown = np.array([[edge, edge], [right, edge], [right, low], [edge, low]], np.float32)
    to_photo = cv2.getPerspectiveTransform(shown, corners.astype(np.float32)).astype(np.float64)
    size = (round(right + edge), round(low + edge))
    return _warped(photo, to_photo, size)


def jpeg_within(pixels: Pixels, most: int) -> bytes:
    """A picture as JPEG of so many bytes at most, as good as that allows; empty where nothing does.

    Args:
        pixels: (height, width, 3), RGB.
        most: bytes.
    """
    for quality in QUALITIES:
        options = [cv2.IMWRITE_JPEG_QUALITY, quality]
        _, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), options)
        if data.size <= most:
            return data.tobytes()
    return b""


def _length(vector: NDArray[np.float64]) -> float:
    return float(np.hypot(*vector))


def _warped(photo: Pixels, to_photo: NDArray[np.float64], size: tuple[int, int]) -> Pixels:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        photo, to_photo, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def _png(pixels: Pixels) -> bytes:
    _, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return data.tobytes()
