"""Another reader's opinion: prints upright, doubts raised, none laid."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from vision.faces import FaceClassifier
from vision.reading import FaceReading, TrayReading
from vision.render.tray import PhotoOptions, RenderedTray, render_tray
from vision.second_opinion import PRINT_PX, agrees, upright_prints, with_second_opinion
from vision.tray import read_tray


def reading(doubtful: list[bool]) -> TrayReading:
    pairs = zip("ABCD", doubtful, strict=True)
    cells = [FaceReading(face, 0.9, 0.0, ((face, 0.9),), one) for face, one in pairs]
    return TrayReading((tuple(cells[:2]), tuple(cells[2:])), ((0.0, 0.0),) * 4, None)


@given(
    doubtful=st.lists(st.booleans(), min_size=4, max_size=4),
    answers=st.lists(st.sampled_from(["", "A", "B", "C", "D", "X"]), min_size=4, max_size=4),
)
def test_a_doubt_is_raised_by_each_other_letter_and_never_laid(
    doubtful: list[bool], answers: list[str]
) -> None:
    first = reading(doubtful)
    after = with_second_opinion(first, answers)
    assert after.board == first.board
    for before, cell, answer in zip(
        sum(first.cells, ()), sum(after.cells, ()), answers, strict=True
    ):
        assert cell.confidence == before.confidence
        assert cell.doubtful == (before.doubtful or answer not in {"", cell.face})


@pytest.mark.parametrize(
    ("face", "answer", "same"),
    [
        ("E", "E", True),
        ("E", " e\n", True),
        ("E", "F", False),
        ("E", "", True),
        ("E", "EE", False),
        ("Qu", "Q", True),
        ("Qu", "QU", True),
        ("Qu", "O", False),
        ("Ä", "A", True),
        ("Ä", "O", False),
        ("#", "I", True),
        ("_", "X", True),
    ],
)
def test_which_answers_agree(face: str, answer: str, same: bool) -> None:  # noqa: FBT001
    assert agrees(face, answer) is same


@cache
def shot() -> RenderedTray:
    options = PhotoOptions(size=(1000, 750), variety=0.0, max_tilt=15, max_yaw=15)
    turns = np.float64(90) * np.arange(16).reshape(4, 4)
    board = Board.parse("LFLF/FLFL/LFLF/FLFL")
    return render_tray(board, np.random.default_rng(5), options, turns=turns)


def test_prints_stand_upright_in_black_on_white_however_they_lie(
    classifier: FaceClassifier,
) -> None:
    read = read_tray(shot().photo, classifier)
    assert read.board == shot().board
    prints = upright_prints(shot().photo, read)
    assert prints.shape == (16, PRINT_PX, PRINT_PX)
    for face, picture in zip(read.board, prints, strict=True):
        assert set(np.unique(picture)) == {0, 255}
        down, right = np.nonzero(picture == 0)
        across, above = np.median(right), np.median(down)
        assert across < (right.min() + right.max()) / 2  # both lean on a stem at the left
        middle = (down.min() + down.max()) / 2
        assert (above > middle) == (face == "L")  # whose foot is heavy, or whose head


def test_light_print_on_dark_cubes_is_turned_to_black_on_white(classifier: FaceClassifier) -> None:
    read = read_tray(shot().photo, classifier)
    plain = upright_prints(shot().photo, read)
    negative = upright_prints(255 - shot().photo, read)
    assert np.mean(plain != negative) < 0.03


def test_a_cell_without_any_print_gives_an_empty_picture(classifier: FaceClassifier) -> None:
    read = read_tray(shot().photo, classifier)
    blank = np.full_like(shot().photo, 128)
    assert (upright_prints(blank, read) == 255).all()
