"""Strokes by which people cross words out."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from vision.render.camera import Floats

Box = tuple[float, float, float, float]
Crossing = Literal["line", "scribble", "cross", "slant", "half", "wave"]

_WITHIN = -0.1  # of a letter's height: where a wave may begin and end, within the word

CROSSINGS: tuple[Crossing, ...] = get_args(Crossing)


def crossing_strokes(
    kind: Crossing,
    box: Box,
    letter: float,
    rng: np.random.Generator,
) -> list[Floats]:
    """The strokes (n, 2) that cross a word out: x, y of their points.

    Args:
        kind: a level line, a scribble, an X, a line from corner to corner, a line through a half
            of the word or somewhat more, or a wavy line.
        box: left, top, right and lower end of the word.
        letter: height of its capitals.
        rng: no hand does it twice in the same way.
    """
    match kind:
        case "cross":
            return [_slanted(box, rng, rising=rising) for rising in (True, False)]
        case "slant":
            return [_slanted(box, rng, rising=bool(rng.random() < 0.7))]
        case "half":
            return [_level(_part(box, rng), letter, rng)]
        case "wave":
            return [_wavy(box, letter, rng)]
        case "line":
            return [_level(box, letter, rng)]
        case _:
            return [_scribbled(box, letter, rng)]


def _ends(
    box: Box, letter: float, rng: np.random.Generator, least: float = 0.1
) -> tuple[float, float, float]:
    """Left and right end of a stroke through the whole word, and its height.

    It sticks out by at least so much of a letter's height at either end.
    """
    left, top, right, low = box
    over = rng.uniform(least, 0.3) * letter
    return left - over, right + over, (top + low) / 2 + rng.normal(0, 0.05) * (low - top)


def _level(box: Box, letter: float, rng: np.random.Generator) -> Floats:
    left, right, middle = _ends(box, letter, rng)
    x = np.linspace(left, right, 8)
    y = middle + rng.normal(0, 0.012 * letter, 8) + rng.normal(0, 0.02) * (x - left)
    return np.column_stack([x, y])


def _scribbled(box: Box, letter: float, rng: np.random.Generator) -> Floats:
    left, right, middle = _ends(box, letter, rng)
    x = np.linspace(left, right, max(8, int((box[2] - box[0]) / (0.13 * letter))))
    swing = rng.uniform(0.3, 0.5, x.size) * (box[3] - box[1])
    return np.column_stack([x, middle + swing * np.where(np.arange(x.size) % 2, 1, -1)])


def _slanted(box: Box, rng: np.random.Generator, *, rising: bool) -> Floats:
    """From near one corner to near the opposite one."""
    left, top, right, low = box
    wide, tall = right - left, low - top
    x = np.linspace(
        left - rng.uniform(-0.06, 0.1) * wide, right + rng.uniform(-0.06, 0.1) * wide, 6
    )
    over = rng.uniform(-0.15, 0.12, 2) * tall
    start, end = (low + over[0], top - over[1]) if rising else (top - over[0], low + over[1])
    return np.column_stack([x, np.linspace(start, end, 6) + rng.normal(0, 0.015 * tall, 6)])


def _part(box: Box, rng: np.random.Generator) -> Box:
    """The first or the last half of a box, or somewhat more."""
    left, top, right, low = box
    wide = rng.uniform(0.5, 0.7) * (right - left)
    return (left, top, left + wide, low) if rng.random() < 0.5 else (right - wide, top, right, low)


def _wavy(box: Box, letter: float, rng: np.random.Generator) -> Floats:
    left, right, middle = _ends(box, letter, rng, least=_WITHIN)
    wide, tall = right - left, box[3] - box[1]
    along = np.linspace(0, 1, 80)
    turns = 2 * np.pi * rng.uniform(0.8, 1.6) * wide / tall
    swing = rng.uniform(0.08, 0.2) * tall
    y = middle + swing * np.sin(turns * along + rng.uniform(0, 2 * np.pi))
    return np.column_stack([left + wide * along, y])
