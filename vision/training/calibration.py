"""Makes the net's probabilities mean what they say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceClassifier
from vision.training.samples import Samples

_TEMPERATURES = np.geomspace(0.3, 4.0, 120)
_SURE = 0.9


@dataclass(frozen=True)
class Figures:
    """How well samples are read.

    Attributes:
        samples: how many.
        accuracy: share read right.
        surely_wrong: share read wrong with a probability above 0.9.
        doubted: share whose probability is not above 0.9.
        calibration_error: mean gap between probability and accuracy over ten equal bins.
        turn_error: median error of the turn in degrees, over prints with a clear foot.
    """

    samples: int
    accuracy: float
    surely_wrong: float
    doubted: float
    calibration_error: float
    turn_error: float


def temperature_of(log_probabilities: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The temperature that makes the labels most probable (Guo et al. 2017).

    Args:
        log_probabilities: (n, labels), at temperature 1.
        labels: (n,), the truth.
    """
    costs = [_cost(log_probabilities / temperature, labels) for temperature in _TEMPERATURES]
    return float(_TEMPERATURES[int(np.argmin(costs))])


def figures_of(classifier: FaceClassifier, samples: Samples) -> Figures:
    """Measure a classifier on samples."""
    scores = classifier.classify(samples.crops)
    best = scores.log_probabilities.argmax(axis=1)
    sureness = np.exp(scores.log_probabilities.max(axis=1))
    right = best == samples.labels
    clear = right & (samples.symmetries == 1)
    gap = (scores.turns[clear] - samples.turns[clear] + 180) % 360 - 180
    return Figures(
        samples=len(samples),
        accuracy=float(right.mean()),
        surely_wrong=float((~right & (sureness > _SURE)).mean()),
        doubted=float((sureness <= _SURE).mean()),
        calibration_error=_calibration_error(sureness, right),
        turn_error=float(np.median(np.abs(gap))) if clear.any() else 0.0,
    )


def _cost(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    top = scores.max(axis=1)
    total = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top
    return float((total - scores[np.arange(len(labels)), labels]).mean())


def _calibration_error(sureness: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    bins = np.minimum((sureness * 10).astype(int), 9)
    gaps = [
        abs(float(right[bins == one].mean() - sureness[bins == one].mean())) * (bins == one).mean()
        for one in np.unique(bins)
    ]
    return float(sum(gaps))
