"""How much of each print a photo of a scene still shows.

The same scene is photographed once more without the prints on its lids, by the same chance: what
differs is what the prints change. Compared with what they would change with nothing in the way,
in even light, without blur and noise, it tells how much of the ink is left to see.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.rectify import CELL_PX, CROP_PX, board_to_photo, cut_cells
from vision.render.camera import Floats
from vision.render.lens import Photo, bent
from vision.render.scene import Scene, Shot, paint, shoot

FAINTEST = 6.0
"""Grey levels that a print must change its cube by to be seen."""

_INK = 0.4  # of the largest change that a print makes in its crop: from there on it is ink
_WIDTH = 3  # pixels of a crop over which a change is averaged: about a thin stroke
_OWN = slice((CROP_PX - CELL_PX) // 2, (CROP_PX + CELL_PX) // 2)


def prints_seen(
    board: Board, scene: Scene, turns: Floats, rng: np.random.Generator, shot: Shot
) -> Floats:
    """Share (rows, cols) of each print's ink that is seen in a photo, 0–1.

    It is 0 for a missing cube, and for one that does not lie flat: with nothing in the way its
    print would be elsewhere.

    Args:
        board: what the cubes show.
        scene: as it was photographed.
        turns: of the prints.
        rng: as it was when the photo was taken; it is not changed.
        shot: the photo, as `vision.render.scene.shoot` took it.
    """
    clear = replace(scene, hand=None)
    plain, bare = (
        bent(
            paint(board, clear, turns, deepcopy(rng), printed=printed, flat_only=True).photo,
            scene.lens,
        )
        for printed in (True, False)
    )
    without = shoot(board, scene, turns, deepcopy(rng), printed=False).photo
    corners = [(x, y) for x, y in shot.corners_px.tolist()]
    to_photo = board_to_photo(corners, board.rows, board.cols)
    due, left = (
        _changes(one, other, to_photo, board.rows, board.cols)
        for one, other in ((plain, bare), (shot.photo, without))
    )
    return ink_seen(due, left).reshape(board.rows, board.cols)


def ink_seen(due: NDArray[np.float32], left: NDArray[np.float32]) -> Floats:
    """Share (n,) of the ink that is seen.

    Args:
        due: (n, side, side), how much prints change crops with nothing in the way.
        left: the same of the photo.
    """
    most = due.max(axis=(1, 2), keepdims=True)
    ink = (due > _INK * most) & (most > 1)
    return np.asarray(
        (ink & (left > FAINTEST)).sum(axis=(1, 2)) / np.maximum(ink.sum(axis=(1, 2)), 1)
    )


def _changes(
    printed: Photo, bare: Photo, to_photo: Floats, rows: int, cols: int
) -> NDArray[np.float32]:
    """How much prints change the cells of a photo: (cells, CELL_PX, CELL_PX), grey levels.

    Args:
        printed: (height, width, 3), RGB, of a board.
        bare: the same without the prints.
        to_photo: homography from board coordinates to pixels.
        rows: of the board.
        cols: of the board.
    """
    crops = [
        cut_cells(photo, to_photo, rows, cols)[1:-1, 1:-1, _OWN, _OWN].reshape(
            -1, CELL_PX, CELL_PX, 3
        )
        for photo in (printed, bare)
    ]
    differences = crops[0].astype(np.float32) - crops[1]
    smooth = [cv2.blur(one, (_WIDTH, _WIDTH)) for one in differences]
    return np.asarray(np.abs(smooth).max(axis=3), np.float32)
