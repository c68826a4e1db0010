"""Pages of words as a printer or a typewriter sets them: for tests and measurements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.render.styles import Colour
from vision.render.typefaces import shipped_typefaces
from vision.render.written_page import WrittenPage, WrittenWord


@dataclass(frozen=True)
class Print:
    """How a page is set; lengths in pixels.

    Attributes:
        typeface: path of the font.
        size: of the font.
        pitch: from line to line.
        paper: width and height of the page.
        colour: of the paper.
        ink: colour of the letters.
        columns: beside each other, filled from the left.
    """

    typeface: str
    size: int
    pitch: int
    paper: tuple[int, int] = (1240, 1754)
    colour: Colour = (252, 252, 250)
    ink: Colour = (24, 24, 26)
    columns: int = 1


def random_print(rng: np.random.Generator, typefaces: Sequence[str] = ()) -> Print:
    """A usual way of setting a list on A4, 9 to 20 points large.

    Args:
        rng: source of chance.
        typefaces: paths of fonts to choose from; those shipped with the product if none.
    """
    typeface = str(rng.choice(typefaces)) if typefaces else shipped_typefaces().pick(rng).path
    size = int(rng.integers(19, 42))
    grey = int(rng.integers(10, 70))
    return Print(
        typeface=typeface,
        size=size,
        pitch=round(size * rng.uniform(1.2, 2.0)),
        ink=(grey, grey, grey),
        columns=int(rng.integers(1, 4)),
    )


def type_page(lines: Sequence[Sequence[str]], style: Print) -> WrittenPage:
    """A page of words, each line set as one text, with a space between words.

    Args:
        lines: the words of each line; those that the page has no room for are left out.
        style: of the page.
    """
    image = Image.new("RGB", style.paper, style.colour)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(style.typeface, style.size)
    words = tuple(
        word
        for place, line in zip(_places(style), lines, strict=False)
        for word in _set_line(draw, line, place, font, style)
    )
    return WrittenPage(np.array(image, np.uint8), words)


def _places(style: Print) -> Iterator[tuple[int, int]]:
    """Left ends of the base lines, column by column."""
    width, height = style.paper
    margin = width // 10
    step = (width - margin) // style.columns
    for column in range(style.columns):
        for base in range(margin + style.size, height - margin, style.pitch):
            yield margin + column * step, base


def _set_line(
    draw: ImageDraw.ImageDraw,
    words: Sequence[str],
    place: tuple[int, int],
    font: ImageFont.FreeTypeFont,
    style: Print,
) -> Iterator[WrittenWord]:
    x, base = float(place[0]), place[1]
    ink = tuple(round(value) for value in style.ink)
    for text in words:
        draw.text((x, base), text, ink, font, "ls")
        yield WrittenWord(text, draw.textbbox((x, base), text, font, "ls"))
        x += font.getlength(text + " ")
