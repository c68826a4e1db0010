"""Spots of a picture: the tops of cubes, light and squarish from afar, or the print on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SMALLEST_PX = 6.0
LARGEST_SHARE = 0.35  # of the picture's longer side

_PARENT = 3  # column of OpenCV's hierarchy; only the border of a hole has one
_SAME_PLACE = 0.35  # of the size
_SAME_SIZE = 0.35  # difference of logarithms


@dataclass(frozen=True)
class Shape:
    """What a spot may look like.

    Attributes:
        aspect: least ratio of the sides of the smallest turned rectangle around it.
        fill: least share of that rectangle that its convex hull fills; a disc's is 0.79.
        solidity: least share of the hull that it fills; two cubes that touch at a corner have
            little.
        by_length: its size is its longer side, as of letters, rather than the root of its area.
    """

    aspect: float
    fill: float
    solidity: float
    by_length: bool = False


CUBE_TOP = Shape(aspect=0.6, fill=0.72, solidity=0.75)
PRINT = Shape(aspect=0.12, fill=0.45, solidity=0.2, by_length=True)


@dataclass(frozen=True)
class Thresholds:
    """How a picture is cut into light and dark.

    Attributes:
        windows: sides of the window that is averaged, as parts of the longer side (7: a seventh).
        offsets: grey levels by which a pixel must be lighter than its window.
        erosions: sides of the square that parts touching tops, pixels; 0 for none.
    """

    windows: Sequence[float]
    offsets: Sequence[int]
    erosions: Sequence[int] = (0, 3)


@dataclass(frozen=True)
class Spots:
    """Distinct spots, those seen most often first.

    Attributes:
        places: (n, 2), pixels.
        sizes: (n,), root of the area, pixels.
        counts: (n,), how many channels and thresholds showed the spot.
    """

    places: NDArray[np.float64]
    sizes: NDArray[np.float64]
    counts: NDArray[np.float64]


Channel = NDArray[np.integer[Any] | np.floating[Any]]
"""(height, width), uint8; OpenCV's annotations promise no more than a number type."""


def pale(picture: NDArray[np.uint8]) -> list[Channel]:
    """Views in which pale cubes are light: the least of RGB, paleness, grey."""
    saturation = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)[..., 1]
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return [_softened(channel) for channel in (_least(picture), 255 - saturation, grey)]


def dark(picture: NDArray[np.uint8]) -> list[Channel]:
    """Views in which dark things are light, and coloured print on pale cubes."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return [_softened(255 - channel) for channel in (_least(picture), grey)]


def light(picture: NDArray[np.uint8]) -> list[Channel]:
    """Views in which light print on dark cubes is light."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return [_softened(channel) for channel in (255 - _least(255 - picture), grey)]


def _least(picture: NDArray[np.uint8]) -> Channel:
    red, green, blue = cv2.split(picture)
    return cv2.min(cv2.min(red, green), blue)


def find_spots(
    channels: Iterable[Channel],
    thresholds: Thresholds,
    shape: Shape,
    smallest: float = SMALLEST_PX,
) -> NDArray[np.float64]:
    """All spots seen in any channel under any threshold, one cube many times.

    Args:
        channels: of a picture.
        thresholds: how it is cut.
        shape: of the spots.
        smallest: size of the smallest, pixels.

    Returns:
        (n, 4): x, y, size in pixels, quality 0–1.
    """
    found = [
        spot
        for channel in channels
        for mask in _masks(channel, thresholds)
        for spot in _spots_of(mask, shape, smallest)
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


def _softened(channel: Channel) -> NDArray[np.uint8]:
    return cv2.GaussianBlur(channel, (0, 0), 0.8).astype(np.uint8)


def _masks(channel: Channel, thresholds: Thresholds) -> Iterable[Channel]:
    longer = max(channel.shape)
    for window in thresholds.windows:
        side = int(longer / window) | 1
        above = cv2.subtract(channel, cv2.blur(channel, (side, side)))
        for offset in thresholds.offsets:
            _, mask = cv2.threshold(above, offset, 255, cv2.THRESH_BINARY)
            for side in thresholds.erosions:
                yield cv2.erode(mask, np.ones((side, side), np.uint8)) if side else mask


def _spots_of(
    mask: Channel, shape: Shape, smallest: float
) -> Iterable[tuple[float, float, float, float]]:
    # all outer borders, also of what lies in the hole of another: cubes within a light frame
    contours, families = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    largest = LARGEST_SHARE * max(mask.shape)
    for contour, family in zip(contours, families[0] if contours else (), strict=True):
        if family[_PARENT] >= 0:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if smallest < max(width, height) <= largest:
            spot = _spot_of(contour, shape, smallest)
            if spot is not None:
                yield spot


def _spot_of(
    contour: Channel, shape: Shape, smallest: float
) -> tuple[float, float, float, float] | None:
    (x, y), sides, _ = cv2.minAreaRect(contour)
    hull = cv2.contourArea(cv2.convexHull(contour))
    longer, shorter = max(sides), min(sides)
    size = longer if shape.by_length else hull**0.5
    fits = (
        size >= smallest
        and shorter >= shape.aspect * longer
        and hull >= shape.fill * longer * shorter
        and cv2.contourArea(contour) >= shape.solidity * hull
    )
    return (x, y, size, hull / longer**2) if fits else None
