"""A hall for tests: simulated trays in this process, the station in its own, a cable to be cut."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host import tournaments
from firmware_host.rounds import Plan as RoundPlan
from firmware_host.station.broker import Address
from firmware_host.station.link import Name, broker_of
from firmware_host.station.simulated import Connected, Crowd, opened_tray
from scoring.lexicon import Lexicon
from scoring.rules import game
from scoring.tournament.finding import Finder, Usualness
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from scoring.tournament.simulation import strengths_of

REPOSITORY = Path(__file__).resolve().parents[2]
EVENT = "hall"
SAND_S = 1.0


def begin(lexicon: Lexicon, players: int, rounds: int) -> tournaments.HeldEvent:
    """A tournament of pods of six, kept."""
    plan = Plan.agree("Hall", "enable", lexicon.digest, seats=6, rounds=rounds, boards=1)
    enrolled = ({"type": "enrol", "player": name} for name in strengths_of(players, 1))
    tournaments.create(EVENT, Log.new(plan).play(0.0, *enrolled))
    return tournaments.HeldEvent(EVENT)


def crowd_of(lexicon: Lexicon, players: int) -> Crowd:
    finder = Finder(Usualness.of(lexicon.words[::200]))
    return Crowd(lexicon, finder, strengths_of(players, 1), 1)


@contextmanager
def opened_trays(
    folder: Path, crowd: Crowd, addresses: dict[int, Address]
) -> Iterator[dict[int, Connected]]:
    """Simulated trays by the number of their table."""
    plan = RoundPlan(game("boggle"), (), SAND_S)
    with ExitStack() as stack:
        trays = {}
        for table, address in addresses.items():
            name = Name(EVENT, str(table), simulated=True)
            opened = opened_tray(folder / str(table), name, plan, crowd, broker_of(address, name))
            trays[table] = stack.enter_context(opened)
        yield trays


@dataclass
class StationProcess:
    """``wordtray station serve`` in a process of its own.

    Attributes:
        folder: keeps what it says.
        options: for it.
        process: now.
    """

    folder: Path
    options: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "station", "serve", EVENT, "--json"]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        with (self.folder / "station.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *self.options], env=environment, stdout=log, stderr=log
            )

    def kill(self) -> None:
        """Pull its plug."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Cable:
    """A way to a broker that can be cut, and mended.

    Attributes:
        port: of the broker.
        listens: at which the other end is.
    """

    port: int
    listens: int
    _whole: threading.Event = field(default_factory=threading.Event)
    _ended: bool = False

    def start(self) -> None:
        self._whole.set()
        self._server = socket.create_server(("127.0.0.1", self.listens))
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        self._whole.set()

    def end(self) -> None:
        self._ended = True
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._ended:
                near, _ = self._server.accept()
                threading.Thread(target=self._forward, args=(near,), daemon=True).start()

    def _forward(self, near: socket.socket) -> None:
        with near, suppress(OSError):
            if not self._whole.is_set():
                return
            with socket.create_connection(("127.0.0.1", self.port)) as far:
                self._carry(near, far)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        others = {near: far, far: near}
        while self._whole.is_set() and not self._ended:
            for ready in select.select([near, far], [], [], 0.1)[0]:
                data = ready.recv(65536)
                if not data:
                    return
                others[ready].sendall(data)
