"""The log of rounds, looked at without a change: opening it for use mends what it can."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.doctor.finding import Finding, Grade
from firmware_host.store.errors import DamageError, storing
from firmware_host.store.place import DATABASE, Place

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class Records:
    """What a whole log holds.

    Attributes:
        counts: kinds of events, and how many there are of each.
        seconds: that the proof took.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def events(self) -> int:
        """How many there are."""
        return sum(self.counts.values())


def look(place: Place) -> Records | None:
    """Prove every event of the log, and count them; None where there is no log yet.

    Raises:
        DamageError: one is not whole, or does not follow the one before.
        StorageError: it cannot be read, or is of a newer version.
    """
    if not place.database.exists():
        return None
    began = time.perf_counter()
    with storing(place.database), _opened(place) as connection:
        counts = _proved_counts(connection, place.database)
    return Records(counts, time.perf_counter() - began)


def log(place: Place) -> Finding:
    """Whether the log is whole.

    Raises:
        DamageError, StorageError: as `look`.
    """
    found = look(place)
    if found is None:
        return Finding("log", Grade.NONE, "no round was recorded so far")
    text = f"{found.events:,} events are whole, each after the one before: {found.seconds:.1f} s"
    return Finding("log", Grade.OK, text)


def _proved_counts(connection: Connection, file: Path) -> dict[str, int]:
    from sqlalchemy import func, select

    from firmware_host.store.schema import check_known, events, version_of
    from firmware_host.store.tables import check_pages, prove_end

    check_known(version_of(connection), file)
    check_pages(connection, file)
    prove_end(connection, file)
    counted = select(events.c.kind, func.count().label("times"))
    by_kind = counted.group_by(events.c.kind).order_by(events.c.kind)
    return {row.kind: row.times for row in connection.execute(by_kind)}


@contextmanager
def _opened(place: Place) -> Iterator[Connection]:
    """The log itself where another program has it open, else a copy."""
    from firmware_host.store.schema import open_engine

    with tempfile.TemporaryDirectory(prefix="wordtray-") as scratch:
        with place.opened() as lock:
            file = _copied(place, Path(scratch)) if lock.is_alone() else place.database
        with open_engine(file).connect() as connection:
            yield connection


def _copied(place: Place, scratch: Path) -> Path:
    from firmware_host.store.salvage import is_cut

    if is_cut(place.database):
        message = f"{place.database} ends before it should"
        advice = "Begin a round: the whole part goes on, and the files are kept as they are, aside."
        raise DamageError(message, advice)
    for file in (place.database, place.ahead):
        if file.exists():
            shutil.copyfile(file, scratch / file.name)
    return scratch / DATABASE
