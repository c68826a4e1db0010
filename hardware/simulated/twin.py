"""What all twins share: a name, a record of their calls, faults on demand, and being closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from hardware.clock import Clock
from hardware.devices import DeviceError
from hardware.simulated.faults import Script


@dataclass(frozen=True)
class Call:
    """One thing that a twin was asked to do.

    Attributes:
        time: seconds on the twin's clock.
        device: name of the device.
        action: name of the method.
        args: its arguments.
    """

    time: float
    device: str
    action: str
    args: tuple[object, ...] = ()

    def __str__(self) -> str:
        return " ".join([f"{self.device}: {self.action}", *map(str, self.args)])


_ADVICE = "See to that part; then press the button, or give an ended command again."

OnCall = Callable[[Call], None]
"""Hears of each call as it comes; ``calls.append`` records them."""


def nobody(_call: Call) -> None:
    """Hear of a call and forget it."""


@dataclass(frozen=True)
class Fault:
    """How a twin is to fail.

    Attributes:
        after: calls that still work before the first failure.
        times: calls that then fail; None for all of them.
        blocks_s: seconds that a failing call hangs before it raises: a time-out.
        retry_after_s: as of `hardware.devices.DeviceError`.

    Example:
        ``Fault()`` fails always, ``Fault(times=1)`` once, ``Fault(blocks_s=5)`` by time-outs.
    """

    after: int = 0
    times: int | None = None
    blocks_s: float = 0.0
    retry_after_s: float | None = None

    def hits(self, call: int) -> bool:
        """Whether this call fails, counted from 0 since the fault was set."""
        return call >= self.after and (self.times is None or call < self.after + self.times)

    def error(self, device: str) -> DeviceError:
        """The error to raise."""
        how = f"gave no answer in {self.blocks_s:g} s" if self.blocks_s else "failed"
        message = f"{how}, as the simulation was told to"
        return DeviceError(device, message, _ADVICE, self.retry_after_s)


class Twin:
    """Base of the twins.

    Args:
        name: as of `hardware.devices.Device.name`.
        clock: time of the calls; time-outs pass on it.
        on_call: hears of each call.
        script: faults that are to happen; none where it is not given.
    """

    simulated = True

    def __init__(
        self, name: str, clock: Clock, on_call: OnCall, script: Script | None = None
    ) -> None:
        self.name = name
        self._script = script or Script()
        self._clock = clock
        self._on_call = on_call
        self._released = False
        self.fail(None)

    def fail(self, fault: Fault | None) -> None:
        """Fail like this from the next call on; None works again."""
        self._fault = fault
        self._count = 0

    def close(self) -> None:
        """Note the end, once; every further call raises `DeviceError`."""
        if not self._released:
            self._released = True
            self._note("close")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _do(self, action: str, *args: object) -> None:
        """Note a call, and fail where a fault is due."""
        self._check_open()
        self._note(action, *args)
        self._fail_if_due()

    def _note(self, action: str, *args: object) -> None:
        self._on_call(Call(self._clock.monotonic(), self.name, action, args))

    def _check_open(self) -> None:
        if self._released:
            raise DeviceError(self.name, "it was closed before this call", "Start the round anew.")

    def _fail_if_due(self) -> None:
        fault, call = self._fault, self._count
        self._count += 1
        if fault is not None and fault.hits(call):
            self._clock.sleep(fault.blocks_s)
            raise fault.error(self.name)
        if self._script.due(f"{self.name.replace('_', '-')}-fails"):
            raise Fault().error(self.name)
