"""gpiozero's own factories over a library that writes down what it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from hardware.devices import DeviceError
from hardware.pins import open_pins

PI_4 = 0xC03114


class Library(ModuleType):
    """As much of lgpio as gpiozero uses: it keeps modes and remembers calls."""

    class error(Exception):  # noqa: N801, N818 - lgpio's name
        """What lgpio raises."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.calls: list[tuple[Any, ...]] = []
        self.outputs: set[int] = set()
        self.pulls: dict[int, int] = {}
        self.taken: set[int] = set()
        self.level = 1

    def gpiochip_open(self, chip: int) -> int:
        self.calls.append(("open", chip))
        return 7

    def gpiochip_close(self, handle: int) -> None:
        self.calls.append(("close", handle))

    def gpio_claim_input(self, _handle: int, gpio: int, flags: int = 0) -> None:
        if gpio in self.taken:
            raise Library.error("GPIO busy")
        self.outputs.discard(gpio)
        self.pulls[gpio] = flags
        self.calls.append(("input", gpio, flags))

    def gpio_claim_output(self, _handle: int, gpio: int, level: int = 0) -> None:
        self.outputs.add(gpio)
        self.calls.append(("output", gpio, level))

    def gpio_get_mode(self, _handle: int, gpio: int) -> int:
        return 2 if gpio in self.outputs else self.pulls.get(gpio, 0)

    def gpio_free(self, _handle: int, gpio: int) -> None:
        self.calls.append(("free", gpio))

    def gpio_read(self, _handle: int, _gpio: int) -> int:
        return self.level

    def tx_pwm(self, _handle: int, gpio: int, frequency: int, duty: int) -> None:
        self.calls.append(("pwm", gpio, frequency, duty))

    def gpio_set_debounce_micros(self, _handle: int, gpio: int, micros: int) -> None:
        self.calls.append(("debounce", gpio, micros))

    def gpio_claim_alert(self, _handle: int, gpio: int, edges: int, _flags: int) -> None:
        self.calls.append(("alert", gpio, edges))

    def callback(self, _handle: int, gpio: int, _edges: int, called: Any) -> Library:  # noqa: ANN401
        self.calls.append(("callback", gpio))
        self.called = called
        return self

    def cancel(self) -> None:
        self.calls.append(("cancel",))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The library in the place of lgpio, on a Pi 4."""
    fake = Library()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("hardware.pins.check_chips", lambda _: None)
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._get_revision", lambda _: PI_4)
    monkeypatch.setenv("LG_WD", "/run/wordtray")  # what is opened here leaves no trace
    yield fake
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_an_output_is_claimed_low_and_given_pulses_of_no_length(library: Library) -> None:
    with open_pins("lgpio") as pins:
        pins.output("shaker", 23, 1000)
    claimed = [call for call in library.calls if call[0] == "output"]
    pulses = [call for call in library.calls if call[0] == "pwm"]
    assert library.calls[0] == ("open", 0)
    assert claimed == [("output", 23, 0)]
    assert pulses[0] == ("pwm", 23, 1000, 0)
    assert all(duty == 0 for *_, duty in pulses)


def test_an_output_ends_with_pulses_of_no_length_before_they_are_taken_away(
    library: Library,
) -> None:
    pins = open_pins("lgpio", chip=4)
    pins.output("shaker", 23, 1000).write(0.5)
    library.calls.clear()
    pins.close()
    pulses = [call for call in library.calls if call[0] == "pwm"]
    assert pulses == [("pwm", 23, 1000, 0), ("pwm", 23, 0, 0)]
    assert library.calls[-1] == ("close", 7)
    assert 23 not in library.outputs


def test_an_input_is_pulled_up_and_debounced_by_the_library(library: Library) -> None:
    with open_pins("lgpio") as pins:
        pin = pins.input("button", 27, 0.03)
        heard: list[bool] = []
        pin.watch(heard.append)
        seen = [pin.low]
        library.level = 0
        seen.append(pin.low)
        library.called(0, 27, 0, 1_000_000)
    assert ("input", 27, Library.SET_PULL_UP) in library.calls
    assert ("debounce", 27, 30_000) in library.calls
    assert seen == [False, True]
    assert heard == [True]


def test_a_pin_of_another_program_is_told_with_what_to_do(library: Library) -> None:
    library.taken.add(23)
    with open_pins("lgpio") as pins, pytest.raises(DeviceError, match="GPIO busy") as caught:
        pins.output("shaker", 23)
    assert str(caught.value) == "shaker: GPIO 23: GPIO busy"
    assert "systemctl status wordtray" in caught.value.advice


def test_the_library_writes_its_pipe_where_such_things_belong(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LG_WD")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    open_pins("lgpio").close()
    assert os.environ["LG_WD"] == "/run/user/1000"
    monkeypatch.setenv("LG_WD", "/run/wordtray")
    open_pins("lgpio").close()
    assert os.environ["LG_WD"] == "/run/wordtray"
    assert library.calls.count(("open", 0)) == 2


def test_a_machine_that_is_no_pi_is_told(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero.exc import PinUnknownPi  # noqa: PLC0415 - beside its only use

    def unknown(_factory: object) -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._get_revision", unknown)
    with pytest.raises(DeviceError, match="unable to locate Pi revision") as caught:
        open_pins("lgpio")
    assert "--simulate" in caught.value.advice
    assert library.calls == []


def test_the_other_library_is_taken_where_it_is_named_and_no_third(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(DeviceError, match="rpigpio cannot be used") as caught:
        open_pins("rpigpio")
    assert "python3-rpi-lgpio" in caught.value.advice
    assert library.calls == []
