"""Makes a damaged log usable again as far as it is whole, or says why that would be wrong.

A file that was cut, or whose last page is bad, loses its last events: these are cut off, and the
files are kept aside as they were; the log itself keeps that it was cut. Where whole events follow
the damage, or the header of the file is none of ours, nothing is touched.
"""

from __future__ import annotations

import os
import shutil
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, insert, select
from sqlalchemy.exc import DBAPIError

from firmware_host.store.ahead import read_ahead
from firmware_host.store.chain import Entry, whole
from firmware_host.store.errors import DamageError, damaged_advice, storing
from firmware_host.store.place import AHEAD, DATABASE, LOG, Place
from firmware_host.store.schema import check_known, create, cuts, events, open_engine, version_of
from firmware_host.store.tables import Cut, check_pages, cuts_of, entry_of, row_of

_LEAST_BYTES = 100  # of the header of a database: a file that is shorter is none
_COUNT_AT = 28
_PAGE_AT = 16
_PAGE_BYTES = 4096
_CHANGES_AT, _COUNTED_AT = 24, 92
_HEADER = {
    0: (b"SQLite format 3\0",),
    _PAGE_AT: (struct.pack(">H", _PAGE_BYTES),),
    18: (b"\1\1", b"\2\2"),  # written ahead or not
    20: (b"\0\x40\x20\x20",),
    44: (b"\0\0\0\4",),  # format of the schema
    52: (struct.pack(">10I", 0, 1, *[0] * 8),),  # UTF-8; nothing of the rest is in use
}
"""What every log has in the header of its file, by place; https://www.sqlite.org/fileformat2.html"""


@dataclass(frozen=True)
class Found:
    """What is left of a damaged log.

    Attributes:
        entries: the whole ones from the beginning.
        follows: number of an event that can be read beyond the first damaged one, or None.
        cut: the file ends before it should.
        cuts: those before this one.
        lossless: no page is missing: all that the file lacks was written ahead.
    """

    entries: tuple[Entry, ...]
    follows: int | None
    cut: bool
    cuts: tuple[Cut, ...] = ()
    lossless: bool = False

    @property
    def is_tail(self) -> bool:
        """Whether the damage is at the end: the file was cut, or nothing follows."""
        return self.follows is None and (self.cut or bool(self.entries))


def check_header(place: Place) -> None:
    """See that the log has the header of one; what else its file holds cannot be told without.

    Raises:
        DamageError: it has not.
    """
    database = place.database
    with database.open("rb") as file:
        header, size = file.read(_LEAST_BYTES), os.fstat(file.fileno()).st_size
    more = not _content(place.ahead) and _is_longer(header, size)
    if more or not all(_has_one(header[at:], known) for at, known in _HEADER.items()):
        message = f"{database}: the database of the log is damaged (its header is none of a log)"
        raise DamageError(message, damaged_advice(database))


def _has_one(data: bytes, known: tuple[bytes, ...]) -> bool:
    """Whether data begin with one of these, as far as there are data."""
    return any(data[: len(one)] == one[: len(data)] for one in known)


def _is_longer(header: bytes, size: int) -> bool:
    """Whether a file has more pages than its header counts, where that count holds."""
    if len(header) < _LEAST_BYTES:
        return False
    counted = header[_CHANGES_AT:][:4] == header[_COUNTED_AT:][:4]
    return counted and size // _PAGE_BYTES > _promised_pages(header, size)


def repair(place: Place, now: Callable[[], float] = time.time) -> str:
    """Cut off a damaged end, and keep all files as they were aside; gives a notice of it.

    Raises:
        DamageError: the damage is not at the end; nothing was changed.
        StorageError: there is no room for the repair.
    """
    found = look_at(place.database)
    if not found.is_tail:
        raise _told(place.database, found)
    last = len(found.entries)
    known = found.cuts if found.lossless else (*found.cuts, Cut(last, now()))
    with place.staged() as folder, storing(place.database):
        write(folder / LOG / DATABASE, found.entries, known)
    aside = place.exchange("damaged")
    if found.lossless:
        return (
            "the file of the log ended too early, and was made whole of what was written ahead; "
            f"no event is lost, and the files are kept in {aside}"
        )
    if not last:
        return (
            "the file of the log was cut and no event of it can be read: a new log is begun, "
            f"and the damaged files are kept in {aside}"
        )
    return (
        f"the end of the log was damaged and is cut off after event {last}; "
        f"all before it is whole, and the damaged files are kept in {aside}"
    )


