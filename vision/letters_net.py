"""Small nets that tell which capital they are shown, with their calibration; run by OpenCV."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.nets import WeightsError, loaded_net
from vision.swoggle.reading import EMPTY, OTHER

LABELS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", EMPTY, OTHER)
"""What such a net tells apart, in the order of its outputs."""

_BATCH = 64  # pictures a run of the net: bounds its memory on a small machine


@dataclass(frozen=True)
class NetFiles:
    """A net's files, and how to speak of them where they are missing.

    Attributes:
        weights: the ONNX file; its calibration lies beside it under the same name with the
            ending ``.json``.
        what: what the net reads.
        module: the module that trains it.
    """

    weights: Path
    what: str
    module: str


class LettersNet:
    """A net from pictures of one channel to the logarithms of the probabilities of `LABELS`.

    Args:
        files: of the net.

    Raises:
        WeightsError: a file is missing or damaged.
    """

    def __init__(self, files: NetFiles) -> None:
        self._temperature = _temperature(files)
        self._net = loaded_net(files.weights, f"reader of {files.what}", files.module)

    def log_probabilities(self, pictures: NDArray[np.float32]) -> NDArray[np.float64]:
        """Natural logarithms (n, labels) of the probabilities of `LABELS`.

        Args:
            pictures: (n, 1, side, side), as the net was trained on; n may be 0.
        """
        scores = self._run(pictures) / self._temperature
        top = scores.max(axis=1, keepdims=True) if len(pictures) else np.zeros((0, 1))
        total = np.log(np.exp(scores - top).sum(axis=1, keepdims=True)) + top
        return np.asarray(scores - total, np.float64)

    def _run(self, pictures: NDArray[np.float32]) -> NDArray[np.float64]:
        outputs = [np.empty((0, len(LABELS)))]
        for start in range(0, len(pictures), _BATCH):
            self._net.setInput(pictures[start : start + _BATCH])
            outputs.append(np.asarray(self._net.forward(), np.float64))
        return np.concatenate(outputs)


def _temperature(files: NetFiles) -> float:
    path = files.weights.with_suffix(".json")
    try:
        return float(json.loads(path.read_text(encoding="utf-8"))["temperature"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _broken(path, files, error) from error


def _broken(path: Path, files: NetFiles, error: Exception) -> WeightsError:
    return WeightsError(
        f"the weights of the reader of {files.what}, {path}, cannot be read: {error}",
        f"install wordtray again, or make the weights by python -m {files.module}",
    )
