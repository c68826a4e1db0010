"""Drives every output of a machine off, also where whoever had them was killed in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.devices import DeviceError
from hardware.pins import Pins, open_pins
from hardware.sand_timer import STRIPS, Bus, StripSandTimer, open_bus
from hardware.wiring import Use, Wire

if TYPE_CHECKING:
    from firmware_host.settings import Settings

_DRIVEN = frozenset({Use.OUTPUT, Use.PWM})


@dataclass(frozen=True)
class Driven:
    """An output that was to be driven off.

    Attributes:
        role: section and key of the settings, such as ``shaker.forward_pin``; ``pins`` where none
            of them can be opened.
        error: why it could not be; None where it is off.
        simulated: it is none of real hardware.
    """

    role: str
    error: DeviceError | None = None
    simulated: bool = False


def drive_off(
    settings: Settings,
    open_pins: Callable[[str, int | None], Pins] = open_pins,
    open_bus: Callable[[int], Bus] = open_bus,
) -> Iterator[Driven]:
    """Drive every output low, what moves first, and go on where one cannot be.

    Args:
        settings: what the machine is built of.
        open_pins: library and chip to pins.
        open_bus: bits a second to an SPI bus.
    """
    wires = [wire for wire in settings.wiring.wires if wire.use in _DRIVEN]
    wires.sort(key=lambda wire: not wire.moves)
    try:
        pins = open_pins(settings.pins.library, settings.pins.chip)
    except DeviceError as error:
        yield Driven("pins", error)
    else:
        with pins:
            yield from (_drive(pins, wire) for wire in wires)
    if settings.sand_timer.kind in STRIPS:
        yield _darken(settings, open_bus)


def _drive(pins: Pins, wire: Wire) -> Driven:
    try:
        pins.output(wire.part, wire.gpio).off()
    except DeviceError as error:
        return Driven(wire.role, error, pins.simulated)
    return Driven(wire.role, simulated=pins.simulated)


def _darken(settings: Settings, open_bus: Callable[[int], Bus]) -> Driven:
    section = settings.sand_timer
    encode, speed_hz = STRIPS[section.kind]
    try:
        StripSandTimer(open_bus(speed_hz), encode, section.leds).close()
    except DeviceError as error:
        return Driven("sand_timer", error)
    return Driven("sand_timer")
