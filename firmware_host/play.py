"""Plays one round: the state machine in the middle, the tray on one side, people on the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from firmware_host.rounds import (
    ENDED,
    ButtonPressed,
    Effect,
    Event,
    Phase,
    Plan,
    Restarted,
    RoundState,
    Show,
    Step,
    Stop,
    step,
)
from firmware_host.tray import Tray

ENDS = ENDED | {Phase.FAULTED}


class Table(Protocol):
    """The people at the table: they see every step and do what the tray cannot."""

    def watch(self, state: RoundState, event: Event) -> None:
        """Show what ``event`` led to; called after every step."""

    def next_event(self, state: RoundState) -> Event:
        """What happens next where the tray waits for people or for time.

        In CONFIRMING a `CellConfirmed`, in IDLE, READY, PAUSED, LID_OPEN and BY_HAND a
        `ButtonPressed`, in RUNNING a `Tick` or a `WordWritten`, in COLLECTING a `WordWritten` or a
        `ListHandedIn`; or whatever else people may do in that phase.
        """

    def meanwhile(self, state: RoundState) -> Event | None:
        """What people did while the tray was busy, before that comes to its end; None for nothing.

        Called until it is nothing, before each answer of a device counts: a press during a shake
        is over with it, and yet gives the round up where it means that.
        """


class Recorder(Protocol):
    """Keeps the events of a round."""

    def record(self, event: Event) -> None:
        """Have an event on the disk before it counts.

        Raises:
            StorageError: it could not be kept; then it must not have happened.
        """


class Unrecorded:
    """Keeps nothing, for rounds that are kept elsewhere or not at all."""

    def record(self, event: Event) -> None:
        """As of `Recorder.record`."""

    def record_all(self, events: Sequence[Event]) -> None:
        """As of `firmware_host.owner.Book.record_all`."""


def play_round(
    plan: Plan,
    tray: Tray,
    table: Table,
    recorder: Recorder | None = None,
    begun: RoundState | None = None,
) -> RoundState:
    """Play one round to its end: a result, a fault, or given up.

    An error or an interruption on the way leaves the devices off, like the end of the round.

    Args:
        plan: what was agreed.
        tray: is shaken and read, and shows the time.
        table: plays.
        recorder: keeps every event that changes anything; None keeps nothing.
        begun: go on with this round, which was interrupted, instead of a new one.

    Raises:
        StorageError: an event could not be kept; the devices are off.
    """
    state = RoundState(plan) if begun is None else begun
    with tray.devices:
        first = _first(begun, tray.clock.monotonic())
        return _Sitting(tray, table, recorder or Unrecorded(), ENDS).play(state, first)


def lay_out(plan: Plan, tray: Tray, table: Table, *, at_once: bool = True) -> RoundState:
    """Shake and read until the board is known, READY, or to a fault, or until it is given up.

    The devices stay open, for the caller to close them after the last of several rounds.

    Args:
        plan: what was agreed.
        tray: is shaken and read.
        table: settles what is doubtful.
        at_once: the motor runs now; else when somebody presses.
    """
    sitting = _Sitting(tray, table, Unrecorded(), ENDS | {Phase.READY})
    if at_once:
        return sitting.play(RoundState(plan), [ButtonPressed(tray.clock.monotonic())])
    return sitting.play(RoundState(plan), perform(tray, (Show(("Press to shake",)),)))


def _first(begun: RoundState | None, at: float) -> list[Event]:
    """What a round begins with; who goes on with one that stands still by a fault clears it."""
    if begun is None:
        return [ButtonPressed(at)]
    return [Restarted(at), *([ButtonPressed(at)] if begun.phase is Phase.FAULTED else [])]


def entered(state: RoundState, event: Event, recorder: Recorder) -> Step:
    """Take one step, and have it on the disk before it counts.

    Raises:
        StorageError: it could not be kept; the round stands as before.
    """
    after, effects = step(state, event)
    if after != state:
        recorder.record(event)
    return after, effects


@dataclass(frozen=True)
class _Sitting:
    """Those who play a round, and the phases that end it."""

    tray: Tray
    table: Table
    recorder: Recorder
    ends: AbstractSet[Phase]

    def play(self, state: RoundState, first: Iterable[Event]) -> RoundState:
        pending = deque(first)
        while state.phase not in self.ends or pending:
            event = self._next(state, pending)
            state, effects = entered(state, event, self.recorder)
            self.table.watch(state, event)
            pending.extend(perform(self.tray, effects))
        return state

    def _next(self, state: RoundState, pending: deque[Event]) -> Event:
        if not pending:
            return self.table.next_event(state)
        return self.table.meanwhile(state) or pending.popleft()


def perform(tray: Tray, effects: Iterable[Effect]) -> Iterator[Event]:
    """Carry out effects in order; an answer ends them, as it changes what is to be done.

    Only after `Stop` the rest follows all the same: a fault is to be shown even where a lamp does
    not go out.
    """
    for effect in effects:
        answer = tray.perform(effect)
        if answer is not None:
            yield answer
            if not isinstance(effect, Stop):
                return
