"""Ink on an even page: its connected pieces, and how large the writing is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.float64]

_FAINT = 0.33  # of the ink's darkness: a piece reaches as far as it is as dark as that
_CLEAR = 0.45  # of the ink's darkness: a piece is somewhere as dark as that
_ABOVE_NOISE = 4.0  # spreads of the paper that ink is darker than it
_LEAST = 22  # grey levels that any ink is darker than paper
_BROAD = 120  # a stroke is no broader than so many parts of the longer side, at half size
_FEWEST = 10  # pixels of ink that say how dark it is
_PLAIN = 0.05  # share of a piece that is as dark as that
_THICK = 3.0  # times as thick as strokes: a shade where it is no darker than half of the ink
_FULL = 0.75  # of the ink's darkness: what is as dark on the whole is no shade
_LONG, _LOW, _THIN = 2.0, 0.6, 0.25  # bodies: a piece as long, low and thin is a rule's remains
_LARGEST = 0.3  # of the page's sides: what is larger is a drawing, a frame, an edge


@dataclass(frozen=True, eq=False)
class Strokes:
    """The pieces of ink on a page.

    Attributes:
        labels: (height, width), int32: the number of the piece at each pixel, 0 for paper.
        boxes: (n, 4), left, top, width, height of the pieces that count.
        areas: (n,), pixels.
        numbers: (n,), their labels.
        body: pixels, the usual height of small letters without what stands out of them, where the
            writing is level.
        size: pixels, of the usual letter, whichever way the writing runs.
    """

    labels: NDArray[np.int32]
    boxes: NDArray[np.int64]
    areas: NDArray[np.int64]
    numbers: NDArray[np.int64]
    body: float
    size: float

    def piece(self, index: int) -> NDArray[np.bool_]:
        """Mask (height, width) of a piece within its box."""
        left, top, width, height = self.boxes[index].tolist()
        window = self.labels[top : top + height, left : left + width]
        return np.asarray(window == self.numbers[index])


def find_strokes(dark: Grey, noise: float) -> Strokes | None:
    """The ink of a page without rules; None where there is none.

    Args:
        dark: (height, width), how much darker each pixel is than paper.
        noise: spread of the paper's darkness.
    """
    least = max(_LEAST, _ABOVE_NOISE * noise)
    level = _ink_level(dark, least)
    if level is None:
        return None
    faint = cv2.threshold(dark, max(least, _FAINT * level) - 1, 255, cv2.THRESH_BINARY)[1]
    _, pieces, measures, _ = cv2.connectedComponentsWithStats(
        faint.astype(np.uint8), connectivity=8
    )
    labels, stats = np.asarray(pieces, np.int32), np.asarray(measures, np.int32)
    plain = np.bincount(labels[dark >= max(least, _CLEAR * level)], minlength=len(stats))
    clear = plain > _PLAIN * stats[:, 4]
    kept = clear & _counts(stats, dark.shape)
    kept[0] = False
    kept &= ~_shades(dark, labels, kept, level)
    numbers = np.flatnonzero(kept)
    if not len(numbers):
        return None
    boxes, areas = stats[numbers, :4].astype(np.int64), stats[numbers, 4].astype(np.int64)
    return _measured(Strokes(labels, boxes, areas, numbers, 0.0, 0.0))


def _measured(strokes: Strokes) -> Strokes | None:
    """The ink with the size of its letters, without what is left of rules; None if that is all."""
    boxes, areas = strokes.boxes, strokes.areas
    tall, wide = (_zones(strokes, axis) for axis in (1, 0))
    thin = (areas < _THIN * tall * boxes[:, 2]) & (boxes[:, 2] > _LONG * tall)
    letters = ~(thin & (boxes[:, 3] < _LOW * tall))
    if not letters.any():
        return None
    return replace(
        strokes,
        boxes=boxes[letters],
        areas=areas[letters],
        numbers=strokes.numbers[letters],
        body=tall,
        size=min(tall, wide),
    )


def _ink_level(dark: Grey, least: float) -> float | None:
    """Darkness of what is plainly ink: the middle of strokes, not their edges, no broad shade."""
    half = cv2.resize(dark, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    side = max(dark.shape) // _BROAD | 1
    thin = cv2.morphologyEx(half, cv2.MORPH_TOPHAT, np.ones((side, side), np.uint8))
    highest = cv2.dilate(thin, np.ones((3, 3), np.uint8))
    middles = thin[(thin == highest) & (thin > least)]
    return float(np.percentile(middles, 60)) if len(middles) > _FEWEST else None


def _shades(
    dark: Grey, labels: NDArray[np.int32], kept: NDArray[np.bool_], level: float
) -> NDArray[np.bool_]:
    """Which pieces are shades of folds and edges: thick and pale."""
    pixels = np.flatnonzero(labels)
    owners = labels.ravel()[pixels]
    within = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
    thickness = np.zeros(len(kept))
    np.maximum.at(thickness, owners, within.ravel()[pixels])
    counts = np.maximum(np.bincount(owners, minlength=len(kept)), 1)
    mean = np.bincount(owners, dark.ravel()[pixels], len(kept)) / counts
    usual = np.median(thickness[kept]) if kept.any() else 1.0
    return np.asarray((thickness > _THICK * usual) & (mean < _FULL * level))


def _counts(stats: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    height, width = shape
    longer = max(shape) / 1000
    large = (stats[:, 3] > _LARGEST * height) | (stats[:, 2] > 0.9 * width)
    return np.asarray((stats[:, 4] > max(6.0, 2 * longer**2)) & ~large)


def _zones(strokes: Strokes, axis: int) -> float:
    """Size of the zone that most strokes of a piece cross, of the usual piece: rows, or columns."""
    boxes, areas = strokes.boxes, strokes.areas
    large = boxes[:, 2:].max(axis=1)
    counted = np.flatnonzero(large > 0.35 * np.percentile(large, 90))
    some = counted[:: max(1, len(counted) // 400)]
    sizes = np.array([_zone(_runs(strokes.piece(int(index)), axis)) for index in some])
    weights = np.sqrt(areas[some].astype(np.float64))
    order = np.argsort(sizes)
    share = np.cumsum(weights[order]) / weights.sum()
    return max(4.0, float(sizes[order][np.searchsorted(share, 0.5)]))


def _runs(piece: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Strokes that cross each row (axis 1) or column of a piece."""
    lines = np.moveaxis(piece, axis, 0)
    starts = lines[1:] & ~lines[:-1]
    return np.asarray(starts.sum(axis=0) + lines[0], np.int64)


def _zone(runs: NDArray[np.int64]) -> int:
    smooth = np.convolve(runs.astype(np.float64), np.ones(3) / 3, "same")
    return int((smooth >= 0.5 * smooth.max()).sum())
