"""Where a tournament stands: players, rounds, tables, lists and scores; all frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

ROOM = 0
"""Number of a table where a board is that of all tables."""

_NONE: Mapping[Any, Any] = MappingProxyType({})


class Status(StrEnum):
    """Whether a player is drawn for the next round."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    SUSPENDED = "suspended"


@dataclass(frozen=True)
class Player:
    """Somebody who plays; the name is who it is in all events, wherever they sit.

    Attributes:
        name: unique in the event.
        division: one of the plan's.
        rating: strength as far as it is known; 0 where it is not.
        team: name of the team, or empty.
        shown: what is printed, where it is not the name.
        since: first round they were there for.
        status: whether they are drawn.
        byes: rounds for which they asked for a bye.
    """

    name: str
    division: str
    rating: int = 0
    team: str = ""
    shown: str = ""
    since: int = 1
    status: Status = Status.ACTIVE
    byes: frozenset[int] = frozenset()

    @property
    def printed(self) -> str:
        """The name for people."""
        return self.shown or self.name


@dataclass(frozen=True)
class Draw:
    """The tables of a division in a round.

    Attributes:
        division: whose.
        tables: the players of each table, in the order of their seats.
        byes: who has a bye.
        absent: who plays no table and gets nothing, such as somebody who is late.
        method: how it was drawn.
    """

    division: str
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    method: str = ""

    @property
    def players(self) -> tuple[str, ...]:
        """All who are named."""
        seated = tuple(player for table in self.tables for player in table)
        return (*seated, *self.byes, *self.absent)


@dataclass(frozen=True)
class Score:
    """What a player made of a board.

    Attributes:
        points: the sum of the list, less penalties.
        lengths: letters of the scoring words, longest first.
        entered: somebody gave the points: there is no list that proves them.
    """

    points: int
    lengths: tuple[int, ...] = ()
    entered: bool = False


@dataclass(frozen=True)
class Shown:
    """A board as it was laid open.

    Attributes:
        board: in the notation.
        salt: with which it was committed to; None where it was not.
        photo: SHA-256 of the picture that it was read from; None where there is none.
    """

    board: str
    salt: str | None = None
    photo: str | None = None


@dataclass(frozen=True)
class Call:
    """A word called into question on a board of a round.

    Attributes:
        board: number of the board.
        word: the word, in small letters.
        of: on whose list it stands.
        by: who challenged; None where the referee rejected it, whatever the word list says.
    """

    board: int
    word: str
    of: str
    by: str | None


@dataclass(frozen=True)
class Adjustment:
    """Points that the referee gives or takes.

    Attributes:
        player: whose.
        points: more or less.
        why: for what.
    """

    player: str
    points: int
    why: str


Place = tuple[int, int]
"""Number of a board and of a table; the table is `ROOM` where it is everybody's board."""


@dataclass(frozen=True)
class Round:
    """A round.

    Attributes:
        number: from 1.
        draws: by division.
        started: tables are not drawn again after that.
        commitments: published before a board was shown, by place.
        boards: that were shown, by place.
        lists: lines by player, by board and table.
        photos: SHA-256 of photographed lists by player, by board and table.
        scores: by player, by board and table.
        calls: words called into question.
        adjustments: points given and taken by the referee.
    """

    number: int
    draws: Mapping[str, Draw] = field(default_factory=lambda: _NONE)
    started: bool = False
    commitments: Mapping[Place, str] = field(default_factory=lambda: _NONE)
    boards: Mapping[Place, Shown] = field(default_factory=lambda: _NONE)
    lists: Mapping[Place, Mapping[str, tuple[str, ...]]] = field(default_factory=lambda: _NONE)
    photos: Mapping[Place, Mapping[str, str]] = field(default_factory=lambda: _NONE)
    scores: Mapping[Place, Mapping[str, Score]] = field(default_factory=lambda: _NONE)
    calls: tuple[Call, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()

    @cached_property
    def tables(self) -> Mapping[int, tuple[str, ...]]:
        """Players of each table by its number, from 1 through all divisions."""
        tables = (table for draw in self.draws.values() for table in draw.tables)
        return dict(enumerate(tables, 1))

    @cached_property
    def table_of(self) -> Mapping[str, int]:
        """Number of each player's table."""
        return {player: number for number, table in self.tables.items() for player in table}

    @cached_property
    def byes(self) -> frozenset[str]:
        """Who has a bye."""
        return frozenset(player for draw in self.draws.values() for player in draw.byes)

    def shown(self, board: int, table: int) -> Shown | None:
        """The board that a table plays; None where it was not shown."""
        return self.boards.get((board, table)) or self.boards.get((board, ROOM))

    def missing(self, boards: int) -> Iterator[Place]:
        """Board and table of every score that is not there yet."""
        for board in range(1, boards + 1):
            for table in self.tables:
                if (board, table) not in self.scores:
                    yield board, table

    def is_complete(self, boards: int) -> bool:
        """Whether it has started and every table has its scores."""
        return self.started and next(self.missing(boards), None) is None


@dataclass(frozen=True)
class State:
    """Where a tournament stands.

    Attributes:
        players: by name, in the order of enrolling.
        rounds: those that were drawn, in order.
    """

    players: Mapping[str, Player] = field(default_factory=lambda: _NONE)
    rounds: tuple[Round, ...] = ()

    def active(self, division: str) -> tuple[str, ...]:
        """Players of a division who are drawn for the next round."""
        return tuple(
            player.name
            for player in self.players.values()
            if player.division == division and player.status is Status.ACTIVE
        )


def with_item(items: Mapping[Key, Value], key: Key, value: Value) -> Mapping[Key, Value]:
    """A mapping with one more item, or another in its place."""
    return {**items, key: value}


def without(items: Mapping[Key, Value], *keys: Key) -> Mapping[Key, Value]:
    """A mapping without some of its items."""
    return {key: value for key, value in items.items() if key not in keys}
