"""Odds of a statement as they depend on measures: logistic regression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_RIDGE = 1e-3


def fitted_odds(values: Floats, holds: NDArray[np.bool_], weights: Floats | None = None) -> Floats:
    """The coefficients (n,) that make what holds likeliest, with a small ridge.

    Args:
        values: (cases, n), the constant 1 first.
        holds: (cases,), whether the statement does.
        weights: (cases,), how often each case counts, 1 on the mean; alike where not given.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - large

    counted = np.ones(len(values)) if weights is None else weights
    signs = np.where(holds, 1.0, -1.0)
    spread = np.maximum(values.std(axis=0), 1e-9)
    spread[0] = 1
    scaled = values / spread

    def cost(odds: Floats) -> float:
        loss = (counted * np.logaddexp(0, -signs * (scaled @ odds))).mean()
        return float(loss + _RIDGE * (odds[1:] ** 2).sum())

    return np.asarray(minimize(cost, np.zeros(len(spread))).x / spread, np.float64)
