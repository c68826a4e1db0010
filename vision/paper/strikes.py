"""Whether a word is crossed out: by a line through it, a cross, a wave, or a scribble over it.

A level line has ink along nearly the whole of a straight way through the word, and without breaks;
letters have that by chance only. A scribble adds to the strokes: there is more length of them to
the width of the word than any letters have. What else crosses words out is weighed together: the
longest straight stroke in any direction, how much hangs together, how much ink there is, how often
it comes and goes down a column, and how far a single stroke sticks out at both ends, each beside
what is usual on the page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

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
_SHORT, _STUCK_OUT = 1.5, 0.08  # in one so wide as well, unless the bar sticks out at both ends
_BAR = 0.45  # what is said of that
_THROUGH, _PARTLY = 0.9, 0.75  # share of a word's width; what is said where no stroke runs so far
_FRAME, _FRAMED = 0.4, 0.4  # share of a word's box: a wider room is a frame's; what is said of it
_RISE = 1.2  # of the longest straight stroke to its length, at most
_OF_BOX = 2.0  # such rises of a word's box: a steeper stroke crosses less than half of it
_BESIDE = 6.0  # pixels at both ends together by which neighbouring slopes differ
_WHOLE = 1.03  # shares are told by how little they lack of it
_THIN, _MIDDLE = 0.3, 0.4  # of a word's height: a lone end's, and how far off half of it, doubled
_LONGEST_END = 0.5  # heights: longer ends tell no more
_LEAST = 0.01  # of what is told by its logarithm


@dataclass(frozen=True)
class Marks:
    """What may tell that a word is crossed out.

    Attributes:
        line: 0–1, how much ink a level way through the word has, and how much of it in one run; 0
            where none has much.
        ink: of the word to its width, pixels.
        thickness: of its strokes, pixels.
        aspect: its width to its height.
        stroke: share of its width along which its longest straight stroke runs, in any direction.
        piece: share of its width along which its widest piece of connected ink runs.
        room: share of its box that the largest space inside a line spans.
        strands: strokes that a column of it crosses, on the mean.
        near, far: how far a single stroke sticks out at half its height, at the end where it does
            less and at the other one, in its heights.
    """

    line: float
    ink: float
    thickness: float
    aspect: float
    stroke: float
    piece: float
    room: float
    strands: float
    near: float
    far: float

    def struck(self, usual: Marks) -> float:
        """Probability that the word is crossed out, 0–1.

        Args:
            usual: of the words of its page (`usual_of`): some write more densely, some join their
                letters, and a scribble's own strokes run into each other.
        """
        if self.room > _FRAME and self.aspect > _BROAD:
            return _FRAMED
        most = max(_LENGTH, _DENSER * usual.ink / usual.thickness)
        by_line = _logistic((self.line - _LINE) / _LINE_WIDTH)
        by_odds = _logistic(float(shipped_odds() @ self.features(usual)))
        return max(
            min(max(by_line, by_odds), self._surest),
            _logistic((self.ink / usual.thickness - most) / _LENGTH_WIDTH),
        )

    @property
    def _surest(self) -> float:
        """What may be said at most.

        A letter of a short word may have a bar as long as the word; and joined or thick letters
        look crossed at times, but no stroke of theirs goes straight through the word.
        """
        if self.aspect < _NARROW:
            return _UNSURE
        if self.line > _LINE and self.aspect < _SHORT and self.near < _STUCK_OUT:
            return _BAR
        return 1.0 if self.stroke > _THROUGH else _PARTLY

    def features(self, usual: Marks) -> Floats:
        """What the odds of being crossed out depend on (14,), the constant 1 first."""
        own, others = (_measures(marks, usual.thickness) for marks in (self, usual))
        return np.array([1, -np.log(_WHOLE - self.stroke), *own, *(own - others)])


_NONE = Marks(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def usual_of(marks: Sequence[Marks]) -> Marks:
    """What the words of a page have in the middle.

    Args:
        marks: of its words; of none there is nothing usual.
    """
    return Marks(*np.median([astuple(each) for each in marks] or [astuple(_NONE)], axis=0).tolist())


@cache
def shipped_odds() -> Floats:
    """The coefficients (14,) of `Marks.features` that come with the product."""
    text = (resources.files("vision.models") / "strikes.json").read_text("utf-8")
    return np.array(json.loads(text)["odds"], np.float64)


def marks_on(ink: Mask) -> Marks:
    """What may tell that a word is crossed out.

    Args:
        ink: (height, width), true where there is ink; the word level.
    """
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) < 4 or len(columns) < 4:
        return _NONE
    whole = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    word, coarse = _small(whole, _HEIGHT), _small(whole, _COARSE)
    line = _line(word, 23) if _line(coarse, 11)[0] > _MAYBE else (0.0, 0.0)
    height, width = word.shape
    pixels = len(whole) / height  # of the page to one of this
    strands = _strands(word)
    near, far = sorted(_lone_ends(word, strands))
    density = pixels * float(word.sum()) / max(width, _BROAD * height)
    return Marks(
        line=sum(line) / 2,
        ink=density,
        thickness=pixels * _thickness(word),
        aspect=width / height,
        stroke=_longest_stroke(word) / width,
        piece=_widest_piece(word) / width,
        room=_widest_room(word) / word.size,
        strands=float(strands.sum() / max(1, np.count_nonzero(strands))),
        near=near / height,
        far=far / height,
    )


def _measures(marks: Marks, thickness: float) -> Floats:
    """What of a word (6,) is also seen beside what is usual: all but the line and the room."""
    length = marks.stroke * marks.aspect  # in heights of the word
    logs = np.log(np.maximum([length, marks.ink / thickness], _LEAST))
    ends = np.minimum([marks.near, marks.far], _LONGEST_END)
    return np.array([-np.log(_WHOLE - marks.piece), *logs, marks.strands, *ends])


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
        run = max(run, _longest_run(best) / width)
    return share, run


def _longest_stroke(word: Mask) -> int:
    """Columns along which the longest straight stroke runs, in any direction but steep ones."""
    height, width = word.shape
    near = cv2.dilate(word.astype(np.uint8), np.ones((3, 1), np.uint8)).astype(np.uint8)
    steepest = min(_RISE, _OF_BOX * height / width)
    slopes = np.linspace(-steepest, steepest, 2 * int(np.ceil(steepest * width / _BESIDE)) + 1)
    longest = 0
    for slope in sorted(slopes.tolist(), key=abs):
        level = _levelled(near, slope)
        inked = cv2.reduce(level, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel()
        longest = max(longest, _longest_run(level[inked > longest]))
    return longest


def _levelled(word: NDArray[np.uint8], slope: float) -> NDArray[np.uint8]:
    """The word with its columns moved so that strokes of that slope become level."""
    height, width = word.shape
    room = int(abs(slope) * width / 2) + 1
    move = np.array([[1, 0, 0], [-slope, 1, slope * width / 2 + room]])
    size = (width, height + 2 * room)
    return np.asarray(cv2.warpAffine(word, move, size, flags=cv2.INTER_NEAREST), np.uint8)


def _longest_run(rows: NDArray[np.uint8]) -> int:
    """The longest run of ink in any of some rows; 0 of none."""
    if not rows.size:
        return 0
    ended = np.zeros((len(rows), rows.shape[1] + 1), np.uint8)  # no run goes on in the next row
    ended[:, :-1] = rows
    bare = np.flatnonzero(ended.ravel() == 0)
    return int(np.diff(bare, prepend=-1).max()) - 1


def _widest_piece(word: Mask) -> int:
    """Columns along which the widest piece of connected ink runs."""
    _, _, pieces, _ = cv2.connectedComponentsWithStats(word.astype(np.uint8), connectivity=8)
    return int(pieces[1:, cv2.CC_STAT_WIDTH].max(initial=0))


def _widest_room(word: Mask) -> int:
    """Pixels of the box of the largest space that a line goes around; small gaps do not open it."""
    closed = cv2.dilate(np.pad(word, 2).astype(np.uint8), np.ones((3, 3), np.uint8))
    _, marks, rooms, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    inside = np.delete(rooms, [0, marks[0, 0]], axis=0)
    return int((inside[:, cv2.CC_STAT_WIDTH] * inside[:, cv2.CC_STAT_HEIGHT]).max(initial=0))


def _strands(word: Mask) -> NDArray[np.int64]:
    """How many strokes each column (width,) crosses."""
    above = np.pad(word, ((1, 0), (0, 0)))[:-1]
    return np.asarray((word & ~above).sum(axis=0), np.int64)


def _lone_ends(word: Mask, strands: NDArray[np.int64]) -> tuple[int, int]:
    """Columns at the left and at the right end that cross one thin stroke at half the height."""
    height = len(word)
    top, low = word.argmax(axis=0), height - 1 - word[::-1].argmax(axis=0)
    thin = (strands == 1) & (low - top < _THIN * height)
    lone = thin & (np.abs(low + top - height) < _MIDDLE * height)
    columns = np.append(lone, False), np.append(lone[::-1], False)
    return int(columns[0].argmin()), int(columns[1].argmin())


def _thickness(word: Mask) -> float:
    """Pixels that strokes are thick: a bar's pixels lie a quarter of that inside on the mean."""
    within = cv2.distanceTransform(np.pad(word, 1).astype(np.uint8), cv2.DIST_L2, 3)
    return max(0.7, 4 * float(within[within > 0].mean()) - 1)


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -40, 40))))
