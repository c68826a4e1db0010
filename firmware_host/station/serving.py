"""The link of a tray in a thread of its own, beside the owner of the round."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.errors import CommandError, Complaint, ExitCode, unusable_file
from firmware_host.files import read_given
from firmware_host.station.broker import PORT, TLS_PORT, Address
from firmware_host.station.link import Link, Name, Round, broker_of
from firmware_host.station.notebook import Notebook
from firmware_host.station.wire import BEAT_S, Mark
from firmware_host.store.errors import StorageError
from firmware_host.store.log import Log, open_log
from firmware_host.store.place import Place
from hardware.clock import Clock

if TYPE_CHECKING:
    from firmware_host.settings import StationSection
    from firmware_host.station.base import Base

NOTEBOOK = "station.json"
LONGEST_PASSWORD = 4096
LEAVE_S = 5.0
"""Seconds that the link is given to take its leave."""


class Bell:
    """Rung whenever the round has gone on; nobody need hear it.

    Attributes:
        answer: is called then.
    """

    def __init__(self) -> None:
        self.answer: Callable[[], None] = lambda: None

    def ring(self) -> None:
        """The round has gone on."""
        self.answer()


def address_of(station: StationSection) -> Address:
    """Where the broker is.

    Raises:
        CommandError: kind ``broker``: the password or the certificate cannot be read.
    """
    ca, host = station.ca, station.host or ""
    if ca is not None:
        check_ca(ca)
    port = station.port or (PORT if ca is None else TLS_PORT)
    return Address(host, port, station.user, password_of(station.password_file), ca)


def password_of(file: Path | None) -> str:
    """The password in a file, without the end of its line.

    Raises:
        CommandError: it cannot be read.
    """
    if file is None:
        return ""
    data = read_given(file, LONGEST_PASSWORD, "broker", "password")
    return data.decode(errors="replace").rstrip("\r\n")


def check_ca(file: Path) -> None:
    """See that a file holds who vouches for a broker.

    Raises:
        CommandError: it does not.
    """
    import ssl

    try:
        ssl.create_default_context(cafile=str(file))
    except (OSError, ssl.SSLError) as error:
        raise _no_ca(file, error) from error


def _no_ca(file: Path, error: Exception) -> CommandError:
    message = f"{file} cannot be used to check the broker: {error}"
    return unusable_file("broker", message, "Give a PEM file of the authority.")


@contextmanager
def connected(
    name: Name,
    address: Address,
    place: Place,
    round_: Round,
    clock: Clock,
    *,
    bell: Bell,
    tell: Callable[[str], None],
) -> Iterator[None]:
    """Have a tray connected to its station until this is left; the round never waits for it.

    Args:
        name: which tray it is.
        address: of the broker.
        place: of the log of rounds.
        round_: the owner.
        clock: of the round.
        bell: rung with each event of it.
        tell: is told how the connection stands, and why the station hears nothing any more.
    """

    def made(log: Log) -> Link:
        notebook = Notebook(place.data / NOTEBOOK, name.event, lambda: mark_of(log))
        broker = broker_of(address, name)
        broker.tell = tell
        return Link(name, log, notebook, broker, round_=round_, clock=clock)

    thread = _Thread(place, made, bell, tell)
    thread.start()
    try:
        yield
    finally:
        thread.leave()


class _Thread(threading.Thread):
    """The link's thread: whatever ends it, the round goes on."""

    def __init__(
        self, place: Place, made: Callable[[Log], Link], bell: Bell, tell: Callable[[str], None]
    ) -> None:
        super().__init__(name="station link", daemon=True)
        self._place, self._made = place, made
        self._bell, self._tell = bell, tell
        self._link: Link | None = None
        self._left = threading.Event()

    def run(self) -> None:
        """Be the link."""
        try:
            with open_log(self._place) as log:
                self._serve(self._made(log))
        except StorageError as error:
            self._tell(f"the station is told nothing any more: {error}. {error.advice}")
        finally:
            self._bell.answer = lambda: None

    def _serve(self, link: Link) -> None:
        self._link, self._bell.answer = link, link.wake
        if not self._left.is_set():
            link.run()

    def leave(self) -> None:
        """End it; one that hangs is left behind."""
        self._left.set()
        if self._link is not None:
            self._link.stop()
        self.join(LEAVE_S)


def check_alone(base: Base, clock: Clock, event: str) -> None:
    """See that no other station is at work on a base: one that was killed just now is not.

    Raises:
        CommandError: kind ``station_running``: another one is.
        StorageError: the base cannot be read.
    """
    before = base.beaten()
    if before is None or abs(clock.monotonic() - before) > 2 * BEAT_S:
        return
    clock.sleep(1.5 * BEAT_S)
    if base.beaten() != before:
        message = f"a station of {event} is at work already"
        advice = "End that one, or leave it: it does the same."
        raise CommandError(Complaint("station_running", message, advice, ExitCode.DEVICE_FAULT))


def mark_of(log: Log) -> Mark:
    """The last entry of a log."""
    last = log.last_seq
    return Mark(last, log.since(last - 1, 1)[0].hash) if last else Mark()
