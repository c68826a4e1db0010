"""What another reader says of the cells of a tray: it may raise doubts and never lays one.

Each print is cut out upright, by the turn that it was read with, as black on white, which is what
readers of books know. A reader that says nothing has no opinion; one that says another letter makes
the cell doubtful, however sure the first reading was.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Face
from vision.reading import FaceReading, TrayReading
from vision.rectify import board_to_photo
from vision.tray import row_turns

PRINT_PX = 112
"""Side of the picture of a print, pixels."""

_BORDER_PX = 20  # white around it
_SPAN = 0.8  # side of the square that is cut from a cell, cells
_EDGE_PX = 4
_LEAST_SPECK = 12  # pixels
_LEAST_CONTRAST = 8.0  # grey levels
_DARK = 128
_CORE = slice((PRINT_PX - 2 * _BORDER_PX) // 4, -(PRINT_PX - 2 * _BORDER_PX) // 4)


def upright_prints(photo: NDArray[np.uint8], reading: TrayReading) -> NDArray[np.uint8]:
    """The print of each cell, row by row.

    Args:
        photo: (height, width, 3), RGB, the one that was read.
        reading: of it.

    Returns:
        (cells, PRINT_PX, PRINT_PX), black print on white; what runs along the border is left out.
    """
    rows, cols = len(reading.cells), len(reading.cells[0])
    homography = board_to_photo(reading.corners_px, rows, cols)
    turns = row_turns(homography, rows, cols)
    cells = [cell for row in reading.cells for cell in row]
    prints = []
    for place, (cell, row_turn) in enumerate(zip(cells, turns, strict=True)):
        row, col = divmod(place, cols)
        to_board = _upright(col + 0.5, row + 0.5, cell.turn - float(row_turn))
        prints.append(_print_alone(_black_on_white(_cut(photo, homography @ to_board))))
    return np.array(prints, np.uint8)


def with_second_opinion(reading: TrayReading, answers: Sequence[str]) -> TrayReading:
    """The reading with the cells doubtful where the other reader says another letter.

    Args:
        reading: the first reading.
        answers: what the other reader says of each cell, row by row; empty where it says nothing.
    """
    cols = len(reading.cells[0])
    opinions = [answers[start : start + cols] for start in range(0, len(answers), cols)]
    cells = tuple(
        tuple(_heard(cell, answer) for cell, answer in zip(row, said, strict=True))
        for row, said in zip(reading.cells, opinions, strict=True)
    )
    return replace(reading, cells=cells)


def agrees(face: Face, answer: str) -> bool:
    """Whether an answer does not speak against a face.

    Of two letters on a face a reader of single letters sees one; marks over a letter it leaves out;
    of a blank face or none at all it cannot say anything.
    """
    said = "".join(answer.split()).upper()
    if not said or face in {BLANK, MISSING}:
        return True
    plain = unicodedata.normalize("NFD", face).encode("ascii", "ignore").decode().upper()
    return said == plain or (len(plain) > 1 and said in plain)


def _heard(cell: FaceReading, answer: str) -> FaceReading:
    doubtful = cell.doubtful or not agrees(cell.face, answer)
    return replace(cell, doubtful=doubtful, second=answer)


def _upright(x: float, y: float, turn: float) -> NDArray[np.float64]:
    """From pixels of a print's picture to board coordinates, around a middle; turn in degrees."""
    side = PRINT_PX - 2 * _BORDER_PX
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    scale = np.array([[cos, sin], [-sin, cos]]) * _SPAN / side
    middle = np.full(2, (side - 1) / 2)
    return np.vstack([np.column_stack([scale, np.array([x, y]) - scale @ middle]), [0, 0, 1]])


def _cut(photo: NDArray[np.uint8], warp: NDArray[np.float64]) -> NDArray[np.uint8]:
    side = PRINT_PX - 2 * _BORDER_PX
    return cv2.warpPerspective(
        photo,
        warp,
        (side, side),
        flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.uint8)


def _black_on_white(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Print and ground parted, in the view in which they differ most."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    views = [np.asarray(view, np.float64) for view in (grey, picture.min(axis=2))]
    view = cv2.GaussianBlur(max(views, key=lambda view: float(view.std())), (0, 0), 0.8)
    low, high = np.percentile(view, [2, 98])
    level = np.clip((view - low) / max(high - low, _LEAST_CONTRAST) * 255, 0, 255).astype(np.uint8)
    edge = np.ones(level.shape, bool)
    edge[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX] = False
    if np.median(level[edge]) < _DARK:
        level = (255 - level).astype(np.uint8)
    _, mask = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.asarray(mask, np.uint8)


def _print_alone(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Without specks, and without what runs along the border: edges and neighbours."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((mask < _DARK).astype(np.uint8))
    alone = np.full_like(mask, 255)
    for label in range(1, count):
        left, top, width, height, area = stats[label].tolist()
        part = labels == label
        touches = min(left, top) == 0 or max(left + width, top + height) == len(mask)
        is_print = not touches or part[_CORE, _CORE].any()
        if area >= _LEAST_SPECK and is_print:
            alone[part] = 0
    return np.asarray(np.pad(alone, _BORDER_PX, constant_values=255), np.uint8)
