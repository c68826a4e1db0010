"""From a tray lying anyhow in a photo to one square crop a cell, all of one size.

Board coordinates count in cells: (0, 0) is the upper left corner of the board's cube area and
(cols, rows) its lower right, so that the cell (row, col) has its centre at (col + ½, row + ½).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Point
from vision.scaling import shrunk

CROP_PX = 48
"""Side of a crop, in pixels."""

CELL_PX = 40
"""A cell's pitch in a crop, in pixels: a crop shows a tenth of a cell beyond each edge."""

RING = 1
"""Cells around the board that are rectified with it: what lies there tells a truncated window."""

MARGIN = RING + (CROP_PX - CELL_PX) / 2 / CELL_PX
"""Cells of a rectified sheet beyond each edge of the board."""

_OVERSAMPLING = 2  # warp at twice the size and shrink by area: a plain warp drops thin strokes


def board_to_photo(corners: Sequence[Point], rows: int, cols: int) -> NDArray[np.float64]:
    """Homography (3, 3) from board coordinates (x, y) to photo pixels.

    Args:
        corners: upper left, upper right, lower right and lower left of the cube area, pixels.
        rows: rows of the board.
        cols: columns of the board.
    """
    board = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    return cv2.getPerspectiveTransform(board, np.array(corners, np.float32)).astype(np.float64)


def cut_cells(
    photo: NDArray[np.uint8], homography: NDArray[np.float64], rows: int, cols: int
) -> NDArray[np.uint8]:
    """Crops of all cells and of the ring of `RING` cells around the board.

    Args:
        photo: (height, width, 3), RGB.
        homography: from board coordinates to photo pixels, as of `board_to_photo`.
        rows: rows of the board.
        cols: columns of the board.

    Returns:
        Array (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), uint8, RGB; ``[1:-1, 1:-1]`` is the board.
        What lies outside the photo repeats its edge.
    """
    return cells_of(rectified(photo, homography, rows, cols))


def cells_of(sheet: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The crops of `cut_cells` from a sheet of `rectified`."""
    size = CROP_PX
    windows = np.lib.stride_tricks.sliding_window_view(sheet, (size, size), axis=(0, 1))
    return np.ascontiguousarray(windows[::CELL_PX, ::CELL_PX].transpose(0, 1, 3, 4, 2))


def sheet_of(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells (rows, cols, CROP_PX, CROP_PX, 3) side by side, without what they share."""
    margin = (CROP_PX - CELL_PX) // 2
    own = slice(margin, margin + CELL_PX)
    rows, cols = cells.shape[:2]
    return cells[:, :, own, own].swapaxes(1, 2).reshape(rows * CELL_PX, cols * CELL_PX, 3)


def rectified(
    photo: NDArray[np.uint8], homography: NDArray[np.float64], rows: int, cols: int
) -> NDArray[np.uint8]:
    """The board and `MARGIN` around it, seen from straight above, `CELL_PX` pixels a cell.

    Args:
        photo: (height, width, 3), RGB.
        homography: from board coordinates to photo pixels.
        rows: rows of the board.
        cols: columns of the board.

    Returns:
        ((rows + 2 MARGIN) CELL_PX, (cols + 2 MARGIN) CELL_PX, 3), uint8, RGB.
    """
    width, height = (round((side + 2 * MARGIN) * CELL_PX) for side in (cols, rows))
    photo, homography = _shrunk_to_fit(photo, homography, rows, cols)
    zoom = CELL_PX * _OVERSAMPLING
    to_board = np.array([[1 / zoom, 0, -MARGIN], [0, 1 / zoom, -MARGIN], [0, 0, 1]])
    half_pixel = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    warp = np.linalg.inv(half_pixel) @ homography @ to_board @ half_pixel
    large = cv2.warpPerspective(
        photo,
        warp,
        (width * _OVERSAMPLING, height * _OVERSAMPLING),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _shrunk_to_fit(
    photo: NDArray[np.uint8], homography: NDArray[np.float64], rows: int, cols: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Shrink a photo whose cells are far larger than the crops, so that the warp does not alias."""
    ends = cv2.perspectiveTransform(
        np.array([[[0, 0]], [[cols, 0]], [[cols, rows]], [[0, rows]]], np.float64), homography
    )[:, 0]
    longest = max(np.linalg.norm(ends - np.roll(ends, 1, axis=0), axis=1))
    scale = CELL_PX * _OVERSAMPLING * max(rows, cols) / max(longest, 1.0)
    if scale >= 1:
        return photo, homography
    return shrunk(photo, float(scale)), np.diag([scale, scale, 1.0]) @ homography
