"""Which row belongs to which column, when each belongs to one: how probable is each pair?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 200
_SETTLED = 1e-6


def matching_marginals(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Probability of each pair under a random one-to-one matching, and the total weight.

    A matching weighs as much as the product of its pairs. The sum over all matchings is the
    permanent, out of reach beyond some twenty rows; belief propagation gives the Bethe permanent,
    which is at most the true one and at least its 2^(n/2)-th part (Vontobel 2013; Anari and
    Rezaei 2019).

    Args:
        weights: (n, n), n at least 2, not negative; each row and column has two positive entries.

    Returns:
        Natural logarithm of the Bethe permanent, and the marginals (n, n), whose rows sum to 1.
    """
    scaled = weights / weights.max(axis=1, keepdims=True)
    to_rows = np.ones_like(scaled)  # odds for each pair, as its column sees it
    for _ in range(_ROUNDS):
        to_columns = scaled / _others(scaled * to_rows, axis=1)
        before, to_rows = to_rows, 1 / _others(to_columns, axis=0)
        if np.abs(np.log(to_rows / before)).max() < _SETTLED:
            break
    to_columns = scaled / _others(scaled * to_rows, axis=1)
    pairs = scaled * to_rows
    total = (
        np.log(weights.max(axis=1)).sum()
        + np.log(pairs.sum(axis=1)).sum()
        + np.log(to_columns.sum(axis=0)).sum()
        - np.log1p(to_columns * to_rows).sum()
    )
    return float(total), pairs / pairs.sum(axis=1, keepdims=True)


def _others(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """For each entry, the sum of all others along the axis."""
    rest = values.sum(axis=axis, keepdims=True) - values
    return np.asarray(np.maximum(rest, 1e-12 * values.max()), np.float64)
