"""WorldWinner Boggle at the station: matches that are kept, and played on a tray.

For each round the tray is shaken and read, then the players play one after the other. Every event
is entered in a log at once. The times of kept matches are those of `hardware.clock.WallClock`: a
clock that was started runs on while nobody plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from firmware_host import lexicons, matches, play, rounds
from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use
from firmware_host.tray import Tray
from scoring.cubes import UnknownCubeSetError
from scoring.match import Event as Entry
from scoring.match import Match as Log
from scoring.match import MatchError, RuleError, Setup
from scoring.rules.worldwinner import GAME
from scoring.worldwinner.events import Deal, Event, Start, Tick, as_json
from scoring.worldwinner.game import NAME, WorldWinner
from scoring.worldwinner.match import Match, is_due, to_play

SHAKE_S = 1.0


class Sitting(Protocol):
    """A match that is being played: a `matches.OpenMatch`, or a `matches.UnkeptMatch`."""

    @property
    def match(self) -> Log[Match]:
        """As it stands."""

    def play(self, event: Entry) -> None:
        """Enter an event.

        Raises:
            RuleError: it breaks a rule; nothing was changed.
            OSError: it could not be written; nothing was changed.
        """


class Players(Protocol):
    """Who plays: people at a display or a terminal."""

    def next_event(self, match: Match, player: str) -> Event | None:
        """What this player does next: a `Start` first, then moves, or a `Tick` in between.

        None: all leave, and the match stays as it is.
        """

    def watch(self, match: Match, event: Event) -> None:
        """Show what ``event`` led to; called after every step."""

    def refuse(self, error: RuleError) -> None:
        """Show why the last event is not allowed."""


@dataclass(frozen=True)
class Played:
    """A match to its end, or until all left; and how each board of the sitting was read."""

    match: Match
    readings: tuple[rounds.RoundState, ...]


def open_rules(name: str, setup: Setup) -> WorldWinner:
    """The rules of a stored match, as `scoring.match.Opener`.

    Raises:
        MatchError: another game, or a damaged setup.
        LexiconError: its word list is not there any more.
    """
    if name != NAME:
        message = f"this is a match of {name!r}, not of {GAME.title}"
        raise MatchError(message, "Give another match.")
    try:
        return WorldWinner.from_setup(setup, lexicons.load)
    except (RuleError, UnknownCubeSetError) as error:
        advice = "Look whether somebody changed the file."
        raise MatchError(f"the setup of the match is damaged: {error}", advice) from error


def load(name: str, now: float) -> Log[Match]:
    """A match to look at; a turn whose time is over by now has ended in it.

    Raises:
        CommandError, MatchError, OSError: as `firmware_host.matches.load`.
    """
    match = matches.load(name, open_rules)
    return match.play(as_json(Tick(now))) if is_due(match.state, now) else match


@contextmanager
def sitting(name: str | None, offer: WorldWinner) -> Iterator[Sitting]:
    """Play a match: go on with the one of this name, or begin it.

    Args:
        name: of the match; None keeps it nowhere.
        offer: the rules of a match that is begun.

    Raises:
        CommandError: the match is over, its name is none, or another process plays it.
        MatchError, OSError: as `firmware_host.matches.load`.
    """
    if name is None:
        yield matches.UnkeptMatch[Match](Log.new(offer))
        return
    if not matches.exists(name):
        matches.create(name, Log.new(offer))
    with matches.held(name, open_rules) as opened:
        if opened.match.state.over:
            raise wrong_use("match_over", f"the match {name} is over", "Begin one of another name.")
        yield opened


def play_match(
    log: Sitting, tray: Tray, table: play.Table, players: Players, shake_s: float = SHAKE_S
) -> Played:
    """Play what is left of a match; the devices are off on every way out.

    A real motor runs for the first board of a sitting, and for each other one after a press.

    Args:
        log: the match; every event is entered in it.
        tray: is shaken and read for each round, and shows the clock.
        table: settles doubtful cells.
        players: play.
        shake_s: length of a shake in seconds.

    Raises:
        CommandError: a device failed, or the tray cannot be read.
        OSError: an event cannot be kept.
    """
    readings: list[rounds.RoundState] = []
    goes_on = True
    with tray.devices:
        while goes_on and not log.match.state.over:
            player = to_play(log.match.state)
            if player is not None:
                goes_on = _play_turn(log, player, tray, players)
                continue
            at_once = not readings or tray.devices.shaker.simulated
            plan = log.match.state.plan
            shaking = rounds.Plan(GAME, plan.players, plan.seconds, shake_s)
            readings.append(play.lay_out(shaking, tray, table, at_once=at_once))
            goes_on = _deal(log, readings[-1], tray, players)
    return Played(log.match.state, tuple(state for state in readings if state.board))


def _deal(log: Sitting, state: rounds.RoundState, tray: Tray, players: Players) -> bool:
    """Play on the board that was laid out; False where it was given up."""
    if state.phase is rounds.Phase.CANCELLED:
        return False
    if state.board is None:
        raise _fault(*(state.fault or ("no board was read", "Play it again.")))
    deal = Deal(tray.clock.monotonic(), state.board)
    _enter(log, deal)
    players.watch(log.match.state, deal)
    return True


def _play_turn(log: Sitting, player: str, tray: Tray, players: Players) -> bool:
    """Play until this player's clock has run out; False where all leave before."""
    left = _left(log.match.state, player, tray.clock.monotonic())
    if log.match.state.rounds[-1].turns[player].ends_at is None:
        _perform(tray, (rounds.Sand(1.0), rounds.Show((f"Ready: {player}", "Press to start"))))
    while to_play(log.match.state) == player:
        event = players.next_event(log.match.state, player)
        if event is None:
            return False
        try:
            _enter(log, event)
        except RuleError as error:
            players.refuse(error)
            continue
        players.watch(log.match.state, event)
        before, left = left, _left(log.match.state, player, event.at)
        _perform(tray, _signals(log.match.state, player, event, before, left))
    return True


def _enter(log: Sitting, event: Event) -> None:
    """Enter an event; not a `Tick` that changes nothing, of which there are many a second."""
    if not isinstance(event, Tick) or is_due(log.match.state, event.at):
        log.play(as_json(event))


def _left(match: Match, player: str, at: float) -> float:
    left = match.rounds[-1].turns[player].left(at)
    return match.plan.seconds if left is None else left


def _signals(
    match: Match, player: str, event: Event, before: float, left: float
) -> Iterator[rounds.Effect]:
    """What the tray shows and plays: clock, points, warnings, start and end."""
    turn = match.rounds[-1].turns[player]
    if turn.ends_at is None and not turn.ended:
        return
    yield rounds.Sand(None if turn.ended else left / match.plan.seconds)
    offered = () if turn.ended else ("Hold: done",)
    yield rounds.Show((f"{player} {turn.points}", f"{left:.0f} s", *offered))
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
