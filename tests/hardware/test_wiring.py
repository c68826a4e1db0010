"""The pin map: what it refuses, and the drawing of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.header import GPIOS, HEADER, header_pin
from hardware.wiring import Use, Wire, Wiring, WiringError, i2c_wires, spi_wires
from hardware.wiring_diagram import draw

MOTOR = Wire("shaker.forward_pin", "shaker", 23, Use.PWM, "IN1", 1000, moves=True)
BACK = Wire("shaker.backward_pin", "shaker", 24, Use.PWM, "IN2", 1000, moves=True)
ALIVE = Wire("shaker.keep_alive_pin", "shaker", 25, Use.OUTPUT, "keep-alive", moves=True)
FAULT = Wire("shaker.fault_pin", "shaker", 16, Use.INPUT, "nFAULT")
LID = Wire("lid.pin", "lid", 17, Use.INPUT, "switch")
LAMP = Wire("lamp.pin", "lamp", 18, Use.OUTPUT, "gate")
START = Wire("buttons.start.pin", "button", 27, Use.INPUT, "start")
DISPLAY = tuple(i2c_wires("display"))
STRIP = tuple(spi_wires("sand_timer", clocked=True))
EVERYTHING = (MOTOR, BACK, ALIVE, FAULT, LID, LAMP, START, *DISPLAY, *STRIP)

SVG = "{http://www.w3.org/2000/svg}"


def wrong(*wires: Wire) -> WiringError:
    with pytest.raises(WiringError) as caught:
        Wiring(wires).check()
    return caught.value


def test_a_sound_map_passes_and_tells_its_parts() -> None:
    wiring = Wiring(EVERYTHING, "h_bridge")
    wiring.check()
    assert wiring.parts == ("shaker", "lid", "lamp", "button", "display", "sand_timer")
    assert wiring.of("display") == DISPLAY


@pytest.mark.parametrize(
    ("gpio", "pin"), [(2, 3), (17, 11), (18, 12), (23, 16), (9, 21), (21, 40), (26, 37), (4, 7)]
)
def test_the_pins_of_the_header(gpio: int, pin: int) -> None:
    assert header_pin(gpio) == pin


def test_the_header_has_40_pins_and_each_gpio_once() -> None:
    assert len(HEADER) == 40
    assert frozenset(range(2, 28)) == GPIOS
    assert (HEADER.count("GND"), HEADER.count("3V3"), HEADER.count("5V")) == (8, 2, 2)


def test_a_pin_for_two_is_told_with_both_roles() -> None:
    error = wrong(MOTOR, replace(LID, gpio=23))
    assert str(error) == "shaker.forward_pin and lid.pin are both on GPIO 23"
    assert error.roles == ("shaker.forward_pin", "lid.pin")


@pytest.mark.parametrize("gpio", range(2, 9))
@pytest.mark.parametrize("wire", [MOTOR, BACK, ALIVE], ids=lambda wire: wire.label)
def test_no_motor_is_on_a_pin_that_is_high_at_boot(wire: Wire, gpio: int) -> None:
    error = wrong(replace(wire, gpio=gpio))
    assert "the motor would run" in str(error)
    assert wire.role in error.roles
    assert "9 to 27" in error.advice


@pytest.mark.parametrize("gpio", range(9, 28))
def test_a_motor_may_be_on_any_other(gpio: int) -> None:
    Wiring((replace(MOTOR, gpio=gpio),)).check()


@pytest.mark.parametrize("gpio", [-1, 0, 1, 28, 40])
def test_a_pin_that_is_not_there_or_not_free_is_told(gpio: int) -> None:
    assert "GPIO 2 to 27" in str(wrong(replace(LID, gpio=gpio)))


@pytest.mark.parametrize(("gpio", "bus"), [(9, STRIP), (8, STRIP), (7, STRIP)])
def test_the_pins_of_a_bus_are_taken_even_where_no_wire_is(
    gpio: int, bus: tuple[Wire, ...]
) -> None:
    error = wrong(replace(LID, gpio=gpio), *bus)
    assert error.roles == ("lid.pin", "sand_timer")
    assert "spi bus of sand_timer" in str(error)
    Wiring((replace(LID, gpio=gpio),)).check()


def test_pulses_beyond_the_library_are_told() -> None:
    Wiring((replace(MOTOR, frequency_hz=10_000),)).check()
    assert "10,000 at most" in str(wrong(replace(MOTOR, frequency_hz=10_001)))


@given(st.lists(st.integers(0, 30), min_size=7, max_size=7))
def test_whatever_passes_has_no_pin_twice_and_no_motor_below_9(gpios: list[int]) -> None:
    wires = [replace(wire, gpio=gpio) for wire, gpio in zip(EVERYTHING, gpios, strict=False)]
    wiring = Wiring((*wires, *DISPLAY))
    if next(wiring.errors(), None) is None:
        used = [wire.gpio for wire in wiring.wires]
        assert len(set(used)) == len(used)
        assert set(used) <= GPIOS
        assert all(wire.gpio >= 9 for wire in wires if wire.moves)


# The drawing


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314 - our own


def words(drawing: str) -> list[str]:
    return [element.text or "" for element in parsed(drawing).iter(f"{SVG}text")]


def polylines(drawing: str, colour: str | None = None) -> list[list[tuple[float, float]]]:
    found = parsed(drawing).iter(f"{SVG}polyline")
    return [
        [
            (float(x), float(y))
            for x, y in (point.split(",") for point in one.get("points", "").split())
        ]
        for one in found
        if colour in {None, one.get("stroke")}
    ]


@pytest.mark.parametrize("driver", ["mosfet", "h_bridge"])
def test_the_drawing_names_every_wire_and_what_the_driver_is(driver: str) -> None:
    wires = EVERYTHING if driver == "h_bridge" else (MOTOR, *EVERYTHING[2:])
    drawing = draw(Wiring(wires, driver))
    said = words(drawing)
    for wire in wires:
        assert f"{wire.label} · GPIO {wire.gpio} · pin {wire.pin}" in said
    text = " ".join(said)
    for part in ("fuse", "lid switch, contact 2", "10 kΩ", "one-shot", "AND"):
        assert part in text
    assert ("flyback diode" in text) == (driver == "mosfet")
    assert ("H-bridge" in text) == (driver == "h_bridge")


def test_without_the_keep_alive_there_is_no_one_shot() -> None:
    assert "one-shot" not in " ".join(words(draw(Wiring((MOTOR, LID)))))


@given(st.permutations(sorted(GPIOS)))
def test_no_two_wires_lie_on_one_another(gpios: list[int]) -> None:
    """Whatever the pins: the upright pieces of wires have places of their own."""
    wires = tuple(replace(wire, gpio=gpio) for wire, gpio in zip(EVERYTHING, gpios, strict=False))
    drawing = draw(Wiring(wires, "h_bridge"))
    upright = [
        (one[0], *sorted((one[1], other[1])))
        for line in polylines(drawing)
        for one, other in pairwise(line)
        if one[0] == other[0] and 90 < abs(one[0] - 500) * 2 < 520 and max(one[1], other[1]) < 610
    ]
    for (x, low, high), (other_x, other_low, other_high) in combinations(upright, 2):
        assert x != other_x or high <= other_low or other_high <= low


def test_wires_to_the_other_side_pass_between_the_pins() -> None:
    crossing = Wire("lid.pin", "lid", 17, Use.INPUT, "switch")  # its pin is on the left
    company = [replace(LID, role=f"more{gpio}", gpio=gpio) for gpio in (18, 23)]
    drawing = draw(Wiring((MOTOR, crossing, *company)))
    (line,) = [line for line in polylines(drawing) if line[0] == (484.0, 220.0)]
    assert line[1] == (484.0, 207.0)  # half a pitch up, where no other pin is
    assert line[-1][0] > 500
