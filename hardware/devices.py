"""The Protocols of all devices: the seam between the round and the machine.

Each is small enough that a real device, its simulated twin and a test's fake are a few lines. All
of them are context managers: leaving one drives its outputs off, on every way out, and a device
that was closed answers every further call with `DeviceError`. None of them keeps time for the round
or decides anything about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
        retry_after_s: seconds after which the same call may work again by itself; None where a
            person must do something first.
    """

    def __init__(
        self, device: str, message: str, advice: str, retry_after_s: float | None = None
    ) -> None:
        super().__init__(f"{device}: {message}")
        self.device = device
        self.advice = advice
        self.retry_after_s = retry_after_s


TUNES = ("start", "half_minute", "ten_seconds", "end", "ask", "fault")
"""Names of the tunes that every buzzer plays."""

PRESS = "press"
"""What the button of the round means: shake, start, confirm, clear a fault."""

ACTIONS = (
    PRESS,
    "pause",
    "cancel",
    "reroll",
    "extra_time",
    "take",
    "back",
    "last_chance",
    "done",
    "quiet",
    "shut_down",
)
"""What a short, long or double press of a button can mean; the round decides what comes of it."""

LONGEST_SHAKE_S = 10.0
"""Longest run of the shaker in seconds: a wrong number must not cook the motor."""


@runtime_checkable
class Device(Protocol):
    """What all devices share."""

    @property
    def name(self) -> str:
        """Name as on the wiring page, the same as the field of `Devices`: ``"sand_timer"``."""

    @property
    def simulated(self) -> bool:
        """True for a twin without hardware; whoever shows its results must say so."""

    def close(self) -> None:
        """Drive every output off and let go of the hardware; safe to call twice."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc_info: object) -> None: ...


@runtime_checkable
class Shaker(Device, Protocol):
    """The motor that shakes the tray."""

    def shake(self, seconds: float, power: float | None = None) -> None:
        """Ramp up, shake and ramp down; returns when the motor stands still.

        Args:
            seconds: length of the run with its ramps.
            power: highest speed as a share of full power, above 0 to 1; None is that of the motor.

        Raises:
            DeviceError: the lid is open or was opened, the motor stalled, it was stopped and not
                cleared since, it needs rest, or ``seconds`` is not above 0 and at most
                `LONGEST_SHAKE_S`.
        """

    def nudge(self) -> None:
        """One short push, to tip a cube that leans on another.

        Raises:
            DeviceError: as for `shake`.
        """

    @property
    def latched(self) -> str | None:
        """Why it stands still until `clear`; None where it may run."""

    def stop(self, why: str) -> None:
        """Stop a run within 20 ms and begin no other until `clear`; from any thread."""

    def clear(self) -> None:
        """Let it run again, after a person has seen to the cause; nothing moves by this.

        Raises:
            DeviceError: the cause is still there.
        """


@runtime_checkable
class Lid(Device, Protocol):
    """The switch of the lid, normally closed."""

    @property
    def closed(self) -> bool:
        """True only when the lid is known to be closed: a broken wire reads as open."""


@runtime_checkable
class Lamp(Device, Protocol):
    """The light of the camera."""

    @property
    def lit(self) -> bool:
        """Whether it gives light."""

    def on(self) -> None:
        """Light, at the level that the camera's exposure was set for."""

    def off(self) -> None:
        """Dark."""


@runtime_checkable
class SandTimer(Device, Protocol):
    """The light bar that drains like sand."""

    def show(self, left: float) -> None:
        """Show the share of the time that is left, 1 (full) to 0 (empty); beyond, the nearest."""

    def off(self) -> None:
        """Dark."""


@runtime_checkable
class Buzzer(Device, Protocol):
    """The buzzer; tunes are named so that a quiet mode can leave them out."""

    def play(self, tune: str) -> None:
        """Play one of `TUNES`.

        Raises:
            ValueError: no such tune.
        """


@runtime_checkable
class Button(Device, Protocol):
    """The push buttons, debounced: one for the round, and what else was wired."""

    def on_press(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` at each press that means `PRESS`, from any thread.

        Replaces the callback before.
        """

    def on_action(self, callback: Callable[[str], None]) -> None:
        """Call ``callback`` with each other action of `ACTIONS` that a press stands for.

        From any thread; replaces the callback before.
        """

    def on_hold(self, callback: Callable[[str], None]) -> None:
        """Call ``callback`` with the action of a long press of the button of the round.

        That is the one whose short press means `PRESS`: what it takes depends on what the display
        offers. From any thread; replaces the callback before.
        """


@runtime_checkable
class Display(Device, Protocol):
    """The small display: a few short lines of text."""

    def show(self, *lines: str) -> None:
        """Show these lines from the top; what does not fit is cut."""

    def show_join(self, url: str, *lines: str) -> None:
        """Show a QR code of an address beside these lines; without room for it, the address."""


@dataclass(frozen=True)
class Exposure:
    """What pictures are taken with.

    Attributes:
        exposure_us: time that light falls in, microseconds.
        gain: by which the sensor's signal is raised, 1 and more.
        colour_gains: white balance, of red and of blue; None where the camera has none.
        lens_position: focus in dioptres, 4 is 25 cm; None where it is fixed.
    """

    exposure_us: int
    gain: float
    colour_gains: tuple[float, float] | None = None
    lens_position: float | None = None


@runtime_checkable
class Adjustable(Protocol):
    """A camera whose exposure can be told and set; others lock what they have settled at."""

    @property
    def exposure(self) -> Exposure | None:
        """What pictures are taken with; None before the first lit one, or where it is not told."""

    def expose(self, exposure: Exposure) -> None:
        """Take the pictures from now on with this.

        Raises:
            DeviceError: it cannot be set.
        """


@runtime_checkable
class Camera(Device, Protocol):
    """The camera over the tray."""

    def capture(self) -> Photo:
        """Take one picture at the locked exposure.

        Raises:
            DeviceError: no picture came in time.
        """


@dataclass(frozen=True)
class Devices:
    """One of each: the whole machine, as a context manager."""

    shaker: Shaker
    lid: Lid
    lamp: Lamp
    sand_timer: SandTimer
    buzzer: Buzzer
    button: Button
    display: Display
    camera: Camera

    def __iter__(self) -> Iterator[Device]:
        """All devices, in the order of closing: what moves stops first."""
        yield from (self.shaker, self.lamp, self.sand_timer, self.buzzer)
        yield from (self.display, self.camera, self.button, self.lid)

    @property
    def simulated(self) -> bool:
        """True where any device is a twin: then the machine's results are no real ones."""
        return any(device.simulated for device in self)

    def close(self) -> None:
        """Close all devices, even when one of them fails; safe to call twice.

        Raises:
            DeviceError: the error of the last device that failed; errors before are its context.
        """
        close_all(tuple(self))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Let go."""


def close_all(parts: Sequence[Closable]) -> None:
    """Close all of these in order, even when one of them fails.

    Raises:
        Exception: that of the last that failed; those before are its context.
    """
    if not parts:
        return
    try:
        parts[0].close()
    finally:  # nested, not an ExitStack: that loses the context of errors in Python 3.11
        close_all(parts[1:])