def write(file: Path, entries: tuple[Entry, ...], known: tuple[Cut, ...] = ()) -> None:
    """Write a new log with these entries and cuts, in one file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    engine = open_engine(file, wal=False)
    with engine.begin() as connection:
        create(connection)
        if entries:
            connection.execute(insert(events), [row_of(entry) for entry in entries])
        if known:
            connection.execute(insert(cuts), [asdict(cut) for cut in known])


def look_at(database: Path) -> Found:
    """Read what can be read of a damaged log, in a copy of it."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, DATABASE)
        write(copy, ())
        ahead = database.with_name(DATABASE + AHEAD[0])
        if ahead.exists():
            shutil.copyfile(ahead, copy.with_name(ahead.name))
        _fill(copy, database.read_bytes(), _content(ahead))
        try:
            with open_engine(copy).connect() as connection:
                return _readable(connection, database, cut=is_cut(database))
        except DBAPIError:  # not even its beginning
            return Found((), None, is_cut(database))


def is_cut(database: Path) -> bool:
    """Whether a database ends before it should; so may one whose writing was interrupted."""
    with database.open("rb") as file:
        header, size = file.read(_LEAST_BYTES), os.fstat(file.fileno()).st_size
    page = _page_bytes(header)
    promised = _promised_pages(header, size) * page
    return size < max(promised, _LEAST_BYTES) or size % page > 0


def _readable(connection: Connection, database: Path, *, cut: bool) -> Found:
    version = version_of(connection)
    if version is not None:
        check_known(version, database)
    entries = tuple(whole(_rows(connection, events.c.seq)))
    last = next(_rows(connection, events.c.seq.desc()), None)
    follows = last.seq if last and last.seq > len(entries) + 1 else None
    # an empty log is also what is read where the first pages are gone: those of a new one are there
    lossless = cut and bool(entries) and _is_sound(connection, database)
    return Found(entries, follows, cut, _cuts(connection), lossless)


def _cuts(connection: Connection) -> tuple[Cut, ...]:
    """The cuts before this one, where they can be read."""
    try:
        return cuts_of(connection)
    except (DBAPIError, TypeError):
        return ()


def _is_sound(connection: Connection, database: Path) -> bool:
    """Whether no page is missing."""
    try:
        check_pages(connection, database)
    except (DamageError, DBAPIError):
        return False
    return True


def _rows(connection: Connection, order: ColumnElement[int]) -> Iterator[Entry]:
    """Entries in an order, up to the first that cannot be read."""
    one_by_one = connection.execution_options(stream_results=True, max_row_buffer=1)
    try:  # of rows that are read together, none is had where one of them is bad
        for row in one_by_one.execute(select(events).order_by(order)):
            yield entry_of(row)
    except (DBAPIError, UnicodeDecodeError, TypeError):
        return


def _fill(copy: Path, data: bytes, ahead_data: bytes) -> None:
    """Lay the whole pages of a database over those of a new one, and fill it up.

    A file that is too short could not be opened, and with the first pages, which hardly change, all
    that was written ahead would be lost.
    """
    ahead = read_ahead(ahead_data)
    page = ahead.page_bytes or _page_bytes(data)
    whole_pages = data[: len(data) // page * page]
    filled = whole_pages + copy.read_bytes()[len(whole_pages) :]
    promised = page * max(_promised_pages(data, len(data)), ahead.pages)
    copy.write_bytes(filled.ljust(promised, b"\0"))


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _page_bytes(data: bytes) -> int:
    if len(data) < _LEAST_BYTES:
        return _PAGE_BYTES
    (size,) = struct.unpack_from(">H", data, _PAGE_AT)
    return int(size) if size >= 512 else _PAGE_BYTES


def _promised_pages(header: bytes, size: int) -> int:
    """Pages that the header counts; not many more than there can be, where it is nonsense."""
    if len(header) < _LEAST_BYTES:
        return 1
    (count,) = struct.unpack_from(">I", header, _COUNT_AT)
    return min(int(count), size // 512 + 100_000)


def _told(database: Path, found: Found) -> DamageError:
    where = len(found.entries) + 1
    message = f"{database} is damaged at event {where}"
    if found.follows is not None:
        message += f", and event {found.follows} is there after it"
    return DamageError(message, damaged_advice(database))
