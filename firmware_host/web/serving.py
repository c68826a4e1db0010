"""The server of the pages, in a thread of its own beside the service."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import uvicorn

from firmware_host.dictionary import NOTHING, Dictionary
from firmware_host.errors import CommandError, Complaint, ExitCode, unusable_file, wrong_use
from firmware_host.shelf import Shelf
from firmware_host.web.access import ended_sessions
from firmware_host.web.app import create_app
from firmware_host.web.limits import BackOff, Buckets, Rate
from firmware_host.web.render import Pages
from firmware_host.web.sessions import Sessions
from firmware_host.web.site import Machine, Site, Table
from firmware_host.web.swoggle import Swoggles, add_swoggle
from firmware_host.web.texts import read_catalogues
from firmware_host.web.uploads import Uploads
from firmware_host.web.worldwinner import Games, add_worldwinner
from firmware_host.worldwinner_sittings import trays_in_play

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi import FastAPI

    from firmware_host.settings import WebSection
    from firmware_host.upkeep import Upkeep
    from firmware_host.web.access import Access
    from firmware_host.web.site import Posted
    from firmware_host.web.stream import Hub
    from hardware.clock import Clock
    from scoring.lexicon import Lexicon

WORDS = Rate(burst=60, per_s=5)
"""Of a player: a queue that was kept back, then more than anybody types."""

ALL_GUESSES = Rate(burst=30, per_s=0.5)
"""Of PINs, by everybody together."""

LEAVE_S = 5.0
"""Seconds that the server is given to end."""

LOOK_S = 0.5
"""Seconds between two looks whether a server that begins still does."""

MOST_CONNECTIONS = 1000

_JOURNAL = logging.getLogger("uvicorn.error")
_UNFIT = ("Invalid HTTP request received", "Unsupported upgrade request")

ADDRESS_S = 10.0
"""Seconds for which the machine's address is taken to stay."""


@dataclass(frozen=True)
class Served:
    """What is served.

    Attributes:
        owner: of the round.
        clock: the owner's.
        hub: of the stream.
        access: PINs and code.
        lexicon: the word list.
        size: rows and columns of the tray.
        machine: what else of the machine the owner looks after.
        round_number: of the round in the log, as it is now.
        long_press: the action of a long press of the round's button.
        matches: plays WorldWinner by touch; None where that is not offered.
        dictionary: what the machine knows of the words of its list.
        upkeep: what is done with the devices besides rounds; None where there are none.
        swoggles: plays Swoggle by touch; the same.
    """

    owner: Posted
    clock: Clock
    hub: Hub
    access: Access
    lexicon: Lexicon
    size: tuple[int, int]
    machine: Machine
    round_number: Callable[[], int]
    long_press: str = "cancel"
    matches: Games | None = None
    dictionary: Dictionary = NOTHING
    upkeep: Upkeep | None = None
    swoggles: Swoggles | None = None


@contextmanager
def serving(served: Served, web: WebSection) -> Iterator[str]:
    """Serve the pages until this is left; gives their address.

    Raises:
        CommandError: the port is taken, the host is none of this machine, or the certificate
            cannot be used.
    """
    with listening(web.host, web.port) as listener:
        port = listener.getsockname()[1]
        secure = web.certificate is not None
        join_url = JoinUrl(web.host, port, secure=secure)
        app = create_app(_site(served, web, join_url), names_of(web), version("wordtray"))
        if served.matches is not None:
            add_worldwinner(app, served.matches)
        if served.swoggles is not None:
            add_swoggle(app, served.swoggles)
        with running(app, web, listener, app.state.refused):
            yield join_url().removesuffix("join")


@contextmanager
def running(
    app: FastAPI, web: WebSection, listener: socket.socket, refused: Counter[str] | None = None
) -> Iterator[None]:
    """Have an application answer in a thread of its own until this is left.

    Args:
        app: the application.
        web: the settings of the pages.
        listener: where it is asked.
        refused: counts what is no request; nobody does where it is None.

    Raises:
        CommandError: the certificate cannot be used.
    """
    server = _Server(_config(app, web))
    quiet = Unfit(Counter() if refused is None else refused)
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, name="pages", daemon=True
    )
    thread.start()
    _JOURNAL.addFilter(quiet)
    try:
        _await_up(server, thread)
        yield
    finally:
        server.should_exit = True
        thread.join(LEAVE_S)
        _JOURNAL.removeFilter(quiet)


