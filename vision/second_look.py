"""A second look at the cells that are doubtful: the same crops a little higher, lower, and in ink.

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

_SURE = float(np.log(0.99))
_MOST = 16  # cells that are looked at again
_SHIFT = 2  # pixels


class Scores(Protocol):
    """What a classifier says of crops, as in `vision.confirm`."""

    @property
    def log_probabilities(self) -> NDArray[np.floating[Any]]:
        """Logarithms (n, labels)."""
        ...


class Classifier(Protocol):
    """Tells faces; see `vision.faces`."""

    def classify(self, crops: NDArray[np.uint8], *, both_ways: bool = True) -> Scores:
        """Scores of crops (n, CROP_PX, CROP_PX, 3), RGB; looked at once only, half as good."""
        ...


def all_sure(logs: Logs) -> bool:
    """Whether no cell needs a second look."""
    return bool((logs.max(axis=1) >= _SURE).all())


def looked_again(
    logs: Logs, crops: NDArray[np.uint8], inked: NDArray[np.uint8], classifier: Classifier
) -> Logs:
    """The logarithms with those of doubtful cells replaced by what all looks together say.

    Args:
        logs: what the first look said, not all of it sure.
        crops: (n, CROP_PX, CROP_PX, 3), RGB.
        inked: the same in ink, as of `vision.ink.in_ink`.
        classifier: that looked.
    """
    sureness = logs.max(axis=1)
    doubtful = np.argsort(sureness, kind="stable")[:_MOST]
    doubtful = doubtful[sureness[doubtful] < _SURE]
    upside_down = np.rot90(crops[doubtful], 2, (1, 2))
    views = [_lowered(crops[doubtful]), _lowered(upside_down), inked[doubtful]]
    again = classifier.classify(np.concatenate(views), both_ways=False).log_probabilities
    looks = np.concatenate([logs[doubtful], again]).reshape(len(views) + 1, len(doubtful), -1)
    together = looks.mean(axis=0)
    replaced = logs.copy()
    replaced[doubtful] = together - np.logaddexp.reduce(together, axis=1, keepdims=True)
    return replaced


def _lowered(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Crops moved down by `_SHIFT`; what is moved in repeats their upper edge."""
    return np.concatenate([crops[:, :1].repeat(_SHIFT, axis=1), crops[:, :-_SHIFT]], axis=1)
