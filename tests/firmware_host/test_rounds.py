"""The round as a pure state machine: phases, effects, warnings, faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host import rounds
from firmware_host.rounds import (
    Agreed,
    AwaitRest,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    Clear,
    DeviceFailed,
    Effect,
    Event,
    ExtraTime,
    LastChance,
    LidOpened,
    ListHandedIn,
    Nudge,
    PauseAsked,
    Phase,
    Plan,
    RerollAsked,
    Restarted,
    ResumeAsked,
    RoundState,
    Score,
    Scored,
    Settled,
    Shake,
    ShakeDone,
    StillMoving,
    Stop,
    Tick,
    Timing,
    TrayNotRead,
    TrayRead,
    TurnDone,
    Wait,
    Waited,
    WordWritten,
    machine,
    step,
)
from firmware_host.store.codec import kind_of_type
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import game
from scoring.wordlist import parse_word_list
from vision.reading import TrayReading

PHOTO = Path("photo.jpg")
MakeReading = Callable[..., TrayReading]


def after(state: RoundState, *events: Event) -> RoundState:
    for event in events:
        state, _ = step(state, event)
    return state


def tunes(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.tune for effect in effects if isinstance(effect, rounds.Play)]


def test_a_round_goes_through_its_phases(plan: Plan, reading: MakeReading) -> None:
    events: list[tuple[Event, Phase]] = [
        (ButtonPressed(0.0), Phase.SHAKING),
        (ShakeDone(), Phase.SETTLING),
        (Settled(), Phase.READING),
        (TrayRead(reading(), PHOTO), Phase.READY),
        (ButtonPressed(5.0), Phase.RUNNING),
        (Tick(30.0), Phase.RUNNING),
        (Tick(65.0), Phase.COLLECTING),
        (ListHandedIn("blue", ()), Phase.COLLECTING),
        (ListHandedIn("red", ()), Phase.SCORING),
    ]
    state = RoundState(plan)
    for event, phase in events:
        state, _ = step(state, event)
        assert state.phase is phase


def test_the_board_is_unknown_until_every_doubt_is_settled(
    plan: Plan, reading: MakeReading
) -> None:
    start = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    state = after(start, TrayRead(reading(doubtful=[(0, 0), (1, 1)]), PHOTO))
    assert state.phase is Phase.CONFIRMING
    assert state.unconfirmed == ((0, 0), (1, 1))
    state = after(state, CellConfirmed((1, 1), "Q"))
    assert state.board is None
    state = after(state, CellConfirmed((0, 0), "L"))
    assert state.phase is Phase.READY
    assert state.board == Board.parse("LETC/HQPE/SEYH/TOER")


def test_a_sure_cell_cannot_be_changed_by_confirming(plan: Plan, reading: MakeReading) -> None:
    start = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    state = after(start, TrayRead(reading(doubtful=[(0, 0)]), PHOTO))
    assert after(state, CellConfirmed((3, 3), "X")) == state


def test_shaking_lights_the_lamp_first(plan: Plan) -> None:
    _, effects = step(RoundState(plan), ButtonPressed(0.0))
    assert effects[-2:] == (rounds.Light(on=True), Shake(plan.shake_s))


def test_a_cocked_cube_is_nudged_once_and_then_shaken_anew(plan: Plan) -> None:
    state = after(RoundState(plan), ButtonPressed(0.0), ShakeDone())
    state, effects = step(state, StillMoving())
    assert effects == (Nudge(), AwaitRest())
    state, effects = step(state, StillMoving())
    assert Shake(plan.shake_s) in effects
    assert state.shakes == 2


def test_a_cocked_cube_in_the_photo_counts_like_one_that_moves(
    plan: Plan, reading: MakeReading
) -> None:
    cocked = TrayRead(reading(), PHOTO, cocked=((1, 2),))
    state = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    state, effects = step(state, cocked)
    assert effects == (Nudge(), AwaitRest())
    state, effects = step(after(state, Settled()), cocked)
    assert Shake(plan.shake_s) in effects


@pytest.fixture
def by_hand(plan: Plan) -> RoundState:
    """A round whose cubes did not come to rest in any shake."""
    state = after(RoundState(plan), ButtonPressed(0.0))
    for _ in range(rounds.MOST_SHAKES):
        state = after(state, ShakeDone(), StillMoving(), StillMoving())
    return state


def test_a_lid_that_never_closes_is_a_fault(plan: Plan) -> None:
    state = RoundState(plan)
    for _ in range(rounds.MOST_LIDS):
        assert state.fault is None
        state = after(state, ButtonPressed(0.0), LidOpened())
    assert state.phase is Phase.FAULTED
    assert after(state, ButtonPressed(1.0), ButtonPressed(2.0)).lids == 0


def test_after_three_shakes_a_person_is_asked(by_hand: RoundState) -> None:
    assert by_hand.phase is Phase.BY_HAND
    assert by_hand.shakes == rounds.MOST_SHAKES
    assert by_hand.fault is None


def test_cubes_laid_by_hand_are_not_moved_by_the_motor_again(by_hand: RoundState) -> None:
    state, effects = step(by_hand, ButtonPressed(9.0))
    assert effects[-1] == AwaitRest()
    state, effects = step(state, StillMoving())
    assert state.phase is Phase.BY_HAND
    assert not any(isinstance(effect, Shake | Nudge) for effect in effects)


def test_where_laying_by_hand_does_not_help_it_is_a_fault(by_hand: RoundState) -> None:
    state = by_hand
    for _ in range(rounds.MOST_HANDS):
        assert state.phase is Phase.BY_HAND
        state = after(state, ButtonPressed(9.0), StillMoving())
    assert state.phase is Phase.FAULTED
    assert state.fault is not None
    assert "lamp" in state.fault[1]


def test_a_cube_that_seems_cocked_after_a_person_laid_it_is_asked(
    by_hand: RoundState, reading: MakeReading
) -> None:
    state = after(by_hand, ButtonPressed(9.0), Settled(), TrayRead(reading(), PHOTO, ((1, 2),)))
    assert state.phase is Phase.CONFIRMING
    assert state.unconfirmed == ((1, 2),)
    assert after(state, CellConfirmed((1, 2), "Y")).phase is Phase.READY


def test_a_photo_of_cubes_laid_by_hand_that_cannot_be_read_is_a_fault(by_hand: RoundState) -> None:
    state = after(by_hand, ButtonPressed(9.0), Settled())
    state = after(state, *[TrayNotRead("no tray", "lamp?")] * rounds.MOST_PHOTOS)
    assert state.fault == ("no tray, 3 shakes long", "lamp?")


@pytest.mark.parametrize("events", [(), (ShakeDone(), StillMoving())])
def test_a_lid_opened_while_the_motor_runs_stops_it_until_a_press(
    plan: Plan, events: tuple[Event, ...]
) -> None:
    state = after(RoundState(plan), ButtonPressed(0.0), *events)
    state, effects = step(state, LidOpened())
    assert state.phase is Phase.LID_OPEN
    assert isinstance(effects[0], Stop)
    state, effects = step(state, ButtonPressed(5.0))
    assert effects[0] == Clear()
    assert effects[-1] == Shake(plan.shake_s)
    assert state.shakes == 1


def test_an_unreadable_photo_is_taken_again_before_the_tray_is_shaken(plan: Plan) -> None:
    state = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    state, effects = step(state, TrayNotRead("no tray", "lamp?"))
    assert rounds.ReadTray() in effects
    state, effects = step(state, TrayNotRead("no tray", "lamp?"))
    assert state.phase is Phase.SHAKING


def test_the_timer_starts_with_the_press_and_not_before(ready: RoundState) -> None:
    running, effects = step(ready, ButtonPressed(100.0))
    assert running.ends_at == 160.0
    assert "start" in tunes(effects)


@pytest.mark.parametrize(
    ("timer", "expected"), [(60.0, ["half_minute", "ten_seconds", "end"]), (8.0, ["end"])]
)
def test_each_warning_sounds_once_if_the_timer_is_long_enough(
    ready: RoundState, timer: float, expected: list[str]
) -> None:
    plan = replace(ready.plan, timer_s=timer)
    state, _ = step(replace(ready, plan=plan), ButtonPressed(0.0))
    heard: list[str] = []
    for tenth in range(round(timer * 10) + 20):
        state, effects = step(state, Tick(tenth / 10))
        heard += tunes(effects)
    assert heard == expected


def test_the_sand_drains_in_step_with_the_time(ready: RoundState) -> None:
    state, _ = step(ready, ButtonPressed(0.0))
    _, effects = step(state, Tick(15.0))
    assert rounds.Sand(0.75) in effects


def test_a_late_tick_still_ends_the_round(ready: RoundState) -> None:
    state = after(ready, ButtonPressed(0.0), Tick(1000.0))
    assert state.phase is Phase.COLLECTING
    assert state.left(1000.0) is None


def test_only_awaited_lists_count_and_the_first_one_stays(ready: RoundState) -> None:
    state = after(ready, ButtonPressed(0.0), Tick(60.0))
    first, second = parse_word_list("hey"), parse_word_list("they")
    state = after(state, ListHandedIn("stranger", second), ListHandedIn("red", first))
    state = after(state, ListHandedIn("red", second))
    assert state.awaited == ("blue",)
    assert state.lists["red"] == first


def test_the_last_list_sends_all_to_the_referee(ready: RoundState) -> None:
    state = after(ready, ButtonPressed(0.0), Tick(60.0), ListHandedIn("red", ()))
    state, effects = step(state, ListHandedIn("blue", ()))
    (score,) = (effect for effect in effects if isinstance(effect, Score))
    assert score.board == ready.board
    assert set(score.lists) == {"red", "blue"}


def test_a_round_without_players_is_scored_at_once(ready: RoundState) -> None:
    alone = replace(ready, plan=Plan(game("boggle"), (), timer_s=5.0))
    _, effects = step(after(alone, ButtonPressed(0.0)), Tick(5.0))
    assert any(isinstance(effect, Score) for effect in effects)


def test_a_fault_stops_everything_and_latches(ready: RoundState) -> None:
    state, effects = step(ready, DeviceFailed("shaker: stalled", "Look under the tray.", 9.0))
    assert effects[0] == Stop("shaker: stalled")
    other = DeviceFailed("lamp: dead", "Mend it.", 10.0)
    later = after(state, ShakeDone(), Settled(), Tick(99.0), other, Cancelled(), Restarted(98.0))
    assert later.fault == state.fault
    assert later.phase is Phase.FAULTED


def test_a_fault_before_the_board_is_known_begins_anew_and_only_with_a_press(plan: Plan) -> None:
    faulted = after(RoundState(plan), ButtonPressed(0.0), DeviceFailed("x", "y", 1.0))
    cleared, effects = step(faulted, ButtonPressed(2.0))
    assert cleared.phase is Phase.IDLE
    assert effects[0] == Clear()
    assert not any(isinstance(effect, Shake | Nudge) for effect in effects)


def test_a_fault_while_the_sand_runs_keeps_board_and_rest(ready: RoundState) -> None:
    faulted = after(ready, ButtonPressed(100.0), DeviceFailed("display: dead", "Mend it.", 120.0))
    state = after(faulted, ButtonPressed(500.0))
    assert state.phase is Phase.PAUSED
    assert state.shown_board is None
    assert state.left(999.0) == 40.0
    assert after(state, ButtonPressed(1000.0)).ends_at == 1040.0


class TestRetries:
    FAILED = DeviceFailed("camera: no picture", "Wait.", 1.0, retry_after_s=0.5)

    @pytest.fixture
    def settling(self, plan: Plan) -> RoundState:
        return after(RoundState(plan), ButtonPressed(0.0), ShakeDone())

    def test_what_may_work_by_itself_is_tried_again_at_longer_intervals(
        self, settling: RoundState
    ) -> None:
        state = settling
        waits: list[Effect] = []
        for _ in range(rounds.MOST_RETRIES):
            state, effects = step(state, self.FAILED)
            waits += effects
            state, effects = step(state, Waited())
            assert effects[-1] == AwaitRest()
        assert waits == [Wait(seconds) for seconds in (2.0, 4.0, 8.0, 16.0, 20.0)]
        state, effects = step(state, self.FAILED)
        assert state.phase is Phase.FAULTED
        assert isinstance(effects[0], Stop)

    def test_a_success_forgets_the_failures(self, settling: RoundState) -> None:
        state = after(settling, self.FAILED, Waited(), Settled())
        assert state.failures == 0
        _, effects = step(state, self.FAILED)
        assert effects == (Wait(2.0),)

    def test_a_device_that_asks_for_longer_gets_it(self, settling: RoundState) -> None:
        _, effects = step(settling, replace(self.FAILED, retry_after_s=30.0))
        assert effects == (Wait(30.0),)

    def test_a_wait_that_nobody_needs_any_more_does_nothing(self, settling: RoundState) -> None:
        state = after(settling, self.FAILED, Cancelled(), ButtonPressed(3.0))
        assert step(state, Waited()) == (state, ())

    def test_the_sand_runs_on_while_a_display_is_tried_again(self, ready: RoundState) -> None:
        state, effects = step(after(ready, ButtonPressed(0.0)), replace(self.FAILED, at=5.0))
        assert (state.phase, effects) == (Phase.RUNNING, ())
        assert step(state, Tick(6.0)) == (state, ())
        state, effects = step(state, Tick(7.0))
        assert rounds.Sand(53 / 60) in effects
        assert after(state, Tick(7.2)).failures == 0

    def test_a_display_that_stays_dead_ends_in_a_fault_with_the_rest_kept(
        self, ready: RoundState
    ) -> None:
        state, at = after(ready, ButtonPressed(0.0)), 0.0
        for _ in range(rounds.MOST_RETRIES):
            state = after(state, replace(self.FAILED, at=at))
            assert state.retry_at is not None
            at = state.retry_at
            state = after(state, Tick(at))
        assert state.phase is Phase.RUNNING
        state = after(state, replace(self.FAILED, at=at))
        assert state.phase is Phase.FAULTED
        assert state.rest_s == 60.0 - at


class TestPauses:
    @pytest.fixture
    def running(self, ready: RoundState) -> RoundState:
        return after(ready, ButtonPressed(0.0))

    def test_a_pause_stops_the_sand_and_hides_the_board(self, running: RoundState) -> None:
        assert running.shown_board is not None
        state, effects = step(running, PauseAsked(15.0))
        assert rounds.Sand(0.75) in effects
        assert state.shown_board is None
        assert after(state, Tick(500.0)) == state
        state = after(state, ResumeAsked(600.0))
        assert state.ends_at == 645.0
        assert state.shown_board is not None

    def test_a_pause_that_comes_too_late_is_none(self, running: RoundState) -> None:
        assert after(running, PauseAsked(60.0)).phase is Phase.COLLECTING

    def test_extra_time_is_granted_up_to_a_bound(self, running: RoundState) -> None:
        state = after(running, ExtraTime(20.0, 50.0))
        assert state.ends_at == 80.0
        state = after(state, ExtraTime(1000.0, 50.0), ExtraTime(1.0, 50.0))
        assert state.extra_s == rounds.MOST_EXTRA_S
        assert state.ends_at == 60.0 + rounds.MOST_EXTRA_S

    def test_extra_time_in_a_pause_lengthens_the_rest(self, running: RoundState) -> None:
        state = after(running, PauseAsked(50.0), ExtraTime(20.0, 55.0))
        assert state.rest_s == 30.0

    @pytest.mark.parametrize("seconds", [0.0, -5.0, float("nan")])
    def test_no_time_is_no_extra_time(self, running: RoundState, seconds: float) -> None:
        assert after(running, ExtraTime(seconds, 5.0)) == running

    def test_warnings_sound_again_when_extra_time_takes_them_back(
        self, running: RoundState
    ) -> None:
        state, effects = step(running, Tick(55.0))
        assert tunes(effects) == ["half_minute", "ten_seconds"]
        state = after(state, ExtraTime(20.0, 55.0))
        assert tunes(step(state, Tick(71.0))[1]) == ["ten_seconds"]

    def test_a_round_can_be_shaken_anew_or_given_up(self, running: RoundState) -> None:
        state, effects = step(running, RerollAsked())
        assert (state.phase, state.shakes, state.board) == (Phase.SHAKING, 1, None)
        assert effects[-1] == Shake(running.plan.shake_s)
        state, effects = step(running, Cancelled())
        assert state.phase is Phase.CANCELLED
        assert isinstance(effects[0], Stop)


class TestTiming:
    def timed(self, ready: RoundState, timing: Timing) -> RoundState:
        return after(replace(ready, plan=replace(ready.plan, timing=timing)), ButtonPressed(0.0))

    @pytest.mark.parametrize(
        ("name", "timing", "timer"),
        [
            ("boggle", Timing.SAND, 180),
            ("super-big", Timing.SAND, 240),
            ("ultimate", Timing.LAST_CHANCE, 180),
            ("worldwinner", Timing.TURNS, 120),
        ],
    )
    def test_each_game_keeps_its_time(self, name: str, timing: Timing, timer: int) -> None:
        assert Timing.of(game(name)) is timing
        assert game(name).timer_s == timer

    def test_there_is_no_timer_until_the_last_chance(self, ready: RoundState) -> None:
        state = self.timed(ready, Timing.LAST_CHANCE)
        assert after(state, Tick(9999.0)) == state
        assert after(state, LastChance("stranger", 9.0)) == state
        state, effects = step(state, LastChance("red", 1000.0))
        assert "start" in tunes(effects)
        assert state.ends_at == 1060.0
        assert after(state, LastChance("blue", 1010.0)) == state
        assert after(state, Tick(1060.0)).phase is Phase.COLLECTING

    def test_a_pause_without_a_timer_goes_on_without_one(self, ready: RoundState) -> None:
        state = self.timed(ready, Timing.LAST_CHANCE)
        assert after(state, PauseAsked(5.0), ResumeAsked(9.0)) == state

    def test_both_may_agree_to_end(self, ready: RoundState) -> None:
        state = after(self.timed(ready, Timing.LAST_CHANCE), Agreed("red"), Agreed("red"))
        assert state.phase is Phase.RUNNING
        assert after(state, Agreed("blue")).phase is Phase.COLLECTING

    def test_at_a_button_nobody_is_named_and_all_agree_at_once(self, ready: RoundState) -> None:
        for players in ((), ready.plan.players):
            named = replace(ready, plan=replace(ready.plan, players=players))
            state = self.timed(named, Timing.LAST_CHANCE)
            assert state.unhurried
            assert after(state, LastChance("", 1000.0)).ends_at == 1060.0
            ended = Phase.COLLECTING if players else Phase.SCORING
            assert after(state, Agreed("")).phase is ended

    def test_in_turns_each_has_a_run_of_the_sand(self, ready: RoundState) -> None:
        state = self.timed(ready, Timing.TURNS)
        assert state.to_play == "red"
        state, effects = step(state, Tick(60.0))
        assert (state.phase, state.to_play, state.shown_board) == (Phase.READY, "blue", None)
        assert "end" in tunes(effects)
        state = after(state, ButtonPressed(100.0))
        assert state.ends_at == 160.0
        assert after(state, TurnDone(110.0)).phase is Phase.COLLECTING

    def test_in_turns_the_display_says_whose_clock_runs(self, ready: RoundState) -> None:
        state = replace(ready, plan=replace(ready.plan, timing=Timing.TURNS))
        state, effects = step(state, ButtonPressed(0.0))
        assert rounds.Show(("red", "1:00", "Hold: done")) in effects
        state, effects = step(state, PauseAsked(20.0))
        assert rounds.Show(("Paused", "red", "0:40")) in effects
        state, effects = step(state, ResumeAsked(50.0))
        assert (state.ends_at, state.to_play) == (90.0, "red")
        _, effects = step(state, TurnDone(60.0))
        assert effects[-1] == rounds.Show(("Ready: blue", "Press to start"))

    def test_in_turns_each_clock_warns_and_ends(self, ready: RoundState) -> None:
        state = replace(ready, plan=replace(ready.plan, timing=Timing.TURNS))
        for start in (0.0, 100.0):
            state, effects = step(state, ButtonPressed(start))
            assert tunes(effects) == ["start"]
            state, effects = step(state, Tick(start + 30.0))
            assert tunes(effects) == ["half_minute"]
            state, effects = step(state, Tick(start + 50.0))
            assert (tunes(effects), effects[0]) == (["ten_seconds"], rounds.Sand(1 / 6))
            state, effects = step(state, Tick(start + 60.0))
            assert (tunes(effects), effects[0]) == (["end"], rounds.Sand(0.0))

    def test_extra_time_and_a_fault_keep_whose_turn_it_is(self, ready: RoundState) -> None:
        state = self.timed(ready, Timing.TURNS)
        state = after(state, TurnDone(10.0), ButtonPressed(20.0), ExtraTime(30.0, 25.0))
        assert (state.to_play, state.ends_at) == ("blue", 110.0)
        state = after(state, DeviceFailed("the buzzer broke", "Look.", 50.0), ButtonPressed(70.0))
        assert (state.phase, state.to_play, state.rest_s) == (Phase.PAUSED, "blue", 60.0)
        assert after(state, ButtonPressed(80.0)).ends_at == 140.0

    def test_nobody_is_on_turn_before_the_board_is_known(self, ready: RoundState) -> None:
        plan = replace(ready.plan, timing=Timing.TURNS)
        assert RoundState(plan).to_play is None
        assert replace(ready, plan=plan).to_play == "red"

    def test_where_lists_stay_on_paper_none_is_awaited(self, ready: RoundState) -> None:
        plan = replace(ready.plan, timing=Timing.TURNS, on_paper=True)
        state = after(replace(ready, plan=plan), ButtonPressed(0.0), TurnDone(9.0))
        assert (state.phase, state.awaited) == (Phase.READY, ())
        state, effects = step(after(state, ButtonPressed(10.0)), Tick(70.0))
        assert state.phase is Phase.SCORING
        scored = effects[-1]
        assert isinstance(scored, Score)
        words = Lexicon.from_words("one", ["hey"])
        result = score_round(scored.board, scored.lists, words, scored.game)
        state, effects = step(state, Scored(result))
        assert effects[-1] == rounds.Show(("1 words,", "1 points"))

    def test_no_other_game_ends_by_finishing_a_turn_or_agreeing(self, ready: RoundState) -> None:
        state = self.timed(ready, Timing.SAND)
        for event in (TurnDone(1.0), Agreed("red"), Agreed("blue"), LastChance("red", 1.0)):
            assert after(state, event) == state


class TestDrafts:
    def test_words_written_while_the_sand_runs_are_kept(self, ready: RoundState) -> None:
        state = after(ready, ButtonPressed(0.0), WordWritten("red", "hey", 1.0))
        state = after(state, WordWritten("red", "toe", 2.0), WordWritten("stranger", "x", 2.0))
        state = after(state, WordWritten("blue", "  ", 3.0))
        assert state.drafts == {"red": ("hey", "toe")}

    def test_a_word_after_the_sand_is_through_is_too_late(self, ready: RoundState) -> None:
        state = after(ready, ButtonPressed(0.0), WordWritten("red", "hey", 60.0))
        assert (state.phase, state.drafts) == (Phase.COLLECTING, {})

    def test_lists_are_written_down_until_they_are_handed_in(self, ready: RoundState) -> None:
        state = after(ready, ButtonPressed(0.0), Tick(60.0), WordWritten("red", "hey", 90.0))
        assert state.drafts == {"red": ("hey",)}
        handed_in = after(state, ListHandedIn("red", ()))
        assert after(handed_in, WordWritten("red", "toe", 95.0)) == handed_in

    def test_in_turns_only_whose_turn_it_is_writes(self, ready: RoundState) -> None:
        plan = replace(ready.plan, timing=Timing.TURNS)
        state = after(replace(ready, plan=plan), ButtonPressed(0.0), WordWritten("blue", "x", 1.0))
        assert state.drafts == {}


class TestRestarts:
    @pytest.mark.parametrize("events", [(), (ShakeDone(),), (ShakeDone(), Settled())])
    def test_nothing_moves_after_a_restart(self, plan: Plan, events: tuple[Event, ...]) -> None:
        state = after(RoundState(plan), ButtonPressed(0.0), *events)
        state, effects = step(state, Restarted(50.0))
        assert state.phase is Phase.IDLE
        assert not any(isinstance(effect, Shake | Nudge) for effect in effects)

    def test_the_sand_has_run_on_meanwhile(self, ready: RoundState) -> None:
        state, effects = step(after(ready, ButtonPressed(0.0)), Restarted(45.0))
        assert state.phase is Phase.RUNNING
        assert state.left(45.0) == 15.0
        assert after(state, Tick(60.0)).phase is Phase.COLLECTING
        assert effects == (rounds.Sand(0.25), rounds.Show(("0:15",)))

    def test_lists_and_scoring_are_taken_up_again(self, ready: RoundState) -> None:
        state = after(ready, ButtonPressed(0.0), Tick(60.0), ListHandedIn("red", ()))
        state = after(state, Restarted(99.0))
        assert state.awaited == ("blue",)
        state, effects = step(after(state, ListHandedIn("blue", ())), Restarted(100.0))
        assert isinstance(effects[-1], Score)


def test_a_face_that_is_none_is_not_taken(plan: Plan, reading: MakeReading) -> None:
    start = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    state = after(start, TrayRead(reading(doubtful=[(0, 0)]), PHOTO))
    for wrong in ("", "qu", "QU", "7", "A B"):
        assert after(state, CellConfirmed((0, 0), wrong)) == state


def test_a_finished_round_is_followed_by_the_next(ready: RoundState) -> None:
    assert ready.board is not None
    words = Lexicon.from_words("tiny", ["they"])
    result = score_round(ready.board, {}, words, ready.plan.game)
    done = after(replace(ready, phase=Phase.SCORING), Scored(result))
    assert done.phase is Phase.FINISHED
    assert done.result == result
    assert after(done, ButtonPressed(9.0)).shakes == 1


def test_where_nobody_hands_a_list_in_the_display_tells_what_there_was_to_find(
    ready: RoundState,
) -> None:
    assert ready.board is not None
    words = Lexicon.from_words("tiny", ["they", "tee", "hey"])
    result = score_round(ready.board, {}, words, ready.plan.game)
    scoring = replace(ready, phase=Phase.SCORING, plan=replace(ready.plan, players=()))
    _, effects = step(scoring, Scored(result))
    found = result.possible
    assert effects == (rounds.Show((f"{found.count} words,", f"{found.points} points")),)
    assert found.count


def test_the_page_of_the_log_has_the_table_of_phases_and_events() -> None:
    page = (Path(__file__).parents[2] / "docs" / "log.md").read_text("utf-8")
    for phase in Phase:
        taken = [kind for place, kind in machine._TABLE if place is phase and kind is not Cancelled]
        named = ", ".join(f"`{kind_of_type(kind)}`" for kind in taken)
        assert f"| `{phase}` | {named} |" in page


def test_the_display_says_when_the_tray_was_moved(
    plan: Plan, reading: Callable[..., TrayReading]
) -> None:
    before = after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled())
    for displaced, lines in ((0.0, ()), (2.5, ("Camera has moved",))):
        read = TrayRead(reading(), PHOTO, displaced=displaced)
        state, effects = step(before, read)
        assert state.displaced == displaced
        assert effects[-1] == rounds.Show(("Ready", "Press to start", *lines))
