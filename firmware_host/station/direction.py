"""What the desk wants of the tables, as orders: for all tables of a round, or for one. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from firmware_host.rounds import (
    Announced,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    Event,
    ExtraTime,
    TableAssigned,
)
from firmware_host.station.orders import BY, order, table_mark
from firmware_host.station.results import assignments
from firmware_host.station.wire import Order
from scoring.tournament.log import Log
from scoring.tournament.state import Round

ToTray = tuple[str, Order]
"""An order, and the name of the tray that it is for."""

VALID_S = 30.0
"""Seconds after which an order that has not arrived is not carried out any more."""


def tray_of(table: int) -> str:
    """The tray of a table is named by its number."""
    return str(table)


def is_table(tray: str) -> bool:
    """Whether a tray has the name of a table: 1 to 9999."""
    return bool(_TABLE.fullmatch(tray))


_TABLE = re.compile(r"[1-9]\d{0,3}", re.ASCII)


@dataclass(frozen=True)
class Direction:
    """Orders to tables of a round.

    Attributes:
        log: the tournament.
        played: the round.
        board: of the round.
        only: numbers of tables; empty is all of the round.
        now: the moment, by the clock of the station.
        mark: makes ids of orders unlike those of any other time.
    """

    log: Log
    played: Round
    board: int
    only: Collection[int]
    now: float
    mark: str

    def seat(self) -> list[ToTray]:
        """Who plays, and what it counts for."""
        seated = self._seated
        return [
            self._order(table, "seat", seated[table]) for table in self._tables if table in seated
        ]

    def prescribe(self, board: str, salt: str) -> list[ToTray]:
        """The same board for all, hidden until the start."""
        return self._all("board", BoardPrescribed(board, salt))

    def start(self, at: float) -> list[ToTray]:
        """Turn the sand at the same moment, where those sit who were drawn."""
        marks = {tray_of(table): table_mark(seated) for table, seated in self._seated.items()}
        made = self._all("start", ButtonPressed(at, BY))
        return [
            (tray, replace(each, at=at, until=at + VALID_S, table=marks[tray]))
            for tray, each in made
        ]

    def extra_time(self, seconds: float) -> list[ToTray]:
        """So many seconds more."""
        return self._all("time", ExtraTime(seconds, self.now, BY))

    def announce(self, text: str, until: float | None = None) -> list[ToTray]:
        """Something for all to read, perhaps with a moment that is counted down to."""
        return self._all("say", Announced(text, self.now, until))

    def cancel(self) -> list[ToTray]:
        """Give the rounds up."""
        return self._all("cancel", Cancelled(BY))

    @property
    def _seated(self) -> dict[int, TableAssigned]:
        return assignments(self.log, self.played.number, self.board, {})

    @property
    def _tables(self) -> list[int]:
        return sorted(self.only or self.played.tables)

    def _all(self, what: str, event: Event) -> list[ToTray]:
        return [self._order(table, what, event) for table in self._tables]

    def _order(self, table: int, what: str, event: Event) -> ToTray:
        id_ = f"{what}-{self.played.number}.{self.board}-{table}-{self.mark}"
        return tray_of(table), order(id_, event, self.now + VALID_S)
