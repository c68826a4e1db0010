"""Words in handwriting fonts, bent as hands bend them: pictures as a page reader cuts them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from typer import BadParameter

Floats = NDArray[np.float32]

LENGTHS = {3: 0.15, 4: 0.3, 5: 0.25, 6: 0.15, 7: 0.09, 8: 0.04, 9: 0.02}
"""Of players' words, with their shares."""

_CASES = {"lower": 0.6, "upper": 0.28, "title": 0.12}
_JOINED = ("dafoe", "delafield", "muellerhoff", "allura", "sacramento", "qwigley", "ruthie",
           "meddon", "dancing", "marck", "bad-script", "la-belle", "cedarville", "homemade",
           "zeyada")  # fmt: skip
"""Fonts in which nobody writes capitals only."""
_HARDNESS = (1.0, 1.0, 1.6)  # of each third of the writers
_ENDINGS = {".woff", ".ttf", ".otf"}
_FONT_PX = 90
_MARGIN_PX = 60  # room for what bending moves
_INK = 80  # of 255, from which a pixel counts as ink
_THICKER = (-1, 0, 0, 1, 1, 2, 3)  # pixels of a pen
_FEWEST = 20  # pixels of ink: with fewer the font lacks the letters


@dataclass(frozen=True)
class Writer:
    """Somebody who writes words.

    Attributes:
        font: file of a handwriting font.
        case: "lower", "upper" or "title".
        hardness: how much the writing is bent, as of `draw_word`.
    """

    font: Path
    case: str
    hardness: float

    def write(self, word: str, rng: np.random.Generator) -> NDArray[np.uint8] | None:
        """A word of small letters, or None where the font cannot write it."""
        text = {"lower": word, "upper": word.upper(), "title": word.capitalize()}[self.case]
        return draw_word(text, self.font, self.hardness, rng)


def random_writer(fonts: Sequence[Path], rng: np.random.Generator) -> Writer:
    """Any of those who write in some fonts."""
    case = str(rng.choice([*_CASES], p=[*_CASES.values()]))
    fitting = [it for it in fonts if case != "upper" or not any(one in it.name for one in _JOINED)]
    return Writer(fitting[int(rng.integers(len(fitting)))], case, float(rng.choice(_HARDNESS)))


def given_fonts(folder: Path) -> list[Path]:
    """The files of fonts in a folder and below it.

    Raises:
        BadParameter: there are none.
    """
    files = sorted(it for it in folder.rglob("*") if it.suffix in _ENDINGS)
    if not files:
        raise BadParameter(f"no font below {folder}", param_hint="FONTS")
    return files


def words_by_length(words: Iterable[str]) -> dict[int, list[str]]:
    """The words of each length that players write."""
    listed = list(words)
    return {length: [word for word in listed if len(word) == length] for length in LENGTHS}


def random_word(by_length: Mapping[int, Sequence[str]], rng: np.random.Generator) -> str:
    """A word as long as players' words are."""
    return str(rng.choice(by_length[int(rng.choice([*LENGTHS], p=[*LENGTHS.values()]))]))


def draw_word(
    text: str, font: Path, hardness: float, rng: np.random.Generator
) -> NDArray[np.uint8] | None:
    """A word as somebody may have written it, grey, or None where the font cannot write it.

    Args:
        text: as it is written, in any case.
        font: file of a handwriting font.
        hardness: how much the writing is bent: 1 as by a careful hand, 1.6 as by a hasty one.
        rng: source of chance.
    """
    ink = _pen(_bent(_leaning(_typeset(text, font), hardness, rng), hardness, rng), rng)
    rows, columns = np.nonzero(ink > _INK)
    if len(rows) < _FEWEST:
        return None
    height = int(np.ptp(rows)) + 1
    over, beside = (int(rng.uniform(0.03, most) * height) for most in (0.3, 0.25))
    ink = np.pad(ink, _MARGIN_PX)
    top, left = rows.min() + _MARGIN_PX - over, columns.min() + _MARGIN_PX - beside
    bottom, right = rows.max() + _MARGIN_PX + over + 1, columns.max() + _MARGIN_PX + beside + 1
    return _on_paper(ink[max(0, top) : bottom, max(0, left) : right], rng)


def _typeset(text: str, font: Path) -> Floats:
    face = ImageFont.truetype(str(font), _FONT_PX)
    left, top, right, bottom = face.getbbox(text)
    size = (int(right - left) + 2 * _MARGIN_PX, int(bottom - top) + 2 * _MARGIN_PX)
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).text((_MARGIN_PX - left, _MARGIN_PX - top), text, 255, font=face)
    return np.asarray(picture, np.float32)


def _leaning(ink: Floats, hardness: float, rng: np.random.Generator) -> Floats:
    height, width = ink.shape
    lean = rng.normal(0, 0.22 * hardness)
    turn = np.array([[np.exp(rng.normal(-0.05, 0.22)), lean], [rng.normal(0, 0.03), 1]])
    corners = np.array([[0, 0], [width, 0], [0, height], [width, height]]) @ turn.T
    matrix = np.column_stack([turn, 5 - corners.min(axis=0)])
    size = [int(it) for it in np.ptp(corners, axis=0) + 10]
    return np.asarray(cv2.warpAffine(ink, matrix, size), np.float32)


def _bent(ink: Floats, hardness: float, rng: np.random.Generator) -> Floats:
    """Points moved by smooth fields, of the size of letters and of strokes."""
    height, width = ink.shape
    strength = abs(rng.normal()) * hardness
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    for cell, pixels in ((45, 5.0), (20, 1.8)):
        columns += _field(height, width, cell, rng) * np.float32(pixels * strength)
        rows += _field(height, width, cell, rng) * np.float32(pixels * strength)
    return np.asarray(cv2.remap(ink, columns, rows, cv2.INTER_LINEAR), np.float32)


def _field(height: int, width: int, cell: int, rng: np.random.Generator) -> Floats:
    coarse = rng.normal(size=(height // cell + 2, width // cell + 2)).astype(np.float32)
    smooth = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def _pen(ink: Floats, rng: np.random.Generator) -> Floats:
    wider = int(rng.choice(_THICKER))
    tip = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(wider) + 1,) * 2)
    return np.asarray((cv2.dilate if wider > 0 else cv2.erode)(ink, tip), np.float32)


def _on_paper(ink: Floats, rng: np.random.Generator) -> NDArray[np.uint8]:
    """At some size and sharpness, the ink uneven as of a pencil, with the camera's noise."""
    height = int(rng.integers(40, 131))
    width = max(8, ink.shape[1] * height // ink.shape[0])
    scaled = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    share = cv2.GaussianBlur(scaled, (0, 0), rng.uniform(0.4, 1.4)) / 255
    share = share * (1 - rng.uniform(0, 0.35) * rng.random(share.shape))
    paper, dark = rng.uniform(225, 255), rng.uniform(20, 150)
    noise = rng.normal(0, rng.uniform(0, 6), share.shape)
    return np.asarray(np.clip(paper - (paper - dark) * share + noise, 0, 255), np.uint8)
