"""Driving off: what moves first, all of it, whatever one of them does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.outputs import drive_off
from firmware_host.settings import Settings
from hardware.devices import DeviceError
from hardware.pins import OutputPin, Pins, open_pins

OUTPUTS = {
    "shaker.forward_pin",
    "shaker.keep_alive_pin",
    "lamp.pin",
    "sand_timer.red_pin",
    "sand_timer.green_pin",
    "buzzer.pin",
}


class Watched(Pins):
    """Pins of thin air that note what is driven, and of which one may be busy."""

    def __init__(self, busy: int | None = None) -> None:
        with open_pins("mock") as made:
            super().__init__(made._factory, simulated=True)
        self.driven: list[int] = []
        self._busy = busy

    def output(self, device: str, pin: int, frequency_hz: int = 1000) -> OutputPin:
        self.driven.append(pin)
        if pin == self._busy:
            raise DeviceError(device, f"GPIO {pin}: busy", "Stop the other program.")
        return super().output(device, pin, frequency_hz)


class Bus:
    """Notes what is sent."""

    def __init__(self) -> None:
        self.sent = b""
        self.closed = False

    def writebytes2(self, values: Sequence[int]) -> None:
        self.sent = bytes(values)

    def close(self) -> None:
        self.closed = True


def no_bus(_speed_hz: int) -> Bus:
    pytest.fail("there is no strip")


def test_every_output_is_driven_off_and_the_motor_first() -> None:
    pins = Watched()
    driven = list(drive_off(Settings(), lambda *_: pins, no_bus))
    assert {one.role for one in driven} == OUTPUTS
    assert not any(one.error for one in driven)
    assert all(one.simulated for one in driven)
    assert pins.driven[:2] == [23, 25]


def test_one_that_is_busy_keeps_none_of_the_others_on() -> None:
    pins = Watched(busy=23)
    driven = {one.role: one.error for one in drive_off(Settings(), lambda *_: pins, no_bus)}
    assert set(driven) == OUTPUTS
    assert [role for role, error in driven.items() if error] == ["shaker.forward_pin"]
    assert len(pins.driven) == len(OUTPUTS)


def test_without_a_chip_that_is_told_once() -> None:
    def none(_library: str, _chip: int | None) -> Pins:
        raise DeviceError("pins", "there is no chip", "Run it on a Pi.")

    (driven,) = drive_off(Settings(), none, no_bus)
    assert (driven.role, str(driven.error)) == ("pins", "pins: there is no chip")


def test_without_a_chip_a_strip_still_goes_dark() -> None:
    def none(_library: str, _chip: int | None) -> Pins:
        raise DeviceError("pins", "there is no chip", "Run it on a Pi.")

    settings = Settings.model_validate({"sand_timer": {"kind": "apa102", "leds": 3}})
    bus = Bus()
    driven = {one.role: one.error for one in drive_off(settings, none, lambda _: bus)}
    assert set(driven) == {"pins", "sand_timer"}
    assert driven["sand_timer"] is None
    assert bus.closed


def test_a_strip_goes_dark() -> None:
    settings = Settings.model_validate({"sand_timer": {"kind": "apa102", "leds": 3}})
    bus = Bus()
    driven = {
        one.role: one.error for one in drive_off(settings, lambda *_: Watched(), lambda _: bus)
    }
    assert driven["sand_timer"] is None
    assert bus.sent
    assert bus.closed


def test_a_strip_that_is_not_there_is_told() -> None:
    settings = Settings.model_validate({"sand_timer": {"kind": "ws2812"}})

    def none(_speed_hz: int) -> Bus:
        raise DeviceError("sand_timer", "there is no bus", "Switch it on.")

    driven = {one.role: one.error for one in drive_off(settings, lambda *_: Watched(), none)}
    assert driven["sand_timer"] is not None
    assert driven["shaker.forward_pin"] is None
