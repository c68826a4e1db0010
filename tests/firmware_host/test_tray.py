"""The owner of the devices: how it waits for the cubes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from firmware_host.photos import PhotoFolder
from firmware_host.rounds import AwaitRest, Settled, StillMoving
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import SimulatedDevices, simulated_devices
from hardware.simulated.camera import SimulatedCamera
from scoring.lexicon import Lexicon
from vision import settle
from vision.errors import NoTrayError
from vision.reading import TrayReading

FACES = (("A", "B"), ("C", "D"))
LEXICON = Lexicon.from_words("test", ["cab"])


class SlowToStart(SimulatedCamera):
    """Its first picture comes when its library has been loaded and its exposure has settled."""

    def __init__(self, devices: SimulatedDevices, clock: ManualClock, start_s: float) -> None:
        super().__init__(devices.tray, devices.lamp, clock, np.random.default_rng(3))
        self._start_s = start_s

    def capture(self) -> Photo:
        self._clock.sleep(self._start_s)
        self._start_s = 0.0
        return super().capture()


def chequered(_faces: object, number: int) -> Photo:
    return np.random.default_rng(number).integers(60, 200, (96, 128, 3), np.uint8)


def unread(_photo: Photo) -> TrayReading:
    raise NoTrayError("nothing is read here", "Do not.")


def owner(folder: Path, start_s: float, spin_chance: float) -> Tray:
    """Of a tray that has just been shaken under its lamp."""
    clock = ManualClock()
    devices = simulated_devices(lambda: FACES, chequered, clock, spin_chance=spin_chance)
    devices = replace(devices, camera=SlowToStart(devices, clock, start_s))
    devices.lamp.on()
    devices.shaker.shake(1.0)
    return Tray(devices, clock, unread, PhotoFolder(folder), LEXICON)


def test_a_camera_that_takes_long_to_start_does_not_make_the_cubes_restless(tmp_path: Path) -> None:
    tray = owner(tmp_path, settle.TIME_OUT_S + 1, spin_chance=0.0)
    assert tray.perform(AwaitRest()) == Settled()


def test_a_cube_that_spins_is_given_its_time_and_no_more(tmp_path: Path) -> None:
    tray = owner(tmp_path, 3.0, spin_chance=1.0)
    begun = tray.clock.monotonic()
    assert tray.perform(AwaitRest()) == StillMoving()
    waited = tray.clock.monotonic() - begun - 3.0
    assert settle.TIME_OUT_S <= waited < settle.TIME_OUT_S + 1
