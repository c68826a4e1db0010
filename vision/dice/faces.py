"""Put pips together to faces of dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice.patterns import MOST, ON_A_LINE, Fit, fit
from vision.dice.pips import Floats, Pips, sampled

_LARGEST_ERROR = 0.3  # of a pattern, in diameters of its pips
_APART = (0.8, 6.5)  # pips of one face, in diameters
_SAME_SHAPE = (0.64, 1.56)  # stretch from the outline of one pip to that of another
_GAP = 0.5  # in contrasts of pip and body: what differs more from the body is not of it
_SAME_INK, _SAME_BODY = 0.6, 0.55  # the same, of two pips; both may shine
_EDGES = (0.25, 0.12, 0.06)  # the same, within `_EDGE_STEPS`: an edge of the body
_FAR = 2.0  # so many times more is one after any distance
_STEP, _EDGE_STEPS = 0.1, 3  # diameters along a ray
_FARTHEST = 7.0
_RAYS = 32
_GRID = np.linspace(-1, 1, 13)
_MOST_CLUTTER = (0.1, 0.4)  # of the ground between pips; some sixes bear a number
_STEPS = 48
_PIP_AND_RIM = 1.35  # in radii
_CROWD = 14  # pips near one of them at most: a texture has more
_WITHIN = 1.25  # of the axes of a pattern: pips there belong to it
_NEXT, _NEAR_NEXT = 2.0, 0.4  # the same, where a row of more than three goes on


@dataclass(frozen=True)
class Face:
    """Pips that form a face, on a body that ends around them.

    Attributes:
        members: (n,), their places among all pips.
        found: the pattern, seen from straight above, in diameters of the pips.
        flatten: (2, 2), from the photo to that view.
        rays: (n,), from the middle to the edge of the body, in diameters.
    """

    members: tuple[int, ...]
    found: Fit
    flatten: Floats
    rays: Floats

    @property
    def pips(self) -> int:
        """1–6."""
        return self.found.pips

    @property
    def middle(self) -> Floats:
        """(2,), pixels."""
        return np.asarray(np.linalg.solve(self.flatten, self.found.middle))

    @property
    def aspect(self) -> float:
        """1 as seen from straight above, less from aside."""
        shorter, longer = np.sort(1 / np.linalg.svd(self.flatten, compute_uv=False))
        return float(shorter / longer)

    @property
    def half(self) -> float:
        """From the middle to an edge of the face, in diameters, as far as the body tells it."""
        return float(np.median(self.rays)) / _RAY_OF_SQUARE

    @property
    def edge_px(self) -> float:
        """Length of an edge, pixels, along the face's longer axis."""
        return float(2 * self.half / np.linalg.svd(self.flatten, compute_uv=False).min())

    @property
    def is_plain(self) -> bool:
        """Whether the body ends all around as that of a die does."""
        quantile, least = _PLAIN if self.pips < _TELLING else _PLAIN_OF_MANY
        low, upper = np.quantile(self.rays, (quantile, 0.75)) / np.median(self.rays)
        return bool(low >= least and upper <= _UPPER) and self.found.error <= _PLAIN_ERROR


_RAY_OF_SQUARE = 1.1  # median ray of a square with round corners, in half edges
_PLAIN = (0.05, 0.7)  # quantile of the rays, and how long it is at least, in the median one
_UPPER = 1.36  # upper quartile of them, at most
_PLAIN_ERROR = 0.17
_TELLING, _PLAIN_OF_MANY = 4, (0.2, 0.75)  # pips that tell more by themselves
_BOUNDED = (0.55, 1.5)  # shortest and upper rays, in the median one
_BOUNDED_OF_MANY = 0.4
_HALVES = (1.1, 4.2)
_MARGIN = 0.55  # diameters from the middle of an outer pip to the edge, at least
_WIDEST_MARGIN = 2.6  # from the middle to the edge, in that to the outer pips, at most


def find_faces(picture: NDArray[Any], pips: Pips) -> list[Face]:
    """All faces that some of the pips form; a pip may be in several of them.

    Args:
        picture: (height, width, 3), RGB, smoothed.
        pips: what may be pips in it.
    """
    related = alike(pips)
    joined = _joined(picture, pips, related)
    faces = (_face(picture, pips, related, members) for members in _sets(related, joined))
    return [face for face in faces if face is not None]


