"""Which face a crop shows and how it is turned: small nets, run by OpenCV.

One looks at every cell, then a wider one at those that are doubtful. They are trained on rendered
trays alone (``docs/training.md``). Their probabilities are calibrated on renders in typefaces that
they were not trained on, so that a strange print comes out doubtful.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Face
from vision.cell_finder import CellFinder
from vision.nets import WeightsError, loaded_net

_BATCH = 64  # crops a run of the net: bounds its memory on a small machine
_FLAT = 8.0  # grey levels added to a crop's contrast, so that an empty one is not blown up


@dataclass(frozen=True)
class FaceScores:
    """What the net says of n crops.

    Attributes:
        log_probabilities: (n, labels), natural logarithms, each row of one distribution.
        arrows: (n,), complex: along the turn of the print, the longer the surer.
    """

    log_probabilities: NDArray[np.float64]
    arrows: NDArray[np.complex128]

    @property
    def turns(self) -> NDArray[np.float64]:
        """Degrees (n,) in [0, 360), counter-clockwise from upright.

        Without meaning for prints that look alike at any turn, and modulo a half turn for H, I, N,
        S, Z.
        """
        return np.asarray(np.degrees(np.angle(self.arrows)) % 360, np.float64)


class FaceClassifier:
    """The nets with their labels and their calibration.

    Args:
        weights: of the net that looks at every cell: an ONNX file, which may be compressed by gzip
            (``.onnx.gz``); its labels and calibration lie beside it under the same name with the
            ending ``.json``. The shipped ones if not given.
        closer: of the net that looks at doubtful cells, with the same labels. If neither is given
            the shipped ones, else those of the first net.
        finder: finds the cells whose faces are to be told; one of its own if not given.

    Raises:
        WeightsError: a file is missing or damaged.

    Attributes:
        labels: the faces told apart, in the order of the columns of `FaceScores`.
        finder: finds the cells whose faces are to be told.
    """

    def __init__(
        self,
        weights: Path | None = None,
        closer: Path | None = None,
        finder: CellFinder | None = None,
    ) -> None:
        self._net = _Net.load(weights or _shipped("faces"))
        self.labels: tuple[Face, ...] = self._net.labels
        if weights is None and closer is None:
            closer = _shipped("doubtful_faces")
        self._closer = self._net if closer is None else _Net.load(closer, self.labels)
        self.finder = finder or CellFinder()

    @classmethod
    def single(cls, finder: CellFinder | None = None) -> FaceClassifier:
        """The shipped net that looks at every cell, for doubtful ones as well: half the memory."""
        return cls(_shipped("faces"), finder=finder)

    def classify(self, crops: NDArray[np.uint8], *, both_ways: bool = True) -> FaceScores:
        """Score crops.

        Each is looked at both ways up and the views are averaged: that makes up for most of what
        a net has not quite learned about turns. Quarter turns would add little and cost as much.

        Args:
            crops: (n, CROP_PX, CROP_PX, 3), uint8, RGB; n may be 0.
            both_ways: whether to look both ways up, or just once, in half the time.
        """
        views = np.concatenate([crops, np.rot90(crops, 2, (1, 2))]) if both_ways else crops
        outputs = self._net.run(views).reshape(1 + both_ways, len(crops), len(self.labels) + 2)
        scores = outputs[..., : len(self.labels)].mean(axis=0) / self._net.temperature
        return FaceScores(_normal(scores), _arrows(outputs[..., len(self.labels) :]))

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """What the closer net says of crops, each seen one way up: (n, labels), as of `classify`.

        Args:
            crops: (n, CROP_PX, CROP_PX, 3), uint8, RGB; n may be 0.
        """
        scores = self._closer.run(crops)[:, : len(self.labels)]
        return _normal(scores / self._closer.temperature)


@dataclass(frozen=True)
class _Net:
    """A net, the faces that it tells, and its calibration."""

    labels: tuple[Face, ...]
    temperature: float
    net: cv2.dnn.Net

    @classmethod
    def load(cls, path: Path, labels: tuple[Face, ...] | None = None) -> _Net:
        """The net of a file, which must tell these labels."""
        description = _description(described_in(path))
        if labels is not None and description.labels != labels:
            raise WeightsError(
                f"the weights of the face classifier, {path}, tell other faces than the first",
                "install wordtray again, or train both by python -m vision.training",
            )
        return cls(description.labels, description.temperature, _loaded(path))

    def run(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Raw outputs (n, labels + 2): a score for each label, cosine and sine of the turn."""
        outputs = [np.empty((0, len(self.labels) + 2))]
        for start in range(0, len(crops), _BATCH):
            self.net.setInput(normalised(crops[start : start + _BATCH]))
            outputs.append(np.asarray(self.net.forward(), np.float64))
        return np.concatenate(outputs)


def _shipped(name: str) -> Path:
    return Path(str(resources.files("vision.models") / f"{name}.onnx.gz"))


def described_in(weights: Path) -> Path:
    """The file that describes weights, beside them."""
    return weights.with_name(weights.name.removesuffix(".gz")).with_suffix(".json")


def _loaded(weights: Path) -> cv2.dnn.Net:
    return loaded_net(weights, "face classifier", "vision.training")


def _normal(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores (n, labels) as logarithms of probabilities."""
    top = scores.max(axis=1, keepdims=True) if len(scores) else np.zeros((0, 1))
    total = np.log(np.exp(scores - top).sum(axis=1, keepdims=True)) + top
    return np.asarray(scores - total, np.float64)


def normalised(crops: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Crops (n, side, side, 3) as the net takes them: (n, 3, side, side), each of mean 0, spread 1.

    Mean and spread are those of all channels together: colours stay, brightness and contrast go.
    """
    values = crops.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((values - mean) / (spread + _FLAT)).transpose(0, 3, 1, 2))


def _arrows(vectors: NDArray[np.float64]) -> NDArray[np.complex128]:
    """The sum (n,) of the vectors (views, n, 2), those of a second view upside down."""
    cosine, sine = (vectors[0] - vectors[1:].sum(axis=0)).T
    return np.asarray(cosine + 1j * sine, np.complex128)


@dataclass(frozen=True)
class _Description:
    """What lies beside the weights."""

    labels: tuple[Face, ...]
    temperature: float


def _description(path: Path) -> _Description:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return _Description(tuple(content["labels"]), float(content["temperature"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"the description of the face classifier, {path}, cannot be read: {error}",
            "install wordtray again, or make the weights by python -m vision.training",
        ) from error
