"""The one call from a photo to the letters on a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.errors import NoSwoggleBoardError
from vision.lattice import Floats, Homography, apply
from vision.rectify import CELL_PX, CROP_PX, cut_cells
from vision.scaling import shrunk
from vision.swoggle.capitals import LABELS, CapitalClassifier, inks_of
from vision.swoggle.grid import find_grids
from vision.swoggle.place import Placement, placements
from vision.swoggle.printed import Cell, PrintedBoard
from vision.swoggle.reading import EMPTY, OTHER, SURE, BoardReading, Corners, Doubt, SquareReading

LONG_SIDES = (1200, 1800)
"""Pixels of the longer side at which a board is looked for, one after the other."""

_EDGE = (CROP_PX - CELL_PX) // 2  # of a crop, beyond its square
_CORNER = slice(_EDGE + 2, _EDGE + 16)  # of a square, where its number stands
_CHANCE = 0.25  # of the number's corner to be the darkest where there is no number
_CLEAR = 6.0  # standard deviations above chance that tell the numbers
_WRITING_CLEAR = 10.0  # nats between the best turn and the next
_CAPITALS = slice(LABELS.index(EMPTY))  # of the labels
_NUMBER_SEEN = 0.2  # of the usual ink of numbers: with less there is none to be seen
_COVERED_BESIDE = 2  # neighbours without their print that make a square doubtful
_INSIDE = 0.15  # of a square at its edges may be out of the photo


@dataclass(frozen=True)
class _View:
    """The board at one turn.

    Attributes:
        homography: from board coordinates to photo pixels.
        inks: (squares, CROP_PX, CROP_PX), of the open ones.
        corners: (squares, 4), mean ink in the upper left, upper right, lower right, lower left.
    """

    homography: Homography
    inks: NDArray[np.uint8]
    corners: Floats


def read_board(
    photo: NDArray[np.uint8], board: PrintedBoard, classifier: CapitalClassifier
) -> BoardReading:
    """Read the capitals on a board whose print is known, however it lies in the photo.

    Which way up it is tell the colours of its squares; where they look alike at several turns, the
    numbers in the upper right corners of its squares; where those are not seen, the writing.

    Args:
        photo: (height, width, 3), RGB.
        board: what is printed on it.
        classifier: tells the capitals.

    Raises:
        NoSwoggleBoardError: no such board is seen.
    """
    ways = _ways(photo, board)
    views = [_view(photo, board, way.homography) for way in ways]
    view, sure_of_turn = _upright(views, board, classifier)
    scores = classifier.classify(view.inks)
    doubts = _doubts_of_print(photo.shape[:2], view, board)
    squares = {
        cell: _square(view.homography, cell, score, doubts[cell])
        for cell, score in zip(board.open, scores, strict=True)
    }
    squares = _with_crosses(squares, board)
    sure_of_turn = sure_of_turn and _stands_upright(view.inks, scores, classifier)
    if not sure_of_turn and any(square.sign != EMPTY for square in squares.values()):
        squares = {cell: _doubted(square, Doubt.TURN) for cell, square in squares.items()}
    return BoardReading(squares, _corners(view.homography, (0, 0), board.cols, board.rows))


def _ways(photo: NDArray[np.uint8], board: PrintedBoard) -> list[Placement]:
    """How the board may lie, to pixels of the photo."""
    for long_side in LONG_SIDES:
        scale = min(1.0, long_side / max(photo.shape[:2]))
        picture = shrunk(photo, scale)
        back = np.diag([1 / scale, 1 / scale, 1.0])
        for grid in find_grids(picture):
            ways = placements(picture, grid, board)
            if ways:
                return [replace(way, homography=back @ way.homography) for way in ways]
        if scale == 1.0:
            break
    raise NoSwoggleBoardError(
        f"no board of {board.rows}×{board.cols} squares with these colours was found in the photo",
        "Take it from above in even light with all of the board in view; "
        "for another print than wordtray's own give --board FILE.",
    )


def _view(photo: NDArray[np.uint8], board: PrintedBoard, homography: Homography) -> _View:
    crops = cut_cells(photo, homography, board.rows, board.cols)[1:-1, 1:-1]
    inks = inks_of(np.array([crops[cell] for cell in board.open]))
    near, far = _CORNER, slice(CROP_PX - _CORNER.stop, CROP_PX - _CORNER.start)
    corners = [inks[:, y, x] for y, x in ((near, near), (near, far), (far, far), (far, near))]
    return _View(homography, inks, np.array([one.mean(axis=(1, 2)) for one in corners]).T)


def _upright(
    views: Sequence[_View], board: PrintedBoard, classifier: CapitalClassifier
) -> tuple[_View, bool]:
    """The view that is the right way up, and whether that is sure."""
    if len(views) == 1:
        return views[0], True
    numbered = _numbered(board)
    if numbered.any():
        clear = [_clearness(view.corners[numbered]) for view in views]
        best = int(np.argmax(clear))
        if clear[best] > _CLEAR:
            return views[best], True
    told = [float(classifier.classify(view.inks).max(axis=1).sum()) for view in views]
    order = np.argsort(told)[::-1]
    return views[order[0]], told[order[0]] - told[order[1]] > _WRITING_CLEAR


def _stands_upright(inks: NDArray[np.uint8], scores: Floats, classifier: CapitalClassifier) -> bool:
    """Whether what is written reads no better at another turn, or in a mirror."""
    written = inks[scores.argmax(axis=1) != LABELS.index(EMPTY)]
    views = [*(np.rot90(written, turn, (1, 2)) for turn in range(4)), written[:, :, ::-1]]
    told = [float(classifier.classify(view)[:, _CAPITALS].max(axis=1).sum()) for view in views]
    return told[0] > max(told) - _WRITING_CLEAR


def _numbered(board: PrintedBoard) -> NDArray[np.bool_]:
    """Which of the open squares have a number."""
    return np.array([bool(board[cell].number) for cell in board.open])


def _clearness(corners: Floats) -> float:
    """By how much more often than by chance the number's corner is the darkest, in deviations."""
    share = float((corners.argmax(axis=1) == 1).mean())
    return float((share - _CHANCE) * np.sqrt(len(corners) / (_CHANCE * (1 - _CHANCE))))