class Unfit(logging.Filter):
    """Counts requests that are none, by which anybody could fill the journal, and lets none in.

    Args:
        refused: counts them, as ``malformed``.
    """

    def __init__(self, refused: Counter[str]) -> None:
        super().__init__()
        self._refused = refused

    def filter(self, record: logging.LogRecord) -> bool:
        """As of `logging.Filter.filter`."""
        unfit = record.getMessage().startswith(_UNFIT)
        self._refused["malformed"] += unfit
        return not unfit


def _await_up(server: _Server, thread: threading.Thread) -> None:
    """Wait until it listens; one that has ended has told why in the journal."""
    while not server.up.wait(LOOK_S):
        if not thread.is_alive():
            raise RuntimeError("the server of the pages has ended as it began")


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self.up.set()


def _site(served: Served, web: WebSection, join_url: Callable[[], str]) -> Site:
    matches = served.matches
    table = Table(
        web.name,
        served.machine.simulated,
        Shelf(served.lexicon),
        served.size,
        join_url,
        served.long_press,
        web.challenge_s,
        web.board_marks,
    )
    return Site(
        owner=served.owner,
        clock=served.clock,
        hub=served.hub,
        sessions=Sessions(
            served.access.secret, time.time, ended_sessions(served.machine.place.data)
        ),
        access=served.access,
        table=table,
        machine=served.machine,
        uploads=Uploads(served.machine.place.photos),
        pages=Pages(read_catalogues(web.texts)),
        round_number=served.round_number,
        words=Buckets(WORDS, time.monotonic),
        guesses=BackOff(time.monotonic),
        all_guesses=Buckets(ALL_GUESSES, time.monotonic),
        dictionary=served.dictionary,
        secure=web.certificate is not None,
        upkeep=served.upkeep,
        dealt=frozenset if matches is None else partial(trays_in_play, matches.sittings),
    )


def _config(app: FastAPI, web: WebSection) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="websockets-sansio",
        ws_max_size=4096,  # pages say nothing through it
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # whoever asks from this machine is its display: no header says so
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        ssl_certfile=web.certificate,
        ssl_keyfile=web.key_file,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        raise _bad_certificate(web.certificate, error) from error
    return config


def _bad_certificate(file: Path | None, error: OSError) -> CommandError:
    message = f"the certificate {file} cannot be used: {error.strerror or error}"
    return unusable_file("certificate", message, "Give PEM files of a certificate and its key.")


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens there until this is left.

    Raises:
        CommandError: the port is taken, or the host is none of this machine.
    """
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        message = f"{host!r} is no address: {error.strerror or error}"
        raise wrong_use("host", message, "Give an address of this machine, or 0.0.0.0.") from error
    try:
        listener = socket.create_server(
            address[:2],
            family=family,
            backlog=256,
            dualstack_ipv6=family is socket.AF_INET6
            and host == "::"
            and socket.has_dualstack_ipv6(),
        )
    except OSError as error:
        raise _not_to_be_had(host, port, error) from error
    with listener:
        yield listener


def _not_to_be_had(host: str, port: int, error: OSError) -> CommandError:
    if error.errno == errno.EADDRNOTAVAIL:
        message = f"{host} is no address of this machine"
        return wrong_use("host", message, "Give one of its own, or 0.0.0.0 for all of them.")
    message = f"port {port} of {host} cannot be had: {os.strerror(error.errno or 0)}"
    advice = "End the program that has it, or give another: --port 8081; --port 0 finds a free one."
    return CommandError(Complaint("port", message, advice, ExitCode.DEVICE_FAULT))


def names_of(web: WebSection) -> frozenset[str]:
    """The names by which this machine is asked."""
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own}.local", *(name.lower() for name in web.names)})


class JoinUrl:
    """Where players join: an address that works from their phones, as far as there is one.

    Args:
        host: that is listened on.
        port: of it.
        secure: by TLS.
        now: seconds that only go forward.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        secure: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host = host
        self._scheme = "https" if secure else "http"
        self._port = port
        self._now = now
        self._known = ("", float("-inf"))

    def __call__(self) -> str:
        """The address of the page."""
        text, at = self._known
        if self._now() - at > ADDRESS_S:
            text = f"{self._scheme}://{self._shown_host()}:{self._port}/join"
            self._known = (text, self._now())
        return text

    def _shown_host(self) -> str:
        if not _is_any(self._host):
            return f"[{self._host}]" if ":" in self._host else self._host
        return lan_address() or f"{socket.gethostname()}.local"


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def lan_address() -> str:
    """The address by which this machine is known where it has a way out; empty for none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of the documentation: nothing is sent to it
        except OSError:
            return ""
        return str(probe.getsockname()[0])
