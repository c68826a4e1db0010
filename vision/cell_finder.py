"""Where cells of trays are seen in a picture: a small net, run by OpenCV.

It tells the middles of cells and their sizes, whatever their cubes show, and also where a cube is
missing or hidden. It is trained on rendered photos alone (``docs/training.md``).
"""

from __future__ import annotations

import threading
from functools import cached_property
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Spots
from vision.nets import loaded_net

LONG_SIDE = 640
"""Pixels of the longer side of the pictures that the net is shown."""

STRIDE = 4
"""Pixels of a picture, each way, to one place of what the net tells."""

_MULTIPLE = 16  # of the sides of what the net takes
_LEAST = -1.4  # logit of a cell: a fifth is likely
_VIEWS = 4.0  # of the other ways: how often they must see a spot to be as sure as the net can be
_FLAT = 8.0  # grey levels added to a picture's contrast


def normalised(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture (height, width, 3), RGB, as the net takes it: (3, height, width).

    It is brought to even brightness and contrast.
    """
    values = np.asarray(picture, np.float32)
    mean, spread = float(values.mean()), float(values.std())
    return np.ascontiguousarray(((values - mean) / (spread + _FLAT)).transpose(2, 0, 1))


class CellFinder:
    """The net that finds cells; a `vision.locate.Finder`. It is read when it is first asked.

    Threads may share it: what it needs to look, some 40 MB, it then needs but once.

    Args:
        weights: an ONNX file, which may be compressed by gzip; the shipped one if not given.
    """

    def __init__(self, weights: Path | None = None) -> None:
        self._weights = weights or Path(str(resources.files("vision.models") / "cells.onnx.gz"))
        self._one_at_a_time = threading.Lock()

    def spots(self, picture: NDArray[np.uint8], smallest: float) -> Spots:
        """The cells of a picture, the surest first.

        Args:
            picture: (height, width, 3), RGB.
            smallest: size of the smallest, pixels.

        Raises:
            WeightsError: the weights are missing or damaged.
        """
        found = spots_of(self._told(picture))
        return found.picked(found.sizes >= smallest)

    def _told(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        """What the net tells of each place: (4, height, width)."""
        height, width = (-side % _MULTIPLE for side in picture.shape[:2])
        padded = np.pad(normalised(picture), ((0, 0), (0, height), (0, width)))
        with self._one_at_a_time:
            self._net.setInput(padded[None])
            return np.asarray(self._net.forward()[0], np.float32)

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        return loaded_net(self._weights, "cell finder", "vision.training.cells")


def spots_of(told: NDArray[np.float32]) -> Spots:
    """The places where the net is surer than around that there is a cell, the surest first.

    Args:
        told: (4, height, width): of each place the logit that a cell's middle is there, how far x
            and y of it are from the place's own middle, and the logarithm of the cell's size; all
            lengths in places.
    """
    heat = told[0]
    peaks = (heat >= _LEAST) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    down, right = np.nonzero(peaks)
    sure, across, along, sizes = told[:, down, right].astype(np.float64)
    order = np.argsort(-sure, kind="stable")
    places = np.column_stack([right + across, down + along]) + 0.5
    counts = _VIEWS / (1 + np.exp(-sure))
    return Spots(STRIDE * places[order], STRIDE * np.exp(sizes[order]), counts[order])
