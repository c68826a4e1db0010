"""Twins of all devices, for a laptop, the demo and the tests; they ship with the product.

They are chosen by asking for them, never as a silent stand-in for a device that is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.clock import Clock
from hardware.devices import DeviceError, Devices
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.faults import Script, Scripted
from hardware.simulated.inputs import SimulatedButton, SimulatedLid
from hardware.simulated.outputs import (
    SimulatedBuzzer,
    SimulatedDisplay,
    SimulatedLamp,
    SimulatedSandTimer,
)
from hardware.simulated.shaker import SimulatedShaker
from hardware.simulated.tray import Faces, Render, Roll, SimulatedTray
from hardware.simulated.twin import Call, Fault, OnCall, nobody

__all__ = [
    "Call",
    "Faces",
    "Fault",
    "Script",
    "Scripted",
    "SimulatedDevices",
    "SimulatedTray",
    "simulated_devices",
]


@dataclass(frozen=True)
class SimulatedDevices(Devices):
    """A whole machine of twins, and the tray that they share."""

    shaker: SimulatedShaker
    lid: SimulatedLid
    lamp: SimulatedLamp
    sand_timer: SimulatedSandTimer
    buzzer: SimulatedBuzzer
    button: SimulatedButton
    display: SimulatedDisplay
    camera: SimulatedCamera
    tray: SimulatedTray


def simulated_devices(
    roll: Roll,
    render: Render,
    clock: Clock,
    on_call: OnCall = nobody,
    *,
    seed: int = 0,
    spin_chance: float = 0.0,
    script: Script | None = None,
    render_cocked: Render | None = None,
) -> SimulatedDevices:
    """Build a machine of twins.

    Args:
        roll: throws the cubes; called once here and once a shake.
        render: makes the photo of faces.
        clock: all waiting happens on it.
        on_call: hears of each call to any twin, in order.
        seed: of the rocking, the spinning and the camera's noise.
        spin_chance: probability that a cube spins until nudged, 0–1.
        script: faults that are to happen.
        render_cocked: makes the photo where a cube leans on another.

    Raises:
        DeviceError: a pin is busy, as the script has it.
        ValueError: the script has cocked cubes, and ``render_cocked`` is not given.
    """
    script = script or Script()
    if script.due("pins-busy"):
        raise DeviceError(
            "shaker",
            "GPIO 23: GPIO busy, as the simulation was told to",
            "Another program has this pin: stop it, or name another pin in the settings.",
        )
    rng = np.random.default_rng(seed)
    tray = SimulatedTray(
        roll, render, clock, rng, spin_chance, script=script, render_cocked=render_cocked
    )
    lid = SimulatedLid(clock, on_call, script)
    lamp = SimulatedLamp(clock, on_call, script)
    return SimulatedDevices(
        shaker=SimulatedShaker(tray, lid, clock, on_call, script),
        lid=lid,
        lamp=lamp,
        sand_timer=SimulatedSandTimer(clock, on_call, script),
        buzzer=SimulatedBuzzer(clock, on_call, script),
        button=SimulatedButton(clock, on_call, script),
        display=SimulatedDisplay(clock, on_call, script),
        camera=SimulatedCamera(tray, lamp, clock, rng, on_call, script=script),
        tray=tray,
    )
