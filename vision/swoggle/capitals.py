"""Which capital stands on a square, if any: a small net, run by OpenCV.

The net is trained on rendered handwriting alone (``docs/training.md``). It is shown whole squares
with all that is printed on them, and so learns what is print.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.letters_net import LABELS, LettersNet, NetFiles
from vision.rectify import CROP_PX

__all__ = ["LABELS", "CapitalClassifier", "inks_of", "normalised"]

_FLAT = 4.0  # grey levels added to the spread, so that the noise of an empty square is not blown up
_MOST = 4.0  # spreads at which ink is cut off
_MIDDLE = slice(CROP_PX // 5, CROP_PX - CROP_PX // 5)  # of a square, where its letter is
_INSIDE = slice(CROP_PX // 7, CROP_PX - CROP_PX // 7)  # of a square, without its lines
_GROUND = 0.75  # share of a square that is darker than its ground, at most


class CapitalClassifier:
    """The net with its calibration.

    Args:
        weights: the ONNX file; its calibration lies beside it under the same name with the ending
            ``.json``. The shipped ones if not given.

    Raises:
        WeightsError: a file is missing or damaged.
    """

    def __init__(self, weights: Path | None = None) -> None:
        path = weights or Path(str(resources.files("vision.models") / "capitals.onnx"))
        self._net = LettersNet(NetFiles(path, "capitals", "vision.training.capitals"))

    def classify(self, inks: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Natural logarithms (n, labels) of the probabilities of `LABELS`.

        Args:
            inks: (n, CROP_PX, CROP_PX), as of `inks_of`; n may be 0.
        """
        return self._net.log_probabilities(normalised(inks))


def inks_of(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How much light each pixel lacks to the colour of its square's ground, 0–255.

    So ink of any colour on ground of any colour looks alike.

    Args:
        crops: (n, CROP_PX, CROP_PX, 3), RGB, as `vision.rectify.cut_cells` cuts them.

    Returns:
        (n, CROP_PX, CROP_PX).
    """
    values = crops.astype(np.float32)
    inside = np.sort(values[:, _INSIDE, _INSIDE].reshape(len(crops), -1, 3), axis=1)
    ground = inside[:, int(_GROUND * inside.shape[1])][:, None, None]
    lacking = np.maximum(ground - values, 0)
    return np.asarray(np.sqrt((lacking**2).mean(axis=3)) + 0.5, np.uint8)


def normalised(inks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Inks (n, side, side) as the net takes them: (n, 1, side, side).

    The middle of each square has mean 0 and spread 1, so that pale writing counts as much as dark;
    the printed lines around it, often darker, are cut off at a few spreads.
    """
    values = inks.astype(np.float32)[:, None]
    middle = values[:, :, _MIDDLE, _MIDDLE]
    mean = middle.mean(axis=(2, 3), keepdims=True)
    spread = middle.std(axis=(2, 3), keepdims=True)
    return np.ascontiguousarray(np.clip((values - mean) / (spread + _FLAT), -_MOST, _MOST))
