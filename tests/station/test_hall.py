"""A whole hall: 100 trays, 600 players, eight rounds, a broker, a station and a cable that fail."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from json import loads
from pathlib import Path

import pytest

from firmware_host import tournaments
from firmware_host.rounds import BoardPrescribed, ButtonPressed, Phase
from firmware_host.station.base import Base, open_base
from firmware_host.station.direction import ToTray, tray_of
from firmware_host.station.folding import TableResult, result_of
from firmware_host.station.orders import BY, order
from firmware_host.station.results import assignments, events_of, ids_of, scores_of
from firmware_host.station.serving import mark_of
from firmware_host.station.simulated import Connected
from firmware_host.station.wire import Order
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.document import event_document, results_document
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.judging import Judge
from scoring.tournament.log import Log
from scoring.tournament.proof import verify
from tests.station.halls import EVENT, Cable, StationProcess, begin, crowd_of, opened_trays
from tests.station.servers import Mosquitto, Postgres, free_port, until

TABLES = int(os.environ.get("WORDTRAY_TABLES", "100"))
ROUNDS = 8
CUT = range(1, 1 + max(1, TABLES // 10))
SALT = "5a" * 16
VALID_S = 600.0


@dataclass
class Director:
    """Runs the tournament as a desk would: draws, promises, seats, starts, waits.

    Attributes:
        event: the tournament.
        base: of the station, as a desk has it open.
        trays: by table.
        number: of the round.
    """

    event: tournaments.HeldEvent
    base: Base
    trays: Mapping[int, Connected]
    number: int = 0
    given: int = 0

    def turn(self) -> None:
        for tray in self.trays.values():
            tray.turn()

    def until(self, holds: Callable[[], bool], what: str) -> None:
        until(holds, f"round {self.number}: {what}", self.turn)

    def begin_round(self) -> None:
        """Draw the tables, promise a board, seat everybody, give the board."""
        self.number += 1
        rng = random.Random(self.number)
        board = str(cube_set("new_4x4").roll(rng))
        place = {"round": self.number, "board": 1, "table": 0}
        promise = commitment(BoardPlace("Hall", self.number, 1, 0), board, SALT)
        with self.event.opened(float(self.number)) as event:
            drawn = draw(event.log.plan, event.log.state, "main")
            event.play(
                draw_event(self.number, drawn),
                {"type": "start", "round": self.number},
                {"type": "commit", **place, "hash": promise},
                {"type": "board", **place, "shown": board, "salt": SALT},
            )
        seats = assignments(self.event.log, self.number, 1, {})
        self.order({table: order("", seat, 0.0) for table, seat in seats.items()})
        self.order({table: order("", BoardPrescribed(board, SALT), 0.0) for table in seats})

    def start(self, tables: Collection[int]) -> None:
        press = ButtonPressed(time.time(), BY)
        self.order({table: order("", press, 0.0) for table in tables})

    def order(self, orders: Mapping[int, Order]) -> None:
        """Give orders to tables, and wait until each is carried out."""
        self.given += 1
        made: list[ToTray] = [
            (tray_of(table), self.named(table, each)) for table, each in orders.items()
        ]
        ids = {each.id for _, each in made}
        self.base.give(made, time.time())
        self.until(lambda: self.are_done(ids), f"orders {self.given} are carried out")

    def named(self, table: int, given: Order) -> Order:
        return replace(given, id=f"{self.given}-{table}", until=time.time() + VALID_S)

    def are_done(self, ids: set[str]) -> bool:
        for _ in range(10):
            self.turn()
        found = [each.answer for each in self.base.orders() if each.order.id in ids]
        wrong = [each for each in found if each and each.outcome in {"refused", "late"}]
        assert not wrong, wrong[:3]
        return len(found) == len(ids) and all(each and each.outcome == "done" for each in found)

    def play(self, tables: Collection[int]) -> None:
        """Let time pass until these tables are done."""
        phases = {Phase.FINISHED}
        self.until(
            lambda: all(self.trays[table].tray.state.phase in phases for table in tables),
            "tables have finished",
        )

    def complete(self) -> None:
        self.until(self.is_complete, "all results are in")

    def is_complete(self) -> bool:
        return self.event.look().state.rounds[-1].is_complete(1)

    def monitors(self) -> dict[str, dict[str, object]]:
        return {tray: loads(text) for tray, text in self.base.shown().items()}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return builtin_lexicon()


@contextmanager
def hall(
    lexicon: Lexicon, mosquitto: Mosquitto, cable: Cable, url: str, folder: Path
) -> Iterator[Director]:
    event = begin(lexicon, TABLES * 6, ROUNDS)
    direct = mosquitto.address
    by_cable = type(direct)(direct.host, cable.listens)
    addresses = {n: by_cable if n in CUT else direct for n in range(1, TABLES + 1)}
    with (
        open_base(url, EVENT) as base,
        opened_trays(folder, crowd_of(lexicon, TABLES * 6), addresses) as trays,
    ):
        yield Director(event, base, trays)


def test_nothing_is_lost_and_nothing_comes_twice(
    lexicon: Lexicon, mosquitto: Mosquitto, postgres: Postgres, tmp_path: Path
) -> None:
    url = postgres.database("hall")
    cable = Cable(mosquitto.port, free_port())
    cable.start()
    broker = ("--broker", f"127.0.0.1:{mosquitto.port}", "--database", url)
    station = StationProcess(tmp_path, broker)
    station.start()
    try:
        with hall(lexicon, mosquitto, cable, url, tmp_path) as director:
            for number in range(1, ROUNDS + 1):
                began = time.monotonic()
                director.begin_round()
                play_round(number, director, mosquitto, station, cable)
                print(f"round {number}: {time.monotonic() - began:.1f} s")
            check(director, lexicon)
    finally:
        station.kill()
        cable.end()


def play_round(
    number: int, director: Director, mosquitto: Mosquitto, station: StationProcess, cable: Cable
) -> None:
    everybody = set(range(1, TABLES + 1))
    rest = everybody.difference(CUT if number == 6 else ())
    if number == 6:  # ten tables are cut off, and start their round on their own
        cable.cut()
        director.until(lambda: are_offline(director), "tables are shown as offline")
        for table in CUT:
            director.trays[table].tray.enter(ButtonPressed(time.time()))
    director.start(rest)
    if number == 3:  # the broker is gone while all hand in
        mosquitto.kill()
        director.play(everybody)
        mosquitto.start()
    elif number == 5:  # so is the station
        station.kill()
        director.play(everybody)
        station.start()
    elif number == 6:
        director.play(everybody)
        director.until(lambda: rest <= taken(director), "the others' results are in")
        assert not director.is_complete()
        cable.mend()
    director.play(everybody)
    director.complete()


def are_offline(director: Director) -> bool:
    shown = director.monitors()
    return all(shown[str(table)]["online"] is False for table in CUT)


def taken(director: Director) -> set[int]:
    scores = director.event.look().state.rounds[-1].scores
    return {table for _, table in scores}


def check(director: Director, lexicon: Lexicon) -> None:
    """All that trays have kept is at the station once, and the standings follow from it."""
    director.until(lambda: everything_is_there(director), "all entries are there")
    check_entries(director)
    log = director.event.look()
    own = refolded(log, director.trays, lexicon)
    assert results_document(own.plan, own.state) == results_document(log.plan, log.state)
    assert points_at_tables(director.trays) == points_in(log)
    assert verify(event_document(log), lexicon).findings == ()
    assert all(not shown["trouble"] for shown in director.monitors().values())


def everything_is_there(director: Director) -> bool:
    """The last entry of each tray is there: by its hash so are those before."""
    heads = director.base.heads()
    return all(heads[tray.name.tray].mark == mark_of(tray.log) for tray in director.trays.values())


def check_entries(director: Director) -> None:
    rounds = range(1, ROUNDS + 1)
    for name, tray in director.trays.items():
        for number in rounds:
            assert director.base.entries(str(name), number) == tray.log.entries(number)
    assert director.base.count() == sum(tray.log.last_seq for tray in director.trays.values())


def results_of(trays: Mapping[int, Connected]) -> list[TableResult]:
    found = [
        result_of(tray.log.round(number).state)
        for number in range(1, ROUNDS + 1)
        for tray in trays.values()
    ]
    assert None not in found
    return [result for result in found if result is not None]


def refolded(log: Log, trays: Mapping[int, Connected], lexicon: Lexicon) -> Log:
    """The tournament, made again from its draws and the trays' own logs, without the station."""
    kinds = {"enrol", "draw", "start", "commit", "board"}
    entries = [each.event for each in log.entries if each.event["type"] in kinds]
    results = results_of(trays)
    own = Log.new(log.plan)
    for event in entries:
        own = own.play(0.0, event)
        if event["type"] == "board":
            of_round = [each for each in results if each.place.round == event["round"]]
            names = ids_of(log)
            lists = [made for each in of_round for made in events_of(own, each, names)]
            own = own.play(0.0, *lists)
            judge = Judge(own.plan, lexicon)
            own = own.play(0.0, *scores_of(own, judge, [each.place for each in of_round]))
    return own


def points_at_tables(trays: Mapping[int, Connected]) -> dict[tuple[int, str], int]:
    """What the referee of each table itself gave."""
    points: dict[tuple[int, str], int] = {}
    for tray in trays.values():
        for number in range(1, ROUNDS + 1):
            result = tray.log.round(number).state.result
            assert result is not None
            points |= {(number, player.name): player.points for player in result.players}
    return points


def points_in(log: Log) -> dict[tuple[int, str], int]:
    return {
        (played.number, name): score.points
        for played in log.state.rounds
        for scores in played.scores.values()
        for name, score in scores.items()
    }
