"""What trays, cubes and prints look like: plain values, and the dice that draw them.

The palettes name what sets on sale show; the ranges are wider than any of them, so that a
classifier trained on them has met stranger sets than its users own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.render.typefaces import Typeface, Typefaces

Colour = tuple[float, float, float]
"""Red, green, blue, 0–255."""

MarkKind = Literal["solid", "short", "double", "dash", "dots"]

_MARK_KINDS: tuple[MarkKind, ...] = ("solid", "solid", "solid", "short", "double", "dash", "dots")
_MARK_CHANCES = {"M": 0.75, "W": 0.75, "Z": 0.7, "N": 0.2}
_ODD_MARK_CHANCE = 0.02  # some set underlines any letter

Finish = Literal["plastic", "gloss", "pearl", "wood"]

_FINISHES: tuple[Finish, ...] = ("gloss", "gloss", "pearl", "wood")

_BODIES: tuple[Colour, ...] = (
    (235, 222, 200), (225, 206, 176), (245, 240, 230), (250, 250, 250), (216, 216, 211),
    (240, 226, 182), (202, 186, 152), (228, 196, 150), (244, 232, 208), (190, 178, 160),
)  # fmt: skip
_DARK_BODIES: tuple[Colour, ...] = (
    (30, 30, 34), (120, 20, 25), (20, 60, 120), (25, 90, 60), (225, 120, 20), (210, 170, 40),
    (90, 50, 120), (70, 70, 75),
)  # fmt: skip
_INKS: tuple[Colour, ...] = (
    (8, 96, 124), (14, 72, 122), (20, 20, 22), (36, 36, 40), (26, 30, 132), (14, 14, 92),
    (198, 30, 32), (238, 150, 24), (228, 108, 18), (18, 110, 62), (4, 120, 158), (62, 40, 28),
    (120, 30, 110), (150, 20, 40),
)  # fmt: skip
_WOODS: tuple[Colour, ...] = (
    (222, 184, 135), (205, 163, 112), (236, 208, 164), (186, 140, 92), (240, 220, 186),
)  # fmt: skip
_GREYS: tuple[Colour, ...] = ((96, 96, 100), (120, 120, 124), (140, 138, 136))
_BLANKS: tuple[Colour, ...] = (
    (20, 60, 170), (16, 16, 18), (180, 24, 30), (24, 110, 60), (90, 90, 95), (220, 130, 20),
)  # fmt: skip
_FRAMES: tuple[Colour, ...] = (
    (4, 92, 190), (4, 62, 142), (10, 22, 122), (22, 22, 200), (248, 162, 14), (238, 190, 30),
    (228, 118, 14), (20, 20, 25), (60, 60, 66), (180, 22, 24), (30, 120, 62), (92, 62, 40),
    (4, 122, 158), (230, 230, 228), (130, 90, 60), (120, 150, 190), (200, 200, 205),
)  # fmt: skip


@dataclass(frozen=True)
class MarkStyle:
    """The line under a letter that tells its foot; lengths in cap heights.

    Attributes:
        kind: its form.
        gap: from the foot of the letter to the line.
        thickness: of the line.
        width: of the line, in widths of the letter.
        faces: the faces that carry it.
    """

    kind: MarkKind
    gap: float
    thickness: float
    width: float
    faces: frozenset[str]


@dataclass(frozen=True)
class CubeStyle:
    """One cube; lengths in edges of the cube.

    Attributes:
        body: colour of the cube.
        ink: colour of the print.
        typeface: of the print.
        capitals: two-letter faces are printed in capitals.
        cap_height: of the print.
        stretch: width of the print over its natural width.
        shear: slant of the print.
        stroke: thickening of the print, in cap heights.
        mark: the line under some letters.
        blank_size: side of the square on a blank face.
        blank_corner: radius of its corners, in halves of its side.
        fading: 0 fresh print, towards 1 hardly any left.
        speckle: 0 even print, 1 worn off in spots.
        corner: radius of the corners from above.
        bevel: radius of the edges of the lid.
        finish: what it is made of.
        grime: 0 clean, to 1 dirty in its corners and scratched.
        engraved: depth of the print, 0 for one that lies on the face.
        blank_ink: colour of the square on a blank face.
    """

    body: Colour
    ink: Colour
    typeface: Typeface
    capitals: bool
    cap_height: float
    stretch: float
    shear: float
    stroke: float
    mark: MarkStyle
    blank_size: float
    blank_corner: float
    fading: float
    speckle: float
    corner: float
    bevel: float
    finish: Finish
    grime: float
    engraved: float
    blank_ink: Colour


@dataclass(frozen=True)
class TrayStyle:
    """The tray and how the cubes lie in it; lengths in cells.

    Attributes:
        frame: colour of the rim, or None for cubes that lie on the bare table.
        floor: share of the frame's light on the floor.
        gloss: 0–1, how brightly the floor of an empty cell reflects.
        edge: of a cube.
        gap: from the cells to the rim.
        rim_width: of the rim.
        rim_height: of the rim.
        corner: inner radius of the rim's corners.
        wall_width: of the walls between the cells; 0 for none.
        wall_height: of these walls.
        posts: the walls carry posts where they cross.
        sway: standard deviation of a cube's turn in its cell, degrees.
        drift: standard deviation of a cube's place in its cell.
    """

    frame: Colour | None
    floor: float
    gloss: float
    edge: float
    gap: float
    rim_width: float
    rim_height: float
    corner: float
    wall_width: float
    wall_height: float
    posts: bool
    sway: float
    drift: float


def random_mark(rng: np.random.Generator, variety: float) -> MarkStyle:
    """A line under some of the letters, more or less odd ones by `variety` (0–1)."""
    kind = _MARK_KINDS[rng.integers(len(_MARK_KINDS))]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    chances = [_MARK_CHANCES.get(letter, _ODD_MARK_CHANCE * variety) for letter in letters]
    width = rng.uniform(0.35, 0.6) if kind == "short" else rng.uniform(0.6, 1.15)
    return MarkStyle(
        kind=kind,
        gap=rng.uniform(0.06, 0.24),
        thickness=rng.uniform(0.06, 0.17),
        width=float(width),
        faces=frozenset(np.array(list(letters))[rng.random(26) < chances].tolist()),
    )


def random_cube(rng: np.random.Generator, typefaces: Typefaces, variety: float) -> CubeStyle:
    """A cube of any set.

    Args:
        rng: source of chance.
        typefaces: what prints are set in, by weight.
        variety: 0 a handsome cube in good order, to 1 worn, odd and faded.
    """
    body, ink = _colours(rng, variety)
    worn = rng.random() < 0.3 * variety
    corner = rng.uniform(0.1, 0.36)
    plain = CubeStyle(
        body=body,
        ink=ink,
        typeface=typefaces.pick(rng),
        capitals=bool(rng.random() < 0.12 * variety),
        cap_height=rng.uniform(0.58 - 0.16 * variety, 0.62 + 0.1 * variety),
        stretch=rng.uniform(1 - 0.14 * variety, 1 + 0.14 * variety),
        shear=rng.uniform(-0.08, 0.08) * variety,
        stroke=float(rng.choice([0, 0, 0.02, 0.04, 0.07])) * variety,
        mark=random_mark(rng, variety),
        blank_size=rng.uniform(0.35, 0.72),
        blank_corner=rng.uniform(0.0, 0.3),
        fading=rng.uniform(0.0, 0.75) if worn else rng.uniform(0.0, 0.25) * variety,
        speckle=rng.uniform(0.3, 1.0) if worn else 0.0,
        corner=corner,
        bevel=min(rng.uniform(0.05, 0.17), corner),
        finish="plastic",
        grime=0.0,
        engraved=0.0,
        blank_ink=ink,
    )
    # a stream of its own, so that a seed keeps its scene whatever is made of the cubes
    return _finished(plain, rng.spawn(1)[0], variety)


def _finished(style: CubeStyle, rng: np.random.Generator, variety: float) -> CubeStyle:
    """The cube of some material, used for long or for a little, its print perhaps sunk in."""
    if rng.random() < 0.5 * variety:
        style = replace(style, finish=_FINISHES[rng.integers(len(_FINISHES))])
    if style.finish == "wood":
        style = replace(style, body=_near(rng, _pick(rng, _WOODS), 12), ink=_dark(style.ink))
    elif rng.random() < 0.05 * variety and min(style.body) > 180:
        style = replace(style, ink=_near(rng, _pick(rng, _GREYS), 10))
    dirty, sunk = rng.random() < 0.35 * variety, rng.random() < 0.15 * variety
    coloured = rng.random() < 0.5
    return replace(
        style,
        grime=rng.uniform(0.1, 1.0) if dirty else 0.0,
        engraved=rng.uniform(0.006, 0.02) if sunk else 0.0,
        blank_ink=_near(rng, _pick(rng, _BLANKS), 18) if coloured else style.ink,
    )


def _dark(ink: Colour) -> Colour:
    """An ink that shows on wood."""
    red, green, blue = np.multiply(ink, min(1.0, 110 / max(*ink, 1.0))).tolist()
    return red, green, blue


def random_tray(rng: np.random.Generator, variety: float) -> TrayStyle:
    """A tray of any set, more or less tidy by `variety` (0–1)."""
    edge = rng.uniform(0.78, 0.97) if rng.random() < variety else rng.uniform(0.86, 0.94)
    walls = rng.random() < 0.85
    return TrayStyle(
        frame=None if rng.random() < 0.06 * variety else _near(rng, _pick(rng, _FRAMES), 22),
        floor=rng.uniform(0.3, 0.95),
        gloss=rng.uniform(0.2, 0.9) if rng.random() < variety / 2 else 0.0,
        edge=edge,
        gap=rng.uniform(0.0, 0.14),
        rim_width=rng.uniform(0.12, 0.5),
        rim_height=edge * rng.uniform(0.35, 0.95),
        corner=rng.uniform(0.02, 0.3),
        wall_width=rng.uniform(0.03, 0.1) if walls else 0.0,
        wall_height=edge * rng.uniform(0.15, 0.55),
        posts=bool(rng.random() < 0.4),
        sway=float(rng.choice([1.5, 4.0, 4.0, 9.0])) * (0.4 + 0.6 * variety),
        drift=rng.uniform(0.2, 0.55) * (1 - edge) * (0.4 + 0.6 * variety),
    )


def _colours(rng: np.random.Generator, variety: float) -> tuple[Colour, Colour]:
    """Colours of a cube and of its print, far enough apart to be read."""
    body, ink = _near(rng, _pick(rng, _BODIES), 14), _near(rng, _pick(rng, _INKS), 22)
    chance = rng.random()
    if chance < 0.05 * variety:
        return _near(rng, _pick(rng, _DARK_BODIES), 20), _near(rng, _pick(rng, _BODIES), 12)
    if chance < 0.08 * variety:
        ink = _near(rng, (128, 128, 128), 127)
    if np.abs(np.subtract(body, ink)).max() < 70:
        return body, (24, 24, 30)
    return body, ink


def _pick(rng: np.random.Generator, palette: tuple[Colour, ...]) -> Colour:
    return palette[rng.integers(len(palette))]


def _near(rng: np.random.Generator, colour: Colour, reach: float) -> Colour:
    red, green, blue = np.clip(np.add(colour, rng.uniform(-reach, reach, 3)), 0, 255).tolist()
    return red, green, blue
