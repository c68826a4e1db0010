"""Draw the dice that were read over their photo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.annotate import DOUBT_COLOUR, LONG_SIDE, SURE_COLOUR, draw_circle, draw_polygon
from vision.dice.reading import DiceReading, DieReading

if TYPE_CHECKING:
    from vision.reading import Point

_WHITE = (255, 255, 255)
_BADGE = 0.24  # radius, in edges of the die
_TEXT = 0.36


def annotate_dice(photo: NDArray[np.uint8], reading: DiceReading) -> NDArray[np.uint8]:
    """The photo with each die's top outlined and its pips as a number in a badge on its corner.

    A doubtful die has another colour and a question mark, as has what was not read.

    Args:
        photo: (height, width, 3), RGB, the one that was read.
        reading: what was read in it.

    Returns:
        (height, width, 3), RGB, the longer side `LONG_SIDE` pixels at most.
    """
    scale = min(1.0, LONG_SIDE / max(photo.shape[:2]))
    picture = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    placed = reading.scaled(scale)
    edges = [_edge(die) for die in placed.dice]
    badges = [
        (die.corners_px[1], f"{die.pips}{'?' * die.doubtful}", edge, _colour(die))
        for die, edge in zip(placed.dice, edges, strict=True)
    ]
    usual = float(np.median(edges))
    badges += [(place, "?", usual, DOUBT_COLOUR) for place in placed.unread_px]
    for die, edge in zip(placed.dice, edges, strict=True):
        width = max(2.0, 0.03 * edge)
        draw_polygon(picture, np.array(die.corners_px), _WHITE, 2 * width)
        draw_polygon(picture, np.array(die.corners_px), _colour(die), width)
    for middle, _, edge, colour in badges:
        draw_circle(picture, middle, _BADGE * edge, colour)
    canvas = Image.fromarray(picture.astype(np.uint8))
    draw = ImageDraw.Draw(canvas)
    for middle, text, edge, _ in badges:
        draw.text(middle, text, _WHITE, ImageFont.load_default(_TEXT * edge), "mm")
    return np.array(canvas)


def _colour(die: DieReading) -> tuple[int, int, int]:
    return DOUBT_COLOUR if die.doubtful else SURE_COLOUR


def _edge(die: DieReading) -> float:
    """Length of an edge, pixels."""
    corners: tuple[Point, ...] = die.corners_px
    return float(np.linalg.norm(np.subtract(corners[1], corners[0])))
