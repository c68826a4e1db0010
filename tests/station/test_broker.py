"""A real broker: who may come in, who is told to be gone, and clocks of one moment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from json import loads
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware_host import tournaments
from firmware_host.rounds import BoardPrescribed, ButtonPressed, Event, Phase, RoundState
from firmware_host.rounds import Plan as RoundPlan
from firmware_host.settings import StationSection
from firmware_host.station.base import Base, Head, open_base
from firmware_host.station.broker import Address, MqttBroker, Will
from firmware_host.station.direction import Direction
from firmware_host.station.link import Link, Name, broker_of
from firmware_host.station.notebook import Notebook
from firmware_host.station.orders import BY, order
from firmware_host.station.results import assignments
from firmware_host.station.scribe import Scribe
from firmware_host.station.serving import address_of
from firmware_host.station.station import Station
from firmware_host.station.station import broker_of as stations_broker
from firmware_host.station.wire import Answer, Mark, Outcome
from firmware_host.store.errors import StorageError
from hardware.clock import WallClock
from scoring.lexicon import Lexicon
from scoring.rules import game
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from tests.firmware_host.conftest import BOARD
from tests.firmware_host.station_fakes import FakeLog, FakeRound, entries
from tests.station.halls import REPOSITORY
from tests.station.servers import Mosquitto, Postgres, until

TABLES = 8
APART_S = 0.05
"""Within which tables on one network must start, by the requirement."""


class Listener:
    """Hears all that is said under a topic."""

    def __init__(self, address: Address, name: str, *topics: str) -> None:
        self.broker = MqttBroker(address, name, Will(f"status/{name}", b"gone", b"here"), topics)
        self.heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self.last: dict[str, bytes] = {}
        self.broker.start(self._hear, lambda _connected: None)

    def _hear(self, topic: str, payload: bytes) -> None:
        self.last[topic] = payload
        self.heard.put((topic, payload))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def listener(stack: ExitStack, address: Address, name: str, *topics: str) -> Listener:
    made = Listener(address, name, *topics)
    stack.callback(made.broker.stop)
    return made


class TestBroker:
    def test_who_dies_is_said_to_be_gone(self, mosquitto: Mosquitto, stack: ExitStack) -> None:
        one = listener(stack, mosquitto.address, "one", "status/+")
        code = (
            "import sys, time; from firmware_host.station.broker import *;"
            f"b = MqttBroker(Address('127.0.0.1', {mosquitto.port}), 'two',"
            " Will('status/two', b'gone', b'here'), []);"
            "b.start(lambda *_: None, lambda *_: None); time.sleep(600)"
        )
        two = subprocess.Popen(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(REPOSITORY)}
        )
        until(lambda: one.last.get("status/two") == b"here", "it is there")
        two.kill()
        two.wait()
        until(lambda: one.last.get("status/two") == b"gone", "it is gone")

    def test_who_leaves_says_so(self, mosquitto: Mosquitto, stack: ExitStack) -> None:
        one = listener(stack, mosquitto.address, "one", "status/+")
        two = Listener(mosquitto.address, "two")
        until(lambda: one.last.get("status/two") == b"here", "it is there")
        two.broker.stop()
        until(lambda: one.last.get("status/two") == b"gone", "it is gone")

    def test_it_comes_back_when_the_broker_does(
        self, mosquitto: Mosquitto, stack: ExitStack
    ) -> None:
        one = listener(stack, mosquitto.address, "one", "news")
        until(lambda: one.broker.connected, "connected")
        mosquitto.kill()
        until(lambda: not one.broker.connected, "cut")
        assert not one.broker.say("news", b"lost")
        mosquitto.start()
        until(lambda: one.broker.connected and one.broker.say("news", b"heard"), "said")
        until(lambda: one.broker.say("news", b"heard") and "news" in one.last, "heard")

    def test_passwords_and_certificates_are_checked(self, tmp_path: Path, stack: ExitStack) -> None:
        if shutil.which("mosquitto_passwd") is None or shutil.which("openssl") is None:
            pytest.skip("no mosquitto_passwd or no openssl")
        secured = Mosquitto(tmp_path, extra=security(tmp_path))
        secured.start()
        stack.callback(secured.kill)
        (tmp_path / "password").write_text("secret\n", "utf-8")
        section = StationSection(
            host="localhost", port=secured.port, event="spring", tray="1", user="desk",
            password_file=tmp_path / "password", ca=tmp_path / "ca.pem",
        )  # fmt: skip
        good = listener(stack, address_of(section), "good", "news")
        until(lambda: good.broker.connected and good.broker.say("news", b"x"), "let in")
        wrong = replace(address_of(section), password="guess")  # noqa: S106
        bad, told = listener(stack, wrong, "bad", "news"), list[str]()
        bad.broker.tell = told.append
        until(lambda: bad.broker.refused != "", "refused")
        assert not bad.broker.connected
        assert "authori" in bad.broker.refused.lower()
        until(lambda: any("Look at the user" in text for text in told), "told")
        clear = listener(stack, replace(address_of(section), ca=None), "clear", "news")
        # What is said before the broker knows of a listener is not heard: it is said again.
        until(lambda: good.broker.say("news", b"x") and good.last.get("news") == b"x", "heard")
        assert not clear.broker.connected


def security(folder: Path) -> tuple[str, ...]:
    """Lines of a broker with TLS and a user; the files are made."""
    passwords = folder / "passwords"
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", str(passwords), "desk", "secret"],
        check=True, capture_output=True,
    )  # fmt: skip
    passwords.chmod(0o644)
    request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "ca.pem")]
    subprocess.run([*request.split(), *names, *files], check=True, capture_output=True)
    (folder / "key.pem").chmod(0o644)
    folder.chmod(0o755)
    return (
        "allow_anonymous false",
        f"password_file {passwords}",
        f"cafile {folder / 'ca.pem'}",
        f"certfile {folder / 'ca.pem'}",
        f"keyfile {folder / 'key.pem'}",
    )


class Ahead(WallClock):
    """A clock that lies off."""

    def __init__(self, by: float) -> None:
        super().__init__()
        self.by = by

    def monotonic(self) -> float:
        return super().monotonic() + self.by


class StartedRound(FakeRound):
    """Notes when it was really told."""

    def take(self, meant):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        answer = super().take(meant)
        self.told = WallClock().monotonic()
        return answer


@pytest.fixture
def spring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tournaments.HeldEvent:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    lexicon = words()
    plan = Plan.agree("Spring", "tiny", lexicon.digest, seats=2, rounds=1, boards=1)
    enrolled = ({"type": "enrol", "player": f"p{n}"} for n in range(2 * TABLES))
    log = Log.new(plan).play(0.0, *enrolled)
    log = log.play(0.0, draw_event(1, draw(plan, log.state, "main")), {"type": "start", "round": 1})
    tournaments.create("spring", log)
    return tournaments.HeldEvent("spring")


def words() -> Lexicon:
    return Lexicon.from_words("tiny", ["tee", "they", "hey"])


def test_tables_whose_clocks_lie_apart_start_at_one_moment(
    mosquitto: Mosquitto, spring: tournaments.HeldEvent, tmp_path: Path, stack: ExitStack
) -> None:
    base = stack.enter_context(open_base(f"sqlite:{tmp_path / 'station.db'}", "spring"))
    clock = WallClock()
    scribe = Scribe(spring, words(), clock.monotonic)
    station = Station("spring", base, scribe, stations_broker(mosquitto.address, "spring"), clock)
    station.start()
    stack.callback(station.leave)
    plan = RoundPlan(game("boggle"), (), 60.0)
    rounds = {table: StartedRound(RoundState(plan)) for table in range(1, TABLES + 1)}
    links = {
        table: link(mosquitto.address, tmp_path, table, rounds[table], stack)
        for table in range(1, TABLES + 1)
    }
    until(lambda: all(each.skew for each in links.values()), "clocks are known", station.turn)
    to = Direction(spring.log, spring.log.state.rounds[0], 1, (), clock.monotonic(), "x")
    obeyed(base, station, to.seat())
    obeyed(base, station, to.prescribe(str(BOARD), "00" * 16))
    at = clock.monotonic() + 3.0
    obeyed(base, station, to.start(at))
    for table, each in rounds.items():
        assert each.state.phase is Phase.RUNNING
        skew = links[table].skew
        assert skew is not None
        ends = each.state.ends_at
        assert ends is not None
        true_end = ends - links[table]._clock.by  # type: ignore[attr-defined]
        assert abs(true_end - 60.0 - at) < APART_S
        assert abs(skew.offset_s + links[table]._clock.by) <= skew.error_s  # type: ignore[attr-defined]


def link(address: Address, folder: Path, table: int, round_: FakeRound, stack: ExitStack) -> Link:
    """One in a thread of its own, with a clock of its own."""
    name = Name("spring", str(table))
    clock = Ahead(1000.0 * table - 3000.0 + table / 7)
    notebook = Notebook(folder / f"{table}.json", "spring", Mark)
    made = Link(name, FakeLog(), notebook, broker_of(address, name), round_=round_, clock=clock)
    thread = threading.Thread(target=made.run)
    thread.start()
    stack.callback(thread.join)
    stack.callback(made.stop)
    return made


def obeyed(base: Base, station: Station, orders) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    ids = {each.id for _, each in orders}
    base.give(orders, 0.0)

    def done() -> bool:
        found = [each.answer for each in base.orders() if each.order.id in ids]
        return all(each and each.outcome is Outcome.DONE for each in found)

    until(done, "orders are carried out", station.turn)


class TestPostgres:
    @pytest.fixture
    def base(self, postgres: Postgres, request: pytest.FixtureRequest) -> Iterator[Base]:
        name = f"test_{abs(hash(request.node.name))}"
        with open_base(postgres.database(name), "spring") as made:
            yield made

    def test_it_keeps_what_sqlite_keeps(self, base: Base) -> None:
        kept = entries(5)
        base.keep({"7": kept[:3]}, {"7": Head(Mark(), Mark(3, kept[2].hash))})
        base.keep({"7": kept[3:]}, {"7": Head(Mark(), Mark(5, kept[4].hash))})
        assert base.entries("7", 1) == kept
        assert base.heads() == {"7": Head(Mark(), Mark(5, kept[4].hash))}
        assert base.unfolded() == [("7", 1)]
        base.folded({("7", 1): 5})
        base.show({"7": "{}"})
        assert base.shown() == {"7": "{}"}

    def test_orders_and_answers(self, base: Base) -> None:
        base.give([("7", order("a", ButtonPressed(1.0, BY), 9.0, 2.0))], 0.0)
        base.answer([Answer("a", Outcome.PLANNED, "", 1.0)])
        base.answer([Answer("a", Outcome.DONE, "late", 2.0)])
        base.answer([Answer("a", Outcome.LATE, "", 3.0)])
        (given,) = base.orders()
        assert given.answer == Answer("a", Outcome.DONE, "late", 2.0)
        assert base.orders(given.number) == []

    def test_two_stations_do_not_share_it(self, base: Base) -> None:
        kept = entries(1)
        head = {"7": Head(Mark(), Mark(1, kept[0].hash))}
        base.keep({"7": kept}, head)
        with pytest.raises(StorageError, match="another station"):
            base.keep({"7": kept}, head)
        assert base.count() == 1

    def test_gone_and_back_again(self, base: Base, postgres: Postgres) -> None:
        postgres.kill()
        with pytest.raises(StorageError) as raised:
            base.count()
        assert "wordtray@127.0.0.1" in str(raised.value)
        postgres.start()
        assert base.count() == 0


def test_a_served_tray_tells_the_station_and_obeys_it(
    mosquitto: Mosquitto, spring: tournaments.HeldEvent, tmp_path: Path, stack: ExitStack
) -> None:
    base = stack.enter_context(open_base(f"sqlite:{tmp_path / 'station.db'}", "spring"))
    clock = WallClock()
    scribe = Scribe(spring, words(), clock.monotonic)
    station = Station("spring", base, scribe, stations_broker(mosquitto.address, "spring"), clock)
    station.start()
    stack.callback(station.leave)
    where = f"127.0.0.1:{mosquitto.port}/spring/1"
    served = subprocess.Popen(
        [sys.executable, "-m", "firmware_host", "serve", "--simulate", "--port", "0",
         "--timer", "30", "--station", where, "--json"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "XDG_DATA_HOME": str(tmp_path / "tray")},
    )  # fmt: skip
    stack.callback(served.wait)
    stack.callback(served.kill)
    assert served.stdin is not None
    stack.callback(served.stdin.close)
    until(
        lambda: bool(station.monitors()) and station.monitors()[0].online is True,
        "online",
        station.turn,
    )
    seat = assignments(spring.log, 1, 1, {})[1]
    far = clock.monotonic() + 600.0
    events: list[Event] = [seat, BoardPrescribed(str(BOARD)), ButtonPressed(clock.monotonic(), BY)]
    for number, event in enumerate(events):
        obeyed(base, station, [("1", order(f"order-{number}", event, far))])
    until(lambda: station.monitors()[0].phase == "running", "the sand runs", station.turn)
    until(lambda: "1" in base.shown(), "kept for the monitor", station.turn)
    shown = loads(base.shown()["1"]) | station.monitors()[0].document
    assert shown["simulated"] is True
    assert shown["players"] == [each.player for each in seat.seats]
    assert (shown["round"], shown["board"], shown["table"]) == (1, 1, 1)
    assert 0 < shown["left_s"] <= 30
