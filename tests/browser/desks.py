"""Desk and hall of a tournament, really served, and a station whose trays do as they are told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import FastAPI

from firmware_host import tournaments
from firmware_host.settings import WebSection
from firmware_host.station.base import Base, default_url, open_base
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournament_office.app import office_app
from firmware_host.tournament_office.opening import opened
from firmware_host.tournament_wall.app import Hall, hall_app
from firmware_host.web.render import Pages
from firmware_host.web.serving import JoinUrl, listening, names_of, running
from firmware_host.web.texts import read_catalogues
from scoring.lexicon import builtin_lexicon
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan


@dataclass
class Served:
    """A desk that is served.

    Attributes:
        address: of its page.
        pin: of its referees.
    """

    address: str
    pin: str


def new_event() -> Log:
    """An event of pairs, three rounds of one board."""
    digest = builtin_lexicon().digest
    return Log.new(Plan.agree("Spring Cup", "enable", digest, seats=2, rounds=3, boards=1))


@contextmanager
def served_desk(log: Log | None = None, database: str | None = None) -> Iterator[Served]:
    """The desk of an event called spring.

    Args:
        log: of the event; None is a new one.
        database: of its station; None is a file beside the event.
    """
    tournaments.create("spring", log or new_event())
    office, pin = opened("spring", database)
    assert pin is not None
    with _served(lambda names, _address: office_app(office, names)) as address:
        yield Served(address, pin)


@contextmanager
def served_hall(clock: Callable[[], float] = time.time) -> Iterator[str]:
    """The address of the hall's pages of the event called spring."""
    pages = Pages(read_catalogues())

    def app(names: Collection[str], address: str) -> FastAPI:
        return hall_app(Hall("spring", clock, pages, lambda: f"{address}me"), names)

    with _served(app) as address:
        yield address


@contextmanager
def _served(make: Callable[[Collection[str], str], FastAPI]) -> Iterator[str]:
    """Serve what is made for the host names of this machine, and its address; gives the address."""
    web = WebSection(port=0)
    with listening(web.host, web.port) as listener:
        address = JoinUrl(web.host, listener.getsockname()[1])().removesuffix("join")
        with running(make(names_of(web), address), web, listener):
            yield address


@contextmanager
def station() -> Iterator[Base]:
    """One whose trays do all that they are told, at once."""
    with open_base(default_url("spring"), "spring") as base:
        over = threading.Event()
        thread = threading.Thread(target=_obey, args=(base, over))
        thread.start()
        try:
            yield base
        finally:
            over.set()
            thread.join()


def _obey(base: Base, over: threading.Event) -> None:
    while not over.wait(0.2):
        base.answer(
            Answer(given.order.id, Outcome.DONE, "", given.given)
            for given in base.orders()
            if given.answer is None
        )
