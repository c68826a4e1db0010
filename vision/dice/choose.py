"""Of all faces that pips may form, choose the tops of dice, and tell what is odd about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.dice.faces import Face
from vision.dice.pips import Floats, Pips
from vision.dice.reading import Doubt

_LIKE_EDGES = 1.7  # ratio of the edges of dice in one photo
_SAME_EDGES = 1.2  # the same, of dice that are seen from nearly as far
_SAME_DIE = 0.75  # distance of the middles of two sides of a die, in edges
_SAME_DIE_AT_MOST, _FLATTER = 1.0, 0.15  # the same where one has a smaller aspect by so much
_LARGE_PIP = 1.5  # half an edge, in diameters: ones below it have a large pip, or are no dice
_LARGEST_DIE = 0.4  # an edge, in longer sides of the picture
_FLATTEST_TOP = 0.45  # aspect; flatter faces are sides of dice
_PLAIN_TOP, _PLAIN_SIDE = 0.72, 0.64  # aspects that tell a top from a side
_FACING = 0.9  # aspect of a top beside which no side can be as round
_LOW_SIDE = 0.45  # a side that is wider should be seen below its top
_LIKE_ASPECT = 0.22
_UNEVEN = 1.5  # upper rays of a one, in the lowest; of a square up to 1.42
_FEW = 2  # pips that tell a die only with others like it
_LEAST_SEEN = 2.0  # sightings of each of so few


@dataclass
class Die:
    """A die while it is being judged.

    Attributes:
        top: its upper face.
        sides: other faces of it that are seen.
        doubts: what is odd about it.
    """

    top: Face
    sides: list[Face] = field(default_factory=list)
    doubts: set[Doubt] = field(default_factory=set)


def choose(faces: Sequence[Face], pips: Pips, longer_side: int) -> list[Die]:
    """The dice whose tops are among the faces.

    Args:
        faces: all that were found; several may share pips.
        pips: what their members refer to.
        longer_side: of the picture, pixels.
    """
    plain = [face for face in faces if face.half >= _LARGE_PIP and _is_telling(face, pips)]
    apart = _without_nested(_distinct(plain, pips), longer_side)
    dice = _without_chance(_gathered(apart))
    if dice:
        fitting = [face for face in faces if _is_like(face, dice, pips)]
        dice += _gathered(_added(fitting, dice, pips))
    for die in dice:
        die.doubts |= _doubts(die, dice)
    return dice


def _distinct(faces: Sequence[Face], pips: Pips) -> list[Face]:
    """Those with the most evidence, none of which shares a pip with another."""
    taken: set[int] = set()
    kept = []
    for face in sorted(faces, key=lambda face: _evidence(face, pips), reverse=True):
        if taken.isdisjoint(face.members):
            taken.update(face.members)
            kept.append(face)
    return kept


def _is_telling(face: Face, pips: Pips) -> bool:
    """Whether a face tells a die by itself."""
    return face.is_plain and _is_well_seen(face, pips)


def _is_well_seen(face: Face, pips: Pips) -> bool:
    return face.pips > _FEW or float(pips.sightings[list(face.members)].min()) >= _LEAST_SEEN


def _evidence(face: Face, pips: Pips) -> tuple[bool, int, float]:
    return face.is_plain, face.pips, float(pips.sightings[list(face.members)].sum())


def _without_nested(faces: Sequence[Face], longer_side: int) -> list[Face]:
    """Without reflections on pips and dirt on dice, and without dice that look like pips."""
    dropped: set[int] = set()
    for outer in sorted(faces, key=lambda face: face.edge_px, reverse=True):
        inner = [
            face
            for face in faces
            if face.edge_px * _LIKE_EDGES < outer.edge_px and _distance(face, outer) < 1
        ]
        are_dice = max((face.pips for face in inner), default=0) > 1
        too_large = outer.edge_px > _LARGEST_DIE * longer_side
        if inner and id(outer) not in dropped:
            gone = [outer] if are_dice or too_large else inner
            dropped.update(map(id, gone))
    return [face for face in faces if id(face) not in dropped]


def _distance(face: Face, other: Face) -> float:
    """Between the middles, in edges of the other."""
    return float(np.linalg.norm(face.middle - other.middle)) / other.edge_px


def _gathered(faces: Sequence[Face]) -> list[Die]:
    """Faces of one die together; the roundest is its top."""
    dice: list[Die] = []
    for face in sorted(faces, key=lambda face: face.aspect, reverse=True):
        own = [die for die in dice if _is_side(face, die.top)]
        if own:
            own[0].sides.append(face)
        else:
            dice.append(Die(face))
    return dice


def _is_side(face: Face, top: Face) -> bool:
    """Whether a face is of the same die as a rounder one."""
    is_flatter = face.aspect < top.aspect - _FLATTER
    return _distance(face, top) < (_SAME_DIE_AT_MOST if is_flatter else _SAME_DIE)


def _without_chance(dice: Sequence[Die]) -> list[Die]:
    """Without spots that only look like a die: too flat, or few pips unlike those of the others."""
    upper = [die for die in dice if die.top.aspect >= _FLATTEST_TOP]
    if not upper:
        return [die for die in dice if die.top.pips > _FEW]
    usual = _usual_edge(upper)
    return [
        die
        for die in upper
        if die.top.pips > _FEW or 1 / _LIKE_EDGES < die.top.edge_px / usual < _LIKE_EDGES
    ]


def _usual_edge(dice: Sequence[Die]) -> float:
    """Of dice that tell more by themselves, where there are any, pixels."""
    telling = [die for die in dice if die.top.pips > _FEW] or dice
    return float(np.median([die.top.edge_px for die in telling]))


def _is_like(face: Face, dice: Sequence[Die], pips: Pips) -> bool:
    """Whether a face that is not plain by itself goes with the dice that are."""
    ratio = face.edge_px / _usual_edge(dice)
    aspect = float(np.median([die.top.aspect for die in dice]))
    members = list(dice[0].top.members)
    contrast = float(pips.contrasts[members].mean())
    away = pips.bodies[list(face.members)].mean(axis=0) - pips.bodies[members].mean(axis=0)
    return (
        _is_well_seen(face, pips)
        and 1 / 1.35 < ratio < 1.35
        and abs(face.aspect - aspect) < _LIKE_ASPECT
        and float(np.linalg.norm(away)) < 0.4 * contrast
    )


def _added(faces: Sequence[Face], dice: Sequence[Die], pips: Pips) -> list[Face]:
    """Faces away from the dice."""
    free = [face for face in faces if all(_distance(face, die.top) > 0.85 for die in dice)]
    return _distinct(free, pips)


def _doubts(die: Die, dice: Sequence[Die]) -> set[Doubt]:
    doubts = set()
    if not die.top.is_plain or _is_uneven(die.top):
        doubts.add(Doubt.UNCLEAR)
    if _is_oblique(die):
        doubts.add(Doubt.OBLIQUE)
    aspect = float(np.median([other.top.aspect for other in dice]))
    ratio = die.top.edge_px / _usual_edge(dice)
    is_like = abs(die.top.aspect - aspect) < _LIKE_ASPECT and 1 / _SAME_EDGES < ratio < _SAME_EDGES
    if not is_like:
        doubts.add(Doubt.UNLIKE)
    return doubts


def _is_uneven(face: Face) -> bool:
    """Whether a one may be a pip of several: the body ends near on one side, far on the other."""
    low, upper = np.quantile(face.rays, (0.05, 0.75))
    return bool(face.pips == 1 and upper > _UNEVEN * low)


def _is_oblique(die: Die) -> bool:
    """Whether another side of it may be its top."""
    aspect = die.top.aspect
    if aspect > _FACING:
        return False
    return aspect < _PLAIN_TOP or any(
        side.aspect > _PLAIN_SIDE or (side.aspect > _LOW_SIDE and _is_above(side, die.top))
        for side in die.sides
    )


def _is_above(side: Face, top: Face) -> bool:
    return bool(side.middle[1] < top.middle[1] - 0.2 * top.edge_px)


def outline(face: Face) -> Floats:
    """Corners (4, 2) of a face, pixels."""
    if face.pips == 1:
        angles = np.arange(len(face.rays)) * 2 * np.pi / len(face.rays)
        corner = np.angle(np.sum(face.rays * np.exp(4j * angles))) / 4
        reach = face.half * 2**0.5
        turns = corner + np.arange(4) * np.pi / 2
        corners = reach * np.column_stack([np.cos(turns), np.sin(turns)])
    else:
        axes = face.found.axes / np.linalg.norm(face.found.axes, axis=0) * face.half
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ axes.T
    return np.asarray((face.found.middle + corners) @ np.linalg.inv(face.flatten).T)
