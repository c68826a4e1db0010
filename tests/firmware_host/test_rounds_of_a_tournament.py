"""A round that a station seats, gives a board and starts; and how that is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.keeper import Keeper
from firmware_host.rounds import (
    Announced,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    Event,
    Phase,
    Plan,
    PlayerJoined,
    RoundState,
    Seat,
    Show,
    TableAssigned,
    step,
)
from firmware_host.store.log import Log, Setup, open_log
from firmware_host.store.place import Place
from firmware_host.web.views import AnnouncedView, announced_view
from scoring.rules import game
from scoring.tournament.commitment import BoardPlace, commitment
from tests.firmware_host.conftest import BOARD, after

SALT = "00" * 16
PROMISE = commitment(BoardPlace("Spring", 1, 1, 0), str(BOARD), SALT)
SEATED = TableAssigned("Spring", 1, 1, 3, (Seat("e1", "ann"), Seat("e2", "bob", "key")), PROMISE)
NEXT = replace(SEATED, board=2, promised="")
PRESCRIBED = BoardPrescribed(str(BOARD), SALT)
PLAN = Plan(game("boggle"), (), 60.0)


@pytest.fixture
def idle() -> RoundState:
    return RoundState(PLAN)


class TestSteps:
    def test_only_who_is_seated_is_awaited(self, idle: RoundState) -> None:
        state = after(idle, PlayerJoined("cy", "key"), SEATED)
        assert state.awaited == ("ann", "bob")

    def test_who_stays_keeps_the_key(self, idle: RoundState) -> None:
        state = after(idle, PlayerJoined("ann", "key of ann"), SEATED)
        assert state.seats == (PlayerJoined("ann", "key of ann"), PlayerJoined("bob", "key"))

    def test_a_seat_without_a_key_is_that_of_whoever_joins_by_its_name(
        self, idle: RoundState
    ) -> None:
        state = after(idle, SEATED, PlayerJoined("ann", "first"))
        assert state.seats[0] == PlayerJoined("ann", "first")
        assert after(state, PlayerJoined("ann", "second")) == state
        assert after(state, PlayerJoined("bob", "another")) == state

    def test_a_board_is_hidden_until_the_start(self, idle: RoundState) -> None:
        ready = after(idle, SEATED, PRESCRIBED)
        assert (ready.phase, ready.board, ready.shown_board) == (Phase.READY, BOARD, None)
        assert (ready.assigned, ready.coming) == (SEATED, None)
        assert after(ready, ButtonPressed(1.0)).shown_board == BOARD

    @pytest.mark.parametrize(
        "wrong",
        [
            BoardPrescribed(str(BOARD), "11" * 16),
            BoardPrescribed("ABCD/EFGH/IJKL/MNOP", SALT),
            BoardPrescribed("nonsense", SALT),
        ],
    )
    def test_a_board_that_was_not_promised_is_not_taken(
        self, idle: RoundState, wrong: BoardPrescribed
    ) -> None:
        state = after(idle, SEATED)
        assert after(state, wrong) == state

    def test_without_seats_no_board_is_taken(self, idle: RoundState) -> None:
        assert after(idle, PRESCRIBED) == idle

    def test_where_none_was_promised_any_is(self, idle: RoundState) -> None:
        assert after(idle, replace(SEATED, promised=""), PRESCRIBED).phase is Phase.READY

    def test_what_a_round_counts_for_it_counts_for_once(self, idle: RoundState) -> None:
        over = after(idle, SEATED, PRESCRIBED, Cancelled())
        assert after(over, ButtonPressed(1.0)).assigned is None
        assert after(over, PRESCRIBED) == over
        assert after(over, NEXT, ButtonPressed(1.0)).assigned == NEXT

    def test_a_shake_anew_counts_for_the_same(self, idle: RoundState) -> None:
        shaking = after(idle, SEATED, ButtonPressed(1.0))
        assert shaking.assigned == SEATED

    def test_in_the_middle_nobody_is_seated(self, idle: RoundState) -> None:
        ready = after(idle, SEATED, PRESCRIBED)
        assert after(ready, NEXT) == ready

    def test_what_is_announced_is_shown_but_never_over_the_time(self, idle: RoundState) -> None:
        state, effects = step(idle, Announced("Lunch", 1.0))
        assert (state.announced, effects) == ("Lunch", (Show(("Lunch",)),))
        assert announced_view(idle, 1.0) is None
        running = after(idle, SEATED, PRESCRIBED, ButtonPressed(1.0))
        state, effects = step(running, Announced("Lunch", 1.0))
        assert (state.announced, effects) == ("Lunch", ())

    def test_an_announcement_counts_down_and_outlasts_a_shake(self, idle: RoundState) -> None:
        told = after(idle, SEATED, Announced("Round 3", 1.0, until=61.0))
        shaking = after(told, ButtonPressed(2.0))
        assert announced_view(shaking, 31.0) == AnnouncedView(text="Round 3", left_s=30.0)
        assert announced_view(shaking, 99.0) == AnnouncedView(text="Round 3", left_s=0.0)
        plain = after(shaking, Announced("Lunch", 3.0))
        assert announced_view(plain, 4.0) == AnnouncedView(text="Lunch", left_s=None)
        assert announced_view(after(plain, Announced("", 5.0)), 6.0) is None


class TestKept:
    @pytest.fixture
    def setup(self) -> Setup:
        return Setup(PLAN, "serve", simulated=True, cubes="new_4x4", lexicon="enable")

    def play(self, keeper: Keeper, *events: Event) -> None:
        """As the owner does it."""
        for event in events:
            after_, _ = step(keeper.state, event)
            if isinstance(event, ButtonPressed | BoardPrescribed):
                keeper.begin(keeper.state)
            keeper.record(event)
            keeper.state = after_

    def assigned(self, log: Log) -> list[TableAssigned | None]:
        return [log.round(each.number).state.assigned for each in log.rounds()]

    def test_each_round_knows_what_it_counts_for(self, tmp_path: Path, setup: Setup) -> None:
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            self.play(keeper, SEATED, PRESCRIBED, Cancelled(), NEXT, PRESCRIBED, Cancelled())
            self.play(keeper, ButtonPressed(1.0))
            assert self.assigned(log) == [SEATED, NEXT, None]

    def test_what_is_coming_outlives_a_restart(self, tmp_path: Path, setup: Setup) -> None:
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            self.play(keeper, SEATED, PRESCRIBED, Cancelled(), NEXT)
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            assert keeper.state.coming == NEXT
            self.play(keeper, PRESCRIBED)
            assert self.assigned(log) == [SEATED, NEXT]

    def test_a_round_that_was_seated_goes_on_after_a_restart(
        self, tmp_path: Path, setup: Setup
    ) -> None:
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            self.play(keeper, SEATED)
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            self.play(keeper, PRESCRIBED)
            assert [each.events for each in log.rounds()] == [3]
            assert self.assigned(log) == [SEATED]
