"""Find pips: filled ellipses of one colour on a body of another, at any brightness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Channel = NDArray[np.integer[Any] | np.floating[Any]]
"""Of any type that OpenCV's annotations promise."""

LEVELS = 20
"""Brightnesses at which the picture is cut into light and dark."""

SMALLEST_PX = 5.0
"""Diameter of the smallest pip."""

_LARGEST_SHARE = 0.12  # of a pip's diameter, in longer sides of the picture
_LEAST_POINTS = 10  # of a contour; shorter ones are noise
_LEAST_AREA = 6.0
_LEAST_JOINED, _MOST_JOINED = 30, 5  # points of the contour around pips that touch; in pips
_MOST_OBLONG = 0.55  # aspect: flatter ones may be a row of pips
_RIM = 0.6  # depth at which touching pips are parted, in that of their middle
_FLATTEST = 0.16  # ratio of the axes; pips on the sides of a die are flat
_LEAST_BODY = 5.0  # area of the light or dark part that a pip lies in, in pips
_ROUGHEST = 0.075  # spread of the radii of a disc's outline; a square's is 0.09
_ROUGHEST_PX = 0.22  # the same, that pixels alone cause
_LEAST_INK, _LEAST_BARE = 0.75, 0.55  # shares within a pip and around it, neighbours left out
_INSIDE, _AROUND = (0.15, 0.45, 0.7), (1.4, 1.7)  # where these are taken, in radii
_BEYOND = (3.2,)  # radii: what lies within a letter's ring has other ground there
_BARE_NEAR, _BARE_FAR = 0.7, 0.3
_SAME_BODY = 0.35  # of the contrast
_DIRECTIONS = 16
_LEAST_SIGHTINGS = 2
_LEAST_CONTRAST = 0.3  # of a pip with its body, in the brighter of them
_OVERLAP = (0.4, 1.8)  # diameters of what may be the same pip, in that of a pip
_SAME_PLACE, _SAME_SIZE = 0.35, 0.4  # in diameters; difference of logarithms


@dataclass(frozen=True)
class _Sighting:
    """An ellipse at one level: centre (2,), shape (2, 2), what it counts, 0–1, and aspect."""

    centre: Floats
    shape: Floats
    weight: float
    aspect: float


@dataclass(frozen=True)
class Pips:
    """Pips, or what looks like them; arrays over n of them.

    Attributes:
        centres: (n, 2), pixels x, y.
        shapes: (n, 2, 2), symmetric: maps the unit circle to the outline around its centre.
        inks: (n, 3), colour of the pip.
        bodies: (n, 3), colour around it.
        sightings: (n,), how many levels and channels showed it; rough ones count less.
    """

    centres: Floats
    shapes: Floats
    inks: Floats
    bodies: Floats
    sightings: Floats

    def __len__(self) -> int:
        return len(self.centres)

    def __getitem__(self, kept: NDArray[np.intp] | NDArray[np.bool_]) -> Pips:
        return Pips(
            self.centres[kept],
            self.shapes[kept],
            self.inks[kept],
            self.bodies[kept],
            self.sightings[kept],
        )

    @property
    def diameters(self) -> Floats:
        """(n,), of the disc of the same area, pixels."""
        return np.asarray(2 * np.sqrt(np.linalg.det(self.shapes)))

    @property
    def aspects(self) -> Floats:
        """(n,), shorter axis by longer one."""
        axes = np.linalg.eigvalsh(self.shapes)
        return np.asarray(axes[:, 0] / axes[:, 1])

    @property
    def contrasts(self) -> Floats:
        """(n,), distance of the colours."""
        return np.asarray(np.linalg.norm(self.inks - self.bodies, axis=1))


