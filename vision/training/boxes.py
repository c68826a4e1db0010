"""Draws written letter boxes to train and measure the reader of boxed sheets on.

Letters come from the strokes of `vision.render.handwriting` and, where there are some, from fonts
that look written; both are bent, slanted, thickened and blurred as hands and cameras do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.letters_net import LABELS
from vision.paper.letters import glyph_of
from vision.render.handwriting import (
    CAPITALS,
    OTHERS,
    random_hand_of_writer,
    scribble,
    strike,
    strokes_of,
    write,
)
from vision.swoggle.reading import EMPTY, OTHER
from vision.training.squares import Squares

PX_PER_MM = 6.0
"""Of the boxes that are drawn, as they are read."""

MARGIN_PX = 7
"""Around a box."""

_CANVAS = 96  # pixels a side of a letter before it is brought to its box
_KINDS = {"capital": 0.81, "empty": 0.04, "odd": 0.15}
_SIGNS = ("?", "#", "=", "!")
_DIGITS = ("2", "3", "4", "5", "6", "7", "8", "9")  # a 0 is an O and a 1 an I to any reader
# A T with a foot is an I to whoever reads it in a box; open and looped letters are common there.
_SHAPES = {
    **CAPITALS,
    **OTHERS,
    "T": tuple(shape for shape in CAPITALS["T"] if not shape.endswith("30,100 70,100")),
    "I": (
        *CAPITALS["I"][1:3],
        *CAPITALS["I"],
        "65,0 65,100; 5,0 70,0; 10,100 72,100",
        "60,0 55,100; 15,12 60,0; 5,98 60,100",
    ),
    "E": (*CAPITALS["E"], "0,0 0,100; -20,0 90,0; -14,50 80,45; -25,100 95,100"),
    "H": (
        *CAPITALS["H"],
        "~0,0 12,50 0,100; ~100,0 90,50 100,100; 10,50 92,50",
        "0,0 0,100; 0,70 100,32; 100,0 100,100",
    ),
    "B": (
        "0,0 0,100; ~14,8 60,-2 85,18 45,45; ~45,45 95,60 80,95 20,98",
        "5,0 0,100; ~-5,5 60,0 85,22 40,45 88,60 82,92 45,100",
        *CAPITALS["B"],
        "~0,100 3,50 5,0 60,0 85,20 55,46 30,48; ~35,48 80,52 95,80 60,100 -5,98",
        "5,0 0,100; ~-5,0 60,0 90,20 55,48 15,50 70,55 100,78 60,100 -10,96",
        "10,5 10,95; ~15,10 70,0 80,30 25,50; ~25,52 90,60 85,95 5,100",
        "0,0 0,98; ~0,10 30,-3 60,5 65,30 40,45 62,52 72,78 50,100 0,100",
    ),
    "G": (
        *CAPITALS["G"],
        "~85,10 40,0 0,50 15,95 60,100 72,70; 45,62 72,62 78,105; 78,62 105,58",
        "~80,10 30,0 0,45 15,95 55,95 70,60; ~40,65 70,60 90,62 88,80 100,100",
        "~80,8 30,0 0,45 15,95 60,95; 60,60 60,100; 45,60 100,60",
        "~90,15 50,0 5,30 5,75 45,100 85,80; 85,55 85,100; 50,55 105,55",
        "~75,10 30,0 0,50 20,98 55,85 65,55; 50,58 88,55; ~88,55 82,90 112,98",
        "~70,15 30,0 0,50 18,95 50,85 60,52 62,98; ~60,60 80,50 95,60",
    ),
    "J": (
        *CAPITALS["J"],
        "20,0 100,0; ~70,0 72,60 65,95 30,100 5,80 20,62 45,70",
        "0,5 100,0; ~65,0 68,70 50,100 15,95 0,70",
    ),
    "S": (
        *CAPITALS["S"],
        "~92,15 60,-2 15,15 25,42 80,60 88,88 45,102 5,85 0,70",
        "~60,25 88,14 60,0 18,12 28,42 78,60 86,86 48,100 8,90",
        "~75,25 70,2 25,5 25,38 75,62 82,92 35,100 15,80",
    ),
    "R": (*CAPITALS["R"], "0,0 0,100; ~-5,5 50,-5 85,15 75,40 10,55; 20,52 90,105"),
    "N": (*CAPITALS["N"], "~0,100 4,40 8,0 30,20 70,85 92,100 97,50 100,0"),
    "Q": (
        *CAPITALS["Q"],
        "~45,3 10,20 0,55 20,95 60,98 98,60 90,15 55,0; ~30,85 55,75 80,95 115,90",
    ),
    "U": (*CAPITALS["U"], "~0,10 12,0 10,60 40,100 80,85 95,10; ~95,0 92,70 105,100 120,90"),
    "V": (
        *CAPITALS["V"],
        "~0,20 14,0 30,30 46,100 65,40 80,5 100,0 105,15 92,20",
        "~0,0 40,95 48,98 75,30 100,5 120,2",
    ),
    "X": (*CAPITALS["X"], "0,15 100,90; ~100,0 50,48 0,100", "~5,5 50,40 100,100; 95,0 10,98"),
}
_ODD = (
    *("digit",) * 3,
    *("struck",) * 4,
    *("twice",) * 4,
    *("sign", "scribble", "scribble", "blot"),
)
_UNIONS = (
    "BD BI BP BR CE CG CO CQ DI DO DP EF EI EL FI FL FP GO GQ IJ IK IL IM IN IP IR IT JU KR LU "
    "MN OQ PR VW VY"
)
"""Pairs of letters that make one when written over each other, or of which one hides the other."""
_BARRED = "AEFH"  # with a level line through them they are still themselves
_SMALL_ALIKE = "ckmnopsuvwxyz"  # small letters that are small capitals to most hands
_SMALL = 0.06  # share of letters that are such
_FONTS = 0.6  # share of letters that are of fonts, where there are fonts
_UNEVEN = 0.35  # share of signs that a pen has written unevenly
_USUAL_PEN = 0.85  # share of signs of fonts that no thick pen has written
_PALE = 0.5  # share of strokes through a letter that are paler than it

Canvas = NDArray[np.uint8]
Rng = np.random.Generator


@dataclass(frozen=True)
class Writer:
    """Draws signs as somebody writes them.

    Attributes:
        fonts: files of the fonts, by family: each family is used as often.
        variety: 0 tidy to 1 anything.
    """

    fonts: tuple[tuple[Path, ...], ...]
    variety: float


def families(folder: Path) -> tuple[tuple[Path, ...], ...]:
    """The fonts of a folder, by family: the name before ``-latin``."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.woff")):
        found.setdefault(path.stem.split("-latin")[0], []).append(path)
    return tuple(map(tuple, found.values()))


