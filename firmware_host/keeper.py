"""Keeps the rounds of a service in the log, one after the other, and takes up the one it was at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from firmware_host.play import Unrecorded
from firmware_host.rounds import Event, PlayerJoined, PlayerLeft, RoundState, TableAssigned

if TYPE_CHECKING:
    from firmware_host.store.log import Log, Recorder, Setup


class Keeper:
    """The book of a service, as of `firmware_host.owner.Book`; a context manager.

    Args:
        log: open.
        setup: what every new round is begun with.

    Attributes:
        state: of the round at the start: the one that was interrupted, or none yet, with those who
            had joined.
        notice: what was done about an interrupted one; empty where there was none.
        number: of the round in the log; 0 before the first.
    """

    def __init__(self, log: Log, setup: Setup) -> None:
        self._log = log
        self._setup = setup
        self._round = ExitStack()
        self._recorder: Recorder | Unrecorded = Unrecorded()
        self._open = False
        self._only_joined = False
        self._coming: TableAssigned | None = None
        self.number = 0
        self.state = RoundState(setup.plan)
        self.notice = self._take_up(log.interrupted(setup.by), log.latest(setup.by))

    def begin(self, seats: tuple[PlayerJoined, ...]) -> None:
        """Keep a new round from now on; it may have been begun for those who joined.

        Raises:
            StorageError: it cannot be kept.
        """
        if not self._only_joined:
            self._begin(seats)
        self._only_joined, self._coming = False, None

    def record(self, event: Event) -> None:
        """As of `firmware_host.play.Recorder.record`; joining begins a round where none is open."""
        if not self._open and isinstance(event, _SEATING):
            self._begin(self.state.seats)
            self._only_joined = True
        self._recorder.record(event)
        if isinstance(event, TableAssigned):
            self._coming = event

    def record_all(self, events: Sequence[Event]) -> None:
        """As of `firmware_host.owner.Book.record_all`."""
        self._recorder.record_all(events)

    def _begin(self, seats: tuple[PlayerJoined, ...]) -> None:
        self._round.close()
        setup = replace(self._setup, seats=seats, assigned=self._coming)
        begun = self._round.enter_context(self._log.begin(setup))
        self._recorder, self.number, self._open = begun, begun.number, True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._round.close()

    def _take_up(self, number: int | None, latest: int | None) -> str:
        """Go on with a round, if it is one of those that are begun now."""
        if latest is None:
            return ""
        before = self._log.round(latest)
        seats, self._coming = before.state.seats, before.state.coming
        self.state, self.number = replace(self.state, seats=seats, coming=self._coming), latest
        if number is None:
            return ""
        if _agreed(before.setup) != _agreed(self._setup):
            return f"Round {number} was interrupted; it was begun with other options: it is left."
        kept, self._recorder = self._round.enter_context(self._log.go_on(number))
        self.state, self._open = kept.state, True
        self._only_joined = all(isinstance(event, _SEATING) for _, event in kept.events)
        return f"Round {number} goes on where it was."


_SEATING = (PlayerJoined, PlayerLeft, TableAssigned)


def _agreed(setup: Setup) -> Setup:
    """What a round was begun with, but for what is made up anew each time."""
    return replace(setup, seed=None, pictures="", seats=(), assigned=None)
