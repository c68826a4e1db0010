"""Rendered photos of boards: what lies where they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.lattice import apply
from vision.rectify import board_to_photo
from vision.render.handwriting import random_hand_of_writer
from vision.render.written_board import (
    SCRIBBLE,
    ViewOptions,
    photograph_sheet,
    print_board,
    random_style,
    write_on,
)
from vision.swoggle.printed import Ground, PrintedBoard, PrintedSquare

PLAIN, BLACK = PrintedSquare(number="3"), PrintedSquare(Ground.BLACK)
BOARD = PrintedBoard(((BLACK, PLAIN, PLAIN), (PLAIN, PLAIN, PLAIN), (PLAIN, PLAIN, BLACK)))
OPTIONS = ViewOptions(size=(480, 360), variety=0.1, max_tilt=40.0, yaw=(-180.0, 180.0))


def test_rows_of_other_lengths_are_no_board() -> None:
    with pytest.raises(ValueError, match="one length"):
        PrintedBoard(((PLAIN, PLAIN), (PLAIN,)))
    with pytest.raises(ValueError, match="one length"):
        PrintedBoard(((),))


def test_black_squares_cannot_be_written_on() -> None:
    assert len(BOARD.open) == 7
    assert (0, 0) not in BOARD.open


def test_numbers_stand_in_the_upper_right_corner() -> None:
    for seed in range(5):
        sheet = print_board(BOARD, random_style(np.random.default_rng(seed)))
        x, y = (round(part) for part in sheet.middle((1, 1)))
        upper = sheet.pixels[y - 28 : y, x : x + 28].min()
        others = (sheet.pixels[y - 24 : y + 24, x - 24 : x], sheet.pixels[y : y + 24, x : x + 24])
        assert upper < 200 < min(other.min() for other in others)


@pytest.mark.parametrize("seed", range(6))
def test_the_corners_are_where_the_photo_shows_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style = replace(random_style(rng), line=(250.0, 250.0, 250.0))
    shot = photograph_sheet(print_board(BOARD, style), BOARD, rng, OPTIONS)
    places = apply(
        board_to_photo(shot.corners_px, 3, 3), np.array([[0.5, 0.5], [2.5, 2.5], [1.3, 1.6]])
    )
    first, last, plain = (int(shot.photo[round(y), round(x)].max()) for x, y in places)
    assert max(first, last) < 0.6 * plain


def test_the_same_seed_gives_the_same_photo() -> None:
    photos = []
    for seed in (1, 1, 2):
        rng = np.random.default_rng(seed)
        hand = random_hand_of_writer(rng, 0.5)
        sheet = write_on(print_board(BOARD, random_style(rng)), {(1, 1): "A"}, hand, rng)
        photos.append(photograph_sheet(sheet, BOARD, rng, OPTIONS).photo)
    assert np.array_equal(photos[0], photos[1])
    assert not np.array_equal(photos[0], photos[2])


def test_writing_changes_its_squares_alone() -> None:
    rng = np.random.default_rng(4)
    blank = print_board(BOARD, random_style(rng))
    hand = replace(random_hand_of_writer(rng, 0.0), height=0.6)
    written = write_on(blank, {(1, 1): SCRIBBLE, (0, 2): "T"}, hand, rng, frozenset({(0, 2)}))
    changed = (written.pixels != blank.pixels).any(axis=2)
    cells = changed[round(blank.left) :, round(blank.left) :][:192, :192].reshape(3, 64, 3, 64)
    shares = cells.mean(axis=(1, 3))
    assert (shares[[1, 0], [1, 2]] > 0.04).all()
    assert shares[2, 0] == shares[1, 0] == 0
