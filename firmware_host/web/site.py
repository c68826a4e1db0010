"""What the routes share: the owner that they post to, the stream, the sessions, the limits."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from starlette.requests import HTTPConnection

from firmware_host.dictionary import NOTHING, Dictionary
from firmware_host.owner import Meant, Standing
from firmware_host.rounds import Event, RoundState
from firmware_host.shelf import Shelf
from firmware_host.store.place import Place
from firmware_host.upkeep import Upkeep
from firmware_host.web.access import Access
from firmware_host.web.editions import Edition, Editions
from firmware_host.web.latest import Latest
from firmware_host.web.limits import BackOff, Buckets
from firmware_host.web.problems import Problem
from firmware_host.web.render import Pages
from firmware_host.web.sessions import COOKIE, Role, Session, Sessions
from firmware_host.web.stream import Hub
from firmware_host.web.uploads import Uploads
from firmware_host.web.views import Scene
from hardware.clock import Clock
from scoring.lexicon import Lexicon

ANSWER_S = 15.0
"""Seconds that the owner is waited for: it may be at a shake."""

LENT = "Maintenance has the tray: wait until it is done, or end it at /maintenance."

BUSY = "The tray is at something that takes longer: try again when it is done."


class Posted(Protocol):
    """The owner, as the routes reach it: they post events and never touch a device."""

    @property
    def standing(self) -> Standing:
        """How it stands; never waits."""

    @property
    def lent(self) -> bool:
        """Whether something else than a round has the devices now."""

    def take(self, meant: Meant) -> Future[RoundState]:
        """Have what is meant taken in its turn."""


@dataclass(frozen=True)
class Taken:
    """What came of an event: the state before it, and after."""

    before: RoundState
    after: RoundState

    @property
    def changed(self) -> bool:
        """Whether it changed anything."""
        return self.after != self.before


@dataclass(frozen=True)
class Table:
    """The table, as the pages tell it.

    Attributes:
        name: of the table.
        simulated: the tray is made up.
        shelf: the word lists.
        size: rows and columns of the tray.
        join_url: where players join, as it is now.
        long_press: the action of a long press of the round's button.
        challenge_s: seconds of the clock of a challenge.
        board_marks: players are told at once whether a word is on the board.
    """

    name: str
    simulated: bool
    shelf: Shelf
    size: tuple[int, int]
    join_url: Callable[[], str]
    long_press: str = "cancel"
    challenge_s: float = 60.0
    board_marks: bool = False


@dataclass(frozen=True)
class Machine:
    """The machine, as the referee and the owner look after it.

    Attributes:
        place: where all is kept.
        devices: names of the devices, and whether each is made up.
        settings_file: where the settings are; None for a tray that has none.
        restart: begins the service anew, in safe mode or not; None where it cannot.
        safe: it is in safe mode, without devices.
    """

    place: Place
    devices: tuple[tuple[str, bool], ...]
    settings_file: Path | None = None
    restart: Callable[[bool], None] | None = None
    safe: bool = False

    @property
    def simulated(self) -> bool:
        """Whether any device is made up."""
        return any(made_up for _, made_up in self.devices)


@dataclass(frozen=True)
class Told:
    """What takes long to find out, and is found out once for all who ask."""

    words: Latest[Any] = field(default_factory=Latest)
    statistics: Latest[Any] = field(default_factory=Latest)
    fairness: Latest[Any] = field(default_factory=Latest)


@dataclass(frozen=True)
class Site:
    """All that the routes need.

    Attributes:
        owner: of the round.
        clock: the owner's.
        hub: of the stream.
        sessions: given and read.
        access: PINs and code.
        table: the table.
        machine: what else of the machine the owner looks after.
        uploads: reads photographed lists.
        pages: makes the pages.
        round_number: of the round in the log, as it is now.
        words: how many words a player may send.
        guesses: of PINs and codes, by address.
        all_guesses: by everybody together.
        dictionary: what the machine knows of the words of its list.
        editions: of the stream.
        secure: sessions go over TLS alone.
        answer_s: as of `ANSWER_S`.
        told: what takes long to find out, by what it is.
        upkeep: what is done with the devices besides rounds; None where there are none.
        dealt: rounds of the log whose letters lie as tiles that somebody is still to play.
    """

    owner: Posted
    clock: Clock
    hub: Hub
    sessions: Sessions
    access: Access
    table: Table
    machine: Machine
    uploads: Uploads
    pages: Pages
    round_number: Callable[[], int]
    words: Buckets
    guesses: BackOff
    all_guesses: Buckets
    dictionary: Dictionary = NOTHING
    editions: Editions = field(default_factory=Editions)
    secure: bool = False
    answer_s: float = ANSWER_S
    told: Told = field(default_factory=Told)
    upkeep: Upkeep | None = None
    dealt: Callable[[], Collection[int]] = frozenset

    @property
    def state(self) -> RoundState:
        """Of the round, as it is now."""
        return self.owner.standing.state

    @property
    def lexicon(self) -> Lexicon:
        """The word list of the round."""
        return self.table.shelf.or_first(self.state.lexicon)

    def scene(self) -> Scene:
        """The round with what is around it, as it is now."""
        return Scene(
            state=self.hub.state,
            seq=self.hub.seq,
            at=self.clock.monotonic(),
            number=self.round_number(),
            online=self.hub.online,
            table=self.table.name,
            join_url=self.table.join_url(),
            code=self.access.code,
            simulated=self.table.simulated,
            lexicon=self.lexicon,
            next_lexicon=self.hub.state.next_lexicon or self.table.shelf.first.name,
            size=self.table.size,
            board_marks=self.table.board_marks,
            glimpse=self.hub.glimpse,
            recovered=self.hub.recovered,
        )

    def edition(self) -> Edition:
        """The state as all pages are told it now."""
        return self.editions.of(self.hub.edition, self.scene)

    def visitor(self, connection: HTTPConnection) -> Session | None:
        """Who asks: by their session, else the table's own display on this very machine."""
        session = self.sessions.read(connection.cookies.get(COOKIE))
        if session is not None and self.holds(session):
            return session
        return _DISPLAY if is_local(connection) else None

    def holds(self, session: Session) -> bool:
        """Whether a session is still good: a player's ends with their seat."""
        if session is _DISPLAY:
            return True
        seated = session.role is not Role.PLAYER or session.sits_in(self.hub.state)
        return seated and self.sessions.lasts(session)

    async def take(self, meant: Event | Meant) -> Taken:
        """Have an event taken by the owner, or what is meant where the round then stands.

        Raises:
            Problem: the owner is busy, or ends.
        """
        if self.owner.lent:
            raise Problem(503, "the tray is looked after", LENT, kind="upkeep", retry_after_s=10)
        before: list[RoundState] = []

        def noted(state: RoundState) -> Event | None:
            before.append(state)
            return meant(state) if callable(meant) else meant

        after = await self._answer(self.owner.take(noted))
        return Taken(before[0], after)

    async def _answer(self, answer: Future[RoundState]) -> RoundState:
        try:
            return await asyncio.wait_for(
                asyncio.shield(asyncio.wrap_future(answer)), self.answer_s
            )
        except TimeoutError:
            if answer.cancel():
                raise Problem(503, "the tray is busy", BUSY, kind="busy", retry_after_s=5) from None
            return self.state  # it has happened, and what comes of it takes its time
        except asyncio.CancelledError:
            if answer.cancelled():
                raise Problem(503, "the service ends", "Come back in a moment.") from None
            raise


_DISPLAY = Session(Role.DISPLAY, "", float("inf"))


def is_local(connection: HTTPConnection) -> bool:
    """Whether somebody asks from this very machine."""
    if connection.client is None:
        return False
    try:
        address = ipaddress.ip_address(connection.client.host.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
