"""Which way the writing of a page runs, and which way up it is.

Lines of writing leave white between them, so that ink gathers in few rows when the page is level.
That says nothing of upside down: there the reader decides, who sees which way up words read well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.paper.order import Page, in_order
from vision.paper.reading import Quad, WordImage
from vision.paper.strokes import Strokes

Floats = NDArray[np.float64]

Recognise = Callable[[Sequence[NDArray[np.uint8]]], Sequence[float]]
"""Takes word pictures, tells how well each reads: the higher the better, in any unit."""

_STEEPEST = 40.0  # degrees that writing may run askew, either way
_STEP = 2.0
_POINTS = 20_000  # of ink, that are looked at
_STRIP = 14.0  # bodies: ink is counted in strips as wide as that
_LEVEL = 5.0  # degrees askew that need no turning: lines are followed as they rise
_SURER = 1.4  # times as gathered as the level page: else it stays
_PLAIN = 1.25  # times as gathered across as down, or the other way round: else both may be
_FEWEST = 30  # points that say anything
_ASKED = 6  # words that the reader is asked about


def directions(strokes: Strokes) -> tuple[float, ...]:
    """Degrees, clockwise, by which the lines of a page may fall to the right, likeliest first.

    One where the ink is plain about it; nearly level is 0. Writing that runs down the page is near
    90: it may as well run up.
    """
    points = _points(strokes)
    if len(points) < _FEWEST:
        return (0.0,)
    (across, fall), (down, lean) = (_best(points, quarter, strokes.size) for quarter in (0, 90))
    if across > _PLAIN * down:
        return (fall,)
    if down > _PLAIN * across:
        return (lean + 90.0,)
    return (fall, lean + 90.0)


def _best(points: Floats, quarter: float, size: float) -> tuple[float, float]:
    """How gathered the ink is near a quarter turn, and the degrees from it at which that is."""
    angles = np.arange(-_STEEPEST, _STEEPEST + _STEP / 2, _STEP)
    gathered = np.array([_gathered(points, angle + quarter, size) for angle in angles])
    best, level = int(np.argmax(gathered)), float(gathered[len(angles) // 2])
    angle = float(angles[best])
    if abs(angle) < _LEVEL or gathered[best] < _SURER * level:
        return float(gathered[best]), 0.0
    return float(gathered[best]), angle


def upright(pages: Sequence[Page], recognise: Recognise) -> Page:
    """The one of the ways to see a page in which its words read best, either way up.

    Args:
        pages: the page as found, level in each; at least one.
        recognise: tells how well word pictures read.
    """
    rated = [
        (score, -place, page, over)
        for place, page in enumerate(pages)
        for over, score in enumerate(_scores(page, recognise))
    ]
    _, _, page, over = max(rated, key=lambda each: each[:2])
    return upside_down(page) if over else page


def _scores(page: Page, recognise: Recognise) -> tuple[float, float]:
    """How well a few words of a page read on the whole as they are, and the other way up."""
    some = [word.picture for word in _telling(page.words)]
    scores = recognise([*some, *map(_over, some)])
    return float(np.mean(scores[: len(some)])), float(np.mean(scores[len(some) :]))


def upside_down(page: Page) -> Page:
    """The same page read the other way up; what was taken for numbers is told apart anew."""
    words = [
        replace(word, picture=_over(word.picture), quad_px=_rolled(word.quad_px))
        for word in (*page.words, *page.numbers)
    ]
    return in_order(words, page.corners_px, outlined=page.outlined)


def _telling(words: Sequence[WordImage]) -> list[WordImage]:
    """A few words that are not crossed out, wide ones first."""
    plain = [word for word in words if word.struck < 0.5] or list(words)
    return sorted(plain, key=lambda word: -word.picture.shape[1] / word.picture.shape[0])[:_ASKED]


def _over(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(picture[::-1, ::-1])


def _rolled(quad: Quad) -> Quad:
    return quad[2], quad[3], quad[0], quad[1]


def _points(strokes: Strokes) -> Floats:
    """Places (n, 2) of some of the ink, without pieces that are far larger than letters."""
    small = strokes.boxes[:, 3] < 12 * strokes.size
    kept = np.zeros(int(strokes.labels.max()) + 1, np.bool_)
    kept[strokes.numbers[small]] = True
    places = np.flatnonzero(kept[strokes.labels])
    places = places[:: max(1, len(places) // _POINTS)]
    y, x = np.divmod(places, strokes.labels.shape[1])
    return np.column_stack([x, y]).astype(np.float64)


def _gathered(points: Floats, degrees: float, size: float) -> float:
    """How much ink comes and goes from row to row, with the page turned back by so many degrees."""
    angle = np.radians(degrees)
    along = points @ np.array([np.cos(angle), np.sin(angle)])
    across = points @ np.array([-np.sin(angle), np.cos(angle)])
    strips = ((along - along.min()) / (_STRIP * size)).astype(int)
    rows = ((across - across.min()) / (0.5 * size)).astype(int) + 2
    stride = int(rows.max()) + 3
    counts = np.bincount(strips * stride + rows).astype(np.float64)
    steps = counts[2:] - counts[:-2]
    return float((steps**2).sum())
