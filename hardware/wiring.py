"""The pin map: which part is on which pin, as a value that is checked before anything is opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from hardware.header import GPIOS, I2C_PINS, PULLED_UP_AT_BOOT, SPI_PINS, header_pin
from hardware.pins import FASTEST_PWM_HZ


class Use(StrEnum):
    """What a pin is used for."""

    OUTPUT = "output"
    PWM = "pwm"
    INPUT = "input"
    I2C = "i2c"
    SPI = "spi"


class WiringError(ValueError):
    """A pin map that would damage something, or cannot work.

    Args:
        roles: of the pins in question, as the settings name them.
        message: what is wrong.
        advice: what to change.
    """

    def __init__(self, roles: tuple[str, ...], message: str, advice: str) -> None:
        super().__init__(message)
        self.roles = roles
        self.advice = advice


@dataclass(frozen=True)
class Wire:
    """One wire from the header to a part.

    Attributes:
        role: section and key of the settings, such as ``shaker.forward_pin``.
        part: the device, as of `hardware.devices.Device.name`.
        gpio: number of the GPIO.
        use: what for.
        label: what it is called at the part, such as ``IN1``.
        frequency_hz: pulses a second, at most; 0 where there are none.
        moves: it drives the motor.
    """

    role: str
    part: str
    gpio: int
    use: Use
    label: str
    frequency_hz: int = 0
    moves: bool = False

    @property
    def pin(self) -> int:
        """Number on the header, 1–40."""
        return header_pin(self.gpio)


@dataclass(frozen=True)
class Wiring:
    """All wires of a machine.

    Attributes:
        wires: in the order of the settings.
        driver: of the motor: ``mosfet`` or ``h_bridge``.
        strip: kind of the LED strip; empty where there is none.
    """

    wires: tuple[Wire, ...]
    driver: str = "mosfet"
    strip: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that have wires, in their order."""
        return tuple(dict.fromkeys(wire.part for wire in self.wires))

    def of(self, part: str) -> tuple[Wire, ...]:
        """The wires of a part."""
        return tuple(wire for wire in self.wires if wire.part == part)

    def check(self) -> None:
        """See that this map can work and harms nothing.

        Raises:
            WiringError: the first thing that is wrong.
        """
        for error in self.errors():
            raise error

    def errors(self) -> Iterator[WiringError]:
        """Everything that is wrong."""
        for check in (_unknown, _shared, _moving_at_boot, _on_a_bus, _too_fast):
            yield from check(self.wires)


def i2c_wires(part: str) -> Iterator[Wire]:
    """The wires of a part on the I²C bus."""
    for gpio, label in I2C_PINS.items():
        yield Wire(f"{part} ({label})", part, gpio, Use.I2C, label)


def spi_wires(part: str, *, clocked: bool) -> Iterator[Wire]:
    """The wires of a part that is only written to on the SPI bus, with a clock or without."""
    for gpio in (10, 11) if clocked else (10,):
        yield Wire(f"{part} ({SPI_PINS[gpio]})", part, gpio, Use.SPI, SPI_PINS[gpio])


def _unknown(wires: Iterable[Wire]) -> Iterator[WiringError]:
    for wire in wires:
        if wire.gpio not in GPIOS:
            yield WiringError(
                (wire.role,),
                f"{wire.role} is on GPIO {wire.gpio}, and the header has GPIO 2 to 27 to use",
                "Count by the number of the GPIO, not of the pin: see wordtray wiring.",
            )


def _shared(wires: Iterable[Wire]) -> Iterator[WiringError]:
    for one, other in combinations(wires, 2):
        if one.gpio == other.gpio:
            yield WiringError(
                (one.role, other.role),
                f"{one.role} and {other.role} are both on GPIO {one.gpio}",
                "Give one of them another pin.",
            )


def _moving_at_boot(wires: Iterable[Wire]) -> Iterator[WiringError]:
    for wire in wires:
        if wire.moves and wire.gpio in PULLED_UP_AT_BOOT:
            yield WiringError(
                (wire.role,),
                f"{wire.role} is on GPIO {wire.gpio}, which is high while the Pi boots: "
                "the motor would run",
                "Take a GPIO from 9 to 27: those are low at boot.",
            )


def _on_a_bus(wires: Iterable[Wire]) -> Iterator[WiringError]:
    used = tuple(wires)
    buses = {wire.use: wire.part for wire in used if wire.use in _BUSES}
    for wire in used:
        for use, part in buses.items():
            if wire.use is not use and wire.gpio in _BUSES[use]:
                yield WiringError(
                    (wire.role, part),
                    f"{wire.role} is on GPIO {wire.gpio}, which the {use} bus of {part} needs",
                    f"Give {wire.role} another pin, or do without {part}.",
                )


def _too_fast(wires: Iterable[Wire]) -> Iterator[WiringError]:
    for wire in wires:
        if wire.frequency_hz > FASTEST_PWM_HZ:
            yield WiringError(
                (wire.role,),
                f"{wire.role} has {wire.frequency_hz:,} pulses a second, "
                f"and lgpio gives {FASTEST_PWM_HZ:,} at most",
                "Set a lower frequency_hz.",
            )


_BUSES = {Use.I2C: I2C_PINS, Use.SPI: SPI_PINS}
