"""The six patterns of pips, and how well some points fit one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST = 6
"""Pips on a face at most."""

CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))

_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_PATTERNS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.0, 0.0),),
    2: _DIAGONAL,
    3: (*_DIAGONAL, (0.0, 0.0)),
    4: CORNERS,
    5: (*CORNERS, (0.0, 0.0)),
    6: (*CORNERS, (-1.0, 0.0), (1.0, 0.0)),
}
ON_A_LINE = 3
"""So many pips and fewer lie on one line and do not tell a plane."""

_REACH = {2: (0.75, 2.1), 3: (0.75, 2.1), 4: (0.65, 2.1), 5: (0.75, 2.1), 6: (0.55, 2.1)}
_SLOPE = 1.75  # ratio of the sides at most: the rows of some sixes stand close
_SLOPE_OF_SQUARES = 1.4
_SKEW = 0.35  # cosine of the angle between the sides at most


@dataclass(frozen=True)
class Fit:
    """A pattern laid over points, in units of a pip's diameter.

    Attributes:
        pips: 1–6.
        middle: (2,), of the face.
        axes: (2, 2), columns lead from the middle towards the right and lower pips of the face.
        error: the largest distance of a point from its place in the pattern.
    """

    pips: int
    middle: Floats
    axes: Floats
    error: float

    @property
    def reach(self) -> float:
        """Mean half side of the square of the outer pips; 0 for a one."""
        return float(np.linalg.norm(self.axes, axis=0).mean())


def fit(points: Floats) -> Fit | None:
    """The pattern of so many points (n, 2), 1–6 of them, or None where they form none.

    Args:
        points: as seen from straight above, in diameters of the pips.
    """
    count = len(points)
    orders, projection, solution = _solver(count)
    ordered = points[orders]
    residuals = np.linalg.norm(ordered - projection @ ordered, axis=2).max(axis=1)
    best = int(residuals.argmin())
    solved = solution @ ordered[best]
    found = Fit(count, solved[0], _axes(solved[1:]), float(residuals[best]))
    return found if _is_sound(found) else None


@lru_cache(maxsize=MOST)
def _solver(count: int) -> tuple[NDArray[np.intp], Floats, Floats]:
    """All orders (k, n) of so many points, and the least squares of their places.

    Returns:
        The orders; (n, n) from points to the pattern's places; (1–3, n) from points to the middle
        and the axes.
    """
    places = np.array(_PATTERNS[count])
    columns = [np.ones(count), *(places.T if count > ON_A_LINE else places.T[: count > 1])]
    design = np.column_stack(columns)
    solution = np.linalg.pinv(design)
    orders = np.array(list(permutations(range(count))), np.intp)
    return orders, np.asarray(design @ solution), np.asarray(solution)


def _axes(solved: Floats) -> Floats:
    """The axes (2, 2) as columns, of themselves, or of the diagonal alone: (0–2, 2)."""
    if len(solved) == 1:
        x, y = solved[0]
        return np.array([[x + y, x - y], [y - x, x + y]]) / 2
    return np.asarray(solved.T) if len(solved) else np.zeros((2, 2))


def _is_sound(found: Fit) -> bool:
    """Whether the axes are those of a face: of like length and nearly at a right angle."""
    if found.pips == 1:
        return True
    lengths = np.linalg.norm(found.axes, axis=0)
    low, high = _REACH[found.pips]
    slope = _SLOPE if found.pips == MOST else _SLOPE_OF_SQUARES
    cosine = abs(float(found.axes[:, 0] @ found.axes[:, 1])) / max(float(lengths.prod()), 1e-9)
    return bool(
        low <= lengths.min()
        and lengths.max() <= high
        and lengths.max() <= slope * lengths.min()
        and cosine <= _SKEW
    )
