"""A simulated tray: twins of all devices over rolled cubes and rendered photos."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from firmware_host.flatness import FlatnessJudge
from firmware_host.photos import PhotoFolder, Pictures
from firmware_host.reading import PhotoReader
from firmware_host.tray import Tray
from hardware.clock import Clock
from hardware.devices import Photo
from hardware.simulated import Faces, Script, Scripted, SimulatedDevices, simulated_devices
from hardware.simulated.camera import SimulatedCamera
from scoring.board import Board
from scoring.cubes import CubeSet
from scoring.lexicon import Lexicon
from vision.flatness import FlatnessNet
from vision.render.cubes import Posture
from vision.render.tray import PhotoOptions, photograph, random_setting, render_tray
from vision.render.typefaces import shipped_typefaces

if TYPE_CHECKING:
    from firmware_host.calibration.stored import Calibration
    from vision.render.scene import Scene

COCKED_DEGREES = 25.0
"""How far a cocked cube leans."""


@dataclass(frozen=True)
class Simulation:
    """A tray whose devices are all made up, and the truth about it.

    Attributes:
        cubes: the cube set in the tray.
        seed: the same seed shakes the same boards and takes the same photos.
        clock: the clock of tray and timer.
        devices: the twins.
        reader: reads what the twins' camera shows, never the truth.
        tray: their owner.
        pictures: what people look at.
        faults: what was told to go wrong; whoever shows results says so.
    """

    cubes: CubeSet
    seed: int
    clock: Clock
    devices: SimulatedDevices
    reader: PhotoReader
    tray: Tray
    pictures: Pictures
    faults: tuple[Scripted, ...] = ()

    @property
    def board(self) -> Board:
        """What really lies in the tray; for showing and checking only."""
        return Board.from_faces(self.devices.tray.faces)


def simulate(
    cubes: CubeSet,
    seed: int,
    clock: Clock,
    pictures: Path,
    lexicon: Lexicon,
    *,
    photos: PhotoFolder | None = None,
    shakes: int = 0,
    script: Script | None = None,
    calibration: Calibration | None = None,
    steady: bool = False,
) -> Simulation:
    """Put a simulated tray together.

    Args:
        cubes: the cube set in it.
        seed: of everything made up.
        clock: the clock of tray and timer.
        pictures: folder for the pictures that people look at.
        lexicon: proves the words.
        photos: where the photos are kept; None is among the pictures.
        shakes: how often it was shaken in an earlier sitting; the next boards are the next ones.
        script: faults that are to happen; it counts on where one tray follows another.
        calibration: of its camera, where there is one; such a tray is steady.
        steady: camera, light and tray stay as they are from shake to shake; else each photo is of
            another tray at another place.

    Raises:
        DeviceError: a pin is busy, as the script has it.
    """
    script = script or Script()
    rng = random.Random(seed)
    for _ in range(shakes):
        cubes.roll(rng)

    place = _steady_scene(cubes, seed) if steady or calibration else None

    def render(faces: Faces, number: int) -> Photo:
        scene = np.random.default_rng((seed, number))
        board = Board.from_faces(faces)
        if place is not None:
            return photograph(board, place, scene).photo
        return render_tray(board, scene).photo

    def render_cocked(faces: Faces, number: int) -> Photo:
        return _cocked(Board.from_faces(faces), np.random.default_rng((seed, number)), place)

    devices = simulated_devices(
        lambda: cubes.roll(rng).faces,
        render,
        clock,
        seed=seed,
        script=script,
        render_cocked=render_cocked,
    )
    reader = PhotoReader.standard(cubes.name)
    judge = FlatnessJudge(FlatnessNet.load())
    if calibration is not None:
        expose(devices.camera, calibration)
    kept = photos or PhotoFolder(pictures)
    tray = Tray(devices, clock, reader.read, kept, lexicon, judge, calibration)
    shown = Pictures(pictures)
    return Simulation(cubes, seed, clock, devices, reader, tray, shown, script.faults)


def _steady_scene(cubes: CubeSet, seed: int) -> Scene:
    """Camera, light and tray that stay as they are."""
    empty = Board.from_faces([["#"] * cubes.cols] * cubes.rows)
    options = PhotoOptions()
    return random_setting(empty, np.random.default_rng(seed), options, shipped_typefaces())


def expose(camera: SimulatedCamera, calibration: Calibration) -> None:
    """Have a camera take its pictures as it was calibrated."""
    if calibration.exposure is not None and calibration.exposure.exposure is not None:
        camera.expose(calibration.exposure.exposure)


def _cocked(board: Board, rng: np.random.Generator, place: Scene | None) -> Photo:
    """A photo in which one cube leans."""
    scene = place or random_setting(board, rng, PhotoOptions(), shipped_typefaces())
    cell = board.cells[rng.integers(len(board))]
    leaning = replace(scene, postures={cell: Posture(COCKED_DEGREES, rng.uniform(0, 360))})
    return photograph(board, leaning, rng).photo
