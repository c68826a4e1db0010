"""Time as the devices and the round see it: handed in, so that tests and demos need not wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Return when so many seconds have passed; at once for 0 or less."""


class SystemClock:
    """The clock of the machine."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


class WallClock:
    """The time of day in seconds since 1970: it goes on while the machine is off, but never back.

    Only the start is read from the time of day: one that is set meanwhile changes nothing.

    Args:
        not_before: where the machine's time is earlier than this, it starts here.
        time_of_day: seconds since 1970.
    """

    def __init__(
        self, not_before: float = 0.0, time_of_day: Callable[[], float] = time.time
    ) -> None:
        self._ahead = max(time_of_day(), not_before) - time.monotonic()

    def monotonic(self) -> float:
        """Seconds since 1970."""
        return time.monotonic() + self._ahead

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


class ManualClock:
    """A clock that stands still until somebody sleeps on it; the sleeper does not wait.

    Example:
        >>> clock = ManualClock()
        >>> clock.sleep(180)
        >>> clock.monotonic()
        180.0
    """

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def monotonic(self) -> float:
        """Seconds slept so far, on top of the start."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move the time on, without waiting."""
        self._now += max(0.0, seconds)
