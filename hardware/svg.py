"""Shapes of a drawing as SVG, for the wiring diagram."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

Point = tuple[float, float]

INK = "#222"


def document(width: int, height: int, title: str, shapes: Iterable[str]) -> str:
    """A whole drawing on white."""
    body = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="12">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
    )


def text(
    at: Point, words: str, anchor: str = "start", size: int = 12, weight: str = "normal"
) -> str:
    """Words whose baseline is centred on a point; anchor ``start``, ``middle`` or ``end``."""
    return (
        f'<text x="{at[0]:g}" y="{at[1] + size * 0.35:g}" text-anchor="{anchor}" '
        f'font-size="{size}" font-weight="{weight}" fill="{INK}">{escape(words)}</text>'
    )


def line(points: Iterable[Point], colour: str = INK, width: float = 2) -> str:
    """A line with corners."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linejoin="round"/>'
    )


def dot(at: Point, colour: str = INK, radius: float = 4) -> str:
    """Where lines are joined."""
    return f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}" fill="{colour}"/>'


def box(corner: Point, size: Point, fill: str = "#fff", colour: str = INK) -> str:
    """A frame."""
    return (
        f'<rect x="{corner[0]:g}" y="{corner[1]:g}" width="{size[0]:g}" height="{size[1]:g}" '
        f'rx="4" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
    )


def labelled(corner: Point, size: Point, *words: str) -> list[str]:
    """A frame with lines of words in its middle."""
    middle = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    first = middle[1] - 7.5 * (len(words) - 1)
    lines = [text((middle[0], first + 15 * row), word, "middle") for row, word in enumerate(words)]
    return [box(corner, size), *lines]


def resistor(top: Point, length: float, words: str) -> list[str]:
    """A resistor that hangs from a point."""
    x, y = top
    return [
        line(((x, y), (x, y + length * 0.25))),
        box((x - 6, y + length * 0.25), (12, length * 0.5)),
        line(((x, y + length * 0.75), (x, y + length))),
        text((x + 12, y + length / 2), words),
    ]


def ground(at: Point) -> list[str]:
    """The symbol of ground below a point."""
    x, y = at
    bars = ((10, 0), (6, 4), (2, 8))
    return [line(((x - half, y + down), (x + half, y + down))) for half, down in bars]


def diode(below: Point, above: Point) -> list[str]:
    """A diode that lets current flow upwards, between two points on a vertical line."""
    (x, low), (_, high) = below, above
    middle = (low + high) / 2
    triangle = f"{x - 8:g},{middle + 7:g} {x + 8:g},{middle + 7:g} {x:g},{middle - 7:g}"
    return [
        line((below, above)),
        f'<polygon points="{triangle}" fill="{INK}"/>',
        line(((x - 9, middle - 7), (x + 9, middle - 7))),
    ]
