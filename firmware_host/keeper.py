"""Keeps the rounds of a service in the log, one after the other, and takes up the one it was at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from firmware_host.play import Unrecorded
from firmware_host.rounds import (
    Event,
    LexiconChosen,
    Phase,
    PlayerJoined,
    PlayerLeft,
    RoundState,
    TableAssigned,
)

if TYPE_CHECKING:
    from firmware_host.store.log import KeptRound, Log, Recorder, Setup

SHOWN_S = 12 * 3600.0
"""Seconds after the last event of a finished round in which a new start still shows its result: an
evening, and none of the day before."""


class Keeper:
    """The book of a service, as of `firmware_host.owner.Book`; a context manager.

    Args:
        log: open.
        setup: what every new round is begun with.

    Attributes:
        state: of the round at the start: the one that was interrupted or is just over, or none yet,
            with those who had joined.
        notice: what was done about such a one; empty where there was none.
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

    def begin(self, before: RoundState) -> None:
        """Keep a new round from now on; it may have been begun for those who joined.

        Raises:
            StorageError: it cannot be kept.
        """
        if not self._only_joined:
            self._begin(before)
        self._only_joined, self._coming = False, None

    def record(self, event: Event) -> None:
        """As of `firmware_host.play.Recorder.record`; joining begins a round where none is open."""
        if not self._open and isinstance(event, _SEATING):
            self._begin(self.state)
            self._only_joined = True
        self._recorder.record(event)
        if isinstance(event, TableAssigned):
            self._coming = event

    def record_all(self, events: Sequence[Event]) -> None:
        """As of `firmware_host.owner.Book.record_all`."""
        self._recorder.record_all(events)

    def _begin(self, before: RoundState) -> None:
        self._round.close()
        setup = replace(
            self._setup,
            seats=before.seats,
            chosen=before.next_lexicon,
            assigned=self._coming,
        )
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
        self._coming = before.state.coming
        self.state, self.number = self._following(before), latest
        agreed = _agreed(before.setup) == _agreed(self._setup)
        if number is None:
            return self._take_up_result(before) if agreed and self._is_shown(before) else ""
        if not agreed:
            return f"Round {number} was interrupted; it was begun with other options: it is left."
        kept = self._go_on(number)
        self._only_joined = all(isinstance(event, _SEATING) for _, event in kept.events)
        return f"Round {number} goes on where it was."

    def _take_up_result(self, over: KeptRound) -> str:
        """The result stays in sight, and open to the referee."""
        self._go_on(over.number)
        return f"Round {over.number} is over; its result is shown."

    def _is_shown(self, over: KeptRound) -> bool:
        last = over.events[-1][0].at if over.events else over.began.at
        recent = self._log.clock.monotonic() - last <= SHOWN_S
        return recent and over.state.phase is Phase.FINISHED

    def _go_on(self, number: int) -> KeptRound:
        kept, self._recorder = self._round.enter_context(self._log.go_on(number))
        self.state, self._open = kept.state, True
        return kept

    def _following(self, before: KeptRound) -> RoundState:
        """The round after one: its seats, what it counts for, and the word list that was chosen."""
        same = before.setup.lexicon == self._setup.lexicon
        chosen = before.state.next_lexicon if same else ""
        return RoundState(
            self._setup.plan,
            seats=before.state.seats,
            coming=before.state.coming,
            lexicon=chosen,
            next_lexicon=chosen,
        )


_SEATING = (PlayerJoined, PlayerLeft, TableAssigned, LexiconChosen)


def _agreed(setup: Setup) -> Setup:
    """What a round was begun with, but for what is made up anew each time."""
    return replace(setup, seed=None, pictures="", seats=(), chosen="", assigned=None)
