"""The 40-pin header of a Raspberry Pi, the same from the 1B+ to the 5."""

from __future__ import annotations

_ROWS = """
3V3 5V
2 5V
3 GND
4 14
GND 15
17 18
27 GND
22 23
3V3 24
10 GND
9 25
11 8
GND 7
0 1
5 GND
6 12
13 GND
19 16
26 20
GND 21
"""

HEADER: tuple[str, ...] = tuple(_ROWS.split())
"""What pins 1 to 40 are: the number of a GPIO, or a supply; odd pins on the left."""

GPIOS = frozenset(int(name) for name in HEADER if name.isdigit() and name not in {"0", "1"})
"""GPIOs that are free to use; 0 and 1 belong to the memory of HATs."""

I2C_PINS = {2: "SDA", 3: "SCL"}
"""Pins of the first I²C bus."""

SPI_PINS = {10: "MOSI", 9: "MISO", 11: "SCLK", 8: "CE0", 7: "CE1"}
"""Pins of the first SPI bus: all of them are taken where it is switched on."""

PULLED_UP_AT_BOOT = frozenset(range(9))
"""GPIOs that are pulled high until a program takes them: a motor there would run at boot."""


def header_pin(gpio: int) -> int:
    """Number on the header, 1–40, of a GPIO.

    Example:
        >>> header_pin(17)
        11
    """
    return HEADER.index(str(gpio)) + 1
