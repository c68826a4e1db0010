"""Is a hand over the tray? Told by what comes in from the edge of the view and reaches the cubes.

The tray and a few cells around it are compared with the same view before. Cubes that turn change
the view inside the board alone; a hand, sleeve or head is large, changes what lies around the tray
as well, and hangs together with the border of the view or of the frame. Colour tells nothing:
tables are as brown as hands, and hands wear gloves.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Homography

REACH = 2.0
"""Cells around the board that are watched."""

_PITCH = 10  # pixels a cell of the view
_LEAST_AREA = 1.2  # cells of board and surroundings that a hand covers at least
_CHANGE = 28.0  # grey levels in any colour
_COVERED = 0.15  # share of a cell
_FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
_OPENING = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class View:
    """A tray with its surroundings, seen from straight above.

    Attributes:
        picture: (height, width, 3), float32, RGB.
        inside: (height, width), what lies within the frame.
    """

    picture: NDArray[np.float32]
    inside: NDArray[np.bool_]


def view(frame: NDArray[np.uint8], homography: Homography, rows: int, cols: int) -> View:
    """Tray and surroundings.

    Args:
        frame: (height, width, 3), RGB.
        homography: from board coordinates to its pixels.
        rows: rows of the board.
        cols: columns of the board.
    """
    width, height = (round((side + 2 * REACH) * _PITCH) for side in (cols, rows))
    to_board = np.array([[1 / _PITCH, 0, -REACH], [0, 1 / _PITCH, -REACH], [0, 0, 1]])
    warp = homography @ to_board
    small = cv2.warpPerspective(frame, warp, (width, height), flags=_FLAGS)
    whole = np.full(frame.shape[:2], 255, np.uint8)
    inside = cv2.warpPerspective(whole, warp, (width, height), flags=_FLAGS) == 255
    softened = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0)
    return View(softened.astype(np.float32), np.asarray(inside, np.bool_))


def covered_cells(before: View, now: View, rows: int, cols: int) -> NDArray[np.bool_] | None:
    """Which cells (rows, cols) a hand covers, or None where there is no hand.

    Args:
        before: the view without a hand.
        now: of the same tray.
        rows: rows of the board.
        cols: columns of the board.
    """
    changed = _changed(before, now)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    border = _border(now.inside & before.inside)
    board = _board_mask(labels.shape)
    hand = np.zeros(labels.shape, bool)
    for label in range(1, count):
        part = labels == label
        large = stats[label, cv2.CC_STAT_AREA] >= _LEAST_AREA * _PITCH**2
        if large and (part & border).any() and (part & board).any():
            hand |= part
    if not hand.any():
        return None
    edge = round(REACH * _PITCH)
    cells = hand[edge:-edge, edge:-edge].reshape(rows, _PITCH, cols, _PITCH)
    return np.asarray(cells.mean(axis=(1, 3)) > _COVERED, np.bool_)


def is_alike(before: View, now: View) -> bool:
    """Whether nothing of size has changed between two views of the same tray."""
    return not _changed(before, now).any()


def _changed(before: View, now: View) -> NDArray[np.uint8]:
    """Mask (height, width) of what looks otherwise, a change of the whole light taken away."""
    both = before.inside & now.inside
    if not both.any():
        return np.zeros(both.shape, np.uint8)
    light = np.median((now.picture[both] + 8) / (before.picture[both] + 8))
    away = np.abs(now.picture - light * before.picture).max(axis=2)
    mask = ((away > _CHANGE) & both).astype(np.uint8)
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, _OPENING).astype(np.uint8)


def _border(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The outermost pixels of what is seen; two deep, as opening takes one away."""
    padded = np.pad(inside, 1).astype(np.uint8)
    core = cv2.erode(padded, np.ones((5, 5), np.uint8))[1:-1, 1:-1].astype(bool)
    return np.asarray(inside & ~core, np.bool_)


def _board_mask(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    edge = round(REACH * _PITCH)
    mask = np.zeros(shape, bool)
    mask[edge:-edge, edge:-edge] = True
    return mask
