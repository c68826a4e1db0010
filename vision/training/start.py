"""Starts a net from weights that are there already: training then goes on instead of anew."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from vision.faces import described_in, normalised
from vision.nets import onnx_of
from vision.training.labels import LABELS

_Layer = tuple[Tensor, Tensor]


def start_from(net: nn.Sequential, weights: Path, crops: NDArray[np.uint8]) -> None:
    """Let a fresh net answer as exported weights do, for the labels that these know.

    The net may be wider than the weights, for what is new does not reach what is old; and it may
    tell more labels. The weights hold the normalisations of their convolutions within them: the
    net's are set so that they change nothing on the crops given.

    Args:
        net: of `vision.training.net.face_net`.
        weights: ONNX file as of `vision.training.net.export`, perhaps as of
            `vision.training.pack`, its description beside it.
        crops: (n, CROP_PX, CROP_PX, 3), uint8, RGB, some hundreds of what will be trained on.
    """
    *layers, last = _layers(weights)
    filled = [*layers, _for_our_labels(last, weights, net[-1])]
    _fill(net, filled, torch.from_numpy(normalised(crops)))


def go_on_from(net: nn.Sequential, weights: Path, values: NDArray[np.float32]) -> None:
    """Let a fresh net answer as exported weights of a net of the same shape do.

    Args:
        net: of convolutions, normalisations and layers that see all.
        weights: ONNX file as of `vision.training.net.export_to`.
        values: (n, channels, side, side), some hundreds of what the net is to see.
    """
    _fill(net, list(_layers(weights)), torch.from_numpy(values))


def _fill(net: nn.Sequential, layers: Iterable[_Layer], values: Tensor) -> None:
    """Put layers into a net, and set its normalisations so that they change nothing on values."""
    remaining = iter(layers)
    offsets = torch.empty(0)
    net.eval()  # no dropout while the crops pass through
    with torch.no_grad():
        for module in net:
            if isinstance(module, nn.Conv2d | nn.Linear):
                kernel, offsets = next(remaining)
                _paste(module, kernel, offsets)
            elif isinstance(module, nn.BatchNorm2d):
                _pass_on(module, values, offsets)
            values = module(values)


def _layers(weights: Path) -> Iterator[_Layer]:
    """Kernel and offsets of each layer that has them, from the first to the last."""
    graph = onnx.load_from_string(onnx_of(weights)).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            kernel, offsets = (torch.from_numpy(arrays[name].copy()) for name in node.input[1:3])
            yield kernel, offsets


def _for_our_labels(last: _Layer, weights: Path, module: nn.Module) -> _Layer:
    """The last layer with its rows where `LABELS` has them; a new label keeps its fresh row."""
    labels = json.loads(described_in(weights).read_text(encoding="utf-8"))["labels"]
    rows = [*(LABELS.index(label) for label in labels), -2, -1]
    kernel, offsets = (one.detach().clone() for one in module.parameters())
    known = last[0].shape[1]
    kernel[rows, :known], kernel[rows, known:], offsets[rows] = last[0], 0.0, last[1]
    return kernel, offsets


def _paste(module: nn.Conv2d | nn.Linear, kernel: Tensor, offsets: Tensor) -> None:
    """Put a kernel into a layer that may be larger: its outputs do not see what is new."""
    outputs, inputs = kernel.shape[:2]
    module.weight[:outputs, :inputs] = kernel
    module.weight[:outputs, inputs:] = 0.0
    if module.bias is not None:
        module.bias[:outputs] = offsets


def _pass_on(module: nn.BatchNorm2d, values: Tensor, offsets: Tensor) -> None:
    """Let a normalisation add the offsets to what comes in, and change nothing else."""
    module.running_mean = values.mean(dim=(0, 2, 3))
    module.running_var = values.var(dim=(0, 2, 3))
    known = len(offsets)
    module.weight[:known] = (module.running_var[:known] + module.eps).sqrt()
    module.bias[:known] = module.running_mean[:known] + offsets
