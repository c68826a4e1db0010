"""Draw the dice that were read over their photo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.annotate import DOUBT_COLOUR, SURE_COLOUR, draw_circle, draw_polygon, fitted
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
        (height, width, 3), RGB, of the size of `vision.annotate.fitted`.
    """
    picture, scale = fitted(photo)
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
    canvas = Image.fromarray(picture)
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
