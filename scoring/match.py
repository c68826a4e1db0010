"""A match as an event log: rules by name, how they were set up, and what happened since.

The state is the fold of the events, so a match that is stored, loaded and replayed is the same
match. The rules of a game are a `Rules`; nothing here knows any of them.

As text a match is a line of JSON a piece: first the head, which names the rules and holds the
setup, then an entry a line, in the order in which they were made. An entry is an event or the mark
`UNDO`, which takes the last event back; the log keeps both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from scoring.encoding import TextError

State = TypeVar("State")

Event = Mapping[str, Any]
"""What happened, fit for JSON; ``"type"`` says what, the rules say what else belongs to it."""

Setup = Mapping[str, Any]
"""How a match was set up, fit for JSON."""

UNDO: Event = {"type": "undo"}
"""The entry that takes the last event back."""

VERSION = 1
"""Of the text form; a text of a later version is refused."""

_MARK = "match"


class RuleError(ValueError):
    """An event breaks a rule of the game, and nothing was changed.

    Args:
        kind: a stable word for programs, one a rule.
        message: the rule, and how it was broken.
        advice: what to do.
    """

    def __init__(self, kind: str, message: str, advice: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.advice = advice


class MatchError(TextError):
    """A text is no match, is damaged, or cannot be replayed."""


class Rules(Protocol[State]):
    """The rules of a game, set up for a match; pure."""

    @property
    def name(self) -> str:
        """What the text form calls the rules: ``"swoggle"``."""

    @property
    def setup(self) -> Setup:
        """What the rules were set up with: enough to set them up again."""

    def start(self) -> State:
        """The state before anything has happened."""

    def apply(self, state: State, event: Event) -> State:
        """The state after an event.

        Raises:
            RuleError: the event breaks a rule, or is none of this game.
        """


Opener = Callable[[str, Setup], Rules[State]]
"""Sets up rules by their name; raises `MatchError` where it cannot."""


@dataclass(frozen=True)
class Match(Generic[State]):
    """A match; made by `new` or `from_lines`, continued by `play` and `undo`.

    Attributes:
        rules: the rules, set up.
        log: every entry that was ever made, `UNDO` included.
        events: the events that count.
        states: the state before the first event, and after each.
    """

    rules: Rules[State]
    log: tuple[Event, ...]
    events: tuple[Event, ...]
    states: tuple[State, ...]

    @classmethod
    def new(cls, rules: Rules[State]) -> Match[State]:
        """A match in which nothing has happened."""
        return cls(rules, (), (), (rules.start(),))

    @property
    def state(self) -> State:
        """Where the match stands."""
        return self.states[-1]

    def play(self, event: Event) -> Match[State]:
        """The match after an event.

        Raises:
            RuleError: the event breaks a rule; the match is as before.
        """
        state = self.rules.apply(self.state, event)
        log, events = (*self.log, event), (*self.events, event)
        return Match(self.rules, log, events, (*self.states, state))

    def undo(self) -> Match[State]:
        """The match without its last event.

        Raises:
            RuleError: there is none.
        """
        if not self.events:
            raise RuleError("undo", "nothing has happened that could be taken back", "Go on.")
        return Match(self.rules, (*self.log, UNDO), self.events[:-1], self.states[:-1])

    def after(self, events: int) -> Match[State]:
        """The match as it stood after the first so many of its events."""
        first = self.events[:events]
        return Match(self.rules, first, first, self.states[: events + 1])

    def enter(self, entry: Event) -> Match[State]:
        """The match after an entry of a log: an event, or `UNDO`.

        Raises:
            RuleError: as `play` and `undo`.
        """
        return self.undo() if entry == UNDO else self.play(entry)

    def head(self) -> dict[str, Any]:
        """The head of the text form."""
        return {
            "wordtray": _MARK,
            "version": VERSION,
            "rules": self.rules.name,
            "setup": dict(self.rules.setup),
        }

    def document(self) -> dict[str, Any]:
        """The whole match as one document; `from_document` reads it."""
        return self.head() | {"log": [dict(entry) for entry in self.log]}

    def to_lines(self) -> str:
        """The text form."""
        return "".join(map(line_of, (self.head(), *self.log)))

    @classmethod
    def from_lines(cls, text: str, open_rules: Opener[State]) -> Match[State]:
        """Replay the text form.

        Raises:
            MatchError: it is none, of a later version, damaged, or an entry breaks a rule.
        """
        head, *entries = text.splitlines() or [""]
        return cls._replay(_parsed(head, 1), map(_parsed, entries, count(2)), open_rules)

    @classmethod
    def from_document(cls, document: Any, open_rules: Opener[State]) -> Match[State]:  # noqa: ANN401 - JSON
        """Replay a document.

        Raises:
            MatchError: as `from_lines`.
        """
        if not isinstance(document, dict) or not isinstance(document.get("log"), list):
            raise _foreign()
        for number, entry in enumerate(document["log"], 1):
            if not isinstance(entry, dict):
                raise MatchError(f"entry {number} of the match is damaged", "Export it again.")
        return cls._replay(document, document["log"], open_rules)

    @classmethod
    def _replay(
        cls, head: Event, entries: Iterable[Event], open_rules: Opener[State]
    ) -> Match[State]:
        match = cls.new(open_rules(*_checked(head)))
        for number, entry in enumerate(entries, 1):
            try:
                match = match.enter(entry)
            except RuleError as error:
                raise MatchError(
                    f"entry {number} of the match cannot be replayed: {error}",
                    "The match is damaged, or its word list has changed since.",
                ) from error
        return match


def line_of(piece: Event) -> str:
    """A line of the text form, its end included; in ASCII, so that nothing in it ends a line."""
    return json.dumps(piece, separators=(",", ":")) + "\n"


def field(event: Event, name: str, kind: type[State]) -> State:
    """A field of an event, or of a setup.

    Raises:
        RuleError: it is not there, or of another type.
    """
    value = event.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RuleError(
            "event", f"the {name!r} of the event is {value!r}, no {kind.__name__}", "Mend it."
        )
    return value


def moment(event: Event) -> float:
    """The field ``at`` of an event, in seconds.

    Raises:
        RuleError: it is not there, or no number of seconds.
    """
    at = field(event, "at", float)
    if not math.isfinite(at):
        raise RuleError("event", f"{at} is no moment", "Mend it.")
    return at


def _parsed(line: str, number: int) -> Event:
    try:
        piece = json.loads(line)
    except (ValueError, RecursionError) as error:
        if number == 1:
            raise _foreign() from error
        raise _damaged(number) from error
    if not isinstance(piece, dict):
        raise _foreign() if number == 1 else _damaged(number)
    return piece


def _checked(head: Event) -> tuple[str, Setup]:
    name, setup, version = (head.get(key) for key in ("rules", "setup", "version"))
    if head.get("wordtray") != _MARK or not isinstance(name, str) or not isinstance(setup, dict):
        raise _foreign()
    if isinstance(version, bool) or version != VERSION:
        raise MatchError(
            f"the match was stored in version {version!r}, and {VERSION} is the one known here",
            "Use the wordtray that stored it, or a later one.",
        )
    return name, setup


def _foreign() -> MatchError:
    return MatchError("this is no match that wordtray stored", "Look whether it is the right file.")


def _damaged(number: int) -> MatchError:
    return MatchError(
        f"line {number} of the match is damaged",
        "Cut the file before that line: what stands above it is whole.",
    )
