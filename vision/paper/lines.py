"""Lines of writing: ridges of ink as wide as words and as high as small letters.

A ridge follows the bodies of the letters, so that lines may rise, bend, stand anyhow beside each
other in columns, touch by what stands out of them, and have words inserted between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.paper.strokes import Strokes

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_BODY_PX = 8  # of a letter's body in the picture in which ridges are looked for
_WIDE = 2.0  # spread of the blur along a line, in bodies
_HIGH = 0.32  # and across it
_REACH = 0.45  # bodies around a ridge in which nothing is stronger
_FAINT = 0.2  # of the strongest ridges: weaker ones are none
_SHORTEST = 0.5  # bodies that a ridge is long, at least
_BESIDE = 2.6  # bodies within which a ridge may be the loops of a stronger one
_WEAKER = 0.55  # times as strong: it is
_CLOSE = 2.0  # bodies within which a ridge may be the other bar of capitals
_SHARED = 0.7  # of its pieces are those of the other one: it is
_TALL = 3.2  # bodies: but pieces as tall as that may be of two lines that touch
_OVER = 5.0  # bodies that two ridges of a line may lie over each other
_LINK = 14.0  # bodies between two ridges of a line, at most
_OFF = 0.9  # bodies that they may be apart in height


@dataclass(frozen=True, eq=False)
class Line:
    """The middle of the letters' bodies along a line of writing.

    Attributes:
        x: (n,), rising, pixels.
        y: (n,), pixels.
    """

    x: Floats
    y: Floats

    def at(self, x: Floats) -> Floats:
        """Its height at places (…), beyond its ends as its whole goes."""
        y = np.interp(x, self.x, self.y)
        slope = self.slope
        return np.asarray(
            y + slope * (np.minimum(x - self.x[0], 0) + np.maximum(x - self.x[-1], 0))
        )

    @cached_property
    def slope(self) -> float:
        """Its rise to its length, of a straight line through it."""
        if np.ptp(self.x) < 1:
            return 0.0
        away = self.x - self.x.mean()
        return float(away @ (self.y - self.y.mean()) / (away @ away))


def find_lines(strokes: Strokes) -> tuple[Line, ...]:
    """The lines of a page's writing, in no order."""
    scale = min(1.0, _BODY_PX / strokes.body)
    blurred = _blurred(strokes, scale)
    ridges = [_enlarged(ridge, scale) for ridge in _ridges(blurred)]
    strengths = [_strength(ridge, blurred, scale) for ridge in ridges]
    chosen = _strongest(ridges, strengths, strokes)
    return tuple(_linked(sorted(chosen, key=lambda ridge: float(ridge.x[0])), strokes.body))


def crossings(lines: Sequence[Line], strokes: Strokes, beyond: float) -> NDArray[np.bool_]:
    """Which lines (m) run through the boxes of which pieces (n, m).

    Args:
        lines: of the page.
        strokes: of the page.
        beyond: pixels by which lines go on beyond their ends.
    """
    left, top, width, height = strokes.boxes.T
    middle = left + width / 2
    through = [
        (np.abs(line.at(middle) - top - height / 2) <= height / 2)
        & (left + width > line.x[0] - beyond)
        & (left < line.x[-1] + beyond)
        for line in lines
    ]
    return np.array(through, np.bool_).reshape(len(lines), -1).T


