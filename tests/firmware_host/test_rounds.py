"""The round as a pure state machine: phases, effects, warnings, faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import rounds
from firmware_host.rounds import (
    AwaitRest,
    ButtonPressed,
    CellConfirmed,
    DeviceFailed,
    Effect,
    Event,
    ListHandedIn,
    Nudge,
    Phase,
    Plan,
    RoundState,
    Score,
    Scored,
    Settled,
    Shake,
    ShakeDone,
    StillMoving,
    Stop,
    Tick,
    TrayNotRead,
    TrayRead,
    step,
)
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


def test_after_three_shakes_a_person_is_asked(plan: Plan) -> None:
    state = after(RoundState(plan), ButtonPressed(0.0))
    for _ in range(rounds.MOST_SHAKES):
        state = after(state, ShakeDone(), StillMoving(), StillMoving())
    assert state.phase is Phase.FAULTED
    assert state.fault is not None
    assert "by hand" in state.fault[1]


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
    assert state.left_s == 0.0


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
    running = after(ready, ButtonPressed(0.0))
    state, effects = step(running, DeviceFailed("shaker: stalled", "Look under the tray."))
    assert effects[0] == Stop()
    assert after(state, ShakeDone(), Settled(), Tick(99.0)).fault == state.fault
    cleared, effects = step(state, ButtonPressed(100.0))
    assert cleared.phase is Phase.IDLE
    assert not any(isinstance(effect, Shake | Nudge) for effect in effects)


EVENTS = st.one_of(
    st.builds(ButtonPressed, st.floats(0, 500)),
    st.just(ShakeDone()),
    st.just(Settled()),
    st.just(StillMoving()),
    st.just(TrayNotRead("no tray", "light")),
    st.builds(Tick, st.floats(0, 500)),
    st.builds(ListHandedIn, st.sampled_from(["red", "blue", "stranger"]), st.just(())),
    st.builds(CellConfirmed, st.tuples(st.integers(0, 3), st.integers(0, 3)), st.just("A")),
    st.just(DeviceFailed("lid: open", "Close it.")),
)


@given(events=st.lists(st.one_of(EVENTS, st.just("read"), st.just("doubt")), max_size=40))
def test_no_order_of_events_breaks_a_round(reading: MakeReading, events: list[Event | str]) -> None:
    readings = {
        "read": TrayRead(reading(), PHOTO),
        "doubt": TrayRead(reading(doubtful=[(1, 2)]), PHOTO),
    }
    state = RoundState(Plan(game("boggle"), ("red", "blue"), timer_s=60.0))
    played = (Phase.READY, Phase.RUNNING, Phase.COLLECTING, Phase.SCORING, Phase.FINISHED)
    for event in events:
        state, effects = step(state, readings[event] if isinstance(event, str) else event)
        assert (state.board is not None) or state.phase not in played
        assert state.shakes <= rounds.MOST_SHAKES
        if any(isinstance(effect, Shake) for effect in effects):
            assert state.phase is Phase.SHAKING
        assert (state.fault is not None) == (state.phase is Phase.FAULTED)


def test_a_finished_round_is_followed_by_the_next(ready: RoundState) -> None:
    assert ready.board is not None
    words = Lexicon.from_words("tiny", ["they"])
    result = score_round(ready.board, {}, words, ready.plan.game)
    done = after(replace(ready, phase=Phase.SCORING), Scored(result))
    assert done.phase is Phase.FINISHED
    assert done.result == result
    assert after(done, ButtonPressed(9.0)).shakes == 1