def alike(pips: Pips, *, anywhere: bool = False) -> NDArray[np.bool_]:
    """Which pips (n, n) may belong to one face: of like shape and colours, and near.

    Args:
        pips: any number of them.
        anywhere: also those far from each other, on other dice.
    """
    inverse = np.linalg.inv(pips.shapes)
    relative = inverse[:, None] @ pips.shapes[None]
    half_trace = np.trace(relative, axis1=2, axis2=3) / 2
    root = np.sqrt(np.maximum(half_trace**2 - np.linalg.det(relative), 0))
    like = (half_trace - root > _SAME_SHAPE[0]) & (half_trace + root < _SAME_SHAPE[1])
    offsets = pips.centres[None] - pips.centres[:, None]
    distances = np.linalg.norm(np.einsum("nij,nmj->nmi", inverse, offsets), axis=2) / 2
    like &= (distances > _APART[0]) & (anywhere | (distances < _APART[1]))
    contrasts = np.minimum(pips.contrasts[:, None], pips.contrasts)
    for colours, share in ((pips.inks, _SAME_INK), (pips.bodies, _SAME_BODY)):
        away = np.linalg.norm(colours[:, None] - colours[None], axis=2)
        like &= away < share * contrasts
    return np.asarray(like & like.T, np.bool_)


