"""Who is there: what is ticked off at the desk before a round, for the draw to know of.

It lies in a file beside the event and proves nothing: who sat out a round stands in its draw. A
tick stands until it is changed, through all rounds: who is here in the morning is for the day.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from firmware_host.errors import wrong_use
from firmware_host.files import locked, read_bounded, write_whole
from firmware_host.tournaments import beside, data_folder
from scoring.tournament.log import EventError, Log
from scoring.tournament.state import Round, Status

LARGEST_FILE = 4_000_000
"""Bytes at most."""


@dataclass(frozen=True)
class Tick:
    """What is known of a player.

    Attributes:
        here: whether they are there, or are known not to be.
        by: who said so.
        at: when, seconds since 1970.
    """

    here: bool
    by: str
    at: float


Ticks = Mapping[str, Tick]
"""By player; who is not in it has not been ticked off."""


class Roll:
    """The ticks of an event; for any thread, and beside other programs.

    Args:
        name: of the event.

    Raises:
        CommandError: there is no such event.
    """

    def __init__(self, name: str) -> None:
        self._path = beside(name, "checkin")
        self._lock = threading.Lock()
        self._known: tuple[object, Ticks] = (None, MappingProxyType({}))

    def ticks(self) -> Ticks:
        """All of them; the file is read again when it has changed.

        Raises:
            EventError: it is damaged.
            OSError: it cannot be read.
        """
        with self._lock:
            stamp = self._stamp()
            if self._known[0] != stamp:
                self._known = (stamp, self._read())
            return self._known[1]

    def tick(
        self,
        changed: Mapping[str, Tick | None],
        wait_s: float | None = None,
        *,
        again: bool = True,
    ) -> None:
        """Tick players off, or take ticks back.

        Args:
            changed: by player; None takes the tick back.
            wait_s: seconds that another program is waited for; None waits for its end.
            again: those who are ticked off already, too; else their ticks stay.

        Raises:
            EventError: what was there is damaged.
            BlockingIOError: another program still has the folder.
            OSError: it cannot be kept.
        """
        with locked(data_folder(), wait_s):
            known = self._read()
            ticks = {**known, **changed} if again else {**changed, **known}
            kept = {name: vars(each) for name, each in ticks.items() if each is not None}
            write_whole(self._path, (json.dumps(kept).encode(),))

    def _stamp(self) -> object:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _read(self) -> Ticks:
        if self._stamp() is None:
            return MappingProxyType({})
        data = read_bounded(self._path, LARGEST_FILE)
        try:
            kept = json.loads(data or b"")
            return MappingProxyType({str(name): _tick(each) for name, each in kept.items()})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            message = f"{self._path} is damaged: who is there cannot be read"
            raise EventError(message, "Delete it, and tick everybody off again.") from error


def absent(log: Log, ticks: Ticks, *, strict: bool = False) -> tuple[str, ...]:
    """Who sits out the round to come.

    Args:
        log: the event.
        ticks: who is there.
        strict: so does who has not been ticked off at all.
    """
    return tuple(name for name in _drawn(log) if not _is_here(ticks.get(name), strict=strict))


def unsettled(log: Log, ticks: Ticks) -> list[str]:
    """Who the tables of a round that has not started take to be there, or not, in words."""
    waiting = [played for played in log.state.rounds if not played.started and played.draws]
    return [text for played in waiting for text in _unsettled(played, ticks)]


def _unsettled(played: Round, ticks: Ticks) -> Iterator[str]:
    out = {name for draw in played.draws.values() for name in draw.absent}
    for name, tick in ticks.items():
        if not tick.here and name in played.table_of:
            yield f"{name} is not there, and sits at table {played.table_of[name]}"
        elif tick.here and name in out:
            yield f"{name} is there, and sits nowhere"


def check_settled(log: Log, ticks: Ticks) -> None:
    """See that the tables of a round that is about to start fit who is there.

    Raises:
        CommandError: kind ``left_out``.
    """
    for text in unsettled(log, ticks):
        raise wrong_use("left_out", text, "Draw the tables again, or tick them off otherwise.")


def counts(log: Log, ticks: Ticks) -> dict[str, int]:
    """How many of those who are drawn are there, are not, and have not been ticked off."""
    known = [ticks.get(name) for name in _drawn(log)]
    here = sum(each is not None and each.here for each in known)
    unknown = sum(each is None for each in known)
    return {"here": here, "absent": len(known) - here - unknown, "unknown": unknown}


def _drawn(log: Log) -> Iterator[str]:
    players = log.state.players.values()
    return (player.name for player in players if player.status is Status.ACTIVE)


def _is_here(tick: Tick | None, *, strict: bool) -> bool:
    return not strict if tick is None else tick.here


def _tick(kept: Mapping[str, Any]) -> Tick:
    return Tick(bool(kept["here"]), str(kept["by"]), float(kept["at"]))
