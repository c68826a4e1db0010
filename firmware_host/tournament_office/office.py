"""The desk as its pages see it: the event, the station where there is one, and who works here.

Routes run in threads of their own. The event is continued by one of them at a time; a base of the
station serves any of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from firmware_host.station.base import Base
from firmware_host.tournament_checkin import Roll, Tick
from firmware_host.tournament_office.branch import Branch
from firmware_host.tournament_office.pulse import Pulse
from firmware_host.tournament_office.starts import Troubles
from firmware_host.tournaments import HeldEvent, OpenEvent
from firmware_host.web.access import Access
from firmware_host.web.latest import Latest
from firmware_host.web.limits import BackOff, Buckets
from firmware_host.web.problems import Problem
from firmware_host.web.render import Pages
from firmware_host.web.sessions import Session, Sessions
from scoring.match import Event
from scoring.tournament.log import Log

Document = dict[str, Any]

COOKIE = "wordtray-desk"
"""Of its sessions: another one than a tray's, as one machine may serve both."""

WAIT_S = 5.0
"""Seconds that another program is waited for that continues the event."""

NO_STATION = "Start it: wordtray station serve, with the same --database."


def after(seconds: float, do: Callable[[], None]) -> None:
    """Have something done after so many seconds, in a thread that ends with the program."""
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()


@dataclass(frozen=True)
class Office:
    """All that the routes need.

    Attributes:
        name: of the event.
        event: its file, held open.
        branch: to the station's database.
        roll: who is there.
        clock: seconds since 1970.
        pages: makes the pages.
        access: the PIN.
        sessions: given and read; their names are those of the referees.
        guesses: of PINs, by address.
        all_guesses: by everybody together.
        secure: sessions go over TLS alone.
        wait_s: as of `WAIT_S`.
        later: has something done after so many seconds, in a thread of its own.
        troubles: what went wrong where nobody waits for an answer.
        pulse: of the station.
        told: the event as its last document.
    """

    name: str
    event: HeldEvent
    branch: Branch
    roll: Roll
    clock: Callable[[], float]
    pages: Pages
    access: Access
    sessions: Sessions
    guesses: BackOff
    all_guesses: Buckets
    secure: bool = False
    wait_s: float = WAIT_S
    later: Callable[[float, Callable[[], None]], None] = after
    troubles: Troubles = field(default_factory=Troubles)
    pulse: Pulse = field(default_factory=Pulse)
    told: Latest[Document] = field(default_factory=Latest, repr=False)

    @property
    def log(self) -> Log:
        """The event as it stands; for any thread.

        Raises:
            EventError, OSError: it cannot be read.
        """
        return self.event.look()

    @contextmanager
    def continuing(self, session: Session) -> Iterator[OpenEvent]:
        """Continue the event, for who sits at the desk: each entry says who.

        Raises:
            Problem: another program still continues it.
            RuleError, CommandError, EventError, OSError: as `OpenEvent.play`.
        """
        with _telling_busy():
            opened = self.event.opened(self.clock(), by=session.name, wait_s=self.wait_s)
            with opened as event:
                yield event

    def play(self, session: Session, *events: Event) -> Log:
        """Continue the event, all or nothing.

        Raises:
            as `continuing`.
        """
        with self.continuing(session) as event:
            event.play(*events)
            return event.log

    def play_on(self, session: Session, log: Log, *events: Event) -> Log:
        """The same, of events that were made for the event as it stood: for what takes long.

        Raises:
            Problem: it was continued meanwhile.
            as `continuing`.
        """
        with self.continuing(session) as event:
            if event.log.last_hash != log.last_hash:
                raise moved()
            event.play(*events)
            return event.log

    def tick(
        self, session: Session, players: Collection[str], *, here: bool | None, again: bool = True
    ) -> None:
        """Tick players off as there or not, or take that back; who did is kept.

        Without ``again`` those stay who are ticked off already.

        Raises:
            Problem: another program still continues the event.
            EventError, OSError: as `Roll.tick`.
        """
        tick = None if here is None else Tick(here, session.name, self.clock())
        with _telling_busy():
            self.roll.tick(dict.fromkeys(players, tick), self.wait_s, again=again)

    def base(self) -> Base:
        """The database of the station.

        Raises:
            Problem: there is none.
            StorageError: it cannot be opened.
        """
        base = self.branch.base()
        if base is None:
            raise Problem(409, "no station is at work", NO_STATION, kind="no_station")
        return base


def moved() -> Problem:
    """What is meant was meant of something that another referee has changed."""
    advice = "Look at what it is now, then do it again if it is still to be done."
    return Problem(409, "somebody else changed it meanwhile", advice, kind="moved")


@contextmanager
def _telling_busy() -> Iterator[None]:
    try:
        yield
    except BlockingIOError:
        detail = "the event is being continued elsewhere"
        advice = "Try again in a moment; look whether a command hangs."
        raise Problem(503, detail, advice, kind="busy", retry_after_s=1) from None
