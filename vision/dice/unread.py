"""Find what looks like dice on which no top was placed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.choose import Die, outline
from vision.dice.faces import alike
from vision.dice.pips import Channel, Floats, Pips, on_wide_ground
from vision.reading import Point

_LEAST_SEEN = 3.0  # sightings of a pip that was left over
_LIKE_SIZE = (0.75, 1.33)  # of such a pip, in that of the dice's
_ON_DIE = 0.75  # edges from the middle of a die
_LIKE_BODY = 0.25  # of the contrast: a colour of the dice
_LARGEST_HOLE = 3.0  # in pips: what is larger in a body is a letter
_TOP_AND_BEVEL = 1.15  # in tops
_LIKE_AREA = (0.4, 3.5)  # of a body, in that of the top of a die; several may touch
_FULL = 0.6  # area, in that of the rectangle around it
_LIKE_DEPTH = (0.33, 0.85)  # radius of the largest disc in it, in edges; sides of dice are narrower


def unread(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> tuple[Point, ...]:
    """Middles of pips and of bodies that are like those of the dice and on none of them.

    Args:
        picture: (height, width, 3), RGB, smoothed.
        pips: all that may be pips in it.
        dice: one at least, whose members are among them.
    """
    places = [*_loose_pips(picture, pips, dice), *_loose_bodies(picture, pips, dice)]
    return tuple((float(x), float(y)) for x, y in _apart(places, dice))


def _loose_pips(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> list[Floats]:
    """Middles of pips like those of the dice, on bare ground, but on none of the dice."""
    members = np.array([member for die in dice for member in die.top.members])
    like = alike(pips, anywhere=True)[:, members].any(axis=1)
    ratios = pips.diameters / np.median(pips.diameters[members])
    like &= (pips.sightings >= _LEAST_SEEN) & (ratios > _LIKE_SIZE[0]) & (ratios < _LIKE_SIZE[1])
    like &= on_wide_ground(picture, pips)
    like[members] = False
    return [centre for centre in pips.centres[like] if not any(_is_on(centre, d) for d in dice)]


def _is_on(place: Floats, die: Die) -> bool:
    """Whether a place is on the top of a die or on a side of it that is seen."""
    away = np.linalg.norm(place - die.top.middle) / die.top.edge_px
    return bool(away < _ON_DIE)


def _loose_bodies(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> list[Floats]:
    """Middles of what has the colour and the size of the dice, whatever small is on it."""
    mask = _body_mask(picture, pips, dice)
    for die in dice:
        corners = die.top.middle + _TOP_AND_BEVEL * (outline(die.top) - die.top.middle)
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 0)
    mask[[0, -1]] = mask[:, [0, -1]] = 0  # what the photo cuts off is narrower
    area = float(np.median([cv2.contourArea(outline(d.top).astype(np.float32)) for d in dice]))
    edge = float(np.median([die.top.edge_px for die in dice]))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = (_middle(mask, contour, edge) for contour in contours if _is_compact(contour, area))
    middles = (middle for middle in found if middle is not None)
    return [middle for middle in middles if not any(_is_on(middle, die) for die in dice)]


def _is_compact(contour: Channel, area: float) -> bool:
    """Whether a contour is as large as some dice whose tops have this area, and as full."""
    own, (_, (width, height), _) = cv2.contourArea(contour), cv2.minAreaRect(contour)
    return _LIKE_AREA[0] * area < own < _LIKE_AREA[1] * area and own > _FULL * width * height


def _middle(mask: NDArray[np.uint8], contour: Channel, edge: float) -> Floats | None:
    """Of the largest disc within a contour of the mask, if a top of a die may be as large."""
    x, y, width, height = cv2.boundingRect(contour)
    window = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(window, [contour], 0, 1, cv2.FILLED, offset=(1 - x, 1 - y))
    window[1:-1, 1:-1] &= mask[y : y + height, x : x + width]
    depths = cv2.distanceTransform(window, cv2.DIST_L2, 5)
    row, column = np.unravel_index(depths.argmax(), depths.shape)
    if not _LIKE_DEPTH[0] * edge < depths.max() < _LIKE_DEPTH[1] * edge:
        return None
    return np.array([x + column - 1, y + row - 1], np.float64)


def _body_mask(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> NDArray[np.uint8]:
    """Where (height, width) the colour of a die's body is, or a hole no larger than some pips."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for own in (list(die.top.members) for die in dice):
        body, reach = pips.bodies[own].mean(axis=0), _LIKE_BODY * pips.contrasts[own].mean()
        mask |= np.asarray(cv2.inRange(picture, body - reach, body + reach), np.uint8) & 1
    members = [member for die in dice for member in die.top.members]
    _fill_holes(mask, _LARGEST_HOLE * float(np.median(pips.diameters[members])) ** 2)
    return mask


def _fill_holes(mask: NDArray[np.uint8], largest: float) -> None:
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for contour, (*_, parent) in zip(contours, tree[0] if len(contours) else (), strict=True):
        if parent >= 0 and cv2.contourArea(contour) < largest:
            cv2.drawContours(mask, [contour], 0, 1, cv2.FILLED)


def _apart(places: Sequence[Floats], dice: Sequence[Die]) -> list[Floats]:
    """Without those nearer to an earlier one than an edge."""
    edge = float(np.median([die.top.edge_px for die in dice]))
    kept: list[Floats] = []
    for place in places:
        if all(np.linalg.norm(place - other) > edge for other in kept):
            kept.append(place)
    return kept
