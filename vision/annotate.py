"""Draw a reading over its photo, for a person to compare print and letter at a glance."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.board import Face
from vision.lattice import apply
from vision.reading import FaceReading, TrayReading
from vision.rectify import board_to_photo

LONG_SIDE = 1600
"""Pixels of the picture's longer side, at most."""

SURE_COLOUR = (0, 121, 107)
DOUBT_COLOUR = (230, 81, 0)
_WHITE = (255, 255, 255)

Colour = tuple[int, int, int]
Picture = NDArray[np.integer[Any] | np.floating[Any]]  # uint8; OpenCV annotates no more

_BADGE_AT = (0.80, 0.80)  # in its cell: beside the print, so that both can be compared
_BADGE = 0.21  # radius, cells
_RING = 0.47
_SHIFT = 4  # binary places of the coordinates that OpenCV draws at
_STAND_INS = {  # Pillow's own typeface has no accented letters and no combining marks
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING DIAERESIS}": "..",
    "\N{COMBINING ACUTE ACCENT}": "'",
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING CARON}": "v",
    "\N{COMBINING RING ABOVE}": "°",
}


def annotate(photo: NDArray[np.uint8], *readings: TrayReading) -> NDArray[np.uint8]:
    """The photo with the boards outlined and each cube's letter in a badge on its corner.

    A doubtful cube is ringed in another colour; its badge has a question mark, and beside it
    stands how probable the letter is.

    Args:
        photo: (height, width, 3), RGB, the one that was read.
        readings: what was read in it, a reading a tray.

    Returns:
        (height, width, 3), RGB, the longer side `LONG_SIDE` pixels at most.
    """
    picture, scale = fitted(photo)
    boards = [_marks(reading, scale) for reading in readings]
    for reading, marks in zip(readings, boards, strict=True):
        outline = np.array(reading.corners_px) * scale
        width = max(2.0, 0.02 * marks[0].pitch)
        draw_polygon(picture, outline, _WHITE, 2 * width)
        draw_polygon(picture, outline, SURE_COLOUR, width)
        for mark in marks:
            _draw_shapes(picture, mark)
    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    for mark in chain.from_iterable(boards):
        _draw_texts(draw, mark)
    return np.array(canvas)


def fitted(photo: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """A copy of a photo to draw on, its longer side `LONG_SIDE` pixels at most, and its scale."""
    scale = min(1.0, LONG_SIDE / max(photo.shape[:2]))
    picture = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return picture.astype(np.uint8, copy=False), scale


@dataclass(frozen=True)
class _Mark:
    """What is drawn over one cell, in pixels of the picture."""

    cell: FaceReading
    middle: tuple[float, float]
    badge: tuple[float, float]
    pitch: float

    @property
    def colour(self) -> tuple[int, int, int]:
        return DOUBT_COLOUR if self.cell.doubtful else SURE_COLOUR


def _marks(reading: TrayReading, scale: float) -> list[_Mark]:
    rows, cols = len(reading.cells), len(reading.cells[0])
    corners = [(x * scale, y * scale) for x, y in reading.corners_px]
    homography = board_to_photo(corners, rows, cols)
    marks = []
    for row, cells in enumerate(reading.cells):
        for col, cell in enumerate(cells):
            in_cell = np.array([(0.5, 0.5), _BADGE_AT, (0.0, 0.5), (1.0, 0.5)])
            places = in_cell + np.array([col, row])
            middle, badge, left, right = apply(homography, places)
            pitch = float(np.hypot(*(right - left)))
            marks.append(_Mark(cell, tuple(middle), tuple(badge), pitch))
    return marks


def _draw_shapes(picture: Picture, mark: _Mark) -> None:
    width = max(2.0, 0.02 * mark.pitch)
    if mark.cell.doubtful:
        draw_circle(picture, mark.middle, _RING * mark.pitch, mark.colour, 2 * width)
    draw_circle(picture, mark.badge, _BADGE * mark.pitch, mark.colour)
    draw_circle(picture, mark.badge, _BADGE * mark.pitch, _WHITE, width)


def _draw_texts(draw: ImageDraw.ImageDraw, mark: _Mark) -> None:
    face, doubtful = mark.cell.face, mark.cell.doubtful
    size = mark.pitch * (0.28 if len(face) + doubtful == 1 else 0.2)
    _draw_face(draw, mark.badge, face, "?" if doubtful else "", size)
    if doubtful:
        x, y = mark.middle
        _draw_pill(draw, (x, y - _RING * mark.pitch), f"{100 * mark.cell.confidence:.0f} %", mark)


def _draw_pill(
    draw: ImageDraw.ImageDraw, place: tuple[float, float], text: str, mark: _Mark
) -> None:
    font = ImageFont.load_default(0.15 * mark.pitch)
    left, top, right, bottom = draw.textbbox(place, text, font=font, anchor="mm")
    pad = 0.05 * mark.pitch
    box = (left - 1.5 * pad, top - pad, right + 1.5 * pad, bottom + pad)
    draw.rounded_rectangle(box, radius=2 * pad, fill=mark.colour)
    draw.text(place, text, _WHITE, font, "mm")


def _draw_face(
    draw: ImageDraw.ImageDraw, place: tuple[float, float], face: Face, query: str, size: float
) -> None:
    """Write a face in bold, marks over its letters, with its middle at the place."""
    base, accent = _parted(face)
    font = ImageFont.load_default(size)
    bold = max(1, round(size / 32))
    draw.text(place, base + query, _WHITE, font, "mm", stroke_width=bold)
    if accent:
        left = place[0] - font.getlength(base + query) / 2
        over = (left + font.getlength(base[0]) / 2, place[1] - 0.42 * size)
        accent_font = ImageFont.load_default(0.8 * size)
        draw.text(over, accent, _WHITE, accent_font, "ms", stroke_width=bold)


def _parted(face: Face) -> tuple[str, str]:
    """Letters without their marks, and what to write over the first of them."""
    parts = unicodedata.normalize("NFD", face)
    marks = [char for char in parts if unicodedata.combining(char)]
    base = "".join(char for char in parts if not unicodedata.combining(char))
    return base, "".join(_STAND_INS.get(mark, "'") for mark in marks)


def draw_polygon(
    picture: Picture, points: NDArray[np.float64], colour: Colour, width: float
) -> None:
    """A closed outline (n, 2) of that many pixels' width."""
    fixed = np.round(points * 2**_SHIFT).astype(np.int32)
    cv2.polylines(
        picture,
        [fixed],
        isClosed=True,
        color=colour,
        thickness=round(width),
        lineType=cv2.LINE_AA,
        shift=_SHIFT,
    )


def draw_circle(
    picture: Picture,
    middle: tuple[float, float],
    radius: float,
    colour: Colour,
    width: float | None = None,
) -> None:
    """A ring of the width, or a disc where there is none."""
    x, y, fixed_radius = (round(value * 2**_SHIFT) for value in (*middle, radius))
    thickness = cv2.FILLED if width is None else round(width)
    cv2.circle(picture, (x, y), fixed_radius, colour, thickness, cv2.LINE_AA, _SHIFT)
