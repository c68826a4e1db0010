"""The seams: each twin fits its Protocol, and a machine closes all of its devices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.clock import ManualClock
from hardware.devices import (
    Button,
    Buzzer,
    Camera,
    Device,
    DeviceError,
    Devices,
    Display,
    Lamp,
    Lid,
    SandTimer,
    Shaker,
)
from hardware.simulated import Call, SimulatedDevices
from hardware.simulated.outputs import SimulatedBuzzer, SimulatedLamp

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


class StuckLamp(SimulatedLamp):
    """A lamp whose driver is gone when it is to be closed."""

    def close(self) -> None:
        raise DeviceError("lamp", "the driver is gone", "Look at the cable.")


class StuckBuzzer(SimulatedBuzzer):
    """A buzzer that breaks with an error of the library below."""

    def close(self) -> None:
        raise OSError("bad file descriptor")


def closed(calls: list[Call]) -> list[str]:
    return [call.device for call in calls if call.action == "close"]


def test_each_twin_fits_its_protocol_for_the_type_checker(machine: SimulatedDevices) -> None:
    shaker: Shaker = machine.shaker
    lid: Lid = machine.lid
    lamp: Lamp = machine.lamp
    sand_timer: SandTimer = machine.sand_timer
    buzzer: Buzzer = machine.buzzer
    button: Button = machine.button
    display: Display = machine.display
    camera: Camera = machine.camera
    devices: tuple[Device, ...] = (
        *(shaker, lid, lamp, sand_timer),
        *(buzzer, button, display, camera),
    )
    assert {device.name for device in devices} == set(PROTOCOLS)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_twin_fits_its_protocol_and_says_what_it_is(
    machine: SimulatedDevices, name: str
) -> None:
    twin = getattr(machine, name)
    assert twin.name == name
    assert twin.simulated
    assert isinstance(twin, PROTOCOLS[name])


def test_protocols_tell_devices_apart(machine: SimulatedDevices) -> None:
    assert not isinstance(machine.lamp, Camera)
    assert not isinstance(machine.camera, Lamp)


def test_iteration_gives_each_device_once(machine: SimulatedDevices) -> None:
    assert sorted(device.name for device in machine) == sorted(PROTOCOLS)


@pytest.mark.parametrize("twins", [0, 1, 8])
def test_a_machine_with_any_twin_counts_as_simulated(
    machine: SimulatedDevices, monkeypatch: pytest.MonkeyPatch, twins: int
) -> None:
    for real in list(machine)[twins:]:
        monkeypatch.setattr(real, "simulated", False)
    assert machine.simulated == (twins > 0)


def test_leaving_closes_all_and_stops_first_what_moves(
    machine: SimulatedDevices, calls: list[Call]
) -> None:
    with machine as entered:
        assert entered is machine
    assert closed(calls) == [device.name for device in machine]
    assert closed(calls)[0] == "shaker"


def test_closing_twice_is_harmless(machine: SimulatedDevices, calls: list[Call]) -> None:
    machine.close()
    machine.close()
    assert len(closed(calls)) == len(PROTOCOLS)


def test_one_device_that_fails_to_close_leaves_no_other_open(
    machine: SimulatedDevices, clock: ManualClock, calls: list[Call]
) -> None:
    broken: Devices = replace(machine, lamp=StuckLamp(clock))
    with pytest.raises(DeviceError, match="driver is gone"):
        broken.close()
    assert set(closed(calls)) == set(PROTOCOLS) - {"lamp"}


def test_two_failures_at_closing_are_both_told(
    machine: SimulatedDevices, clock: ManualClock, calls: list[Call]
) -> None:
    broken = replace(machine, lamp=StuckLamp(clock), buzzer=StuckBuzzer(clock))
    with pytest.raises(OSError, match="bad file") as caught:
        broken.close()
    assert isinstance(caught.value.__context__, DeviceError)
    assert set(closed(calls)) == set(PROTOCOLS) - {"lamp", "buzzer"}


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_every_way_out_drives_the_outputs_off(
    machine: SimulatedDevices, error: type[BaseException]
) -> None:
    machine.lamp.on()
    machine.sand_timer.show(1.0)
    machine.display.show("hello")
    with pytest.raises(error), machine:
        raise error
    assert not machine.lamp.lit
    assert machine.sand_timer.left is None
    assert machine.display.lines == ()


def test_an_error_while_closing_does_not_hide_the_one_before(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    broken = replace(machine, lamp=StuckLamp(clock))
    with pytest.raises(DeviceError, match="driver is gone") as caught, broken:
        raise ZeroDivisionError
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def test_a_device_error_names_the_device_and_says_what_to_do() -> None:
    error = DeviceError("camera", "no picture came in 5 s", "Check the ribbon cable.")
    assert str(error) == "camera: no picture came in 5 s"
    assert (error.device, error.advice) == ("camera", "Check the ribbon cable.")
