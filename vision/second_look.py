"""A second look at the cells that are doubtful, with more than one net, and in more ways.

The same crops are seen a little higher, lower, and in ink, each both ways up.

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

_SURE = float(np.log(0.995))
_MOST = 16  # cells that are looked at again
_SHIFT = 2  # pixels


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
    """The logarithms with those of doubtful cells replaced by what closer looks together say.

    Args:
        logs: what the first look said, not all of it sure.
        crops: (n, CROP_PX, CROP_PX, 3), RGB.
        inked: the same in ink, as of `vision.ink.in_ink`.
        classifier: that looked.
    """
    sureness = logs.max(axis=1)
    doubtful = np.argsort(sureness, kind="stable")[:_MOST]
    doubtful = doubtful[sureness[doubtful] < _SURE]
    upright, inked = crops[doubtful], inked[doubtful]
    upside_down = _turned(upright)
    views = [upright, upside_down, _lowered(upright), _lowered(upside_down), inked, _turned(inked)]
    looks = classifier.look_closely(np.concatenate(views)).reshape(len(views), len(doubtful), -1)
    together = looks.mean(axis=0)
    replaced = logs.copy()
    replaced[doubtful] = together - np.logaddexp.reduce(together, axis=1, keepdims=True)
    return replaced


def _turned(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Crops upside down."""
    return np.rot90(crops, 2, (1, 2))


def _lowered(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Crops moved down by `_SHIFT`; what is moved in repeats their upper edge."""
    return np.concatenate([crops[:, :1].repeat(_SHIFT, axis=1), crops[:, :-_SHIFT]], axis=1)
