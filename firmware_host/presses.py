"""What presses of the buttons, and words that are typed in their stead, mean for a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host import rounds
from firmware_host.rounds import Event, Phase, RoundState, Timing
from hardware.clock import Clock
from hardware.devices import PRESS, Button

EXTRA_S = 30.0
"""Seconds that a press for extra time asks for."""


@dataclass(frozen=True)
class Press:
    """A press of one of the tray's buttons.

    Attributes:
        action: one of `hardware.devices.ACTIONS`.
        at: time of the clock.
        long: a long press of the button of the round, as of `held`.
    """

    action: str
    at: float
    long: bool = False

    def meant(self, state: RoundState) -> Event | None:
        """What it means for a round that stands so; None where it means nothing to it."""
        action = held(self.action, state) if self.long else self.action
        return event_of(action, state, self.at)


def listen(button: Button, clock: Clock, hear: Callable[[Press], None]) -> None:
    """Hear of every press from now on, from any thread.

    Raises:
        DeviceError: the buttons are closed.
    """
    button.on_press(lambda: hear(Press(PRESS, clock.monotonic())))
    button.on_action(lambda action: hear(Press(action, clock.monotonic())))
    button.on_hold(lambda action: hear(Press(action, clock.monotonic(), long=True)))


def event_of(action: str, state: RoundState, at: float, player: str = "") -> Event | None:
    """What an action means for a round; None where it means nothing to it.

    Args:
        action: one of `hardware.devices.ACTIONS`.
        state: of the round: the same press pauses and goes on.
        at: time of the clock.
        player: who does it; empty where that is not known, as at a button.
    """
    match action:
        case "take" if state.question is not None:
            return state.question.answer
        case "last_chance":
            return rounds.LastChance(player, at)
        case "done":
            in_turns = state.plan.timing is Timing.TURNS
            return rounds.TurnDone(at) if in_turns else rounds.Agreed(player, at)
    return _timed(action, state, at) or _timeless(action)


def _timed(action: str, state: RoundState, at: float) -> Event | None:
    match action:
        case "press":
            return rounds.ButtonPressed(at)
        case "pause" if state.phase is Phase.PAUSED:
            return rounds.ResumeAsked(at)
        case "pause":
            return rounds.PauseAsked(at)
        case "extra_time":
            return rounds.ExtraTime(EXTRA_S, at)
    return None


def _timeless(action: str) -> Event | None:
    match action:
        case "cancel":
            return rounds.Cancelled()
        case "reroll":
            return rounds.RerollAsked()
        case "back":
            return rounds.BackAsked()
    return None


def held(action: str, state: RoundState) -> str:
    """The action of a long press of the button of the round.

    Args:
        action: what it means as the settings have it.
        state: of the round: where the display offers something, it takes that, so that one button
            is enough.
    """
    return state.offered or action
