"""How well the reader of capitals does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.swoggle.capitals import LABELS
from vision.swoggle.reading import EMPTY, OTHER, SURE


@dataclass(frozen=True)
class Figures:
    """How well squares are read, as shares of their kind.

    Attributes:
        squares: how many.
        capitals_right: capitals whose most probable label is right.
        capitals_asked: capitals that are doubtful.
        silent: squares of any kind that are surely read, and wrong.
        empty_asked: empty squares that are doubtful.
        odd_taken: squares with what is no capital that are surely read as anything else.
    """

    squares: int
    capitals_right: float
    capitals_asked: float
    silent: float
    empty_asked: float
    odd_taken: float


def figures_of(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> Figures:
    """Measure log-probabilities (n, labels) by the truth (n,)."""
    best, sureness = scores.argmax(axis=1), np.exp(scores.max(axis=1))
    empty, other = LABELS.index(EMPTY), LABELS.index(OTHER)
    asked = (sureness < SURE) | (best == other)
    odd, bare = labels == other, labels == empty
    capital = ~odd & ~bare
    return Figures(
        squares=len(labels),
        capitals_right=float((best == labels)[capital].mean()),
        capitals_asked=float(asked[capital].mean()),
        silent=float((~asked & (best != labels)).mean()),
        empty_asked=float(asked[bare].mean()),
        odd_taken=float((~asked)[odd].mean()),
    )
