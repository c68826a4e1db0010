"""The order in which words of a page are read, and the numbers that stand before them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.paper.reading import Quad, WordImage

Floats = NDArray[np.float64]

_GUTTER = 1.2  # heights of a word that are white between two columns, all the way down
_FEWEST = 3  # lines of a column
_NARROW = 1.7  # heights of a word that a number is wide, at most
_WIDER = 1.4  # times as wide as the numbers are the words beside them
_NUMBERED = 0.55  # share of the lines of a column that begin with a number
_ALIGNED = 1.5  # heights by which the numbers' ends stray from each other


@dataclass(frozen=True, eq=False)
class Page:
    """The writing on one sheet.

    Attributes:
        words: in reading order: columns from the left, each from the top, crossed out ones too.
        numbers: what stands before the words of a column and was taken for their numbers or
            bullets, in order; they are no words.
        corners_px: of the sheet, from its upper left corner as the photo shows it.
        outlined: the sheet was found by its outline; else the whole photo was taken for one.
    """

    words: tuple[WordImage, ...]
    numbers: tuple[WordImage, ...]
    corners_px: Quad
    outlined: bool


@dataclass(frozen=True, eq=False)
class _Placed:
    """A word with its box as one reads: x along the lines, y down the page."""

    word: WordImage
    left: float
    right: float
    y: float
    height: float


def in_order(words: Sequence[WordImage], corners_px: Quad, *, outlined: bool) -> Page:
    """The page of words in any order.

    Args:
        words: those of a line have one number; the numbers need not be in order.
        corners_px: of the sheet.
        outlined: it was found by its outline.
    """
    ordered: list[WordImage] = []
    numbers: list[WordImage] = []
    count = 0
    for column in _columns(_placed(words)):
        lines = _lines(column)
        numbered = _are_numbered(lines)
        for line in lines:
            first = 1 if numbered and len(line) > 1 and _is_narrow(line[0]) else 0
            numbers += [replace(each.word, line=count) for each in line[:first]]
            ordered += [replace(each.word, line=count) for each in line[first:]]
            count += 1
    return Page(tuple(ordered), tuple(numbers), corners_px, outlined)


def _placed(words: Sequence[WordImage]) -> list[_Placed]:
    """The words turned so that their lines are level."""
    if not words:
        return []
    quads = np.array([word.quad_px for word in words], np.float64)
    along = (quads[:, 1] - quads[:, 0]).sum(axis=0)
    along /= max(float(np.linalg.norm(along)), 1e-9)
    down = np.array([-along[1], along[0]])
    x, y = quads @ along, quads @ down
    return [
        _Placed(word, left, right, middle, max(tall, 1.0))
        for word, left, right, middle, tall in zip(
            words,
            x[:, [0, 3]].mean(axis=1).tolist(),
            x[:, [1, 2]].mean(axis=1).tolist(),
            y.mean(axis=1).tolist(),
            (y[:, 2:].mean(axis=1) - y[:, :2].mean(axis=1)).tolist(),
            strict=True,
        )
    ]


def _columns(words: list[_Placed]) -> Iterable[list[_Placed]]:
    """Words that white parts from those beside them, all the way down the page."""
    if not words:
        return
    gutter = _GUTTER * float(np.median([word.height for word in words]))
    column: list[_Placed] = []
    rest = sorted(words, key=lambda word: word.left)
    reached = rest[0].left
    for place, word in enumerate(rest):
        enough = min(_count_lines(column), _count_lines(rest[place:])) >= _FEWEST
        if word.left - reached > gutter and enough and not _are_numbers(column, rest[place:]):
            yield column
            column = []
        column.append(word)
        reached = max(reached, word.right)
    yield column


def _count_lines(words: Sequence[_Placed]) -> int:
    return len({word.word.line for word in words})


def _are_numbers(column: Sequence[_Placed], rest: Sequence[_Placed]) -> bool:
    """Whether a column is nothing but numbers for what stands behind it."""
    narrow = sum(_is_narrow(word) for word in column) > _NUMBERED * len(column)
    return narrow and _width(rest) > _WIDER * _width(column)


def _width(words: Sequence[_Placed]) -> float:
    return float(np.median([word.right - word.left for word in words]))


def _lines(column: Sequence[_Placed]) -> list[list[_Placed]]:
    """Lines from the top, the words of each from the left."""
    lines: dict[int, list[_Placed]] = {}
    for word in sorted(column, key=lambda word: word.left):
        lines.setdefault(word.word.line, []).append(word)
    return sorted(lines.values(), key=lambda line: float(np.mean([word.y for word in line])))


def _is_narrow(word: _Placed) -> bool:
    return word.right - word.left < _NARROW * word.height


def _are_numbered(lines: Sequence[Sequence[_Placed]]) -> bool:
    """Whether the lines of a column begin with numbers or bullets.

    They do where most lines are a narrow thing, in one place, and one wider word.
    """
    pairs = [(line[0], line[1]) for line in lines if len(line) == 2 and _is_narrow(line[0])]
    if len(pairs) < max(_FEWEST, _NUMBERED * len(lines)):
        return False
    height = float(np.median([word.height for word, _ in pairs]))
    ends = np.array([number.right for number, _ in pairs])
    widths = np.array([(first.right - first.left, word.right - word.left) for first, word in pairs])
    first, second = np.median(widths, axis=0).tolist()
    return bool(
        second > _WIDER * first and np.abs(ends - np.median(ends)).mean() < _ALIGNED * height
    )
