"""What gets in the way of a print, painted over crops that are drawn already.

It costs hardly anything, and shows the same print in many ways: beside a finger, under a
reflection, with another cube over its edge. What is painted over the print leaves it legible.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.rectify import CROP_PX

_Crop = NDArray[np.float32]
"""(CROP_PX, CROP_PX, 3)."""

_MIDDLE = (CROP_PX - 1) / 2
_NEAREST, _FARTHEST = 9.0, 20.0  # pixels from the middle of a crop to what lies over its edge
_X, _Y = np.meshgrid(*[np.arange(CROP_PX, dtype=np.float32) - _MIDDLE] * 2)


def marred(crops: NDArray[np.uint8], share: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Crops some of which have something painted over.

    Args:
        crops: (n, CROP_PX, CROP_PX, 3), uint8, RGB.
        share: of them that has, 0–1.
        rng: source of chance.
    """
    seen = crops.copy()
    ways: tuple[Callable[[_Crop, _Crop, np.random.Generator], _Crop], ...] = (
        _beside_a_finger,
        _under_another,
        _reflecting,
    )
    for number in np.flatnonzero(rng.random(len(crops)) < share):
        other = crops[rng.integers(len(crops))].astype(np.float32)
        way = ways[rng.integers(len(ways))]
        changed = way(crops[number].astype(np.float32), other, rng)
        seen[number] = np.clip(changed, 0, 255)
    return seen


def _beside_a_finger(crop: _Crop, _other: _Crop, rng: np.random.Generator) -> _Crop:
    """A round bar from an edge, lighter along its middle, in any skin that suits the light."""
    angle, width = rng.uniform(0, 2 * np.pi), rng.uniform(12, 24)
    across = np.cos(angle) * _X + np.sin(angle) * _Y - rng.uniform(_NEAREST, _FARTHEST) - width
    along = np.cos(angle) * _Y - np.sin(angle) * _X - rng.uniform(-40, 12)
    beyond = np.hypot(across, np.minimum(along, 0))  # it ends in a half circle
    depth = 1 - beyond / width
    light = 0.5 + 0.5 * np.sqrt(np.clip(1 - (1 - np.clip(depth, 0, 1)) ** 2, 0, 1))
    skin = rng.uniform((150, 100, 75), (245, 210, 190)) * (crop.max() / 255) * rng.uniform(0.4, 1)
    cover = np.clip(depth * width / rng.uniform(1, 2.5) + 0.5, 0, 1)
    shadow = 1 - 0.4 * np.clip(1 + depth * width / 8, 0, 1)
    return _laid_over(crop * shadow[..., None], light[..., None] * skin, cover)


def _under_another(crop: _Crop, other: _Crop, rng: np.random.Generator) -> _Crop:
    """Another crop, shifted, over one side, as a cube beside it that stands up."""
    angle, edge = rng.uniform(0, 2 * np.pi), rng.uniform(_NEAREST + 1, _FARTHEST)
    across = np.cos(angle) * _X + np.sin(angle) * _Y - edge
    shift = rng.integers(-12, 13, 2)
    return _laid_over(crop, np.roll(other, shift, (0, 1)), np.clip(across + 0.5, 0, 1))


def _reflecting(crop: _Crop, _other: _Crop, rng: np.random.Generator) -> _Crop:
    """A lamp or two, as spots or streaks."""
    cover = np.zeros_like(_X)
    for _ in range(int(rng.integers(1, 4))):
        angle, (x, y) = rng.uniform(0, np.pi), rng.uniform(-18, 18, 2)
        wide, long = rng.uniform(1.5, 8), rng.uniform(5, 25)
        across = np.cos(angle) * (_X - x) + np.sin(angle) * (_Y - y)
        along = np.cos(angle) * (_Y - y) - np.sin(angle) * (_X - x)
        streak = np.exp(-((across / wide) ** 2) - (along / long) ** 2)
        cover = np.maximum(cover, rng.uniform(0.2, 0.75) * streak)
    lamp = np.full(3, min(255.0, 1.2 * float(crop.max()) + 20))
    return _laid_over(crop, lamp, cover)


def _laid_over(crop: _Crop, above: NDArray[np.floating], cover: NDArray[np.floating]) -> _Crop:
    return np.asarray(crop + (above - crop) * cover[..., None], np.float32)
