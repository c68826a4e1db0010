"""Draw the letters that were read over the photo of their board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.annotate import DOUBT_COLOUR, SURE_COLOUR, draw_polygon, fitted
from vision.swoggle.reading import EMPTY, BoardReading, SquareReading

_WHITE = (255, 255, 255)
_TEXT = 0.42  # of a square's side
_AT = 0.24  # how far into its square a letter is drawn, from its lower left corner
_PAD = 0.03


def annotate_board(photo: NDArray[np.uint8], reading: BoardReading) -> NDArray[np.uint8]:
    """The photo with the board outlined and each letter small in a corner of its square.

    A doubtful square is outlined in another colour and has a question mark.

    Args:
        photo: (height, width, 3), RGB, the one that was read.
        reading: what was read in it.

    Returns:
        (height, width, 3), RGB, of the size of `vision.annotate.fitted`.
    """
    picture, scale = fitted(photo)
    placed = reading.scaled(scale)
    draw_polygon(picture, np.array(placed.corners_px), _WHITE, 5)
    draw_polygon(picture, np.array(placed.corners_px), SURE_COLOUR, 2.5)
    told = [one for one in placed.squares.values() if one.doubtful or one.sign != EMPTY]
    for square in told:
        if square.doubtful:
            draw_polygon(picture, np.array(square.corners_px), DOUBT_COLOUR, 2.5)
    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    for square in told:
        _draw_sign(draw, square)
    return np.array(canvas)


def _draw_sign(draw: ImageDraw.ImageDraw, square: SquareReading) -> None:
    corners = np.array(square.corners_px)
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    low = corners[3]
    x, y = (low + _AT * (corners[1] - low)).tolist()
    sign = square.sign if square.letter else ""
    text = sign + "?" * square.doubtful
    font = ImageFont.load_default(max(8.0, _TEXT * side))
    left, top, right, bottom = draw.textbbox((x, y), text, font=font, anchor="mm")
    pad = 1 + _PAD * side
    colour = DOUBT_COLOUR if square.doubtful else SURE_COLOUR
    box = (left - pad, top - pad, right + pad, bottom + pad)
    draw.rounded_rectangle(box, radius=2 * pad, fill=colour)
    draw.text((x, y), text, _WHITE, font, "mm")
