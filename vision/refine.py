"""The place of a board made exact by the prints on its cubes.

A lattice that was grown from spots may be askew: some spots were edges of cubes or shadows between
them. Seen from straight above, with the size of the cells nearly known, prints are told from all
that more surely. Each should lie in the middle of its cell; where they do not, the board is moved,
turned and bent as they say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ink import INK_SPAN
from vision.lattice import Floats, Homography, apply
from vision.rectify import CELL_PX, RING, board_to_photo, sheet_of

_DARKER = (0.1, 0.25, 0.45)
"""By how much print is darker than what is around it, of the span from print to lid: faint print
needs the least, and print that touches a shadow the most."""

_AROUND = 5 * CELL_PX // 4 | 1  # pixels of the square that tells how light it is around
_SOFT = 1.0  # pixels
_SHORTEST, _LONGEST = 0.25, 0.8  # longer side of what may be a print, cells
_PART = 0.1  # and of a part of one, as the dash under a W
_PARTED = 0.38  # how far the middle of a part may lie from the largest, cells
_WHOLE = 0.6  # longer side of what parts may make together, cells
_ASTRAY = 0.45  # how far a print may lie from the middle of its cell, cells

_SPREAD = 0.08  # cells by which prints lie off the middles of their cells
_LIKELY = np.array([0.3] * 6 + [0.15] * 2)  # cells by which a board is moved, turned, or bent
_ROUNDS, _WEIGHINGS = 3, 6
_NEAR = 0.12  # cells within which a print speaks for a place
_FEWEST = 8  # prints
_LEAST_SHARE = 0.5  # of the cells that must show a print, and of the prints that must speak for it
_BETTER = 1.05  # times as many as before
_LEAST_MOVE = 0.12  # cells that a corner must move to be worth another look

_STARTS = tuple(np.array([x, 0, 0, y, 0, 0, 0, 0]) for x in (0.0, 0.5) for y in (0.0, 0.5))
"""Moves of a board that lies nearly well, and of one that was taken for the gaps between cubes."""

_ENDS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True)
class _Prints:
    """Where prints were found, and in which cells.

    Attributes:
        cells: (n, 2), middles of the cells that they are nearest to.
        places: (n, 2), their own.
    """

    cells: Floats
    places: Floats


@dataclass(frozen=True)
class _Fit:
    """A place that a board may have.

    Attributes:
        place: from its coordinates to those of the crops.
        prints: that it was fitted to.
        move: how far its farthest corner lies from where it was taken to be, cells.
    """

    place: Homography
    prints: _Prints
    move: float

    @property
    def is_told(self) -> bool:
        """Whether many prints speak for it."""
        return self._near(self.place) >= max(_FEWEST, _LEAST_SHARE * len(self.prints.cells))

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is worth another look, and more prints speak for it than for the old one."""
        return self.move >= _LEAST_MOVE and self._near(self.place) > _BETTER * self._near(np.eye(3))

    def _near(self, place: Homography) -> int:
        away = apply(place, self.prints.cells) - self.prints.places
        return int((np.hypot(*away.T) < _NEAR).sum())


def refined(inked: NDArray[np.uint8]) -> Homography | None:
    """Where a board truly lies, or None where it lies well, or the prints do not tell.

    Args:
        inked: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), as of `vision.ink.in_ink`.

    Returns:
        From true board coordinates to those that the crops were cut by. The board may prove to lie
        half a cell aside, so that it is another by a row or a column.
    """
    rows, cols = (count - 2 * RING for count in inked.shape[:2])
    boxes = [_dark_boxes(mask) for mask in _masks(sheet_of(inked)[..., 0])]
    fits = (_fit(boxes, np.array([cols, rows]) / 2, start) for start in _STARTS)
    fit = next((each for each in fits if each is not None and each.is_told), None)
    return fit.place if fit is not None and fit.is_elsewhere else None


def _fit(boxes: Sequence[Floats], half: Floats, start: Floats) -> _Fit | None:
    """The place near a start that the prints speak for; None where they are too few."""
    moves, place = start, _place(start, half)
    prints = _all_prints(boxes, place, half)
    for _ in range(_ROUNDS):
        if len(prints.cells) < max(_FEWEST, _LEAST_SHARE * 4 * half.prod()):
            return None
        moves = _fitted(prints, half, moves, start)
        place = _place(moves, half)
        prints = _all_prints(boxes, place, half)
    return _Fit(place, prints, float(np.hypot(*_moved(_ENDS, moves).T).max()))


