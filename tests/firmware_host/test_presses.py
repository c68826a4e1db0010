"""What presses mean for a round, by where it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host import rounds
from firmware_host.presses import event_of, held
from firmware_host.rounds import Event, Phase, RoundState, Timing
from hardware.devices import ACTIONS


@pytest.mark.parametrize(
    ("action", "phase", "event"),
    [
        ("press", Phase.READY, rounds.ButtonPressed(5.0)),
        ("pause", Phase.RUNNING, rounds.PauseAsked(5.0)),
        ("pause", Phase.PAUSED, rounds.ResumeAsked(5.0)),
        ("cancel", Phase.READY, rounds.Cancelled()),
        ("reroll", Phase.READY, rounds.RerollAsked()),
        ("extra_time", Phase.RUNNING, rounds.ExtraTime(30.0, 5.0)),
        ("take", Phase.READY, None),
        ("back", Phase.CONFIRMING, rounds.BackAsked()),
        ("last_chance", Phase.RUNNING, rounds.LastChance("", 5.0)),
        ("done", Phase.RUNNING, rounds.Agreed("", 5.0)),
        ("quiet", Phase.RUNNING, None),
        ("shut_down", Phase.IDLE, None),
    ],
)
def test_presses_mean_what_was_wired(
    ready: RoundState, action: str, phase: Phase, event: Event | None
) -> None:
    assert action in ACTIONS
    assert event_of(action, replace(ready, phase=phase), 5.0) == event


def timed(ready: RoundState, timing: Timing) -> RoundState:
    return replace(ready, plan=replace(ready.plan, timing=timing), phase=Phase.RUNNING)


def test_who_is_done_ends_a_turn_or_would_end_the_round(ready: RoundState) -> None:
    assert event_of("done", timed(ready, Timing.TURNS), 5.0, "red") == rounds.TurnDone(5.0)
    assert event_of("done", timed(ready, Timing.LAST_CHANCE), 5.0, "red") == rounds.Agreed(
        "red", 5.0
    )


def test_a_long_press_takes_what_is_offered_and_else_means_what_was_wired(
    ready: RoundState,
) -> None:
    assert held("cancel", ready) == "cancel"
    unhurried = timed(ready, Timing.LAST_CHANCE)
    assert held("cancel", unhurried) == "last_chance"
    assert held("cancel", replace(unhurried, ends_at=60.0)) == "cancel"
    assert held("cancel", replace(unhurried, phase=Phase.PAUSED)) == "cancel"
    assert held("pause", timed(ready, Timing.SAND)) == "pause"


def test_a_long_press_ends_a_turn_while_its_clock_runs(ready: RoundState) -> None:
    turn = timed(ready, Timing.TURNS)
    assert held("cancel", turn) == "done"
    for phase in (Phase.READY, Phase.PAUSED, Phase.SHAKING):
        assert held("cancel", replace(turn, phase=phase)) == "cancel"
