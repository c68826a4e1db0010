"""Table tops: wood, stone, cloth, plain paint, and busy ones: checks, newspaper, a chessboard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.styles import Colour

Floats32 = NDArray[np.float32]

_WORDS = 0.8  # share of a line of print that is words, not gaps

TableKind = Literal["wood", "stone", "cloth", "plain", "gingham", "newspaper", "chessboard"]

_KINDS: tuple[TableKind, ...] = ("wood", "wood", "stone", "cloth", "plain")
_BUSY: tuple[TableKind, ...] = ("gingham", "newspaper", "chessboard")
_COLOURS: dict[TableKind, tuple[Colour, ...]] = {
    "wood": ((146, 96, 58), (176, 128, 84), (96, 58, 36), (202, 164, 120), (120, 84, 64)),
    "stone": ((226, 218, 212), (188, 186, 184), (70, 72, 76), (206, 196, 178)),
    "cloth": ((44, 96, 70), (122, 34, 44), (60, 66, 100), (204, 196, 182), (90, 90, 94)),
    "plain": ((238, 238, 236), (42, 42, 46), (120, 130, 140), (210, 200, 180), (150, 60, 50)),
    "gingham": ((206, 90, 96), (92, 120, 190), (110, 160, 120), (190, 180, 90)),
    "newspaper": ((226, 222, 210), (238, 236, 232)),
    "chessboard": ((170, 128, 84), (120, 150, 110), (150, 150, 150)),
}


@dataclass(frozen=True)
class TableStyle:
    """A table top.

    Attributes:
        kind: its material.
        colour: its main colour.
        contrast: of its grain, 0–1.
        turn: of its grain, degrees.
    """

    kind: TableKind
    colour: Colour
    contrast: float
    turn: float


def random_table(rng: np.random.Generator, busy: float = 0.0) -> TableStyle:
    """A table of any material, with a share of busy ones."""
    table = _of_kind(_KINDS[rng.integers(len(_KINDS))], rng)
    other = rng.spawn(1)[0]  # a stream of its own, so that a seed keeps the rest of its scene
    if other.random() >= busy:
        return table
    return replace(_of_kind(_BUSY[other.integers(len(_BUSY))], other), contrast=1.0)


def _of_kind(kind: TableKind, rng: np.random.Generator) -> TableStyle:
    palette = _COLOURS[kind]
    shade = rng.uniform(0.8, 1.1)
    red, green, blue = (shade * part for part in palette[rng.integers(len(palette))])
    return TableStyle(kind, (red, green, blue), rng.uniform(0.4, 1.0), rng.uniform(-90, 90))


def smooth_noise(
    rng: np.random.Generator, shape: tuple[int, int], knots: tuple[int, int]
) -> Floats32:
    """Noise (height, width) around 0–1 that bends smoothly between random knots."""
    coarse = rng.random(knots, np.float32)
    smooth = cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def texture(style: TableStyle, rng: np.random.Generator, side: int) -> NDArray[np.uint8]:
    """A square (side, side, 3), uint8, RGB, of the table top."""
    grain = _GRAINS[style.kind](rng, side) * style.contrast
    colour = np.array(style.colour, np.float32)
    return np.clip(colour * (1 + grain[..., None]), 0, 255).astype(np.uint8)


def _wood(rng: np.random.Generator, side: int) -> Floats32:
    """Streaks along x, bent a little, and the joints of the planks."""
    bend = smooth_noise(rng, (side, side), (3, 3)) * 9
    y = np.linspace(0, 26, side, dtype=np.float32)[:, None]
    rings = np.sin(2.1 * (y + bend)) * smooth_noise(rng, (side, side), (5, 4))
    streaks = smooth_noise(rng, (side, side), (max(8, side // 3), 7)) - 0.5
    planks = np.repeat(rng.uniform(-0.08, 0.08, 5), -(-side // 5))[:side, None]
    return np.asarray(0.1 * rings + 0.3 * streaks + planks, np.float32)


def _stone(rng: np.random.Generator, side: int) -> Floats32:
    """Clouds with broken dark veins where two noises meet."""
    clouds = smooth_noise(rng, (side, side), (7, 7)) + smooth_noise(rng, (side, side), (19, 19))
    bent = smooth_noise(rng, (side, side), (7, 7)) - smooth_noise(rng, (side, side), (23, 23))
    breaks = np.clip(2.5 * smooth_noise(rng, (side, side), (6, 6)) - 1.1, 0, 1)
    veins = np.exp(-26 * np.abs(bent)) * breaks
    return np.asarray(0.14 * (clouds - 1) - 0.3 * veins, np.float32)


def _cloth(rng: np.random.Generator, side: int) -> Floats32:
    """A weave with soft folds."""
    x = np.arange(side, dtype=np.float32)
    weave = np.sin(1.3 * x)[None, :] * np.sin(1.3 * x)[:, None]
    folds = smooth_noise(rng, (side, side), (4, 4)) - 0.5
    threads = rng.random((side, side), np.float32) - 0.5
    return np.asarray(0.06 * weave + 0.25 * folds + 0.12 * threads, np.float32)


def _plain(rng: np.random.Generator, side: int) -> Floats32:
    """Paint, hardly uneven."""
    return 0.1 * (smooth_noise(rng, (side, side), (4, 4)) - 0.5)


def _gingham(rng: np.random.Generator, side: int) -> Floats32:
    """Checks of woven stripes."""
    stripe = np.arange(side) // max(2, round(side / rng.uniform(24, 70))) % 2
    level = 0.45 * (stripe[None, :] + stripe[:, None]) - 0.35
    return np.asarray(level + 0.05 * rng.standard_normal((side, side), np.float32), np.float32)


def _newspaper(rng: np.random.Generator, side: int) -> Floats32:
    """Columns of text with headings and pictures."""
    sheet = 0.06 * (smooth_noise(rng, (side, side), (5, 5)) - 0.5)
    line = max(2, side // int(rng.integers(120, 240)))
    for left in range(0, side, 24 * line):
        top = int(rng.integers(3 * line))
        while top < side:
            top += _set_piece(sheet[top:, left : left + 22 * line], line, rng)
    return np.asarray(sheet, np.float32)


def _set_piece(column: Floats32, line: int, rng: np.random.Generator) -> int:
    """Set a heading, a picture or a paragraph at the top of a column; the rows it takes."""
    chance = rng.random()
    if chance < 0.1:
        column[: 9 * line] = (
            smooth_noise(rng, (9 * line, column.shape[1]), (4, 6))[: len(column)] - 0.9
        )
        return 11 * line
    scale, rows = (3, 1) if chance < 0.25 else (1, int(rng.integers(4, 20)))
    height = scale * line
    tall, wide, narrow = max(1, 6 * height // 10), column.shape[1], max(1, height // 4)
    for start in range(0, rows * height, height):
        piece = column[start : start + tall]
        words = np.repeat(rng.random(-(-wide // (3 * narrow))) < _WORDS, 3 * narrow)[:wide]
        letters = np.repeat(rng.random((len(piece), -(-wide // narrow))), narrow, axis=1)
        piece -= (0.8 * words * letters[:, :wide]).astype(np.float32)
    return (rows + 1) * height


def _chessboard(rng: np.random.Generator, side: int) -> Floats32:
    """Squares, light and dark by turns."""
    field = np.arange(side) // max(2, round(side / rng.uniform(8, 24))) % 2
    squares = np.where(field[None, :] ^ field[:, None], 0.4, -0.55)
    return np.asarray(squares + 0.3 * _plain(rng, side), np.float32)


_GRAINS = {
    "wood": _wood,
    "stone": _stone,
    "cloth": _cloth,
    "plain": _plain,
    "gingham": _gingham,
    "newspaper": _newspaper,
    "chessboard": _chessboard,
}
