"""Words of a page's lines: pieces of ink gathered by one gap threshold for the whole page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.paper.cuts import cuts
from vision.paper.lines import Line, crossings
from vision.paper.strokes import Strokes

Floats = NDArray[np.float64]

_ABOVE, _BELOW = 1.1, 0.8  # bodies around a line in which gaps are looked for
_STRAY = 2.2  # bodies from a line to the dots and bars that belong to it
_USUAL_GAP = 0.75  # bodies: the threshold where gaps say nothing
_GAPS = (0.4, 2.0)  # bodies between which it lies
_SPREAD = 0.45  # of the logarithm of the threshold around the usual one
_SMOOTH = 0.16  # of the logarithms of gaps
_BODY_OF_TWO = 0.3  # share of the ink of one line that a piece has on another: it is cut in two
_TALL = 3.0  # bodies that it is tall: capitals are less
_LOW = 1.1  # bodies that each part must be tall
_FRAGMENT, _FRAGMENT_TALL = 1.4, 2.0  # bodies: what is smaller may be a dot or a loop of a word
_ATTACHED = 0.3  # bodies that it is above or below it, at most
_WIDE_OF_TWO = 1.2  # bodies that it is wide there
_LETTER_OF_TWO, _LETTER_WIDE = 0.6, 0.7  # the same of a single letter, which a loop is less than


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of ink, or what of it belongs to a line.

    Attributes:
        left: pixels.
        top: pixels.
        mask: (height, width).
        start: left end of its ink near the line, pixels; None where it has none.
        end: right end.
        otherwise: of a piece that runs through two lines what else may belong to this one: with
            the strokes that cross the cut given to the line below, and to the line above.
    """

    left: int
    top: int
    mask: NDArray[np.bool_]
    start: float | None
    end: float | None
    otherwise: tuple[Part, ...] = ()


