"""Several looks joined: no surer by repeating, no less sure for a spoilt look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.board import Board
from vision.confirm import ScoredTray
from vision.faces import FaceClassifier
from vision.fuse import DifferentTraysError, fused, fused_tray, fused_turns
from vision.locate import LocatedTray
from vision.render.tray import PhotoOptions, photograph, render_tray
from vision.tray import DOUBT, decoded_tray, find_trays

Floats = NDArray[np.float64]
LABELS = 5


def look(*probabilities: float) -> Floats:
    """Logarithms of one look at one cell; what is left is shared by the other labels."""
    rest = (1 - sum(probabilities)) / (LABELS - len(probabilities))
    return np.log([*probabilities, *[rest] * (LABELS - len(probabilities))])


def joined(*looks: Floats) -> Floats:
    """Probabilities of one cell under looks of it."""
    return np.asarray(np.exp(fused(np.array(looks)[:, None])[0]), np.float64)


scores = st.lists(st.floats(-12, 12), min_size=LABELS, max_size=LABELS)


def normal(raw: list[float]) -> Floats:
    return np.asarray(np.array(raw) - np.logaddexp.reduce(raw), np.float64)


@given(raw=scores, times=st.integers(1, 50))
def test_a_look_repeated_says_what_it_said_once(raw: list[float], times: int) -> None:
    once = normal(raw)
    assert np.allclose(joined(*[once] * times), np.exp(once), atol=1e-9)


@given(raws=st.lists(scores, min_size=1, max_size=6))
def test_probabilities_add_up_and_the_order_of_the_looks_is_nothing(
    raws: list[list[float]],
) -> None:
    looks = [normal(raw) for raw in raws]
    assert joined(*looks).sum() == pytest.approx(1)
    assert np.allclose(joined(*looks), joined(*reversed(looks)), atol=1e-9)


@given(raws=st.lists(scores, min_size=1, max_size=6))
def test_nothing_becomes_surer_than_its_surest_look(raws: list[list[float]]) -> None:
    looks = np.array([normal(raw) for raw in raws])
    together = joined(*looks)
    best = int(together.argmax())
    assert together[best] <= max(np.exp(looks[:, best]).max(), 1 / LABELS) + 1e-9


def test_noisy_copies_of_a_doubtful_look_stay_doubtful() -> None:
    rng = np.random.default_rng(1)
    looks = [normal((look(0.97) + 0.4 * rng.standard_normal(LABELS)).tolist()) for _ in range(200)]
    assert max(np.exp(one).max() for one in looks) > DOUBT  # one alone would have passed
    assert joined(*looks).max() < DOUBT


def test_looks_that_contradict_each_other_for_sure_leave_a_doubt() -> None:
    assert joined(look(0.99, 0.002), look(0.002, 0.99)).max() < 0.6


def test_a_spoilt_look_does_not_spoil_the_others() -> None:
    spoilt = look(0.2)
    assert joined(look(0.995), spoilt, look(0.995)).argmax() == 0
    assert joined(look(0.995), spoilt, look(0.995)).max() > DOUBT


def test_a_face_that_one_look_surely_contradicts_is_asked_about() -> None:
    other = look(0.005, 0.95)
    assert joined(*[look(0.999)] * 3, other).max() < DOUBT


def test_one_lucky_look_among_doubtful_ones_does_not_decide() -> None:
    assert joined(look(0.99), *[look(0.6, 0.38)] * 5).max() < DOUBT


def test_the_turn_is_that_of_the_look_that_sees_the_face_best() -> None:
    looks = np.array([look(0.3), look(0.99), look(0.7)])[:, None]
    assert fused_turns(looks, np.array([[10.0], [20.0], [30.0]])) == [20.0]


# Photos of one tray


def scored(board: Board) -> ScoredTray:
    """A tray read perfectly; labels are A to Z."""
    logs = np.full((16, 26), np.log(1e-4))
    for place, face in enumerate(board):
        logs[place, ord(face) - ord("A")] = np.log(1 - 25e-4)
    tray = LocatedTray(np.diag([50.0, 50.0, 1.0]), 4, 4, 1.0)
    return ScoredTray(tray, logs, np.zeros(16), 1.0, 1.0)


BOARD = Board.parse("ABCD/EFGH/IJKL/MNOP")


def turned(board: Board, quarters: int) -> Board:
    """As it is read when it lies turned clockwise."""
    return Board.from_faces(np.rot90(np.array(board.faces, object), -quarters).tolist())


@pytest.mark.parametrize("quarters", range(4))
def test_a_photo_from_another_side_is_turned_to_the_first(quarters: int) -> None:
    other = replace(scored(turned(BOARD, quarters)), turns=np.full(16, 360 - 90.0 * quarters))
    both = fused_tray([scored(BOARD), other])
    assert [chr(65 + label) for label in both.log_probabilities.argmax(axis=1)] == list(BOARD)
    assert np.exp(both.log_probabilities.max(axis=1)).min() > 0.99
    assert np.allclose(both.turns % 360, 0)


def test_photos_of_different_boards_are_refused() -> None:
    with pytest.raises(DifferentTraysError):
        fused_tray([scored(BOARD), scored(Board.parse("ZYXW/VUTS/RQPO/NMLK"))])


def test_one_photo_comes_out_as_it_is() -> None:
    alone = scored(BOARD)
    assert np.allclose(fused_tray([alone]).log_probabilities, alone.log_probabilities)


def test_cells_hidden_in_one_photo_are_read_from_the_others(classifier: FaceClassifier) -> None:
    board = Board.parse("IETC/HAPE/SEYH/TOER")
    options = PhotoOptions(size=(1000, 750), variety=0.0, max_tilt=10, max_yaw=5)
    shots = [render_tray(board, np.random.default_rng(4), options)]
    shots += [photograph(board, shots[0].scene, np.random.default_rng(seed)) for seed in (5, 6)]
    x, y = np.mean(shots[0].corners_px, axis=0).astype(int)
    hidden = shots[0].photo.copy()
    hidden[y - 90 : y - 10, x - 90 : x - 10] = 255  # a glare
    trays = [
        find_trays(photo, classifier)[0].scored
        for photo in (hidden, shots[1].photo, shots[2].photo)
    ]
    alone = decoded_tray(trays[0], classifier.labels, hidden.shape, None)
    together = decoded_tray(fused_tray(trays), classifier.labels, hidden.shape, None)
    assert alone.doubtful
    assert together.board == board
    assert len(together.doubtful) < len(alone.doubtful)
