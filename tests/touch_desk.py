"""A table for the tests of WorldWinner by touch: the service without devices, and who asks it."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache

from fastapi import FastAPI
from fastapi.testclient import TestClient

from firmware_host import lexicons, matches, worldwinner
from firmware_host.owner import Meant, Standing
from firmware_host.rounds import Phase, Plan, PlayerJoined, RoundState, step
from firmware_host.web.access import Access, made
from firmware_host.web.app import create_app
from firmware_host.web.limits import BackOff, Buckets, Rate
from firmware_host.web.sessions import COOKIE, Role, Sessions
from firmware_host.web.site import Site, Table
from firmware_host.web.stream import Hub
from firmware_host.web.worldwinner import Games, add_worldwinner
from firmware_host.worldwinner_sittings import Sittings
from hardware.clock import ManualClock
from scoring.board import Board
from scoring.lexicon import BUILT_IN, Lexicon
from scoring.rules.worldwinner import GAME
from scoring.worldwinner.match import Match

BOARD = Board.parse("CATS/QuIET/NOLP/ERST")
URL = "/api/worldwinner"

ENOUGH = Rate(10_000, 1000)


@cache
def _kept() -> tuple[Lexicon, Access]:
    """What takes its time to be made."""
    return lexicons.load(BUILT_IN), made()[0]


class FakeTray:
    """A tray whose round steps as the real one does, without any device."""

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


@dataclass
class Desk:
    """An application with its parts, and who asks it."""

    clock: ManualClock = field(default_factory=lambda: ManualClock(1_796_050_000.0))
    tray: FakeTray = field(default_factory=FakeTray)
    rate: Rate = ENOUGH
    size: tuple[int, int] = (4, 4)

    def __post_init__(self) -> None:
        self.sessions = Sessions("secret", self.clock.monotonic)
        self.start()

    def start(self) -> None:
        """The service, as it comes up."""
        self.sittings = Sittings(self.clock.monotonic)
        self.app = self._app()

    def restart(self) -> None:
        """The service goes down and comes up again."""
        self.sittings.close()
        self.start()

    def _app(self) -> FastAPI:
        lexicon, access = _kept()
        now = self.clock.monotonic
        simulated = True
        site = Site(
            owner=self.tray,
            clock=self.clock,
            hub=Hub(self.tray.state),
            sessions=self.sessions,
            access=access,
            table=Table("here", simulated, lexicon, self.size, lambda: "http://localhost/join"),
            round_number=lambda: 1,
            words=Buckets(self.rate, now),
            guesses=BackOff(now),
            all_guesses=Buckets(self.rate, now),
        )
        self.site = site
        app = create_app(site, ["localhost"], "1.0")
        add_worldwinner(app, Games(self.sittings, lexicon, BUILT_IN, "new_4x4", seed=lambda: 1))
        return app

    @property
    def display(self) -> TestClient:
        """The table's own display."""
        return TestClient(self.app, "http://localhost", client=("127.0.0.1", 5000))

    def phone(self, name: str) -> TestClient:
        """The phone of somebody who joins now."""
        session = self.sessions.new(Role.PLAYER, name)
        self.tray.take(lambda _: PlayerJoined(name, session.key))
        self.site.hub.state = self.tray.state
        client = TestClient(self.app, "http://localhost", client=("192.168.1.5", 5000))
        client.cookies.set(COOKIE, self.sessions.written(session))
        return client

    def stranger(self) -> TestClient:
        """Somebody who has not joined."""
        return TestClient(self.app, "http://localhost", client=("192.168.1.9", 5000))

    def begun(self, *players: str, name: str = "monday", seconds: float = 90) -> None:
        """A match in which the first tiles lie there."""
        asked = {"name": name, "players": players, "seconds": seconds}
        assert self.display.post(URL, json=asked).status_code == 201
        self.dealt(1, name)

    def dealt(self, number: int, name: str = "monday") -> None:
        """The tiles of a round."""
        self.tray.lay(BOARD)
        answer = self.display.post(f"{URL}/{name}/deal", json={"round": number})
        assert answer.status_code == 200, answer.text

    def kept(self, name: str = "monday") -> Match:
        """The match as it is on the disk."""
        return matches.load(name, worldwinner.open_rules).state
