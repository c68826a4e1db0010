"""Ways to give each row a column of its own: how much do they all weigh together?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 300
_SETTLED = 1e-5


def log_matchings(weights: NDArray[np.float64]) -> float:
    """Natural logarithm of the weight of all one-to-one matchings of rows and columns.

    A matching weighs as much as the product of its pairs; the sum over all of them, the permanent,
    is out of reach beyond some twenty rows. Rows and columns are scaled until each sums to 1
    (Sinkhorn 1964); of the permanent of such a matrix a near lower bound is known (Schrijver 1998),
    which is returned.

    Args:
        weights: (n, n), not negative; some matching has a positive weight.
    """
    scaled = weights
    log_scale = 0.0
    for _ in range(_ROUNDS):
        rows = scaled.sum(axis=1, keepdims=True)
        scaled = scaled / rows
        columns = scaled.sum(axis=0, keepdims=True)
        scaled = scaled / columns
        log_scale += float(np.log(rows).sum() + np.log(columns).sum())
        if np.abs(columns - 1).max() < _SETTLED:
            break
    rest = np.clip(1 - scaled, 1e-300, 1)
    return log_scale + float((rest * np.log(rest)).sum())
