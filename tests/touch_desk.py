"""A table for the tests of play by touch: the service without devices, and who asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx
from fastapi import FastAPI

from firmware_host import lexicons, matches, worldwinner
from firmware_host.owner import Meant, Standing
from firmware_host.rounds import Phase, Plan, PlayerJoined, RoundState, step
from firmware_host.shelf import Shelf
from firmware_host.swoggle_tables import Tables
from firmware_host.web.app import create_app
from firmware_host.web.limits import Buckets, Rate
from firmware_host.web.sessions import COOKIE, Role, Sessions
from firmware_host.web.site import Site
from firmware_host.web.stream import Hub
from firmware_host.web.swoggle import Swoggles, add_swoggle
from firmware_host.web.worldwinner import Games, add_worldwinner
from firmware_host.worldwinner_sittings import Sittings
from hardware.clock import Clock, ManualClock
from scoring.board import Board
from scoring.lexicon import BUILT_IN, Lexicon
from scoring.rules.worldwinner import GAME
from scoring.worldwinner.match import Match
from tests.firmware_host.web_site import make_desk

BOARD = Board.parse("CATS/QuIET/NOLP/ERST")
URL = "/api/worldwinner"
ENOUGH = Rate(10_000, 1000)
HOST = "http://localhost"


@cache
def _lexicon() -> Lexicon:
    return lexicons.load(BUILT_IN)


@cache
def application() -> FastAPI:
    """Made once: that takes longer than all that a test asks of it."""
    app = create_app(cast("Site", None), {"localhost"})
    add_worldwinner(app, cast("Games", None))
    add_swoggle(app, cast("Swoggles", None))
    return app


class FakeTray:
    """A tray whose round steps as the real one does, without any device."""

    lent = False

    def __init__(self) -> None:
        self.state = RoundState(Plan(GAME, (), 120.0))

    @property
    def standing(self) -> Standing:
        return Standing(self.state, "", 0.0)

    def take(self, meant: Meant) -> Future[RoundState]:
        event = meant(self.state)
        if event is not None:
            self.state = step(self.state, event)[0]
        answer: Future[RoundState] = Future()
        answer.set_result(self.state)
        return answer

    def lay(self, board: Board) -> None:
        """Letters lie there, read and hidden."""
        self.state = replace(self.state, phase=Phase.READY, board=board)


Run = Callable[[Coroutine[Any, Any, httpx.Response]], httpx.Response]


class Client:
    """Somebody's browser: keeps its cookies, asks from its address."""

    def __init__(self, app: FastAPI, run: Run, address: str) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 5000))
        self._client = httpx.AsyncClient(transport=transport, base_url=HOST)
        self._run = run
        self.cookies = self._client.cookies

    def get(self, path: str, **params: str) -> httpx.Response:
        return self._run(self._client.get(path, params=params))

    def post(self, path: str, body: object = None) -> httpx.Response:
        return self._run(self._client.post(path, json=body))


@dataclass
class Desk:
    """An application with its parts, and who asks it."""

    folder: Path
    clock: Clock = field(default_factory=lambda: ManualClock(1_796_050_000.0))
    tray: FakeTray = field(default_factory=FakeTray)
    rate: Rate = ENOUGH
    size: tuple[int, int] = (4, 4)
    runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    def __post_init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self.sessions = Sessions("secret", self.clock.monotonic)
        self.start()

    def start(self) -> None:
        """The service, as it comes up."""
        self.sittings = Sittings(self.clock.monotonic)
        self.site = self._site()
        self.app = application()
        self.app.state.site = self.site
        self.app.state.worldwinner = Games(self.sittings, BUILT_IN, "new_4x4", seed=lambda: 1)
        tables = Tables(self.clock.monotonic)
        self.app.state.swoggle = Swoggles(tables, BUILT_IN, seed=lambda: 1)

    def restart(self) -> None:
        """The service goes down and comes up again."""
        self.sittings.close()
        self.start()

    def close(self) -> None:
        """The table is put away."""
        self.sittings.close()
        self._thread.submit(self.runner.close).result()
        self._thread.shutdown()

    def _run(self, asking: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
        """Ask in a thread of its own: a browser that is driven keeps a loop in this one."""
        return self._thread.submit(self.runner.run, asking).result()

    def _site(self) -> Site:
        usual = make_desk(self.folder, self.runner).site
        return replace(
            usual,
            owner=self.tray,
            clock=self.clock,
            hub=Hub(self.tray.state),
            sessions=self.sessions,
            table=replace(usual.table, shelf=Shelf(_lexicon()), size=self.size),
            words=Buckets(self.rate, self.clock.monotonic),
        )

    @property
    def display(self) -> Client:
        """The table's own display."""
        return Client(self.app, self._run, "127.0.0.1")

    def phone(self, name: str) -> Client:
        """The phone of somebody who joins now."""
        client = Client(self.app, self._run, "192.168.1.5")
        client.cookies.set(COOKIE, self.seated(name))
        return client

    def seated(self, name: str) -> str:
        """Somebody joins; gives their session as a cookie."""
        session = self.sessions.new(Role.PLAYER, name)
        self.tray.take(lambda _: PlayerJoined(name, session.key))
        self.site.hub.state = self.tray.state
        return self.sessions.written(session)

    def stranger(self) -> Client:
        """Somebody who has not joined."""
        return Client(self.app, self._run, "192.168.1.9")

    def begun(self, *players: str, name: str = "monday", seconds: float = 90) -> None:
        """A match in which the first tiles lie there."""
        asked = {"name": name, "players": players, "seconds": seconds}
        assert self.display.post(URL, asked).status_code == 201
        self.dealt(1, name)

    def dealt(self, number: int, name: str = "monday") -> None:
        """The tiles of a round."""
        self.tray.lay(BOARD)
        answer = self.display.post(f"{URL}/{name}/deal", {"round": number})
        assert answer.status_code == 200, answer.text

    def kept(self, name: str = "monday") -> Match:
        """The match as it is on the disk."""
        return matches.load(name, worldwinner.open_rules).state
