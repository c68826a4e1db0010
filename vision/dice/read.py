"""The one call from a photo to the dice in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.choose import Die, choose, outline
from vision.dice.faces import Face, alike, find_faces
from vision.dice.patterns import MOST
from vision.dice.pips import Channel, Floats, Pips, find_pips, on_wide_ground, sampled
from vision.dice.reading import DiceReading, DieReading, Doubt
from vision.errors import NoDiceError
from vision.reading import Point

LONG_SIDE = 1280
"""Pixels of the longer side in which pips are looked for."""

_RIGHT_IF_SURE, _RIGHT_IF_OBLIQUE, _RIGHT_IF_ODD = 0.995, 0.64, 0.25

_GHOST = 0.25  # of the contrast: a place of the pattern that differs so much may be a pip
_LEAST_SEEN = 3.0  # sightings of a pip that was left over
_LIKE_SIZE = (0.75, 1.33)  # of such a pip, in that of the dice's
_ON_DIE = 0.75  # edges from the middle of a die
_LIKE_BODY = 0.25  # of the contrast: a colour of the dice
_LIKE_AREA = (0.7, 1.6)  # in that of the top of a die
_CUT = 0.35  # of half an edge: beyond the photo


def read_dice(photo: NDArray[np.uint8]) -> DiceReading:
    """Read the dice in a photo: any number of them, of any colours, on any ground.

    Of the sides of a die that are seen the one seen most from above is its top.

    Args:
        photo: (height, width, 3), RGB, upright.

    Raises:
        NoDiceError: no dice are seen.
    """
    scale = min(1.0, LONG_SIDE / max(photo.shape[:2]))
    picture = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    pips = find_pips(smooth)
    dice = choose(find_faces(smooth, pips), pips, max(smooth.shape))
    for die in dice:
        die.doubts |= _doubts_of_picture(smooth, pips, die)
    if all(Doubt.MORE_PIPS in die.doubts for die in dice):  # the holes between letters, or none
        raise NoDiceError(
            "no dice were found in the photo",
            "Take it from above in even light, close enough that a die is 30 pixels wide or more.",
        )
    readings = sorted(map(_reading, dice), key=lambda die: (die.pips, die.middle_px))
    return DiceReading(tuple(readings), _unread(smooth, pips, dice)).scaled(1 / scale)


def _reading(die: Die) -> DieReading:
    x, y = die.top.middle.tolist()
    first, second, third, fourth = ((u, v) for u, v in outline(die.top).tolist())
    corners = (first, second, third, fourth)
    doubts = tuple(sorted(die.doubts))
    return DieReading(die.top.pips, _confidence(die), (x, y), corners, doubts)


def _confidence(die: Die) -> float:
    """Share of such dice that were right in rendered throws; see ``docs/dice.md``."""
    if not die.doubts:
        return _RIGHT_IF_SURE
    return _RIGHT_IF_OBLIQUE if die.doubts == {Doubt.OBLIQUE} else _RIGHT_IF_ODD


def _doubts_of_picture(picture: NDArray[Any], pips: Pips, die: Die) -> set[Doubt]:
    doubts: set[Doubt] = set()
    if die.top.pips == MOST:
        return doubts
    if _has_ghosts(picture, pips, die.top):
        doubts.add(Doubt.MORE_PIPS)
    corners = outline(die.top)
    slack = _CUT * die.top.edge_px / 2
    if (corners < -slack).any() or (corners > np.array(picture.shape[1::-1]) + slack).any():
        doubts.add(Doubt.CUT_OFF)
    return doubts


def _has_ghosts(picture: NDArray[Any], pips: Pips, face: Face) -> bool:
    """Whether a place where a die has a pip, but not this one, does not look like bare body."""
    if face.pips == 1:
        return False
    grid = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 1)], float)
    places = (face.found.middle + grid @ face.found.axes.T) @ np.linalg.inv(face.flatten).T
    own = list(face.members)
    away = np.linalg.norm(places[:, None] - pips.centres[own], axis=2).min(axis=1)
    bare = places[away > 0.8 * pips.diameters[own].mean()]
    off = np.linalg.norm(sampled(picture, bare) - pips.bodies[own].mean(axis=0), axis=1)
    return bool((off > _GHOST * pips.contrasts[own].mean()).any())


def _unread(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> tuple[Point, ...]:
    """Middles of pips, one for each die, that are like those of the dice and on none of them."""
    places = [*_loose_pips(picture, pips, dice), *_bare_bodies(picture, pips, dice)]
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


def _bare_bodies(picture: NDArray[Any], pips: Pips, dice: Sequence[Die]) -> list[Floats]:
    """Middles of what has the colour and the size of the dice, but nothing on it."""
    members = [member for die in dice for member in die.top.members]
    body, contrast = np.median(pips.bodies[members], axis=0), np.median(pips.contrasts[members])
    area = float(np.median([cv2.contourArea(_contour(outline(die.top))) for die in dice]))
    is_body = np.linalg.norm(picture - body, axis=2) < _LIKE_BODY * contrast
    contours, _ = cv2.findContours(
        is_body.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    found = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        if _LIKE_AREA[0] * area < width * height < 3 * _LIKE_AREA[1] * area:
            middle = np.array([x + width / 2, y + height / 2])
            if _is_bare(contour, is_body, area) and not any(_is_on(middle, die) for die in dice):
                found.append(middle)
    return found


def _is_bare(contour: Channel, is_body: NDArray[np.bool_], area: float) -> bool:
    """Whether a contour is as large as the top of a die, as compact, and full."""
    (_, _), (width, height), _ = cv2.minAreaRect(contour)
    own = cv2.contourArea(contour)
    x, y, wide, high = cv2.boundingRect(contour)
    filled = float(is_body[y : y + high, x : x + wide].sum())
    return bool(
        _LIKE_AREA[0] * area <= own <= _LIKE_AREA[1] * area
        and min(width, height) > 0.6 * max(width, height)
        and own > 0.8 * width * height
        and filled > 0.97 * own
    )


def _contour(corners: Floats) -> NDArray[np.float32]:
    return corners.astype(np.float32)[:, None]


def _apart(places: Sequence[Floats], dice: Sequence[Die]) -> list[Floats]:
    """Without those nearer to an earlier one than an edge."""
    edge = float(np.median([die.top.edge_px for die in dice]))
    kept: list[Floats] = []
    for place in places:
        if all(np.linalg.norm(place - other) > edge for other in kept):
            kept.append(place)
    return kept
