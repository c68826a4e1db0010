"""The motor that shakes the tray: ramped, bounded, watched at every step, and latched by faults."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from hardware.clock import Clock
from hardware.devices import LONGEST_SHAKE_S, DeviceError, Lid
from hardware.duty import DutyLimits, DutyLog
from hardware.motion import Motion
from hardware.pins import InputPin, OutputPin
from hardware.real import RealDevice

STEP_S = 0.01
"""Seconds between two looks at lid and fault input while the motor runs."""

LID_LAG_S = 0.05
"""Seconds in which both contacts of the lid's switch have opened."""

NUDGE = Motion("steady", power=0.6, ramp_s=0.05)
"""A short push."""

_NAME = "shaker"


@dataclass(frozen=True)
class MotorPins:
    """The pins of the motor.

    Attributes:
        forward: the gate of a MOSFET, or the first input of an H-bridge.
        backward: the second input of an H-bridge; None with a MOSFET, which knows one way.
        fault: low while the driver tells a stall, a short or too much heat.
        keep_alive: changes at every step of a run, for a one-shot that cuts the motor off without.
    """

    forward: OutputPin
    backward: OutputPin | None = None
    fault: InputPin | None = None
    keep_alive: OutputPin | None = None

    def drive(self, speed: float) -> None:
        """Turn at a speed from −1 to 1; 0 is off. Only one way is ever driven."""
        idle, driven = (self.forward, self.backward) if speed < 0 else (self.backward, self.forward)
        if idle is not None:
            idle.write(0.0)
        if driven is not None:
            driven.write(abs(speed))

    def off(self) -> None:
        """Drive every output low, even when one of them fails."""
        try:
            self.forward.off()
        finally:
            for pin in (self.backward, self.keep_alive):
                if pin is not None:
                    pin.off()

    def tell_alive(self) -> None:
        """Keep the one-shot from cutting the motor off for another moment."""
        if self.keep_alive is not None:
            self.keep_alive.write(1.0 - self.keep_alive.level)

    @property
    def all(self) -> tuple[OutputPin | InputPin, ...]:
        """In the order of closing."""
        pins = (self.forward, self.backward, self.keep_alive, self.fault)
        return tuple(pin for pin in pins if pin is not None)


class MotorShaker(RealDevice):
    """A motor on pins, as of `hardware.devices.Shaker`.

    Args:
        pins: its pins, open and low.
        lid: must be closed at the start and all the time.
        clock: all waiting happens on it.
        motion: how it shakes.
        limits: what it stands.
        nudge_s: seconds of a nudge.
        simulated: True on pins of thin air.
    """

    def __init__(
        self,
        pins: MotorPins,
        lid: Lid,
        clock: Clock,
        motion: Motion,
        limits: DutyLimits,
        *,
        nudge_s: float = 0.15,
        simulated: bool = False,
    ) -> None:
        super().__init__(_NAME, pins.all, simulated=simulated)
        self._pins = pins
        self._lid = lid
        self._clock = clock
        self._motion = motion
        self._duty = DutyLog(limits)
        self._nudge_s = nudge_s
        self._runs = 0
        self._lock = threading.Lock()
        self._latched: str | None = None

    @property
    def runs(self) -> int:
        """Shakes that began; nudges do not count."""
        return self._runs

    @property
    def latched(self) -> str | None:
        """As of `hardware.devices.Shaker.latched`."""
        return self._latched

    def shake(self, seconds: float, power: float | None = None) -> None:
        """As of `hardware.devices.Shaker.shake`."""
        self._check_length(seconds)
        motion = self._motion if power is None else replace(self._motion, power=power)
        with self._ready(seconds):
            self._runs += 1
            self._run(motion, seconds)

    def nudge(self) -> None:
        """As of `hardware.devices.Shaker.nudge`."""
        with self._ready(self._nudge_s):
            self._run(NUDGE, self._nudge_s)

    def stop(self, why: str) -> None:
        """As of `hardware.devices.Shaker.stop`."""
        self._latched = self._latched or why

    def clear(self) -> None:
        """As of `hardware.devices.Shaker.clear`; under an open lid the driver has no say."""
        self._check_open()
        if self._lid.closed:
            self._check_fault()
        self._latched = None

    def _check_length(self, seconds: float) -> None:
        longest = min(LONGEST_SHAKE_S, self._duty.limits.longest_s)
        if not 0 < seconds <= longest:
            raise DeviceError(
                _NAME,
                f"it runs for at most {longest:g} s, not {seconds:g}",
                "Set a shorter time of shaking.",
            )

    @contextmanager
    def _ready(self, seconds: float) -> Iterator[None]:
        """Around a run: only one at a time, and only where nothing forbids it."""
        if not self._lock.acquire(blocking=False):
            raise DeviceError(_NAME, "it runs already", "Wait until it stands still.", seconds)
        try:
            self._check()
            self._rest(seconds)
            yield
        finally:
            self._lock.release()

    def _rest(self, seconds: float) -> None:
        """Wait for a short rest; a long one is for the caller to wait for."""
        now = self._clock.monotonic()
        wait_s = self._duty.ready_at(now, seconds) - now
        limits = self._duty.limits
        if wait_s > limits.rest_s + STEP_S:
            raise DeviceError(
                _NAME,
                f"it must rest for {wait_s:.0f} s: it may run {limits.budget_s:g} s "
                f"in {limits.window_s:g} s",
                "Wait so long, then shake again.",
                retry_after_s=wait_s,
            )
        self._clock.sleep(wait_s)

    def _run(self, motion: Motion, seconds: float) -> None:
        begin = self._clock.monotonic()
        try:
            self._follow(motion, begin, seconds)
        finally:
            try:
                self._come_to_rest()
            finally:
                self._duty = self._duty.with_run(begin, self._clock.monotonic())

    def _come_to_rest(self) -> None:
        try:
            self._pins.off()
        except DeviceError:
            self.stop("its pins could not be driven low")
            raise

    def _follow(self, motion: Motion, begin: float, seconds: float) -> None:
        end = begin + seconds  # what is left of it always takes a clock further, however little
        while (left := end - self._clock.monotonic()) > 0:
            self._check()
            self._pins.tell_alive()
            self._pins.drive(motion.speed(seconds - left, seconds))
            self._clock.sleep(min(STEP_S, left))

    def _check(self) -> None:
        self._check_open()
        if self._latched is not None:
            raise DeviceError(
                _NAME,
                f"it stands still: {self._latched}",
                "See to the cause; then press the button, or give an ended command again.",
            )
        self._check_lid()
        self._check_fault()

    def _check_lid(self) -> None:
        if not self._lid.closed:
            raise DeviceError(_NAME, "it stands still: the lid is open", "Close the lid.")

    def _check_fault(self) -> None:
        """A lid that opens takes the driver's supply away, which the driver may tell first."""
        if self._pins.fault is None or not self._pins.fault.low:
            return
        self._come_to_rest()
        self._clock.sleep(LID_LAG_S)
        self._check_lid()
        self.stop("its driver told a fault")
        raise DeviceError(
            _NAME,
            "its driver tells a fault: the motor is stuck, or its wires touch",
            "Switch the motor's supply off, free the tray, look at the wires, then switch it on; "
            "then press the button, or give an ended command again.",
        )
