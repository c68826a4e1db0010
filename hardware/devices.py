"""The Protocols of all devices: the seam between the round and the machine.

Each is small enough that a real device, its simulated twin and a test's fake are a few lines. All
of them are context managers: leaving one drives its outputs off, on every way out. None of them
keeps time for the round or decides anything about it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Photo = NDArray[np.uint8]
"""A picture: (height, width, 3), uint8, colours in the order red, green, blue."""


class DeviceError(RuntimeError):
    """A device failed, timed out or is not there.

    Args:
        device: its name as on the wiring page, such as ``"camera"``.
        message: what happened and why, one sentence.
        advice: what the user can do, one sentence.
    """

    def __init__(self, device: str, message: str, advice: str) -> None:
        super().__init__(f"{device}: {message}")
        self.device = device
        self.advice = advice


TUNES = ("start", "half_minute", "ten_seconds", "end", "ask", "fault")
"""Names of the tunes that every buzzer plays."""


@runtime_checkable
class Device(Protocol):
    """What all devices share."""

    @property
    def name(self) -> str:
        """Name as on the wiring page."""

    @property
    def simulated(self) -> bool:
        """True for a twin without hardware; whoever shows its results must say so."""

    def close(self) -> None:
        """Drive every output off and let go of the hardware; safe to call twice."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc_info: object) -> None: ...


class Shaker(Device, Protocol):
    """The motor that shakes the tray."""

    def shake(self, seconds: float) -> None:
        """Ramp up, shake and ramp down; returns when the motor stands still.

        Raises:
            DeviceError: the lid opened, the motor stalled, or ``seconds`` is over the longest run.
        """

    def nudge(self) -> None:
        """One short push, to tip a cube that leans on another."""


class Lid(Device, Protocol):
    """The switch of the lid, normally closed."""

    @property
    def closed(self) -> bool:
        """True only when the lid is known to be closed: a broken wire reads as open."""


class Lamp(Device, Protocol):
    """The light of the camera."""

    def on(self) -> None:
        """Light, at the level that the camera's exposure was set for."""

    def off(self) -> None:
        """Dark."""


class SandTimer(Device, Protocol):
    """The light bar that drains like sand."""

    def show(self, left: float) -> None:
        """Show the share of the time that is left, 1 (full) to 0 (empty)."""

    def off(self) -> None:
        """Dark."""


class Buzzer(Device, Protocol):
    """The buzzer; tunes are named so that a quiet mode can leave them out."""

    def play(self, tune: str) -> None:
        """Play one of `TUNES`.

        Raises:
            ValueError: no such tune.
        """


class Button(Device, Protocol):
    """A push button, debounced."""

    def on_press(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` at each press, from any thread; replaces the callback before."""


class Display(Device, Protocol):
    """The small display: a few short lines of text."""

    def show(self, *lines: str) -> None:
        """Show these lines from the top; what does not fit is cut."""


class Camera(Device, Protocol):
    """The camera over the tray."""

    def capture(self) -> Photo:
        """Take one picture at the locked exposure.

        Raises:
            DeviceError: no picture came in time.
        """
