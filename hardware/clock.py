"""Time as the devices and the round see it: handed in, so that tests and demos need not wait."""

from __future__ import annotations

import time
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
