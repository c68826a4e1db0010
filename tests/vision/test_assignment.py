"""The best assignment, against all that there are and against scipy's own way to it."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision import assignment
from vision.assignment import best_assignment

SCORES = st.integers(1, 4).flatmap(
    lambda rows: arrays(np.float64, (rows, 5), elements=st.integers(-9, 9).map(float))
)


@given(SCORES)
def test_no_other_assignment_has_a_higher_sum(scores: NDArray[np.float64]) -> None:
    rows, columns = best_assignment(scores)

    every = permutations(range(scores.shape[1]), len(scores))
    best = max(sum(scores[row, col] for row, col in enumerate(chosen)) for chosen in every)
    assert list(rows) == list(range(len(scores)))
    assert len(set(columns)) == len(scores)
    assert scores[rows, columns].sum() == best


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_one_that_the_package_finds(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(36, 40))

    alone = best_assignment(scores)
    for one, other in zip(alone, linear_sum_assignment(scores, maximize=True), strict=True):
        assert (one == other).all()


def test_without_the_extension_the_package_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, "_EXTENSION", "no_such_extension")
    assignment.solver.cache_clear()
    try:
        assert assignment.solver() is linear_sum_assignment
    finally:
        assignment.solver.cache_clear()


def test_the_package_stays_away_and_can_still_come() -> None:
    """In a process of its own: this one has it already."""
    code = (
        "import sys, numpy; from vision.assignment import best_assignment as best\n"
        "one = best(numpy.eye(3)); assert 'scipy.optimize' not in sys.modules\n"
        "from scipy.optimize import linear_sum_assignment as other\n"
        "assert (one[1] == other(numpy.eye(3), maximize=True)[1]).all()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