def draw_boxes(
    seed: tuple[int, ...],
    count: int,
    fonts: tuple[tuple[Path, ...], ...] = (),
    variety: float | None = None,
) -> Squares:
    """So many boxes, as glyphs and labels; the same seed gives the same.

    Args:
        seed: of all that is drawn.
        count: of boxes.
        fonts: as of `families`.
        variety: of hand and photo, 0 tidy to 1 anything; all of them where it is not given.
    """
    rng = np.random.default_rng(seed)
    drawn = [
        _box(rng, Writer(fonts, rng.uniform(0, 1) if variety is None else variety))
        for _ in range(count)
    ]
    labels = np.array([LABELS.index(label) for _, label in drawn], np.int64)
    return Squares(np.array([glyph for glyph, _ in drawn]), labels)


def _box(rng: Rng, writer: Writer) -> tuple[NDArray[np.uint8], str]:
    """A glyph and its label."""
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    letter = list(CAPITALS)[rng.integers(len(CAPITALS))]
    size = (int(rng.integers(31, 55)), int(rng.integers(42, 49)))
    ink = np.zeros((size[1] + 2 * MARGIN_PX, size[0] + 2 * MARGIN_PX), np.float32)
    if kind == "capital":
        ink = _placed(_letter(letter, writer, rng), size, rng)
        label = letter
    elif kind == "odd":
        ink = _placed(_odd(letter, writer, rng), size, rng)
        label = OTHER
    else:
        label = EMPTY
    ink = _with_surroundings(ink, size, writer, rng)
    return glyph_of(_seen(ink, writer.variety, rng), MARGIN_PX), label


def _letter(letter: str, writer: Writer, rng: Rng) -> Canvas:
    small = letter.lower() in _SMALL_ALIKE and rng.random() < _SMALL
    return _sign(letter, writer, rng, small=small)


def _sign(sign: str, writer: Writer, rng: Rng, *, small: bool = False) -> Canvas:
    """A letter or a digit, of a font or by hand; no hand writes small ones."""
    if writer.fonts and rng.random() < _FONTS:
        family = writer.fonts[rng.integers(len(writer.fonts))]
        written = sign.lower() if small else sign
        return _uneven(_typed(str(family[rng.integers(len(family))]), written, rng), rng)
    return _by_hand(sign, writer.variety, rng)


