"""Plays one round: the state machine in the middle, the tray on one side, people on the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Protocol

from firmware_host.rounds import (
    ButtonPressed,
    DeviceFailed,
    Effect,
    Event,
    Phase,
    Plan,
    RoundState,
    step,
)
from firmware_host.tray import Tray

ENDS = frozenset({Phase.FINISHED, Phase.FAULTED})


class Table(Protocol):
    """The people at the table: they see every step and do what the tray cannot."""

    def watch(self, state: RoundState, event: Event) -> None:
        """Show what ``event`` led to; called after every step."""

    def next_event(self, state: RoundState) -> Event:
        """What happens next where the tray waits for people or for time.

        In CONFIRMING a `CellConfirmed`, in READY a `ButtonPressed`, in RUNNING a `Tick`, in
        COLLECTING a `ListHandedIn`.
        """


def play_round(plan: Plan, tray: Tray, table: Table) -> RoundState:
    """Play one round to its end, a result or a fault.

    An error or an interruption on the way leaves the devices off, like the end of the round.
    """
    with tray.devices:
        return _play_until(ENDS, plan, tray, table)


def lay_out(plan: Plan, tray: Tray, table: Table) -> RoundState:
    """Shake and read until the board is known, READY, or to a fault.

    The devices stay open, for the caller to close them after the last of several rounds.
    """
    return _play_until(frozenset({Phase.READY, Phase.FAULTED}), plan, tray, table)


def _play_until(ends: AbstractSet[Phase], plan: Plan, tray: Tray, table: Table) -> RoundState:
    state = RoundState(plan)
    pending: deque[Event] = deque([ButtonPressed(tray.clock.monotonic())])
    while state.phase not in ends:
        event = pending.popleft() if pending else table.next_event(state)
        state, effects = step(state, event)
        table.watch(state, event)
        pending.extend(_perform(tray, effects))
    return state


def _perform(tray: Tray, effects: Iterable[Effect]) -> Iterator[Event]:
    for effect in effects:
        answer = tray.perform(effect)
        if answer is not None:
            yield answer
        if isinstance(answer, DeviceFailed):
            return  # what was to follow would run on a broken machine
