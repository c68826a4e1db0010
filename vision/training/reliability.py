"""Reliability diagram: of the faces read with a probability, how many were right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

_EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
_FEWEST = 20  # samples of a bin that is drawn: fewer say nothing
_SIDE, _MARGIN = 360, 56  # pixels of the diagram
_INKS = ("#0b6e99", "#c2571a", "#3f7d20")


@dataclass(frozen=True)
class Bin:
    """Samples whose probabilities lie near each other.

    Attributes:
        probability: mean of them, 0–1.
        accuracy: share that is right, 0–1.
        count: how many.
    """

    probability: float
    accuracy: float
    count: int


def reliability(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[Bin, ...]:
    """Bins of samples, finer towards certainty, empty ones left out.

    Args:
        probabilities: (n,), of what was read, 0–1.
        right: (n,), whether it was right.
    """
    places = np.clip(np.searchsorted(_EDGES, probabilities, side="right") - 1, 0, len(_EDGES) - 2)
    return tuple(
        Bin(
            float(probabilities[places == place].mean()),
            float(right[places == place].mean()),
            int((places == place).sum()),
        )
        for place in np.unique(places)
    )


def diagram(series: Mapping[str, Sequence[Bin]]) -> str:
    """The diagram as SVG, one line a series."""
    size = _SIDE + 2 * _MARGIN
    head = f'width="{size}" height="{size}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {head}>',
        f'<rect width="{size}" height="{size}" fill="white"/>',
        *_axes(),
    ]
    for number, (name, bins) in enumerate(series.items()):
        parts += _line(name, bins, _INKS[number % len(_INKS)], number)
    return "\n".join([*parts, "</svg>", ""])


def _axes() -> list[str]:
    """The diagonal on which probabilities mean what they say, ticks and names."""
    diagonal = f'x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"'
    place = f'x="{_x(0)}" y="{_y(1)}" width="{_SIDE}" height="{_SIDE}"'
    parts = [
        f'<rect {place} fill="none" stroke="#888"/>',
        f'<line {diagonal} stroke="#bbb" stroke-dasharray="4 4"/>',
    ]
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        parts.append(_text(_x(tick), _y(0) + 18, f"{tick:.1f}", "middle"))
        parts.append(_text(_x(0) - 8, _y(tick) + 4, f"{tick:.1f}", "end"))
    parts.append(_text(_x(0.5), _y(0) + 40, "probability given", "middle"))
    turn = f'transform="rotate(-90 16 {_y(0.5)})"'
    parts.append(f'<text x="16" y="{_y(0.5)}" text-anchor="middle" {turn}>share right</text>')
    return parts


def _line(name: str, bins: Sequence[Bin], ink: str, number: int) -> list[str]:
    drawn = [one for one in bins if one.count >= _FEWEST]
    places = [(_x(one.probability), _y(one.accuracy)) for one in drawn]
    points = " ".join(f"{x},{y}" for x, y in places)
    dots = [f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>' for x, y in places]
    count = sum(one.count for one in bins)
    label = _text(_x(0.05), _y(0.95) + 18 * number, f"{name}, {count:,} faces", "start", ink)
    return [f'<polyline points="{points}" fill="none" stroke="{ink}"/>', *dots, label]


def _text(x: float, y: float, text: str, anchor: str, ink: str = "#222") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}">{escape(text)}</text>'


def _x(share: float) -> float:
    return round(_MARGIN + _SIDE * share, 1)


def _y(share: float) -> float:
    return round(_MARGIN + _SIDE * (1 - share), 1)
