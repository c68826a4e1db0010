"""A tray watched through frames: what each shows, and each reading once the tray has settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firmware_host.frames import Frame
from vision.live import Live, Phase
from vision.reading import TrayReading

PATIENCE_S = 1.5
"""Seconds of rest after which a reading is given even if not all cubes are seen to lie flat."""


class Reader(Protocol):
    """What is used of `vision.live.LiveReader`."""

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """Take one more frame into account."""
        ...

    def reading(self, state: Live) -> TrayReading | None:
        """All that was read so far."""
        ...


@dataclass(frozen=True, eq=False)
class Sight:
    """What is known after a frame.

    Attributes:
        state: of the tray.
        seconds: since the first frame.
        reading: a new one, for good as long as nobody touches the tray; None in most frames.
    """

    state: Live
    seconds: float
    reading: TrayReading | None = None


@dataclass(frozen=True)
class Watcher:
    """Watches frames.

    Args:
        reader: reads the tray in them.
    """

    reader: Reader

    def watch(self, frames: Iterable[Frame]) -> Iterator[Sight]:
        """A sight for each frame. The same reading is not given twice.

        Raises:
            WrongCubesError: the tray is not of the size of the cube set.
        """
        state, settled, given, began = Live(), None, None, None
        for frame in frames:
            now, reading = frame.now, None
            began = now if began is None else began
            state = self.reader.step(state, frame.picture, now)
            if _has_settled(state, now) and settled != (settled := _looks_of(state)):
                reading = self.reader.reading(state)
            fresh = reading is not None and (given is None or _differs(reading, given))
            given = reading or given
            yield Sight(state, now - began, reading if fresh else None)

    def at_end(self, last: Sight, given: TrayReading | None) -> Sight:
        """The last sight, with a reading of letters that had changed but not yet settled.

        Args:
            last: what was seen last.
            given: the latest reading, or None where there was none.

        Raises:
            WrongCubesError: the tray is not of the size of the cube set.
        """
        reading = self.reader.reading(last.state)
        fresh = reading is not None and _is_news(reading, given, last.state)
        return Sight(last.state, last.seconds, reading if fresh else None)


def _has_settled(state: Live, now: float) -> bool:
    if not state.at_rest:
        return False
    return state.phase is not Phase.STILL or now - state.rest_since >= PATIENCE_S


def _looks_of(state: Live) -> tuple[object, ...]:
    """What a reading depends on: while it stays, so does the reading."""
    return state.phase, tuple(cell.looked for cell in state.cells)


def _is_news(reading: TrayReading, given: TrayReading | None, state: Live) -> bool:
    """Whether a last reading is to be given; on the way to rest doubts alone are no news."""
    if given is None or reading.board != given.board:
        return True
    return state.at_rest and _differs(reading, given)


def _differs(one: TrayReading, other: TrayReading) -> bool:
    """Whether a person would take them for two readings."""
    return (one.board, one.doubtful) != (other.board, other.doubtful)