def find_pips(picture: NDArray[np.uint8]) -> Pips:
    """All that may be pips.

    Args:
        picture: (height, width, 3), RGB.
    """
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    found = [
        sighting
        for channel in (smooth.min(axis=2), smooth.max(axis=2))
        for level in _levels(channel)
        for mask in (channel > level, channel <= level)
        for sighting in _holes(mask.astype(np.uint8))
    ]
    centres, shapes, sightings = _merged(found)
    points = _around(centres, shapes, _INSIDE), _around(centres, shapes, _AROUND)
    inks, bodies = (np.median(sampled(smooth, places), axis=1) for places in points)
    return _distinct(Pips(centres, shapes, inks, bodies, sightings))


def on_wide_ground(picture: NDArray[Any], pips: Pips) -> NDArray[np.bool_]:
    """Which pips (n,) have a body that reaches far, unlike the ring of a letter around its hole."""
    near, far = (_bareness(picture, pips, radii) for radii in (_AROUND, _BEYOND))
    return np.asarray((near > _BARE_NEAR) & (far > _BARE_FAR), np.bool_)


def _bareness(picture: NDArray[Any], pips: Pips, radii: tuple[float, ...]) -> Floats:
    """Share (n,) of the ground around each pip that has its body's colour."""
    colours = sampled(picture, _around(pips.centres, pips.shapes, radii))
    away = np.linalg.norm(colours - pips.bodies[:, None], axis=2)
    return np.asarray((away < _SAME_BODY * pips.contrasts[:, None]).mean(axis=1))


def sampled(picture: NDArray[Any], places: Floats) -> Floats:
    """Values (…, channels) of the pixels at places (…, 2); beyond the edge, those at it."""
    height, width = picture.shape[:2]
    x = np.clip(np.floor(places[..., 0]).astype(np.intp), 0, width - 1)
    y = np.clip(np.floor(places[..., 1]).astype(np.intp), 0, height - 1)
    return np.asarray(picture[y, x], np.float64)


def _levels(channel: Channel) -> Floats:
    """Closer together where it is dark, as eyes have it."""
    low, high = np.percentile(channel[::4, ::4], (0.2, 99.8))
    return np.asarray(np.linspace(low**0.5, high**0.5, LEVELS + 2)[1:-1] ** 2)


def _holes(mask: NDArray[np.uint8]) -> Iterator[_Sighting]:
    """The filled elliptic holes in the parts of a mask."""
    contours, families = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return
    most = int(_LARGEST_SHARE * max(mask.shape) * np.pi)
    parents = families[0, :, 3]
    for place in np.flatnonzero(parents >= 0).tolist():
        outline = contours[place]
        if not _LEAST_POINTS <= len(outline) <= _MOST_JOINED * most:
            continue
        parent = cv2.contourArea(contours[parents[place]])
        for ellipse in _ellipses(outline):
            if _is_pip(mask, ellipse, parent):
                yield ellipse


def _ellipses(outline: Channel) -> list[_Sighting]:
    """The ellipse that an outline (n, 1, 2) follows, or those that touch in it."""
    whole = _ellipse(outline, 0.0)
    if whole is not None and whole.aspect > _MOST_OBLONG:
        return [whole]
    cores, rim = _cores(outline) if len(outline) >= _LEAST_JOINED else ([], 0.0)
    if whole is not None and len(cores) < 2:
        return [whole]
    parts = [_ellipse(core, rim) for core in cores]
    return [part for part in parts if part is not None]


