"""A large grid of ruled squares anywhere in a photo: its squares are found and put in a lattice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from vision.lattice import Floats, Homography, apply

Node = tuple[int, int]
"""Row and column of a lattice, from anywhere."""

Mask = NDArray[np.integer[Any] | np.floating[Any]]

SMALLEST_PX = 9.0
"""Side of the smallest square that is looked for."""

_LARGEST = 0.25  # side of the largest square, in longer sides of the picture
_WINDOWS = (50, 20)  # sides of the windows that lines are darker than: parts of the picture
_OFFSETS = (5, 14)  # grey levels by which they are
_THICK = (1, 3, 6)  # pixels that lines are made thicker to: closes what is broken
_FILL, _ASPECT = 0.72, 0.45  # least share of its turned rectangle, least ratio of its sides
_SAME = 0.3  # distance of two sightings of one square, in sides
_STEP = 0.3  # how far a square may lie from where its neighbours promise it, in steps
_FIT = 0.2  # the same, once all squares are known
_LIKE = 1.7  # ratio of the sides of neighbours
_LEAST_TURN, _LONGEST_STEP = 0.6, 2.2  # sine between two steps; steps in sides
_SIZES, _SEEDS_OF_SIZE, _PAIRS = 6, 8, 3  # where growth begins
_MOST_GRIDS = 4
_ALIKE = 0.2  # difference of logarithms of sides
_LEAST_NODES = 12
_BEYOND = 3  # nodes beyond those that grew that may be gathered
_SHEARS = ((0, 0), (0, 1), (0, -1), (1, 1), (1, -1))  # axis that is moved, and by how much


@dataclass(frozen=True)
class Grid:
    """A lattice of squares.

    Attributes:
        homography: from lattice coordinates (x, y), square middles at halves, to photo pixels.
        nodes: rows and columns at which a square was found.
    """

    homography: Homography
    nodes: frozenset[Node]


@dataclass(frozen=True)
class _Squares:
    """Squares that were found: middles (n, 2) and sides (n,), pixels."""

    places: Floats
    sides: Floats

    @cached_property
    def tree(self) -> cKDTree[None]:
        """For the squares near a place."""
        return cKDTree(self.places)


def find_grids(picture: NDArray[np.uint8]) -> list[Grid]:
    """Grids in a picture (height, width, 3), RGB, those that take most of it first.

    None is a mirror image: its rows run to the right of its columns' way down.
    """
    squares = _found_squares(picture)
    grown: list[dict[Node, int]] = []
    taken: set[int] = set()
    for seed in _seeds(squares):
        if seed not in taken:
            nodes = _grown(squares, seed)
            taken.update(nodes.values())
            grown.append(nodes)
    large = [nodes for nodes in grown if len(nodes) >= _LEAST_NODES]
    large.sort(key=lambda nodes: -float((squares.sides[list(nodes.values())] ** 2).sum()))
    fitted = (_fitted(squares, nodes) for nodes in large[:_MOST_GRIDS])
    return [grid for grid in fitted if grid is not None]


def _found_squares(picture: NDArray[np.uint8]) -> _Squares:
    channels = (picture.max(axis=2), cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    sightings = [
        sighting
        for channel in channels
        for mask in _between_lines(cv2.GaussianBlur(channel, (0, 0), 0.8))
        for sighting in _sightings(mask)
    ]
    if not sightings:
        return _Squares(np.zeros((0, 2)), np.zeros(0))
    return _merged(np.array(sightings))


def _merged(sightings: Floats) -> _Squares:
    """Each square once, as large as it was seen: thicker lines leave less of it."""
    order = sightings[np.argsort(-sightings[:, 2], kind="stable")]
    tree = cKDTree(order[:, :2])
    free = np.ones(len(order), bool)
    places, sides = [], []
    for number, (x, y, side) in enumerate(order):
        if free[number]:
            near = [other for other in tree.query_ball_point((x, y), _SAME * side) if free[other]]
            free[near] = False
            places.append(np.median(order[near, :2], axis=0))
            sides.append(side)
    return _Squares(np.array(places), np.array(sides))


def _between_lines(channel: Mask) -> Iterator[Mask]:
    """Masks of what is not darker than its surroundings."""
    for window in _WINDOWS:
        side = int(max(channel.shape) / window) | 1
        darker = cv2.subtract(cv2.blur(channel, (side, side)), channel)
        for offset in _OFFSETS:
            _, lines = cv2.threshold(darker, offset, 255, cv2.THRESH_BINARY)
            for thick in _THICK:
                yield 255 - cv2.dilate(lines, np.ones((thick, thick), np.uint8))


def _sightings(mask: Mask) -> Iterator[tuple[float, float, float]]:
    """Middle and side of each part of a mask that looks like a square, also seen aslant."""
    contours, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    largest = _LARGEST * max(mask.shape)
    for contour in contours:
        _, _, width, height = cv2.boundingRect(contour)
        if not SMALLEST_PX < min(width, height) <= max(width, height) < largest:
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        _, sides, _ = cv2.minAreaRect(hull)
        solid = cv2.contourArea(contour) > _FILL * area
        full = area > _FILL * sides[0] * sides[1]
        if solid and full and min(sides) > max(_ASPECT * max(sides), SMALLEST_PX):
            moments = cv2.moments(hull)
            x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
            yield x, y, area**0.5


def _seeds(squares: _Squares) -> list[int]:
    """Squares to begin with, of the sizes that, all together, take most of the picture."""
    sizes = np.floor(np.log(np.maximum(squares.sides, 1.0)) / _ALIKE)
    covered = {size: (squares.sides[sizes == size] ** 2).sum() for size in np.unique(sizes)}
    largest = sorted(covered, key=lambda size: -covered[size])[:_SIZES]
    seeds: list[int] = []
    for size in largest:
        alike = np.flatnonzero(sizes == size)
        seeds += alike[:: max(1, len(alike) // _SEEDS_OF_SIZE)].tolist()
    return seeds


def _grown(squares: _Squares, seed: int) -> dict[Node, int]:
    """Squares by their nodes, grown from a seed to its neighbours and on."""
    grown = (_grown_by(squares, seed, steps) for steps in _first_steps(squares, seed))
    return max(grown, key=len, default={})


def _first_steps(squares: _Squares, seed: int) -> list[Floats]:
    """Pairs (2, 2) of steps, to the right and down, that lead from a square to like ones.

    As likely as not the opposite steps do too. Of the four turns of a lattice one will do.
    """
    place, side = squares.places[seed], squares.sides[seed]
    _, near = squares.tree.query(place, k=min(9, len(squares.places)))
    steps = [
        squares.places[other] - place
        for other in np.atleast_1d(near)[1:]
        if _is_like(squares, seed, other)
    ]
    both = [step for step in steps if squares.tree.query(place - step)[0] < _STEP * side]
    pairs = [np.array(pair) for pair in permutations(both, 2) if _is_square(*pair, side)]
    return sorted(pairs, key=lambda pair: float(np.linalg.norm(pair)))[:_PAIRS]


def _is_square(right: Floats, down: Floats, side: float) -> bool:
    """Whether two steps may be those of a lattice of squares of that side."""
    lengths = float(np.linalg.norm(right) * np.linalg.norm(down))
    turn = right[0] * down[1] - right[1] * down[0]
    return bool(
        turn > _LEAST_TURN * lengths
        and lengths < (_LONGEST_STEP * side) ** 2
        and right[0] > abs(right[1]) - 1
    )


def _is_like(squares: _Squares, one: int, other: int) -> bool:
    ratio = squares.sides[one] / squares.sides[other]
    return bool(1 / _LIKE < ratio < _LIKE)


def _grown_by(squares: _Squares, seed: int, steps: Floats) -> dict[Node, int]:
    """Squares by their nodes, each found by the steps (2, 2) at its neighbour."""
    nodes: dict[Node, int] = {(0, 0): seed}
    taken = {seed}
    queue = deque([((0, 0), steps)])
    while queue:
        (row, col), steps = queue.popleft()
        here = nodes[row, col]
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            node = (row + sign * axis, col + sign * (1 - axis))
            found = _neighbour(squares, here, sign * steps[axis])
            if node in nodes or found is None or found in taken:
                continue
            nodes[node] = found
            taken.add(found)
            bent = steps.copy()
            bent[axis] += 0.5 * (
                sign * (squares.places[found] - squares.places[here]) - steps[axis]
            )
            queue.append((node, bent))
    return nodes


def _neighbour(squares: _Squares, here: int, step: Floats) -> int | None:
    """The square that lies a step (2,) away, if there is a like one."""
    away, nearest = squares.tree.query(squares.places[here] + step)
    is_near = away <= _STEP * np.linalg.norm(step)
    return int(nearest) if is_near and _is_like(squares, here, int(nearest)) else None


def _fitted(squares: _Squares, nodes: dict[Node, int]) -> Grid | None:
    """The homography of a lattice, and all squares that it promises."""
    homography = np.eye(3)
    for _ in range(3):
        places = np.array([(col + 0.5, row + 0.5) for row, col in nodes])
        seen = squares.places[list(nodes.values())]
        step = float(np.median(squares.sides[list(nodes.values())]))
        found, _ = cv2.findHomography(places, seen, cv2.RANSAC, _FIT * step)
        homography = np.array(found, np.float64)
        if homography.shape != (3, 3):
            return None  # they lie in a line
        nodes = _gathered(squares, homography, nodes)
        if len(nodes) < _LEAST_NODES:
            return None
    return _upright(Grid(homography, frozenset(nodes)))


def _upright(grid: Grid) -> Grid:
    """The grid with steps along the sides of its squares, where they ran along diagonals.

    Seen much aslant, a diagonal may be no longer than a side; but along the sides alone the squares
    of a board fill a rectangle.
    """
    for _ in range(2):
        grid = max((_sheared(grid, along, by) for along, by in _SHEARS), key=_filled)
    return grid


def _sheared(grid: Grid, along: int, by: int) -> Grid:
    """The grid with its columns, or else its rows, moved by so many for each row or column."""
    shear = np.eye(3)
    shear[along, 1 - along], shear[along, 2] = by, -by / 2
    nodes = frozenset(
        (row, col + by * row) if along == 0 else (row + by * col, col) for row, col in grid.nodes
    )
    return Grid(grid.homography @ np.linalg.inv(shear), nodes)


def _filled(grid: Grid) -> float:
    """Share of the rectangle around the nodes that they fill, but for a few that lie apart."""
    low, high = np.quantile(np.array(list(grid.nodes)), (0.03, 0.97), axis=0)
    return float(len(grid.nodes) / np.prod(high - low + 1))


def _gathered(squares: _Squares, homography: Homography, nodes: dict[Node, int]) -> dict[Node, int]:
    """Squares near the nodes that the homography promises, of the size that it promises."""
    back = apply(np.linalg.inv(homography), squares.places)
    ahead = apply(np.linalg.inv(homography), squares.places + [0.7, 0.7] * squares.sides[:, None])
    size = np.linalg.norm(ahead - back, axis=1)
    usual = np.median(size[list(nodes.values())])
    whole = np.floor(back)
    away = np.abs(back - whole - 0.5).max(axis=1)
    low = np.array(list(nodes)).min(axis=0) - _BEYOND
    high = np.array(list(nodes)).max(axis=0) + _BEYOND
    found: dict[Node, int] = {}
    for number in np.argsort(away):
        col, row = (int(part) for part in whole[number])
        fits = away[number] < _FIT and 1 / _LIKE < size[number] / usual < _LIKE
        if fits and low[0] <= row <= high[0] and low[1] <= col <= high[1]:
            found.setdefault((row, col), int(number))
    return found
