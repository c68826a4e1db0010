"""Prints as masks: a face set in a typeface, with the line under it where it has one."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.board import BLANK
from vision.render.styles import CubeStyle, MarkStyle
from vision.render.typefaces import Typeface

Mask = NDArray[np.uint8]

_MARGIN = 2  # pixels around the ink, so that a warped mask keeps soft edges


def print_mask(face: str, style: CubeStyle, cap_px: int) -> Mask:
    """The print of a face, upright, 255 where there is ink.

    Args:
        face: any face but a missing cube.
        style: of the cube.
        cap_px: height of a capital in pixels.

    Returns:
        (height, width), uint8, cropped to the ink with a small margin; for a blank a filled
        square.
    """
    if face == BLANK:
        return _square(cap_px, style.blank_corner)
    text = face.upper() if style.capitals else face
    mask, foot = _text(style.typeface, text, cap_px, round(style.stroke * cap_px))
    return _marked(mask, foot, style.mark, cap_px) if face in style.mark.faces else mask


@lru_cache(maxsize=40_000)
def _text(typeface: Typeface, text: str, cap_px: int, stroke: int) -> tuple[Mask, int]:
    """Mask of a text and the row of its base line."""
    font = _font(typeface, cap_px)
    left, top, right, bottom = (
        int(edge) for edge in font.getbbox(text, stroke_width=stroke, anchor="ls")
    )
    image = Image.new("L", (right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN))
    draw = ImageDraw.Draw(image)
    place = (_MARGIN - left, _MARGIN - top)
    draw.text(place, text, fill=255, font=font, stroke_width=stroke, anchor="ls")
    return np.asarray(image), _MARGIN - top


@lru_cache(maxsize=2_000)
def _font(typeface: Typeface, cap_px: int) -> ImageFont.FreeTypeFont:
    """The font at the size that gives an H the wanted height."""
    probe = ImageFont.truetype(typeface.path, 200)
    _, top, _, bottom = probe.getbbox("H", anchor="ls")
    return ImageFont.truetype(typeface.path, max(1, round(200 * cap_px / (bottom - top))))


def _square(side: int, corner: float) -> Mask:
    image = Image.new("L", (side + 2 * _MARGIN, side + 2 * _MARGIN))
    box = (_MARGIN, _MARGIN, _MARGIN + side - 1, _MARGIN + side - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, radius=corner * side / 2, fill=255)
    return np.asarray(image)


def _marked(mask: Mask, foot: int, mark: MarkStyle, cap_px: int) -> Mask:
    """The mask with its line below the foot."""
    thick = max(1, round(mark.thickness * cap_px))
    top = foot + max(1, round(mark.gap * cap_px))
    length = round(mark.width * (mask.shape[1] - 2 * _MARGIN))
    height = max(mask.shape[0], top + 2 * thick + _MARGIN)
    width = max(mask.shape[1], length + 2 * _MARGIN)
    canvas = np.zeros((height, width), np.uint8)
    start = (width - mask.shape[1]) // 2
    canvas[: mask.shape[0], start : start + mask.shape[1]] = mask
    line = canvas[:, (width - length) // 2 : (width + length) // 2]
    _draw_line(line, top, thick, mark)
    return canvas


def _draw_line(canvas: Mask, top: int, thick: int, mark: MarkStyle) -> None:
    if mark.kind == "double":
        half = max(1, round(0.6 * thick))
        canvas[top : top + half] = 255
        canvas[top + thick + half : top + thick + 2 * half] = 255
        return
    pieces = {"dash": 3, "dots": 5}.get(mark.kind, 1)
    step = canvas.shape[1] / pieces
    filled = 1.0 if pieces == 1 else 0.64
    for piece in range(pieces):
        canvas[top : top + thick, round(piece * step) : round((piece + filled) * step)] = 255
