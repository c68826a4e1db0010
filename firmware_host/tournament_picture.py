"""How well methods of drawing find the strongest, as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.svg import drawing, text
from scoring.tournament.simulation import Comparison

_LEFT, _WIDTH, _ROW, _TOP = 150, 440, 34, 64
_SURE, _EVENT, _MEAN = "#d5dee8", "#7a93ad", "#c1121f"
_TICKS = 5


def to_svg(comparisons: Sequence[Comparison], title: str) -> str:
    """A row a method: a dot an event, the mean as a line in a bar of two standard errors."""
    least = min((min(each.correlations) for each in comparisons), default=0.0)
    low = min(0.9, int(least * 10) / 10 if least >= 0 else -1.0)
    height = _TOP + _ROW * len(comparisons) + 50
    parts = [
        text(16, 26, title, "start", 'font-size="15"'),
        *_scale(low, _TOP - 8, height - 40),
        *(part for row, each in enumerate(comparisons) for part in _row(row, each, low)),
    ]
    return drawing(_LEFT + _WIDTH + 70, height, parts)


def _scale(low: float, top: float, bottom: float) -> list[str]:
    parts = [text(_LEFT, bottom + 34, "correlation of final ranks with true strength", "start")]
    for step in range(_TICKS + 1):
        value = low + (1 - low) * step / _TICKS
        x = _x(value, low)
        parts.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" stroke="#e6e6e6"/>')
        parts.append(text(x, bottom + 16, f"{value:.2f}", "middle"))
    return parts


def _row(row: int, comparison: Comparison, low: float) -> list[str]:
    y = _TOP + _ROW * row + _ROW / 2
    mean = _x(comparison.mean, low)
    left, right = (_x(comparison.mean + sign * 2 * comparison.error, low) for sign in (-1, 1))
    bar = f'x="{left}" y="{y - 9}" width="{round(right - left, 1)}" height="18"'
    return [
        text(_LEFT - 10, y + 4, comparison.name, "end"),
        f'<rect {bar} fill="{_SURE}"/>',
        *(
            f'<circle cx="{_x(each, low)}" cy="{y}" r="3" fill="{_EVENT}" fill-opacity="0.6"/>'
            for each in comparison.correlations
        ),
        f'<line x1="{mean}" y1="{y - 11}" x2="{mean}" y2="{y + 11}" stroke="{_MEAN}"/>',
        text(_LEFT + _WIDTH + 8, y + 4, f"{comparison.mean:.3f}", "start"),
    ]


def _x(value: float, low: float) -> float:
    return round(_LEFT + _WIDTH * min(max((value - low) / (1 - low), 0.0), 1.0), 1)
