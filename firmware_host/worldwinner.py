"""Plays WorldWinner Boggle on a tray: shakes and reads for each round, lets each player play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from firmware_host import play, rounds
from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.tray import Tray
from scoring.match import RuleError
from scoring.rules.worldwinner import GAME, ROUNDS
from scoring.worldwinner.events import Deal, Event, Start
from scoring.worldwinner.match import Match, Plan, step

SHAKE_S = 1.0


class Players(Protocol):
    """Who plays: people at a display or a terminal."""

    def next_event(self, match: Match, player: str) -> Event:
        """What this player does next: a `Start` first, then moves, or a `Tick` in between."""

    def watch(self, match: Match, event: Event) -> None:
        """Show what ``event`` led to; called after every step."""

    def refuse(self, error: RuleError) -> None:
        """Show why the last event is not allowed."""


@dataclass(frozen=True)
class Played:
    """A match to its end, and how each of its boards was read."""

    match: Match
    readings: tuple[rounds.RoundState, ...]


def play_match(plan: Plan, tray: Tray, table: play.Table, players: Players) -> Played:
    """Play all rounds; the devices are off on every way out.

    Args:
        plan: what was agreed.
        tray: is shaken and read for each round, and shows the clock.
        table: settles doubtful cells.
        players: play.

    Raises:
        CommandError: a device failed, or the tray cannot be read.
    """
    match, readings = Match(plan), []
    shaking = rounds.Plan(GAME, plan.players, plan.seconds, SHAKE_S)
    with tray.devices:
        for _ in range(ROUNDS):
            state = play.lay_out(shaking, tray, table)
            if state.board is None:
                raise _fault(*(state.fault or ("no board was read", "Play it again.")))
            readings.append(state)
            match = _dealt(match, Deal(tray.clock.monotonic(), state.board), players)
            for player in plan.players:
                match = _play_turn(match, player, tray, players)
    return Played(match, tuple(readings))


def _dealt(match: Match, deal: Deal, players: Players) -> Match:
    match = step(match, deal)
    players.watch(match, deal)
    return match


def _play_turn(match: Match, player: str, tray: Tray, players: Players) -> Match:
    """The match after this player's clock has run out."""
    left = match.plan.seconds
    while not match.rounds[-1].turns[player].ended:
        event = players.next_event(match, player)
        try:
            match = step(match, event)
        except RuleError as error:
            players.refuse(error)
            continue
        players.watch(match, event)
        before, left = left, _left(match, player, event.at)
        _perform(tray, _signals(match, player, event, before, left))
    return match


def _left(match: Match, player: str, at: float) -> float:
    turn = match.rounds[-1].turns[player]
    if turn.ends_at is None or turn.ended:
        return 0.0
    return max(0.0, turn.ends_at - at)


def _signals(
    match: Match, player: str, event: Event, before: float, left: float
) -> Iterator[rounds.Effect]:
    """What the tray shows and plays: clock, points, warnings, start and end."""
    turn = match.rounds[-1].turns[player]
    if turn.ends_at is None and not turn.ended:
        return
    yield rounds.Sand(None if turn.ended else left / match.plan.seconds)
    yield rounds.Show((f"{player} {turn.points}", f"{left:.0f} s"))
    if isinstance(event, Start):
        yield rounds.Play("start")
    elif turn.ended:
        yield rounds.Play("end")
    else:
        yield from (rounds.Play(tune) for mark, tune in rounds.WARNINGS if left <= mark < before)


def _perform(tray: Tray, effects: Iterable[rounds.Effect]) -> None:
    for effect in effects:
        answer = tray.perform(effect)
        if isinstance(answer, rounds.DeviceFailed):
            raise _fault(answer.message, answer.advice)


def _fault(message: str, advice: str) -> CommandError:
    return CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
