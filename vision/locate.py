"""Find trays anywhere in a photo, at any turn, with classical image processing alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

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
from vision.lattice import Homography, apply, best_windows
from vision.reading import Point
from vision.scaling import shrunk

SIDES = (4, 5, 6)
"""Rows and columns of the trays that are looked for."""

GOOD_SCORE = 0.85
"""Score of a tray that leaves little doubt."""


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


def locate(photo: NDArray[np.uint8], sides: Sequence[int] = SIDES) -> Iterator[LocatedTray]:
    """Trays that the photo may show: the plain ones as they are found, then the others, best first.

    Args:
        photo: (height, width, 3), RGB.
        sides: rows and columns of the square trays to look for.
    """
    small, to_photo = _shrunk(photo, max(step.long_side for step in _PASSES))
    plain: list[LocatedTray] = []
    others: list[LocatedTray] = []
    for step in _PASSES:
        for tray in _found_in(small, to_photo, step, sides):
            if tray.score < GOOD_SCORE:
                others.append(tray)
            elif not any(_alike(tray, other) for other in plain):
                plain.append(tray)
                yield tray
    others.sort(key=lambda tray: -tray.score * tray.rows)
    yield from _distinct(others, plain)


def upright(homography: Homography, side: int) -> Homography:
    """The one of four quarter turns whose rows run most nearly from left to right."""
    quarter = np.array([[0.0, -1.0, side], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turns = [homography @ np.linalg.matrix_power(quarter, k) for k in range(4)]
    return max(turns, key=lambda turn: _rightward(turn, side))


def _rightward(homography: Homography, side: int) -> float:
    """Cosine of the angle between the middle row and the photo's x axis."""
    start, end = apply(homography, np.array([[0.0, side / 2], [side, side / 2]]))
    return float((end - start)[0] / np.hypot(*(end - start)))


def _found_in(
    picture: NDArray[np.uint8], to_photo: Homography, step: _Pass, sides: Sequence[int]
) -> Iterator[LocatedTray]:
    small, to_picture = _shrunk(picture, step.long_side)
    spots = find_spots(step.views(small), step.thresholds, step.shape)
    for window in best_windows(merged(spots), sides):
        homography = upright(to_photo @ to_picture @ window.homography, window.side)
        homography /= homography[2, 2]
        yield LocatedTray(homography, window.side, window.side, window.score)


def _shrunk(photo: NDArray[np.uint8], long_side: int) -> tuple[NDArray[np.uint8], Homography]:
    """The photo no longer than that, and the map back."""
    scale = min(1.0, long_side / max(photo.shape[:2]))
    return shrunk(photo, scale), np.diag([1 / scale, 1 / scale, 1.0])


def _distinct(trays: Iterable[LocatedTray], known: Sequence[LocatedTray]) -> Iterator[LocatedTray]:
    """Without those that are much like a known or an earlier one."""
    kept = list(known)
    for tray in trays:
        if not any(_alike(tray, other) for other in kept):
            kept.append(tray)
            yield tray


def _alike(tray: LocatedTray, other: LocatedTray) -> bool:
    """Of one size, with the middles less than half a cell apart."""
    middle = np.array([[tray.cols / 2, tray.rows / 2]])
    inside = apply(np.linalg.inv(other.homography), apply(tray.homography, middle))[0]
    away = np.abs(inside - np.array([other.cols, other.rows]) / 2).max()
    return tray.rows == other.rows and bool(away < 0.5)
