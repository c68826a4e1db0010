"""Tournaments under a name, kept in the user's data folder as logs that only grow.

An event is one file in the text form of `scoring.tournament.log`, each entry chained to the one
before and on the disk before it counts. Whoever writes has the folder locked. A last line without
its end was cut off by a pulled plug: it never counted, and the next entry takes its place. A file
cut off at the end of a line looks like a shorter event, so how many entries there are, and the hash
of the last one, are kept in a file ``.head`` beside, written after each entry. Boards that are
promised and not yet shown lie in another file, which only its owner can read.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host.errors import wrong_use
from firmware_host.files import append_whole, locked, read_bounded, write_whole, xdg_folder
from scoring.encoding import decode_text
from scoring.match import Event, line_of
from scoring.tournament.log import EventError, ForeignError, Log, hash_of_head

LARGEST_FILE = 128 << 20
"""Bytes at most: an event of 600 players with all lists takes some five million."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SUFFIX = ".tournament"
_RESTORE = "Restore its last export or archive"


def data_folder() -> Path:
    """Where events are kept: ``wordtray/tournaments`` in the user's data folder."""
    return xdg_folder("XDG_DATA_HOME", ".local/share") / "tournaments"


def names() -> tuple[str, ...]:
    """Names of all events, sorted."""
    found = sorted(data_folder().glob(f"*{_SUFFIX}"))
    return tuple(path.stem for path in found if _NAME.fullmatch(path.stem) and path.is_file())


