"""The rounds of a service in the log: each its own, an interrupted one taken up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.keeper import Keeper
from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    Event,
    ExtraTime,
    LexiconChosen,
    ListHandedIn,
    PauseAsked,
    Phase,
    Plan,
    PlayerJoined,
    PlayerLeft,
    Restarted,
    RoundState,
    Ruling,
    Scored,
    Settled,
    ShakeDone,
    Tick,
    Timing,
    TrayRead,
    TurnDone,
    WordRuled,
    step,
)
from firmware_host.store.log import Log, Setup, open_log
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import game
from scoring.wordlist import parse_word_list
from vision.reading import TrayReading


@pytest.fixture
def setup(plan: Plan) -> Setup:
    return Setup(plan, "serve", simulated=True, cubes="new_4x4", lexicon="enable", seed=1)


Kept = tuple[list[int], str, Phase]


@pytest.fixture
def keep(tmp_path: Path, setup: Setup) -> Callable[..., Kept]:
    """Opens the log, has the keeper do something, and gives rounds, notice and first phase."""

    def through(do: Callable[[Keeper], None], by: Setup = setup) -> Kept:
        with open_log(Place(tmp_path)) as log, Keeper(log, by) as keeper:
            do(keeper)
            return _events(log), keeper.notice, keeper.state.phase

    return through


def _events(log: Log) -> list[int]:
    """How many events each round has, its beginning among them."""
    return [summary.events for summary in log.rounds()]


def begin(keeper: Keeper) -> None:
    keeper.begin(keeper.state)
    keeper.record(ButtonPressed(1.0))


def give_up(keeper: Keeper) -> None:
    begin(keeper)
    keeper.record(Cancelled())


def nothing(_keeper: Keeper) -> None:
    pass


def test_nothing_is_kept_before_the_first_round(keep: Callable[..., Kept]) -> None:
    assert keep(nothing) == ([], "", Phase.IDLE)
    assert keep(lambda keeper: keeper.record(Cancelled()))[0] == []


def test_each_round_is_its_own(keep: Callable[..., Kept]) -> None:
    def two(keeper: Keeper) -> None:
        give_up(keeper)
        begin(keeper)

    assert keep(two)[0] == [3, 2]


def test_an_interrupted_round_is_taken_up_and_goes_on_in_its_place(
    keep: Callable[..., Kept],
) -> None:
    keep(begin)
    rounds, notice, phase = keep(lambda keeper: keeper.record(Cancelled()))
    assert (rounds, phase) == ([3], Phase.SHAKING)
    assert notice == "Round 1 goes on where it was."
    assert keep(nothing) == ([3], "", Phase.IDLE)


def test_a_crash_between_two_doubtful_cubes_goes_on_with_the_next(
    keep: Callable[..., Kept], reading: Callable[..., TrayReading], tmp_path: Path, setup: Setup
) -> None:
    doubtful = TrayRead(reading(doubtful=[(0, 0), (1, 1), (2, 2)]), Path(f"photo-{'0' * 64}.jpg"))
    events = (ShakeDone(), Settled(), doubtful, CellConfirmed((0, 0), "L"), ButtonPressed(9.0))

    def confirm_one(keeper: Keeper) -> None:
        begin(keeper)
        for event in events:
            keeper.record(event)

    keep(confirm_one)
    with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
        state, _ = step(keeper.state, Restarted(50.0))
        assert state.question is not None
        assert (state.question.cell, state.question.offered) == ((1, 1), "#")
        assert (state.question.number, state.question.count) == (2, 3)
        for cell in ((1, 1), (2, 2)):
            state, _ = step(state, CellConfirmed(cell, "A"))
    assert state.phase is Phase.READY
    assert state.board == Board.parse("LETC/HAPE/SEAH/TOER")


@pytest.mark.parametrize(
    ("stopped", "left", "phase"),
    [
        ((), 50.0, Phase.RUNNING),  # the sand has run on meanwhile
        ((PauseAsked(40.0),), 100.0, Phase.PAUSED),
        ((PauseAsked(40.0), ExtraTime(30.0, 45.0)), 130.0, Phase.PAUSED),
        ((ExtraTime(30.0, 45.0),), 80.0, Phase.RUNNING),
    ],
)
def test_a_crash_in_the_middle_of_a_turn_keeps_whose_it_is_and_what_is_left(
    reading: Callable[..., TrayReading],
    tmp_path: Path,
    setup: Setup,
    stopped: tuple[Event, ...],
    left: float,
    phase: Phase,
) -> None:
    plan = replace(setup.plan, timing=Timing.TURNS, timer_s=120.0, on_paper=True)
    in_turns = replace(setup, plan=plan)
    photo = TrayRead(reading(), Path(f"photo-{'0' * 64}.jpg"))
    turns = (ButtonPressed(5.0), TurnDone(15.0), ButtonPressed(20.0), *stopped)
    with open_log(Place(tmp_path)) as log, Keeper(log, in_turns) as keeper:
        begin(keeper)
        for event in (ShakeDone(), Settled(), photo, *turns):
            keeper.record(event)
    with open_log(Place(tmp_path)) as log, Keeper(log, in_turns) as keeper:
        state, _ = step(keeper.state, Restarted(90.0))
    assert (state.phase, state.to_play, state.left(90.0)) == (phase, "blue", left)
    assert (state.shown_board is not None) == (phase is Phase.RUNNING)


def test_a_crash_between_two_turns_keeps_the_board_hidden(
    reading: Callable[..., TrayReading], tmp_path: Path, setup: Setup
) -> None:
    in_turns = replace(setup, plan=replace(setup.plan, timing=Timing.TURNS))
    photo = TrayRead(reading(), Path(f"photo-{'0' * 64}.jpg"))
    with open_log(Place(tmp_path)) as log, Keeper(log, in_turns) as keeper:
        begin(keeper)
        for event in (ShakeDone(), Settled(), photo, ButtonPressed(5.0), TurnDone(15.0)):
            keeper.record(event)
    with open_log(Place(tmp_path)) as log, Keeper(log, in_turns) as keeper:
        state, _ = step(keeper.state, Restarted(90.0))
    assert (state.phase, state.to_play, state.shown_board) == (Phase.READY, "blue", None)


def test_what_is_made_up_anew_does_not_part_rounds_and_what_was_agreed_does(
    keep: Callable[..., Kept], setup: Setup
) -> None:
    keep(begin)
    assert keep(nothing, replace(setup, seed=2, pictures="elsewhere"))[2] is Phase.SHAKING
    rounds, notice, phase = keep(begin, replace(setup, cubes="big_1979_5x5"))
    assert (rounds, phase) == ([2, 2], Phase.IDLE)
    assert "other options" in notice


class TestAfterTheEnd:
    """The result of a round outlives the program that played it."""

    RULED = WordRuled("hey", Ruling.STRUCK, "referee", 90.0)

    @pytest.fixture
    def finish(self, reading: Callable[..., TrayReading]) -> Callable[[Keeper], None]:
        photo = TrayRead(reading(), Path(f"photo-{'0' * 64}.jpg"))
        lists = {"red": parse_word_list("hey"), "blue": parse_word_list("toe")}
        words = Lexicon.from_words("tiny", ["hey", "toe"])
        scored = Scored(score_round(photo.reading.board, lists, words, game("boggle")))
        handed_in = (ListHandedIn(name, entries) for name, entries in lists.items())
        turned: list[Event] = [ShakeDone(), Settled(), photo, ButtonPressed(5.0), Tick(80.0)]
        events = (*turned, *handed_in, scored)

        def play(keeper: Keeper) -> None:
            begin(keeper)
            keeper.record_all(events)

        return play

    def test_a_new_start_still_shows_the_result_and_takes_rulings_on_it(
        self,
        keep: Callable[..., Kept],
        finish: Callable[[Keeper], None],
        tmp_path: Path,
        setup: Setup,
    ) -> None:
        keep(finish)
        rounds, notice, phase = keep(lambda keeper: keeper.record(self.RULED))
        assert (rounds, phase) == ([11], Phase.FINISHED)
        assert notice == "Round 1 is over; its result is shown."
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            assert keeper.state.result is not None
            assert [one.points for one in keeper.state.result.players] == [1, 1]
            assert keeper.state.rulings == (self.RULED,)

    def test_the_next_press_begins_another(
        self, keep: Callable[..., Kept], finish: Callable[[Keeper], None]
    ) -> None:
        keep(finish)
        assert keep(begin)[0] == [10, 2]

    def test_it_is_left_after_an_evening_or_with_other_options(
        self,
        keep: Callable[..., Kept],
        finish: Callable[[Keeper], None],
        setup: Setup,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        keep(finish)
        assert keep(nothing, replace(setup, lexicon="other"))[1:] == ("", Phase.IDLE)
        monkeypatch.setattr("firmware_host.keeper.SHOWN_S", -1.0)
        assert keep(nothing)[1:] == ("", Phase.IDLE)


class TestSeats:
    ADA, BEN = PlayerJoined("ada", "key"), PlayerJoined("ben", "other", on_paper=True)

    def seats(self, tmp_path: Path, setup: Setup) -> tuple[PlayerJoined, ...]:
        """Those who have joined as a new start of the service finds them."""
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            return keeper.state.seats

    def test_who_joins_before_the_first_round_is_in_it(
        self, keep: Callable[..., Kept], tmp_path: Path, setup: Setup
    ) -> None:
        def join_and_begin(keeper: Keeper) -> None:
            keeper.record(self.ADA)
            keeper.begin(RoundState(setup.plan, seats=(self.ADA,)))
            keeper.record(ButtonPressed(1.0))

        assert keep(join_and_begin)[0] == [3]
        assert self.seats(tmp_path, setup) == (self.ADA,)

    def test_a_crash_before_the_first_round_loses_nobody(
        self, keep: Callable[..., Kept], tmp_path: Path, setup: Setup
    ) -> None:
        keep(lambda keeper: keeper.record(self.ADA))
        assert self.seats(tmp_path, setup) == (self.ADA,)

        def begin_later(keeper: Keeper) -> None:
            keeper.record(self.BEN)
            keeper.begin(RoundState(setup.plan, seats=(self.ADA, self.BEN)))

        assert keep(begin_later)[0] == [3]
        assert self.seats(tmp_path, setup) == (self.ADA, self.BEN)

    @pytest.mark.parametrize("between", [(), (PlayerLeft("ben"),)])
    def test_who_joined_in_one_round_plays_in_the_next(
        self,
        keep: Callable[..., Kept],
        tmp_path: Path,
        setup: Setup,
        between: tuple[Event, ...],
    ) -> None:
        def two(keeper: Keeper) -> None:
            begin(keeper)
            keeper.record(self.ADA)
            keeper.record(self.BEN)
            keeper.record(Cancelled())
            for event in between:
                keeper.record(event)
            left = (self.ADA,) if between else (self.ADA, self.BEN)
            keeper.begin(RoundState(setup.plan, seats=left))
            keeper.record(ButtonPressed(2.0))

        keep(two)
        expected = (self.ADA,) if between else (self.ADA, self.BEN)
        assert self.seats(tmp_path, setup) == expected

    def test_a_round_that_has_ended_leaves_its_seats_to_the_next_start(
        self, keep: Callable[..., Kept], tmp_path: Path, setup: Setup
    ) -> None:
        def end(keeper: Keeper) -> None:
            begin(keeper)
            keeper.record(self.ADA)
            keeper.record(Cancelled())
            keeper.record(self.BEN)

        keep(end)
        assert self.seats(tmp_path, setup) == (self.ADA, self.BEN)
        rounds, _, phase = keep(lambda keeper: keeper.record(PlayerLeft("ben")))
        assert (rounds, phase) == ([5, 2], Phase.IDLE)
        assert self.seats(tmp_path, setup) == (self.ADA,)


class TestWordLists:
    CHOSEN = LexiconChosen("tiny", rescore=False, by="referee", at=1.0)

    def chosen(self, tmp_path: Path, setup: Setup) -> tuple[str, str]:
        """The word list of the round as a new start of the service finds it, and of the next."""
        with open_log(Place(tmp_path)) as log, Keeper(log, setup) as keeper:
            return keeper.state.lexicon, keeper.state.next_lexicon

    def test_one_that_was_chosen_holds_for_the_rounds_that_follow(
        self, keep: Callable[..., Kept], tmp_path: Path, setup: Setup
    ) -> None:
        keep(lambda keeper: keeper.record(self.CHOSEN))
        assert self.chosen(tmp_path, setup) == ("tiny", "tiny")

        def play(keeper: Keeper) -> None:
            begin(keeper)
            keeper.record(Cancelled())
            keeper.begin(keeper.state)
            keeper.record(ButtonPressed(1.0))

        keep(play)
        with open_log(Place(tmp_path)) as log:
            assert [log.round(number).lexicon for number in (1, 2)] == ["tiny", "tiny"]
        assert self.chosen(tmp_path, setup) == ("tiny", "tiny")

    def test_a_start_with_another_one_holds_instead(
        self, keep: Callable[..., Kept], tmp_path: Path, setup: Setup
    ) -> None:
        keep(lambda keeper: keeper.record(self.CHOSEN))
        assert self.chosen(tmp_path, replace(setup, lexicon="other")) == ("", "")
