"""The switch of the lid."""

from __future__ import annotations

from hardware.pins import InputPin
from hardware.real import RealDevice


class SwitchLid(RealDevice):
    """A switch between a pin and ground that the closed lid closes, as of `hardware.devices.Lid`.

    The pin is pulled up: an open lid, a broken wire and a plug that has come off all read as open.

    Args:
        pin: open.
        simulated: True on a pin of thin air.
    """

    def __init__(self, pin: InputPin, *, simulated: bool = False) -> None:
        super().__init__("lid", (pin,), simulated=simulated)
        self._pin = pin

    @property
    def closed(self) -> bool:
        """As of `hardware.devices.Lid.closed`."""
        self._check_open()
        return self._pin.low
