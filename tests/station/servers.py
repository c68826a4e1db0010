"""A real Mosquitto and a real PostgreSQL, each started by the tests, killed and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from firmware_host.station.broker import Address

PATIENCE_S = 600.0
"""No figure of the product: it ends a test that would wait for ever."""

NOBODY = "nobody"
POSTGRES_PLACES = "usr/lib/postgresql/*/bin"
MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def until(holds: Callable[[], bool], what: str, turn: Callable[[], object] | None = None) -> None:
    """Wait until something holds; ``turn`` is done meanwhile."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            pytest.fail(f"in vain: {what}")
        if turn is None:
            time.sleep(0.02)
        else:
            turn()


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True


@dataclass
class Mosquitto:
    """A broker of its own process.

    Attributes:
        folder: of its configuration.
        port: of it.
        extra: lines of its configuration.
        process: now.
    """

    folder: Path
    port: int = field(default_factory=free_port)
    extra: tuple[str, ...] = ("allow_anonymous true",)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    def start(self) -> None:
        whose = pwd.getpwuid(os.geteuid()).pw_name  # else root's files are closed to it
        lines = (f"user {whose}", f"listener {self.port} 127.0.0.1", *self.extra)
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join([*lines, ""]), "utf-8")
        with (self.folder / "mosquitto.log").open("ab") as log:
            process = subprocess.Popen([MOSQUITTO or "", "-c", str(file)], stdout=log, stderr=log)
        self.process = process
        until(lambda: listens(self.port) or process.poll() is not None, "the broker listens")
        assert process.poll() is None, (self.folder / "mosquitto.log").read_text("utf-8")

    def kill(self) -> None:
        """Pull its plug."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def postgres_programs() -> Path | None:
    """The folder of initdb and postgres."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    places = sorted(Path("/").glob(POSTGRES_PLACES))
    return places[-1] if places else None


def _as_another() -> list[str]:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={NOBODY}", "--clear-groups", "--"]


@dataclass
class Postgres:
    """A server of its own, with a database for each test."""

    programs: Path
    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        self.folder.mkdir()
        if os.geteuid() == 0:
            account = pwd.getpwnam(NOBODY)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        initdb = [str(self.programs / "initdb"), "-D", str(self.folder / "data"), "-U", "wordtray"]
        options = ["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
        subprocess.run(
            [*_as_another(), *initdb, *options], check=True, capture_output=True, cwd=self.folder
        )

    def start(self) -> None:
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        options = ["-p", str(self.port), "-c", "listen_addresses=127.0.0.1"]
        options += ["-c", f"unix_socket_directories={self.folder}"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_another(), *command, *options], stdout=log, stderr=log, cwd=self.folder
            )
        until(self._answers, "PostgreSQL answers")

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, name: str) -> str:
        return f"postgresql://wordtray@127.0.0.1:{self.port}/{name}"

    def database(self, name: str) -> str:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        return self.url(name)

    def kill(self) -> None:
        """Pull its plug: all its processes at once, as SIGQUIT has them end."""
        if self.process is not None:
            self.process.send_signal(3)
            self.process.wait()
            self.process = None
