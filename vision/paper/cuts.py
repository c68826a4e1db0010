"""A piece of ink that runs through several lines, cut between them, and how else it may be cut.

What crosses the cut may be the tail of a letter above or the stem of one below. A straight cut
gives each line its half; two others give all such strokes to the line above, or to that below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Run = tuple[int, int]
"""Where ink begins along a row, and where it has ended."""

_JOINED = 1.7  # times as wide as it was: another stroke joins it


def cuts(mask: Mask, bounds: Sequence[int]) -> Iterator[tuple[Mask, ...]]:
    """What each line may have of a piece, cut straight first; only that where there is no cut.

    Args:
        mask: (height, width), the piece.
        bounds: rows, rising from 0 to its height, between which the lines are.

    Yields:
        Of each line masks as large as the piece: cut straight, with the strokes that cross the
        cuts given to the line below, and with these given to the line above.
    """
    straight = _straight(mask, bounds)
    if len(straight) == 1:
        return iter([(mask,)])
    return zip(straight, _given(mask, bounds, -1), _given(mask, bounds, 1), strict=True)


def _straight(mask: Mask, bounds: Sequence[int]) -> list[Mask]:
    rows = np.arange(len(mask))[:, None]
    return [mask & (rows >= start) & (rows < stop) for start, stop in pairwise(bounds)]


def _given(mask: Mask, bounds: Sequence[int], step: int) -> list[Mask]:
    """The parts with the strokes above each cut (step -1) given below, or those below it above."""
    parts = _straight(mask, bounds)
    for number, row in enumerate(bounds[1:-1]):
        giver, taker = (number, number + 1) if step < 0 else (number + 1, number)
        strokes = _lone_strokes(mask, row + min(step, 0), step) & parts[giver]
        parts[giver] = parts[giver] & ~strokes
        parts[taker] = parts[taker] | strokes
    return parts


def _lone_strokes(mask: Mask, row: int, step: int) -> Mask:
    """The strokes that cross a row, from there up or down as far as nothing joins them."""
    taken = np.zeros_like(mask)
    for run in _runs(mask[row]):
        for at, (start, end) in _followed(mask, row, step, run):
            taken[at, start:end] = True
    return taken


def _followed(mask: Mask, row: int, step: int, run: Run) -> Iterator[tuple[int, Run]]:
    """A stroke row by row, until it ends, parts or is joined by another one."""
    narrowest = run[1] - run[0]
    while 0 <= row < len(mask):
        near = [each for each in _runs(mask[row]) if each[0] <= run[1] and each[1] >= run[0]]
        if len(near) != 1 or near[0][1] - near[0][0] > _JOINED * narrowest:
            return
        (run,) = near
        narrowest = min(narrowest, run[1] - run[0])
        yield row, run
        row += step


def _runs(row: Mask) -> list[Run]:
    """The ink along a row."""
    edges = np.flatnonzero(np.diff(np.pad(row.astype(np.int8), 1)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