def _blurred(strokes: Strokes, scale: float) -> Floats32:
    kept = np.zeros(int(strokes.labels.max()) + 1, np.uint8)
    kept[strokes.numbers] = 255
    ink = cv2.resize(kept[strokes.labels], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    body = strokes.body * scale
    soft = cv2.GaussianBlur(
        ink.astype(np.float32), (0, 0), sigmaX=_WIDE * body, sigmaY=_HIGH * body
    )
    return np.asarray(soft, np.float32)


def _ridges(blurred: Floats32) -> list[Line]:
    """Where the ink is thicker than above and below."""
    reach = int(_REACH * _BODY_PX)
    highest = cv2.dilate(blurred, np.ones((2 * reach + 1, 1), np.uint8))
    least = _FAINT * float(np.percentile(blurred[blurred > 0.5], 98)) if blurred.any() else 1.0
    ridge = ((blurred >= highest) & (blurred > least)).astype(np.uint8)
    joined = cv2.dilate(ridge, np.ones((3, 5), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    y, x = np.nonzero(ridge)
    owner = np.asarray(labels)[y, x]
    order = np.lexsort((x, owner))
    ends = np.searchsorted(owner[order], np.arange(1, count + 1))
    return [
        _traced(x[part], y[part])
        for part in np.split(order, ends[:-1])[1:]
        if len(part) and np.ptp(x[part]) >= _SHORTEST * _BODY_PX
    ]


def _traced(x: NDArray[np.intp], y: NDArray[np.intp]) -> Line:
    """A line through pixels sorted by x, smoothed."""
    columns, first, counts = np.unique(x, return_index=True, return_counts=True)
    rows = np.add.reduceat(y.astype(np.float64), first) / counts
    width = min(2 * _BODY_PX + 1, len(rows) // 2 * 2 - 1)
    if width >= 3:
        padded = np.pad(rows, width // 2, mode="reflect", reflect_type="odd")
        rows = np.convolve(padded, np.ones(width) / width, "valid")
    return Line(columns.astype(np.float64), rows)


def _enlarged(ridge: Line, scale: float) -> Line:
    return Line((ridge.x + 0.5) / scale, (ridge.y + 0.5) / scale)


def _strength(ridge: Line, blurred: Floats32, scale: float) -> Floats:
    """How much ink (n,) there is along a ridge."""
    rows = (ridge.y * scale).astype(int).clip(0, blurred.shape[0] - 1)
    return np.asarray(blurred[rows, (ridge.x * scale).astype(int)], np.float64)


def _strongest(ridges: list[Line], strengths: list[Floats], strokes: Strokes) -> list[Line]:
    """Ridges without those that are the loops above or below a stronger one, or its second bar."""
    through = crossings(ridges, strokes, 0.0)
    chosen: list[int] = []
    means = [strength.mean() for strength in strengths]
    for index in np.argsort([-strength.sum() for strength in strengths]).tolist():
        own = through[:, index]
        if own.any() and not any(
            _is_of(
                ridges[index],
                ridges[other],
                strokes.boxes[own & through[:, other], 3],
                own.sum(),
                strokes.body,
                weak=means[index] < _WEAKER * means[other],
            )
            for other in chosen
        ):
            chosen.append(index)
    return [ridges[index] for index in chosen]


def _is_of(
    ridge: Line, other: Line, shared: NDArray[np.int64], count: int, body: float, *, weak: bool
) -> bool:
    """Whether a ridge is the loops of another's letters, or their second bar.

    Args:
        ridge: that may be none of its own.
        other: a stronger one.
        shared: heights of the pieces that both run through.
        count: pieces that the ridge runs through.
        body: of the letters.
        weak: the ridge has far less ink.
    """
    if len(shared) < _SHARED * count:
        return False
    away = _away(ridge, other)
    is_bar = away < _CLOSE * body and np.median(shared) < _TALL * body
    return bool(away < _BESIDE * body and (weak or is_bar))


def _away(ridge: Line, other: Line) -> float:
    """How far above or below another a ridge runs; infinite where it does for less than half."""
    common = ridge.x[(ridge.x >= other.x[0]) & (ridge.x <= other.x[-1])]
    if len(common) < 0.5 * len(ridge.x):
        return np.inf
    return float(np.abs(ridge.at(common) - other.at(common)).mean())


def _linked(ridges: list[Line], body: float) -> list[Line]:
    """Lines of the ridges, sorted by their beginning, that go on where another one ends."""
    lines: list[Line] = []
    for ridge in ridges:
        gaps = [_gap(line, ridge, body) for line in lines]
        best = int(np.argmin(gaps)) if gaps else -1
        if best >= 0 and np.isfinite(gaps[best]):
            lines[best] = _joined(lines[best], ridge)
        else:
            lines.append(ridge)
    return lines


def _joined(line: Line, ridge: Line) -> Line:
    x, y = np.append(line.x, ridge.x), np.append(line.y, ridge.y)
    order = np.argsort(x, kind="stable")
    return Line(x[order], y[order])


def _gap(line: Line, ridge: Line, body: float) -> float:
    """How badly a ridge goes on a line; infinite where it does not."""
    ahead = float(ridge.x[0] - line.x[-1])
    if not -_OVER * body < ahead < _LINK * body:
        return np.inf
    end, start = _near(line, line.x[-1], body), _near(ridge, ridge.x[0], body)
    middle = np.array([(ridge.x[0] + line.x[-1]) / 2])
    off = min(
        abs(float(end.y.mean() - start.y.mean())),
        abs(float((end.at(middle) - start.at(middle))[0])),
    )
    return off + 0.02 * abs(ahead) if off < _OFF * body else np.inf


def _near(line: Line, x: float, body: float) -> Line:
    """The part of a line at one of its ends."""
    near = np.abs(line.x - x) < 8 * body
    return Line(line.x[near], line.y[near])
