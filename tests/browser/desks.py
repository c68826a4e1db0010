"""The desk of a tournament, really served, and a station whose trays do what they are told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from firmware_host import tournaments
from firmware_host.settings import WebSection
from firmware_host.station.base import Base, default_url, open_base
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournament_office.app import office_app
from firmware_host.tournament_office.opening import opened
from firmware_host.web.serving import JoinUrl, listening, names_of, running
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


@contextmanager
def served_desk() -> Iterator[Served]:
    """The desk of an event of pairs that is new, called spring."""
    digest = builtin_lexicon().digest
    plan = Plan.agree("Spring Cup", "enable", digest, seats=2, rounds=3, boards=1)
    tournaments.create("spring", Log.new(plan))
    web = WebSection(port=0)
    with listening(web.host, web.port) as listener:
        address = JoinUrl(web.host, listener.getsockname()[1])().removesuffix("join")
        office, pin = opened("spring", None)
        assert pin is not None
        with running(office_app(office, names_of(web)), web, listener):
            yield Served(address, pin)


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
