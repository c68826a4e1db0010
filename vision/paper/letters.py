"""Which capital stands in a letter box: the writing is cut free, brought to one size and read.

The net is trained on rendered handwriting and on fonts alone (``docs/training.md``).
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.letters_net import LABELS, LettersNet, NetFiles

__all__ = [
    "GLYPH_PX",
    "LABELS",
    "BoxLetters",
    "depth_of",
    "glyph_of",
    "normalised",
    "without_accent",
]

GLYPH_PX = 32
"""Side of the picture that the net is shown."""

_ROOM = 1.15  # side of what is shown, in sides of the writing
_LEAST = 0.45  # the same, in heights of a box, at least: a dot must not look like a letter
_STROKE = 0.35  # of the deepest ink: what is as deep is a stroke
_FAINT = 6  # deepest ink, in grey levels, of a box in which there is nothing to see
_SPECK = 0.004  # of a box: what is smaller is dirt
_OWN = 0.5  # share of a stroke that lies within its own box, at least
_FLAT = 0.05
_APART = (0.35, 0.6)  # of the deepest ink: at either depth an accent may come apart from its letter
_ACCENT = (0.8, 0.45)  # widths and heights of the letter that an accent has, at most

Ink = NDArray[np.uint8]


class BoxLetters:
    """The net with its calibration.

    Args:
        weights: the ONNX file, its calibration beside it; the shipped ones if not given.

    Raises:
        WeightsError: a file is missing or damaged.
    """

    def __init__(self, weights: Path | None = None) -> None:
        path = weights or Path(str(resources.files("vision.models") / "box_letters.onnx"))
        self._net = LettersNet(NetFiles(path, "letter boxes", "vision.training.box_letters"))

    def classify(self, glyphs: Ink) -> NDArray[np.float64]:
        """Natural logarithms (n, labels) of the probabilities of `LABELS`.

        Args:
            glyphs: (n, GLYPH_PX, GLYPH_PX), as of `glyph_of`; n may be 0.
        """
        return self._net.log_probabilities(normalised(glyphs))


def glyph_of(ink: Ink, margin: int) -> Ink:
    """The writing of a box alone, in the middle of a picture of its own size.

    What reaches in from the neighbours is left out, and so is dirt.

    Args:
        ink: (height, width), how much light each pixel of a box and its margin lacks, without
            what is printed there.
        margin: pixels of it around the box.

    Returns:
        (GLYPH_PX, GLYPH_PX), uint8: the deepest ink is 255; all 0 where nothing is written.
    """
    height = ink.shape[0] - 2 * margin
    strokes = _own_strokes(ink, margin)
    if strokes is None:
        return np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    left, top, wide, high = cv2.boundingRect(strokes)
    side = max(_ROOM * max(wide, high), _LEAST * height)
    zoom = GLYPH_PX / side
    near = cv2.dilate(strokes, np.ones((3, 3), np.uint8))
    alone = np.where(near > 0, ink, 0).astype(np.uint8)
    return _framed(alone, (left + wide / 2, top + high / 2), zoom)


def without_accent(ink: Ink, margin: int) -> Ink | None:
    """The letter of a box without something small above it, as of `glyph_of`; None without that.

    What stands there may be an accent, at which the net does not look, or a piece of the letter:
    that tells whether the rest is the same letter.

    Args:
        ink: as of `glyph_of`.
        margin: pixels of it around the box.
    """
    for depth in _APART:
        strokes = _own_strokes(ink, margin, depth)
        above = None if strokes is None else _small_above(strokes)
        if above is not None:
            near = cv2.dilate(above, np.ones((3, 3), np.uint8))
            return glyph_of(np.where(near > 0, 0, ink).astype(np.uint8), margin)
    return None


def _small_above(strokes: Ink) -> Ink | None:
    """Mask of all that lies above the largest of some strokes, if it is small beside that."""
    _, marks, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    letter = stats[1 + stats[1:, cv2.CC_STAT_AREA].argmax()]
    ends = stats[:, cv2.CC_STAT_TOP] + stats[:, cv2.CC_STAT_HEIGHT]
    above = ends <= letter[cv2.CC_STAT_TOP] + 1
    above[0] = False
    sides = [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]
    small = (stats[above][:, sides] < np.array(_ACCENT) * letter[sides]).all()
    return np.asarray(above[marks], np.uint8) if above.any() and small else None


def depth_of(ink: Ink) -> float:
    """How dark the writing in a part is, 0–255: single specks do not count."""
    return float(np.percentile(ink, 98.5))


def normalised(glyphs: Ink) -> NDArray[np.float32]:
    """Glyphs (n, side, side) as the net takes them: (n, 1, side, side), mean 0, spread 1."""
    values = glyphs.astype(np.float32)[:, None] / 255
    mean = values.mean(axis=(2, 3), keepdims=True)
    spread = values.std(axis=(2, 3), keepdims=True)
    return np.ascontiguousarray((values - mean) / (spread + _FLAT))


def _own_strokes(ink: Ink, margin: int, depth: float = _STROKE) -> Ink | None:
    """Mask (height, width) of the strokes that belong to the box, or None where it has none.

    Args:
        ink: as of `glyph_of`.
        margin: pixels of it around the box.
        depth: of the deepest ink: what is as deep is a stroke.
    """
    inside = ink[margin:-margin, margin:-margin]
    deepest = depth_of(inside)
    if deepest < _FAINT:
        return None
    mask = (ink >= depth * deepest).astype(np.uint8)
    _, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    home = np.bincount(marks[margin:-margin, margin:-margin].ravel(), minlength=len(stats))
    area = stats[:, cv2.CC_STAT_AREA]
    own = (area > _SPECK * inside.size) & (home > _OWN * area)
    own[0] = False
    return np.asarray(own[marks], np.uint8) if own.any() else None


def _framed(ink: Ink, middle: tuple[float, float], zoom: float) -> Ink:
    """The ink around a place, at a zoom, its deepest 255."""
    shift = GLYPH_PX / 2 - zoom * np.array(middle)
    # warped at twice the size and shrunk: a plain warp drops thin strokes
    warp = 2 * np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]])
    large = cv2.warpAffine(ink, warp, (2 * GLYPH_PX, 2 * GLYPH_PX))
    small = cv2.resize(large, (GLYPH_PX, GLYPH_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small * (255 / max(float(small.max()), 1)), 0, 255), np.uint8)
