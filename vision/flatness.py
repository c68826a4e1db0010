"""Does each cube lie flat in its cell? Told by the outline of its lid, beside those of its peers.

Seen from where the camera stands, the lids of all cubes that lie flat are squares of one size in
the middles of their cells, whichever way they are turned. A cube that is cocked shows a lid that is
off, narrow, or runs on into a side. What is not seen for sure is called so: a cube is flat only
where its outline was seen to be that of a flat one.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Channel, pale
from vision.rectify import CELL_PX, MARGIN


class Pose(StrEnum):
    """How a cube lies."""

    FLAT = "flat"
    UNSURE = "unsure"
    COCKED = "cocked"


SURE_FACE = 0.9
"""A cube whose face is less probable than this is not called flat."""

_FLAT, _COCKED = 1.1, 1.8  # deviations up to and from which a cube is flat or cocked
_BROKEN = 1.5  # deviation of a lid without an outline, whose face is sure: broad print breaks it
_UNSEEN = 4.0  # and of one whose face is not
_FEWEST_PEERS = 0.6  # share of the cells whose outline must be seen before any is judged
_FEWEST_SIGHTINGS = 3
_WINDOWS = (1.2, 2.2)  # sides of the averaged window, cells
_OFFSETS = (0, 8, 20, 35)
_EROSIONS = (0, 3, 5, 7)
_AREA = (0.3, 1.2)  # of a lid, cells
_SOLIDITY = 0.85
_SPREADS = np.array([0.06, 0.08, 0.09, 0.09])
"""What counts as one deviation: of size, 1 − aspect, x and y."""

_LEVEL = 1  # column of the aspect: a flat lid's is known, the others follow the peers
_REFITS = 3
_PEERS = 0.7  # share of the cells that a refit trusts


def poses(
    sheet: NDArray[np.uint8], rows: int, cols: int, confidence: NDArray[np.float64]
) -> tuple[Pose, ...]:
    """How each cube lies, row by row.

    Args:
        sheet: the board with its ring, as of `vision.rectify.rectified`.
        rows: rows of the board.
        cols: columns of the board.
        confidence: (cells,), probability of the likeliest face of each; that of no cube is a face
            as well.
    """
    looks = _looks(sheet, rows, cols)
    seen = np.asarray(~np.isnan(looks).any(axis=1), np.bool_)
    if seen.mean() < _FEWEST_PEERS:
        return (Pose.UNSURE,) * (rows * cols)
    sure = confidence >= SURE_FACE
    away = np.where(seen, _deviations(looks, seen, rows, cols), np.where(sure, _BROKEN, _UNSEEN))
    flat = (away < _FLAT) & sure
    cocked = (away > _COCKED) & _is_worst_around(away + 1 - confidence, rows, cols)
    return tuple(
        Pose.FLAT if lies else Pose.COCKED if stands else Pose.UNSURE
        for lies, stands in zip(flat, cocked, strict=True)
    )


def _looks(sheet: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.float64]:
    """Size, 1 − aspect, x and y of each lid in cells, NaN where it is unseen: (cells, 4)."""
    sightings: list[list[tuple[float, ...]]] = [[] for _ in range(rows * cols)]
    for mask, grown in _masks(sheet):
        for cell, lid in _lids(mask, grown, rows, cols):
            sightings[cell].append(lid)
    lids = [
        np.median(seen, axis=0) if len(seen) >= _FEWEST_SIGHTINGS else np.full(4, np.nan)
        for seen in sightings
    ]
    return np.array(lids)


def _masks(sheet: NDArray[np.uint8]) -> Iterator[tuple[Channel, int]]:
    """What is light by many measures, and by how many pixels it has been shrunk."""
    for channel in pale(sheet):
        for window in _WINDOWS:
            side = int(window * CELL_PX) | 1
            above = cv2.subtract(channel, cv2.blur(channel, (side, side)))
            for offset in _OFFSETS:
                _, mask = cv2.threshold(above, offset, 255, cv2.THRESH_BINARY)
                for erosion in _EROSIONS:
                    square = np.ones((max(1, erosion),) * 2, np.uint8)
                    yield cv2.erode(mask, square), erosion


def _lids(
    mask: Channel, grown: int, rows: int, cols: int
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Cell, and size, 1 − aspect, x and y of each spot that may be a lid."""
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not _AREA[0] < area / CELL_PX**2 < _AREA[1]:
            continue
        if cv2.contourArea(contour) < _SOLIDITY * area:
            continue
        (x, y), sides, _ = cv2.minAreaRect(hull)
        shorter, longer = sorted(side + grown for side in sides)
        right, down = (x + 0.5) / CELL_PX - MARGIN, (y + 0.5) / CELL_PX - MARGIN
        col, row = int(np.floor(right)), int(np.floor(down))
        if 0 <= row < rows and 0 <= col < cols:
            size = (shorter * longer) ** 0.5 / CELL_PX
            yield row * cols + col, (size, 1 - shorter / longer, right - col, down - row)


def _deviations(
    looks: NDArray[np.float64], seen: NDArray[np.bool_], rows: int, cols: int
) -> NDArray[np.float64]:
    """How far each lid is from what its peers let expect, (cells,)."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    plane = np.column_stack([np.ones(rows * cols), row - (rows - 1) / 2, col - (cols - 1) / 2])
    away = np.array([_off_plane(plane, look, seen) for look in looks.T]).T
    away[:, _LEVEL] = looks[:, _LEVEL]
    return np.asarray(np.hypot.reduce(np.nan_to_num(away) / _SPREADS, axis=1), np.float64)


def _off_plane(
    plane: NDArray[np.float64], values: NDArray[np.float64], seen: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Values less a plane over the board through most of them; perspective and light slope."""
    away = values - np.median(values[seen])
    for _ in range(_REFITS):
        trusted = seen & (np.abs(away) <= np.quantile(np.abs(away[seen]), _PEERS))
        stiff = np.diag([0.0, 2.0, 2.0])  # few cells must not tilt it
        chosen = plane[trusted]
        slope = np.linalg.solve(chosen.T @ chosen + stiff, chosen.T @ values[trusted])
        away = values - plane @ slope
    return np.asarray(away, np.float64)


def _is_worst_around(away: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.bool_]:
    """Whether no neighbour is worse: a cocked cube covers parts of those beside it, (cells,)."""
    grid = np.pad(away.reshape(rows, cols), 1, constant_values=-np.inf)
    around = np.lib.stride_tricks.sliding_window_view(grid, (3, 3)).max(axis=(2, 3))
    return np.asarray(away >= around.ravel(), np.bool_)
