"""Draws written squares to train and measure the reader of capitals on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.rectify import board_to_photo, cut_cells
from vision.render.handwriting import CAPITALS, OTHERS, Hand, random_hand_of_writer
from vision.render.written_board import (
    SCRIBBLE,
    Sheet,
    ViewOptions,
    photograph_sheet,
    print_board,
    random_style,
    write_on,
)
from vision.swoggle.capitals import LABELS, inks_of
from vision.swoggle.printed import Cell, Ground, PrintedBoard, PrintedSquare
from vision.swoggle.reading import EMPTY, OTHER

SIDE = 6
"""Squares a side of a patch that is drawn at once."""

_COLOURED = (Ground.ORANGE, Ground.YELLOW, Ground.RED)
_SHARES = {"capital": 0.7, "empty": 0.2, "odd": 0.1}
_ODD = ("sign", "sign", "struck", "struck", "scribble", "twice")
_SHEET_PX = 48
_WIPED, _TRACE = 0.1, (0.01, 0.04)  # share of empty squares that were wiped; cover of what is left


@dataclass(frozen=True)
class Squares:
    """Written squares with their truth.

    Attributes:
        inks: (n, CROP_PX, CROP_PX), as of `vision.swoggle.capitals.inks_of`.
        labels: (n,), places in `LABELS`.
    """

    inks: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)


def draw_squares(seed: tuple[int, ...], count: int, variety: float | None = None) -> Squares:
    """At least so many squares; the same seed gives the same.

    Args:
        seed: of all that is drawn.
        count: of squares.
        variety: of hand and light, 0 tidy to 1 anything; all of them where it is not given.
    """
    rng = np.random.default_rng(seed)
    patches: list[Squares] = []
    while sum(map(len, patches)) < count:
        patches.append(_patch(rng, rng.uniform(0, 1) if variety is None else variety))
    return joined(patches)


def joined(parts: Sequence[Squares]) -> Squares:
    """All of them together."""
    return Squares(
        np.concatenate([part.inks for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )


def _patch(rng: np.random.Generator, variety: float) -> Squares:
    """The squares of one photo."""
    board = _random_board(rng)
    sheet = print_board(board, random_style(rng), _SHEET_PX)
    hand = random_hand_of_writer(rng, variety)
    truth: dict[Cell, str] = {}
    for cell in board.open:
        sheet, truth[cell] = _written(sheet, cell, hand, rng)
    pitch = float(np.exp(rng.uniform(np.log(17), np.log(60))))
    side = round(1.25 * SIDE * pitch)
    tilted = rng.random() < 0.7
    options = ViewOptions(
        size=(side, side), max_tilt=40.0 if tilted else 8.0, yaw=(-8, 8), share=(1.0, 1.15),
        variety=variety,
    )  # fmt: skip
    shot = photograph_sheet(sheet, board, rng, options)
    spread = pitch * rng.choice([0.02, 0.05])
    near = np.array(shot.corners_px) + rng.normal(0, spread, (4, 2))
    homography = board_to_photo([(float(x), float(y)) for x, y in near], SIDE, SIDE)
    crops = cut_cells(shot.photo, homography, SIDE, SIDE)[1:-1, 1:-1]
    inks = inks_of(np.array([crops[cell] for cell in board.open]))
    return Squares(inks, np.array([LABELS.index(truth[cell]) for cell in board.open]))


def _random_board(rng: np.random.Generator) -> PrintedBoard:
    return PrintedBoard(tuple(tuple(_random_square(rng) for _ in range(SIDE)) for _ in range(SIDE)))


def _random_square(rng: np.random.Generator) -> PrintedSquare:
    chance = rng.random()
    if chance < 0.05:
        return PrintedSquare(Ground.BLACK)
    if chance < 0.25:
        return PrintedSquare(_COLOURED[rng.integers(3)], cross=rng.random() < 0.05)
    number = "" if rng.random() < 0.05 else str(rng.integers(1, 10 if rng.random() < 0.9 else 20))
    return PrintedSquare(number=number, cross=rng.random() < 0.06)


def _written(sheet: Sheet, cell: Cell, hand: Hand, rng: np.random.Generator) -> tuple[Sheet, str]:
    """The sheet with a square written on, and the label of the square."""
    kind = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    letter = list(CAPITALS)[rng.integers(len(CAPITALS))]
    if kind == "empty" and rng.random() < _WIPED:
        trace = replace(hand, cover=rng.uniform(*_TRACE))
        return write_on(sheet, {cell: letter}, trace, rng), EMPTY
    if kind == "empty":
        return sheet, EMPTY
    if kind == "capital":
        return write_on(sheet, {cell: letter}, hand, rng), letter
    return _oddly_written(sheet, cell, letter, hand, rng), OTHER


def _oddly_written(
    sheet: Sheet, cell: Cell, letter: str, hand: Hand, rng: np.random.Generator
) -> Sheet:
    match _ODD[rng.integers(len(_ODD))]:
        case "sign":
            sign = list(OTHERS)[rng.integers(len(OTHERS))]
            return write_on(sheet, {cell: sign}, hand, rng)
        case "struck":
            return write_on(sheet, {cell: letter}, hand, rng, frozenset([cell]))
        case "twice":
            other = list(CAPITALS)[rng.integers(len(CAPITALS))]
            return write_on(write_on(sheet, {cell: letter}, hand, rng), {cell: other}, hand, rng)
    return write_on(sheet, {cell: SCRIBBLE}, hand, rng)
