"""Pages of words as somebody writes them on any paper: for tests and measurements.

Capitals are strokes of `vision.render.handwriting`; small letters are set from the typefaces at
hand, uneven and slanted, and for joined writing with strokes from letter to letter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.render.camera import Floats
from vision.render.crossings import Crossing, crossing_strokes
from vision.render.handwriting import Hand, random_hand_of_writer, strokes_of, take_ink
from vision.render.lens import Photo
from vision.render.styles import Colour
from vision.render.textures import smooth_noise
from vision.render.typefaces import shipped_typefaces

Mask = NDArray[np.uint8]

Paper = Literal["plain", "ruled", "squared"]
Script = Literal["capitals", "print", "joined"]

_PAPERS: tuple[Colour, ...] = ((252, 252, 250), (246, 242, 230), (240, 240, 244), (250, 246, 214))
_RULES: tuple[Colour, ...] = ((176, 196, 226), (190, 190, 194), (150, 176, 206), (206, 176, 196))
_SHIFT = 4  # binary places of the coordinates that OpenCV draws at


@dataclass(frozen=True)
class PageStyle:
    """Paper and writer; lengths in pixels.

    Attributes:
        size: width and height of the page.
        colour: of the paper.
        paper: what is printed on it.
        rule: colour of that.
        pitch: from line to line.
        script: how is written.
        letter: height of capitals, and of what stands out of small letters.
        hand: pen and its wielder.
        typeface: path of the font that small letters are set in.
        spacing: between letters, in their heights.
    """

    size: tuple[int, int]
    colour: Colour
    paper: Paper
    rule: Colour
    pitch: float
    script: Script
    letter: float
    hand: Hand
    typeface: str
    spacing: float


@dataclass(frozen=True)
class WrittenWord:
    """A word on a page.

    Attributes:
        text: what is written.
        box: left, top, right and lower end of its own ink, pixels of the page.
        crossing: how it is crossed out, or None.
    """

    text: str
    box: tuple[float, float, float, float]
    crossing: Crossing | None = None

    @property
    def corners(self) -> Floats:
        """Corners (4, 2), clockwise from the upper left."""
        left, top, right, low = self.box
        return np.array([[left, top], [right, top], [right, low], [left, low]])


@dataclass(frozen=True, eq=False)
class WrittenPage:
    """A flat page with its truth.

    Attributes:
        pixels: (height, width, 3), uint8, RGB.
        words: in reading order, without numbers and bullets.
    """

    pixels: Photo
    words: tuple[WrittenWord, ...]


@dataclass(frozen=True)
class Layout:
    """How words stand on a page.

    Attributes:
        columns: beside each other, filled from the left.
        marks: "numbers" or "bullets" before the words of every line, or nothing.
        crossed: how words are crossed out, by line and place.
        inserted: a smaller word above the line with a number, each.
    """

    columns: int = 1
    marks: Literal["", "numbers", "bullets"] = ""
    crossed: Mapping[tuple[int, int], Crossing] = field(default_factory=dict)
    inserted: Mapping[int, str] = field(default_factory=dict)


def random_page_style(
    rng: np.random.Generator, script: Script, paper: Paper, lines: int = 24
) -> PageStyle:
    """Any pen on any such paper of the shape of A4, for so many lines."""
    hand = random_hand_of_writer(rng, 0.5)
    pitch = 1650.0 / max(lines, 12)
    ruling = _RULES[rng.integers(len(_RULES))]
    return PageStyle(
        size=(1240, 1754),
        colour=_PAPERS[rng.integers(len(_PAPERS))],
        paper=paper,
        rule=ruling,
        pitch=pitch,
        script=script,
        letter=pitch * rng.uniform(0.42, 0.56),
        hand=replace(hand, height=0.62, line=rng.uniform(0.035, 0.075), soft=0.0),
        typeface=shipped_typefaces().pick(rng).path,
        spacing=rng.uniform(0.1, 0.22) if script == "capitals" else rng.uniform(0.0, 0.06),
    )


def write_page(
    lines: Sequence[Sequence[str]],
    style: PageStyle,
    rng: np.random.Generator,
    layout: Layout | None = None,
) -> WrittenPage:
    """A page of words.

    Args:
        lines: the words of each line.
        style: of page and writer.
        rng: decides where each word stands exactly and what it looks like.
        layout: columns, numbers, what is crossed out or inserted.
    """
    layout = layout or Layout()
    page = _blank(style, rng)
    rows = -(-len(lines) // layout.columns)
    width = style.size[0] / layout.columns
    written: list[WrittenWord] = []
    for number, words in enumerate(lines):
        column, row = divmod(number, rows)
        base = (row + 1.5) * style.pitch - rng.uniform(0.02, 0.1) * style.pitch
        x = (column + 0.08) * width + rng.uniform(0, 0.4) * style.letter
        if layout.marks:
            mark = f"{number + 1}." if layout.marks == "numbers" else ""
            x = _marked(page, mark, (x, base), style, rng)
        crossed = [(text, layout.crossed.get((number, i))) for i, text in enumerate(words)]
        written += _line(page, crossed, (x, base), style, rng)
        if number in layout.inserted:
            written.append(_inserted(page, layout.inserted[number], written[-1], style, rng))
    return WrittenPage(page, tuple(written))


def _line(
    page: Photo,
    words: Sequence[tuple[str, Crossing | None]],
    place: tuple[float, float],
    style: PageStyle,
    rng: np.random.Generator,
) -> list[WrittenWord]:
    x, base = place
    written = []
    for text, crossing in words:
        word = _word(page, text, (x, base + rng.normal(0, 0.02) * style.pitch), style, rng)
        if crossing:
            _cross(page, word, crossing, style, rng)
        written.append(replace(word, crossing=crossing))
        x = word.box[2] + rng.uniform(0.9, 1.5) * style.letter
    return written


def _inserted(
    page: Photo, text: str, before: WrittenWord, style: PageStyle, rng: np.random.Generator
) -> WrittenWord:
    """A word of two thirds the size above and behind another one."""
    small = replace(style, letter=0.6 * style.letter)
    place = (before.box[2] + 0.6 * style.letter, before.box[3] - 0.62 * style.pitch)
    return _word(page, text, place, small, rng)


def _marked(
    page: Photo, mark: str, place: tuple[float, float], style: PageStyle, rng: np.random.Generator
) -> float:
    """Write the number of a line, or a bullet for none; where its words begin."""
    x, base = place
    if mark:
        mask, foot = _set(mark, replace(style, spacing=0.03), rng)
        _ink(page, mask, (x - style.letter, base - foot), style, rng)
    else:
        middle = (round(x + 0.3 * style.letter), round(base - 0.4 * style.letter))
        cv2.circle(page, middle, round(0.13 * style.letter), style.hand.ink, -1, cv2.LINE_AA)
    return x + 2.4 * style.letter


def _blank(style: PageStyle, rng: np.random.Generator) -> Photo:
    width, height = style.size
    shade = 3 * (smooth_noise(rng, (height, width), (9, 7)) - 0.5)
    page: Photo = np.clip(np.array(style.colour) + shade[..., None], 0, 255).astype(np.uint8)
    step = style.pitch if style.paper == "ruled" else style.pitch / 2
    thick = max(1, round(0.02 * style.pitch))
    if style.paper == "plain":
        return page
    for y in np.arange(0.5 * style.pitch, height, step):
        cv2.line(page, (0, round(y)), (width, round(y)), style.rule, thick, cv2.LINE_AA)
    if style.paper == "squared":
        for x in np.arange(0.5 * step, width, step):
            cv2.line(page, (round(x), 0), (round(x), height), style.rule, thick, cv2.LINE_AA)
    return page


def _word(
    page: Photo, text: str, place: tuple[float, float], style: PageStyle, rng: np.random.Generator
) -> WrittenWord:
    """Write a word from its left end on the base line."""
    script = _drawn if style.script == "capitals" else _set
    mask, foot = script(text, style, rng)
    corner = (place[0], place[1] - foot)
    _ink(page, mask, corner, style, rng)
    y, x = np.nonzero(mask > 100)
    left, top = round(corner[0]), round(corner[1])
    box = (left + x.min(), top + y.min(), left + x.max() + 1, top + y.max() + 1)
    return WrittenWord(text, (float(box[0]), float(box[1]), float(box[2]), float(box[3])))


def _drawn(text: str, style: PageStyle, rng: np.random.Generator) -> tuple[Mask, float]:
    """Capitals of strokes, and the rows from the mask's top to their base line."""
    pitch = style.letter / style.hand.height
    x, lines = 0.0, []
    for sign in text.upper():
        strokes = strokes_of(sign, style.hand, rng)
        low = min(float(stroke[:, 0].min()) for stroke in strokes)
        lines += [(stroke - [low, 0]) * pitch + [x, 0] for stroke in strokes]
        x = max(float(line[:, 0].max()) for line in lines) + style.spacing * style.letter
    margin = 0.6 * style.letter
    size = (int(2 * margin + style.letter), int(x + 2 * margin))
    mask = np.zeros(size, np.uint8)
    thick = max(1, round(style.hand.line * style.letter * 1.6))
    for line in lines:
        fixed = np.rint((line + np.array([margin, size[0] / 2])) * (1 << _SHIFT)).astype(np.int32)
        cv2.polylines(mask, [fixed], False, 255, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003
    return mask, size[0] / 2 + style.letter / 2


def _set(text: str, style: PageStyle, rng: np.random.Generator) -> tuple[Mask, float]:
    """Letters of a typeface, and the rows from the mask's top to their base line."""
    font = ImageFont.truetype(style.typeface, max(8, round(1.4 * style.letter)))
    wide = int(font.getlength(text) * 1.4 + 3 * style.letter)
    tall = int(3 * style.letter)
    image = Image.new("L", (wide, tall))
    draw, base = ImageDraw.Draw(image), 2.0 * style.letter
    x, joins = style.letter, []
    for sign in text:
        y = base + rng.normal(0, 0.02) * style.letter
        draw.text((x, y), sign, 255, font, "ls")
        joins.append((x, x + font.getlength(sign)))
        x = joins[-1][1] + (style.spacing + rng.normal(0, 0.015)) * style.letter
    mask = np.array(image)
    if style.script == "joined":
        _join(mask, joins, base, style)
    slant = style.hand.slant
    lean = np.array([[1, -slant, slant * base], [0, 1, 0]], np.float32)
    return cv2.warpAffine(mask, lean, (wide, tall)).astype(np.uint8), base


def _join(mask: Mask, ends: Sequence[tuple[float, float]], base: float, style: PageStyle) -> None:
    """Strokes from the foot of each letter to the middle of the next."""
    thick = max(1, round(0.04 * style.letter))
    for (_, end), (start, _) in pairwise(ends):
        foot = (round(end - 0.16 * style.letter), round(base + 0.03 * style.letter))
        middle = (round(start + 0.2 * style.letter), round(base - 0.46 * style.letter))
        cv2.line(mask, foot, middle, (255,), thick, cv2.LINE_AA)


def _ink(
    page: Photo,
    mask: Mask,
    corner: tuple[float, float],
    style: PageStyle,
    rng: np.random.Generator,
) -> None:
    cover = mask.astype(np.float32) * (style.hand.cover / 255)
    knots = (max(2, mask.shape[0] // 4), max(2, mask.shape[1] // 4))
    cover *= 1 - style.hand.grain * smooth_noise(rng, mask.shape, knots).clip(0, 1)
    take_ink(page, cover, (round(corner[0]), round(corner[1])), style.hand.ink)


def _cross(
    page: Photo, word: WrittenWord, kind: Crossing, style: PageStyle, rng: np.random.Generator
) -> None:
    """Cross a word out."""
    mask = np.zeros(page.shape[:2], np.uint8)
    thick = max(2, round(style.hand.line * style.letter * 1.8))
    for stroke in crossing_strokes(kind, word.box, style.letter, rng):
        points = np.rint(stroke * (1 << _SHIFT)).astype(np.int32)
        cv2.polylines(mask, [points], False, 255, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003
    take_ink(page, mask.astype(np.float32) * (style.hand.cover / 255), (0, 0), style.hand.ink)
