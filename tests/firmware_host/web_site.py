"""The pages over a round that is stepped at once: no thread, no device, no waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import httpx
import numpy as np
from fastapi import FastAPI
from PIL import Image

from firmware_host import rounds
from firmware_host.owner import Meant, Standing
from firmware_host.pages import PagePicture
from firmware_host.paper import PaperReader, ScannedList
from firmware_host.photos import PhotoFolder
from firmware_host.rounds import Effect, Event, Phase, Plan, RoundState, step
from firmware_host.shelf import Shelf
from firmware_host.store.place import Place
from firmware_host.web.access import Access, HashedPin
from firmware_host.web.app import create_app
from firmware_host.web.limits import BackOff, Buckets, Rate
from firmware_host.web.render import Pages
from firmware_host.web.sessions import COOKIE, Role, Sessions
from firmware_host.web.site import Machine, Site, Table
from firmware_host.web.stream import Hub
from firmware_host.web.texts import read_catalogues
from firmware_host.web.uploads import Uploads
from hardware.clock import ManualClock
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import Game, game
from tests.firmware_host.conftest import make_reading
from vision.paper.reading import WordListReading, WordReading

CODE = "K7QM"
PINS = {Role.REFEREE: "111111", Role.OWNER: "22222222"}
HASHED = MappingProxyType({role: HashedPin.of(pin) for role, pin in PINS.items()})
LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe", "seto", "quey"])
SPARE = {"short": Lexicon.from_words("short", ["hey"])}
LOCAL, PHONE = "127.0.0.1", "192.168.1.7"
BASE = "http://127.0.0.1:8080"
PAGES = Pages(read_catalogues())


@dataclass
class StepOwner:
    """Steps a round as soon as something is meant; its devices do all that they should."""

    state: RoundState
    hub: Hub
    photo: Path
    doubtful: Sequence[tuple[int, int]] = ()
    stuck: bool = False
    lent: bool = False
    happened: list[Event] = field(default_factory=list)

    @property
    def standing(self) -> Standing:
        return Standing(self.state, "", 0.0)

    def take(self, meant: Meant) -> Future[RoundState]:
        answer: Future[RoundState] = Future()
        if not self.stuck:
            event = meant(self.state)
            answer.set_result(self.state if event is None else self.post(event))
            self._carry_on()
        return answer

    def post(self, event: Event) -> RoundState:
        self.state, effects = step(self.state, event)
        self.happened.append(event)
        self.hub.watch(self.state, event)
        self._came = [came for effect in effects if (came := self._performed(effect)) is not None]
        return self.state

    _came: list[Event] = field(default_factory=list)

    def _carry_on(self) -> None:
        while self._came:
            self.post(self._came.pop(0))

    def _performed(self, effect: Effect) -> Event | None:
        match effect:
            case rounds.Shake():
                return rounds.ShakeDone()
            case rounds.AwaitRest():
                return rounds.Settled()
            case rounds.ReadTray():
                return rounds.TrayRead(make_reading(doubtful=self.doubtful), self.photo)
            case rounds.Score():
                calls = effect.calls
                result = score_round(
                    effect.board,
                    effect.lists,
                    SPARE.get(effect.lexicon, LEXICON),
                    effect.game,
                    challenged=calls.challenged,
                    rejected=calls.rejected,
                    allowed=calls.allowed,
                )
                return rounds.Scored(result)
        return None


class Reader(PaperReader):
    """Reads two words on every page: one sure, one doubtful."""

    def __init__(self, lexicon: Lexicon, _board: Board, _game: Game) -> None:
        super().__init__(lexicon)

    def read(self, page: PagePicture, _round_name: str | None = None) -> tuple[ScannedList, ...]:
        quad = ((1.0, 2.0), (40.0, 2.0), (40.0, 20.0), (1.0, 20.0))
        words = tuple(
            WordReading(text, share, ((text, share),), False, share < 0.9, quad, line)  # noqa: FBT003
            for line, (text, share) in enumerate((("HEY", 0.99), ("TOE", 0.5)))
        )
        return (ScannedList(page.name, WordListReading(words), ()),)


@dataclass
class Desk:
    """A site and all that a test does to it."""

    site: Site
    owner: StepOwner
    clock: ManualClock
    wall: ManualClock
    runner: asyncio.Runner

    def browser(self, address: str = PHONE, base: str = BASE) -> Browser:
        """Somebody's browser, without a session."""
        return Browser(self, address, base)

    def display(self) -> Browser:
        return self.browser(LOCAL)

    def player(self, name: str, **more: Any) -> Browser:  # noqa: ANN401
        """Somebody who has joined."""
        browser = self.browser()
        answer = browser.post("/api/players", {"name": name, "code": CODE, **more})
        assert answer.status_code == 201, answer.text
        return browser

    def signed_in(self, role: Role) -> Browser:
        """Somebody who has given the PIN before: to hash one takes long."""
        browser, sessions = self.browser(), self.site.sessions
        browser.cookies.set(COOKIE, sessions.written(sessions.new(role)))
        return browser

    def play(self) -> None:
        """Shake, read, and turn the sand."""
        for _ in range(2):
            assert self.display().post("/api/round/press").status_code == 200

    def end(self) -> None:
        """Let the sand run through."""
        self.clock.sleep(1000.0)
        self.ticked(self.clock.monotonic())

    def ticked(self, at: float) -> Phase:
        """The phase after a tick."""
        self.owner.take(lambda _: rounds.Tick(at))
        return self.owner.state.phase


