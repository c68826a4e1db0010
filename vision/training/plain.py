"""Crops of prints and of lines on a plain ground, as light without measure leaves of a tray."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Face
from vision.rectify import CROP_PX
from vision.render.glyphs import print_mask
from vision.render.styles import CubeStyle

_CAP_PX = 28  # height of a print before it is turned and sized
_COLOURED = 0.3  # share of prints in the colours of their cube; the others are black on white
_FINE = 4  # lines are drawn so much larger and shrunk


def plain_print(
    face: Face, style: CubeStyle, turn: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """A print of which nothing but itself is seen.

    Args:
        face: a letter or two.
        style: of the cube.
        turn: degrees counter-clockwise.
        rng: source of chance, for place, size and colours.

    Returns:
        (CROP_PX, CROP_PX, 3), RGB.
    """
    mask = print_mask(face, style, _CAP_PX)
    scale = CROP_PX * rng.uniform(0.4, 0.6) / _CAP_PX
    middle = (mask.shape[1] - 1) / 2, (mask.shape[0] - 1) / 2
    place = cv2.getRotationMatrix2D(middle, turn, scale)
    shift = (CROP_PX - 1) / 2 - np.array(middle) + rng.normal(0, 1.0, 2)
    shown = cv2.warpAffine(
        mask, np.column_stack([place[:, :2], place[:, 2] + shift]), (CROP_PX,) * 2
    )
    black_on_white = ((255.0,) * 3, (0.0,) * 3)
    colours = (style.body, style.ink) if rng.random() < _COLOURED else black_on_white
    ground, ink = (np.array(colour, np.float32) for colour in colours)
    crop = ground + (ink - ground) * (shown[..., None] / 255)
    return np.clip(crop, 0, 255).astype(np.uint8)


def mere_lines(count: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Crops of thin lines, as the edges of cubes look in black and white: each thinner than an I.

    Returns:
        (count, CROP_PX, CROP_PX, 3).
    """
    crops = np.full((count, CROP_PX, CROP_PX, 3), 255, np.uint8)
    for number in range(count):
        crops[number] -= _lines(rng)[..., None]
    return crops


def _lines(rng: np.random.Generator) -> NDArray[np.uint8]:
    """One to four lines side by side, 255 where they are: (CROP_PX, CROP_PX)."""
    side = CROP_PX * _FINE
    large = np.zeros((side, side), np.uint8)
    turn, length = rng.uniform(0, np.pi), rng.uniform(0.15, 0.45) * side
    along, across = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    count, apart = int(rng.integers(1, 5)), rng.uniform(0.05, 0.12) * side
    for place in apart * (np.arange(count) - (count - 1) / 2):
        middle = side / 2 + place * across + rng.normal(0, 0.04 * side) * along
        reach = along * length * rng.uniform(0.5, 1.0)
        ends = np.round([middle - reach, middle + reach]).astype(int).tolist()
        # lines that touch would look like an I
        thick = max(1, round(min(length * rng.uniform(0.02, 0.07), apart / 2)))
        cv2.line(large, ends[0], ends[1], 255, thick, cv2.LINE_AA)
    return cv2.resize(large, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA).astype(np.uint8)
