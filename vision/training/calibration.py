"""Makes the net's probabilities mean what they say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceClassifier, FaceScores
from vision.training.labels import FOREIGN, LABELS
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
        foreign_taken: share of foreign faces that are taken for a known one with a probability
            above 0.9.
    """

    samples: int
    accuracy: float
    surely_wrong: float
    doubted: float
    calibration_error: float
    turn_error: float
    foreign_taken: float


def temperature_of(log_probabilities: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The temperature that makes the labels most probable (Guo et al. 2017).

    Args:
        log_probabilities: (n, labels), at temperature 1.
        labels: (n,), the truth.
    """
    costs = [_cost(log_probabilities / temperature, labels) for temperature in _TEMPERATURES]
    return float(_TEMPERATURES[int(np.argmin(costs))])


def figures_of(classifier: FaceClassifier, samples: Samples) -> Figures:
    """Measure a classifier on samples, some of them foreign."""
    samples = numbered_for(classifier, samples)
    foreign = samples.picked(np.flatnonzero(samples.labels == FOREIGN))
    samples = samples.picked(np.flatnonzero(samples.labels != FOREIGN))
    scores = classifier.classify(samples.crops)
    right = scores.log_probabilities.argmax(axis=1) == samples.labels
    sureness = _sureness(scores)
    return Figures(
        samples=len(samples),
        accuracy=float(right.mean()),
        surely_wrong=float((~right & (sureness > _SURE)).mean()),
        doubted=float((sureness <= _SURE).mean()),
        calibration_error=_calibration_error(sureness, right),
        turn_error=_turn_error(scores, samples, right),
        foreign_taken=float((_sureness(classifier.classify(foreign.crops)) > _SURE).mean()),
    )


def numbered_for(classifier: FaceClassifier, samples: Samples) -> Samples:
    """Samples with the classifier's own numbers; a face that it has no label for is foreign."""
    known = {label: number for number, label in enumerate(classifier.labels)}
    numbers = np.array([known.get(label, FOREIGN) for label in LABELS] + [FOREIGN], np.int64)
    return replace(samples, labels=numbers[samples.labels])


def _sureness(scores: FaceScores) -> NDArray[np.float64]:
    """Probability (n,) of the most probable label."""
    return np.asarray(np.exp(scores.log_probabilities.max(axis=1)), np.float64)


def _turn_error(scores: FaceScores, samples: Samples, right: NDArray[np.bool_]) -> float:
    clear = right & (samples.symmetries == 1)
    gap = (scores.turns[clear] - samples.turns[clear] + 180) % 360 - 180
    return float(np.median(np.abs(gap)))


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
