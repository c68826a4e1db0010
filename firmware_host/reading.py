"""Reads photo files: the vision room put together with the shipped weights and a clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.cubes import CubeSet, cube_set
from vision.annotate import annotate
from vision.dice.annotate import annotate_dice
from vision.dice.read import read_dice
from vision.dice.reading import DiceReading
from vision.faces import FaceClassifier
from vision.photo import Photo, load_reduced
from vision.reading import TrayReading
from vision.tray import read_tray

JPEG_QUALITY = 90


@dataclass(frozen=True)
class TimedReading:
    """A reading and the seconds that it took, from the file to the letters."""

    reading: TrayReading
    seconds: float


@dataclass(frozen=True)
class PhotoReader:
    """Reads photo files of trays.

    Args:
        classifier: tells the faces.
        edition: the cube set that lies in the tray, or None to find it out.
    """

    classifier: FaceClassifier
    edition: CubeSet | None

    @classmethod
    def standard(cls, edition: str | None = None) -> PhotoReader:
        """With the shipped weights.

        Raises:
            UnknownCubeSetError: no such edition.
        """
        return cls(FaceClassifier(), cube_set(edition) if edition else None)

    def read_file(self, file: Path) -> TimedReading:
        """Read one photo.

        Raises:
            VisionError: the file is no usable photo, or shows no tray.
        """
        start = time.perf_counter()
        photo = load_reduced(file)
        reading = self.read(photo.pixels).scaled(photo.scale)
        return TimedReading(reading, time.perf_counter() - start)

    def read(self, photo: NDArray[np.uint8]) -> TrayReading:
        """Read a photo that a camera took, (height, width, 3), RGB."""
        return read_tray(photo, self.classifier, self.edition)

    def annotate(self, file: Path, reading: TrayReading, picture: Path) -> Path:
        """Write the photo, no larger than it was read, with its letters; gives ``picture``.

        Raises:
            OSError: the picture cannot be written.
        """
        return write_drawn(
            file, picture, lambda photo: annotate(photo.pixels, reading.scaled(1 / photo.scale))
        )


@dataclass(frozen=True)
class TimedDice:
    """A reading of dice and the seconds that it took."""

    reading: DiceReading
    seconds: float


class DiceReader:
    """Reads photo files of thrown dice."""

    def read_file(self, file: Path) -> TimedDice:
        """Read one photo.

        Raises:
            VisionError: the file is no usable photo, or shows no dice.
        """
        start = time.perf_counter()
        photo = load_reduced(file)
        reading = read_dice(photo.pixels).scaled(photo.scale)
        return TimedDice(reading, time.perf_counter() - start)

    def annotate(self, file: Path, reading: DiceReading, picture: Path) -> Path:
        """As `PhotoReader.annotate`, with the pips of the dice."""
        return write_drawn(
            file,
            picture,
            lambda photo: annotate_dice(photo.pixels, reading.scaled(1 / photo.scale)),
        )


def write_drawn(file: Path, picture: Path, draw: Callable[[Photo], NDArray[np.uint8]]) -> Path:
    """Draw over a photo and write it as ``picture``.

    Raises:
        OSError: the picture cannot be written.
    """
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(draw(load_reduced(file))).save(picture, quality=JPEG_QUALITY)
    return picture
