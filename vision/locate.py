"""Find trays anywhere in a photo, at any turn: squares of what may be cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import PaleTops, Spots
from vision.lattice import Floats, Homography, Window, apply, best_windows
from vision.reading import Point
from vision.scaling import shrunk

SIDES = (3, 4, 5, 6)
"""Rows and columns of the trays that are looked for."""

GOOD_SCORE = 0.85
"""Score of a tray that leaves little doubt."""


_SAME_PLACE = 0.15  # cells
_AFAR, _CLOSER = 640, 960  # pixels of the longer side


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

    @property
    def area(self) -> float:
        """Square pixels that the cube area takes in the photo."""
        return float(cv2.contourArea(np.array(self.corners, np.float32)))

    @property
    def pitch(self) -> float:
        """Pixels of the photo from cube to cube, on average."""
        return float((self.area / (self.rows * self.cols)) ** 0.5)

    def holds(self, places: Floats) -> NDArray[np.bool_]:
        """Which places (n, 2) of the photo lie on the cube area: (n,)."""
        inside = apply(np.linalg.inv(self.homography), places)
        return np.asarray(((inside > 0) & (inside < (self.cols, self.rows))).all(axis=1))

    def overlaps(self, other: LocatedTray) -> bool:
        """Whether the middle of one of two trays lies on the other."""
        return bool(self.holds(other.middle)[0] or other.holds(self.middle)[0])

    @property
    def middle(self) -> NDArray[np.float64]:
        """Middle of the board in the photo, (1, 2)."""
        return apply(self.homography, np.array([[self.cols / 2, self.rows / 2]]))

    def is_like(self, other: LocatedTray) -> bool:
        """Whether another is of the same size with its corners where this one has them."""
        if self.rows != other.rows:
            return False
        ends = apply(np.linalg.inv(self.homography), np.array(other.corners))
        own = np.array([[0, 0], [self.cols, 0], [self.cols, self.rows], [0, self.rows]])
        return bool(np.abs(ends - own).max() < _SAME_PLACE)


class Finder(Protocol):
    """Finds what may be cells of a tray."""

    def spots(self, picture: NDArray[np.uint8], smallest: float) -> Spots:
        """What may be cells, the surest first.

        Args:
            picture: (height, width, 3), RGB.
            smallest: size of the smallest, pixels.
        """
        ...


@dataclass(frozen=True)
class Way:
    """A way to look at a photo.

    Attributes:
        long_side: pixels that the photo is shrunk to.
        finder: finds cells in it.
    """

    long_side: int
    finder: Finder


QUICK = Way(560, PaleTops())
"""The way that takes least time, and suffices for most trays."""


def ways_by(finder: Finder, long_side: int) -> tuple[Way, ...]:
    """The ways to look for trays, each when the one before finds none.

    Args:
        finder: looks after the quick way, from afar, and closer where there is more to see.
        long_side: of the photo, pixels.
    """
    closer = (Way(_CLOSER, finder),) if long_side > _AFAR else ()
    return (QUICK, Way(_AFAR, finder), *closer)


_LEAST_SPOT = 0.25  # of the pitch of the largest known tray: what is smaller is on no tray like it


def locate(
    photo: NDArray[np.uint8],
    way: Way,
    known: Sequence[LocatedTray] = (),
    sides: Sequence[int] = SIDES,
) -> list[LocatedTray]:
    """Trays that the photo may show, as far as one way to look at it tells; best first.

    Args:
        photo: (height, width, 3), RGB.
        way: to look at it.
        known: trays that have been found; what lies on them is not looked at, nor what is far
            smaller than their cubes.
        sides: rows and columns of the square trays to look for.
    """
    small, to_photo = _shrunk(photo, way.long_side)
    pitch = max((tray.pitch for tray in known), default=0.0)
    spots = way.finder.spots(small, _LEAST_SPOT * pitch / to_photo[0, 0])
    places = apply(to_photo, spots.places)
    elsewhere = ~np.any([tray.holds(places) for tray in known], axis=0) if known else slice(None)
    windows = best_windows(spots.picked(elsewhere), sides)
    return [_located(to_photo @ window.homography, window) for window in windows]


def upright(homography: Homography, side: int) -> Homography:
    """The one of four quarter turns whose rows run most nearly from left to right."""
    quarter = np.array([[0.0, -1.0, side], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turns = [homography @ np.linalg.matrix_power(quarter, k) for k in range(4)]
    return max(turns, key=lambda turn: _rightward(turn, side))


def _rightward(homography: Homography, side: int) -> float:
    """Cosine of the angle between the middle row and the photo's x axis."""
    start, end = apply(homography, np.array([[0.0, side / 2], [side, side / 2]]))
    return float((end - start)[0] / np.hypot(*(end - start)))


def _located(homography: Homography, window: Window) -> LocatedTray:
    turned = upright(homography, window.side)
    return LocatedTray(turned / turned[2, 2], window.side, window.side, window.score)


def _shrunk(photo: NDArray[np.uint8], long_side: int) -> tuple[NDArray[np.uint8], Homography]:
    """The photo no longer than that, and the map back."""
    scale = min(1.0, long_side / max(photo.shape[:2]))
    return shrunk(photo, scale), np.diag([1 / scale, 1 / scale, 1.0])
