"""Watches the cubes come to rest, so that pages can show each of them as it is read.

The frames are those by which the service itself awaits the rest. The newest of them is looked at by
a thread of its own, small, ten times a second at most, and nobody waits for it. Where no tray is
found it pauses for as long as it has looked: then it has half of one core at most. The last frame
is looked at until all its cubes are read, while the photo is taken and read. Which cells were read
is told as long as nothing moves, and no letter: the round is read from its photo alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.devices import Photo
from vision.live import Live, Phase
from vision.scaling import shrunk

SIDE_PX = 640
"""Longer side of what is looked at."""

PAUSE_S = 0.1
"""Seconds between two looks, at least."""

LAST_S = 0.25
"""Seconds without a newer frame, after which the newest is the last one."""

MOST_LOOKS = 6
"""Looks at the last frame: each reads some of its cells."""

Cells = tuple[tuple[bool, ...], ...]
"""Row by row, which cells were read as they lie now; empty where no tray is in view."""

RESTED_S = 0.15
"""Seconds without motion anywhere, from which on cells are told: shorter than the service waits."""

LEAVE_S = 2.0
"""Seconds that the thread is given to end."""

_NOTHING: Photo = np.zeros((1, 1, 3), np.uint8)

Tell = Callable[[Cells], None]


class Reader(Protocol):
    """What is used of `vision.live.LiveReader`."""

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """Take one more frame into account."""
        ...


@dataclass(frozen=True, eq=False)
class _Glance:
    """A frame, its time, the fall of the cubes that it belongs to, and looks at it before."""

    frame: Photo
    now: float
    fall: int
    looks: int = 0


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
        """Have the thread end after the look that it is at, and await that for a while."""
        with self._news:
            self._ended = True
            self._news.notify()
        if self._thread.ident is not None:
            self._thread.join(LEAVE_S)

    def _run(self) -> None:
        reader, state, last = self._load(), Live(), _Glance(_NOTHING, 0.0, 0)
        while (glance := self._next(last, state)) is not None:
            began = time.perf_counter()
            before = state if glance.fall == last.fall else Live()
            state, last = reader.step(before, _small(glance.frame), glance.now), glance
            self._told(glance.fall, _at_rest(state, glance.now))
            took = time.perf_counter() - began
            self._pause(PAUSE_S if state.track else max(PAUSE_S, took))

    def _next(self, last: _Glance, state: Live) -> _Glance | None:
        """A newer frame; the last one once more where none comes and cells of it are not read."""
        with self._news:
            more = last.fall == self._fall and last.looks < MOST_LOOKS and _has_more(state)
            self._news.wait_for(
                lambda: self._newest is not None or self._ended, LAST_S if more else None
            )
            newer, self._newest = self._newest, None
            if self._ended or newer is not None:
                return None if self._ended else newer
            return replace(last, looks=last.looks + 1)  # its time stands: it tells of no rest

    def _told(self, fall: int, cells: Cells) -> None:
        with self._news:
            if fall == self._fall:  # else the cubes have been moved meanwhile
                self._tell(cells)


def _has_more(state: Live) -> bool:
    """Whether a tray is in view, and not all of its cells are read."""
    return bool(state.shown) and not all(map(all, state.shown))


def _at_rest(state: Live, now: float) -> Cells:
    """The cells that are read, where all cubes rest; none of them while anything moves."""
    if state.phase is not Phase.HAND and now - state.rest_since >= RESTED_S:
        return state.shown
    return tuple((False,) * len(row) for row in state.shown)


def _small(frame: Photo) -> NDArray[np.uint8]:
    return shrunk(frame, min(1.0, SIDE_PX / max(frame.shape[:2])))
