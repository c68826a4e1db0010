"""Written squares for training and measuring, and what is counted on them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.rectify import CROP_PX
from vision.render.written_board import print_board, random_style
from vision.swoggle.capitals import LABELS
from vision.swoggle.printed import PrintedBoard, PrintedSquare
from vision.swoggle.reading import EMPTY, OTHER
from vision.training.capitals_figures import figures_of
from vision.training.real_capitals import real_letters, with_letters
from vision.training.squares import draw_squares


def test_the_same_seed_draws_the_same_squares() -> None:
    first, again, other = (draw_squares((seed,), 60) for seed in (1, 1, 2))
    assert len(first) >= 60
    assert first.inks.shape[1:] == (CROP_PX, CROP_PX)
    assert np.array_equal(first.inks, again.inks)
    assert np.array_equal(first.labels, again.labels)
    assert not np.array_equal(first.labels[:30], other.labels[:30])


def test_squares_of_every_label_are_drawn() -> None:
    labels = draw_squares((3,), 2000).labels
    counts = np.bincount(labels, minlength=len(LABELS))
    assert (counts > 10).all()
    assert 0.15 < counts[LABELS.index(EMPTY)] / len(labels) < 0.25
    assert 0.06 < counts[LABELS.index(OTHER)] / len(labels) < 0.14


def test_what_is_written_has_more_ink_than_what_is_not() -> None:
    squares = draw_squares((4,), 600, 0.1)
    middles = squares.inks[:, 12:36, 12:30].mean(axis=(1, 2))
    empty = squares.labels == LABELS.index(EMPTY)
    assert np.median(middles[~empty]) > 3 * np.median(middles[empty])


def scores(*rows: dict[str, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    given = np.full((len(rows), len(LABELS)), 1e-6)
    for number, row in enumerate(rows):
        for sign, share in row.items():
            given[number, LABELS.index(sign)] = share
    return np.asarray(np.log(given), np.float64)


def test_figures_count_what_is_right_asked_and_silent() -> None:
    told = scores(
        {"A": 0.999}, {"B": 0.999}, {"A": 0.7, "B": 0.3}, {"B": 0.6, "A": 0.4},
        {EMPTY: 0.999}, {EMPTY: 0.9, "I": 0.1}, {OTHER: 0.999}, {"S": 0.999},
    )  # fmt: skip
    truth = ["A", "A", "A", "A", EMPTY, EMPTY, OTHER, OTHER]
    figures = figures_of(told, np.array([LABELS.index(sign) for sign in truth]))
    assert figures.capitals_right == 0.5
    assert figures.capitals_asked == 0.5
    assert figures.empty_asked == 0.5
    assert figures.odd_taken == 0.5
    assert figures.silent == 2 / 8


def letters_folder(folder: Path) -> Path:
    picture = np.full((60, 50), 210, np.uint8)
    cv2.rectangle(picture, (10, 20), (30, 50), 60, 3)
    cv2.imwrite(str(folder / "o.png"), picture)
    (folder / "letters.json").write_text(json.dumps([{"file": "o.png", "text": "O"}]))
    return folder


def test_a_photographed_letter_is_cropped_to_its_ink(tmp_path: Path) -> None:
    (letter,) = real_letters(letters_folder(tmp_path))
    assert letter.text == "O"
    height, width = letter.ink.shape
    assert 30 < height < 42
    assert 20 < width < 32
    assert letter.ink.min() == pytest.approx(60 / 210, abs=0.02)
    assert letter.ink.max() == pytest.approx(1, abs=0.02)


def test_it_keeps_its_ink_on_a_board(tmp_path: Path) -> None:
    (letter,) = real_letters(letters_folder(tmp_path))
    rng = np.random.default_rng(1)
    board = PrintedBoard(((PrintedSquare(), PrintedSquare()),))
    blank = print_board(board, random_style(rng))
    written = with_letters(blank, {(0, 1): letter}, rng)
    darker = written.pixels.astype(int).sum(axis=2) < 0.6 * blank.pixels.astype(int).sum(axis=2)
    rows, cols = np.nonzero(darker)
    x, y = blank.middle((0, 1))
    assert abs(rows.mean() - y) < 12
    assert abs(cols.mean() - x) < 12
    assert 0.4 < np.ptp(rows) / blank.pitch < 0.95


def test_a_missing_picture_of_a_letter_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "letters.json").write_text('[{"file": "none.png", "text": "A"}]')
    with pytest.raises(FileNotFoundError, match="none"):
        real_letters(tmp_path)