def _by_hand(sign: str, variety: float, rng: Rng) -> Canvas:
    hand = random_hand_of_writer(rng, variety)
    drawn = _drawn([strokes_of(sign, hand, rng, _SHAPES)], variety, rng)
    return _bent(drawn, rng) if rng.random() < variety else drawn


def _uneven(canvas: Canvas, rng: Rng) -> Canvas:
    """The ink here and there paler, as of a pencil or a pen that is running dry."""
    if rng.random() >= _UNEVEN:
        return canvas
    knots = rng.uniform(rng.uniform(0.2, 0.8), 1.0, (12, 12)).astype(np.float32)
    cover = cv2.resize(knots, canvas.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(canvas * cover, np.uint8)


def _drawn(drawings: Sequence[list[NDArray[np.float64]]], variety: float, rng: Rng) -> Canvas:
    """Strokes on a canvas, 255 where there is ink."""
    sheet = np.full((_CANVAS, _CANVAS, 3), 255, np.uint8)
    for strokes in drawings:
        hand = random_hand_of_writer(rng, variety)
        write(sheet, strokes, (_CANVAS / 2, _CANVAS / 2), hand, rng, pitch=_CANVAS)
    return np.asarray(255 - sheet.min(axis=2), np.uint8)


@lru_cache(maxsize=4000)
def _glyph(path: str, sign: str) -> Canvas:
    """A sign of a font in the middle of a canvas, 255 where there is ink."""
    font = ImageFont.truetype(path, 64)
    picture = Image.new("L", (_CANVAS, _CANVAS))
    left, top, right, bottom = font.getbbox(sign)
    place = (_CANVAS / 2 - (left + right) / 2, _CANVAS / 2 - (top + bottom) / 2)
    ImageDraw.Draw(picture).text(place, sign, 255, font)
    return np.array(picture)


def _typed(path: str, sign: str, rng: Rng) -> Canvas:
    """A sign of a font, of another weight and a little bent."""
    glyph = _glyph(path, sign)
    weight = int(rng.integers(-2, 5 if rng.random() < _USUAL_PEN else 10))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (1 + abs(weight), 1 + abs(weight)))
    if weight < 0:
        thinner = cv2.erode(glyph, kernel)
        glyph = np.asarray(thinner if thinner.sum() > 0.45 * glyph.sum() else glyph, np.uint8)
    elif weight:
        glyph = np.asarray(cv2.dilate(glyph, kernel), np.uint8)
    return _bent(glyph, rng)


def _bent(glyph: Canvas, rng: Rng) -> Canvas:
    knots = rng.normal(0, rng.uniform(0.5, 5.0), (2, 4, 4)).astype(np.float32)
    fields = [cv2.resize(one, (_CANVAS, _CANVAS), interpolation=cv2.INTER_CUBIC) for one in knots]
    y, x = np.mgrid[:_CANVAS, :_CANVAS].astype(np.float32)
    bent = cv2.remap(glyph, x + fields[0], y + fields[1], cv2.INTER_LINEAR)
    return np.asarray(bent, np.uint8)


