"""Boards with letters written on them, read in rendered photos."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from vision.errors import NoSwoggleBoardError
from vision.lattice import apply
from vision.rectify import board_to_photo
from vision.render.handwriting import Hand
from vision.render.negatives import NEGATIVES, render_negative
from vision.render.tray import PhotoOptions, render_tray
from vision.render.written_board import (
    SCRIBBLE,
    BoardShot,
    BoardStyle,
    ViewOptions,
    photograph_sheet,
    print_board,
    random_style,
    write_on,
)
from vision.swoggle.annotate import annotate_board
from vision.swoggle.capitals import CapitalClassifier
from vision.swoggle.printed import Cell, Ground, PrintedBoard, PrintedSquare
from vision.swoggle.read import read_board
from vision.swoggle.reading import EMPTY, OTHER, SURE, BoardReading, Doubt
from vision.training.real_capitals import real_letters, with_letters

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"

SQUARES = {
    "#": PrintedSquare(Ground.BLACK), "o": PrintedSquare(Ground.ORANGE),
    "y": PrintedSquare(Ground.YELLOW), "r": PrintedSquare(Ground.RED),
    "+": PrintedSquare(number="1", cross=True),
}  # fmt: skip


def board(text: str) -> PrintedBoard:
    rows = [
        tuple(SQUARES.get(sign) or PrintedSquare(number=sign) for sign in row)
        for row in text.split()
    ]
    return PrintedBoard(tuple(rows))


ALIKE = board(
    "r3131313r 3#43o34#3 14y353y41 334#1#433 1o35+53o1 334#1#433 14y353y41 3#43o34#3 r3131313r"
)
"""The same after every quarter turn."""

ASKEW = board(
    "r3131313o 3#4343413 14y353o41 334#14433 1o35+5341 334414#33 14y353y41 343434#43 r31#1313y"
)
"""No two of its sides look alike."""

TIDY = Hand(
    height=0.62, width=1.0, slant=0.05, turn=0.0, shake=0.012, bow=0.01, overshoot=0.02, line=0.07,
    ink=(28.0, 36.0, 110.0), cover=0.95, grain=0.1, soft=0.01, gaps=0.0,
)  # fmt: skip
WORDS: dict[Cell, str] = {
    **{(4, 2 + place): letter for place, letter in enumerate("PARADE")},
    **{(place, 8): letter for place, letter in enumerate("BRING")},
    **{(2, 1 + place): letter for place, letter in enumerate("SUMMITS")},
    (0, 0): "K", (1, 4): "W", (6, 6): "F",
}  # fmt: skip
VIEW = ViewOptions(size=(1000, 750), max_tilt=12.0, share=(0.85, 0.95), variety=0.1)


@pytest.fixture(scope="module")
def capitals() -> CapitalClassifier:
    return CapitalClassifier()


def style(seed: int = 1) -> BoardStyle:
    drawn = random_style(np.random.default_rng(seed))
    return replace(drawn, line=(60.0, 60.0, 60.0), thickness=0.03, number=0.26)


def shot(
    printed: PrintedBoard,
    signs: Mapping[Cell, str],
    seed: int = 1,
    view: ViewOptions = VIEW,
    struck: frozenset[Cell] = frozenset(),
) -> BoardShot:
    rng = np.random.default_rng(seed)
    sheet = write_on(print_board(printed, style()), signs, TIDY, rng, struck)
    return photograph_sheet(sheet, printed, rng, view)


def silent_errors(reading: BoardReading, signs: Mapping[Cell, str]) -> list[tuple[Cell, str, str]]:
    return [
        (cell, signs.get(cell, EMPTY), square.sign)
        for cell, square in reading.squares.items()
        if square.sign != signs.get(cell, EMPTY) and not square.doubtful
    ]


def misplaced(reading: BoardReading, taken: BoardShot, side: int = 9) -> float:
    """How far a corner lies from where it is, in squares."""
    gaps = np.subtract(reading.corners_px, taken.corners_px)
    pitch = np.linalg.norm(np.subtract(taken.corners_px[1], taken.corners_px[0])) / side
    return float(np.linalg.norm(gaps, axis=1).max() / pitch)


@pytest.mark.parametrize("yaw", [0, 35, 90, 180, 215, 270])
@pytest.mark.parametrize("printed", [ALIKE, ASKEW], ids=["alike", "askew"])
def test_a_board_is_read_whichever_way_it_lies(
    printed: PrintedBoard, yaw: int, capitals: CapitalClassifier
) -> None:
    taken = shot(printed, WORDS, yaw, replace(VIEW, yaw=(yaw, yaw)))
    reading = read_board(taken.photo, printed, capitals)
    assert misplaced(reading, taken) < 0.15
    assert not silent_errors(reading, WORDS)
    assert len(reading.doubtful) <= 6
    right = [reading.squares[cell].sign == letter for cell, letter in WORDS.items()]
    assert sum(right) >= len(WORDS) - 2


@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_read_from_forty_degrees_aslant(seed: int, capitals: CapitalClassifier) -> None:
    view = replace(VIEW, size=(1400, 1050), max_tilt=40.0, yaw=(-180.0, 180.0), busy=1.0)
    taken = shot(ALIKE, WORDS, seed, view)
    reading = read_board(taken.photo, ALIKE, capitals)
    assert misplaced(reading, taken) < 0.2
    assert not silent_errors(reading, WORDS)


@pytest.mark.parametrize("printed", [ALIKE, ASKEW], ids=["alike", "askew"])
def test_a_blank_board_is_empty_and_its_print_no_writing(
    printed: PrintedBoard, capitals: CapitalClassifier
) -> None:
    reading = read_board(shot(printed, {}, 3).photo, printed, capitals)
    assert not reading.letters
    assert len(reading.doubtful) <= 1


def test_without_numbers_the_writing_tells_the_turn(capitals: CapitalClassifier) -> None:
    bare = PrintedBoard(
        tuple(tuple(replace(one, number="") for one in row) for row in ALIKE.squares)
    )
    taken = shot(bare, WORDS, 5, replace(VIEW, yaw=(180, 180)))
    reading = read_board(taken.photo, bare, capitals)
    assert misplaced(reading, taken) < 0.15
    assert not silent_errors(reading, WORDS)


def test_where_nothing_tells_the_turn_all_of_it_is_asked(capitals: CapitalClassifier) -> None:
    bare = PrintedBoard(
        tuple(tuple(replace(one, number="") for one in row) for row in ALIKE.squares)
    )
    reading = read_board(shot(bare, {(2, 4): "O", (6, 4): "X"}, 5).photo, bare, capitals)
    assert set(reading.doubtful) == set(bare.open)
    assert all(Doubt.TURN in square.doubts for square in reading.squares.values())


def test_a_mirror_image_is_asked_about(capitals: CapitalClassifier) -> None:
    photo = np.ascontiguousarray(shot(ALIKE, WORDS, 5).photo[:, ::-1])
    reading = read_board(photo, ALIKE, capitals)
    assert set(reading.doubtful) == set(ALIKE.open)


def test_a_blank_board_without_numbers_has_no_turn_to_ask_about(
    capitals: CapitalClassifier,
) -> None:
    bare = PrintedBoard(
        tuple(tuple(replace(one, number="", cross=False) for one in row) for row in ALIKE.squares)
    )
    reading = read_board(shot(bare, {}, 5).photo, bare, capitals)
    assert not reading.doubtful
    assert not reading.letters


def test_what_is_out_of_the_photo_is_asked_about(capitals: CapitalClassifier) -> None:
    taken = shot(ALIKE, WORDS, 6, replace(VIEW, yaw=(0, 0), max_tilt=3.0))
    cut = np.ascontiguousarray(taken.photo[:, : round(taken.corners_px[1][0] - 100)])
    reading = read_board(cut, ALIKE, capitals)
    outside = [cell for cell, one in reading.squares.items() if Doubt.OUTSIDE in one.doubts]
    assert {col for _, col in outside} <= {7, 8}
    assert len(outside) >= 8
    assert all(reading.squares[cell].sign == OTHER for cell in outside)
    assert not silent_errors(reading, WORDS)


def test_a_board_that_is_mostly_out_of_the_photo_is_none(capitals: CapitalClassifier) -> None:
    taken = shot(ALIKE, WORDS, 6)
    with pytest.raises(NoSwoggleBoardError, match="9×9"):
        read_board(np.ascontiguousarray(taken.photo[:, :400]), ALIKE, capitals)


def test_scribbles_struck_letters_and_digits_are_asked_about(capitals: CapitalClassifier) -> None:
    odd = {(0, 2): SCRIBBLE, (2, 0): "3", (2, 4): "8", (4, 2): "4", (6, 0): "R", (6, 4): "M",
           (8, 2): "#", (8, 6): "A"}  # fmt: skip
    struck = frozenset({(6, 0), (6, 4), (8, 6)})
    taken = []
    for seed in (1, 2):
        reading = read_board(shot(ALIKE, odd, seed, VIEW, struck).photo, ALIKE, capitals)
        taken += [cell for cell in odd if not reading.squares[cell].doubtful]
    assert len(taken) <= 1  # of 16: a few of a hundred are taken for letters


def test_an_i_in_the_bar_of_the_cross_is_not_silently_lost(capitals: CapitalClassifier) -> None:
    words = {(4, 3): "B", (4, 4): "I", (4, 5): "T"}
    thin = replace(style(), bar=0.16, arm=0.9)
    for seed in (1, 2, 3):
        rng = np.random.default_rng(seed)
        sheet = write_on(
            print_board(ALIKE, thin), words, replace(TIDY, ink=(20.0, 20.0, 20.0)), rng
        )
        reading = read_board(photograph_sheet(sheet, ALIKE, rng, VIEW).photo, ALIKE, capitals)
        assert not silent_errors(reading, words)


def test_what_hides_the_print_hides_the_writing(capitals: CapitalClassifier) -> None:
    taken = shot(ALIKE, {(4, 1): "P", (4, 2): "A"}, 7)
    photo = taken.photo.copy()
    to_photo = board_to_photo(taken.corners_px, 9, 9)
    sheet = apply(to_photo, np.array([[4.8, 4.8], [8.2, 4.8], [8.2, 8.2], [4.8, 8.2]]))
    cv2.fillConvexPoly(photo, np.rint(sheet).astype(np.int32), (248, 248, 246))
    reading = read_board(photo, ALIKE, capitals)
    asked = set(reading.doubtful)
    assert {(5, 6), (5, 7), (6, 5), (6, 7), (7, 5), (7, 6)} <= asked


@pytest.mark.parametrize("kind", sorted(NEGATIVES))
def test_other_grids_are_no_board(kind: str, capitals: CapitalClassifier) -> None:
    photo = render_negative(kind, np.random.default_rng(2), (800, 600))
    with pytest.raises(NoSwoggleBoardError):
        read_board(photo, ALIKE, capitals)


def test_a_board_of_another_print_is_none(capitals: CapitalClassifier) -> None:
    photo = shot(ASKEW, WORDS).photo
    with pytest.raises(NoSwoggleBoardError):
        read_board(photo, ALIKE, capitals)


def test_a_tray_of_cubes_and_an_empty_table_are_no_boards(capitals: CapitalClassifier) -> None:
    tray = render_tray(
        Board.parse("IETC/HQuPE/SEYH/TOER"), np.random.default_rng(1), PhotoOptions(size=(800, 600))
    )
    for photo in (
        tray.photo,
        np.full((600, 800, 3), 200, np.uint8),
        np.zeros((5, 90, 3), np.uint8),
    ):
        with pytest.raises(NoSwoggleBoardError):
            read_board(photo, ALIKE, capitals)


def test_a_reading_tells_how_sure_it_is_of_each_square(capitals: CapitalClassifier) -> None:
    reading = read_board(shot(ASKEW, WORDS, 8).photo, ASKEW, capitals)
    assert list(reading.squares) == list(ASKEW.open)
    for square in reading.squares.values():
        assert square.shares[0] == (square.sign, square.confidence)
        assert sum(share for _, share in square.shares) == pytest.approx(1)
        assert square.doubtful or square.confidence >= SURE
    assert reading.squares[4, 2].letter == "P"
    assert reading.squares[0, 1].letter is None


def test_a_reading_at_another_size_has_its_places_there(capitals: CapitalClassifier) -> None:
    reading = read_board(shot(ASKEW, WORDS, 8).photo, ASKEW, capitals)
    twice = reading.scaled(2)
    np.testing.assert_allclose(twice.corners_px, 2 * np.array(reading.corners_px))
    for cell, square in reading.squares.items():
        np.testing.assert_allclose(twice.squares[cell].corners_px, 2 * np.array(square.corners_px))
    assert twice.letters == reading.letters


def test_letters_and_doubts_are_drawn_over_the_photo(capitals: CapitalClassifier) -> None:
    taken = shot(ASKEW, {**WORDS, (6, 2): SCRIBBLE}, 8)
    reading = read_board(taken.photo, ASKEW, capitals)
    drawn = annotate_board(taken.photo, reading)
    assert drawn.shape == taken.photo.shape
    assert _changed(drawn, taken.photo, reading, (4, 2)) > 0.05
    assert _changed(drawn, taken.photo, reading, (6, 2)) > 0.05
    assert _changed(drawn, taken.photo, reading, (6, 4)) < 0.01


def _changed(
    drawn: NDArray[np.uint8], photo: NDArray[np.uint8], reading: BoardReading, cell: Cell
) -> float:
    corners = np.array(reading.squares[cell].corners_px)
    mask = np.zeros(photo.shape[:2], np.uint8)
    inner = corners.mean(axis=0) + 0.9 * (corners - corners.mean(axis=0))
    cv2.fillConvexPoly(mask, np.rint(inner).astype(np.int32), 1)
    return float((drawn != photo).any(axis=2)[mask > 0].mean())


@pytest.mark.real_data
def test_real_letters_are_read_and_none_is_silently_wrong(capitals: CapitalClassifier) -> None:
    if not (HANDWRITING / "letters.json").exists():
        pytest.skip(f"the handwriting is not at {HANDWRITING}")
    letters = real_letters(HANDWRITING)
    asked = right = silent = 0
    for number in range(8):
        rng = np.random.default_rng(number)
        cells = [cell for cell in ALIKE.open if not ALIKE[cell].cross][:60]
        chosen = {cell: letters[rng.integers(len(letters))] for cell in cells}
        signs = {cell: letter.text for cell, letter in chosen.items()}
        sheet = with_letters(print_board(ALIKE, style()), chosen, rng)
        reading = read_board(photograph_sheet(sheet, ALIKE, rng, VIEW).photo, ALIKE, capitals)
        silent += len(silent_errors(reading, signs))
        right += sum(reading.squares[cell].sign == sign for cell, sign in signs.items())
        asked += sum(cell in signs for cell in reading.doubtful)
    assert silent <= 1
    assert right > 0.75 * 480
    assert asked < 0.8 * 480
