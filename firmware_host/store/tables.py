"""What is read from and written to the tables of the log, on a connection that is handed in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, inspect, select

from firmware_host.store.chain import Entry, Moment, whole
from firmware_host.store.errors import DamageError, damaged_advice, damaged_pages, storing
from firmware_host.store.place import Place
from firmware_host.store.schema import cuts, events, open_engine


def entry_of(row: Row[tuple[object, ...]]) -> Entry:
    """The entry of a row of `events`."""
    moment = Moment(row.at, row.boot, row.uptime)
    return Entry(row.seq, row.round, row.kind, moment, row.data, row.hash)


def row_of(entry: Entry) -> dict[str, object]:
    """The row of an entry."""
    moment = entry.moment
    return {
        "seq": entry.seq,
        "round": entry.round,
        "kind": entry.kind,
        "at": moment.at,
        "boot": moment.boot,
        "uptime": moment.uptime,
        "data": entry.data,
        "hash": entry.hash,
    }


def last_entry(connection: Connection) -> Entry | None:
    """The last entry of the log, or None where there is none."""
    row = connection.execute(select(events).order_by(events.c.seq.desc()).limit(1)).first()
    return entry_of(row) if row else None


@dataclass(frozen=True)
class Cut:
    """That the end of the log was damaged and cut off, which is never forgotten.

    Attributes:
        after: number of the last event that was left, 0 for none.
        at: seconds since 1970, when it was cut off.
    """

    after: int
    at: float


def cuts_of(connection: Connection) -> tuple[Cut, ...]:
    """Every cut of a log, the first one first; those of an older version kept none."""
    if not inspect(connection).has_table(cuts.name):
        return ()
    rows = connection.execute(select(cuts).order_by(cuts.c.number))
    return tuple(Cut(row.after, row.at) for row in rows)


def prove_end(connection: Connection, file: Path, most: int | None = None) -> Entry | None:
    """Prove the last entries of the chain; gives the last one.

    Args:
        connection: to the log.
        file: of the log, for messages.
        most: how many; None is all of them.

    Raises:
        DamageError: one is not whole, or does not follow the one before.
    """
    last = last_entry(connection)
    start = max(0, last.seq - most) if last and most else 0
    before = connection.execute(select(events).where(events.c.seq == start)).first()
    chosen = select(events).where(events.c.seq > start).order_by(events.c.seq)
    entries = map(entry_of, connection.execute(chosen))
    count = sum(1 for _ in whole(entries, entry_of(before) if before else None))
    if last and start + count != last.seq:
        raise damage_at(file, start + count + 1)
    return last


def check_pages(connection: Connection, file: Path) -> None:
    """Have the database look through its own pages.

    Raises:
        DamageError: they are not sound.
    """
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    if found != "ok":
        raise damaged_pages(file, str(found))


def spare_photos(connection: Connection, place: Place) -> tuple[str, ...]:
    """Names of photos that no event of the log knows; of an event that is no JSON none is known.

    Args:
        connection: to the log.
        place: where the photos lie.
    """
    known = {
        str(json.loads(row.data).get("photo"))
        for row in connection.execute(select(events.c.data).where(events.c.kind.in_(_OF_PHOTOS)))
    }
    there = (file.name for file in place.photos.folder.glob("*.jpg"))
    return tuple(sorted(set(there) - known))


_OF_PHOTOS = ("tray_read", "tray_not_read")


def copy_database(connection: Connection, file: Path) -> None:
    """Copy a database, as it is now, into a new file, and prove the copy.

    Raises:
        DamageError: the copy is not whole.
        StorageError: it cannot be written.
    """
    with storing(file), open_engine(file, wal=False).connect() as copy:
        _driver(connection).backup(_driver(copy))
        _driver(copy).execute("PRAGMA journal_mode=DELETE")  # as the original's was copied too
        prove_end(copy, file)


def damage_at(file: Path, seq: int) -> DamageError:
    """The error of an entry that is not whole."""
    return DamageError(f"{file} is damaged at event {seq}", damaged_advice(file))


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - that of SQLite
    return connection.connection.driver_connection
