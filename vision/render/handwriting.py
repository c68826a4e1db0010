"""Capitals as people print them by hand, made of strokes: for training and for tests.

A shape is a text of strokes divided by ``;``, each a row of points ``x,y`` in hundredths of the
letter's width and height, from its upper left corner. A stroke that begins with ``~`` is a smooth
curve through its points, another one is straight between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.lens import Photo
from vision.render.styles import Colour
from vision.render.textures import smooth_noise

Floats = NDArray[np.float64]

CAPITALS: dict[str, tuple[str, ...]] = {
    "A": (
        "0,100 50,0 100,100; 18,62 82,62",
        "0,100 50,0; 50,0 100,100; 22,60 80,60",
        "~0,100 28,25 50,0 72,25 100,100; 15,60 85,60",
        "~5,100 8,35 35,2 65,2 92,35 95,100; 8,55 92,55",
        "0,100 55,0 90,100; ~80,72 30,82 22,62 55,58 100,54",
        "0,100 50,0 95,100; ~100,95 60,62 10,66",
        "0,100 60,0 70,100; 25,60 90,58",
    ),
    "B": (
        "0,0 0,100; ~0,0 60,2 80,22 60,44 0,48; ~0,48 70,50 95,72 70,98 0,100",
        "0,0 0,100; ~5,0 70,0 85,25 40,46 90,60 90,90 50,100 0,98",
        "8,0 8,100; ~-6,6 50,-2 85,15 70,40 30,47 75,52 98,75 70,98 0,100",
        "~0,95 5,50 5,2 60,0 80,22 45,46 20,48 75,52 95,75 60,98 0,100",
        "0,0 0,100; ~0,0 70,5 75,35 20,45; ~20,47 95,55 90,95 0,100",
    ),
    "C": (
        "~95,15 70,0 40,0 8,25 0,55 12,85 45,100 75,97 98,82",
        "~88,30 92,12 65,0 30,8 5,40 5,70 30,98 65,98 95,80",
        "~70,32 88,25 80,5 55,0 20,20 2,60 25,97 60,98 95,80",
        "~100,8 50,0 5,30 0,70 45,100 100,92",
        "~85,5 25,15 0,60 30,100 90,90",
        "92,30 90,8; ~90,8 50,0 5,30 2,70 40,100 95,85",
    ),
    "D": (
        "0,0 0,100; ~0,0 55,5 95,30 95,70 55,96 0,100",
        "12,0 12,100; ~-8,2 50,0 100,40 85,80 40,100 -5,98",
        "0,0 0,100; ~0,2 80,10 100,55 70,95 0,98",
        "~0,100 2,50 3,0 60,2 100,45 70,92 -5,100",
        "5,8 5,95; ~-5,0 60,0 100,50 60,100 -5,100",
    ),
    "E": (
        "0,0 0,100; 0,0 90,0; 0,48 75,48; 0,100 95,100",
        "90,0 0,0 0,100 95,100; 0,50 75,50",
        "0,0 0,100 90,100; 0,0 85,0; 0,48 70,48",
        "~85,8 45,0 10,22 40,45 60,48 30,52 0,75 30,100 90,90",
        "~95,5 40,0 0,50 40,100 95,95; 5,50 75,50",
        "0,0 0,100; -12,0 85,0; -8,50 75,50; -12,100 92,100",
    ),
    "F": (
        "0,0 0,100; 0,0 95,0; 0,47 70,47",
        "95,0 0,0 0,100; 0,45 75,45",
        "~95,10 60,0 15,5 8,40 5,100; 0,48 70,45",
        "8,0 8,100; -12,0 95,0; -10,47 70,47",
        "0,0 0,100; ~0,5 40,0 95,2; 0,45 70,42",
        "15,0 15,100; 15,0 95,0; 15,47 75,47; -10,100 40,100",
    ),
    "G": (
        "~95,18 70,0 40,0 5,30 0,60 20,95 55,100 92,85; 92,88 95,55; 55,55 100,55",
        "~92,15 60,0 20,15 0,55 20,95 60,98 92,80; 50,58 92,58 92,100",
        "~88,20 60,0 15,20 2,60 25,98 65,95 86,62; 45,60 90,58 88,82",
        "~80,12 45,0 2,45 20,95 60,90 78,60; 46,62 80,58; ~78,58 76,92 85,104 105,98",
        "~85,10 40,0 0,50 15,95 60,100 90,75 82,55 45,58",
        "~90,10 45,0 0,45 20,95 65,100 92,62; 50,60 95,60 95,105",
        "~92,12 50,0 0,50 40,100 90,90 90,58 50,58",
        "~85,15 50,0 5,35 5,75 40,100 75,85 85,55; 85,55 82,110; 45,58 88,55",
    ),
    "H": (
        "0,0 0,100; 100,0 100,100; 0,50 100,50",
        "0,0 0,100; 100,0 100,100; -8,55 108,45",
        "0,0 5,100; 95,0 100,100; 4,48 97,48",
        "0,0 0,100; 0,52 90,50; 90,0 92,100",
    ),
    "I": (
        "50,0 50,100",
        "50,0 50,100; 10,0 90,0; 10,100 90,100",
        "50,0 50,100; 25,0 75,0; 25,100 75,100",
        "20,25 50,0 50,100; 15,100 85,100",
        "52,0 48,100",
    ),
    "J": (
        "~75,0 75,60 62,92 35,100 10,90 0,70",
        "~70,0 70,60 60,92 35,100 10,90 0,70; 30,0 105,0",
        "~100,0 65,2 70,60 55,95 25,100 0,80; 20,0 100,0",
        "~70,0 72,55 60,95 20,100 0,85; 0,0 75,0",
        "~75,0 78,70 60,100 25,98 5,78 40,62",
        "80,0 80,75; ~80,70 65,100 30,100 0,85",
    ),
    "K": (
        "0,0 0,100; 90,0 0,55; 20,45 95,100",
        "0,0 0,100; 85,5 8,52 95,100",
        "0,0 0,100; 90,10 18,50 95,98",
        "0,0 0,100; 75,30 5,62; 25,56 88,100",
        "0,0 0,100; ~90,0 50,40 8,52; ~18,48 60,60 98,100",
        "0,0 0,100; 95,0 0,60 25,42 95,100",
    ),
    "L": (
        "0,0 0,100 95,100",
        "0,0 0,100; 0,100 90,97",
        "~10,0 4,60 5,96 30,98 95,96",
        "~35,25 45,5 28,2 18,50 5,100 25,94 60,100 95,92",
        "5,0 0,100 75,98",
        "0,0 0,100 90,100 90,85",
    ),
    "M": (
        "0,100 0,0 50,65 100,0 100,100",
        "0,100 12,0 50,85 88,0 100,100",
        "0,100 5,0 50,45 95,0 100,100",
        "0,0 0,100; 0,0 50,70; 50,70 100,0; 100,0 100,100",
        "~0,100 3,12 25,0 45,35 50,95 52,40 72,0 95,12 100,100",
        "0,100 8,0 50,100 92,0 100,100",
        "~0,100 10,40 15,0 30,30 50,70 70,30 85,0 92,40 100,100",
    ),
    "N": (
        "0,100 0,0 100,100 100,0",
        "0,100 0,0; 0,0 100,100; 100,100 100,0",
        "0,100 15,0 85,100 100,0",
        "-15,0 0,0; 0,100 0,0 100,100 100,-8",
        "~0,100 5,30 10,0 30,25 70,80 88,100 95,60 100,0",
        "0,100 8,5 80,100 100,-10 115,-10",
    ),
    "O": (
        "~50,0 15,10 0,50 15,90 50,100 85,90 100,50 85,10 50,0",
        "~60,2 20,8 0,50 20,95 55,100 95,80 98,35 70,3 40,2",
        "~45,3 10,20 0,55 20,95 60,98 98,60 90,15 58,0",
        "~90,25 60,0 15,12 0,55 25,97 70,97 100,60 88,20 70,8",
        "~10,30 0,70 35,100 80,92 100,50 75,5 35,0 8,32",
        "~40,0 75,3 100,45 85,92 45,100 5,75 5,25 42,-3",
    ),
    "P": (
        "0,0 0,100; ~0,2 60,0 95,25 65,50 0,55",
        "8,5 8,100; ~-10,10 50,0 95,22 70,48 5,52",
        "0,0 0,100; ~0,0 90,0 95,45 0,48",
        "~0,100 2,40 4,0 70,0 98,28 60,52 5,56",
        "5,12 5,100; ~-8,4 60,-2 100,30 60,58 8,55",
    ),
    "Q": (
        "~50,0 15,10 0,50 15,90 50,100 85,90 100,50 85,10 50,0; 60,65 102,105",
        "~60,2 20,8 0,50 20,95 55,100 95,80 98,35 70,3 40,2; 70,75 108,115",
        "~45,3 10,20 0,55 20,95 60,98 98,60 90,15 55,0; ~40,72 65,72 85,95 112,104",
        "~50,0 10,15 0,55 25,95 60,97 98,65 92,20 50,0; 78,70 82,120",
        "~50,0 10,15 0,55 25,95 60,97 98,65 92,20 50,0; 55,85 100,110",
        "~45,3 10,20 0,55 20,95 60,98 98,60 90,15 55,0; 45,60 100,100",
    ),
    "R": (
        "0,0 0,100; ~0,2 60,0 92,22 65,46 0,50; 30,50 95,100",
        "5,5 5,100; ~-12,12 50,0 92,20 70,44 10,50; ~25,50 60,70 98,100",
        "~0,100 2,40 4,0 65,0 92,22 60,46 5,52; 30,52 95,100",
        "0,0 0,100; ~0,0 85,2 90,42 0,50; 0,50 95,100",
        "0,0 0,100; ~0,2 80,0 85,40 25,52 60,72 98,100",
        "8,10 8,100; ~-10,8 50,-3 95,20 60,48 15,52 50,72 100,98",
    ),
    "S": (
        "~90,15 65,0 30,2 8,22 30,45 70,55 92,78 65,98 30,100 5,85",
        "~95,8 40,0 5,25 50,48 95,72 55,100 0,92",
        "~85,20 70,2 25,5 10,30 45,48 85,65 80,95 35,100 5,80",
        "~100,5 50,0 15,20 45,45 80,70 50,98 0,100",
        "~80,5 30,5 10,28 60,50 85,78 45,100 0,95",
    ),
    "T": (
        "0,0 100,0; 50,0 50,100",
        "~0,5 50,0 100,3; 50,0 48,100",
        "-5,0 105,0; 45,0 50,100",
        "0,0 100,0; 50,-8 50,100",
        "0,0 100,0; 50,0 50,100; 30,100 70,100",
        "0,12 0,0 100,0 100,12; 50,0 50,100",
    ),
    "U": (
        "~0,0 0,60 15,93 50,100 85,93 100,60 100,0",
        "~0,0 2,70 35,100 75,85 96,55; 98,0 98,100",
        "~0,0 5,75 45,100 90,80 98,0",
        "~0,0 0,70 30,100 70,100 95,70 95,0; ~95,60 96,90 115,100",
        "~0,0 10,90 50,98 85,85 100,0",
    ),
    "V": (
        "0,0 50,100 100,0",
        "~0,0 30,55 50,100 70,55 100,0",
        "~0,6 14,2 30,50 46,98 70,40 92,2 115,6",
        "0,0 45,100 100,-10",
        "0,15 12,0 45,100 95,0",
        "0,0 50,100; 50,100 100,0",
    ),
    "W": (
        "0,0 25,100 50,20 75,100 100,0",
        "0,0 22,100 50,50 78,100 100,0",
        "0,0 28,100 50,0 72,100 100,0",
        "~0,0 10,80 28,98 46,65 50,30 55,80 75,98 92,70 100,0",
        "~0,0 15,70 25,100 38,60 50,25 62,60 75,100 85,70 100,0",
        "0,10 8,0 28,100 52,30 74,100 100,0",
    ),
    "X": (
        "0,0 100,100; 100,0 0,100",
        "~0,5 40,30 60,70 100,95; 100,0 0,100",
        "~0,0 45,45 100,100; ~100,2 55,48 0,98",
        "10,0 90,100; 100,5 0,95",
        "~0,8 15,2 50,50 85,98 100,92; 95,0 0,100",
    ),
    "Y": (
        "0,0 50,50 100,0; 50,50 50,100",
        "0,0 48,52; 100,0 30,100",
        "0,0 50,48; 100,0 50,48 50,100",
        "~0,0 15,45 55,50 92,5; ~95,0 85,60 55,100",
        "0,0 50,50 100,0; 50,50 50,100; 28,100 72,100",
        "~0,0 30,42 50,50; ~100,0 65,45 40,100",
        "~0,0 8,40 45,55 85,35 95,0; ~95,0 90,65 60,105 20,98",
    ),
    "Z": (
        "0,0 100,0 0,100 100,100",
        "0,0 100,0 0,100 100,100; 18,50 82,50",
        "~0,6 45,0 95,4; 95,4 0,98; ~0,98 50,94 100,100",
        "0,10 5,0 95,0 0,100 100,100 100,88",
        "0,0 95,5 5,95 100,100; 20,55 75,45",
        "~0,12 30,0 92,3; 92,3 0,100; ~0,100 25,92 60,104 105,90; 22,52 74,48",
    ),
}
"""Shapes of each capital."""

OTHERS: dict[str, tuple[str, ...]] = {
    "2": ("~5,20 45,0 90,22 60,60 0,100; 0,100 100,100", "~5,25 40,0 85,20 0,98 25,90 95,100"),
    "3": ("~5,10 50,0 90,20 45,45 95,72 50,100 0,90", "0,0 90,0 45,42; ~45,42 100,65 60,100 0,92"),
    "4": ("60,0 0,65 100,65; 70,30 70,100", "10,0 5,50 95,50; 75,0 75,100"),
    "5": (
        "80,0 15,0 10,42; ~10,42 60,35 90,65 60,100 0,92",
        "90,0 20,0 15,45; ~15,45 85,40 90,80 50,100 5,90",
    ),
    "6": ("~80,0 25,30 0,70 40,100 90,78 55,50 5,68", "~70,5 15,35 5,80 50,100 90,75 60,52 10,70"),
    "7": ("0,0 100,0 35,100", "0,0 100,0 35,100; 25,50 85,50"),
    "8": ("~85,15 45,0 10,20 80,60 85,90 40,100 10,78 75,35 80,8",),
    "9": ("~90,20 50,0 8,25 40,52 90,25; ~90,22 88,70 60,100",),
    "a": ("~88,20 40,15 5,55 40,98 85,70; ~90,15 88,80 105,98",),
    "b": ("5,0 5,98; ~5,60 50,38 90,65 60,98 5,95",),
    "d": ("95,0 95,98; ~95,55 50,38 8,65 40,98 95,90",),
    "e": ("~8,58 90,52 70,15 25,20 5,60 35,98 90,85",),
    "f": ("~90,10 55,0 40,25 40,100; 5,42 80,42",),
    "g": ("~88,15 40,0 8,30 45,58 88,20; ~88,15 88,80 45,100 8,85",),
    "h": ("5,0 5,100; ~5,60 50,38 88,60 90,100",),
    "n": ("5,30 5,100; ~5,60 50,30 90,55 92,100",),
    "r": ("10,30 10,100; ~10,60 45,32 90,38",),
    "t": ("45,0 45,80; ~45,75 60,100 90,92; 5,30 85,30",),
    "+": ("50,5 50,95; 5,50 95,50",),
    "?": ("~5,25 45,0 90,25 50,55 48,72; 48,92 50,98",),
    "!": ("50,0 50,70; 48,92 52,97",),
    "#": ("30,0 25,100; 72,0 68,100; 0,33 100,30; 0,68 100,65",),
    "/": ("100,0 0,100",),
    "-": ("0,50 100,48",),
    "=": ("0,35 100,33; 0,65 100,65",),
    ".": ("48,50 52,52",),
    "v": ("0,55 30,95 100,0",),
}
"""Shapes of what is no capital, but may stand on a board."""

_WIDTHS = {"I": 0.45, "J": 0.6, "L": 0.62, "M": 0.9, "W": 1.0, "E": 0.6, "F": 0.6, "S": 0.6}
_USUAL_WIDTH = 0.72  # of the height
_STEPS = 9  # of a curve between two of its points
_SHIFT = 4  # binary places of the coordinates that OpenCV draws at

_INKS: tuple[Colour, ...] = (
    (18, 18, 22), (28, 36, 110), (24, 60, 170), (170, 24, 30), (20, 100, 60), (60, 30, 90),
    (40, 40, 44), (10, 10, 14),
)  # fmt: skip


@dataclass(frozen=True)
class Hand:
    """How somebody prints, and with what.

    Attributes:
        height: of a letter, in squares.
        width: factor on the usual width.
        slant: tangent of the angle to the right.
        turn: radians by which the letters are turned.
        shake: how far points stray, in letters.
        bow: how much straight strokes bend, in their length.
        overshoot: how far ends stray along their stroke, in its last piece.
        line: width of a stroke, in squares.
        ink: its colour.
        cover: 0–1, how much of the paper the ink hides.
        grain: 0–1, how uneven it is: pencils have most.
        soft: blur of the edges of a stroke, in squares.
        gaps: chance of a stroke that breaks off for a moment.
    """

    height: float
    width: float
    slant: float
    turn: float
    shake: float
    bow: float
    overshoot: float
    line: float
    ink: Colour
    cover: float
    grain: float
    soft: float
    gaps: float


def random_hand_of_writer(rng: np.random.Generator, variety: float) -> Hand:
    """A person with a pen; `variety` 0 is tidy with a marker, 1 anybody with anything."""
    pencil = rng.random() < 0.35 * variety
    line = rng.choice([rng.uniform(0.02, 0.045), rng.uniform(0.04, 0.08), rng.uniform(0.07, 0.13)])
    grey = float(rng.uniform(40, 120))
    height = rng.uniform(0.4, 0.7 + 0.12 * variety)
    return Hand(
        height=height,
        width=rng.uniform(1 - 0.3 * variety, 1 + 0.35 * variety),
        slant=rng.normal(0.03, 0.05 + 0.1 * variety),
        turn=rng.normal(0, 0.02 + 0.05 * variety),
        shake=rng.uniform(0.008, 0.015 + 0.035 * variety),
        bow=rng.uniform(0.0, 0.02 + 0.05 * variety),
        overshoot=rng.uniform(0.0, 0.03 + 0.12 * variety),
        line=rng.uniform(0.02, 0.06) if pencil else min(float(line), 0.19 * height),
        ink=(grey, grey, grey) if pencil else _INKS[rng.integers(len(_INKS))],
        cover=rng.uniform(0.35, 0.9) if pencil else rng.uniform(0.9 - 0.45 * variety, 1.0),
        grain=rng.uniform(0.1, 0.6) if pencil else rng.uniform(0, 0.35 * variety),
        soft=rng.uniform(0, 0.025 * variety),
        gaps=0.08 * variety,
    )


def strokes_of(
    sign: str,
    hand: Hand,
    rng: np.random.Generator,
    all_shapes: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Floats]:
    """Lines (p, 2) of a sign as a hand writes it once, in squares, around (0, 0).

    Args:
        sign: of `CAPITALS` or `OTHERS`.
        hand: the writer.
        rng: decides the shape and how it strays.
        all_shapes: shapes of each sign, the usual ones first; those of `CAPITALS` and `OTHERS` if
            not given.
    """
    shapes = all_shapes[sign] if all_shapes else CAPITALS.get(sign) or OTHERS[sign]
    # the first shapes are the usual ones
    weights = np.linspace(2.0, 1.0, len(shapes))
    shape = shapes[int(rng.choice(len(shapes), p=weights / weights.sum()))]
    size = _size(sign, hand, rng)
    lean = np.array([[1.0, -(hand.slant + rng.normal(0, 0.04))], [0.0, 1.0]])
    turn = hand.turn + rng.normal(0, 0.03)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    drawn = [_drawn(points, hand, rng, smooth=smooth) for smooth, points in _parsed(shape)]
    whole = [((line - 0.5) * size) @ (turned @ lean).T for line in drawn]
    return [piece for line in whole for piece in _lifted(line, hand, rng)]


def scribble(hand: Hand, rng: np.random.Generator) -> list[Floats]:
    """A square filled with anything, as lines (p, 2) in squares around (0, 0)."""
    count = int(rng.integers(4, 14))
    points = rng.uniform(-0.5, 0.5, (count, 2)) * hand.height * rng.uniform(0.6, 1.1, 2)
    if rng.random() < 0.5:  # to and fro
        points = points[np.argsort(points[:, 0])]
        points[:, 1] = np.abs(points[:, 1]) * np.where(np.arange(count) % 2, 1, -1)
    return [_curve(points) if rng.random() < 0.7 else points]


def strike(hand: Hand, rng: np.random.Generator) -> list[Floats]:
    """Lines (p, 2) that strike a letter out, in squares around (0, 0)."""
    half = 0.5 * hand.height * rng.uniform(0.85, 1.25)
    count = int(rng.integers(1, 4))
    angles = rng.choice([rng.normal(0, 0.2), rng.normal(-0.7, 0.25)]) + rng.normal(0, 0.1, count)
    if rng.random() < 0.3:
        angles = np.array([0.75, -0.75]) + rng.normal(0, 0.1, 2)
    ways = np.column_stack([np.cos(angles), np.sin(angles)]) * half
    offsets = rng.normal(0, 0.06, (len(angles), 2))
    return [
        np.array([offset - way, offset + way]) for way, offset in zip(ways, offsets, strict=True)
    ]


def write(
    sheet: Photo,
    strokes: list[Floats],
    place: tuple[float, float],
    hand: Hand,
    rng: np.random.Generator,
    *,
    pitch: float,
) -> None:
    """Draw strokes onto a sheet, in place.

    Args:
        sheet: (height, width, 3), RGB.
        strokes: lines (p, 2), in squares.
        place: (x, y) of their (0, 0), pixels.
        hand: whose pen it is.
        rng: decides the grain.
        pitch: pixels a square.
    """
    reach = max(float(np.abs(line).max()) for line in strokes) + hand.line
    half = int(np.ceil(reach * pitch)) + 2
    left, top = round(place[0]) - half, round(place[1]) - half
    mask = np.zeros((2 * half, 2 * half), np.uint8)
    thick = max(1, round(hand.line * pitch))
    for line in strokes:
        fixed = np.rint((line * pitch + np.array(place) - (left, top)) * (1 << _SHIFT))
        cv2.polylines(mask, [fixed.astype(np.int32)], False, 255, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003
    if hand.soft * pitch > 0.3:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), hand.soft * pitch), np.uint8)
    cover = mask.astype(np.float32) * (hand.cover / 255)
    if hand.grain:
        knots = (max(2, half // 2), max(2, half // 2))
        cover *= 1 - hand.grain * smooth_noise(rng, mask.shape, knots).clip(0, 1)
    take_ink(sheet, cover, (left, top), hand.ink)


def take_ink(
    sheet: Photo, cover: NDArray[np.float32], corner: tuple[int, int], ink: Colour
) -> None:
    """Ink a sheet in place; ink lets the paper's own colour through: it takes light away.

    Args:
        sheet: (height, width, 3), RGB.
        cover: (height, width), 0–1, how much of the paper is hidden.
        corner: where the upper left corner of the cover comes to lie, (x, y), pixels.
        ink: its colour.
    """
    left, top = corner
    low_x, low_y = max(0, left), max(0, top)
    high_x = min(sheet.shape[1], left + cover.shape[1])
    high_y = min(sheet.shape[0], top + cover.shape[0])
    if high_x <= low_x or high_y <= low_y:
        return
    part = cover[low_y - top : high_y - top, low_x - left : high_x - left, None]
    patch = sheet[low_y:high_y, low_x:high_x]
    taken = part * (1 - np.array(ink, np.float32) / 255)
    patch[:] = (patch * (1 - taken) + 0.5).astype(np.uint8)


def _size(sign: str, hand: Hand, rng: np.random.Generator) -> Floats:
    """Width and height (2,) of a sign, in squares."""
    height = hand.height * rng.normal(1, 0.06)
    width = _WIDTHS.get(sign, _USUAL_WIDTH) * hand.width * rng.normal(1, 0.08)
    return np.array([height * width, height]).clip(0.05, 0.98)


@lru_cache(maxsize=1000)
def _parsed(shape: str) -> tuple[tuple[bool, Floats], ...]:
    """Strokes of a shape: smooth or not, and points (p, 2), 0–1."""
    return tuple(
        (
            stroke.strip().startswith("~"),
            np.array([pair.split(",") for pair in stroke.strip(" ~").split()], np.float64) / 100,
        )
        for stroke in shape.split(";")
    )


def _drawn(points: Floats, hand: Hand, rng: np.random.Generator, *, smooth: bool) -> Floats:
    """One stroke as it is drawn once."""
    strayed = points + rng.normal(0, hand.shake, points.shape)
    strayed[0] += (strayed[0] - strayed[1]) * rng.normal(0, hand.overshoot)
    strayed[-1] += (strayed[-1] - strayed[-2]) * rng.normal(0, hand.overshoot)
    return _curve(strayed if smooth else _bowed(strayed, hand, rng))


def _lifted(line: Floats, hand: Hand, rng: np.random.Generator) -> list[Floats]:
    """The line, or two where the pen broke off for a moment."""
    if rng.random() >= hand.gaps or len(line) < 2 * _STEPS:
        return [line]
    start = int(rng.integers(4, len(line) - 8))
    return [line[:start], line[start + 3 :]]


def _bowed(points: Floats, hand: Hand, rng: np.random.Generator) -> Floats:
    """Straight pieces with points between that stray sideways; corners stay sharp."""
    pieces = []
    for start, end in pairwise(points):
        along = end - start
        aside = np.array([-along[1], along[0]]) * rng.normal(0, hand.bow)
        pieces += [start, start + 0.04 * along, start + 0.5 * along + aside, end - 0.04 * along]
    return np.array([*pieces, points[-1]])


def _curve(points: Floats) -> Floats:
    """A smooth line through points (Catmull and Rom 1974)."""
    if len(points) < 3:
        return points
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    before, start, end, after = ends[:-3], ends[1:-2], ends[2:-1], ends[3:]
    part = np.linspace(0, 1, _STEPS, endpoint=False)[None, :, None]
    line = 0.5 * (
        2 * start[:, None]
        + (end - before)[:, None] * part
        + (2 * before - 5 * start + 4 * end - after)[:, None] * part**2
        + (3 * start - before - 3 * end + after)[:, None] * part**3
    )
    return np.vstack([line.reshape(-1, 2), points[-1]])
