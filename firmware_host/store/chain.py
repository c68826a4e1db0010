"""Entries of the log, each with a hash of itself and of the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scoring.encoding import canonical

FIRST = "0" * 64
"""What stands for the hash before the first entry."""


@dataclass(frozen=True)
class Moment:
    """When something happened.

    Attributes:
        at: seconds since 1970, as the machine had it.
        boot: which start of the machine it was; empty where that is unknown.
        uptime: seconds since then: exact, whatever the time of day is set to.
    """

    at: float
    boot: str
    uptime: float


@dataclass(frozen=True)
class Entry:
    """One event as it is kept.

    Attributes:
        seq: its number in the log, from 1 without gaps.
        round: number of its round, from 1.
        kind: what it is.
        moment: when it was recorded.
        data: canonical JSON.
        hash: SHA-256 of all this and of the hash before, 64 hexadecimal digits.
    """

    seq: int
    round: int
    kind: str
    moment: Moment
    data: str
    hash: str

    def follows(self, previous: str, seq: int) -> bool:
        """Whether it is whole, and comes right after the entry of this hash and number."""
        try:
            return self.seq == seq + 1 and self.hash == self.digest(previous)
        except (TypeError, ValueError):  # a damaged row may hold anything
            return False

    def digest(self, previous: str) -> str:
        """SHA-256 of the canonical JSON of the hash before and all but the own, in this order."""
        moment = self.moment
        when = [moment.at, moment.boot, moment.uptime]
        parts = [previous, self.seq, self.round, self.kind, *when, self.data]
        return hashlib.sha256(canonical(parts).encode()).hexdigest()


def linked(previous: Entry | None, number: int, kind: str, moment: Moment, data: str) -> Entry:
    """The entry that comes after another; None is the beginning of the log."""
    seq, before = (0, FIRST) if previous is None else (previous.seq, previous.hash)
    entry = Entry(seq + 1, number, kind, moment, data, "")
    return replace(entry, hash=entry.digest(before))


def whole(entries: Iterable[Entry], previous: Entry | None = None) -> Iterator[Entry]:
    """Entries as long as each follows the one before; ends at the first that does not."""
    seq, before = (0, FIRST) if previous is None else (previous.seq, previous.hash)
    for entry in entries:
        if not entry.follows(before, seq):
            return
        yield entry
        seq, before = entry.seq, entry.hash