@dataclass(frozen=True, eq=False)
class Word:
    """Parts that stand close together on a line.

    Attributes:
        parts: from left to right.
        line: that it stands on.
    """

    parts: tuple[Part, ...]
    line: Line

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and lower end, pixels."""
        return (
            min(part.left for part in self.parts),
            min(part.top for part in self.parts),
            max(part.left + part.mask.shape[1] for part in self.parts),
            max(part.top + part.mask.shape[0] for part in self.parts),
        )

    @property
    def otherwise(self) -> tuple[Word, ...]:
        """The same word with the pieces that run on into other lines cut otherwise."""
        if not any(part.otherwise for part in self.parts):
            return ()
        ways = zip(*(part.otherwise or (part, part) for part in self.parts), strict=True)
        inked = (parts for parts in ways if any(part.mask.any() for part in parts))
        return tuple(Word(parts, self.line) for parts in inked)


def find_words_of(strokes: Strokes, lines: Sequence[Line]) -> list[list[Word]]:
    """The words of each line that has any, from left to right."""
    rows = [parts for parts in _parts(strokes, lines) if any(_near(part) for part in parts[1])]
    threshold = gap_threshold(
        np.array([gap for _, parts in rows for gap in _gaps(parts)]), strokes.body
    )
    words = [_gathered(line, parts, threshold, strokes.body) for line, parts in rows]
    return _with_fragments(words, strokes.body)


def gap_threshold(gaps: Floats, body: float) -> float:
    """Pixels: gaps wider than that lie between words.

    Gaps within words and between them make two heaps; the threshold is the valley between, drawn
    to the usual ratio to the letters where there is none: a list of single words has no gaps
    between words at all.

    Args:
        gaps: (n,), pixels, of the whole page.
        body: of the letters, pixels.
    """
    tried = np.linspace(np.log(_GAPS[0]), np.log(_GAPS[1]), 60)
    logs = np.log(np.maximum(gaps, 0.05 * body) / body)
    near = np.exp(-0.5 * ((tried[:, None] - logs[None]) / _SMOOTH) ** 2).sum(axis=1)
    density = (near + 0.3) / (len(gaps) + 2)
    cost = np.log(density) + 0.5 * ((tried - np.log(_USUAL_GAP)) / _SPREAD) ** 2
    return float(np.exp(tried[int(np.argmin(cost))]) * body)


def _with_fragments(rows: list[list[Word]], body: float) -> list[list[Word]]:
    """Words with the dots, bars and loops that came to lie on a line of their own."""
    words = [word for row in rows for word in row]
    boxes = np.array([word.box for word in words], np.float64).reshape(-1, 4)
    small = (boxes[:, 2] - boxes[:, 0] < _FRAGMENT * body) & (
        boxes[:, 3] - boxes[:, 1] < _FRAGMENT_TALL * body
    )
    owner = {place: _owner(boxes, place, small, body) for place in np.flatnonzero(small).tolist()}
    parts = [list(word.parts) for word in words]
    for place, other in owner.items():
        if other is not None:
            parts[other] += words[place].parts
    whole = {
        id(word): Word(tuple(parts[place]), word.line)
        for place, word in enumerate(words)
        if owner.get(place) is None
    }
    return [[whole[id(word)] for word in row if id(word) in whole] for row in rows]


def _owner(boxes: Floats, place: int, small: NDArray[np.bool_], body: float) -> int | None:
    """The word (n, 4) above, below or around a small one that it is a piece of."""
    left, top, right, low = boxes[place]
    beside = np.minimum(boxes[:, 2], right) - np.maximum(boxes[:, 0], left)
    apart = np.maximum(boxes[:, 1], top) - np.minimum(boxes[:, 3], low)
    near = ~small & (beside > 0.6 * (right - left)) & (apart < _ATTACHED * body)
    return int(np.argmin(np.where(near, apart, np.inf))) if near.any() else None


def _near(part: Part) -> bool:
    return part.start is not None


def _parts(strokes: Strokes, lines: Sequence[Line]) -> list[tuple[Line, list[Part]]]:
    """Every line with its parts."""
    owned: list[list[Part]] = [[] for _ in lines]
    through = crossings(lines, strokes, 3 * strokes.body)
    for index in range(len(strokes.numbers)):
        for line, part in _dealt(strokes, index, lines, np.flatnonzero(through[index])):
            owned[line].append(part)
    return list(zip(lines, owned, strict=True))


def _dealt(
    strokes: Strokes, index: int, lines: Sequence[Line], through: NDArray[np.intp]
) -> Iterable[tuple[int, Part]]:
    """A piece with the line that it belongs to, or its parts with theirs."""
    left, top, width, _ = strokes.boxes[index].tolist()
    mask = strokes.piece(index)
    if len(through) == 0:
        nearest = _nearest(strokes, index, lines)
        if nearest is not None:
            yield nearest, _part(left, top, mask, lines[nearest], strokes.body)
        return
    heights = np.array([lines[line].at(np.array([left + width / 2]))[0] for line in through])
    own = _of_lines(mask, heights - top, strokes.body)
    order = np.argsort(heights)
    kept = [int(place) for place in order if own[place]]
    rows = [
        _cut(mask, heights[upper] - top, heights[lower] - top) for upper, lower in pairwise(kept)
    ]
    bounds = [0, *rows, mask.shape[0]]
    if np.diff(bounds).min() < _LOW * strokes.body:
        kept = [int(np.argmax(_zone_ink(mask, heights - top, strokes.body)))]
        bounds = [0, mask.shape[0]]
    for place, ways in zip(kept, cuts(mask, bounds), strict=True):
        if ways[0].any():
            line = int(through[place])
            yield line, _shared(left, top, ways, lines[line], strokes.body)


def _nearest(strokes: Strokes, index: int, lines: Sequence[Line]) -> int | None:
    """The line that a dot or a bar belongs to."""
    left, top, width, height = strokes.boxes[index].tolist()
    middle = np.array([left + width / 2])
    away = [
        abs(float(line.at(middle)[0]) - top - height / 2)
        if line.x[0] - strokes.body < middle[0] < line.x[-1] + strokes.body
        else np.inf
        for line in lines
    ]
    best = int(np.argmin(away)) if away else -1
    return best if best >= 0 and away[best] < _STRAY * strokes.body + height / 2 else None


def _of_lines(mask: NDArray[np.bool_], rows: Floats, body: float) -> NDArray[np.bool_]:
    """On which of the lines that cross it a piece has letters, not loops alone."""
    ink = _zone_ink(mask, rows, body)
    wide = np.array([zone.any(axis=0).sum() for zone in _zones(mask, rows, body)], np.float64)
    own = (ink >= _BODY_OF_TWO * ink.max()) & (wide >= _WIDE_OF_TWO * body)
    own |= (ink >= _LETTER_OF_TWO * ink.max()) & (wide >= _LETTER_WIDE * body)
    own |= (rows > 0.7 * body) & (rows < len(mask) - 0.7 * body)
    own &= len(mask) > _TALL * body
    own[int(np.argmax(ink))] = True
    return np.asarray(own)


def _zones(mask: NDArray[np.bool_], rows: Floats, body: float) -> list[NDArray[np.bool_]]:
    """The parts of a piece that are bodies of letters on lines at rows (n,) of it."""
    return [mask[max(0, int(row - body / 2)) : max(1, int(row + body / 2))] for row in rows]


def _zone_ink(mask: NDArray[np.bool_], rows: Floats, body: float) -> Floats:
    return np.array([zone.sum() for zone in _zones(mask, rows, body)], np.float64)


def _cut(mask: NDArray[np.bool_], upper: float, lower: float) -> int:
    """The row between two lines at which a piece is thinnest, near the middle."""
    start, stop = max(1, int(upper) + 1), min(mask.shape[0] - 1, max(int(lower), int(upper) + 2))
    rows = np.arange(start, max(stop, start + 1))
    ink = mask[rows.clip(0, mask.shape[0] - 1)].sum(axis=1)
    off = np.abs(rows - (upper + lower) / 2) / max(lower - upper, 1)
    return int(rows[np.argmin(ink + 6.0 * off)])


def _shared(
    left: int, top: int, ways: Sequence[NDArray[np.bool_]], line: Line, body: float
) -> Part:
    """What belongs to a line of a piece that is cut, and what does if it is cut otherwise."""
    parts = []
    for mask in ways:
        rows = np.flatnonzero(mask.any(axis=1))
        first, last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, 0)
        parts.append(_part(left, top + first, mask[first : last + 1], line, body))
    differ = any((mask != ways[0]).any() for mask in ways[1:])
    return replace(parts[0], otherwise=tuple(parts[1:]) if differ else ())


def _part(left: int, top: int, mask: NDArray[np.bool_], line: Line, body: float) -> Part:
    width = mask.shape[1]
    row = float(line.at(np.array([left + width / 2]))[0]) - top
    zone = mask[max(0, int(row - _ABOVE * body)) : max(0, int(row + _BELOW * body) + 1)]
    columns = np.flatnonzero(zone.any(axis=0)) if len(zone) else np.empty(0)
    if not len(columns):
        return Part(left, top, mask, None, None)
    return Part(left, top, mask, left + float(columns[0]), left + float(columns[-1]) + 1)


def _sorted_near(parts: Sequence[Part]) -> list[tuple[float, float, Part]]:
    near = [(part.start, part.end, part) for part in parts if part.start is not None]
    return sorted(
        ((start, end, part) for start, end, part in near if end is not None),
        key=lambda each: each[0],
    )


def _gaps(parts: Sequence[Part]) -> list[float]:
    """Pixels between neighbouring parts of a line."""
    gaps, reached = [], None
    for start, end, _ in _sorted_near(parts):
        if reached is not None and start > reached:
            gaps.append(start - reached)
        reached = end if reached is None else max(reached, end)
    return gaps


def _gathered(line: Line, parts: Sequence[Part], threshold: float, body: float) -> list[Word]:
    groups: list[tuple[float, float, list[Part]]] = []
    for start, end, part in _sorted_near(parts):
        if groups and start - groups[-1][1] <= threshold:
            first, last, members = groups[-1]
            groups[-1] = (first, max(last, end), [*members, part])
        else:
            groups.append((start, end, [part]))
    for part in parts:
        if part.start is None:
            _attach(part, groups, body)
    return [Word(tuple(members), line) for _, _, members in groups]


def _attach(part: Part, groups: list[tuple[float, float, list[Part]]], body: float) -> None:
    """Give a dot or a loop to the word above, below or beside it."""
    middle = part.left + part.mask.shape[1] / 2
    away = [max(start - middle, middle - end, 0.0) for start, end, _ in groups]
    best = int(np.argmin(away))
    if away[best] < body:
        groups[best][2].append(part)