def _cores(outline: Channel) -> tuple[list[Channel], float]:
    """Outlines of what is left of touching discs where their rim is taken off, and its width."""
    x, y, width, height = cv2.boundingRect(outline)
    filled = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(filled, [outline], 0, 1, cv2.FILLED, offset=(1 - x, 1 - y))
    depths = cv2.distanceTransform(filled, cv2.DIST_L2, 5)
    rim = _RIM * float(depths.max())
    cores, _ = cv2.findContours(
        (depths > rim).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    return [core + np.array([x - 1, y - 1], np.int32) for core in cores], rim


def _ellipse(outline: Channel, rim: float) -> _Sighting | None:
    """The ellipse that an outline (n, 1, 2) follows, if it does.

    The outline is that of its inner part where a rim of this width was taken off.
    """
    moments = cv2.moments(outline)
    area = moments["m00"]
    if area < _LEAST_AREA:
        return None
    centre = np.array([moments["m10"], moments["m01"]]) / area
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]])
    variances, axes = np.linalg.eigh(spread / area)
    shorter, longer = 2 * np.sqrt(np.maximum(variances, 1e-9)) + rim
    if shorter < SMALLEST_PX / 2 * _FLATTEST**0.5 or shorter < _FLATTEST * longer:
        return None
    steps = (outline[:, 0] - centre) @ axes
    radii = np.linalg.norm(steps / (2 * np.sqrt(variances)), axis=1)
    rough = float(radii.std()) * (1 - rim / shorter)
    roughest = _ROUGHEST + _ROUGHEST_PX / shorter
    if rough > roughest:
        return None
    shape = (axes * [shorter, longer]) @ axes.T
    return _Sighting(centre + 0.5, np.asarray(shape), 1 - 0.8 * rough / roughest, shorter / longer)


def _is_pip(mask: NDArray[np.uint8], seen: _Sighting, parent: float) -> bool:
    """Whether an ellipse is filled, and lies bare in a part of the mask large enough."""
    centre, shape = seen.centre, seen.shape
    if parent < _LEAST_BODY * np.pi * float(np.linalg.det(shape)):
        return False
    ink = sampled(mask, _around(centre[None], shape[None], _INSIDE)) == 0
    bare = sampled(mask, _around(centre[None], shape[None], _AROUND)) == 1
    return bool(ink.mean() >= _LEAST_INK and bare.mean() >= _LEAST_BARE)


def _around(centres: Floats, shapes: Floats, radii: tuple[float, ...]) -> Floats:
    """Places (n, points, 2) on rings around pips, in radii of theirs."""
    angles = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = np.concatenate([radius * circle for radius in radii])
    return np.asarray(centres[:, None] + rings @ shapes)


def _merged(found: Sequence[_Sighting]) -> tuple[Floats, Floats, Floats]:
    """The sightings of each pip gathered: centres, shapes, and what they weigh together."""
    centres = np.array([seen.centre for seen in found]).reshape(-1, 2)
    shapes = np.array([seen.shape for seen in found]).reshape(-1, 2, 2)
    weights = np.array([seen.weight for seen in found])
    sizes = 2 * np.sqrt(np.linalg.det(shapes))
    groups = []
    left = np.ones(len(found), bool)
    for place in np.argsort(-sizes, kind="stable"):
        if not left[place]:
            continue
        near = np.hypot(*(centres - centres[place]).T) < _SAME_PLACE * sizes[place]
        near &= left & (np.abs(np.log(sizes / sizes[place])) < _SAME_SIZE)
        left &= ~near
        if near.sum() >= _LEAST_SIGHTINGS:
            groups.append(near)
    return (
        np.array([np.median(centres[group], axis=0) for group in groups]).reshape(-1, 2),
        np.array([np.median(shapes[group], axis=0) for group in groups]).reshape(-1, 2, 2),
        np.array([weights[group].sum() for group in groups]),
    )


def _distinct(pips: Pips) -> Pips:
    """Those that stand out, and of several in one place the one seen best."""
    brightness = np.linalg.norm(np.maximum(pips.inks, pips.bodies), axis=1)
    pips = pips[pips.contrasts > _LEAST_CONTRAST * brightness]
    sizes, left = pips.diameters, np.ones(len(pips), bool)
    kept = []
    for place in np.argsort(-pips.sightings * sizes**2, kind="stable"):
        if left[place]:
            kept.append(int(place))
            away = np.linalg.norm(pips.centres - pips.centres[place], axis=1)
            ratio = sizes / sizes[place]
            alike = (ratio > _OVERLAP[0]) & (ratio < _OVERLAP[1])
            left &= ~(alike & (away < np.maximum(sizes, sizes[place]) / 2))
    return pips[np.array(kept, np.intp)]
