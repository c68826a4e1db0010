"""Starts that show the promised board in the tournament, once it is no secret any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from firmware_host.errors import complaint_of
from firmware_host.station.base import Base, Given
from firmware_host.station.directing import Start
from firmware_host.station.wire import Outcome
from firmware_host.tournaments import OpenEvent
from firmware_host.web.problems import Problem
from firmware_host.web.sessions import Session

LOOK_S = 1.0
"""Seconds between two looks whether a table has started."""

LOOKS = 10
"""Of them at most: the answers of trays come by then, or not at all."""

NONE_STARTED = "no table has started: the promised board is still secret"


class Desk(Protocol):
    """What a start needs of the office."""

    def base(self) -> Base:
        """The database of the station."""

    def continuing(self, session: Session) -> AbstractContextManager[OpenEvent]:
        """Continue the event."""

    @property
    def later(self) -> Callable[[float, Begun], None]:
        """Has something done after so many seconds, in a thread of its own."""


class Troubles:
    """What went wrong where nobody waits for an answer; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = ""

    @property
    def last(self) -> str:
        """The last one; empty where all went well since."""
        with self._lock:
            return self._last

    def tell(self, text: str) -> None:
        """There is another one; empty for none."""
        with self._lock:
            self._last = text


@dataclass(frozen=True)
class Begun:
    """A start that was ordered; called, it shows the promised board in the tournament.

    It is shown as soon as one table has turned its sand: before, it would be told to whoever has
    not. A desk that ends meanwhile leaves it for somebody to show.

    Attributes:
        desk: has the event and the station.
        session: who gave the start.
        start: that was given.
        since: when, by the clock of the orders.
        troubles: are told why it was not shown.
        looks: whether a table has started, that are left.
    """

    desk: Desk
    session: Session
    start: Start
    since: float
    troubles: Troubles
    looks: int = LOOKS

    def __call__(self) -> None:
        """Look whether a table has started, and show the board, or look again later."""
        try:
            self._show_or_wait()
        except Problem as problem:
            self.troubles.tell(problem.document.detail)
        except Exception as error:
            complaint = complaint_of(error)
            self.troubles.tell(complaint.message if complaint else type(error).__name__)
            if complaint is None:
                raise

    def _show_or_wait(self) -> None:
        if _has_begun(self.start, self.desk.base().given_since(self.since)):
            with self.desk.continuing(self.session) as event:
                self.start.show(event)
        elif self.looks:
            self.desk.later(LOOK_S, replace(self, looks=self.looks - 1))
        else:
            self.troubles.tell(NONE_STARTED)


def _has_begun(start: Start, orders: Iterable[Given]) -> bool:
    """Whether any tray has carried the start out."""
    ids = {order.id for _, order in start.orders if order.at is not None}
    return any(
        each.order.id in ids and each.answer is not None and each.answer.outcome is Outcome.DONE
        for each in orders
    )
