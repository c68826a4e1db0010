"""Cubes that are rare on sale, and that a net which met few of them reads badly."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.render.styles import Colour, CubeStyle

_LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
_MARKED_LETTERS = 0.3  # share of the letters that carry a line where many do
_DARKEST, _LIGHTEST = 15.0, 150.0  # grey levels of a cube with light print
_GREY = 0.5  # share of such cubes whose colour is hardly one
_LEAST_LIGHTER = 0.45  # how much lighter the print is, of the way to white


@dataclass(frozen=True)
class Odd:
    """How many cubes are odd.

    Attributes:
        light: share with light print on a darker cube.
        glossy: share that reflect the lamp, beside those that do anyway.
        marked: share that carry a line under any letter.
    """

    light: float = 0.0
    glossy: float = 0.0
    marked: float = 0.0


NONE_ODD = Odd()


def made_odd(cube: CubeStyle, odd: Odd, rng: np.random.Generator) -> CubeStyle:
    """The cube, by chance an odd one."""
    light, glossy, marked = rng.random(3) < (odd.light, odd.glossy, odd.marked)
    if light:
        cube = _in_light_print(cube, rng)
    if glossy and cube.finish != "wood":
        cube = replace(cube, finish="gloss" if rng.random() < 0.7 else "pearl")
    if marked:
        more = frozenset(_LETTERS[rng.random(len(_LETTERS)) < _MARKED_LETTERS].tolist())
        cube = replace(cube, mark=replace(cube.mark, faces=cube.mark.faces | more))
    return cube


def _in_light_print(cube: CubeStyle, rng: np.random.Generator) -> CubeStyle:
    body = rng.uniform(_DARKEST, _LIGHTEST, 3)
    if rng.random() < _GREY:
        body = 0.15 * body + 0.85 * body.mean()
    share = rng.uniform(_LEAST_LIGHTER, 1.0)
    ink = body + share * (rng.uniform(225, 255, 3) - body)
    return replace(cube, body=_colour(body), ink=_colour(ink))


def _colour(values: NDArray[np.float64]) -> Colour:
    red, green, blue = values.tolist()
    return red, green, blue
