"""Whether the words of a page are printed or typed: in print each letter comes again as it was.

Nobody writes two letters quite alike. So the pieces of ink are compared, each with those of all
other words: in print nearly each has a twin of the same size and shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ALIKE = 0.66  # how much twins have in common, in the middle: real hands reach 0.54, print has 0.71
_FEWEST = 30  # pieces of ink that say anything
_MOST = 250  # that are compared
_SIDE = 16  # of a piece when it is compared
_LOW, _WIDE = 0.3, 1.6  # heights of a word: what is lower is no letter, what is wider several


def is_printed(pictures: Sequence[NDArray[np.uint8]]) -> bool:
    """Whether words are printed; false where too few letters stand alone to tell.

    Args:
        pictures: (height, width) each, grey, a word, dark on white; of one page.
    """
    pieces = [(word, *piece) for word, it in enumerate(pictures) for piece in _pieces(it)]
    some = pieces[:: max(1, -(-len(pieces) // _MOST))]
    if len(some) < _FEWEST:
        return False
    words, sizes, shapes = (np.array(part, np.float64) for part in zip(*some, strict=True))
    return bool(np.median(_best_likeness(words, sizes, shapes)) > _ALIKE)


def _pieces(picture: NDArray[np.uint8]) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Height and width of each piece of ink that may be a letter, and its shape, flattened."""
    level, _ = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = (picture < level).astype(np.uint8)
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    for number, (left, top, wide, tall, _) in enumerate(boxes.tolist()):
        if number and tall >= _LOW * len(picture) and wide <= _WIDE * len(picture):
            own = labels[top : top + tall, left : left + wide] == number
            small = cv2.resize(own.astype(np.float32), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
            yield (tall, wide), np.asarray(small, np.float64).ravel()


def _best_likeness(words: Floats, sizes: Floats, shapes: Floats) -> Floats:
    """Of each piece (n,) how much the most alike one of another word has in common with it."""
    likeness = np.array([_likeness(one, shapes) for one in shapes])
    for side in sizes.T:
        likeness *= np.minimum(side[:, None] / side, side / side[:, None])
    likeness[words[:, None] == words] = 0
    return np.asarray(likeness.max(axis=1), np.float64)


def _likeness(one: Floats, all_of_them: Floats) -> Floats:
    common = np.minimum(one, all_of_them).sum(axis=1)
    return np.asarray(common / np.maximum(one, all_of_them).sum(axis=1), np.float64)
