"""Draws the pin map: the header with every wire to its part, and the circuit of the motor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from types import MappingProxyType

from hardware import svg
from hardware.header import HEADER
from hardware.svg import Point
from hardware.wiring import Wire, Wiring

WIDTH = 1000
_TOP, _PITCH = 90.0, 26.0
_MIDDLE = WIDTH / 2
_COLUMN = 16.0  # from the middle of the header to a column of pins
_BOX_WIDTH, _BOX_EDGE, _ROW = 220.0, 20.0, 18.0
_FIRST_LANE, _LANE = 70.0, 13.0
_CIRCUIT_HEIGHT = 320.0
_COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17a2b8", "#bc7a00")
_PIN_FILLS: Mapping[str, str] = MappingProxyType(
    {"3V3": "#f4b183", "5V": "#e06666", "GND": "#aaa", "": "#ddd"}
)

_TITLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "shaker": ("Motor driver", "see the circuit below", "GND to a GND pin"),
        "lid": ("Lid switch, contact 1", "closed by the closed lid", "other side to GND"),
        "lamp": (
            "Lamp MOSFET",
            "gate pull-down 10 kΩ",
            "LED panel at its drain",
            "GND to a GND pin",
        ),
        "sand_timer": ("Sand timer", "3V3 logic; its own supply", "GND to a GND pin"),
        "buzzer": ("Buzzer", "by a transistor above 16 mA", "other side to GND"),
        "button": ("Push buttons", "other side to GND"),
        "display": ("OLED display", "VCC to 3V3 (pin 1)", "GND to a GND pin"),
    }
)
"""What a part is called, and what else is connected to it."""


@dataclass(frozen=True)
class _Part:
    """A part in its place: its frame, and where each of its wires ends."""

    wires: tuple[Wire, ...]
    title: tuple[str, ...]
    top: float
    side: int  # −1 left of the header, 1 right

    @property
    def height(self) -> float:
        return (len(self.title) + len(self.wires)) * _ROW + 10

    @property
    def inner_edge(self) -> float:
        return _MIDDLE + self.side * (_MIDDLE - _BOX_EDGE - _BOX_WIDTH)

    def port_y(self, number: int) -> float:
        return self.top + 5 + (number + 1.5) * _ROW


def draw(wiring: Wiring) -> str:
    """The diagram of a pin map, as SVG."""
    colours = dict(zip(wiring.parts, cycle(_COLOURS), strict=False))
    sides = {side: _placed(wiring, side) for side in (-1, 1)}
    shapes = [
        svg.text((_MIDDLE, 30), "Wiring of the tray", "middle", 20, "bold"),
        svg.text((_MIDDLE, 56), "40-pin header of the Raspberry Pi, seen from above", "middle"),
    ]
    for side, parts in sides.items():
        shapes += _wires(parts, side, colours)
        shapes += [shape for part in parts for shape in _frame(part, colours[part.wires[0].part])]
    lowest = max(part.top + part.height for parts in sides.values() for part in parts)
    below = max(lowest, _TOP + len(HEADER) / 2 * _PITCH)
    shapes += [*_header(), *_circuit(wiring, below + 80)]
    return svg.document(WIDTH, round(below + 80 + _CIRCUIT_HEIGHT), "Wiring of the tray", shapes)


def _row(wire: Wire) -> int:
    return (wire.pin - 1) // 2


def _pin_side(wire: Wire) -> int:
    return -1 if wire.pin % 2 else 1


def _pin_at(number: int) -> Point:
    """The middle of a pin, 1–40."""
    column = -_COLUMN if number % 2 else _COLUMN
    return _MIDDLE + column, _TOP + (number - 1) // 2 * _PITCH


def _placed(wiring: Wiring, side: int) -> list[_Part]:
    """The parts of a side, one below the other; a part is where most of its pins are."""
    chosen = [wires for name in wiring.parts if _side(wires := wiring.of(name)) == side]
    placed: list[_Part] = []
    top = _TOP - 10
    for wires in sorted(chosen, key=lambda wires: sum(map(_row, wires)) / len(wires)):
        in_order = tuple(sorted(wires, key=_row))
        part = _Part(in_order, _TITLES[wires[0].part], top, side)
        placed.append(part)
        top += part.height + 14
    return placed


def _side(wires: Sequence[Wire]) -> int:
    return 1 if sum(map(_pin_side, wires)) > 0 else -1


def _wires(parts: Sequence[_Part], side: int, colours: Mapping[str, str]) -> Iterator[str]:
    """Wires that go up keep further out the lower they begin, those that go down the other way."""
    ends = [(wire, part, part.port_y(n)) for part in parts for n, wire in enumerate(part.wires)]
    rising = sorted(
        (end for end in ends if end[2] < _start(*end[:2])[-1][1]), key=lambda e: _row(e[0])
    )
    falling = sorted((end for end in ends if end not in rising), key=lambda e: -_row(e[0]))
    for number, (wire, part, port_y) in enumerate((*rising, *falling)):
        lane = _MIDDLE + side * (_FIRST_LANE + _LANE * number)
        start = _start(wire, part)
        corners = ((lane, start[-1][1]), (lane, port_y), (part.inner_edge, port_y))
        yield svg.line((*start, *corners), colours[wire.part])


def _start(wire: Wire, part: _Part) -> tuple[Point, ...]:
    """From the pin; to the other side of the header between two rows."""
    x, y = _pin_at(wire.pin)
    if _pin_side(wire) == part.side:
        return ((x, y),)
    between = y + part.side * -_PITCH / 2
    return ((x, y), (x, between))


def _frame(part: _Part, colour: str) -> Iterator[str]:
    outer = _BOX_EDGE if part.side < 0 else WIDTH - _BOX_EDGE - _BOX_WIDTH
    yield svg.box((outer, part.top), (_BOX_WIDTH, part.height), "#fafafa", colour)
    yield svg.text((outer + _BOX_WIDTH / 2, part.top + 14), part.title[0], "middle", 13, "bold")
    anchor, inwards = ("end", -8) if part.side < 0 else ("start", 8)
    for number, wire in enumerate(part.wires):
        words = f"{wire.label} · GPIO {wire.gpio} · pin {wire.pin}"
        yield svg.text((part.inner_edge + inwards, part.port_y(number)), words, anchor)
        yield svg.dot((part.inner_edge, part.port_y(number)), colour)
    for number, words in enumerate(part.title[1:], len(part.wires)):
        yield svg.text((outer + _BOX_WIDTH / 2, part.port_y(number)), words, "middle", 11)


def _header() -> Iterator[str]:
    yield svg.box(
        (_MIDDLE - 2 * _COLUMN, _TOP - _PITCH / 2 - 4), (4 * _COLUMN, 20 * _PITCH + 8), "none"
    )
    for number, name in enumerate(HEADER, 1):
        x, y = _pin_at(number)
        yield svg.dot((x, y), _PIN_FILLS.get(name, _PIN_FILLS[""]), 10)
        yield svg.text((x, y), str(number), "middle", 9)
        if name in {"3V3", "5V"}:
            away = -24 if number % 2 else 24
            yield svg.text((x + away, y - 7), name, "end" if number % 2 else "start", 9)


# The circuit of the motor


def _circuit(wiring: Wiring, y: float) -> list[str]:
    """Supply, fuse, lid contact, motor and driver; below them what may switch the driver on."""
    bridged = wiring.driver == "h_bridge"
    return [
        svg.text((_BOX_EDGE, y - 30), "Circuit of the motor", size=16, weight="bold"),
        svg.line(((20, y - 50), (WIDTH - 20, y - 50)), "#ccc", 1),
        *_supply(y + 30),
        *(_bridge(y) if bridged else _mosfet(y)),
        *_permission(wiring, y + 170),
    ]


def _supply(y: float) -> Iterator[str]:
    yield svg.text((30, y - 28), "motor supply +")
    yield svg.line(((30, y), (110, y)))
    yield from svg.labelled((110, y - 16), (70, 32), "fuse 2 A")
    yield svg.line(((180, y), (230, y)))
    yield from svg.labelled((230, y - 24), (150, 48), "lid switch, contact 2", "opens with the lid")
    yield svg.line(((380, y), (470, y)))


def _mosfet(y: float) -> Iterator[str]:
    """Motor with its flyback diode, above a MOSFET to ground."""
    rail, drain = y + 30, y + 120
    yield svg.line(((470, rail), (600, rail)))
    yield from svg.labelled((440, rail + 20), (60, 50), "motor")
    yield svg.line(((470, rail), (470, rail + 20)))
    yield svg.line(((470, rail + 70), (470, drain), (600, drain)))
    yield from svg.diode((600, drain), (600, rail))
    yield svg.text((616, rail + 45), "flyback diode, 1N5822")
    yield svg.line(((470, drain), (470, drain + 20)))
    yield from svg.labelled((400, drain + 20), (140, 46), "MOSFET AO3400A", "full on at 2.5 V")
    yield svg.line(((520, drain + 66), (520, drain + 90)))
    yield from svg.ground((520, drain + 90))


def _bridge(y: float) -> Iterator[str]:
    """Motor at the two outputs of an H-bridge, which has its diodes within."""
    rail = y + 30
    yield svg.line(((470, rail), (470, y + 140)))
    yield from svg.labelled((400, y + 140), (140, 46), "H-bridge DRV8874", "diodes, current limit")
    yield svg.line(((540, y + 155), (640, y + 155), (640, y + 110)))
    yield svg.line(((540, y + 172), (720, y + 172), (720, y + 85), (700, y + 85)))
    yield from svg.labelled((580, y + 60), (120, 50), "motor")
    yield svg.line(((520, y + 186), (520, y + 210)))
    yield from svg.ground((520, y + 210))
    yield svg.text((556, y + 198), "nFAULT, open drain, to the fault pin")


def _permission(wiring: Wiring, y: float) -> Iterator[str]:
    """The gate is high only while the Pi drives it and, where it is wired, keeps it alive."""
    driven = [wire for wire in wiring.of("shaker") if wire.moves and wire.label != "keep-alive"]
    alive = [wire for wire in wiring.of("shaker") if wire.label == "keep-alive"]
    named = " and ".join(f"{wire.label}, GPIO {wire.gpio}" for wire in driven)
    yield svg.text((30, y - 74), named)
    yield svg.line(((30, y - 58), (250, y - 58)))
    yield from svg.resistor((60, y - 58), 60, "10 kΩ" if len(driven) == 1 else "10 kΩ each")
    yield from svg.ground((60, y + 2))
    if alive:
        yield from _cut_off(y, alive[0])
    else:
        yield svg.line(((250, y - 58), (330, y - 58), (330, y - 6), (400, y - 6)))


def _cut_off(y: float, alive: Wire) -> Iterator[str]:
    """An AND of the drive and a one-shot that pulses must start again and again."""
    yield from svg.labelled((250, y - 70), (90, 90), "AND", "74HC08", "at 3.3 V")
    yield svg.line(((340, y - 6), (400, y - 6)))
    yield svg.text((30, y + 60), f"keep-alive, GPIO {alive.gpio}")
    yield svg.line(((30, y + 78), (190, y + 78)))
    yield from svg.labelled((190, y + 50), (170, 56), "one-shot 74HC123", "100 ms, retriggerable")
    yield svg.line(((225, y + 50), (225, y), (250, y)))
    yield svg.text((380, y + 78), "no pulse for 100 ms: the AND is low, the motor off")
