"""A real station and simulated trays, at work in a thread of their own; their players use paper."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from firmware_host import tournaments
from firmware_host.rounds import ListScanned, ListsClosed, Phase, Tick
from firmware_host.rounds import Plan as RoundPlan
from firmware_host.station.base import Base, default_url, open_base
from firmware_host.station.link import Name
from firmware_host.station.scribe import Scribe
from firmware_host.station.simulated import Connected, Crowd, opened_tray
from firmware_host.station.station import Station
from firmware_host.station.wire import OF_STATION, OF_TRAY, read_topic, station_topic
from hardware.clock import Clock, WallClock
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.tournament.finding import Finder, Usualness
from tests.firmware_host.station_fakes import FakeEnd, FakeNet
from vision.paper.reading import WordReading

SAND_S = 2.0
TURN_S = 0.02
LINE_PX, WIDTH_PX = 80, 240

Lists = Mapping[str, Sequence[str]]
"""What players write, by name; the first word of each is hard to read."""


@contextmanager
def trays_at_work(folder: Path, tables: int, lists: Lists) -> Iterator[Base]:
    """The base of a station of the event called spring, with so many trays, until this is left.

    Args:
        folder: is for the logs of the trays, and their photographs.
        tables: how many there are.
        lists: of every player.
    """
    over, faults = threading.Event(), list[Exception]()
    with open_base(default_url("spring"), "spring") as base:
        work = _Work(folder, tables, lists, base, over.wait)
        thread = threading.Thread(target=_noting, args=(work, faults))
        thread.start()
        try:
            yield base
        finally:
            over.set()
            thread.join()
    assert faults == []


def _noting(work: Callable[[], None], faults: list[Exception]) -> None:
    """Do it; what goes wrong in this thread fails the test in that of the test."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - whatever it is
        faults.append(error)


@dataclass(frozen=True)
class _Work:
    folder: Path
    tables: int
    lists: Lists
    base: Base
    over: Callable[[float], bool]

    def __call__(self) -> None:
        """Turn after turn of the station and of all trays, until it is over."""
        net, clock, lexicon = FakeNet(), WallClock(), builtin_lexicon()
        crowd = Crowd(lexicon, Finder(Usualness.of(("tee",))), {}, 1)
        with ExitStack() as stack:
            trays = [
                stack.enter_context(_opened(self.folder / str(number), number, net, clock, crowd))
                for number in range(1, self.tables + 1)
            ]
            station = _station(self.base, net, clock, lexicon)
            while not self.over(TURN_S):
                net.deliver()
                station.turn()
                net.deliver()
                for tray in trays:
                    self._turn(tray, clock)

    def _turn(self, tray: Connected, clock: Clock) -> None:
        tray.link.turn()
        state = tray.tray.state
        if state.phase is Phase.RUNNING:
            tray.tray.enter(Tick(clock.monotonic()))
        elif state.phase is Phase.COLLECTING:
            for player in state.awaited:
                photo = photographed(self.folder, self.lists[player])
                words = tuple(map(_read, self.lists[player], range(len(self.lists[player]))))
                tray.tray.enter(ListScanned(player, photo, words, clock.monotonic()))
            tray.tray.enter(ListsClosed(by="referee"))


def _opened(
    folder: Path, number: int, net: FakeNet, clock: Clock, crowd: Crowd
) -> AbstractContextManager[Connected]:
    name = Name("spring", str(number), simulated=True)
    heard = {*map(name.topic, OF_STATION), station_topic("spring")}
    end = FakeEnd(net, name.topic("status"), heard.__contains__)
    plan = RoundPlan(game("boggle"), (), SAND_S)
    return opened_tray(folder, name, plan, crowd, end, clock=clock)


def _station(base: Base, net: FakeNet, clock: Clock, lexicon: Lexicon) -> Station:
    end = FakeEnd(net, station_topic("spring"), _is_of_a_tray)
    scribe = Scribe(tournaments.HeldEvent("spring"), lexicon, clock.monotonic)
    made = Station("spring", base, scribe, end, clock)
    made.start()
    return made


def _is_of_a_tray(topic: str) -> bool:
    found = read_topic(topic)
    return found is not None and found[1] in OF_TRAY


def photographed(folder: Path, words: Sequence[str]) -> Path:
    """A picture of a list, a word a line."""
    picture = Image.new("RGB", (WIDTH_PX, LINE_PX * len(words)), "white")
    pen = ImageDraw.Draw(picture)
    for line, word in enumerate(words):
        pen.text((10, line * LINE_PX + 30), word.upper(), fill="black")
    data = io.BytesIO()
    picture.save(data, "JPEG")
    file = folder / f"list-{hashlib.sha256(data.getvalue()).hexdigest()}.jpg"
    file.write_bytes(data.getvalue())
    return file


def _read(word: str, line: int) -> WordReading:
    """As a reader has it that is not sure of the first line."""
    text, top = word.upper(), float(line * LINE_PX)
    sure = 0.6 if line == 0 else 0.99
    foot, right = top + LINE_PX, float(WIDTH_PX)
    return WordReading(
        text,
        sure,
        ((text, sure), (f"{text}S", (1 - sure) / 2)),
        struck=False,
        doubtful=line == 0,
        quad_px=((0.0, top), (right, top), (right, foot), (0.0, foot)),
        line=line,
    )
