"""What a cube is made of and what use has done to it, as coats on its sides.

A coat is a mask and an ink, stamped like a print. Grain, clouds and dirt lie under the print,
scratches and the reflection of a lamp over it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Floats
from vision.render.styles import CubeStyle, Finish
from vision.render.textures import Floats32, smooth_noise

Coat = tuple[NDArray[np.uint8], Floats]
"""A mask (side, side), 0–255, over a whole side of a cube, and its ink (3,), 0–255."""

GLOSS: dict[Finish, float] = {"plastic": 0.25, "gloss": 0.8, "pearl": 0.6, "wood": 0.05}
"""How brightly the roundings of a cube reflect a lamp, 0–1."""

_SIDE = 40
_WHITE = np.array([252.0, 252.0, 248.0])
_DIRT = np.array([96.0, 80.0, 62.0])


def under_print(style: CubeStyle, rng: np.random.Generator) -> list[Coat]:
    """Coats of the material and of dirt: of a plain clean cube none."""
    coats: list[Coat] = []
    if style.finish == "wood":
        coats.append(_coat(0.55 * _grain(rng), np.array(style.body) * 0.62, style))
    if style.finish == "pearl":
        coats += [_coat(_clouds(rng), ink, style) for ink in _sheen(style, rng)]
    if style.grime:
        coats.append(_coat(style.grime * _dirt(rng, style.corner), _DIRT, style))
    return coats


def over_print(style: CubeStyle, rng: np.random.Generator) -> list[Coat]:
    """Coats of scratches and of reflected light."""
    coats: list[Coat] = []
    if style.grime:
        coats.append(_coat(style.grime * _scratches(rng), np.array(style.body) * 0.94, style))
    if style.finish in ("gloss", "pearl"):
        coats.append(_coat(_reflection(rng), _WHITE, style))
    return coats


def _coat(cover: Floats32, ink: Floats, style: CubeStyle) -> Coat:
    inside = _rounded(round(style.corner, 2), round(style.bevel, 2))
    return np.asarray(255 * np.clip(cover, 0, 1) * inside, np.uint8), np.minimum(ink, 255)


@lru_cache(maxsize=256)
def _rounded(corner: float, bevel: float) -> Floats32:
    """1 on the lid, softly down to 0 where its edges are rounded off."""
    x, y = _grid()
    reach = 0.5 - 0.5 * bevel
    past = np.hypot(
        np.maximum(np.abs(x) - reach + corner, 0), np.maximum(abs(y) - reach + corner, 0)
    )
    return np.asarray(np.clip((corner - past) / max(0.5 * bevel, 0.02), 0, 1), np.float32)


@lru_cache(maxsize=1)
def _grid() -> tuple[Floats32, Floats32]:
    """Places (1, side) and (side, 1) on a side of a cube, from its middle, in edges."""
    steps = np.linspace(-0.5, 0.5, _SIDE, dtype=np.float32)
    return steps[None, :], steps[:, None]


def _grain(rng: np.random.Generator) -> Floats32:
    """Bent rings of wood, along either side."""
    _, y = _grid()
    bend = smooth_noise(rng, (_SIDE, _SIDE), (3, 3))
    rings = np.sin(rng.uniform(14, 40) * (y + rng.uniform(0.1, 0.5) * bend) + rng.uniform(0, 6))
    fibres = smooth_noise(rng, (_SIDE, _SIDE), (_SIDE, 5))
    grain = 0.5 + 0.35 * rings + 0.5 * (fibres - 0.5)
    return np.asarray(grain.T if rng.random() < 0.5 else grain, np.float32)


def _clouds(rng: np.random.Generator) -> Floats32:
    knots = int(rng.integers(3, 6))
    return np.asarray(1.2 * smooth_noise(rng, (_SIDE, _SIDE), (knots, knots)) - 0.35, np.float32)


def _sheen(style: CubeStyle, rng: np.random.Generator) -> list[Floats]:
    """A lighter and a tinted tone of mother of pearl."""
    tint = rng.uniform(0.86, 1.02, 3)
    return [np.array(style.body) * 0.4 + _WHITE * 0.6, np.array(style.body) * tint]


def _dirt(rng: np.random.Generator, corner: float) -> Floats32:
    """Grey towards the edges, where hands and felt do not rub, and in spots."""
    x, y = _grid()
    edge = np.clip((np.maximum(np.abs(x), np.abs(y)) - 0.28 + 0.2 * corner) * 4, 0, 1)
    spots = np.clip(3 * smooth_noise(rng, (_SIDE, _SIDE), (11, 11)) - 2.3, 0, 1)
    return np.asarray(
        0.45 * edge * smooth_noise(rng, (_SIDE, _SIDE), (5, 5)) + 0.5 * spots, np.float32
    )


def _scratches(rng: np.random.Generator) -> Floats32:
    """A few thin straight lines."""
    x, y = _grid()
    cover = np.zeros((_SIDE, _SIDE), np.float32)
    for angle, offset in rng.uniform((0, -0.35), (np.pi, 0.35), (int(rng.integers(1, 5)), 2)):
        across = np.abs(np.cos(angle) * x + np.sin(angle) * y - offset)
        along = np.sin(angle) * x - np.cos(angle) * y
        cover = np.maximum(cover, (across < 0.014) * (np.abs(along - offset) < 0.3))
    return 0.8 * cover


def _reflection(rng: np.random.Generator) -> Floats32:
    """A soft bright streak, mostly by an edge."""
    x, y = _grid()
    angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(0.12, 0.42)
    across = np.cos(angle) * x + np.sin(angle) * y - place
    along = np.sin(angle) * x - np.cos(angle) * y - rng.uniform(-0.2, 0.2)
    wide, long = rng.uniform(0.03, 0.12), rng.uniform(0.12, 0.5)
    streak = np.exp(-((across / wide) ** 2) - (along / long) ** 2)
    return np.asarray(rng.uniform(0.2, 0.6) * streak, np.float32)
