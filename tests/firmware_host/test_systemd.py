"""What systemd hears: real datagrams, on a path and on an abstract name."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.systemd import Notifier


@pytest.fixture(params=["path", "abstract"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket that hears, and its name as in NOTIFY_SOCKET."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(name.replace("@", "\0", 1))
        heard.settimeout(5.0)
        yield heard, name


def test_each_word_is_a_datagram(listener: tuple[socket.socket, str]) -> None:
    heard, name = listener
    notifier = Notifier.of({"NOTIFY_SOCKET": name})
    notifier.ready("idle")
    notifier.status("shaking")
    notifier.alive()
    notifier.stopping("bye")
    assert [heard.recv(100) for _ in range(4)] == [
        b"READY=1\nSTATUS=idle",
        b"STATUS=shaking",
        b"WATCHDOG=1",
        b"STOPPING=1\nSTATUS=bye",
    ]


def test_a_longer_watchdog_is_asked_for_where_there_is_one_and_it_is_shorter(
    listener: tuple[socket.socket, str],
) -> None:
    heard, name = listener
    watched = Notifier(name, 10.0)
    assert watched.allowing(9.0) == watched
    assert heard.recv(100) == b"WATCHDOG_USEC=10000000"
    assert Notifier(name).allowing(20.0).watchdog_s is None
    assert watched.allowing(20.0).watchdog_s == 20.0
    assert heard.recv(100) == b"WATCHDOG_USEC=20000000"


@pytest.mark.parametrize("address", ["", "/nowhere/at/all", "@nobody-listens-here"])
def test_where_nobody_listens_the_service_goes_on(address: str) -> None:
    Notifier(address).ready("idle")


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "7"}, 0.5),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_of_this_process_is_known(
    environment: dict[str, str], seconds: float | None
) -> None:
    assert Notifier.of(environment, pid=7).watchdog_s == seconds
