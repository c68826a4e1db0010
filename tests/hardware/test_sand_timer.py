"""The light bar: colours, draining, what strips are sent, and darkness on every way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.devices import DeviceError, SandTimer
from hardware.sand import AMBER, GREEN, RED, Rgb, apa102, colour, strip, ws2812
from hardware.sand_timer import STRIPS, BarSandTimer, StripSandTimer

if TYPE_CHECKING:
    from tests.hardware.conftest import Bench

shares = st.floats(0, 1)
lights = st.lists(st.tuples(shares, shares, shares), max_size=20)


class FakeBus:
    """Keeps what it was sent, until it is unplugged."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = 0
        self.unplugged = False

    def writebytes2(self, values: bytes) -> None:
        if self.unplugged:
            raise OSError(121, "Remote I/O error")
        self.sent.append(values)

    def close(self) -> None:
        self.closed += 1


def octets_of_ws2812(sent: bytes) -> list[int]:
    """The bytes that a WS2812 strip understands: a pulse of two thirds is a one, of one a zero."""
    bits = "".join(f"{octet:08b}" for octet in sent).rstrip("0")
    bits += "0" * (-len(bits) % 3)
    pulses = [bits[start : start + 3] for start in range(0, len(bits), 3)]
    assert set(pulses) <= {"110", "100"}
    ones = "".join("1" if pulse == "110" else "0" for pulse in pulses)
    return [int(ones[start : start + 8], 2) for start in range(0, len(ones), 8)]


@pytest.mark.parametrize(
    ("left", "shown"), [(1.0, GREEN), (0.6, GREEN), (0.25, AMBER), (0.1, RED), (0.0, RED)]
)
def test_green_then_amber_then_red(left: float, shown: Rgb) -> None:
    assert colour(left) == pytest.approx(shown)


@given(shares, shares)
def test_it_never_turns_back(one: float, other: float) -> None:
    later, earlier = sorted((one, other))
    assert colour(later)[1] <= colour(earlier)[1] + 1e-9
    assert colour(later)[0] >= colour(earlier)[0] - 1e-9


@given(st.floats(allow_nan=False), st.integers(1, 60), st.floats(0.01, 1))
def test_a_strip_drains_from_the_top(left: float, leds: int, brightness: float) -> None:
    shown = strip(left, leds, brightness)
    lit = [max(light) for light in shown]
    assert len(shown) == leds
    assert lit == sorted(lit, reverse=True)
    full = sum(lit) / brightness / max(colour(left))
    assert full == pytest.approx(min(max(left, 0.0), 1.0) * leds, abs=1e-6)


@given(lights)
def test_a_ws2812_gets_green_red_blue(colours: list[Rgb]) -> None:
    sent = ws2812(colours)
    expected = [round(255 * share) for red, green, blue in colours for share in (green, red, blue)]
    assert octets_of_ws2812(sent)[: len(expected)] == expected
    assert len(sent) == 9 * len(colours) + 40
    assert not any(sent[9 * len(colours) :])


@given(lights)
def test_an_apa102_gets_a_start_words_and_clocks(colours: list[Rgb]) -> None:
    sent = apa102(colours)
    assert sent[:4] == bytes(4)
    for number, (red, green, blue) in enumerate(colours):
        word = sent[4 + 4 * number : 8 + 4 * number]
        assert list(word) == [255, *(round(255 * share) for share in (blue, green, red))]
    assert len(sent) - 4 - 4 * len(colours) >= len(colours) / 16 + 4


def test_a_bar_turns_its_colour_and_fades(bench: Bench) -> None:
    bar: SandTimer = BarSandTimer(
        bench.pins.output("sand_timer", 13), bench.pins.output("sand_timer", 26)
    )
    seen = []
    for left in (1.0, 0.25, 0.0):
        bar.show(left)
        seen.append((bench.level(13), bench.level(26)))
    (full_red, full_green), (amber_red, amber_green), (red, green) = seen
    assert (full_red, full_green) == (0.0, 1.0)
    assert amber_red > amber_green > 0
    assert (red > 0.2, green) == (True, 0.0)
    bar.off()
    assert bench.level(13) == bench.level(26) == 0
    bar.show(1.0)
    bar.close()
    assert bench.level(13) == bench.level(26) == 0


@pytest.mark.parametrize("kind", STRIPS)
def test_a_strip_is_dark_when_made_when_off_and_when_closed(kind: str) -> None:
    bus, (encode, _) = FakeBus(), STRIPS[kind]
    timer = StripSandTimer(bus, encode, 8)
    dark = encode([(0.0, 0.0, 0.0)] * 8)
    assert bus.sent == [dark]
    timer.show(0.5)
    assert bus.sent[-1] == encode(strip(0.5, 8, 0.3))
    timer.off()
    assert bus.sent[-1] == dark
    timer.show(1.0)
    timer.close()
    timer.close()
    assert bus.sent[-1] == dark
    assert bus.closed == 1
    with pytest.raises(DeviceError, match="closed"):
        timer.show(1.0)


def test_a_bus_that_fails_is_told_and_closed_all_the_same() -> None:
    bus = FakeBus()
    timer = StripSandTimer(bus, ws2812, 8)
    bus.unplugged = True
    with pytest.raises(DeviceError, match=r"sand_timer: the SPI bus refused .* Remote I/O error"):
        timer.show(1.0)
    with pytest.raises(DeviceError, match="refused"):
        timer.close()
    assert bus.closed == 1