def create(name: str, log: Log) -> None:
    """Keep a new event.

    Raises:
        CommandError: its name is none, or taken.
        OSError: the disk is full, or one may not write there.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} is no name for an event"
        advice = "Give 1 to 40 of a-z, 0-9, - and _, the first a letter or digit."
        raise wrong_use("event_name", message, advice)
    with locked(data_folder()):
        if _path(name).exists():
            message = f"there is an event {name} already"
            raise wrong_use("event_exists", message, "Give another name.")
        write_whole(_path(name), (log.to_lines().encode(),))
        write_whole(_head_of(_path(name)), (_head_line(log),))


def load(name: str) -> Log:
    """The event of this name, replayed.

    Raises:
        CommandError: there is none.
        EventError: its file is damaged.
        OSError: it cannot be read.
    """
    return _replayed(_existing(name))[0]


class OpenEvent:
    """An event that is being continued; made by `opened`.

    Attributes:
        log: as it stands.
    """

    def __init__(self, path: Path, log: Log, whole: int, now: float, by: str = "") -> None:
        self._path = path
        self._whole = whole
        self._now = now
        self._by = {"noted_by": by} if by else {}
        self.log = log

    def after(self, *events: Event) -> Log:
        """The event as it would stand after some events; nothing is kept.

        Raises:
            RuleError: one breaks a rule.
        """
        return self.log.play(self._now, *({**event, **self._by} for event in events))

    def play(self, *events: Event) -> None:
        """Play events and have them on the disk, all or none.

        Raises:
            RuleError: one breaks a rule; nothing was changed.
            CommandError: the event would grow larger than it can be.
            OSError: they could not be written; nothing was changed.
        """
        after = self.after(*events)
        entries = after.entries[len(self.log.entries) :]
        data = "".join(line_of(entry.document) for entry in entries).encode()
        if self._whole + len(data) > LARGEST_FILE:
            message = f"the event would grow to more than {LARGEST_FILE >> 20} MB"
            raise wrong_use("event_full", message, "Give shorter lists.")
        self._whole = append_whole(self._path, self._whole, data)
        self.log = after
        with suppress(OSError):  # an older head proves less, and nothing false
            write_whole(_head_of(self._path), (_head_line(after),))

    @property
    def whole(self) -> int:
        """Bytes of the file that are whole entries."""
        return self._whole


class HeldEvent:
    """An event that a program holds for long; in between, others may continue it.

    For any thread: whoever continues it has other threads wait, those that only look, too.

    Args:
        name: of the event.

    Attributes:
        log: as it stood when it was last looked at.

    Raises:
        CommandError, EventError, OSError: as `load`.
    """

    def __init__(self, name: str) -> None:
        self._path = _existing(name)
        self._lock = threading.RLock()
        self.log, self._whole = _replayed(self._path)

    def look(self) -> Log:
        """The event as it stands; what somebody else has entered is taken in, and no more.

        Raises:
            EventError, OSError: as `load`.
        """
        with self._lock:
            if self._path.stat().st_size != self._whole:
                self.log, self._whole = self._continued()
            return self.log

    def _continued(self) -> tuple[Log, int]:
        """The log and its bytes after what was entered; replayed where that does not follow."""
        try:
            more = _from(self._path, self._whole)
            log = self.log.followed(decode_text(more, EventError)) if more else self.log
        except EventError:
            return _replayed(self._path)
        return log, self._whole + len(more)

    @contextmanager
    def opened(
        self, now: float, *, by: str = "", wait_s: float | None = None
    ) -> Iterator[OpenEvent]:
        """Continue it; no other process can until this one has finished.

        Args:
            now: the moment, in seconds.
            by: who enters what is entered; empty where nobody is to be named.
            wait_s: seconds that another process is waited for; None waits for its end.

        Raises:
            EventError, OSError: as `load`.
            BlockingIOError: another process still has it.
        """
        with locked(data_folder(), wait_s), self._lock:
            event = OpenEvent(self._path, self.look(), self._whole, now, by)
            yield event
            self.log, self._whole = event.log, event.whole


@contextmanager
def opened(name: str, now: float) -> Iterator[OpenEvent]:
    """Continue an event; no other process can until this one has finished.

    Args:
        name: of the event.
        now: the moment, in seconds.

    Raises:
        CommandError, EventError, OSError: as `load`.
    """
    path = _existing(name)
    with locked(data_folder()):
        yield OpenEvent(path, *_replayed(path), now)


def keep_promise(name: str, place: str, board: str, salt: str) -> None:
    """Keep a board that is not to be known yet.

    Args:
        name: of the event.
        place: which board it is.
        board: the board.
        salt: with which it was promised.

    Raises:
        OSError: it cannot be written.
    """
    path = _promises(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    line = line_of({"place": place, "board": board, "salt": salt})
    append_whole(path, len(_whole_lines(path)), line.encode())


def promised(name: str, place: str) -> tuple[str, str] | None:
    """The board and the salt that were promised; None where none are kept here.

    Raises:
        EventError: the file is damaged.
        OSError: it cannot be read.
    """
    path = _promises(name)
    lines = _whole_lines(path).splitlines() if path.exists() else []
    try:
        kept = [json.loads(line) for line in lines]
        found = [(each["board"], each["salt"]) for each in kept if each["place"] == place]
    except (KeyError, TypeError, ValueError) as error:
        message = f"{path} is damaged: the boards promised for {name} cannot be read"
        raise EventError(message, "Give the boards themselves.") from error
    return found[-1] if found else None


def beside(name: str, ending: str) -> Path:
    """A file beside an event, such as ``spring.notice``.

    Raises:
        CommandError: there is no such event.
    """
    return _existing(name).with_suffix(f".{ending}")


def stamp(name: str) -> tuple[int, int]:
    """What changes when an event does: the size and the time of its file.

    Raises:
        CommandError: there is none.
        OSError: it cannot be looked at.
    """
    found = _existing(name).stat()
    return found.st_size, found.st_mtime_ns


def promises_of(name: str) -> bytes:
    """All boards that were promised, as they are kept; empty where there are none.

    Raises:
        OSError: they cannot be read.
    """
    path = _promises(name)
    return _whole_lines(path) if path.exists() else b""


def restore_promises(name: str, promises: bytes) -> None:
    """Keep the promises of an event that was brought back.

    Raises:
        OSError: they cannot be written.
    """
    path = _promises(name)
    path.touch(mode=0o600)
    append_whole(path, 0, promises)


def _existing(name: str) -> Path:
    if _NAME.fullmatch(name) and _path(name).is_file():
        return _path(name)
    message = f"there is no event {name!r}"
    raise wrong_use("unknown_event", message, "Begin it, or look at: wordtray tournament list")


def _replayed(path: Path) -> tuple[Log, int]:
    """The event of a file, and how many bytes of the file are whole lines."""
    head = _kept_head(path)  # before the file, which somebody may continue in between
    data = read_bounded(path, LARGEST_FILE)
    if data is None:
        message = f"{path} is larger than any event"
        raise EventError(message, "Look whether it is the right file.")
    whole = data.rfind(b"\n") + 1
    try:
        log = Log.from_lines(decode_text(data[:whole], ForeignError))
        _check_end(log, head, _head_of(path))
    except ForeignError as error:
        named = error.of_file(str(path))
        raise (named if head is None else EventError(str(named), f"{_RESTORE}.")) from error
    except EventError as error:
        raise error.of_file(str(path)) from error
    return log, whole


def _head_line(log: Log) -> bytes:
    return line_of({"entries": len(log.entries), "head": log.last_hash}).encode()


def _kept_head(path: Path) -> tuple[int, str] | None:
    """How many entries an event had when it was last written, and its last hash; None if unknown.

    Raises:
        EventError: what was kept is damaged.
    """
    file = _head_of(path)
    try:
        kept = json.loads(file.read_bytes())
        return int(kept["entries"]), str(kept["head"])
    except FileNotFoundError:
        return None  # of an event that was brought here by hand, or begun by an older version
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"{file} is damaged: whether the event is whole cannot be told"
        raise EventError(message, f"Look at its end, then delete {file} to go on.") from error


def _check_end(log: Log, head: tuple[int, str] | None, file: Path) -> None:
    """See that nothing is missing at the end of an event.

    Raises:
        EventError: entries are, or others stand there.
    """
    entries, digest = head or (0, hash_of_head(log.head))
    hashes = [hash_of_head(log.head), *(entry.hash for entry in log.entries)]
    if len(hashes) <= entries:
        there = len(log.entries)
        message = f"it ends with entry {there}, and had {entries}: the others were cut off"
    elif hashes[entries] != digest:
        message = f"its entry {entries} is another one than was kept"
    else:
        return
    raise EventError(message, f"{_RESTORE}; to go on with what is there delete {file}.")


def _from(path: Path, start: int) -> bytes:
    """The whole lines of a file from a byte on.

    Raises:
        EventError: it is shorter than that.
    """
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) < start:
            raise EventError(f"{path} is shorter than it was", "Look at the last export.")
        file.seek(start)
        data = file.read(LARGEST_FILE)
    return data[: data.rfind(b"\n") + 1]


def _whole_lines(path: Path) -> bytes:
    """What a file holds but for a last line that was cut off."""
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1]


def _path(name: str) -> Path:
    return data_folder() / f"{name}{_SUFFIX}"


def _head_of(path: Path) -> Path:
    return path.with_suffix(".head")


def _promises(name: str) -> Path:
    return data_folder() / f"{name}.promises"
