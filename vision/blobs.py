"""Spots of a picture: the tops of cubes, light and squarish from afar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SMALLEST_PX = 6.0
LARGEST_SHARE = 0.35  # of the picture's longer side

_PARENT = 3  # column of OpenCV's hierarchy; only the border of a hole has one
_ASPECT = 0.6  # least ratio of the sides of the smallest turned rectangle around a top
_FILL = 0.72  # least share of that rectangle that its convex hull fills; a disc's is 0.79
_SOLIDITY = 0.75  # least share of the hull that it fills; cubes that touch at a corner have less
_WINDOW = 7  # the window that a pixel is compared with: a seventh of the longer side
_OFFSETS = (0, 18)  # grey levels by which a pixel must be lighter than its window
_EROSIONS = (0, 3)  # sides of the square that parts touching tops, pixels; 0 for none
_SAME_PLACE = 0.35  # of the size
_SAME_SIZE = 0.35  # difference of logarithms


@dataclass(frozen=True)
class Spots:
    """Distinct spots, those seen most often first.

    Attributes:
        places: (n, 2), pixels.
        sizes: (n,), root of the area, pixels.
        counts: (n,), how many views and thresholds showed the spot, or a net's sureness as such.
    """

    places: NDArray[np.float64]
    sizes: NDArray[np.float64]
    counts: NDArray[np.float64]

    def picked(self, chosen: NDArray[np.bool_] | slice) -> Spots:
        """Some of the spots."""
        return Spots(self.places[chosen], self.sizes[chosen], self.counts[chosen])


Channel = NDArray[np.integer[Any] | np.floating[Any]]
"""(height, width), uint8; OpenCV's annotations promise no more than a number type."""


class PaleTops:
    """Finds what is paler than its surroundings; a `vision.locate.Finder`."""

    def spots(self, picture: NDArray[np.uint8], smallest: float) -> Spots:
        """As `vision.locate.Finder` says."""
        return merged(find_spots(picture, max(smallest, SMALLEST_PX)))


def find_spots(picture: NDArray[np.uint8], smallest: float = SMALLEST_PX) -> NDArray[np.float64]:
    """All pale spots seen in any view of a picture under any threshold, one cube many times.

    Args:
        picture: (height, width, 3), RGB.
        smallest: size of the smallest, pixels.

    Returns:
        (n, 4): x, y, size in pixels, quality 0–1.
    """
    found = [
        spot
        for view in _views(picture)
        for mask in _masks(view)
        for spot in _spots_of(mask, smallest)
    ]
    return np.array(found, np.float64).reshape(-1, 4)


def merged(sightings: NDArray[np.float64], most: int = 250) -> Spots:
    """Gather the sightings of each spot, as of `find_spots`, and keep the ``most`` seen."""
    best_first = sightings[np.argsort(-sightings[:, 3], kind="stable")]
    spots = _gathered(best_first)
    counts = np.bincount(spots)
    sums = [np.bincount(spots, values) for values in best_first[:, :3].T]
    means = np.column_stack(sums) / np.maximum(counts, 1)[:, None]
    order = np.argsort(-counts, kind="stable")[:most]
    return Spots(means[order, :2], means[order, 2], counts[order].astype(np.float64))


def _gathered(sightings: NDArray[np.float64]) -> NDArray[np.int64]:
    """The number (n,) of the spot of each sighting (n, 4): each belongs to the first one near."""
    spots = np.full(len(sightings), -1)
    count = 0
    for seed, near in enumerate(_near(sightings)):
        if spots[seed] < 0:
            spots[near[spots[near] < 0]] = count
            count += 1
    return spots


def _near(sightings: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """For each sighting (n, 4) those that may be of the same spot, itself among them."""
    x, y, sizes, _ = sightings.T
    by_x = np.argsort(x, kind="stable")
    first = np.searchsorted(x[by_x], x - _SAME_PLACE * sizes)
    counts = np.searchsorted(x[by_x], x + _SAME_PLACE * sizes) - first
    ends = np.cumsum(counts)
    own = np.repeat(np.arange(len(x)), counts)
    other = by_x[np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + counts, counts)]
    near = np.hypot(x[other] - x[own], y[other] - y[own]) < _SAME_PLACE * sizes[own]
    near &= np.abs(np.log(sizes[other] / sizes[own])) < _SAME_SIZE
    ends = np.cumsum(np.bincount(own[near], minlength=len(x)))
    return np.split(other[near], ends)[:-1]


def _views(picture: NDArray[np.uint8]) -> list[Channel]:
    """Views in which pale cubes are light: the least of RGB, paleness, grey."""
    red, green, blue = cv2.split(picture)
    saturation = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)[..., 1]
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    least = cv2.min(cv2.min(red, green), blue)
    return [_softened(channel) for channel in (least, 255 - saturation, grey)]


def _softened(channel: Channel) -> NDArray[np.uint8]:
    return cv2.GaussianBlur(channel, (0, 0), 0.8).astype(np.uint8)


def _masks(channel: Channel) -> Iterable[Channel]:
    window = int(max(channel.shape) / _WINDOW) | 1
    above = cv2.subtract(channel, cv2.blur(channel, (window, window)))
    for offset in _OFFSETS:
        _, mask = cv2.threshold(above, offset, 255, cv2.THRESH_BINARY)
        for side in _EROSIONS:
            yield cv2.erode(mask, np.ones((side, side), np.uint8)) if side else mask


def _spots_of(mask: Channel, smallest: float) -> Iterable[tuple[float, float, float, float]]:
    # all outer borders, also of what lies in the hole of another: cubes within a light frame
    contours, families = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    largest = LARGEST_SHARE * max(mask.shape)
    for contour, family in zip(contours, families[0] if contours else (), strict=True):
        if family[_PARENT] >= 0:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if smallest < max(width, height) <= largest:
            spot = _spot_of(contour, smallest)
            if spot is not None:
                yield spot


def _spot_of(contour: Channel, smallest: float) -> tuple[float, float, float, float] | None:
    (x, y), sides, _ = cv2.minAreaRect(contour)
    hull = cv2.contourArea(cv2.convexHull(contour))
    longer, shorter = max(sides), min(sides)
    size = hull**0.5
    fits = (
        size >= smallest
        and shorter >= _ASPECT * longer
        and hull >= _FILL * longer * shorter
        and cv2.contourArea(contour) >= _SOLIDITY * hull
    )
    return (x, y, size, hull / longer**2) if fits else None
