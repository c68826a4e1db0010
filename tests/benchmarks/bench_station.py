"""What the station takes: entries a second, results of a hall, how far the monitor is behind.

Run a broker, as ``mosquitto -p 1883``, then::

    .venv/bin/python tests/benchmarks/bench_station.py [--tables N] [--broker HOST:PORT]
        [--database URL]

Without ``--database`` the station keeps all in SQLite. All share the machine: the broker, the
database, the station and what plays the trays. Aims: 2,000 entries a second on two processors, a
round's results 5 s after the last review, a monitor 1 s behind.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from firmware_host import tournaments
from firmware_host.keeper import Keeper
from firmware_host.rounds import (
    BoardPrescribed,
    ButtonPressed,
    ListHandedIn,
    Phase,
    TableAssigned,
    Tick,
    WordWritten,
)
from firmware_host.rounds import Plan as RoundPlan
from firmware_host.station.base import Base, open_base
from firmware_host.station.broker import Address, Broker, MqttBroker
from firmware_host.station.link import Name
from firmware_host.station.link import broker_of as trays_broker
from firmware_host.station.results import assignments
from firmware_host.station.scribe import Scribe
from firmware_host.station.simulated import Crowd, SimulatedTray
from firmware_host.station.station import Station, broker_of
from firmware_host.station.wire import EVENTS, Delivery, Mark, told
from firmware_host.store.chain import Entry
from firmware_host.store.log import open_log
from firmware_host.store.place import Place
from hardware.clock import WallClock
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.finding import Finder, Usualness
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from scoring.tournament.simulation import strengths_of
from scoring.wordlist import parse_word_list

EVENT = "hall"
BOARD = "IETC/HQuPE/SEYH/TOER"
WORDS = 60
"""Words that each player types in the rounds that are measured, each an entry."""
TOGETHER = 64
"""Entries of a message, as an outbox has them after a cut; a word as it comes is one."""


Ends = dict[int, tuple[Name, MqttBroker]]


@dataclass(frozen=True)
class Figures:
    """What was measured: entries, seconds for them, for the results, and behind."""

    entries: int
    seconds: float
    processor_s: float
    results_s: float
    behind_s: float


def begin(lexicon: Lexicon, players: int) -> tournaments.HeldEvent:
    """A tournament whose first round has started, kept."""
    plan = Plan.agree("Hall", "enable", lexicon.digest, seats=6, rounds=1, boards=1)
    enrolled = ({"type": "enrol", "player": name} for name in strengths_of(players, 1))
    log = Log.new(plan).play(0.0, *enrolled)
    tables = draw_event(1, draw(plan, log.state, "main"))
    tournaments.create(EVENT, log.play(0.0, tables, {"type": "start", "round": 1}))
    return tournaments.HeldEvent(EVENT)


def rounds_of(folder: Path, event: tournaments.HeldEvent, tables: int) -> dict[int, list[Entry]]:
    """A whole round of each tray, recorded: words as they are typed, then all lists."""
    lexicon = builtin_lexicon()
    crowd = Crowd(lexicon, Finder(Usualness.of(["a"])), {}, 1)
    seats = assignments(event.log, 1, 1, {})
    made = {}
    for table in range(1, tables + 1):
        with open_log(Place(folder / str(table))) as log:
            tray = SimulatedTray(log, RoundPlan(game("boggle"), (), 60.0), crowd, log.clock)
            record(tray, seats[table])
            tray.keeper.__exit__(None, None, None)
            made[table] = log.since(0, 10**6)
    return made


def record(tray: SimulatedTray, seat: TableAssigned) -> None:
    """A round: seats, board, start, words, end, lists, result."""
    tray.enter(seat)
    tray.enter(BoardPrescribed(BOARD))
    tray.enter(ButtonPressed(1000.0))
    keeper: Keeper = tray.keeper
    words = [
        WordWritten(name, f"word{number}", 1001.0, f"{name}-{number}")
        for name in tray.state.players
        for number in range(WORDS)
    ]
    keeper.record_all(words)
    tray.enter(Tick(1061.0))
    while tray.state.phase is Phase.COLLECTING:
        tray.enter(ListHandedIn(tray.state.awaited[0], parse_word_list("they\nhey\ntoe")))


def measured(
    station: Station, base: Base, broker: Address, held: dict[int, list[Entry]]
) -> Figures:
    """Send all but the results, then those, then a single one."""
    with ExitStack() as stack:
        ends = {}
        for table in held:
            name = Name(EVENT, str(table))
            end = trays_broker(broker, name)
            end.start(lambda *_: None, lambda *_: None)
            stack.callback(end.stop)
            ends[table] = (name, end)
        while not all(end.connected for _, end in ends.values()):
            station.turn()
        before = {table: entries[:-1] for table, entries in held.items()}
        total = sum(map(len, before.values()))
        began, used = time.monotonic(), time.process_time()
        send(ends, before)
        await_count(station, base, total)
        seconds, processor_s = time.monotonic() - began, time.process_time() - used
        began = time.monotonic()
        send(ends, {table: entries[-1:] for table, entries in held.items()})
        await_results(station)
        return Figures(total, seconds, processor_s, time.monotonic() - began, behind(station, ends))


def send(ends: Ends, held: dict[int, list[Entry]]) -> None:
    """By turns of all trays, as they would come."""
    for start in range(0, max(map(len, held.values())), TOGETHER):
        for table, entries in held.items():
            part = tuple(entries[start : start + TOGETHER])
            if part:
                name, end = ends[table]
                while not end.say(name.topic(EVENTS), told(Delivery(Mark(), part))):
                    time.sleep(0.001)


def await_count(station: Station, base: Base, count: int) -> None:
    """Until so many entries are in the database."""
    while base.count() < count:
        station.turn()


def await_results(station: Station) -> None:
    """Until all results are in the tournament."""
    while not all(each.taken for each in station.monitors()):
        station.turn()


def behind(station: Station, ends: Ends) -> float:
    """Seconds from a word of a tray until the monitor shows it."""
    name, end = next(iter(ends.values()))
    began = time.monotonic()
    end.say(name.topic("status"), b"offline")
    while next(m for m in station.monitors() if m.tray == name.tray).online is not False:
        time.sleep(station.turn())
    return time.monotonic() - began


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--broker", default="127.0.0.1:1883")
    parser.add_argument("--database")
    given = parser.parse_args()
    host, _, port = given.broker.partition(":")
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder, address = Path(scratch), Address(host, int(port or 1883))
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        lexicon, clock = builtin_lexicon(), WallClock()
        event = begin(lexicon, given.tables * 6)
        held = rounds_of(folder, event, given.tables)
        url = given.database or f"sqlite:{folder / 'station.db'}"
        base = stack.enter_context(open_base(url, EVENT))
        scribe = Scribe(event, lexicon, clock.monotonic)
        broker = broker_of(address, EVENT)
        station = Station(EVENT, base, scribe, broker, clock)
        station.start()
        await_broker(broker, given.broker)
        stack.callback(station.leave)
        tell(measured(station, base, address, held), given.tables)


def await_broker(broker: Broker, named: str) -> None:
    """Give a broker ten seconds to answer: without one all the rest would wait for ever."""
    end = time.monotonic() + 10
    while not broker.connected:
        if time.monotonic() > end:
            raise SystemExit(f"no broker answers at {named}; start one: mosquitto -p 1883")
        time.sleep(0.05)


def tell(figures: Figures, tables: int) -> None:
    """Print the figures."""
    out = Console()
    rate, own = figures.entries / figures.seconds, figures.entries / figures.processor_s
    out.print(
        f"{figures.entries} entries of {tables} trays in {figures.seconds:.1f} s: {rate:.0f}/s"
    )
    out.print(f"  {own:.0f} for each second of this process: station and senders")
    out.print(f"{tables * 6} results {figures.results_s:.2f} s after the last review")
    out.print(f"monitor {figures.behind_s:.2f} s behind")


if __name__ == "__main__":
    main()
