"""Square lattices seen in perspective, found among spots some of which are missing or stray.

A lattice is grown from a spot and two of its neighbours: what the map from lattice to picture
predicts one step further out is gathered, the map is fitted again, and so on outward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Spots

Homography = NDArray[np.float64]
"""(3, 3), acting on (x, y, 1)."""

Floats = NDArray[np.floating[Any]]

_MOST_SEEDS = 14  # spots that no lattice has explained and one is grown from
_REACH = 7  # lattice steps from the seed
_GROWTH = (  # by how far out: tolerance in steps, and the spots that must have been gathered
    (0.3, 4),
    (0.28, 6),
    (0.25, 8),
    (0.22, 8),
    (0.22, 8),
    (0.22, 8),
    (0.22, 8),
)
_FIRST_STOP = 4  # steps out from which growth that brings nothing new ends
_SPAN = 2 * _REACH + 1
_MISSING = 0.7  # what an empty node of a window costs; an occupied one is worth its weight
_RING = 0.6  # what an occupied node beside the window costs
_MISFIT = 8.0  # what a mean distance of one step between spots and nodes costs
_MOST_MISSING = 0.3
_EXPLAINS = 0.5  # score of a window from which no lattice is grown from its other spots
_SUFFICES = 0.85  # and from which no other is grown from the same spot
_NEIGHBOURS = 10
_MOST_STEPS = 3  # pairs of first steps that are tried from a spot
_SAME_SIZE = 0.4  # difference of logarithms


@dataclass(frozen=True)
class Window:
    """A square of lattice nodes that may be a board.

    Attributes:
        homography: from board coordinates (cell centres at halves) to picture pixels.
        side: rows and columns.
        score: at most 1, which is a spot on each node, none beside the window, no misfit.
    """

    homography: Homography
    side: int
    score: float


@dataclass(frozen=True)
class _Lattice:
    homography: Homography  # from lattice coordinates (nodes at whole numbers) to pixels
    nodes: NDArray[np.int64]  # (n, 2), node of each member
    members: NDArray[np.int64]  # (n,), index of the spot
    weights: NDArray[np.float64]  # (n,), how often seen, relative to its peers, 0-1
    misfit: float  # mean distance between spots and nodes, in steps


def best_windows(spots: Spots, sides: Sequence[int]) -> list[Window]:
    """The best window of each lattice that the spots hold, best first."""
    windows: list[Window] = []
    explained = np.zeros(len(spots.places), bool)
    for _ in range(_MOST_SEEDS):
        if explained.all():
            break
        seed = int(explained.argmin())
        explained[seed] = True
        for lattice in _lattices_from(spots, seed):
            window = _best_window(lattice, sides)
            if window is not None:
                windows.append(window)
                explained[lattice.members] |= window.score > _EXPLAINS
                if window.score > _SUFFICES:
                    break
    return sorted(windows, key=lambda window: -window.score * window.side)


def apply(homography: Floats, points: Floats) -> NDArray[np.float64]:
    """Map points (n, 2)."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def _lattices_from(spots: Spots, seed: int) -> Iterator[_Lattice]:
    """The different ones that grow from a spot.

    The gaps between cubes may be spots too, so that the shortest steps lead from print to gap.
    """
    tried = 0
    known: list[_Lattice] = []
    for right, down in _first_neighbours(spots, seed):
        ends = spots.places[[right, down]]
        if any(_is_spanned_by(lattice, ends) for lattice in known):
            continue
        lattice = _grown(spots, seed, *(ends - spots.places[seed]))
        if lattice is not None:
            known.append(lattice)
            yield lattice
        tried += 1
        if tried == _MOST_STEPS:
            break


def _is_spanned_by(lattice: _Lattice, ends: Floats) -> bool:
    """Whether steps from its seed to places (2, 2) lead to every node."""
    places = apply(np.linalg.inv(lattice.homography), ends)
    nodes = np.round(places)
    near = np.abs(places - nodes).max() < _GROWTH[0][0]
    return bool(near) and abs(round(float(np.linalg.det(nodes)))) == 1


def _first_neighbours(spots: Spots, seed: int) -> list[tuple[int, int]]:
    """Pairs of spots, steps to which may span the lattice, the nearest first."""
    alike = np.flatnonzero(np.abs(np.log(spots.sizes / spots.sizes[seed])) < _SAME_SIZE)
    steps = spots.places[alike] - spots.places[seed]
    lengths = np.hypot(*steps.T)
    near = np.argsort(lengths)[1 : _NEIGHBOURS + 1]
    pairs = []
    for k, first in enumerate(near):
        for second in near[k + 1 :]:
            area = float(steps[first, 0] * steps[second, 1] - steps[first, 1] * steps[second, 0])
            a, b = lengths[first], lengths[second]
            if abs(area) > 0.7 * a * b and 0.55 < a / b < 1.8:
                ends = int(alike[first]), int(alike[second])
                pairs.append((a + b, ends if area > 0 else ends[::-1]))
    pairs.sort(key=lambda pair: pair[0])
    return [ends for _, ends in pairs]


