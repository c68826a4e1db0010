"""Pins: low when opened, low when closed, and every error of the libraries told with advice."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.devices import DeviceError
from hardware.pins import LIBRARIES, check_chips, open_pins, told

if TYPE_CHECKING:
    from tests.hardware.conftest import Bench


class LgpioError(Exception):
    """What lgpio raises: no error of the system, with quotes in its text."""

    def __str__(self) -> str:
        return "'GPIO busy'"


def test_an_output_is_low_until_it_is_written_to_and_after_it_was_closed(bench: Bench) -> None:
    pin = bench.pins.output("lamp", 18, 200)
    assert bench.level(18) == pin.level == 0
    assert bench.factory.pin(18).frequency == 200
    pin.write(0.25)
    assert bench.level(18) == pin.level == 0.25
    pin.close()
    pin.close()
    assert pin.level == 0
    assert bench.level(18) == 0


def test_a_level_of_zero_is_written_before_the_pulses_are_taken_away(bench: Bench) -> None:
    pin = bench.pins.output("buzzer", 12)
    pin.write(0.5)
    seen: list[tuple[float, object]] = []
    mock = bench.factory.pin(12)
    change = mock._set_frequency

    def note(value: int | None) -> None:
        seen.append((mock.state, value))
        change(value)

    mock._set_frequency = note
    pin.close()
    assert seen[0] == (0.0, None)


def test_closing_all_drives_all_low_though_one_fails(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = [bench.pins.output("lamp", gpio) for gpio in (18, 23, 24)]
    for pin in outputs:
        pin.write(1.0)
    mocks = [bench.factory.pin(gpio) for gpio in (18, 23, 24)]

    def refuse(_value: float) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(mocks[0], "_set_state", refuse)
    with pytest.raises(DeviceError, match="GPIO 18"):
        bench.pins.close()
    assert [mock.function for mock in mocks[1:]] == ["input", "input"]
    monkeypatch.undo()


def test_an_input_is_pulled_up_and_low_while_its_contact_is_closed(bench: Bench) -> None:
    pin = bench.pins.input("lid", 17)
    seen = [pin.low]
    heard: list[bool] = []
    pin.watch(heard.append)
    for act in (bench.ground, bench.let_go):
        act(17)
        seen.append(pin.low)
    assert seen == [False, True, False]
    assert heard == [True, False]


def test_debouncing_is_left_to_the_library(bench: Bench) -> None:
    bench.pins.input("button", 27, 0.03)
    assert bench.factory.pin(27).bounce == 0.03


def test_a_pin_in_use_is_told(bench: Bench) -> None:
    bench.pins.output("lamp", 18)
    with pytest.raises(DeviceError, match=r"buzzer: GPIO 18: .* in use") as caught:
        bench.pins.output("buzzer", 18)
    assert caught.value.device == "buzzer"
    assert "another pin" in caught.value.advice


def test_a_pin_that_there_is_none_of_is_told(bench: Bench) -> None:
    with pytest.raises(DeviceError, match="lid: GPIO 77") as caught:
        bench.pins.input("lid", 77)
    assert "wordtray wiring" in caught.value.advice


@pytest.mark.parametrize(
    ("error", "message", "advice"),
    [
        (LgpioError(), "GPIO 23: GPIO busy$", "Another program has this pin"),
        (OSError(16, "Device or resource busy"), "resource busy", "Another program has this pin"),
        (RuntimeError("no such thing"), "no such thing", "wordtray wiring"),
    ],
)
def test_errors_of_the_library_are_told(error: Exception, message: str, advice: str) -> None:
    with (
        pytest.raises(DeviceError, match=message) as caught,
        told("shaker", "GPIO 23", (LgpioError,)),
    ):
        raise error
    assert caught.value.__cause__ is error
    assert advice in caught.value.advice


def test_errors_of_ours_are_ours() -> None:
    with pytest.raises(ZeroDivisionError), told("shaker", "GPIO 23", (LgpioError,)):
        raise ZeroDivisionError


def test_a_device_error_is_not_told_twice() -> None:
    with pytest.raises(DeviceError, match=r"^lid: it is gone$"), told("shaker", "GPIO 23", ()):
        raise DeviceError("lid", "it is gone", "Look.")


# Opening


def test_pins_of_thin_air_are_had_by_asking_alone_and_say_what_they_are() -> None:
    with open_pins("mock") as pins:
        assert pins.simulated


def test_a_library_that_there_is_none_of_is_named() -> None:
    with pytest.raises(ValueError, match="no library 'pigpio'; there are lgpio, rpigpio, mock"):
        open_pins("pigpio")


@pytest.mark.parametrize("library", LIBRARIES[:2])
def test_a_library_that_is_not_installed_is_told_with_its_package(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.pins.check_chips", lambda _: None)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(DeviceError, match=f"pins: the library {library} cannot be used") as caught:
        open_pins(library)
    assert "sudo apt install python3-" in caught.value.advice
    assert "--system-site-packages" in caught.value.advice


def test_the_empty_module_of_an_old_lgpio_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.pins.check_chips", lambda _: None)
    monkeypatch.setitem(sys.modules, "lgpio", type(sys)("lgpio"))
    with pytest.raises(DeviceError, match="cannot be used"):
        open_pins("lgpio")


def test_a_machine_without_pins_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"has no .*/gpiochip, so no pins") as caught:
        check_chips(None, tmp_path)
    assert "--simulate" in caught.value.advice


def test_a_chip_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    check_chips(None, tmp_path)
    check_chips(0, tmp_path)
    with pytest.raises(DeviceError, match="gpiochip4"):
        check_chips(4, tmp_path)


def test_a_chip_of_others_is_told_with_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may open everything
    with pytest.raises(DeviceError, match="may not be opened by this user") as caught:
        check_chips(None, tmp_path)
    assert "usermod -aG gpio" in caught.value.advice
