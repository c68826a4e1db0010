"""A second look at the cells that are doubtful, with another net, and in more ways.

The same crops are seen from two sides, and in ink both ways up.

What a net makes of a print that it hardly knows hangs on how its strokes happen to fall on the
pixels. Several looks together are right more often than each of them, and surer only where they
agree. Looking costs time, so only the doubtful cells are looked at, and the least sure ones first.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Logs = NDArray[np.float64]
"""(n, labels), logarithms of probabilities."""

_SURE = float(np.log(0.998))
_MOST = 24  # cells that are looked at again
_FIRST = 2  # looks that the first one counts for: it saw both ways up


class Classifier(Protocol):
    """Tells faces; see `vision.faces`."""

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.floating[Any]]:
        """Logarithms (n, labels) for crops (n, CROP_PX, CROP_PX, 3), RGB, as they stand."""
        ...


def all_sure(logs: Logs) -> bool:
    """Whether no cell needs a second look."""
    return bool((logs.max(axis=1) >= _SURE).all())


def looked_again(
    logs: Logs, crops: NDArray[np.uint8], inked: NDArray[np.uint8], classifier: Classifier
) -> Logs:
    """The logarithms with those of doubtful cells replaced by what all looks together say.

    Args:
        logs: what the first look said, both ways up; not all of it sure.
        crops: (n, CROP_PX, CROP_PX, 3), RGB.
        inked: the same in ink, as of `vision.ink.in_ink`.
        classifier: that looks.
    """
    sureness = logs.max(axis=1)
    doubtful = np.argsort(sureness, kind="stable")[:_MOST]
    doubtful = doubtful[sureness[doubtful] < _SURE]
    upright, inked = crops[doubtful], inked[doubtful]
    views = [upright, _turned(upright, 1), inked, _turned(inked, 2)]
    looks = classifier.look_closely(np.concatenate(views)).reshape(len(views), len(doubtful), -1)
    together = (looks.sum(axis=0) + _FIRST * logs[doubtful]) / (len(views) + _FIRST)
    replaced = logs.copy()
    replaced[doubtful] = together - np.logaddexp.reduce(together, axis=1, keepdims=True)
    return replaced


def _turned(crops: NDArray[np.uint8], quarters: int) -> NDArray[np.uint8]:
    """Crops after so many quarter turns counter-clockwise."""
    return np.rot90(crops, quarters, (1, 2))
