"""An event as a log that only grows, each entry chained to the one before by a hash.

The state is the fold of the entries. An entry ``{"type": "undo", "of": N, "why": …}`` takes entry N
back; the log keeps both. As text the log is a line of JSON a piece: the head, which holds the
setup, then the entries. The first hash is that of the head, so that a changed setup breaks the
chain too.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.encoding import TextError, canonical
from scoring.match import Event, RuleError, field, line_of
from scoring.tournament.fold import Tournament, check_noted
from scoring.tournament.plan import Plan
from scoring.tournament.state import State

VERSION = 1
"""Of the text form; a text of a later version is refused."""

MARK = "tournament"
UNDO = "undo"


class EventError(TextError):
    """A text is no tournament, is damaged, or cannot be replayed."""


class ForeignError(EventError):
    """A text is no tournament at all."""


@dataclass(frozen=True)
class Entry:
    """An event as it is kept.

    Attributes:
        seq: its number, from 1 without gaps.
        at: when it was recorded, in seconds since 1970.
        event: what happened.
        hash: SHA-256 of the hash before and all this, 64 hexadecimal digits.
    """

    seq: int
    at: float
    event: Event
    hash: str

    @property
    def document(self) -> dict[str, Any]:
        """As it is stored."""
        return {"seq": self.seq, "at": self.at, "event": dict(self.event), "hash": self.hash}


@dataclass(frozen=True)
class Log:
    """A tournament; made by `new` or `from_lines`, continued by `play`.

    Attributes:
        rules: the rules, set up.
        entries: every entry that was ever made.
        state: the fold of those that count.
    """

    rules: Tournament
    entries: tuple[Entry, ...]
    state: State

    @classmethod
    def new(cls, plan: Plan) -> Log:
        """A tournament in which nothing has happened."""
        rules = Tournament(plan)
        return cls(rules, (), rules.start())

    @property
    def plan(self) -> Plan:
        """What was agreed on."""
        return self.rules.plan

    @property
    def head(self) -> dict[str, Any]:
        """The first line of the text form."""
        return {"wordtray": MARK, "version": VERSION, "setup": self.plan.setup}

    @property
    def last_hash(self) -> str:
        """Hash of the last entry, which stands for all of the log: what is published."""
        return self.entries[-1].hash if self.entries else hash_of_head(self.head)

    @property
    def last_moment(self) -> float:
        """When the last thing happened; 0 where nothing has."""
        return self.entries[-1].at if self.entries else 0.0

    def play(self, at: float, *events: Event) -> Log:
        """The log after some events, all or none.

        Args:
            at: the moment, in seconds; taken as that of the last entry where it lies before.
            events: fit for JSON.

        Raises:
            RuleError: one breaks a rule.
        """
        moment, entries = max(at, self.last_moment), list(self.entries)
        state, previous = self.state, self.last_hash
        for event in events:
            kept = json.loads(canonical(event))
            entry = linked(previous, len(entries) + 1, moment, kept)
            entries.append(entry)
            state, previous = self._after(state, entries), entry.hash
        return Log(self.rules, tuple(entries), state)

    def _after(self, state: State, entries: Sequence[Entry]) -> State:
        event = entries[-1].event
        return refolded(self.rules, entries) if is_undo(event) else self.rules.apply(state, event)

    def to_lines(self) -> str:
        """The text form."""
        return "".join(map(line_of, (self.head, *(entry.document for entry in self.entries))))

    @classmethod
    def from_lines(cls, text: str) -> Log:
        """Replay the text form.

        Raises:
            EventError: it is none, of a later version, damaged, or an entry breaks a rule.
        """
        head, *lines = text.splitlines() or [""]
        log = cls.new(plan_of(_parsed(head, 1)))
        entries = [entry_of(_parsed(line, number)) for number, line in enumerate(lines, 2)]
        broken = next(broken_links(log.last_hash, entries), None)
        if broken is not None:
            raise _damaged(broken + 1)
        try:
            state = folded(log.rules, entries)
        except RuleError as error:
            message = f"the event cannot be replayed: {error}"
            raise EventError(message, "It is damaged; take it from its export.") from error
        return cls(log.rules, tuple(entries), state)

    def followed(self, text: str) -> Log:
        """The log with more of its text form behind it: entries that somebody else has made.

        Raises:
            EventError: they do not follow, are damaged, or one breaks a rule.
        """
        before = len(self.entries)
        more = [entry_of(_parsed(line, before + 2)) for line in text.splitlines()]
        if next(broken_links(self.last_hash, more, before + 1), None) is not None:
            raise _damaged(before + 2)
        state, entries = self.state, list(self.entries)
        try:
            for entry in more:
                entries.append(entry)
                state = self._after(state, entries)
        except RuleError as error:
            raise _damaged(before + 2) from error
        return Log(self.rules, tuple(entries), state)


def linked(previous: str, seq: int, at: float, event: Event) -> Entry:
    """The entry that comes after that of a hash."""
    parts = [previous, seq, at, event]
    return Entry(seq, at, event, hashlib.sha256(canonical(parts).encode()).hexdigest())


def hash_of_head(head: Event) -> str:
    """What stands for the hash before the first entry."""
    return hashlib.sha256(canonical(head).encode()).hexdigest()


def broken_links(previous: str, entries: Iterable[Entry], first: int = 1) -> Iterator[int]:
    """Numbers of entries that do not follow the one before, or are not whole.

    Args:
        previous: hash of what comes before them.
        entries: in order.
        first: number of the first.
    """
    for number, entry in enumerate(entries, first):
        if entry != linked(previous, number, entry.at, entry.event):
            yield number
        previous = entry.hash


def is_undo(event: Event) -> bool:
    """Whether it takes an entry back."""
    return event.get("type") == UNDO


def taken_back(entries: Iterable[Entry]) -> frozenset[int]:
    """Numbers of the entries that were taken back."""
    return frozenset(entry.event["of"] for entry in entries if is_undo(entry.event))


def folded(rules: Tournament, entries: Sequence[Entry]) -> State:
    """The state after all entries, each checked when it was made.

    Raises:
        RuleError: an entry breaks a rule.
    """
    state = rules.start()
    for number, entry in enumerate(entries, 1):
        if is_undo(entry.event):
            state = refolded(rules, entries[:number])
        else:
            state = rules.apply(state, entry.event)
    return state


def refolded(rules: Tournament, entries: Sequence[Entry]) -> State:
    """The state after entries of which the last takes another back.

    Raises:
        RuleError: kind ``undo``: there is no such entry, or what came after needs it.
    """
    *earlier, last = entries
    check_noted(last.event)
    number = field(last.event, "of", int)
    if not str(last.event.get("why") or "").strip():
        raise RuleError("no_reason", "no reason is given", "Say why: it is kept and shown.")
    gone = taken_back(earlier)
    if not 1 <= number <= len(earlier) or number in gone or is_undo(earlier[number - 1].event):
        message = f"there is no entry {number} to be taken back"
        raise RuleError("undo", message, "Look at the log for its number.")
    state = rules.start()
    for entry in earlier:
        if entry.seq != number and entry.seq not in gone and not is_undo(entry.event):
            state = _reapplied(rules, state, entry, number)
    return state


def _reapplied(rules: Tournament, state: State, entry: Entry, gone: int) -> State:
    try:
        return rules.apply(state, entry.event)
    except RuleError as error:
        message = f"entry {entry.seq} needs entry {gone}: {error}"
        raise RuleError("undo", message, f"Take entry {entry.seq} back first.") from error


def plan_of(head: Any) -> Plan:  # noqa: ANN401 - JSON
    """The plan of a head.

    Raises:
        EventError: it is none, or of a later version.
    """
    if not isinstance(head, dict) or head.get("wordtray") != MARK:
        raise _foreign()
    if type(head.get("version")) is not int or head["version"] != VERSION:
        message = f"the event was stored in version {head.get('version')!r}; {VERSION} is known"
        raise EventError(message, "Use the wordtray that stored it, or a later one.")
    try:
        return Plan.from_setup(field(head, "setup", dict))
    except RuleError as error:
        raise EventError(f"the setup of the event is damaged: {error}", error.advice) from error


def entry_of(piece: Any) -> Entry:  # noqa: ANN401 - JSON
    """An entry as it was stored; whether it is whole `broken_links` says.

    Raises:
        EventError: it is none.
    """
    try:
        seq, at, event, digest = (piece[key] for key in ("seq", "at", "event", "hash"))
    except (KeyError, TypeError) as error:
        raise EventError("an entry of the event lacks a part", "Export it again.") from error
    whole = type(seq) is int and type(at) in {int, float} and isinstance(digest, str)
    if not whole or not isinstance(event, dict) or not math.isfinite(at):
        raise EventError("a part of an entry is of another type", "Export it again.")
    return Entry(seq, at, event, digest)


def _parsed(line: str, number: int) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise (_foreign() if number == 1 else _damaged(number)) from error


def _foreign() -> ForeignError:
    message = "this is no tournament that wordtray stored"
    return ForeignError(message, "Look whether it is the right file.")


def _damaged(number: int) -> EventError:
    message = f"line {number} of the event is damaged, or was changed"
    return EventError(message, "What stands above it is whole; look at the last export.")
