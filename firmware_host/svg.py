"""Pictures as SVG: the frame and text that all of them share."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def drawing(width: float, height: float, parts: Iterable[str]) -> str:
    """A whole picture on white, in units of pixels."""
    size = f'width="{width}" height="{height}"'
    head = f'xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12"'
    return "\n".join([f"<svg {head}>", f'<rect {size} fill="white"/>', *parts, "</svg>", ""])


def text(x: float, y: float, content: str, anchor: str, style: str = 'fill="#222"') -> str:
    """A line of text.

    Args:
        x: of its start, middle or end.
        y: of its base.
        content: what it says, as it is.
        anchor: which of the three x is: ``start``, ``middle`` or ``end``.
        style: more attributes.
    """
    place = f'x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}"'
    return f"<text {place} {style}>{escape(content)}</text>"