class Browser:
    """A browser: keeps its cookies, asks from its address."""

    def __init__(self, desk: Desk, address: str, base: str) -> None:
        transport = httpx.ASGITransport(
            served(desk.site),
            raise_app_exceptions=False,
            client=(address, 5000),
        )
        self._client = httpx.AsyncClient(transport=transport, base_url=base)
        self._runner = desk.runner
        self.cookies = self._client.cookies

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        return self._runner.run(self._client.request(method, path, **more))

    def get(self, path: str) -> httpx.Response:
        return self.ask("GET", path)

    def post(self, path: str, body: object = None) -> httpx.Response:
        return self.ask("POST", path, json=body)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/api/state").json()
        return found

    def send_paper(self, data: bytes, player: str = "") -> httpx.Response:
        files = {"picture": ("list.jpg", data, "image/jpeg")}
        return self.ask("POST", "/api/paper", files=files, data={"player": player})


@cache
def application() -> FastAPI:
    """Made once: that takes longer than all that a test asks of it."""
    return create_app(cast("Site", None), {"localhost", "tray.local"})


def served(site: Site) -> FastAPI:
    """The application over a site; one at a time."""
    app = application()
    app.state.site = site
    return app


def make_desk(
    folder: Path,
    runner: asyncio.Runner,
    plan: Plan | None = None,
    make_reader: Callable[[Lexicon, Board, Game], PaperReader] = Reader,
) -> Desk:
    """A site over a new round."""
    clock, wall = ManualClock(1000.0), ManualClock(1_000_000.0)
    photo = folder / "photo.jpg"
    pixels = np.random.default_rng(1).integers(0, 255, (100, 100, 3), np.uint8)
    Image.fromarray(pixels).save(photo)
    state = RoundState(plan or Plan(game("boggle"), (), timer_s=60.0))
    hub = Hub(state)
    owner = StepOwner(state, hub, photo)
    site = Site(
        owner=owner,
        clock=clock,
        hub=hub,
        sessions=Sessions("secret", wall.monotonic),
        access=Access("secret", CODE, HASHED),
        table=Table(
            "wordtray",
            simulated=True,
            shelf=Shelf(LEXICON, SPARE.__getitem__),
            size=(4, 4),
            join_url=lambda: f"{BASE}/join",
        ),
        machine=Machine(Place(folder), (("shaker", True),)),
        uploads=Uploads(PhotoFolder(folder / "photos"), make_reader),
        pages=PAGES,
        round_number=lambda: 1,
        words=Buckets(Rate(burst=50, per_s=5), wall.monotonic),
        guesses=BackOff(wall.monotonic),
        all_guesses=Buckets(Rate(burst=40, per_s=0.5), wall.monotonic),
        answer_s=0.01,
    )
    return Desk(site, owner, clock, wall, runner)
