"""The net that finds cells: convolutions, rectifiers and doubling alone, at three sizes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.cell_finder import STRIDE
from vision.training.net import convolution

_STEM, _FINE, _MIDDLE, _COARSE = 12, 24, 48, 56
"""Channels at a half, a quarter, an eighth and a sixteenth of the picture's size."""

_DILATIONS = (1, 2, 3)  # at a sixteenth: what the net sees of a tray that fills the picture
_SPREAD = 0.13  # of the heat around the middle of a cell, cells
_LEAST_SPREAD = 0.6  # of the same, cells of the heat map
_TOLD = 0.3  # heat from which on a place tells where the middle is
_FIRST_HEAT = -3.5  # offset of the heat at the start: hardly a cell anywhere


class CellNet(nn.Module):  # type: ignore[misc] # no torch where types are checked
    """From (n, 3, height, width), multiples of 16, to (n, 4, height / STRIDE, width / STRIDE).

    The four are the heat before its sigmoid, x and y from the middle of the place to that of the
    cell in places, and the logarithm of the cell's size in places.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            *convolution(3, _STEM, side=5, stride=2),
            *convolution(_STEM, _FINE, stride=2),
            *convolution(_FINE, _FINE),
        )
        self.middle = nn.Sequential(
            *convolution(_FINE, _MIDDLE, stride=2), *convolution(_MIDDLE, _MIDDLE)
        )
        self.coarse = nn.Sequential(
            *convolution(_MIDDLE, _COARSE, stride=2),
            *(layer for rate in _DILATIONS for layer in _dilated(_COARSE, rate)),
        )
        self.to_middle = nn.Conv2d(_COARSE, _MIDDLE, 1)
        self.joined = nn.Sequential(*convolution(_MIDDLE, _MIDDLE))
        self.to_fine = nn.Conv2d(_MIDDLE, _FINE, 1)
        last = nn.Conv2d(_FINE, 4, 1)
        _, offsets = last.parameters()
        nn.init.constant_(offsets[:1], _FIRST_HEAT)
        self.head = nn.Sequential(*convolution(_FINE, _FINE), last)
        self.doubled = nn.Upsample(scale_factor=2.0, mode="nearest")

    def forward(self, pictures: Tensor) -> Tensor:
        """What it says of pictures as `vision.cell_finder.normalised` makes them."""
        fine = self.fine(pictures)
        middle = self.middle(fine)
        joined = self.joined(middle + self.doubled(self.to_middle(self.coarse(middle))))
        told: Tensor = self.head(fine + self.doubled(self.to_fine(joined)))
        return told


def _dilated(width: int, rate: int) -> list[nn.Module]:
    return [
        nn.Conv2d(width, width, 3, padding=rate, dilation=rate, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
    ]


def targets_of(cells: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float32]:
    """What the net is to say: (4, height, width) as of `CellNet`, but heat as 0–1.

    Args:
        cells: (n, 3), as of `vision.training.cell_photos.CellPhoto`.
        shape: (height, width) of the picture.
    """
    height, width = shape[0] // STRIDE, shape[1] // STRIDE
    told = np.zeros((4, height, width), np.float32)
    if not len(cells):
        return told
    x, y, sizes = (cells / STRIDE).T[..., None, None]
    down, right = np.mgrid[:height, :width] + 0.5
    spread = np.maximum(_SPREAD * sizes, _LEAST_SPREAD)
    heat = np.exp(-((x - right) ** 2 + (y - down) ** 2) / (2 * spread**2))
    nearest = heat.argmax(axis=0)
    told[0] = heat.max(axis=0)
    told[1], told[2] = x[nearest, 0, 0] - right, y[nearest, 0, 0] - down
    told[3] = np.log(sizes)[nearest, 0, 0]
    return told


def loss_of(told: Tensor, targets: Tensor) -> Tensor:
    """Focal loss of the heat (Lin et al. 2017, Zhou et al. 2019), and distances near cells."""
    heat, goal = torch.sigmoid(told[:, 0]).clamp(1e-4, 1 - 1e-4), targets[:, 0]
    near = goal > 0.8
    cells = near.sum().clamp(min=1)
    hits = ((1 - heat) ** 2 * torch.log(heat) * near).sum()
    misses = ((1 - goal) ** 4 * heat**2 * torch.log(1 - heat) * ~near).sum()
    weights = (goal * (goal > _TOLD))[:, None]
    off = ((told[:, 1:] - targets[:, 1:]).abs() * weights).sum() / weights.sum().clamp(min=1)
    return -(hits + misses) / cells + off


def export(net: nn.Module, path: Path) -> None:
    """Write the net as ONNX for pictures of any size, its batch normalisations folded."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 480, 640),),
        str(path),
        input_names=["picture"],
        output_names=["cells"],
        opset_version=11,
        dynamo=False,
    )
