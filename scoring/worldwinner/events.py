"""What happens in a match, each with the time of a clock; and the same as JSON, to be stored."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from scoring.board import Board, Cell, Path
from scoring.match import RuleError


@dataclass(frozen=True)
class Deal:
    """The next round's tiles lie in the tray; nobody's clock runs yet."""

    at: float
    board: Board


@dataclass(frozen=True)
class Tick:
    """Time went on: whoever's clock has run out is done with the round."""

    at: float


@dataclass(frozen=True)
class Start:
    """A player sees the tiles, and the player's clock of this round starts."""

    at: float
    player: str
    round_number: int


@dataclass(frozen=True)
class Select:
    """A player taps a tile: the next letter; or, where it is the last selected, submits."""

    at: float
    player: str
    round_number: int
    cell: Cell


@dataclass(frozen=True)
class Deselect:
    """A player takes the last letter back, or all letters after ``cell``."""

    at: float
    player: str
    round_number: int
    cell: Cell | None = None


@dataclass(frozen=True)
class Clear:
    """A player takes the whole selection back."""

    at: float
    player: str
    round_number: int


@dataclass(frozen=True)
class Submit:
    """A player submits the selection."""

    at: float
    player: str
    round_number: int


@dataclass(frozen=True)
class PlayPath:
    """A player drags over tiles and lets go, which submits them."""

    at: float
    player: str
    round_number: int
    path: Path


@dataclass(frozen=True)
class PlayWord:
    """A player types a word, which is played along its best path."""

    at: float
    player: str
    round_number: int
    word: str


@dataclass(frozen=True)
class EndTurn:
    """A player gives up the rest of the round's time."""

    at: float
    player: str
    round_number: int


Move = Start | Select | Deselect | Clear | Submit | PlayPath | PlayWord | EndTurn
"""What one player does."""

Event = Deal | Tick | Move

_KINDS: Mapping[str, type[Event]] = MappingProxyType(
    {
        "deal": Deal,
        "tick": Tick,
        "start": Start,
        "select": Select,
        "deselect": Deselect,
        "clear": Clear,
        "submit": Submit,
        "play_path": PlayPath,
        "play_word": PlayWord,
        "end_turn": EndTurn,
    }
)
_NAMES: Mapping[type[Event], str] = MappingProxyType({kind: name for name, kind in _KINDS.items()})


def as_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object.

    Example:
        >>> as_json(Select(1.5, "ada", 2, (0, 3)))
        {'type': 'select', 'at': 1.5, 'player': 'ada', 'round_number': 2, 'cell': [0, 3]}
    """
    values = {field.name: _simple(getattr(event, field.name)) for field in fields(event)}
    return {"type": _NAMES[type(event)], **values}


def from_json(stored: Mapping[str, Any]) -> Event:
    """The event of a JSON object.

    Raises:
        RuleError: kind ``event``: it is none: of an unknown type, or a field lacks, is too many or
            is wrong.
    """
    values = dict(stored)
    kind = _KINDS.get(str(values.pop("type", None)))
    if kind is None:
        raise _no_event(f"{stored.get('type')!r} is no event; known are {', '.join(_KINDS)}")
    try:
        return kind(**{name: _READERS[name](value) for name, value in values.items()})
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _no_event(f"{dict(stored)} is no event: {error}") from error


def _no_event(message: str) -> RuleError:
    return RuleError("event", message, "Mend it.")


def _simple(value: object) -> object:
    match value:
        case Board():
            return str(value)
        case tuple():
            return [_simple(part) for part in value]
    return value


def _time(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is no time")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _cell(value: Sequence[int]) -> Cell:
    row, col = map(int, value)
    return row, col


_READERS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "at": _time,
        "player": _text,
        "round_number": int,
        "word": _text,
        "board": lambda value: Board.parse(_text(value)),
        "cell": lambda value: None if value is None else _cell(value),
        "path": lambda value: tuple(map(_cell, value)),
    }
)
