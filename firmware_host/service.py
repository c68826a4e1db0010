"""The service: the owner in a thread of its own, watched, fed with presses, stopped by a signal."""

from __future__ import annotations

import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware_host.owner import LONGEST_TURN_S, Owner, Standing
from firmware_host.systemd import Notifier
from hardware.clock import Clock
from hardware.devices import DeviceError

LOOK_S = 1.0
"""Seconds between two looks at the owner, unless the watchdog asks for more."""

LOOKS_A_WATCH = 4
"""Looks at the owner in the time that the watchdog allows."""

LEAVE_S = 5.0
"""Seconds that the owner is given to let go of its devices."""

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

Wait = Callable[[float], bool]
"""Waits for so many seconds, or until the service is to stop; tells whether it is."""


@contextmanager
def stop_signals() -> Iterator[Wait]:
    """Have the signals that end a service do nothing but end the wait.

    A handler of ours would run in the middle of anything, locks held; so it does nothing, and the
    bare number of the signal comes through a socket.
    """
    ours, pythons = socket.socketpair()
    with ours, pythons:
        pythons.settimeout(0)
        woken_before = signal.set_wakeup_fd(pythons.fileno(), warn_on_full_buffer=False)
        before = {number: signal.signal(number, _do_nothing) for number in SIGNALS}
        try:
            yield lambda seconds: bool(select.select([ours], [], [], seconds)[0])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(woken_before)


def _do_nothing(_number: int, _frame: object) -> None:
    """Handle a signal by nothing, which is yet not to ignore it."""


def look_s(notifier: Notifier) -> float:
    """Seconds between two looks at the owner."""
    return min(LOOK_S, (notifier.watchdog_s or LOOK_S * LOOKS_A_WATCH) / LOOKS_A_WATCH)


def run(
    owner: Owner,
    clock: Clock,
    notifier: Notifier,
    wait: Wait,
    *,
    begins_anew: Callable[[], bool] = lambda: False,
) -> None:
    """Run until `wait` says to stop; all outputs are off afterwards.

    Args:
        owner: not yet running.
        clock: the owner's.
        notifier: told that the service is ready, gets on, and stops.
        wait: as of `stop_signals`.
        begins_anew: whether the service begins anew in this process when it has ended.

    Raises:
        DeviceError: a device holds the owner even now.
        Exception: what ended the owner before it was told to stop.
    """
    thread = _Thread(owner)
    thread.start()
    try:
        owner.begun.result()
        notifier.ready(summary(owner.standing))
        _watch_over(owner, thread, clock, notifier, wait)
    finally:
        if begins_anew():
            notifier.restarting()
        else:
            notifier.stopping("letting go of the devices")
        owner.stop()
        thread.join(LEAVE_S)
    thread.check(owner.standing)


def summary(standing: Standing) -> str:
    """How the round stands, in one line."""
    state = standing.state
    if state.fault:
        return f"fault: {state.fault[0]}. {state.fault[1]}"
    if state.question:
        return f"{state.phase.value}: {', '.join(state.question.lines[:2])}"
    if state.to_play is not None:
        return f"{state.phase.value}: {state.to_play}"
    return f"{state.phase.value}{': no timer until the last chance' * state.unhurried}"


def _watch_over(
    owner: Owner, thread: _Thread, clock: Clock, notifier: Notifier, wait: Wait
) -> None:
    """Tell systemd that all is well as long as it is: only of an owner that got on meanwhile."""
    seen, told = -1, ""
    while thread.is_alive() and not wait(look_s(notifier)):
        beats, standing = owner.beats, owner.standing
        if beats != seen and not is_stuck(standing, clock.monotonic()):
            notifier.alive()
        if (now := summary(standing)) != told:
            notifier.status(now)
        seen, told = beats, now


def is_stuck(standing: Standing, now: float) -> bool:
    """Whether what the owner is at takes longer than anything may."""
    return bool(standing.doing) and now - standing.since > LONGEST_TURN_S


class _Thread(threading.Thread):
    """The owner's thread; what ended it is kept for whoever started it."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(name="owner", daemon=True)  # one that hangs must not keep the process
        self._own = owner
        self._error: Exception | None = None

    def run(self) -> None:
        """Be the owner."""
        try:
            self._own.run()
        except Exception as error:  # noqa: BLE001 - raised again in the thread that joins
            self._error = error

    def check(self, standing: Standing) -> None:
        """Raise what went wrong."""
        if self._error is not None:
            raise self._error
        if self.is_alive():
            raise DeviceError(
                "service",
                f"it was left at {standing.doing or 'its end'}, which does not answer",
                "Every output is driven off by: wordtray off. Then start it again.",
            )
