"""Watches the cubes come to rest, so that pages can show each of them as it is read.

The frames are those by which the service itself awaits the rest. The newest of them is looked at by
a thread of its own, small, with a pause after each look that is as long as the look at least: it
has half of one core at most, and nobody waits for it. Which cells were read is told, and no letter:
the round is read from its photo alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.devices import Photo
from vision.live import Live
from vision.scaling import shrunk

SIDE_PX = 640
"""Longer side of what is looked at."""

PAUSE_S = 0.1
"""Seconds between two looks, at least."""

Cells = tuple[tuple[bool, ...], ...]
"""Row by row, which cells were read as they lie now; empty where no tray is in view."""

Tell = Callable[[Cells], None]


class Reader(Protocol):
    """What is used of `vision.live.LiveReader`."""

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """Take one more frame into account."""
        ...


@dataclass(frozen=True, eq=False)
class _Glance:
    """A frame, its time, and the fall of the cubes that it belongs to."""

    frame: Photo
    now: float
    fall: int


class Onlooker:
    """A `firmware_host.tray.Onlooker` with a thread, which begins with the first fall.

    Args:
        load: makes the reader, in the thread.
        tell: hears which cells are read, whenever that may have changed; from any thread.
        pause: lets seconds pass.
    """

    def __init__(
        self,
        load: Callable[[], Reader],
        tell: Tell,
        *,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._load = load
        self._tell = tell
        self._pause = pause
        self._news = threading.Condition()
        self._fall = 0
        self._newest: _Glance | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="onlooker", daemon=True)

    def begin(self) -> None:
        """As of `firmware_host.tray.Onlooker.begin`."""
        with self._news:
            self._fall += 1
            self._newest = None
            self._tell(())
        if self._thread.ident is None:
            self._thread.start()

    def see(self, frame: Photo, now: float) -> None:
        """As of `firmware_host.tray.Onlooker.see`; an older frame that waits is let go of."""
        with self._news:
            self._newest = _Glance(frame, now, self._fall)
            self._news.notify()

    def close(self) -> None:
        """Have the thread end after the look that it is at."""
        with self._news:
            self._ended = True
            self._news.notify()

    def _run(self) -> None:
        reader, state, fall = self._load(), Live(), 0
        while (glance := self._next()) is not None:
            began = time.perf_counter()
            before = state if glance.fall == fall else Live()
            state, fall = reader.step(before, _small(glance.frame), glance.now), glance.fall
            self._told(fall, state.shown)
            self._pause(max(PAUSE_S, time.perf_counter() - began))

    def _next(self) -> _Glance | None:
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._ended)
            glance, self._newest = self._newest, None
            return None if self._ended else glance

    def _told(self, fall: int, cells: Cells) -> None:
        with self._news:
            if fall == self._fall:  # else the cubes have been moved meanwhile
                self._tell(cells)


def _small(frame: Photo) -> NDArray[np.uint8]:
    return shrunk(frame, min(1.0, SIDE_PX / max(frame.shape[:2])))
