"""The weight of all matchings, against the sum over all permutations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.matching import log_matchings


def by_permutations(weights: NDArray[np.float64]) -> float:
    """The permanent, literally."""
    rows = range(len(weights))
    return float(sum(weights[rows, columns].prod() for columns in permutations(rows)))


@given(side=st.integers(1, 6), spread=st.floats(0.1, 3), seed=st.integers(0, 10_000))
def test_the_weight_is_a_near_lower_bound(side: int, spread: float, seed: int) -> None:
    weights = np.exp(np.random.default_rng(seed).normal(0, spread, (side, side)))
    exact = np.log(by_permutations(weights))
    assert exact - side / 2 * np.log(2) - 0.01 <= log_matchings(weights) <= exact + 0.01


@pytest.mark.parametrize("factor", [1e-30, 1e30])
def test_the_scale_of_the_weights_only_shifts_the_result(factor: float) -> None:
    weights = np.random.default_rng(3).uniform(0.1, 1, (5, 5))
    shifted = log_matchings(weights) + 5 * np.log(factor)
    assert log_matchings(weights * factor) == pytest.approx(shifted)


def test_a_single_matching_weighs_its_product() -> None:
    weights = np.diag([0.5, 0.25, 2.0])
    assert log_matchings(weights) == pytest.approx(np.log(0.25))
