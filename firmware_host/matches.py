"""Matches under a name, kept in the user's data folder as logs that only grow.

A match is one file in the text form of `scoring.match`. Every entry is appended and on the disk
before it counts. Whoever writes has the folder locked, so that two processes cannot continue the
same match at once; a sitting of some minutes has the one file locked instead, and who comes second
is refused. A last line without its end was cut off by a pulled plug: it never counted, and the next
entry takes its place.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Generic, TypeVar

from firmware_host.errors import wrong_use
from firmware_host.files import append_whole, locked, read_bounded, write_whole, xdg_folder
from scoring.encoding import TextError, decode_text
from scoring.match import UNDO, Event, Match, MatchError, Opener, line_of

State = TypeVar("State")

LARGEST_FILE = 16 << 20
"""Bytes at most: no match is near it."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SUFFIX = ".match"


def data_folder() -> Path:
    """Where matches are kept: ``wordtray/matches`` in the user's data folder."""
    return xdg_folder("XDG_DATA_HOME", ".local/share") / "matches"


def names(rules: str) -> tuple[str, ...]:
    """Names of all matches of a game, sorted; those whose file is damaged are among them."""
    found = sorted(data_folder().glob(f"*{_SUFFIX}"))
    return tuple(
        path.stem
        for path in found
        if _NAME.fullmatch(path.stem) and path.is_file() and _named_rules(path) in (None, rules)
    )


def create(name: str, match: Match[State]) -> None:
    """Keep a new match.

    Raises:
        CommandError: its name is none, or taken, or it is larger than a match can be.
        OSError: the disk is full, or one may not write there.
    """
    if not _NAME.fullmatch(name):
        raise wrong_use(
            "match_name",
            f"{name!r} is no name for a match",
            "Give 1 to 40 of a-z, 0-9, - and _, the first a letter or digit.",
        )
    with locked(data_folder()):
        if _path(name).exists():
            raise wrong_use("match_exists", f"there is a match {name} already", "Give another one.")
        data = match.to_lines().encode()
        _check_size(len(data))
        write_whole(_path(name), (data,))


def load(name: str, open_rules: Opener[State]) -> Match[State]:
    """The match of this name, replayed.

    Raises:
        CommandError: there is none.
        MatchError: its file is damaged, or no match.
        OSError: it cannot be read.
    """
    return _replayed(_existing(name), open_rules)[0]


def read_exported(file: Path, open_rules: Opener[State]) -> Match[State]:
    """The match of a file that an ``export`` wrote, replayed.

    Raises:
        MatchError: the file cannot be read, is larger than any match, or is none.
    """
    try:
        return Match.from_document(json.loads(_read(file)), open_rules)
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise MatchError(message, "Check its name and your rights.") from error
    except MatchError as error:
        raise error.of_file(str(file)) from error
    except TextError:  # of the word list
        raise
    except (ValueError, RecursionError) as error:
        raise MatchError(f"{file} is no JSON: {error}", "Give what export wrote.") from error


class UnkeptMatch(Generic[State]):
    """A match that is played like an `OpenMatch` and kept nowhere.

    Attributes:
        match: as it stands.
    """

    def __init__(self, match: Match[State]) -> None:
        self.match = match

    def play(self, *events: Event) -> None:
        """As of `OpenMatch.play`."""
        self.match = reduce(Match.play, events, self.match)


class OpenMatch(Generic[State]):
    """A match that is being continued; made by `opened`.

    Attributes:
        match: as it stands.
    """

    def __init__(self, path: Path, match: Match[State], whole: int) -> None:
        self._path = path
        self._whole = whole
        self.match = match

    def play(self, *events: Event) -> None:
        """Play events and have them on the disk, all or none.

        Raises:
            RuleError: one breaks a rule; nothing was changed.
            CommandError: the match would grow larger than it can be; nothing was changed.
            OSError: they could not be written; nothing was changed.
        """
        self._keep(events, reduce(Match.play, events, self.match))

    def undo(self) -> None:
        """Take the last event back.

        Raises:
            RuleError, OSError: as `play`.
        """
        self._keep((UNDO,), self.match.undo())

    def _keep(self, entries: Sequence[Event], after: Match[State]) -> None:
        lines = "".join(map(line_of, entries))
        self._whole = _append(self._path, self._whole, lines.encode())
        self.match = after


@contextmanager
def opened(name: str, open_rules: Opener[State]) -> Iterator[OpenMatch[State]]:
    """Continue a match; no other process can until this one has finished.

    Raises:
        CommandError, MatchError, OSError: as `load`.
    """
    path = _existing(name)
    with locked(data_folder()):
        yield OpenMatch(path, *_replayed(path, open_rules))


@contextmanager
def held(name: str, open_rules: Opener[State]) -> Iterator[OpenMatch[State]]:
    """Continue a match for as long as a sitting takes, and let others write other matches.

    Raises:
        CommandError: there is none, or another process holds it.
        MatchError, OSError: as `load`.
    """
    path = _existing(name)
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"the match {name} is being played elsewhere"
            raise wrong_use("match_in_play", message, "Finish it there, or wait.") from None
        yield OpenMatch(path, *_replayed(path, open_rules))


def stamp(name: str) -> tuple[int, int]:
    """What changes whenever something is entered in a match: time of its file, and size.

    Raises:
        CommandError: there is no such match.
        OSError: it cannot be looked at.
    """
    facts = _existing(name).stat()
    return facts.st_mtime_ns, facts.st_size


def last_moment(match: Match[State]) -> float:
    """When the last thing happened, in seconds; 0 where nothing has."""
    return float(match.events[-1]["at"]) if match.events else 0.0


def moment_of(match: Match[State], now: float) -> float:
    """Now, but never before the last thing that happened: a clock may have been set back."""
    return max(now, last_moment(match))


def exists(name: str) -> bool:
    """Whether a match of this name is kept."""
    return bool(_NAME.fullmatch(name)) and _path(name).is_file()


def _existing(name: str) -> Path:
    if exists(name):
        return _path(name)
    raise wrong_use(
        "unknown_match",
        f"there is no match {name!r}",
        "Begin it, or look at the list of matches.",
    )


def _named_rules(path: Path) -> str | None:
    """The rules that the head of a file names, or None where it is damaged."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(LARGEST_FILE))
    except (OSError, ValueError, RecursionError):
        return None
    return str(head.get("rules")) if isinstance(head, dict) else None


def _replayed(path: Path, open_rules: Opener[State]) -> tuple[Match[State], int]:
    """The match of a file, and how many bytes of the file are whole lines."""
    try:
        data = _read(path)
        whole = data.rfind(b"\n") + 1
        return Match.from_lines(decode_text(data[:whole], MatchError), open_rules), whole
    except MatchError as error:
        raise error.of_file(str(path)) from error


def _read(path: Path) -> bytes:
    data = read_bounded(path, LARGEST_FILE)
    if data is None:
        raise MatchError("this is larger than any match", "Look whether it is the right file.")
    return data


def _append(path: Path, whole: int, lines: bytes) -> int:
    """Write lines behind the whole ones, all or nothing; gives how many bytes are whole then."""
    _check_size(whole + len(lines))
    return append_whole(path, whole, lines)


def _check_size(size: int) -> None:
    """A larger file could not be read again."""
    if size > LARGEST_FILE:
        raise wrong_use(
            "match_full",
            f"the match would grow to more than {LARGEST_FILE >> 20} MB",
            "Give shorter lists, or begin another match.",
        )


def _path(name: str) -> Path:
    return data_folder() / f"{name}{_SUFFIX}"