def _grown(
    spots: Spots, seed: int, right: NDArray[np.float64], down: NDArray[np.float64]
) -> _Lattice | None:
    homography = np.eye(3)
    homography[:2] = np.column_stack([right, down, spots.places[seed]])
    relative_size = float(spots.sizes[seed] / step_lengths(homography, np.zeros((1, 2)))[0])
    nodes, members = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    for reach, (tolerance, fewest) in enumerate(_GROWTH, start=1):
        before = members
        nodes, members = _gathered(spots, homography, relative_size, reach, tolerance)
        if reach > _FIRST_STOP and np.array_equal(members, before):
            break
        fitted = _fitted(nodes, spots.places[members]) if len(members) >= fewest else None
        if fitted is None:
            return None
        homography = fitted
    return _lattice(spots, homography, nodes, members)


def _lattice(
    spots: Spots, homography: Homography, nodes: NDArray[np.int64], members: NDArray[np.int64]
) -> _Lattice:
    counts = spots.counts[members]
    weights = np.minimum(1.0, counts / max(2.0, 0.5 * float(np.percentile(counts, 80))))
    places = apply(np.linalg.inv(homography), spots.places[members])
    misfit = float(np.hypot(*(places - nodes).T).mean())
    return _Lattice(homography, nodes, members, weights, misfit)


def _gathered(
    spots: Spots, homography: Homography, relative_size: float, reach: int, tolerance: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Spots of the right size near a node within reach, one a node: most seen and nearest."""
    places = apply(np.linalg.inv(homography), spots.places)
    nodes = np.round(np.clip(places, -99, 99)).astype(np.int64)
    misfit = np.abs(places - nodes).max(axis=1)
    size = relative_size * step_lengths(homography, places)
    fits = (misfit < tolerance) & (np.abs(np.log(spots.sizes / size)) < _SAME_SIZE)
    near = np.flatnonzero(fits & (np.abs(nodes).max(axis=1) <= reach))
    best_first = near[np.argsort(-spots.counts[near] * (1 - misfit[near]), kind="stable")]
    codes = nodes[best_first] @ np.array([_SPAN, 1])
    _, first = np.unique(codes, return_index=True)
    members = best_first[first]
    return nodes[members], members


def step_lengths(homography: Homography, places: Floats) -> NDArray[np.float64]:
    """Length of a step at lattice places: root of the Jacobian's determinant, det H / w³."""
    depth = np.column_stack([places, np.ones(len(places))]) @ homography[2]
    area = np.abs(np.linalg.det(homography)) / np.maximum(np.abs(depth) ** 3, 1e-12)
    return np.asarray(np.sqrt(area), np.float64)


def _fitted(nodes: NDArray[np.int64], places: NDArray[np.float64]) -> Homography | None:
    """Least-squares map from nodes to places: affine for few of them, else projective."""
    if len(nodes) < 8:
        columns = np.column_stack([nodes, np.ones(len(nodes))])
        solution, _, rank, _ = np.linalg.lstsq(columns, places, rcond=None)
        homography = np.vstack([solution.T, [0.0, 0.0, 1.0]]) if rank == 3 else np.zeros((0, 0))
    else:
        homography = np.asarray(cv2.findHomography(nodes.astype(np.float64), places)[0], np.float64)
    sound = homography.shape == (3, 3) and np.isfinite(homography).all()
    return homography if sound and np.linalg.cond(homography) < 1e12 else None


def _best_window(lattice: _Lattice, sides: Sequence[int]) -> Window | None:
    weights = np.zeros((_SPAN, _SPAN))
    weights[tuple((lattice.nodes + _REACH).T)] = lattice.weights
    best = None
    for side in sides:
        scores = _window_scores(weights, side) / side**2 - _MISFIT * lattice.misfit / side**2
        row, col = np.unravel_index(int(scores.argmax()), scores.shape)
        score = float(scores[row, col])
        if np.isfinite(score) and (best is None or score * side > best.score * best.side):
            shift = np.eye(3)
            shift[:2, 2] = row - _REACH - 0.5, col - _REACH - 0.5
            best = Window(lattice.homography @ shift, side, score)
    return best


def _window_scores(weights: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Score of each window by its first node, -inf where too many nodes are empty."""
    inside = _sums(weights, side)
    count = _sums((weights > 0).astype(float), side)
    around = _sums(np.pad(weights, 1), side + 2)
    missing = side**2 - count
    scores = inside - _MISSING * missing - _RING * (around - inside)
    return np.where(missing <= _MOST_MISSING * side**2, scores, -np.inf)


def _sums(values: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Sum of each square of ``side`` by its upper left."""
    views = np.lib.stride_tricks.sliding_window_view(values, (side, side))
    return np.asarray(views.sum(axis=(2, 3)), np.float64)
