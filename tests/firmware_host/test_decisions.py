"""What people decide, and how it is taken back: cubes, time, lists, challenges, word lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rounds import (
    ButtonPressed,
    CellConfirmed,
    CellCorrected,
    ChallengeBegun,
    ChallengeDropped,
    ChallengeJudged,
    DecisionUndone,
    Event,
    ExtraTime,
    LexiconChosen,
    ListHandedIn,
    ListsClosed,
    Phase,
    Plan,
    PlayerJoined,
    RoundState,
    Ruling,
    Score,
    Tick,
    Timing,
    TurnDone,
    WordRuled,
    step,
    taking_back,
)
from scoring.rules import game
from tests.firmware_host.conftest import BOARD, make_reading

AT = 1000.0
EXTRA = ExtraTime(30.0, AT, "referee")
JUDGED = ChallengeJudged(("hey",), each=True, good=True, bad=(), by="referee", at=AT)


@pytest.fixture
def asked() -> RoundState:
    """Two cubes are asked about."""
    reading = make_reading(doubtful=[(0, 0), (1, 1)])
    return RoundState(Plan(game("boggle"), (), 60.0), Phase.CONFIRMING, reading=reading)


@pytest.fixture
def running(plan: Plan) -> RoundState:
    return RoundState(plan, Phase.RUNNING, board=BOARD, ends_at=AT + 60.0, warned=0)


@pytest.fixture
def collecting(plan: Plan) -> RoundState:
    players = replace(plan, players=("red", "blue"))
    return RoundState(players, Phase.COLLECTING, board=BOARD, over_at=AT, closes_at=AT + 30.0)


def after(state: RoundState, *happened: Event) -> RoundState:
    for event in happened:
        state, _ = step(state, event)
    return state


def back(state: RoundState, at: float = AT) -> RoundState:
    """The state after the last decision was taken back."""
    event = taking_back(state, "referee", at)
    assert event is not None
    return after(state, event)


class TestCells:
    def test_a_settled_cube_is_asked_about_again(self, asked: RoundState) -> None:
        settled = after(asked, CellConfirmed((0, 0), "I"))
        again = back(settled)
        assert again.question is not None
        assert (again.question.cell, again.rulings) == ((0, 0), ())

    def test_so_it_is_where_the_round_is_ready_already(self, asked: RoundState) -> None:
        ready = after(asked, CellConfirmed((0, 0), "I"), CellConfirmed((1, 1), "Qu"))
        assert ready.phase is Phase.READY
        again = back(ready)
        assert (again.phase, again.board) == (Phase.CONFIRMING, None)
        assert again.confirmed == {(0, 0): "I"}

    def test_once_the_sand_runs_the_board_is_what_is_played_on(self, asked: RoundState) -> None:
        settled = (CellConfirmed((0, 0), "I"), CellConfirmed((1, 1), "Qu"))
        assert taking_back(after(asked, *settled, ButtonPressed(AT)), "referee", AT) is None


MISREAD = CellCorrected((0, 0), BOARD.faces[0][0], "Z", "lies on its side", "referee", AT)


class TestCorrections:
    @pytest.fixture
    def read(self, collecting: RoundState) -> RoundState:
        return replace(collecting, reading=make_reading(), phase=Phase.FINISHED)

    def test_every_list_is_judged_by_the_other_board(self, read: RoundState) -> None:
        state, effects = step(read, MISREAD)
        assert state.board is not None
        assert state.board.faces[0][0] == "Z"
        (score,) = effects
        assert isinstance(score, Score)
        assert score.board == state.board

    def test_it_is_taken_back(self, read: RoundState) -> None:
        corrected = after(read, MISREAD)
        assert back(corrected) == read
        undo = taking_back(corrected, "referee", AT)
        assert undo is not None
        (score,) = step(corrected, undo)[1]
        assert isinstance(score, Score)
        assert score.board == BOARD

    @pytest.mark.parametrize("phase", [Phase.RUNNING, Phase.COLLECTING])
    def test_during_the_round_the_board_is_another_at_once(
        self, read: RoundState, phase: Phase
    ) -> None:
        state, effects = step(replace(read, phase=phase), MISREAD)
        assert (state.board != BOARD, effects) == (True, ())

    @pytest.mark.parametrize(
        "wrong",
        [
            replace(MISREAD, cell=(9, 9)),
            replace(MISREAD, was="X"),
            replace(MISREAD, face=MISREAD.was),
            replace(MISREAD, face="zz9"),
        ],
    )
    def test_what_makes_no_other_board_changes_nothing(
        self, read: RoundState, wrong: CellCorrected
    ) -> None:
        assert step(read, wrong) == (read, ())

    def test_before_the_sand_runs_nobody_knows_what_to_correct(self, read: RoundState) -> None:
        hidden = replace(read, phase=Phase.READY)
        assert step(hidden, MISREAD) == (hidden, ())

    def test_in_a_pause_it_is_corrected_and_hidden_from_players_as_before(
        self, read: RoundState
    ) -> None:
        paused = replace(read, phase=Phase.PAUSED, ends_at=None, rest_s=9.0)
        corrected = after(paused, MISREAD)
        assert corrected.shown_board is None
        assert corrected.arbitrated_board == after(read, MISREAD).board
        assert back(corrected).board == paused.board

    def test_a_prescribed_board_was_not_read(self, collecting: RoundState) -> None:
        assert step(collecting, MISREAD) == (collecting, ())


class TestTime:
    def test_seconds_that_were_granted_are_taken_back(self, running: RoundState) -> None:
        longer = after(running, EXTRA)
        assert longer.left(AT) == 90.0
        assert back(longer, AT + 20.0) == running

    def test_what_was_granted_beyond_the_bound_is_not_taken(self, running: RoundState) -> None:
        longer = after(running, ExtraTime(100.0, AT), ExtraTime(100.0, AT))
        shorter = back(longer)
        assert (shorter.left(AT), shorter.extra_s) == (160.0, 100.0)

    def test_seconds_that_have_run_through_are_gone(self, running: RoundState) -> None:
        longer = after(running, EXTRA)
        assert taking_back(longer, "referee", AT + 60.0) is None
        assert taking_back(after(longer, Tick(AT + 90.0)), "referee", AT + 90.0) is None

    def test_those_of_a_turn_are_none_of_the_next_one(self) -> None:
        plan = Plan(game("worldwinner"), ("red", "blue"), 60.0, timing=Timing.TURNS)
        turn = RoundState(plan, Phase.RUNNING, board=BOARD, ends_at=AT + 60.0)
        then = after(turn, EXTRA, TurnDone(AT), ButtonPressed(AT))
        assert then.to_play == "blue"
        assert taking_back(then, "referee", AT) is None


class TestLists:
    def test_lists_that_were_closed_are_awaited_again(self, collecting: RoundState) -> None:
        closed = after(collecting, ListHandedIn("red", ()), ListsClosed((), "referee"))
        assert closed.phase is Phase.SCORING
        finished = replace(closed, phase=Phase.FINISHED)
        again = back(finished, AT + 100.0)
        assert (again.phase, again.awaited, again.result) == (Phase.COLLECTING, ("blue",), None)
        assert again.closes_at == AT + 130.0

    def test_lists_that_were_handed_in_or_closed_by_time_are_no_decision(
        self, collecting: RoundState
    ) -> None:
        closed = after(collecting, ListsClosed(("red",)))
        assert closed.awaited == ("blue",)
        assert taking_back(closed, "referee", AT) is None

    def test_nobody_is_awaited_who_is_not_there(self, collecting: RoundState) -> None:
        joined = replace(collecting, plan=replace(collecting.plan, players=()))
        seated = after(joined, PlayerJoined("kim"))
        closed = replace(after(seated, ListsClosed((), "referee")), phase=Phase.FINISHED, seats=())
        assert taking_back(closed, "referee", AT) is None


class TestChallenges:
    def test_a_clock_begins_once_and_ends_with_the_verdict(self, collecting: RoundState) -> None:
        begun = ChallengeBegun(60.0, "referee", AT)
        state = after(collecting, begun, ChallengeBegun(60.0, "referee", AT + 5.0))
        assert state.challenge == begun
        judged = after(state, JUDGED)
        assert (judged.challenge, judged.rulings) == (None, (JUDGED,))
        assert back(judged).rulings == ()

    def test_it_is_withdrawn_without_a_verdict(self, collecting: RoundState) -> None:
        begun = after(collecting, ChallengeBegun(60.0, "referee", AT))
        assert after(begun, ChallengeDropped("referee", AT)) == collecting

    def test_its_time_decides_nothing(self, running: RoundState) -> None:
        begun = after(running, ChallengeBegun(5.0, "referee", AT))
        assert after(begun, Tick(AT + 10.0)).challenge is not None


class TestWordLists:
    def test_one_is_chosen_between_rounds_alone(self, running: RoundState) -> None:
        chosen = LexiconChosen("tiny", rescore=False, by="referee", at=AT)
        assert after(running, chosen) == running
        idle = after(RoundState(running.plan), chosen)
        assert (idle.lexicon, idle.next_lexicon) == ("tiny", "tiny")
        assert after(idle, ButtonPressed(AT)).lexicon == "tiny"

    def test_a_result_stays_as_it_is_unless_it_is_to_be_scored_anew(
        self, running: RoundState
    ) -> None:
        finished = replace(running, phase=Phase.FINISHED, ends_at=None)
        state, effects = step(finished, LexiconChosen("tiny", rescore=False, by="", at=AT))
        assert (state.lexicon, state.next_lexicon, effects) == ("", "tiny", ())
        ruled = step(state, WordRuled("hey", Ruling.STRUCK, "referee", AT))[1]
        assert [one.lexicon for one in ruled if isinstance(one, Score)] == [""]
        anew = step(state, LexiconChosen("tiny", rescore=True, by="", at=AT))[1]
        assert [one.lexicon for one in anew if isinstance(one, Score)] == ["tiny"]


def test_the_last_one_is_taken_back_and_none_that_is_not(running: RoundState) -> None:
    state = after(running, EXTRA, JUDGED)
    assert after(state, DecisionUndone("referee", AT, 0)) == state
    assert after(state, DecisionUndone("referee", AT, 1)).rulings == (EXTRA,)


def test_a_log_of_before_takes_back_the_last_decision_about_a_word(collecting: RoundState) -> None:
    struck = WordRuled("hey", Ruling.STRUCK, "referee", AT)
    state = after(collecting, struck, ListsClosed(("red",), "referee"))
    undone = after(state, DecisionUndone("referee", AT))
    assert undone.rulings == (ListsClosed(("red",), "referee"),)
