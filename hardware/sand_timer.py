"""The light bar that drains like sand: two colours by pulses, or a strip on the SPI bus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from hardware.devices import DeviceError
from hardware.pins import OutputPin
from hardware.real import RealDevice
from hardware.sand import DARK, Rgb, apa102, colour, strip, within, ws2812

_NAME = "sand_timer"
DIMMEST = 0.3
"""Share of its light that a bar still gives when the sand is through."""

STRIPS: dict[str, tuple[Callable[[Iterable[Rgb]], bytes], int]] = {
    "ws2812": (ws2812, 2_400_000),
    "apa102": (apa102, 4_000_000),
}
"""Kinds of strips: their words, and the speed of the bus in bits a second."""


class BarSandTimer(RealDevice):
    """A bar of red and green LEDs through a driver, as of `hardware.devices.SandTimer`.

    Args:
        red: open and low.
        green: open and low.
        brightness: share of the full light, above 0 to 1.
        simulated: True on pins of thin air.
    """

    def __init__(
        self,
        red: OutputPin,
        green: OutputPin,
        brightness: float = 1.0,
        *,
        simulated: bool = False,
    ) -> None:
        super().__init__(_NAME, (red, green), simulated=simulated)
        self._pins = (red, green)
        self._brightness = brightness

    def show(self, left: float) -> None:
        """As of `hardware.devices.SandTimer.show`: the colour turns and the light fades."""
        self._check_open()
        level = self._brightness * (DIMMEST + (1 - DIMMEST) * within(left))
        for pin, share in zip(self._pins, colour(left)[:2], strict=True):
            pin.write(share * level)

    def off(self) -> None:
        """As of `hardware.devices.SandTimer.off`."""
        self._check_open()
        for pin in self._pins:
            pin.off()


class Bus(Protocol):
    """What is used of spidev's ``SpiDev``."""

    def writebytes2(self, values: bytes) -> None:
        """Send these."""

    def close(self) -> None:
        """Let go."""


def open_bus(speed_hz: int, bus: int = 0, device: int = 0) -> Bus:
    """The SPI bus, by spidev.

    Raises:
        DeviceError: spidev is not installed, the bus is not switched on, or may not be opened.
    """
    try:
        import spidev
    except ImportError:
        raise DeviceError(
            _NAME,
            "the library spidev is not installed",
            "Install it, by: sudo apt install python3-spidev.",
        ) from None
    opened: Any = spidev.SpiDev()
    try:
        opened.open(bus, device)
    except FileNotFoundError:
        message = f"there is no /dev/spidev{bus}.{device}"
        advice = "Switch the bus on, by: sudo raspi-config nonint do_spi 0; then start anew."
        raise DeviceError(_NAME, message, advice) from None
    except PermissionError:
        message = f"/dev/spidev{bus}.{device} may not be opened by this user"
        advice = "Join its group, by: sudo usermod -aG spi $USER; then log in anew."
        raise DeviceError(_NAME, message, advice) from None
    opened.max_speed_hz = speed_hz
    bus_: Bus = opened
    return bus_


class StripSandTimer(RealDevice):
    """A strip of addressable LEDs, as of `hardware.devices.SandTimer`; dark once it is made.

    Args:
        bus: open, at the speed of the strip.
        encode: colours to what the strip is sent.
        leds: how many it has.
        brightness: of a full LED, above 0 to 1.
        simulated: True on a bus of thin air.
    """

    def __init__(
        self,
        bus: Bus,
        encode: Callable[[Iterable[Rgb]], bytes],
        leds: int,
        brightness: float = 0.3,
        *,
        simulated: bool = False,
    ) -> None:
        super().__init__(_NAME, (bus,), simulated=simulated)
        self._bus = bus
        self._encode = encode
        self._leds = leds
        self._brightness = brightness
        self._darken()  # a strip keeps its colours while the Pi starts anew

    def show(self, left: float) -> None:
        """As of `hardware.devices.SandTimer.show`."""
        self._check_open()
        self._send(strip(left, self._leds, self._brightness))

    def off(self) -> None:
        """As of `hardware.devices.SandTimer.off`."""
        self._check_open()
        self._darken()

    def close(self) -> None:
        """Go dark and let go of the bus; safe to call twice."""
        if self._released:
            return
        try:
            self._darken()
        finally:
            super().close()

    def _darken(self) -> None:
        self._send((DARK,) * self._leds)

    def _send(self, lights: Iterable[Rgb]) -> None:
        try:
            self._bus.writebytes2(self._encode(lights))
        except OSError as error:
            raise DeviceError(
                _NAME,
                f"the SPI bus refused the colours: {error.strerror or error}",
                "Compare the settings with the wiring, by: wordtray wiring; then start anew.",
            ) from error
