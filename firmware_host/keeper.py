"""Keeps the rounds of a service in the log, one after the other, and takes up the one it was at."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from firmware_host.play import Recorder, Unrecorded
from firmware_host.rounds import Event, RoundState

if TYPE_CHECKING:
    from firmware_host.store.log import Log, Setup


class Keeper:
    """The book of a service, as of `firmware_host.owner.Book`; a context manager.

    Args:
        log: open.
        setup: what every new round is begun with.

    Attributes:
        state: of the round at the start: the one that was interrupted, or none yet.
        notice: what was done about an interrupted one; empty where there was none.
    """

    def __init__(self, log: Log, setup: Setup) -> None:
        self._log = log
        self._setup = setup
        self._round = ExitStack()
        self._recorder: Recorder = Unrecorded()
        self.state = RoundState(setup.plan)
        self.notice = self._take_up(log.interrupted(setup.by))

    def begin(self) -> None:
        """Keep a new round from now on.

        Raises:
            StorageError: it cannot be kept.
        """
        self._round.close()
        self._recorder = self._round.enter_context(self._log.begin(self._setup))

    def record(self, event: Event) -> None:
        """As of `firmware_host.play.Recorder.record`."""
        self._recorder.record(event)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._round.close()

    def _take_up(self, number: int | None) -> str:
        """Go on with a round, if it is one of those that are begun now."""
        if number is None:
            return ""
        if _agreed(self._log.round(number).setup) != _agreed(self._setup):
            return f"Round {number} was interrupted; it was begun with other options: it is left."
        kept, self._recorder = self._round.enter_context(self._log.go_on(number))
        self.state = kept.state
        return f"Round {number} goes on where it was."


def _agreed(setup: Setup) -> Setup:
    """What a round was begun with, but for what is made up anew each time."""
    return replace(setup, seed=None, pictures="")
