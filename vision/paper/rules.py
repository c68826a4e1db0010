"""Printed rules and squares taken out of a page without eating the strokes that cross them.

A rule is told by its length: it is followed from strip to strip across most of the page, which no
stroke, strike or underline is long enough for. In a strip it is the level that most of a row has,
so that words on it do not hide it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_STRIPS = 28  # across the page
_PARTS = 8  # of a strip, of which the middle one is taken
_LONG = 0.5  # share of the strips that a rule is seen in, at least
_STEEPEST = 0.06  # rise of a rule to its length
_SKIPS = 3  # strips in a row that a rule may be hidden in
_BENT = 0.02  # change of its rise from strip to strip
_LEAST = 4.0  # grey levels that a rule is darker than paper, at least
_AROUND = 2  # pixels beside a rule in which its edges end
_STRAY = 1.5  # pixels by which a rule strays from its neighbourhood: more is something else
_NEIGHBOURS = 4  # strips on either side that say where it runs and how dark it is
_DARKER = 1.7  # times as dark as the rule: ink


@dataclass(frozen=True, eq=False)
class _Rule:
    """A rule across a page.

    Attributes:
        rows: (width,), where its middle lies in each column.
        levels: (width,), how dark it is.
    """

    rows: Floats32
    levels: Floats32


def without_rules(dark: Grey, noise: float) -> Grey:
    """A page without the rules that run across or down it.

    Args:
        dark: (height, width), how much darker each pixel is than paper.
        noise: spread of the paper's darkness.
    """
    across = _taken_out(dark, noise)
    down = _taken_out(np.ascontiguousarray(across.T), noise)
    return np.ascontiguousarray(down.T)


def _taken_out(dark: Grey, noise: float) -> Grey:
    """The page without the rules across it."""
    profile = _profile(dark)
    chains = _chains(_peaks(profile, max(_LEAST, 1.2 * noise)), dark.shape[1] / _STRIPS)
    left = dark.copy() if chains else dark
    for chain in chains:
        _erase(left, _rule(chain, profile, dark.shape[1]), _half_thickness(chain, profile), noise)
    return left


def _profile(dark: Grey) -> Floats32:
    """(height, strips): how dark most of each row of a strip is, above the rows around it."""
    height = dark.shape[0]
    parts = cv2.resize(dark, (_STRIPS * _PARTS, height), interpolation=cv2.INTER_AREA)
    ordered = np.sort(parts.reshape(height, _STRIPS, _PARTS), axis=2)
    middle = ordered[:, :, _PARTS // 2 - 1].astype(np.float32)
    return np.asarray(middle - cv2.blur(middle, (1, max(3, height // 60) | 1)), np.float32)


def _peaks(profile: Floats32, least: float) -> list[NDArray[np.intp]]:
    """Rows of the peaks in each strip."""
    highest = cv2.dilate(profile, np.ones((7, 1), np.uint8))
    peaks = (profile >= highest) & (profile > least)
    return [np.flatnonzero(column) for column in peaks.T]


def _chains(peaks: list[NDArray[np.intp]], step: float) -> list[dict[int, int]]:
    """Rows by strip of what runs across most of the page."""
    free = [set(rows.tolist()) for rows in peaks]
    chains = []
    for start in range(int(len(free) * (1 - _LONG)) + 1):
        for row in sorted(free[start]):
            chain = _followed(free, start, row, step)
            if len(chain) >= _LONG * len(free):
                chains.append(chain)
                for strip, place in chain.items():
                    free[strip].discard(place)
    return chains


def _followed(free: list[set[int]], start: int, row: int, step: float) -> dict[int, int]:
    """The peaks that go on from one, strip by strip."""
    chain, rise, last = {start: row}, 0.0, start
    for strip in range(start + 1, len(free)):
        if strip - last > _SKIPS:
            break
        ahead = (strip - last) * step
        reach = 2 + (_STEEPEST if len(chain) < 3 else _BENT) * ahead
        hoped = chain[last] + rise * ahead
        nearest = min(free[strip], key=lambda place: abs(place - hoped), default=None)
        if nearest is None or abs(nearest - hoped) > reach:
            continue
        first = max(strip - 6, start)
        rise = (nearest - chain.get(first, row)) / ((strip - first) * step) if strip > first else 0
        rise = float(np.clip(rise, -_STEEPEST, _STEEPEST)) if first in chain else rise
        chain[strip], last = nearest, strip
    return chain


def _rule(chain: dict[int, int], profile: Floats32, width: int) -> _Rule:
    strips, rows = np.array(list(chain)), np.array(list(chain.values()), np.float64)
    middles, columns = (strips + 0.5) * width / _STRIPS, np.arange(width)
    straight = np.polynomial.Polynomial.fit(middles, rows, 1)
    away = _steadied(rows - straight(middles), _STRAY)
    placed = np.interp(columns, middles, away) + straight(columns)
    seen = np.array([profile[row, strip] for strip, row in chain.items()], np.float64)
    levels = np.interp(columns, middles, _steadied(seen, 0.0))
    return _Rule(placed.astype(np.float32), levels.astype(np.float32))


def _steadied(values: Floats, stray: float) -> Floats:
    """Values with those that stray from the median of their neighbours brought back to it.

    Where words lie on a rule, what is taken for it may be a part of them.
    """
    padded = np.pad(values, _NEIGHBOURS, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEIGHBOURS + 1)
    usual = np.median(windows, axis=1)
    return np.where(np.abs(values - usual) > stray, usual, values)


def _half_thickness(chain: dict[int, int], profile: Floats32) -> int:
    """Pixels from the middle of a rule to where it is half as dark."""
    height = len(profile)
    reach = max(3, height // 200)
    rows = np.array(list(chain.values()))[:, None] + np.arange(-reach, reach + 1)
    around = profile[rows.clip(0, height - 1), np.array(list(chain))[:, None]].mean(axis=0)
    return max(1, int((around > around.max() / 2).sum()) // 2 + 1)


def _erase(dark: Grey, rule: _Rule, half: int, noise: float) -> None:
    """Take a rule off the page, in place, but where a stroke runs through it."""
    height, width = dark.shape
    reach = half + _AROUND
    columns = np.arange(width)
    rows = np.rint(rule.rows).astype(int) + np.arange(-reach - 2, reach + 3)[:, None]
    inside = (rows >= 0) & (rows < height)
    band = np.where(inside, dark[rows.clip(0, height - 1), columns], 0).astype(np.float32)
    ink = np.maximum(_DARKER * rule.levels, rule.levels + 4 * noise)
    above, below = band[:3].max(axis=0), band[-3:].max(axis=0)
    through = np.minimum(above, below) > np.maximum(0.6 * rule.levels, 4 * noise)
    kept = cv2.dilate((band > ink).astype(np.uint8), np.ones((3, 1), np.uint8)) > 0
    kept |= cv2.dilate(through.astype(np.uint8)[None], np.ones((1, 3), np.uint8))[0] > 0
    kept &= band > 0.8 * rule.levels
    left = np.where(kept, band, band - 1.5 * rule.levels - noise)
    left[:2], left[-2:] = band[:2], band[-2:]
    bare = np.maximum(left, 0).astype(np.uint8)
    dark[rows[inside], np.broadcast_to(columns, rows.shape)[inside]] = bare[inside]
