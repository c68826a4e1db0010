"""The light of the camera."""

from __future__ import annotations

from hardware.clock import Clock
from hardware.pins import OutputPin
from hardware.real import RealDevice


class PinLamp(RealDevice):
    """A lamp behind a MOSFET, as of `hardware.devices.Lamp`.

    Args:
        pin: open and low.
        clock: the warming up is waited for on it.
        level: share of the full light, above 0 to 1; below 1 the light pulses, which a camera with
            a rolling shutter may show as bands.
        warm_up_s: seconds until the light is steady.
        simulated: True on a pin of thin air.
    """

    def __init__(
        self,
        pin: OutputPin,
        clock: Clock,
        level: float = 1.0,
        warm_up_s: float = 0.2,
        *,
        simulated: bool = False,
    ) -> None:
        super().__init__("lamp", (pin,), simulated=simulated)
        self._pin = pin
        self._clock = clock
        self._level = level
        self._warm_up_s = warm_up_s

    @property
    def lit(self) -> bool:
        """As of `hardware.devices.Lamp.lit`."""
        return self._pin.level > 0

    def on(self) -> None:
        """As of `hardware.devices.Lamp.on`; returns when the light is steady."""
        self._check_open()
        if not self.lit:
            self._pin.write(self._level)
            self._clock.sleep(self._warm_up_s)

    def off(self) -> None:
        """As of `hardware.devices.Lamp.off`."""
        self._check_open()
        self._pin.off()
