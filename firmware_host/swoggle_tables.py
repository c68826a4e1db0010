"""Matches of Swoggle that the service plays: kept as the command keeps them, event by event.

Nothing is held between two events, so a match may go on at a terminal at any time, and after a
crash it stands where it stood.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware_host import matches, swoggle
from firmware_host.errors import CommandError
from firmware_host.swoggle import SwoggleMatch
from firmware_host.worldwinner_sittings import MOST_KNOWN, Remembered
from scoring.match import Match, MatchError, RuleError
from scoring.swoggle.game import NAME, Swoggle

Act = Callable[[swoggle.Table], None]
"""What somebody does at a table."""


@dataclass(frozen=True)
class Seen:
    """A match at a moment.

    Attributes:
        name: of the match.
        match: with its events.
        at: seconds since 1970.
    """

    name: str
    match: SwoggleMatch
    at: float

    @property
    def seq(self) -> int:
        """Entries of its log so far."""
        return len(self.match.log)


class Tables:
    """The matches; safe to be used from several threads.

    Args:
        now: seconds since 1970.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._read = Remembered[tuple[str, tuple[int, int]], SwoggleMatch](MOST_KNOWN)

    @property
    def now(self) -> float:
        """The moment, in seconds since 1970."""
        return self._now()

    def names(self) -> tuple[str, ...]:
        """Names of all matches, damaged ones too; those that were played last come first."""
        return tuple(sorted(matches.names(NAME), key=matches.stamp, reverse=True))

    def begin(self, name: str, rules: Swoggle) -> Seen:
        """Keep a new match.

        Raises:
            CommandError: its name is none, or taken.
            OSError: it cannot be written.
        """
        matches.create(name, Match.new(rules))
        return self.look(name)

    def look(self, name: str) -> Seen:
        """A match as it stands now; where its time is over, it has ended.

        Raises:
            CommandError: there is none.
            MatchError, OSError: it cannot be read.
        """
        with self._lock:
            stamp = matches.stamp(name)
            match = self._read.of((name, stamp), lambda: swoggle.load(name, self._now()))
        at = matches.moment_of(match, self._now())
        if swoggle.is_due(match, at):
            match = swoggle.load(name, at)
        return Seen(name, match, at)

    def play(self, name: str, seq: int, act: Act, *, keep_time: bool = True) -> Seen:
        """Have something done in a match, once.

        Args:
            name: of the match.
            seq: entries of its log that whoever does it has seen.
            act: what is done.
            keep_time: look at the time first; not for taking something back.

        Raises:
            RuleError: it breaks a rule, or, of kind ``moved_on``, something else was entered
                meanwhile; nothing was changed.
            CommandError: there is no such match.
            MatchError, OSError: it cannot be read, or written.
        """
        with swoggle.playing(name, self._now(), keep_time=keep_time) as table:
            if len(table.match.log) != seq:
                raise RuleError(
                    "moved_on", "something was entered in the match meanwhile", "Look at it again."
                )
            act(table)
            match = table.match
        return Seen(name, match, matches.moment_of(match, self._now()))


def readable(tables: Tables) -> Iterator[Seen]:
    """Every match that can be read."""
    for name in tables.names():
        try:
            yield tables.look(name)
        except (CommandError, MatchError, OSError):  # `swoggle list` tells what is wrong
            continue
