"""The one call from a photo to the dice in it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.choose import Die, choose, outline
from vision.dice.faces import Face, find_faces
from vision.dice.patterns import MOST
from vision.dice.pips import Pips, find_pips, sampled
from vision.dice.reading import DiceReading, DieReading, Doubt
from vision.dice.unread import unread
from vision.errors import NoDiceError

LONG_SIDE = 1280
"""Pixels of the longer side in which pips are looked for."""

_RIGHT_IF_SURE, _RIGHT_IF_OBLIQUE, _RIGHT_IF_ODD = 0.995, 0.64, 0.25

_GHOST = 0.25  # of the contrast: a place of the pattern that differs so much may be a pip
_WHITEST = 254.0  # of 255: a brighter body shows no more
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
    return DiceReading(tuple(readings), unread(smooth, pips, dice)).scaled(1 / scale)


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
    if (np.median(pips.bodies[list(die.top.members)], axis=0) >= _WHITEST).all():
        doubts.add(Doubt.WASHED_OUT)
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