def _doubts_of_print(
    shape: tuple[int, ...], view: _View, board: PrintedBoard
) -> Mapping[Cell, tuple[Doubt, ...]]:
    """Doubts about squares that are out of the photo, or whose print is not seen."""
    covered = _covered(view, board)
    doubts: dict[Cell, tuple[Doubt, ...]] = {
        cell: (Doubt.COVERED,) if cell in covered else () for cell in board.open
    }
    outside = [cell for cell in board.open if not _is_inside(view.homography, cell, shape)]
    return doubts | dict.fromkeys(outside, (Doubt.OUTSIDE,))


def _covered(view: _View, board: PrintedBoard) -> set[Cell]:
    """Squares whose number is not seen where those of most others are.

    Also squares without a number that have several such neighbours.
    """
    numbered = _numbered(board)
    if not numbered.any() or _clearness(view.corners[numbered]) <= _CLEAR:
        return set()
    inks = dict(zip(board.open, view.corners[:, 1], strict=True))
    told = {cell: inks[cell] for cell in board.open if board[cell].number}
    usual = float(np.median(list(told.values())))
    covered = {cell for cell, ink in told.items() if ink < _NUMBER_SEEN * usual}
    bare = (cell for cell in board.open if cell not in told)
    return covered | {cell for cell in bare if len(covered & _around(cell)) >= _COVERED_BESIDE}


def _around(cell: Cell) -> set[Cell]:
    row, col = cell
    return {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} - {cell}


def _is_inside(homography: Homography, cell: Cell, shape: tuple[int, ...]) -> bool:
    low, high = np.array(cell[::-1]) + _INSIDE, np.array(cell[::-1]) + 1 - _INSIDE
    seen = apply(homography, np.array([low, [high[0], low[1]], high, [low[0], high[1]]]))
    return bool((seen >= 0).all() and (seen <= (shape[1], shape[0])).all())


def _square(
    homography: Homography, cell: Cell, score: Floats, doubts: tuple[Doubt, ...]
) -> SquareReading:
    corners = _corners(homography, cell, 1, 1)
    if Doubt.OUTSIDE in doubts:
        return SquareReading(OTHER, 0.0, (), corners, doubts)
    order = np.argsort(-score)
    shares = tuple((LABELS[label], float(np.exp(score[label]))) for label in order)
    sign, confidence = shares[0]
    if sign == OTHER:
        doubts = (*doubts, Doubt.NO_CAPITAL)
    elif confidence < SURE:
        doubts = (*doubts, Doubt.UNCLEAR)
    return SquareReading(sign, confidence, shares, corners, doubts)


def _with_crosses(
    squares: Mapping[Cell, SquareReading], board: PrintedBoard
) -> dict[Cell, SquareReading]:
    """Squares with a cross that seem empty beside letters are doubtful: an I may hide in it."""
    return {
        cell: _doubted(square, Doubt.ON_CROSS)
        if board[cell].cross and square.sign == EMPTY and _has_neighbour(squares, cell)
        else square
        for cell, square in squares.items()
    }


def _has_neighbour(squares: Mapping[Cell, SquareReading], cell: Cell) -> bool:
    row, col = cell
    beside = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return any(one in squares and squares[one].sign != EMPTY for one in beside)


def _doubted(square: SquareReading, doubt: Doubt) -> SquareReading:
    return replace(square, doubts=(*square.doubts, doubt))


def _corners(homography: Homography, cell: Cell, width: int, height: int) -> Corners:
    row, col = cell
    ends = [[col, row], [col + width, row], [col + width, row + height], [col, row + height]]
    first, second, third, fourth = ((x, y) for x, y in apply(homography, np.array(ends)).tolist())
    return first, second, third, fourth
