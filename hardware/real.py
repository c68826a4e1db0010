"""What all real devices share: a name, being closed, and lines that are let go of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from hardware.devices import Closable, DeviceError, close_all


class RealDevice:
    """Base of the devices with hardware.

    Args:
        name: as of `hardware.devices.Device.name`.
        parts: what is closed with it, in this order; each drives its outputs off.
        simulated: True where the hardware is none: pins of thin air, photos of a folder.
    """

    def __init__(self, name: str, parts: Sequence[Closable] = (), *, simulated: bool) -> None:
        self.name = name
        self.simulated = simulated
        self._parts = parts
        self._released = False

    def close(self) -> None:
        """As of `hardware.devices.Device.close`."""
        if not self._released:
            self._released = True
            close_all(self._parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._released:
            raise DeviceError(self.name, "it was closed before this call", "Start the round anew.")