def _odd(letter: str, writer: Writer, rng: Rng) -> Canvas:
    """What is no capital."""
    other = list(CAPITALS)[rng.integers(len(CAPITALS))]
    hand = random_hand_of_writer(rng, writer.variety)
    match _ODD[rng.integers(len(_ODD))]:
        case "sign":
            return _by_hand(_SIGNS[rng.integers(len(_SIGNS))], writer.variety, rng)
        case "digit":
            return _sign(_DIGITS[rng.integers(len(_DIGITS))], writer, rng)
        case "struck":
            lines = [strike(hand, rng) for _ in range(1 + (letter in _BARRED))]
            struck = _uneven(_drawn(lines, writer.variety, rng), rng)
            depth = rng.uniform(0.5, 1.0) if rng.random() < _PALE else 1.0
            return np.maximum(_letter(letter, writer, rng), (struck * depth).astype(np.uint8))
        case "twice" if other != letter and "".join(sorted(letter + other)) not in _UNIONS:
            moved = rng.normal(0, 6, 2)
            warp = np.array([[1, 0, moved[0]], [0, 1, moved[1]]])
            second = cv2.warpAffine(_letter(other, writer, rng), warp, (_CANVAS, _CANVAS))
            return np.maximum(_letter(letter, writer, rng), second.astype(np.uint8))
        case "blot":
            blot = np.zeros((_CANVAS, _CANVAS), np.uint8)
            axes = tuple(int(part) for part in rng.integers(6, 34, 2))
            cv2.ellipse(
                blot, (_CANVAS // 2, _CANVAS // 2), axes, rng.uniform(0, 180), 0, 360, 255, -1
            )
            return _bent(blot, rng)
    return _drawn([scribble(hand, rng) for _ in range(2)], writer.variety, rng)


def _placed(canvas: Canvas, size: tuple[int, int], rng: Rng) -> NDArray[np.float32]:
    """A sign somewhere in a box of a (width, height) with its margin, as high as one writes."""
    left, top, wide, high = cv2.boundingRect((canvas > 40).astype(np.uint8))
    width, height = size
    zoom = min(
        rng.uniform(0.45, 0.98) * height / max(high, 1),
        rng.uniform(0.8, 1.15) * width / max(wide, 1),
    )
    stretch = np.exp(rng.normal(0, 0.16))
    turn, lean = rng.normal(0, 0.08), rng.normal(0.03, 0.15)
    cos, sin = np.cos(turn), np.sin(turn)
    linear = (
        zoom * np.array([[cos, -sin], [sin, cos]]) @ np.array([[stretch, -lean], [0, 1 / stretch]])
    )
    free = np.array([max(0.0, width - zoom * wide), max(0.0, height - zoom * high)])
    target = np.array([width / 2, height / 2]) + MARGIN_PX + rng.uniform(-0.42, 0.42, 2) * free
    middle = np.array([left + wide / 2, top + high / 2])
    warp = np.column_stack([linear, target - linear @ middle])
    return _warped(canvas, warp, (width + 2 * MARGIN_PX, height + 2 * MARGIN_PX))


def _warped(
    canvas: Canvas, warp: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float32]:
    large = cv2.warpAffine(canvas, 2 * warp, (2 * size[0], 2 * size[1]))
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), np.float32)


def _with_surroundings(
    ink: NDArray[np.float32], size: tuple[int, int], writer: Writer, rng: Rng
) -> NDArray[np.float32]:
    """The ink with what reaches in from neighbours, what is left of the print, and dirt."""
    width = size[0]
    if rng.random() < 0.3:
        side = 1 if rng.random() < 0.5 else -1
        letter = list(CAPITALS)[rng.integers(len(CAPITALS))]
        beside = _placed(_letter(letter, writer, rng), size, rng)
        step = side * (width - int(rng.integers(0, 4)))
        warp = np.array([[1.0, 0, step], [0, 1, 0]])
        moved = cv2.warpAffine(beside, warp, ink.shape[::-1])
        ink = np.maximum(ink, moved).astype(np.float32)
    if rng.random() < 0.25:
        _draw_remains(ink, size, rng)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(1, 4))):
            place = (int(rng.integers(ink.shape[1])), int(rng.integers(ink.shape[0])))
            cv2.circle(ink, place, int(rng.integers(0, 2)), float(rng.uniform(60, 255)), -1)
    return ink


def _draw_remains(ink: NDArray[np.float32], size: tuple[int, int], rng: Rng) -> None:
    """Pieces of the box's own lines, faint, in place."""
    width, height = size
    for _ in range(int(rng.integers(1, 4))):
        depth = float(rng.uniform(8, 60))
        off = MARGIN_PX + int(rng.integers(-1, 2))
        start, end = np.sort(rng.uniform(0, 1, 2))
        if rng.random() < 0.5:
            row = off + int(rng.integers(2)) * height
            ink[row, int(start * ink.shape[1]) : int(end * ink.shape[1])] += depth
        else:
            col = off + int(rng.integers(2)) * width
            ink[int(start * ink.shape[0]) : int(end * ink.shape[0]), col] += depth


def _seen(ink: NDArray[np.float32], variety: float, rng: Rng) -> NDArray[np.uint8]:
    """The ink as a camera has it: coarser, blurred, paler, noisy."""
    zoom = rng.uniform(0.45, 1.0) if rng.random() < 0.6 else 1.0
    size = ink.shape[::-1]
    if zoom < 0.98:
        small = cv2.resize(ink, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        ink = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)
    if rng.random() < 0.6:
        ink = np.asarray(
            cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 0.6 + 1.1 * variety)), np.float32
        )
    ink = ink * rng.uniform(0.25 if rng.random() < 0.4 * variety else 0.6, 1.0)
    noise = rng.uniform(0, 1 + 7 * variety)
    ink = ink + noise * rng.standard_normal(ink.shape, np.float32)
    return np.clip(ink, 0, 255).astype(np.uint8)
