"""The stream of states: what is told, to whom, how often; and the server that it comes from."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from firmware_host import rounds
from firmware_host.errors import CommandError, ExitCode
from firmware_host.keeper import Keeper
from firmware_host.owner import Owner, OwnersClock
from firmware_host.rounds import ButtonPressed, Phase, Plan, RoundState, Tick
from firmware_host.settings import WebSection
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from firmware_host.web import serving as serving_module
from firmware_host.web.access import Access
from firmware_host.web.serving import JoinUrl, Served, serving
from firmware_host.web.sessions import COOKIE, Role, Sessions
from firmware_host.web.site import Machine
from firmware_host.web.stream import LONGEST_S, SHORTEST_S, Hub
from hardware.clock import ManualClock
from hardware.simulated import simulated_devices
from scoring.rules import game
from tests.firmware_host.test_owner import Performer, render
from tests.firmware_host.web_site import CODE, HASHED, LEXICON

PATIENCE_S = 10.0


class TestHub:
    @pytest.fixture
    def state(self) -> RoundState:
        return RoundState(Plan(game("boggle"), (), timer_s=60.0))

    def test_what_changes_nothing_is_not_told(self, state: RoundState) -> None:
        hub = Hub(state, seq=7)
        hub.watch(replace(state), Tick(1.0))
        assert hub.seq == 7
        hub.watch(replace(state, shakes=1), ButtonPressed(1.0))
        assert (hub.seq, hub.state.shakes) == (8, 1)

    def test_changes_that_follow_fast_are_told_as_one(self, state: RoundState) -> None:
        waiting: list[tuple[float, Callable[[], None]]] = []

        async def tell() -> list[int]:
            hub = Hub(state)
            hub.attach(lambda seconds, call: waiting.append((seconds, call)))
            told = []
            async for _ in hub.changes():
                told.append(hub.seq)
                for _ in range(5):
                    hub.watch(replace(hub.state, shakes=hub.state.shakes + 1), Tick(1.0))
                await asyncio.sleep(0)  # what the owner's thread says comes in
                if len(told) == 3:
                    return told
                for _, call in waiting[len(told) - 1 :]:
                    call()
            raise AssertionError

        assert asyncio.run(tell()) == [0, 5, 10]
        assert {seconds for seconds, _ in waiting} == {SHORTEST_S}

    def test_an_edition_that_nobody_needs_is_none(self, state: RoundState) -> None:
        waiting: list[Callable[[], None]] = []

        async def tell() -> list[int]:
            hub = Hub(state)
            hub.attach(lambda _, call: waiting.append(call))
            editions = []
            for change in (True, False, False, True):
                if change:
                    hub.watch(replace(hub.state, shakes=hub.state.shakes + 1), Tick(1.0))
                    await asyncio.sleep(0)
                editions.append(hub.edition)
                while waiting:
                    waiting.pop()()
            return editions

        assert asyncio.run(tell()) == [1, 1, 1, 2]

    def test_many_pages_are_told_more_seldom(self, state: RoundState) -> None:
        hub = Hub(state)
        with hub.listening():
            alone = hub.interval_s
            with hub.listening("ada"), hub.listening("ada"):
                assert hub.interval_s > alone
                assert hub.online == {"ada"}
            assert hub.online == frozenset()
        hub._pages = 1000
        assert hub.interval_s == LONGEST_S

    def test_the_owner_goes_on_where_the_pages_are_gone(self, state: RoundState) -> None:
        hub = Hub(state)

        async def come_and_go() -> None:
            hub.attach()

        asyncio.run(come_and_go())
        hub.watch(replace(state, shakes=1), ButtonPressed(1.0))
        assert hub.seq == 1


@contextmanager
def a_table(data: Path, web: WebSection) -> Iterator[tuple[str, Owner, Sessions]]:
    """The pages over a real owner; its address, the owner, and sessions that it would give."""
    clock = OwnersClock(ManualClock(1000.0))
    hub = Hub(RoundState(Plan(game("boggle"), (), timer_s=60.0)))
    devices = simulated_devices(lambda: (("A",),), render, clock)
    setup = Setup(hub.state.plan, "serve", True, "new_4x4", "enable")  # noqa: FBT003
    with open_log(Place(data)) as log, Keeper(log, setup) as keeper:
        owner = Owner(hub.state, devices, Performer(), clock, book=keeper, watch=hub.watch)
        thread = threading.Thread(target=owner.run)
        thread.start()
        access = Access("secret", CODE, HASHED)
        machine = Machine(Place(data), ())
        parts = Served(owner, clock, hub, access, LEXICON, (4, 4), machine, lambda: keeper.number)
        with serving(parts, web) as address:
            yield address, owner, Sessions("secret", time.time)
        owner.stop()
        thread.join(PATIENCE_S)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Owner, Sessions]]:
    """As of `a_table`, without TLS."""
    with a_table(tmp_path, WebSection(port=0)) as table:
        yield table


def listen(
    address: str, cookie: str = "", trusting: ssl.SSLContext | None = None, **headers: str
) -> ClientConnection:
    more = headers | ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {})
    url = address.replace("http", "ws") + "api/stream"
    return connect(url, ssl=trusting, additional_headers=more, proxy=None, open_timeout=PATIENCE_S)


def joined(address: str, name: str = "ada") -> str:
    """The cookie of somebody who has joined."""
    with httpx.Client(base_url=address, trust_env=False) as phone:
        answer = phone.post("api/players", json={"name": name, "code": CODE})
        assert answer.status_code == 201
        return answer.cookies[COOKIE]


def told(stream: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(stream.recv(PATIENCE_S))
    return message


def hear_out(stream: ClientConnection) -> None:
    for _ in range(5):
        told(stream)


def test_a_stream_tells_all_at_once_and_then_what_changes(
    served: tuple[str, Owner, Sessions],
) -> None:
    address, owner, _ = served
    with listen(address) as stream:
        first = told(stream)
        assert (first["seq"], first["state"]["round"]["phase"]) == (0, "idle")
        owner.post(ButtonPressed(1000.0)).result(PATIENCE_S)
        then = told(stream)
        assert (then["seq"], then["state"]["round"]["phase"]) == (1, "shaking")
        assert then["state"]["round"]["number"] == 1


def test_a_player_is_online_while_they_listen_and_out_with_their_seat(
    served: tuple[str, Owner, Sessions],
) -> None:
    address, owner, _ = served
    with listen(address, joined(address)) as stream:
        assert told(stream)["state"]["you"]["name"] == "ada"
        state = httpx.get(f"{address}api/state", trust_env=False).json()
        assert state["round"]["players"][0]["online"]
        owner.post(rounds.PlayerLeft("ada")).result(PATIENCE_S)
        with pytest.raises(ConnectionClosed) as closed:
            hear_out(stream)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_the_streams_of_a_session_end_with_it(served: tuple[str, Owner, Sessions]) -> None:
    address, _, sessions = served
    cookie = sessions.written(sessions.new(Role.REFEREE))
    with listen(address, cookie) as stream:
        told(stream)
        url, cookies = f"{address}api/session", {COOKIE: cookie}
        assert httpx.delete(url, cookies=cookies, trust_env=False).status_code == 204
        with pytest.raises(ConnectionClosed) as closed:
            hear_out(stream)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_a_stream_of_another_site_is_refused_and_the_journal_is_not_filled_with_it(
    served: tuple[str, Owner, Sessions], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        listen(served[0], Origin="http://evil.example")
    assert refused.value.response.status_code == 403
    httpx.get(f"{served[0]}api/state", trust_env=False)  # what came before is done with
    assert [one.message for one in caplog.records if one.name.startswith("uvicorn")] == []


@pytest.mark.parametrize(
    "head", ["content-length: x", "content-length: -1", "bad header", "upgrade: tea"]
)
def test_what_is_no_request_is_counted_and_the_journal_is_not_filled_with_it(
    served: tuple[str, Owner, Sessions], caplog: pytest.LogCaptureFixture, head: str
) -> None:
    address, _, sessions = served
    host, port = address.removeprefix("http://").strip("/").split(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as line:
        more = "connection: upgrade\r\n" if "upgrade" in head else ""
        line.sendall(f"POST /api/list HTTP/1.1\r\nhost: {host}\r\n{more}{head}\r\n\r\n".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 4")
    cookie = sessions.written(sessions.new(Role.OWNER))
    told = httpx.get(f"{address}api/service", cookies={COOKIE: cookie}, trust_env=False).json()
    assert told["refused"].get("malformed") == 1
    assert [one.message for one in caplog.records if one.name.startswith("uvicorn")] == []


def test_a_stream_of_a_name_that_is_led_here_is_refused(
    served: tuple[str, Owner, Sessions],
) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        told(listen(served[0], Host="evil.example"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of this machine, signed by itself, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("no openssl: sudo apt install openssl")
    folder = tmp_path_factory.mktemp("tls")
    file, key = folder / "cert.pem", folder / "key.pem"
    name = ("-subj", "/CN=tray", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2", "-noenc")
    command = [program, "req", "-x509", *made, *name, "-keyout", str(key), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file, key


def test_by_tls_pages_sessions_and_streams_are_as_without(
    tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    file, key = certificate
    web = WebSection(port=0, certificate=file, key_file=key)
    trusting = ssl.create_default_context(cafile=str(file))
    with a_table(tmp_path, web) as (address, _, _):
        assert address.startswith("https://127.0.0.1:")
        with httpx.Client(base_url=address, verify=trusting, trust_env=False) as phone:
            phone.headers["origin"] = address.rstrip("/")
            answer = phone.post("api/players", json={"name": "ada", "code": CODE})
            assert answer.status_code == 201
            assert "secure" in answer.headers["set-cookie"].lower()
            cookie = answer.cookies[COOKIE]
            insecure = {"origin": address.rstrip("/").replace("https", "http")}
            assert phone.post("api/list", json={}, headers=insecure).status_code == 403
        with listen(address, cookie, trusting) as stream:
            assert told(stream)["state"]["you"]["name"] == "ada"
        with pytest.raises(httpx.TransportError):
            httpx.get(address.replace("https", "http"), trust_env=False)


def test_what_a_page_says_through_the_stream_is_bounded(
    served: tuple[str, Owner, Sessions],
) -> None:
    with listen(served[0]) as stream:
        told(stream)
        stream.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            hear_out(stream)


def test_what_a_page_says_through_the_stream_is_heard_in_no_form(
    served: tuple[str, Owner, Sessions],
) -> None:
    address, owner, _ = served
    with listen(address) as stream:
        told(stream)
        stream.send("any text")
        stream.send(b"any bytes")
        httpx.get(f"{address}api/state", trust_env=False)  # both were heard meanwhile
        owner.post(ButtonPressed(1000.0)).result(PATIENCE_S)
        assert told(stream)["state"]["round"]["phase"] == "shaking"


def test_joining_and_words_are_on_the_disk_when_they_are_answered(
    served: tuple[str, Owner, Sessions], tmp_path: Path
) -> None:
    """So that neither a crash nor a pulled plug loses one."""
    address, _, _ = served
    joined(address)
    with open_log(Place(tmp_path)) as log:
        assert log.round(1).state.joined == ("ada",)
        assert log.round(1).state.phase is Phase.IDLE


def test_a_port_that_is_taken_is_told(served: tuple[str, Owner, Sessions]) -> None:
    port = int(served[0].rsplit(":", 1)[1].strip("/"))
    with pytest.raises(CommandError) as told_of, _listening_at(port):
        pass
    assert told_of.value.complaint.code is ExitCode.DEVICE_FAULT
    assert "--port" in told_of.value.complaint.advice


def _listening_at(port: int) -> Any:  # noqa: ANN401 - a context manager
    return serving_module.listening("127.0.0.1", port)


def test_players_are_told_an_address_that_works_from_their_phones() -> None:
    assert JoinUrl("127.0.0.1", 80)() == "http://127.0.0.1:80/join"
    assert JoinUrl("::1", 443, secure=True)() == "https://[::1]:443/join"
    everywhere = JoinUrl("0.0.0.0", 8080)()  # noqa: S104
    assert "0.0.0.0" not in everywhere  # noqa: S104
    assert everywhere.endswith(":8080/join")


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "none.pem"
    file.write_text("no certificate")
    web = WebSection(port=0, certificate=file, key_file=file)
    hub = Hub(RoundState(Plan(game("boggle"), (), timer_s=60.0)))
    machine, access = Machine(Place(tmp_path), ()), Access("secret", CODE, HASHED)
    clock = ManualClock()
    nobody: Any = None
    parts = Served(nobody, clock, hub, access, LEXICON, (4, 4), machine, lambda: 1)
    with pytest.raises(CommandError) as told_of, serving(parts, web):
        pass
    assert told_of.value.complaint.kind == "certificate"


def test_the_role_of_a_session_is_that_of_the_stream(served: tuple[str, Owner, Sessions]) -> None:
    address, _, sessions = served
    cookie = sessions.written(sessions.new(Role.REFEREE))
    with listen(address, cookie) as stream:
        assert told(stream)["state"]["role"] == "referee"
