"""What every machine promises, of twins and of real parts on pins of thin air alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.devices import (
    LONGEST_SHAKE_S,
    TUNES,
    Adjustable,
    Button,
    Buzzer,
    Camera,
    Device,
    DeviceError,
    Devices,
    Display,
    Exposure,
    Lamp,
    Lid,
    SandTimer,
    Shaker,
)

if TYPE_CHECKING:
    from tests.hardware.conftest import Rig

STEP_S = 0.02
"""Seconds within which a motor stands still again."""

USES: dict[str, Callable[[Devices], object]] = {
    "shaker": lambda machine: machine.shaker.shake(1.0),
    "lid": lambda machine: machine.lid.closed,
    "lamp": lambda machine: machine.lamp.on(),
    "sand_timer": lambda machine: machine.sand_timer.show(0.5),
    "buzzer": lambda machine: machine.buzzer.play("end"),
    "button": lambda machine: machine.button.on_press(print),
    "display": lambda machine: machine.display.show("hello"),
    "camera": lambda machine: machine.camera.capture(),
}
MOVES: tuple[Callable[[Devices], object], ...] = (
    USES["shaker"],
    lambda machine: machine.shaker.nudge(),
)
MORE_USES: dict[str, Callable[[Devices], object]] = {
    "shaker": MOVES[1],
    "lamp": lambda machine: machine.lamp.off(),
    "sand_timer": lambda machine: machine.sand_timer.off(),
    "button": lambda machine: machine.button.on_action(print),
    "display": lambda machine: machine.display.show_join("http://tray.local:8000/"),
}
PROTOCOLS: dict[str, type] = {
    "shaker": Shaker,
    "lid": Lid,
    "lamp": Lamp,
    "sand_timer": SandTimer,
    "buzzer": Buzzer,
    "button": Button,
    "display": Display,
    "camera": Camera,
}

every_device = pytest.mark.parametrize("name", USES)


@every_device
def test_it_fits_its_protocol_and_has_the_name_of_its_field(rig: Rig, name: str) -> None:
    device: Device = getattr(rig.devices, name)
    assert device.name == name
    assert isinstance(device, PROTOCOLS[name])


@every_device
def test_it_works_and_once_closed_it_refuses_every_call(rig: Rig, name: str) -> None:
    USES[name](rig.devices)
    device: Device = getattr(rig.devices, name)
    device.close()
    device.close()
    for uses in (USES, MORE_USES):
        with pytest.raises(DeviceError, match=f"^{name}: it was closed"):
            uses.get(name, USES[name])(rig.devices)


@pytest.mark.parametrize("seconds", [0.003, 0.2, 1.0, LONGEST_SHAKE_S])
def test_a_shake_takes_its_time(rig: Rig, seconds: float) -> None:
    rig.devices.shaker.shake(seconds)
    assert rig.clock.monotonic() == pytest.approx(seconds)


@pytest.mark.parametrize("seconds", [0.0, -1.0, LONGEST_SHAKE_S + 0.1, float("inf"), float("nan")])
def test_a_shake_of_a_wrong_length_does_not_begin(rig: Rig, seconds: float) -> None:
    with pytest.raises(DeviceError, match="at most 10 s"):
        rig.devices.shaker.shake(seconds)
    assert rig.clock.monotonic() == 0.0


def test_a_nudge_is_short(rig: Rig) -> None:
    rig.devices.shaker.nudge()
    assert 0.05 < rig.clock.monotonic() < 0.5


def test_nothing_moves_under_an_open_lid(rig: Rig) -> None:
    rig.open_lid()
    seen = [rig.devices.lid.closed]
    for move in MOVES:
        with pytest.raises(DeviceError, match="the lid is open"):
            move(rig.devices)
    assert rig.clock.monotonic() == 0.0
    rig.shut_lid()
    seen.append(rig.devices.lid.closed)
    assert seen == [False, True]
    rig.devices.shaker.shake(1.0)
    assert rig.clock.monotonic() == pytest.approx(1.0)


@pytest.mark.parametrize("how", ["lid", "stop", "close"])
def test_a_run_ends_within_20_ms_of_what_ends_it(rig: Rig, how: str) -> None:
    ends = {
        "lid": rig.open_lid,
        "stop": lambda: rig.devices.shaker.stop("a person said so"),
        "close": rig.devices.shaker.close,
    }
    rig.clock.at(1.0, ends[how])
    with pytest.raises(DeviceError, match=r"lid is open|a person said so|it was closed"):
        rig.devices.shaker.shake(3.0)
    assert 1.0 <= rig.clock.monotonic() <= 1.0 + STEP_S + 1e-9


def test_a_stop_latches_until_it_is_cleared(rig: Rig) -> None:
    shaker = rig.devices.shaker
    seen = [shaker.latched]
    shaker.stop("smoke")
    shaker.stop("and noise")
    seen.append(shaker.latched)
    for move in MOVES:
        with pytest.raises(DeviceError, match="smoke") as caught:
            move(rig.devices)
        assert caught.value.retry_after_s is None
        assert "button" in caught.value.advice
    shaker.clear()
    seen.append(shaker.latched)
    assert seen == [None, "smoke", None]
    assert rig.clock.monotonic() == 0.0
    shaker.shake(1.0)


def test_a_lid_that_was_opened_is_no_latch(rig: Rig) -> None:
    rig.clock.at(0.5, rig.open_lid)
    with pytest.raises(DeviceError, match="lid"):
        rig.devices.shaker.shake(2.0)
    rig.shut_lid()
    assert rig.devices.shaker.latched is None
    rig.devices.shaker.shake(1.0)


def test_the_lamp_tells_whether_it_is_lit(rig: Rig) -> None:
    lamp = rig.devices.lamp
    seen = [lamp.lit]
    for act in (lamp.on, lamp.on, lamp.off, lamp.on, lamp.close):
        act()
        seen.append(lamp.lit)
    assert seen == [False, True, True, False, True, False]


@pytest.mark.parametrize("left", [-1.0, 0.0, 0.5, 1.0, 7.0])
def test_the_sand_timer_takes_any_share(rig: Rig, left: float) -> None:
    rig.devices.sand_timer.show(left)
    rig.devices.sand_timer.off()


def test_the_buzzer_plays_every_tune_and_no_other(rig: Rig) -> None:
    for tune in TUNES:
        rig.devices.buzzer.play(tune)
    with pytest.raises(ValueError, match="no tune 'waltz'; the tunes are start"):
        rig.devices.buzzer.play("waltz")


def test_a_press_calls_the_last_callback_once(rig: Rig) -> None:
    heard: list[str] = []
    rig.press()
    rig.devices.button.on_press(lambda: heard.append("first"))
    rig.devices.button.on_action(heard.append)
    rig.press()
    rig.devices.button.on_press(lambda: heard.append("second"))
    rig.press()
    assert heard == ["first", "second"]


def test_a_long_press_of_the_button_of_the_round_is_told_as_such(rig: Rig) -> None:
    heard: list[str] = []
    rig.hold()
    rig.devices.button.on_press(lambda: heard.append("press"))
    rig.devices.button.on_action(heard.append)
    rig.devices.button.on_hold(lambda action: heard.append(f"held: {action}"))
    rig.hold()
    rig.press()
    assert heard == ["held: cancel", "press"]
    rig.devices.button.close()
    with pytest.raises(DeviceError, match="it was closed"):
        rig.devices.button.on_hold(heard.append)


def test_a_picture_is_an_rgb_photo(rig: Rig) -> None:
    rig.devices.lamp.on()
    photo = rig.devices.camera.capture()
    assert photo.ndim == 3
    assert photo.shape[2] == 3
    assert photo.dtype == np.uint8


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_every_way_out_leaves_the_lamp_dark(rig: Rig, error: type[BaseException]) -> None:
    rig.devices.lamp.on()
    with pytest.raises(error), rig.devices:
        raise error
    assert not rig.devices.lamp.lit


def test_an_exposure_that_is_set_is_told(rig: Rig) -> None:
    camera = rig.devices.camera
    assert isinstance(camera, Adjustable)
    rig.devices.lamp.on()
    camera.capture()
    camera.expose(Exposure(9_000, 1.0))
    assert camera.capture().shape[2] == 3


@pytest.mark.parametrize("power", [0.3, 1.0])
def test_a_shake_of_another_power_takes_its_time_all_the_same(rig: Rig, power: float) -> None:
    begin = rig.clock.monotonic()
    rig.devices.shaker.shake(1.0, power)
    assert rig.clock.monotonic() - begin == pytest.approx(1.0)