def _joined(picture: NDArray[Any], pips: Pips, alike: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the pips that are alike (n, n) have nothing but body between them."""
    joined = alike.copy()
    for one, other in np.argwhere(np.triu(alike)).tolist():
        joined[one, other] = joined[other, one] = _is_bare(picture, pips, one, other)
    return joined


def _is_bare(picture: NDArray[Any], pips: Pips, one: int, other: int) -> bool:
    """Whether there is nothing but body and pips between two pips."""
    share = np.linspace(0, 1, _STEPS)[:, None]
    places = pips.centres[one] + share * (pips.centres[other] - pips.centres[one])
    body = pips.bodies[one] + share * (pips.bodies[other] - pips.bodies[one])
    off = np.linalg.norm(sampled(picture, places) - body, axis=1)
    is_off = off > _GAP * min(pips.contrasts[one], pips.contrasts[other])
    return not (is_off & ~_inside(pips, np.arange(len(pips)), places)).any()


def _inside(pips: Pips, members: NDArray[np.intp], places: Floats) -> NDArray[np.bool_]:
    """Which places (…, 2) lie in one of some pips or on its rim."""
    inverse = np.linalg.inv(pips.shapes[members])
    steps = places[..., None, :] - pips.centres[members]
    away = np.linalg.norm(np.einsum("nij,...nj->...ni", inverse, steps), axis=-1)
    return np.asarray((away < _PIP_AND_RIM).any(axis=-1))


def _sets(alike: NDArray[np.bool_], joined: NDArray[np.bool_]) -> Iterator[tuple[int, ...]]:
    """All sets of 1–6 pips that are joined, directly or by others, and any two of them alike."""
    for first in range(len(alike)):
        near = {int(pip) for pip in np.flatnonzero(joined[first]) if pip > first}
        if len(near) <= _CROWD:
            yield from _grown((first,), near, near | {first}, alike, joined)


def _grown(
    members: tuple[int, ...],
    open_: set[int],
    seen: set[int],
    alike: NDArray[np.bool_],
    joined: NDArray[np.bool_],
) -> Iterator[tuple[int, ...]]:
    """The members, and with them every set that adds some of the open pips or of those beyond."""
    yield members
    if len(members) == MOST:
        return
    left = set(open_)
    while left:
        pip = left.pop()
        if not alike[pip, list(members)].all():
            continue
        beyond = {int(p) for p in np.flatnonzero(joined[pip]) if p > members[0]} - seen
        yield from _grown((*members, pip), left | beyond, seen | beyond, alike, joined)


def _face(
    picture: NDArray[Any], pips: Pips, related: NDArray[np.bool_], members: tuple[int, ...]
) -> Face | None:
    own = np.array(members)
    flatten = np.linalg.inv(np.median(pips.shapes[own], axis=0)) / 2
    found = fit(pips.centres[own] @ flatten.T)
    if found is None or found.error > _LARGEST_ERROR:
        return None
    if _others_within(pips, related, own, found, flatten):
        return None
    if _clutter(picture, pips, own, found, flatten) > _MOST_CLUTTER[found.pips == MOST]:
        return None
    seen = _rays(picture, pips, own, found, flatten)
    faces = [Face(members, found, flatten, rays) for rays in seen]
    bounded = [face for face in faces if _is_bounded(face)]
    return next((face for face in bounded if face.is_plain), bounded[0] if bounded else None)


def _others_within(
    pips: Pips, related: NDArray[np.bool_], own: NDArray[np.intp], found: Fit, flatten: Floats
) -> bool:
    """Whether more pips like them lie among those of a face, or go on their row."""
    if found.pips == 1:
        return False
    others = related[:, own].any(axis=1) & ~np.isin(np.arange(len(pips)), own)
    steps = np.linalg.solve(found.axes, (pips.centres[others] @ flatten.T - found.middle).T)
    is_within = (np.abs(steps) < _WITHIN).all(axis=0)
    goes_on = (np.abs(np.abs(steps) - _NEXT) < _NEAR_NEXT).all(axis=0)
    return bool(is_within.any() or (found.pips <= ON_A_LINE and goes_on.any()))


def _clutter(
    picture: NDArray[Any], pips: Pips, own: NDArray[np.intp], found: Fit, flatten: Floats
) -> float:
    """Share of the ground between the pips of a face that does not look like its body."""
    if found.pips == 1:
        return 0.0
    grid = np.stack(np.meshgrid(_GRID, _GRID), axis=-1).reshape(-1, 2)
    places = (found.middle + grid @ found.axes.T) @ np.linalg.inv(flatten).T
    ground = places[~_inside(pips, own, places)]
    away = np.linalg.norm(sampled(picture, ground) - pips.bodies[own].mean(axis=0), axis=1)
    return float((away > _GAP * pips.contrasts[own].mean()).mean()) if len(ground) else 0.0


def _rays(
    picture: NDArray[Any], pips: Pips, own: NDArray[np.intp], found: Fit, flatten: Floats
) -> Iterator[Floats]:
    """How far the body reaches from the middle of a face, (rays,), in diameters.

    Reflections look like edges, and the edge of a white die on a white cloth like none: so first by
    strong edges alone, then by fainter ones too.
    """
    angles = np.arange(_RAYS) * 2 * np.pi / _RAYS
    lengths = np.arange(0.0, _FARTHEST, _STEP)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    places = (found.middle + circle[:, None] * lengths[:, None]) @ np.linalg.inv(flatten).T
    colours = sampled(picture, places) / pips.contrasts[own].mean()
    body = pips.bodies[own].mean(axis=0) / pips.contrasts[own].mean()
    away = np.linalg.norm(colours - body, axis=2)
    jumps = np.linalg.norm(colours[:, _EDGE_STEPS:] - colours[:, :-_EDGE_STEPS], axis=2)
    among = _inside(pips, own, places) | (lengths < found.reach)
    jumps = np.where(among[:, :-_EDGE_STEPS], 0, jumps)
    beyond = ((places < 0) | (places >= picture.shape[1::-1])).any(axis=2)
    for edge in _EDGES:
        far = (away > _FAR * edge) | beyond
        near = np.pad(jumps > edge, ((0, 0), (_EDGE_STEPS, 0)))
        last = np.arange(len(lengths)) == len(lengths) - 1
        ends = ((far | near) & ~among) | last
        yield np.asarray(lengths[ends.argmax(axis=1)])


def _is_bounded(face: Face) -> bool:
    low, upper = np.quantile(face.rays, (0.05, 0.65)) / np.median(face.rays)
    reach = face.found.reach
    return bool(
        _HALVES[0] <= face.half <= _HALVES[1]
        and (face.pips == 1 or reach + _MARGIN <= face.half <= _WIDEST_MARGIN * reach)
        and low >= (_BOUNDED[0] if face.pips < _TELLING else _BOUNDED_OF_MANY)
        and upper <= _BOUNDED[1]
    )