def _place(moves: Floats, half: Floats) -> Homography:
    ends = (_ENDS + 1) * half + _moved(_ENDS, moves)
    cols, rows = (2 * half).astype(int).tolist()
    return board_to_photo([(float(x), float(y)) for x, y in ends], rows, cols)


def _masks(grey: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """What is darker than its surroundings, by more and more."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _SOFT)
    above = cv2.blur(soft, (_AROUND, _AROUND)) - soft
    for share in _DARKER:
        yield (above > share * INK_SPAN).astype(np.uint8)


def _dark_boxes(mask: NDArray[np.uint8]) -> Floats:
    """Boxes (n, 4) around what hangs together within the sheet: left, top, right, foot; cells."""
    stats = cv2.connectedComponentsWithStats(mask)[2][1:, : cv2.CC_STAT_AREA]
    low = stats[:, :2].astype(np.float64)
    high = low + stats[:, 2:]
    inside = (low > 0).all(axis=1) & (high < mask.shape[::-1]).all(axis=1)
    return np.hstack([low, high])[inside] / CELL_PX - RING


def _all_prints(boxes: Sequence[Floats], place: Homography, half: Floats) -> _Prints:
    """The prints under each threshold."""
    found = [_prints(each, place, half) for each in boxes]
    cells = np.concatenate([each.cells for each in found])
    return _Prints(cells, np.concatenate([each.places for each in found]))


def _prints(boxes: Floats, place: Homography, half: Floats) -> _Prints:
    """One a cell at most: the largest box near its middle, with other parts of the print."""
    sides = boxes[:, 2:] - boxes[:, :2]
    at = apply(np.linalg.inv(place), (boxes[:, :2] + boxes[:, 2:]) / 2)
    cells = np.floor(at)
    astray = np.abs(at - cells - 0.5).max(axis=1)
    on_board = (cells >= 0).all(axis=1) & (cells < 2 * half).all(axis=1)
    longer = sides.max(axis=1)
    fits = on_board & (astray < _ASTRAY) & (longer > _PART) & (longer < _LONGEST)
    best_first = np.argsort(-sides.prod(axis=1) * (1 - astray), kind="stable")
    best_first = best_first[fits[best_first]]
    codes = cells[best_first] @ [1, 2 * half[0]]
    kept, places = [], []
    for first in np.unique(codes, return_index=True)[1]:
        own = boxes[best_first[codes == codes[first]]]
        if longer[best_first[first]] > _SHORTEST:
            kept.append(cells[best_first[first]] + 0.5)
            places.append(_middle_of_print(own))
    return _Prints(np.array(kept).reshape(-1, 2), np.array(places).reshape(-1, 2))


def _middle_of_print(boxes: Floats) -> Floats:
    """Middle (2,) of the first box and of those (n, 4) that may be parts of the same print."""
    low, high = boxes[0, :2], boxes[0, 2:]
    middle = (low + high) / 2
    most = max(_WHOLE, float((high - low).max()))
    for box in boxes[1:]:
        wider, higher = np.minimum(low, box[:2]), np.maximum(high, box[2:])
        near = np.abs((box[:2] + box[2:]) / 2 - middle).max() < _PARTED
        if near and (higher - wider).max() <= most:
            low, high = wider, higher
    return np.asarray((low + high) / 2, np.float64)


def _fitted(prints: _Prints, half: Floats, moves: Floats, start: Floats) -> Floats:
    """The moves (8,) that most prints speak for; what is far from them counts little."""
    where = prints.cells / half - 1
    terms = _terms(where)
    away = prints.places - prints.cells
    stiff = np.diag((_SPREAD / _LIKELY) ** 2)
    for _ in range(_WEIGHINGS):
        misfit = np.hypot(*(away - _moved(where, moves)).T)
        weights = np.tile(1 / (1 + (misfit / _SPREAD) ** 2), 2)
        weighed = terms.T * weights
        aim = weighed @ away.T.ravel() + stiff @ start
        moves = np.linalg.solve(weighed @ terms + stiff, aim)
    return moves


def _terms(where: Floats) -> Floats:
    """What each move does at places (n, 2) from -1 to 1: (2 n, 8), x first, then y."""
    x, y = where.T
    still, plain = np.zeros((len(where), 3)), np.column_stack([np.ones(len(where)), x, y])
    return np.vstack(
        [
            np.column_stack([plain, still, x * x, x * y]),
            np.column_stack([still, plain, x * y, y * y]),
        ]
    )


def _moved(where: Floats, moves: Floats) -> NDArray[np.float64]:
    """By how much places (n, 2) are moved."""
    return np.asarray((_terms(where) @ moves).reshape(2, -1).T, np.float64)
