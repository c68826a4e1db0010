"""A printed word sheet as pixels, and what hands write on it: for tests, training and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.paper.sheet import Form, Kind, Label, Rect, SheetLayout
from vision.paper.sheet_print import (
    LINE_MM,
    Fill,
    Line,
    Ring,
    Shape,
    Text,
    layout_and_shapes,
    typeface,
)
from vision.render.crossings import Crossing, crossing_strokes
from vision.render.handwriting import Hand, scribble, strokes_of, write
from vision.render.lens import Photo

_FINE = 8  # pixels are this many times finer while lines are drawn: by OpenCV's binary places
_SHIFT = 3
_PEN_MM = 7.0  # of letters as high as that the pen is
_RULED_LETTER = 7.4  # mm: as wide and as high as letters on ruled rows are written


@dataclass(frozen=True)
class Written:
    """What is written on a sheet.

    Attributes:
        words: by the number of the row, in capitals; a space leaves a box empty.
        cancelled: rows whose circle is filled.
        ringed: rows whose circle has a ring drawn around it.
        crossed: how the word of a row is crossed out, by its number.
        scribbled: boxes, (row, box from 0), that are scribbled over.
        again: letters, by (row, box from 0), written over what is there.
    """

    words: Mapping[int, str] = field(default_factory=dict)
    cancelled: frozenset[int] = frozenset()
    ringed: frozenset[int] = frozenset()
    crossed: Mapping[int, Crossing] = field(default_factory=dict)
    scribbled: frozenset[tuple[int, int]] = frozenset()
    again: Mapping[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True)
class PrintedSheet:
    """A flat sheet.

    Attributes:
        layout: where everything is.
        pixels: (height, width, 3), uint8, RGB.
        px_per_mm: of it.
    """

    layout: SheetLayout
    pixels: Photo
    px_per_mm: float


def print_sheet(
    form: Form, label: Label, px_per_mm: float = 10.0, *, grey: bool = False
) -> PrintedSheet:
    """A sheet as it comes out of a printer.

    Args:
        form: of the sheet.
        label: whose it is.
        px_per_mm: of the pixels.
        grey: by a printer without colours.

    Raises:
        SheetError: there is no such sheet, or a name is too long.
    """
    layout, shapes = layout_and_shapes(form, label)
    size = (round(layout.page.width * px_per_mm), round(layout.page.height * px_per_mm))
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    for shape in shapes:
        if isinstance(shape, Text):
            _set_text(draw, shape, px_per_mm)
    pixels = np.array(picture)
    for shape in shapes:
        _paint(pixels, shape, px_per_mm)
    if grey:
        pixels = np.repeat(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    return PrintedSheet(layout, pixels.astype(np.uint8), px_per_mm)


def write_words(
    sheet: PrintedSheet, written: Written, hand: Hand, rng: np.random.Generator
) -> PrintedSheet:
    """The sheet with words on it, printed by a hand."""
    done = PrintedSheet(sheet.layout, sheet.pixels.copy(), sheet.px_per_mm)
    _write_letters(done, written, hand, rng)
    for row in sorted(written.cancelled):
        fill_circle(done, row, hand, rng)
    for row in sorted(written.ringed):
        _ring_circle(done, row, hand, rng)
    cross_out(done, written, hand, rng)
    return done


def _write_letters(
    sheet: PrintedSheet, written: Written, hand: Hand, rng: np.random.Generator
) -> None:
    for row, word in written.words.items():
        places = writing_places(sheet.layout, row)
        for place, sign in zip(places, word, strict=False):
            if sign != " ":
                _write_in(sheet, place, strokes_of(sign, hand, rng), hand, rng)
    for row, box in sorted(written.scribbled):
        place = writing_places(sheet.layout, row)[box]
        _write_in(sheet, place, scribble(hand, rng), hand, rng)
    for (row, box), sign in written.again.items():
        place = writing_places(sheet.layout, row)[box]
        _write_in(sheet, place, strokes_of(sign, hand, rng), hand, rng)


def writing_places(layout: SheetLayout, row: int) -> Sequence[Rect]:
    """Where the letters of a row are written: its boxes, or such on its line."""
    place = layout.rows[row - 1]
    if layout.form.kind is Kind.BOXES:
        return place.boxes
    count = int(place.writing.width / (0.8 * _RULED_LETTER))
    top = place.writing.bottom - _RULED_LETTER + 0.6
    return [
        Rect(place.writing.x + 0.8 * _RULED_LETTER * number, top, 0.8 * _RULED_LETTER, 7.0)
        for number in range(count)
    ]


def fill_circle(sheet: PrintedSheet, row: int, hand: Hand, rng: np.random.Generator) -> None:
    """Fill the circle that cancels a row, as with a pen: to and fro; in place."""
    reach = sheet.layout.bubble_radius * rng.uniform(0.75, 1.1)
    lines = np.linspace(-1, 1, int(rng.integers(9, 14)))
    zigzag = [
        (side * np.sqrt(max(0.0, 1 - line**2)), line)
        for number, line in enumerate(lines.tolist())
        for side in ((-1, 1) if number % 2 else (1, -1))
    ]
    points = np.array(zigzag) * reach + rng.normal(0, 0.12, (len(zigzag), 2))
    _draw(sheet, [points], sheet.layout.rows[row - 1].bubble, hand, rng)


def _write_in(
    sheet: PrintedSheet,
    place: Rect,
    strokes: list[NDArray[np.float64]],
    hand: Hand,
    rng: np.random.Generator,
) -> None:
    """Write strokes into a box, no wider than it is."""
    width = max(float(np.ptp(np.concatenate(strokes)[:, 0])), 1e-6)
    pitch = min(place.height * 1.15, 0.95 * place.width / width)
    x, y = place.middle + rng.normal(0, 0.05, 2) * place.width
    write(sheet.pixels, strokes, _px(sheet, (x, y)), hand, rng, pitch=pitch * sheet.px_per_mm)


def _ring_circle(sheet: PrintedSheet, row: int, hand: Hand, rng: np.random.Generator) -> None:
    """Draw a ring around the circle of a row, in place."""
    turn = np.linspace(0, 2 * np.pi * rng.uniform(1.0, 1.1), 40) + rng.uniform(0, 2 * np.pi)
    reach = sheet.layout.bubble_radius * (rng.uniform(1.3, 1.7) + rng.normal(0, 0.03, turn.size))
    points = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
    _draw(sheet, [points], sheet.layout.rows[row - 1].bubble, hand, rng)


def cross_out(sheet: PrintedSheet, written: Written, hand: Hand, rng: np.random.Generator) -> None:
    """Cross out what is to be crossed out, in place; the hand may hold another pen than wrote."""
    for row, kind in written.crossed.items():
        places = writing_places(sheet.layout, row)[: len(written.words[row])]
        middle = ((places[0].x + places[-1].right) / 2, places[0].middle[1])
        wide, tall = (places[-1].right - places[0].x) / 2, places[0].height / 2
        strokes = crossing_strokes(kind, (-wide, -tall, wide, tall), tall, rng)
        _draw(sheet, strokes, middle, hand, rng)


def _draw(
    sheet: PrintedSheet,
    strokes: Sequence[NDArray[np.float64]],
    middle: tuple[float, float],
    hand: Hand,
    rng: np.random.Generator,
) -> None:
    """Draw strokes (n, 2) of millimetres around a place, with the pen of the letters."""
    lines = [stroke / _PEN_MM for stroke in strokes]
    write(sheet.pixels, lines, _px(sheet, middle), hand, rng, pitch=_PEN_MM * sheet.px_per_mm)


def _px(sheet: PrintedSheet, place: tuple[float, float]) -> tuple[float, float]:
    return place[0] * sheet.px_per_mm, place[1] * sheet.px_per_mm


def _set_text(draw: ImageDraw.ImageDraw, text: Text, zoom: float) -> None:
    path = str(typeface(bold=text.bold))
    wide = ImageFont.truetype(path, 100).getlength(text.text) / 100 * text.height
    height = text.height * min(1.0, text.width / max(wide, 1e-6))
    font = ImageFont.truetype(path, max(1.0, height * zoom))
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
    place = (text.place[0] * zoom, text.place[1] * zoom)
    draw.text(place, text.text, text.colour, font, anchor)


def _paint(pixels: Photo, shape: Shape, zoom: float) -> None:
    thick = max(1, round(LINE_MM * zoom))
    match shape:
        case Fill(rect, colour):
            start, end = _whole((rect.x, rect.y), zoom), _whole((rect.right, rect.bottom), zoom)
            pixels[start[1] : end[1], start[0] : end[0]] = colour
        case Line(start_mm, end_mm, colour):
            ends = _fine(start_mm, zoom), _fine(end_mm, zoom)
            cv2.line(pixels, *ends, colour, thick, cv2.LINE_AA, _SHIFT)
        case Ring(middle, radius, colour):
            reach = round(radius * zoom * _FINE)
            cv2.circle(pixels, _fine(middle, zoom), reach, colour, thick, cv2.LINE_AA, _SHIFT)
        case Text():
            pass


def _whole(place: tuple[float, float], zoom: float) -> tuple[int, int]:
    return round(place[0] * zoom), round(place[1] * zoom)


def _fine(place: tuple[float, float], zoom: float) -> tuple[int, int]:
    """A place in the binary places of OpenCV's drawing; pixels count from their middles."""
    return round((place[0] * zoom - 0.5) * _FINE), round((place[1] * zoom - 0.5) * _FINE)
