"""Matches of the Boggle family at the station: kept, continued, replayed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from firmware_host import lexicons, matches
from firmware_host.matches import OpenMatch
from scoring.boggle.match import NAME, Boggle
from scoring.boggle.state import State
from scoring.match import Event, Match, MatchError, RuleError, Setup

BoggleMatch = Match[State]


def rules_of(match: BoggleMatch) -> Boggle:
    """The rules of a match.

    Raises:
        MatchError: it is a match of another game.
    """
    if not isinstance(match.rules, Boggle):
        raise MatchError(f"this is a match of {match.rules.name}, not of Boggle", "Give another.")
    return match.rules


def open_rules(name: str, setup: Setup) -> Boggle:
    """The rules of a stored match, as `scoring.match.Opener`.

    Raises:
        MatchError: another game, or a damaged setup.
        LexiconError: its word list is not there any more.
    """
    if name != NAME:
        raise MatchError(f"this is a match of {name!r}, not of Boggle", "Give another match.")
    try:
        return Boggle.from_setup(setup, lexicons.load)
    except RuleError as error:
        raise MatchError(f"the setup of the match is damaged: {error}", error.advice) from error


def load(name: str) -> BoggleMatch:
    """A match to look at.

    Raises:
        CommandError, MatchError, OSError: as `firmware_host.matches.load`.
    """
    return matches.load(name, open_rules)


class Table:
    """A match that is being played; every event is kept at once, or raises and changes nothing."""

    def __init__(self, opened: OpenMatch[State], now: float) -> None:
        self._opened = opened
        self._now = now

    @property
    def match(self) -> BoggleMatch:
        """As it stands."""
        return self._opened.match

    def enter(self, kind: str, **given: Any) -> None:  # noqa: ANN401 - JSON
        """Play an event of a kind, with what else belongs to it."""
        self.enter_all({"type": kind, **given})

    def enter_all(self, *events: Event) -> None:
        """Play several events, or none where one of them breaks a rule."""
        self._opened.play(*({**event, "at": self._now} for event in events))

    def undo(self) -> None:
        """Take the last event back."""
        self._opened.undo()


@contextmanager
def playing(name: str, now: float) -> Iterator[Table]:
    """Continue a match.

    Args:
        name: of the match.
        now: the moment, in seconds.

    Raises:
        CommandError, MatchError, OSError: as `firmware_host.matches.opened`.
    """
    with matches.opened(name, open_rules) as opened:
        yield Table(opened, matches.moment_of(opened.match, now))
