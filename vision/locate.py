"""Find trays anywhere in a photo, at any turn, with classical image processing alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import (
    CUBE_TOP,
    PRINT,
    Channel,
    Shape,
    Thresholds,
    dark,
    find_spots,
    light,
    merged,
    pale,
)
from vision.lattice import Homography, Window, apply, best_windows
from vision.reading import Point

SIDES = (4, 5, 6)
"""Rows and columns of the trays that are looked for."""

GOOD_SCORE = 0.85
"""A window that leaves little doubt: no further thresholds are tried."""


@dataclass(frozen=True)
class LocatedTray:
    """Where a board lies in a photo.

    Attributes:
        homography: from board coordinates (see `vision.rectify`) to photo pixels.
        rows: rows of the board.
        cols: columns of the board.
        score: at most 1; about 0.7 and more for a tray that is plain to see.
    """

    homography: Homography
    rows: int
    cols: int
    score: float

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Upper left, upper right, lower right, lower left of the cube area, photo pixels."""
        ends = [[0, 0], [self.cols, 0], [self.cols, self.rows], [0, self.rows]]
        places = apply(self.homography, np.array(ends, np.float64))
        first, second, third, fourth = ((float(x), float(y)) for x, y in places)
        return first, second, third, fourth


@dataclass(frozen=True)
class _Pass:
    """One way to look at the photo."""

    long_side: int
    views: Callable[[NDArray[np.uint8]], list[Channel]]
    thresholds: Thresholds
    shape: Shape = CUBE_TOP


_PASSES = (
    _Pass(560, pale, Thresholds((7,), (0, 18))),
    _Pass(560, pale, Thresholds((12, 4), (0, 12, 25))),
    _Pass(900, dark, Thresholds((12, 24), (8, 25), (0,)), PRINT),
    _Pass(1200, pale, Thresholds((12, 24), (0, 15))),
    _Pass(900, light, Thresholds((12, 24), (8, 25), (0,)), PRINT),
    _Pass(560, dark, Thresholds((7, 12), (0, 18))),
)


def locate(photo: NDArray[np.uint8], sides: Sequence[int] = SIDES) -> list[LocatedTray]:
    """Trays that the photo may show, best first.

    Args:
        photo: (height, width, 3), RGB.
        sides: rows and columns of the square trays to look for.
    """
    found: list[LocatedTray] = []
    for step in _PASSES:
        found.extend(_found_in(photo, step, sides))
        if any(tray.score >= GOOD_SCORE for tray in found):
            break
    return _distinct(sorted(found, key=lambda tray: -tray.score * tray.rows))


def upright(homography: Homography, side: int) -> Homography:
    """The one of four quarter turns whose rows run most nearly from left to right."""
    quarter = np.array([[0.0, -1.0, side], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turns = [homography @ np.linalg.matrix_power(quarter, k) for k in range(4)]
    return max(turns, key=lambda turn: _rightward(turn, side))


def _rightward(homography: Homography, side: int) -> float:
    """Cosine of the angle between the middle row and the photo's x axis."""
    start, end = apply(homography, np.array([[0.0, side / 2], [side, side / 2]]))
    return float((end - start)[0] / np.hypot(*(end - start)))


def _found_in(photo: NDArray[np.uint8], step: _Pass, sides: Sequence[int]) -> Iterator[LocatedTray]:
    scale = min(1.0, step.long_side / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    spots = find_spots(step.views(small.astype(np.uint8)), step.thresholds, step.shape)
    enlarge = np.diag([1 / scale, 1 / scale, 1.0])
    for window in best_windows(merged(spots), sides):
        yield _tray(enlarge @ window.homography, window)


def _tray(homography: Homography, window: Window) -> LocatedTray:
    turned = upright(homography, window.side)
    return LocatedTray(turned / turned[2, 2], window.side, window.side, window.score)


def _distinct(trays: Sequence[LocatedTray]) -> list[LocatedTray]:
    """Without those whose middle lies within a cell of a better one of the same size."""
    kept: list[LocatedTray] = []
    for tray in trays:
        if not any(_alike(tray, other) for other in kept):
            kept.append(tray)
    return kept


def _alike(tray: LocatedTray, other: LocatedTray) -> bool:
    middle = np.array([[tray.cols / 2, tray.rows / 2]])
    inside = apply(np.linalg.inv(other.homography), apply(tray.homography, middle))[0]
    away = np.abs(inside - np.array([other.cols, other.rows]) / 2).max()
    return tray.rows == other.rows and bool(away < 0.5)
