"""The board of Swoggle as a picture: SVG, or PNG by Pillow, of the same shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib import resources
from io import BytesIO

from scoring.board import Cell
from scoring.swoggle.board import Kind, Layout, Square
from scoring.swoggle.rules import Letters
from scoring.swoggle.turn import capital

SQUARE = 60
"""Units, and pixels, of a square's side."""

_MARGIN = SQUARE * 0.8
_PAPER = "#f7f4ec"
_INK = "#1b2a41"
_FRESH = "#c1121f"
_LINE = "#8d8774"
_CROSS = "#151515"
_CROSS_WRITTEN_ON = "#d3ccb8"  # pale, so that the letter can be read
_QUIET = "#6b6656"
_FILLS = {
    Kind.PLAIN: "#fffdf7",
    Kind.BLACK: "#151515",
    Kind.ORANGE: "#f4a340",
    Kind.YELLOW: "#f7dd52",
    Kind.RED: "#e5484d",
}
_FAMILY = "'Source Sans Pro', 'Source Sans 3', Arial, sans-serif"
_FONT = ("font_source_sans_pro", "files", "SourceSansPro-Semibold.ttf")


@dataclass(frozen=True)
class Box:
    """A filled rectangle with an outline."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str | None = None


@dataclass(frozen=True)
class Label:
    """A text with its middle at a place."""

    x: float
    y: float
    text: str
    size: float
    fill: str


Shape = Box | Label


def picture_size(layout: Layout) -> tuple[int, int]:
    """Width and height."""
    return round(layout.cols * SQUARE + 2 * _MARGIN), round(layout.rows * SQUARE + 2 * _MARGIN)


def shapes(layout: Layout, letters: Letters, fresh: frozenset[Cell]) -> Iterator[Shape]:
    """What is to be drawn, in order.

    Args:
        layout: the board.
        letters: what is written on it.
        fresh: squares of the last turn's words, in another ink.
    """
    width, height = picture_size(layout)
    yield Box(0, 0, width, height, _PAPER)
    yield from _numbers(layout)
    for cell in layout.cells:
        ink = _FRESH if cell in fresh else _INK
        yield from _square(cell, layout[cell], letters.get(cell), ink)


def to_svg(layout: Layout, letters: Letters, fresh: frozenset[Cell]) -> bytes:
    """The picture as SVG."""
    width, height = picture_size(layout)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FAMILY}" font-weight="600" '
        f'text-anchor="middle">'
    )
    body = map(_svg, shapes(layout, letters, fresh))
    title = f"<title>{escape(layout.title)}</title>"
    return "\n".join((head, title, *body, "</svg>", "")).encode()


def to_png(layout: Layout, letters: Letters, fresh: frozenset[Cell]) -> bytes:
    """The picture as PNG."""
    from PIL import Image, ImageDraw, ImageFont

    font = str(resources.files(_FONT[0]).joinpath(*_FONT[1:]))
    fonts: dict[float, ImageFont.FreeTypeFont] = {}
    image = Image.new("RGB", picture_size(layout))
    draw = ImageDraw.Draw(image)
    for shape in shapes(layout, letters, fresh):
        match shape:
            case Box(x, y, width, height, fill, line):
                draw.rectangle((x, y, x + width, y + height), fill, line)
            case Label(x, y, text, size, fill):
                typeface = fonts.setdefault(size, ImageFont.truetype(font, round(size)))
                draw.text((x, y), text, fill, typeface, "mm")
    stream = BytesIO()
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _numbers(layout: Layout) -> Iterator[Shape]:
    for col in range(layout.cols):
        yield Label(_edge(col) + SQUARE / 2, _MARGIN / 2, str(col + 1), SQUARE * 0.3, _QUIET)
    for row in range(layout.rows):
        yield Label(_MARGIN / 2, _edge(row) + SQUARE / 2, str(row + 1), SQUARE * 0.3, _QUIET)


def _square(cell: Cell, square: Square, letter: str | None, ink: str) -> Iterator[Shape]:
    x, y = _edge(cell[1]), _edge(cell[0])
    yield Box(x, y, SQUARE, SQUARE, _FILLS[square.kind], _LINE)
    if square.cross:
        yield from _cross(x, y, _CROSS if letter is None else _CROSS_WRITTEN_ON)
    if square.kind is Kind.PLAIN:
        yield Label(x + SQUARE * 0.83, y + SQUARE * 0.2, str(square.value), SQUARE * 0.26, _QUIET)
    if letter is not None:
        yield Label(x + SQUARE * 0.46, y + SQUARE * 0.54, capital(letter), SQUARE * 0.68, ink)


def _cross(x: float, y: float, fill: str) -> Iterator[Shape]:
    arm, thick = SQUARE * 0.8, SQUARE * 0.14
    edge, middle = (SQUARE - arm) / 2, (SQUARE - thick) / 2
    yield Box(x + edge, y + middle, arm, thick, fill)
    yield Box(x + middle, y + edge, thick, arm, fill)


def _edge(place: int) -> float:
    return _MARGIN + place * SQUARE


def _svg(shape: Shape) -> str:
    match shape:
        case Box(x, y, width, height, fill, line):
            stroke = f' stroke="{line}"' if line else ""
            place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f'<rect {place} fill="{fill}"{stroke}/>'
        case Label(x, y, text, size, fill):
            place = f'x="{x:g}" y="{y:g}" dy="0.35em" font-size="{size:g}"'
            return f'<text {place} fill="{fill}">{escape(text)}</text>'
