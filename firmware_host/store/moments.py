"""When things happen: a clock that goes on over crashes, pulled plugs and clocks that are set.

A Raspberry Pi without a battery starts with an old time of day, and jumps once a network is there.
So each entry of the log also holds the seconds since the machine was started, and which start that
was: as long as it is the same, these count, and what the time of day does is nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from firmware_host.store.chain import Moment
from hardware.clock import Clock, WallClock

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def boot_id() -> str:
    """Which start of the machine this is; empty where the system does not tell."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""


def uptime() -> float:
    """Seconds since the machine was started, those of sleep included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True)
class Moments:
    """Tells moments by a clock.

    Args:
        clock: seconds since 1970.
        boot: as of `boot_id`.
        uptime: as of `uptime`.
    """

    clock: Clock
    boot: str = ""
    uptime: Callable[[], float] = uptime

    def now(self) -> Moment:
        """This moment."""
        return Moment(self.clock.monotonic(), self.boot, self.uptime())


def clock_after(last: Moment | None, boot: str, uptime: Callable[[], float] = uptime) -> WallClock:
    """A clock that goes on from a moment: never back, and exact within one start of the machine.

    Args:
        last: the last moment that is known, or None.
        boot: as of `boot_id`.
        uptime: as of `uptime`.
    """
    if last is None:
        return WallClock()
    if boot and last.boot == boot:
        at = last.at + max(0.0, uptime() - last.uptime)
        return WallClock(at, lambda: at)
    return WallClock(last.at)
