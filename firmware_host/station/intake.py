"""What the station takes of a delivery: each entry once, in order, each whole. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.station.wire import Delivery, Mark
from firmware_host.store.chain import Entry


@dataclass(frozen=True)
class Taken:
    """What is new in a delivery.

    Attributes:
        entries: in order, each following the one before.
        head: the last entry that is there then.
        again: what comes after that was missing, or does not follow: it must be sent again.
    """

    entries: tuple[Entry, ...]
    head: Mark
    again: bool


def taken(head: Mark, delivery: Delivery) -> Taken:
    """Sort out a delivery.

    Args:
        head: the last entry of this tray that is there.
        delivery: entries that may have come before, or come too early.
    """
    new: list[Entry] = []
    for entry in delivery.entries:
        if entry.seq < head.seq or (entry.seq, entry.hash) == (head.seq, head.hash):
            continue
        if not entry.follows(head.hash, head.seq):
            return Taken(tuple(new), head, again=True)
        head = Mark(entry.seq, entry.hash)
        new.append(entry)
    return Taken(tuple(new), head, again=False)
