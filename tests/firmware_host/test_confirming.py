"""A doubtful cube as a question: what is offered, in which order, and what a person takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from firmware_host.presses import event_of, held
from firmware_host.rounds import (
    BackAsked,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    DeviceFailed,
    Event,
    Phase,
    Plan,
    Question,
    RerollAsked,
    Restarted,
    RoundState,
    Settled,
    ShakeDone,
    Show,
    TrayRead,
    Way,
    step,
)
from hardware.screen import LEAST_ROW_PX
from scoring.board import MISSING, Board, Cell, Face
from scoring.cubes import all_faces
from scoring.rules import game
from tests.firmware_host.conftest import BOARD, after, make_reading
from vision.reading import TrayReading

MakeReading = Callable[..., TrayReading]
PHOTO = Path("photo.jpg")
GESTURES = st.lists(st.sampled_from(["press", "back"]), max_size=80)
SUPER_BIG = "super_big_2012_6x6"
FACES = (*all_faces(), MISSING)


def asked(doubtful: Sequence[Cell], reading: TrayReading | None = None) -> RoundState:
    """A round in which these cells are asked."""
    photo = TrayRead(reading or make_reading(doubtful=doubtful), PHOTO)
    plan = Plan(game("boggle"), (), timer_s=60.0)
    return after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled(), photo)


def did(state: RoundState, *gestures: str) -> RoundState:
    """The state after gestures at the button of the round, and others."""
    for gesture in gestures:
        action = held("cancel", state) if gesture == "hold" else gesture
        event = event_of(action, state, 1.0)
        assert event is not None
        state = after(state, event)
    return state


def offered(state: RoundState) -> str:
    assert state.question is not None
    return state.question.offered


def passed_until(state: RoundState, offer: str) -> RoundState:
    """Passing over one after the other until this is offered."""
    assert state.question is not None
    for _ in state.question.offers:
        if offered(state) == offer:
            return state
        state = did(state, "press")
    return pytest.fail(f"{offer} is never offered")


class TestOffers:
    def test_readings_come_first_then_the_ways_out_then_every_other_face(self) -> None:
        question = asked([(1, 1)]).question
        assert question is not None
        assert question.offers[:4] == ("Qu", "#", Way.REROLL, Way.CANCEL)
        assert question.offers[4:8] == ("A", "B", "C", "D")  # the usual set of a tray of 4×4
        assert set(FACES) == set(question.offers) - set(Way)
        assert len(set(question.offers)) == len(question.offers)

    def test_what_was_taken_is_offered_though_no_alternative_names_it(self) -> None:
        reading = make_reading(doubtful=[(0, 0)])
        strange = replace(reading.cells[0][0], alternatives=(("L", 0.5),))
        cells = ((strange, *reading.cells[0][1:]), *reading.cells[1:])
        question = asked([(0, 0)], replace(reading, cells=cells)).question
        assert question is not None
        assert question.offers[:3] == ("L", "I", Way.REROLL)

    @pytest.mark.parametrize(
        ("edition", "editions"), [(SUPER_BIG, ()), (None, ((SUPER_BIG, 0.9),))]
    )
    def test_the_faces_of_its_cube_set_come_before_all_others(
        self, edition: str | None, editions: tuple[tuple[str, float], ...]
    ) -> None:
        reading = replace(make_reading(doubtful=[(0, 0)]), edition=edition, editions=editions)
        question = asked([(0, 0)], reading).question
        assert question is not None
        assert question.offers.index("Th") < question.offers.index("Ñ")
        assert question.offers[4:7] == ("A", "An", "B")

    def test_a_set_that_nobody_knows_any_more_keeps_no_face_away(self) -> None:
        reading = replace(make_reading(doubtful=[(0, 0)]), edition="of another version")
        question = asked([(0, 0)], reading).question
        assert question is not None
        assert set(FACES) <= set(question.offers)


@given(gestures=GESTURES, face=st.sampled_from(FACES))
def test_any_gestures_leave_every_face_in_reach(gestures: list[str], face: Face) -> None:
    state = passed_until(did(asked([(1, 1), (2, 0)]), *gestures), face)
    state = did(state, "hold")
    assert state.confirmed == {(1, 1): face}
    assert (state.phase, state.board) == (Phase.CONFIRMING, None)


@given(gestures=GESTURES)
def test_gestures_that_take_nothing_change_no_cell(gestures: list[str]) -> None:
    start = asked([(1, 1)])
    assert replace(did(start, *gestures), passed=0) == start


@given(gestures=st.lists(st.sampled_from(["press", "back", "hold"]), max_size=120))
def test_whatever_is_taken_the_cells_that_were_sure_stay(gestures: list[str]) -> None:
    doubtful = [(0, 3), (1, 1), (3, 0)]
    state = asked(doubtful)
    for gesture in gestures:
        if state.phase is Phase.CONFIRMING:
            state = did(state, gesture)
    assert set(state.confirmed) <= set(doubtful)
    for cell in BOARD.cells:
        if state.board is not None and cell not in doubtful:
            assert state.board[cell] == BOARD[cell]


@given(gestures=GESTURES)
def test_a_press_and_back_is_none(gestures: list[str]) -> None:
    state = did(asked([(1, 1)]), *gestures)
    assert did(state, "press", "back") == did(state, "back", "press") == state


def test_each_cell_is_asked_from_its_best_reading_on_and_the_last_one_ends_it() -> None:
    state = did(asked([(0, 0), (1, 1)]), "press", "hold")
    assert (state.confirmed, offered(state)) == ({(0, 0): "#"}, "Qu")
    state = did(state, "hold")
    assert (state.phase, state.question) == (Phase.READY, None)
    assert state.board == Board.parse("#ETC/HQuPE/SEYH/TOER")
    assert state.shown_board is None


def test_a_cube_that_cannot_be_read_is_shaken_again_or_the_round_given_up() -> None:
    state = asked([(0, 0)])
    again = did(passed_until(state, Way.REROLL), "hold")
    assert (again.phase, again.shakes, again.question) == (Phase.SHAKING, 1, None)
    assert did(passed_until(state, Way.CANCEL), "hold").phase is Phase.CANCELLED
    assert did(state, "cancel").phase is Phase.CANCELLED
    assert did(state, "reroll").phase is Phase.SHAKING


@pytest.mark.parametrize("happened", [Restarted(9.0), DeviceFailed("it is gone", "Look.", 9.0)])
def test_after_an_interruption_it_is_asked_again_where_it_was(happened: Event) -> None:
    state = after(did(asked([(0, 0), (1, 1)]), "hold", "press"), happened)
    if state.phase is Phase.FAULTED:
        assert state.question is None
        state = did(state, "press")
    assert state.question is not None
    assert (state.question.cell, state.question.offered) == ((1, 1), "#")


def test_the_display_asks_for_one_cube_at_a_time_and_shows_each_offer() -> None:
    state, effects = step(asked([(1, 1), (2, 0)]), ButtonPressed(1.0))
    assert effects == (Show(("Row 2, column 2", "Blank? (1/2)", "Press: no  Hold: yes")),)
    _, effects = step(state, BackAsked())
    assert effects == (Show(("Row 2, column 2", "Qu? (1/2)", "Press: no  Hold: yes")),)
    _, effects = step(state, CellConfirmed((1, 1), "Qu"))
    assert effects == (Show(("Row 3, column 1", "S? (2/2)", "Press: no  Hold: yes")),)


@pytest.mark.parametrize("offer", [*FACES, *Way])
def test_a_question_fits_the_display(offer: str) -> None:
    letters = ImageFont.load_default(LEAST_ROW_PX - 4)
    lines = Question((5, 5), (offer,), place=0, number=36, count=36).lines
    assert len(lines) == 3  # a fourth tells that a tray is simulated
    for line in lines:
        assert len(line) <= 21
        assert letters.getlength(line) <= 128


@pytest.mark.parametrize(
    ("offer", "answer", "text"),
    [
        ("Qu", CellConfirmed((1, 2), "Qu"), "Qu?"),
        ("#", CellConfirmed((1, 2), "#"), "Blank?"),
        (MISSING, CellConfirmed((1, 2), MISSING), "No cube?"),
        (Way.REROLL, RerollAsked(), "Shake again?"),
        (Way.CANCEL, Cancelled(), "Give up?"),
    ],
)
def test_what_is_taken_is_what_was_shown(offer: str, answer: Event, text: str) -> None:
    question = Question((1, 2), (offer,), place=0, number=1, count=1)
    assert (question.answer, question.text) == (answer, text)
