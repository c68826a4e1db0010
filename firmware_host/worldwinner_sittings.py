"""Matches of WorldWinner that the service plays: kept as `play --match` keeps them, move by move.

A match is held, so that no other process plays it, while somebody's clock runs in it. In between
its file is free, and a match may go on at a terminal.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from firmware_host import matches, worldwinner
from firmware_host.errors import CommandError
from scoring.match import Event as Entry
from scoring.match import Match as Log
from scoring.match import MatchError
from scoring.worldwinner.events import Event, Tick, as_json
from scoring.worldwinner.game import ID, NAME, WorldWinner
from scoring.worldwinner.match import Match, is_due

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

MOST_KNOWN = 64
"""Matches that were read and stay in memory."""


@dataclass(frozen=True)
class Seen:
    """A match at a moment.

    Attributes:
        name: of the match.
        log: the match with its events.
        at: seconds since 1970.
    """

    name: str
    log: Log[Match]
    at: float

    @property
    def match(self) -> Match:
        """As it stands."""
        return self.log.state


@dataclass
class _Held:
    """A match that nobody else may write meanwhile.

    Attributes:
        opened: the match.
        grip: lets it go.
        ahead: seconds that the clock of the match is before that of the machine, which was set
            back.
    """

    opened: matches.OpenMatch[Match]
    grip: ExitStack
    ahead: float

    def tick(self, at: float) -> None:
        """End the turns whose time is over."""
        if is_due(self.opened.match.state, at):
            self.opened.play(as_json(Tick(at)))

    def knows(self, entry: Entry) -> bool:
        """Whether an entry of this id came before, from the same player."""
        return any(_sender(entry) == _sender(known) for known in self.opened.match.events)

    @property
    def idle(self) -> bool:
        """Whether nobody's clock runs."""
        rounds = self.opened.match.state.rounds
        turns = rounds[-1].turns.values() if rounds else ()
        return all(turn.ended or turn.ends_at is None for turn in turns)


class Remembered(Generic[Key, Value]):
    """What was worked out, up to so many; the oldest is forgotten first.

    Args:
        most: how many.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def of(self, key: Key, make: Callable[[], Value]) -> Value:
        """What was worked out for a key, else what is now."""
        value = self._kept.get(key) or make()
        self._kept[key] = value
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value


class Sittings:
    """The matches; safe to be used from several threads.

    Args:
        now: seconds since 1970.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lock = threading.RLock()
        self._held: dict[str, _Held] = {}
        self._read = Remembered[tuple[str, tuple[int, int]], Log[Match]](MOST_KNOWN)

    def names(self) -> tuple[str, ...]:
        """Names of all matches, damaged ones too; those that were played last come first."""
        return tuple(sorted(matches.names(NAME), key=matches.stamp, reverse=True))

    def begin(self, name: str, offer: WorldWinner) -> Seen:
        """Keep a new match.

        Raises:
            CommandError: its name is none, or taken.
            OSError: it cannot be written.
        """
        with self._lock:
            matches.create(name, Log.new(offer))
            return self.look(name)

    def look(self, name: str) -> Seen:
        """A match as it stands now; a turn whose time is over has ended in it.

        Raises:
            CommandError: there is none.
            MatchError, OSError: it cannot be read.
        """
        with self._lock:
            if name in self._held:
                with self._holding(name) as (held, at):
                    return Seen(name, held.opened.match, at)
            stamp = matches.stamp(name)
            log = self._read.of((name, stamp), lambda: matches.load(name, worldwinner.open_rules))
            at = matches.moment_of(log, self._now())
            return Seen(name, log.play(as_json(Tick(at))) if is_due(log.state, at) else log, at)

    def play(self, name: str, event: Callable[[float], Event], id_: str = "") -> Seen:
        """Enter an event, once.

        Args:
            name: of the match.
            event: made with the time of the clock.
            id_: by which its sender knows it: one that came before changes nothing.

        Raises:
            RuleError: it breaks a rule; nothing was changed.
            CommandError: there is no such match, or another process plays it.
            MatchError, OSError: it cannot be read, or written.
        """
        with self._lock, self._holding(name) as (held, at):
            entry = as_json(event(at)) | ({ID: id_} if id_ else {})
            if not (id_ and held.knows(entry)):
                held.opened.play(entry)
            return Seen(name, held.opened.match, at)

    def close(self) -> None:
        """Let all matches go; clocks run on."""
        with self._lock:
            while self._held:
                self._held.popitem()[1].grip.close()

    @contextmanager
    def _holding(self, name: str) -> Iterator[tuple[_Held, float]]:
        held = self._held.get(name) or self._hold(name)
        try:
            at = max(self._now() + held.ahead, matches.last_moment(held.opened.match))
            held.tick(at)
            yield held, at
        finally:
            if held.idle:
                del self._held[name]
                held.grip.close()

    def _hold(self, name: str) -> _Held:
        with ExitStack() as grip:
            opened = grip.enter_context(matches.held(name, worldwinner.open_rules))
            ahead = max(0.0, matches.last_moment(opened.match) - self._now())
            self._held[name] = _Held(opened, grip.pop_all(), ahead)
        return self._held[name]


def readable(sittings: Sittings) -> Iterator[Seen]:
    """Every match that can be read."""
    for name in sittings.names():
        try:
            yield sittings.look(name)
        except (CommandError, MatchError, OSError):  # `worldwinner list` tells what is wrong
            continue


def dealing(number: int, tray: int) -> str:
    """The id of the deal of a round, from a round of the tray by its number in the log."""
    return f"deal-{number}-tray-{tray}"


def trays_in_play(sittings: Sittings) -> frozenset[int]:
    """Rounds of the tray whose letters lie as tiles that somebody is still to play."""
    played = (seen.log for seen in islice(readable(sittings), MOST_KNOWN))
    ids = (_last_deal(log) for log in played if _goes_on(log.state))
    found = (re.fullmatch(r"deal-\d+-tray-(\d+)", id_) for id_ in ids)
    return frozenset(int(each[1]) for each in found if each)


def _goes_on(match: Match) -> bool:
    return len(match.finished) < len(match.rounds)


def _last_deal(log: Log[Match]) -> str:
    deals = [entry for entry in log.events if entry["type"] == "deal"]
    return str(deals[-1].get(ID, ""))


def _sender(entry: Entry) -> tuple[Any, Any] | None:
    return (entry[ID], entry.get("player")) if ID in entry else None
