"""The log of rounds, looked at without a change: opening it for use mends what it can."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.doctor.finding import Finding, Grade
from firmware_host.store.errors import DamageError, storing
from firmware_host.store.place import Place

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class Records:
    """What a whole log holds.

    Attributes:
        counts: kinds of events, and how many there are of each.
        seconds: that the proof took.
        spare_photos: photos that no round knows.
        cuts: how often the end was damaged and cut off.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    spare_photos: int = 0
    cuts: int = 0

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
    from firmware_host.store.tables import cuts_of, spare_photos

    began = time.perf_counter()
    with storing(place.database), _opened(place) as connection:
        counts = _proved_counts(connection, place.database)
        spare, cuts = len(spare_photos(connection, place)), len(cuts_of(connection))
    return Records(counts, time.perf_counter() - began, spare, cuts)


def log(place: Place) -> Finding:
    """Whether the log is whole.

    Raises:
        DamageError, StorageError: as `look`.
    """
    found = look(place)
    photos = len(list(place.photos.folder.glob("*.jpg"))) if found is None else found.spare_photos
    if found is not None and found.cuts:
        times = "once" if found.cuts == 1 else f"{found.cuts} times"
        text = f"{found.events:,} events are whole, but its end was damaged and cut off {times}"
        return Finding("log", Grade.WARN, text, _CUT)
    if photos:
        are = "photo is" if photos == 1 else "photos are"
        text = f"{found.events if found else 0:,} events are whole, but {photos} {are} of none"
        return Finding("log", Grade.WARN, f"{text}: a part of the log may be lost", _LOST)
    if found is None or not found.events:
        return Finding("log", Grade.NONE, "no round was recorded so far", _FIRST)
    text = f"{found.events:,} events are whole, each after the one before: {found.seconds:.1f} s"
    return Finding("log", Grade.OK, text)


_FIRST = "Play one: wordtray play; without a tray: wordtray play --simulate."
_CUT = (
    "See where: wordtray log --verify. What was cut off is in the folder aside beside it; restore "
    "a backup if events are missed: wordtray restore FILE."
)
_LOST = (
    "Look into the folder aside beside it, or restore a backup: wordtray restore FILE; if nothing "
    "is missed, delete the photos that log --verify --json names."
)


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
        file = place.database
        if place.is_read_only:
            file = _copied(place, Path(scratch))
        else:
            with place.opened() as lock:
                file = _copied(place, Path(scratch)) if lock.is_alone() else file
        with open_engine(file).connect() as connection:
            yield connection


def _copied(place: Place, scratch: Path) -> Path:
    from firmware_host.store.log import copied
    from firmware_host.store.salvage import check_header, is_cut, look_at

    check_header(place)
    if is_cut(place.database):
        raise _cut(place.database, len(look_at(place.database).entries))
    return copied(place, scratch).database


def _cut(database: Path, whole: int) -> DamageError:
    """The error of a log that was cut after some whole events."""
    message = f"{database} ends before it should"
    if not whole:
        advice = "Restore a backup: wordtray restore FILE; or begin a round, and so a new log."
        return DamageError(f"{message}: no event of it can be read", advice)
    advice = "Begin a round: the whole part goes on, and the files are kept as they are, aside."
    return DamageError(f"{message}: the first {whole:,} events are whole", advice)
