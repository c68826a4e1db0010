"""A desk in memory with referees who ask it things, and a station whose trays answer as told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from firmware_host import tournaments
from firmware_host.station.base import Base, default_url
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournament_checkin import Roll
from firmware_host.tournament_office.app import office_app
from firmware_host.tournament_office.branch import Branch
from firmware_host.tournament_office.office import COOKIE, Office
from firmware_host.web.access import Access, HashedPin
from firmware_host.web.limits import BackOff, Buckets, Rate
from firmware_host.web.render import Pages
from firmware_host.web.sessions import Role, Sessions
from firmware_host.web.texts import read_catalogues
from hardware.clock import ManualClock
from scoring.lexicon import builtin_lexicon
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan

PIN = "123456"
ACCESS = Access("secret", "", {Role.REFEREE: HashedPin.of(PIN)})
PAGES = Pages(read_catalogues())
BASE = "http://localhost"
START = 1_000_000.0


@cache
def _digest() -> str:
    return builtin_lexicon().digest


def event(*players: str, **agreed: Any) -> Log:  # noqa: ANN401 - as of Plan.agree
    """An event in which some are enrolled."""
    given = {"seats": 2, "rounds": 3, "boards": 1} | agreed
    plan = Plan.agree("Spring", "enable", _digest(), **given)
    return Log.new(plan).play(5.0, *({"type": "enrol", "player": name} for name in players))


@dataclass
class Later:
    """What is to be done later, until somebody has it done."""

    waiting: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def __call__(self, seconds: float, do: Callable[[], None]) -> None:
        self.waiting.append((seconds, do))

    def pass_by(self) -> float:
        """Have the next thing done; gives the seconds that were waited for."""
        seconds, do = self.waiting.pop(0)
        do()
        return seconds


_APPLICATIONS: list[FastAPI] = []
"""One for all: to put it together takes longer than most tests. The last desk has it."""


def _application(office: Office) -> FastAPI:
    if not _APPLICATIONS:
        _APPLICATIONS.append(office_app(office, {"localhost"}))
    _APPLICATIONS[0].state.office = office
    return _APPLICATIONS[0]


@dataclass
class Desk:
    """An office and what a test does to it."""

    office: Office
    clock: ManualClock
    later: Later
    app: FastAPI = field(init=False)

    def __post_init__(self) -> None:
        self.app = _application(self.office)

    @property
    def log(self) -> Log:
        return self.office.log

    def stranger(self) -> Referee:
        """Somebody who has not signed in."""
        return Referee(self.app)

    def referee(self, name: str = "Bo") -> Referee:
        """Somebody who works here."""
        found = self.stranger()
        found.cookies[COOKIE] = self.office.sessions.written(
            self.office.sessions.new(Role.REFEREE, name)
        )
        return found

    def station(self) -> Base:
        """The station's database, which is there from now on."""
        Path(default_url(self.office.name).removeprefix("sqlite:")).touch()
        return self.office.base()


def make_desk(log: Log, name: str = "spring") -> Desk:
    """The desk of an event that is new."""
    tournaments.create(name, log)
    clock, later = ManualClock(START), Later()
    office = Office(
        name=name,
        event=tournaments.HeldEvent(name),
        branch=Branch(default_url(name), name),
        roll=Roll(name),
        clock=clock.monotonic,
        pages=PAGES,
        access=ACCESS,
        sessions=Sessions(ACCESS.secret, clock.monotonic),
        guesses=BackOff(clock.monotonic),
        all_guesses=Buckets(Rate(burst=30, per_s=0.5), clock.monotonic),
        wait_s=0.0,
        later=later,
    )
    return Desk(office, clock, later)


@dataclass
class Referee:
    """A browser of somebody at the desk."""

    app: FastAPI
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        """Any question."""

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            client = httpx.AsyncClient(transport=transport, base_url=BASE, cookies=self.cookies)
            async with client as one:
                answer = await one.request(method, path, **more)
                self.cookies = dict(one.cookies)
                return answer

        return asyncio.run(asked())

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, **body: Any) -> httpx.Response:  # noqa: ANN401 - any JSON
        return self.ask("POST", path, json=body)

    def done(self, path: str, **body: Any) -> dict[str, Any]:  # noqa: ANN401
        """What is answered where it was done."""
        answer = self.post(path, **body)
        assert answer.is_success, answer.text
        return dict(answer.json()) if answer.content else {}

    def refused(self, path: str, **body: Any) -> tuple[int, str]:  # noqa: ANN401
        """Status and kind of a refusal."""
        answer = self.post(path, **body)
        assert not answer.is_success, answer.text
        return answer.status_code, str(answer.json()["type"])

    def state(self) -> dict[str, Any]:
        answer = self.get("/api/desk")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def answer_all(base: Base, outcome: Outcome, why: str = "", **only: Any) -> None:  # noqa: ANN401
    """Have trays answer every order that is open, or those with some ``tray`` or ``kind``."""
    base.answer(
        Answer(given.order.id, outcome, why, given.given)
        for given in base.orders()
        if given.answer is None and _fits(given.tray, given.order.kind, only)
    )


def _fits(tray: str, kind: str, only: Mapping[str, Any]) -> bool:
    return only.items() <= {"tray": tray, "kind": kind}.items()


def show_tables(base: Base, **documents: Mapping[str, Any]) -> None:
    """What the monitor shows of tables, by ``t1`` for table 1."""
    base.show({name[1:]: json.dumps(document) for name, document in documents.items()})
