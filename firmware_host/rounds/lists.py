"""Lists as they are written: lines with their ids, and what becomes of one that comes twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware_host.rounds.events import WordWritten
from scoring.wordlist import Entry, parse_word_list

MOST_LINES = 1000
"""Lines of a player in a round, those that were taken back among them."""


@dataclass(frozen=True)
class Line:
    """A line of a player's list.

    Attributes:
        text: as it was written.
        id: of the word; empty where it has none.
        at: when it was written, time of the clock.
        late: it came after the writing was over.
        erased: it was taken back.
    """

    text: str
    id: str = ""
    at: float = 0.0
    late: bool = False
    erased: bool = False


def with_word(lines: Sequence[Line], event: WordWritten, *, late: bool) -> tuple[Line, ...]:
    """A list with a word behind it; the same where its id came before, or the list is full."""
    known = event.id and any(line.id == event.id for line in lines)
    if known or not event.text.strip() or len(lines) >= MOST_LINES:
        return tuple(lines)
    at = event.at if event.written_at is None else min(event.at, event.written_at)
    return (*lines, Line(event.text, event.id, at, late))


def without_word(lines: Sequence[Line], id_: str) -> tuple[Line, ...]:
    """A list without the word of an id, which stays known: it may come once more."""
    return tuple(replace(line, erased=True) if line.id == id_ else line for line in lines)


def texts_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """The lines that stand."""
    return tuple(line.text for line in lines if not line.erased)


def entries_of(lines: Sequence[Line]) -> tuple[Entry, ...]:
    """The lines that stand, for the referee."""
    return parse_word_list("\n".join(texts_of(lines)))
