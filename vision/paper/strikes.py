"""Whether a word is crossed out: by a line through it, or by a scribble over it.

A line has ink along nearly the whole of a straight, nearly level way through the word, and without
breaks; letters have that by chance only. A scribble adds to the strokes: there is more length of
them to the width of the word than any letters have.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

_HEIGHT = 64  # pixels to which a taller word is brought
_COARSE = 32  # and for a first look
_MAYBE = 0.86  # share of ink along a line at that first look without which there is none
_STEEPEST = 0.22  # rise of a line to its length
_ALONG = 0.9  # share of the word's width that a line must have within its box
_BEST = 3  # lines of each slope that are looked at for breaks
_LINE, _LINE_WIDTH = 0.87, 0.02  # where a line is as likely as not one, and how soon it is sure
_LENGTH, _LENGTH_WIDTH = 3.0, 0.12  # of strokes, in widths of the word
_DENSER = 1.6  # times as much ink as the usual word: as likely as not a scribble
_BROAD = 1.2  # heights that a word is wide, at least, for its strokes to be counted by its width
_NARROW, _UNSURE = 1.0, 0.6  # in a word as narrow as that a bar may be a letter's own


@dataclass(frozen=True)
class Marks:
    """What may tell that a word is crossed out.

    Attributes:
        line: 0–1, how much ink a way through the word has, and how much of it in one run; 0 where
            none has much.
        ink: of the word to its width, pixels.
        thickness: of its strokes, pixels.
        aspect: its width to its height.
    """

    line: float
    ink: float
    thickness: float
    aspect: float

    def struck(self, thickness: float, ink: float = 0.0) -> float:
        """Probability that the word is crossed out, 0–1.

        Args:
            thickness: of strokes on its page, pixels: a scribble's own run into each other.
            ink: of the usual word on its page to its width, pixels: some write more densely.
        """
        most = max(_LENGTH, _DENSER * ink / thickness)
        by_line = _logistic((self.line - _LINE) / _LINE_WIDTH)
        return max(
            min(by_line, _UNSURE) if self.aspect < _NARROW else by_line,
            _logistic((self.ink / thickness - most) / _LENGTH_WIDTH),
        )


def marks_on(ink: Mask) -> Marks:
    """What may tell that a word is crossed out.

    Args:
        ink: (height, width), true where there is ink; the word level.
    """
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) < 4 or len(columns) < 4:
        return Marks(0.0, 0.0, 1.0, 1.0)
    whole = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    word, coarse = _small(whole, _HEIGHT), _small(whole, _COARSE)
    line = _line(word, 23) if _line(coarse, 11)[0] > _MAYBE else (0.0, 0.0)
    height, width = word.shape
    pixels = len(whole) / height  # of the page to one of this
    density = pixels * float(word.sum()) / max(width, _BROAD * height)
    return Marks(sum(line) / 2, density, pixels * _thickness(word), width / height)


def _small(word: Mask, tall: int) -> Mask:
    height, width = word.shape
    scale = min(1.0, tall / height)
    size = (max(4, round(width * scale)), max(4, round(height * scale)))
    return np.asarray(cv2.resize(word.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.4)


def _line(word: Mask, slopes: int) -> tuple[float, float]:
    """Largest share of ink along a line across the word, and the longest run of it on one."""
    height, width = word.shape
    near = cv2.dilate(word.astype(np.uint8), np.ones((3, 1), np.uint8))
    columns, starts = np.arange(width), np.arange(int(0.1 * height), int(0.95 * height))
    share, run = 0.0, 0.0
    for slope in np.linspace(-_STEEPEST, _STEEPEST, slopes):
        rows = np.rint(starts[:, None] + slope * (columns - width / 2)).astype(int)
        inside = (rows >= 0) & (rows < height)
        ink = np.where(inside, near[rows.clip(0, height - 1), columns], 0)
        seen = inside.sum(axis=1)
        shares = np.where(seen > _ALONG * width, ink.sum(axis=1) / np.maximum(seen, 1), 0.0)
        share = max(share, float(shares.max()))
        best = ink[np.argsort(-shares)[:_BEST]]
        run = max(run, max(_longest(line) for line in best) / width)
    return share, run


def _longest(line: NDArray[np.uint8]) -> int:
    """The longest run of ink."""
    ends = np.flatnonzero(np.diff(np.concatenate([[0], line, [0]])))
    return int((ends[1::2] - ends[::2]).max()) if len(ends) else 0


def _thickness(word: Mask) -> float:
    """Pixels that strokes are thick: a bar's pixels lie a quarter of that inside on the mean."""
    within = cv2.distanceTransform(np.pad(word, 1).astype(np.uint8), cv2.DIST_L2, 3)
    return max(0.7, 4 * float(within[within > 0].mean()) - 1)


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -40, 40))))
