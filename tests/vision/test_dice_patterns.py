"""Which points are the pips of a face."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.dice.patterns import fit

SPOTS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    5: [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0)],
}


def turned(points: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[cos, -sin], [sin, cos]]))


@given(
    pips=st.sampled_from(sorted(SPOTS)),
    reach=st.floats(0.85, 1.9),
    degrees=st.floats(0, 360),
    seed=st.integers(0, 2**32 - 1),
)
def test_each_pattern_is_known_at_any_turn_and_in_any_order(
    pips: int, reach: float, degrees: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    exact = turned(np.array(SPOTS[pips], np.float64) * reach, degrees) + rng.uniform(0, 99, 2)
    points = rng.permutation(exact + rng.uniform(-0.06, 0.06, exact.shape))
    found = fit(points)
    assert found is not None
    assert found.pips == pips
    assert found.error < 0.2
    assert found.middle == pytest.approx(points.mean(axis=0), abs=0.1)
    assert found.reach == pytest.approx(0 if pips == 1 else reach, abs=0.15)


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (0.5, 0)],  # nearer than two pips can be
        [(0, 0), (9, 0)],  # farther than a face is wide
        [(0, 0), (4, 0), (4, 1.8), (0, 1.8)],  # an oblong
        [(0, 0), (2, 0), (3.2, 1.6), (1.2, 1.6)],  # askew
    ],
)
def test_other_points_are_no_face(points: list[tuple[float, float]]) -> None:
    assert fit(np.array(points, np.float64)) is None


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (1, 1), (3, 3)],  # the middle one is not in the middle
        [(0, 0), (2, 0), (2, 2), (0, 2), (1.6, 1.6)],
        [(0, 0), (1.3, 0), (2.6, 0), (0, 2), (1.3, 2), (2.6, 3.2)],
    ],
)
def test_a_pattern_with_a_pip_out_of_place_has_a_large_error(
    points: list[tuple[float, float]],
) -> None:
    found = fit(np.array(points, np.float64))
    assert found is None or found.error > 0.2
