"""Is the tray still? A judge over the frames after a shake, without a clock of its own.

The tray is still when several frames in a row look like the first of them, once a shortest wait is
over. Each frame is shrunk to a small grey copy, which takes most of the sensor's noise away. Its
rows are brought to the same light first: that takes away a slow drift, a flicker of the whole
picture and the bands that a pulsed lamp makes. What is then left is compared with the noise that
the two copies themselves show. Comparing with the first frame of the run, not with the one just
before, tells a cube that tips slowly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray


class Outcome(StrEnum):
    """What is known about the tray; the last two are final."""

    WAITING = "waiting"
    SETTLED = "settled"
    TIMED_OUT = "timed_out"


QUIET_FRAMES = 5
"""Quiet differences in a row that make the tray still."""

SHORTEST_WAIT_S = 0.5
"""Seconds before the tray counts as still: the camera shakes along and calms down with it."""

TIME_OUT_S = 8.0
"""Seconds after which waiting is given up: cheap dice spin on a corner for seconds, no longer."""

COPY_PX = 64
"""Longer side of the small grey copy: a cube of a 5×5 tray still covers several pixels."""

NOISES = 6.0
"""A pixel of the copy has moved when it differs by so many standard deviations of the noise."""

LEAST_CHANGE, MOST_CHANGE = 2.0, 8.0
"""Bounds of that threshold in grey levels; the upper one keeps motion of the whole picture from
passing for noise. A cube's edge of 100 levels that moves by a 20th of a copy's pixel makes 5."""

DARKEST = 40.0
"""A frame whose brightest twentieth is darker than this shows no cubes, so it proves nothing."""


@dataclass(frozen=True, eq=False)
class Settling:
    """What is known so far.

    Attributes:
        started: when the shaking ended, seconds.
        outcome: waiting until one of the others is reached, which then stays.
        quiet: differences in a row that were quiet.
        least: grey levels by which a pixel of the small copy must differ to have moved, at least.
        first: small grey copy of the frame that the quiet ones look like, or None before any.
    """

    started: float
    outcome: Outcome = Outcome.WAITING
    quiet: int = 0
    least: float = LEAST_CHANGE
    first: NDArray[np.float32] | None = None


def start(now: float, least: float = LEAST_CHANGE) -> Settling:
    """Begin to wait.

    Args:
        now: seconds on any clock that only goes forward.
        least: as of `Settling.least`; `LEAST_CHANGE` to `MOST_CHANGE`.
    """
    return Settling(started=now, least=least)


def observe(state: Settling, frame: NDArray[np.uint8], now: float) -> Settling:
    """Take one more frame into account.

    Args:
        state: what was known before.
        frame: (height, width, 3), RGB.
        now: when the frame was taken, on the clock of `start`.
    """
    if state.outcome is not Outcome.WAITING:
        return state
    state = _counted(state, _small_grey(frame))
    waited = now - state.started
    if state.quiet >= QUIET_FRAMES and waited >= SHORTEST_WAIT_S:
        return replace(state, outcome=Outcome.SETTLED)
    if waited >= TIME_OUT_S:
        return replace(state, outcome=Outcome.TIMED_OUT)
    return state


def _counted(state: Settling, copy: NDArray[np.float32]) -> Settling:
    if state.first is not None and _alike(state.first, copy, state.least):
        return replace(state, quiet=state.quiet + 1)
    return replace(state, quiet=0, first=copy)


def _small_grey(frame: NDArray[np.uint8]) -> NDArray[np.float32]:
    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).astype(np.float32)
    height, width = grey.shape
    scale = min(1.0, COPY_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def change(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The largest change of a pixel from one frame to another, as the judge measures it.

    Args:
        one: (height, width, 3), RGB.
        other: of the same size.

    Returns:
        Grey levels of the small copies, after both were brought to the same light.
    """
    return float(_changes(_small_grey(one), _small_grey(other)).max())


def _alike(one: NDArray[np.float32], other: NDArray[np.float32], least: float) -> bool:
    if one.shape != other.shape or min(map(_brightness, (one, other))) < DARKEST:
        return False
    changes = _changes(one, other)
    noise = float(np.median(changes)) / 0.6745  # of a normal distribution, from the median
    return float(changes.max()) < min(max(NOISES * noise, least), MOST_CHANGE)


def _changes(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    light = np.median((other + 1) / (one + 1), axis=1, keepdims=True)
    return np.asarray(np.abs(other + 1 - light * (one + 1)), np.float32)


def _brightness(copy: NDArray[np.float32]) -> float:
    return float(np.percentile(copy, 95))
