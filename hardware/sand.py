"""How the sand timer looks: colours and levels as pure functions, and the words of LED strips."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

Rgb = tuple[float, float, float]
"""Red, green, blue, each 0–1, as shares of the LED's light."""

GREEN: Rgb = (0.0, 1.0, 0.0)
AMBER: Rgb = (1.0, 0.4, 0.0)
RED: Rgb = (1.0, 0.0, 0.0)
DARK: Rgb = (0.0, 0.0, 0.0)

_TURNS = ((1.0, GREEN), (0.5, GREEN), (0.25, AMBER), (0.1, RED), (0.0, RED))
"""Shares of the time left and their colours; between two of them the colours mix."""

_LATCH = bytes(40)  # a WS2812 shows what it was sent after 50 µs of silence; newer ones need 280


def within(left: float) -> float:
    """The nearest share from 0 to 1."""
    return min(max(left, 0.0), 1.0)


def colour(left: float) -> Rgb:
    """Green while half of the time is left, then amber, red for the last tenth.

    Args:
        left: share of the time that is left; beyond 0 to 1, the nearest.

    Example:
        >>> colour(0.9), colour(0.25), colour(0.0)
        ((0.0, 1.0, 0.0), (1.0, 0.4, 0.0), (1.0, 0.0, 0.0))
    """
    left = within(left)
    for (upper, above), (lower, below) in pairwise(_TURNS):
        if left >= lower:
            return mixed(below, above, (left - lower) / (upper - lower))
    return RED


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """A colour between two: the first at share 0, the other at 1."""
    red, green, blue = (
        first + (second - first) * share for first, second in zip(one, other, strict=True)
    )
    return red, green, blue


def dimmed(light: Rgb, level: float) -> Rgb:
    """The same colour with less light; level 0–1."""
    return mixed(DARK, light, level)


def strip(left: float, leds: int, brightness: float = 1.0) -> tuple[Rgb, ...]:
    """A strip that stands upright and drains: full at 1, the topmost grain fading, dark at 0.

    Args:
        left: share of the time that is left.
        leds: how many the strip has, from the bottom.
        brightness: of a full LED, 0–1.
    """
    light = colour(left)
    full = within(left) * leds
    return tuple(dimmed(light, within(full - led) * brightness) for led in range(leds))


def ws2812(lights: Iterable[Rgb]) -> bytes:
    """Colours as a WS2812 strip wants them from an SPI bus of 2.4 MHz.

    Each bit of green, red and blue goes out as three of the bus: 110 for a one, 100 for a zero.
    """
    octets = (octet for red, green, blue in lights for octet in _octets(green, red, blue))
    bits = "".join("110" if octet >> place & 1 else "100" for octet in octets for place in _PLACES)
    return int(bits or "0", 2).to_bytes(len(bits) // 8, "big") + _LATCH


_PLACES = range(7, -1, -1)


def apa102(lights: Iterable[Rgb]) -> bytes:
    """Colours as an APA102 strip wants them: a start, a word an LED, and clocks to push it on."""
    words = [bytes((0xFF, *_octets(blue, green, red))) for red, green, blue in lights]
    return bytes(4) + b"".join(words) + bytes(math.ceil(len(words) / 16) + 4)


def _octets(*shares: float) -> tuple[int, ...]:
    return tuple(round(within(share) * 255) for share in shares)
