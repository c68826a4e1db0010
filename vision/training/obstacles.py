"""Small things over the prints of a scene: reflections, fingertips, pencils, threads.

They leave letters that look like others: O as C, P as F. The net must learn to doubt these.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Floats
from vision.render.lens import Photo
from vision.render.styles import CubeStyle

_SHARE = 0.35  # of the cells of a scene with obstacles that have one
_FINE = 32  # pixels a cell in which obstacles are drawn


def paint_obstacles(
    photo: Photo,
    to_photo: Floats,
    cubes: tuple[CubeStyle, ...],
    cols: int,
    rng: np.random.Generator,
) -> None:
    """Paint spots and strips over some cells, in place.

    Args:
        photo: (height, width, 3), RGB.
        to_photo: homography from board coordinates to photo pixels.
        cubes: of all cells, row by row; many obstacles look like their bodies.
        cols: columns of the board.
        rng: decides everything.
    """
    for number in np.flatnonzero(rng.random(len(cubes)) < _SHARE):
        row, col = divmod(int(number), cols)
        cover = _strip(rng) if rng.random() < 0.5 else _spot(rng)
        fine = np.array([[1 / _FINE, 0, col - 0.5], [0, 1 / _FINE, row - 0.5], [0, 0, 1]])
        _lay(photo, cover, to_photo @ fine, _colour(cubes[number], rng))


def _strip(rng: np.random.Generator) -> NDArray[np.float32]:
    """Something long and narrow, over two cells each way: (side, side), 0–1."""
    turn, offset = rng.uniform(0, np.pi), rng.uniform(-0.3, 0.3)
    across = np.abs(np.cos(turn) * _PLACES[None, :] + np.sin(turn) * _PLACES[:, None] - offset)
    half, soft = rng.uniform(0.02, 0.13), rng.uniform(0.01, 0.1)
    return np.asarray(np.clip((half - across) / soft + 0.5, 0, 1), np.float32)


def _spot(rng: np.random.Generator) -> NDArray[np.float32]:
    """Something round or oval."""
    x, y = rng.uniform(-0.35, 0.35, 2)
    wide, tall = rng.uniform(0.06, 0.3, 2)
    away = np.hypot((_PLACES[None, :] - x) / wide, (_PLACES[:, None] - y) / tall)
    return np.asarray(np.clip((1 - away) / rng.uniform(0.05, 0.8) + 0.5, 0, 1), np.float32)


_PLACES = (np.arange(2 * _FINE) + 0.5) / _FINE - 1  # cells from the middle of one


def _colour(cube: CubeStyle, rng: np.random.Generator) -> Floats:
    """White as a reflection, like the cube, or any."""
    kind = rng.random()
    if kind < 0.35:
        return np.full(3, 252.0)
    if kind < 0.7:
        return np.clip(np.array(cube.body) + rng.normal(0, 12, 3), 0, 255)
    return rng.uniform(0, 255, 3)


def _lay(photo: Photo, cover: NDArray[np.float32], warp: Floats, colour: Floats) -> None:
    size = photo.shape[1::-1]
    seen = cv2.warpPerspective(cover, warp, size)[..., None]
    photo[:] = (photo + seen * (colour - photo) + 0.5).astype(np.uint8)
