"""The net: convolutions, rectifiers and pooling alone, which any OpenCV since 4.6 runs."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.rectify import CROP_PX
from vision.training.labels import FOREIGN, LABELS

WIDTHS = (32, 64, 128)
"""Channels of the net that looks at every cell."""

WIDER = (40, 80, 160)
"""Channels of the net that looks at doubtful cells, of which there are few."""

_HIDDEN = 192
_SMOOTHING = 0.005  # of the labels: more, and sure faces differ little from doubtful ones


def face_net(widths: tuple[int, int, int] = WIDTHS) -> nn.Sequential:
    """A fresh net from (n, 3, CROP_PX, CROP_PX) to (n, labels + 2), about 520,000 parameters.

    The last two outputs are the cosine and the sine of the print's turn.

    Args:
        widths: channels of its convolutions at each of three sizes.
    """
    first, second, third = widths
    return nn.Sequential(
        *convolution(3, first, side=5, stride=2),
        *convolution(first, first),
        nn.MaxPool2d(2),
        *convolution(first, second),
        *convolution(second, second),
        nn.MaxPool2d(2),
        *convolution(second, third),
        *convolution(third, third),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(third * (CROP_PX // 16) ** 2, _HIDDEN),
        nn.ReLU(),
        nn.Linear(_HIDDEN, len(LABELS) + 2),
    )


def loss_of(outputs: Tensor, labels: Tensor, turns: Tensor, symmetries: Tensor) -> Tensor:
    """Cross-entropy of the labels, and the squared error of the turn where the print has one.

    A foreign face is to be given all labels alike (outlier exposure, Hendrycks et al. 2019).

    Args:
        outputs: (n, labels + 2), of the net.
        labels: (n,), indices, or `FOREIGN`.
        turns: (n,), radians.
        symmetries: (n,), as of `vision.training.labels.symmetry`.
    """
    faces = nn.functional.cross_entropy(outputs[:, :-2], _targets(labels))
    target = torch.stack([torch.cos(turns), torch.sin(turns)], dim=1)
    error = ((outputs[:, -2:] - target) ** 2).sum(dim=1)
    other_way = ((outputs[:, -2:] + target) ** 2).sum(dim=1)
    error = torch.where(symmetries == 2, torch.minimum(error, other_way), error)
    return faces + 0.6 * (error * (symmetries > 0)).mean()


def _targets(labels: Tensor) -> Tensor:
    """Probabilities (n, labels) to aim at: all alike for a foreign face."""
    count = len(LABELS)
    known = nn.functional.one_hot(labels.clamp(min=0), count) * (labels != FOREIGN)[:, None]
    share = torch.where(labels == FOREIGN, 1.0, _SMOOTHING)[:, None]
    return (1 - share) * known + share / count


def export(net: nn.Module, path: Path) -> None:
    """Write the net as ONNX, its batch normalisations folded into its convolutions."""
    export_to(net, path, (3, CROP_PX, CROP_PX))


def export_to(net: nn.Module, path: Path, crop: tuple[int, int, int]) -> None:
    """Write any net of crops (channels, height, width) as ONNX, as `export` does."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, *crop),),
        str(path),
        input_names=["crops"],
        output_names=["scores"],
        dynamic_axes={"crops": {0: "n"}, "scores": {0: "n"}},
        opset_version=11,
        dynamo=False,
    )


def convolution(inputs: int, outputs: int, *, side: int = 3, stride: int = 1) -> list[nn.Module]:
    """A convolution without bias, its batch normalisation and its rectifier."""
    return [
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    ]
