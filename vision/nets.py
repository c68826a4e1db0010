"""Nets read from files, for OpenCV to run."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError


class WeightsError(VisionError):
    """The weights of a net or their description are missing or damaged."""

    kind = "broken_weights"


def onnx_of(weights: Path) -> bytes:
    """A net as ONNX, from a file that may be compressed.

    Raises:
        OSError: the file cannot be read, or is compressed and damaged.
    """
    try:
        data = weights.read_bytes()
        return gzip.decompress(data) if weights.suffix == ".gz" else data
    except (EOFError, zlib.error) as error:
        raise OSError(str(error)) from error


def loaded_net(path: Path, what: str, module: str) -> cv2.dnn.Net:
    """The net of a file.

    Args:
        path: an ONNX file, which may be compressed by gzip (``.onnx.gz``).
        what: what the net is, for who reads that it is broken.
        module: the module that trains it.

    Raises:
        WeightsError: the file is missing or damaged.
    """
    # OpenCV 5 has a new engine, a third slower on so small a net; its elders have no choice
    engine = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(onnx_of(path), np.uint8), *engine)
    except (OSError, cv2.error) as error:
        raise WeightsError(
            f"the weights of the {what}, {path}, cannot be read: {error}",
            f"install wordtray again, or make the weights by python -m {module}",
        ) from error
