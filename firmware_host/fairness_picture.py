"""What the tests of a shaker found, as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware_host.svg import drawing, text

if TYPE_CHECKING:
    from scoring.fairness.verdict import Finding

_LEFT, _WIDTH, _ROW, _TOP = 190, 420, 22, 64
_MOST = 0.5  # share at the right end
_SURE, _FAIR, _UNFAIR = "#d5dee8", "#1d6f42", "#c1121f"
NAMES = {
    "repeats": "same face again",
    "stays": "same cell again",
    "turns": "most unlike turn",
}
"""The tests of all cubes, for people."""


def name_of(finding: Finding) -> str:
    """A test's name, for people."""
    named = NAMES.get(finding.test, f"{finding.subject}: {finding.what}")
    return f"{named} ({finding.what})" if finding.test == "turns" else named


def to_svg(findings: Sequence[Finding], title: str) -> str:
    """A row a test: what a fair shaker would show, as a line, and what was seen, as a dot.

    The bar around the line is as wide as what this number of shakes can tell at all.
    """
    height = _TOP + _ROW * len(findings) + 40
    rows = [part for row, finding in enumerate(findings) for part in _row(row, finding)]
    parts = [
        text(16, 26, title, "start", 'font-size="15"'),
        *_scale(_TOP - 8, height - 30),
        *rows,
    ]
    return drawing(_LEFT + _WIDTH + 90, height, parts)


def _scale(top: float, bottom: float) -> list[str]:
    parts = []
    for tick in range(0, round(100 * _MOST) + 1, 10):
        x = _x(tick / 100)
        parts.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" stroke="#e6e6e6"/>')
        parts.append(text(x, bottom + 18, f"{tick} %", "middle"))
    return parts


def _row(row: int, finding: Finding) -> list[str]:
    y = _TOP + _ROW * row + _ROW / 2
    telling = _telling(finding)
    left, right = _x(finding.fair - telling), _x(finding.fair + telling)
    fair, ink = _x(finding.fair), _UNFAIR if finding.unfair else _FAIR
    bar = f'x="{left}" y="{y - 6}" width="{round(right - left, 1)}" height="12"'
    return [
        text(_LEFT - 10, y + 4, name_of(finding), "end"),
        f'<rect {bar} fill="{_SURE}"/>',
        f'<line x1="{fair}" y1="{y - 8}" x2="{fair}" y2="{y + 8}" stroke="#333"/>',
        f'<circle cx="{_x(finding.seen)}" cy="{y}" r="4" fill="{ink}"/>',
        text(_LEFT + _WIDTH + 8, y + 4, f"p {finding.adjusted_p:.2g}", "start", f'fill="{ink}"'),
    ]


def _telling(finding: Finding) -> float:
    """How far from fair a share is to be before these shakes tell it: falls with their root."""
    little = 0.05 if finding.test == "faces" else 0.02
    return little * math.sqrt(finding.needed / max(1, finding.shakes))


def _x(share: float) -> float:
    return round(_LEFT + _WIDTH * min(max(share / _MOST, 0.0), 1.0), 1)
