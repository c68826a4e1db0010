"""Reads photo files: the vision room put together with the shipped weights and a clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
from vision.tray import read_tray, read_trays

JPEG_QUALITY = 90


@dataclass(frozen=True)
class TimedReading:
    """What a photo showed.

    Attributes:
        reading: of the tray, the largest where there are several.
        seconds: that it took, from the file to the letters.
        others: of the other trays, the largest first.
    """

    reading: TrayReading
    seconds: float
    others: tuple[TrayReading, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether any cell of any tray must be confirmed."""
        return any(reading.doubtful for reading in (self.reading, *self.others))


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
        found = read_trays(photo.pixels, self.classifier, self.edition)
        reading, *others = (tray.scaled(photo.scale) for tray in found)
        return TimedReading(reading, time.perf_counter() - start, tuple(others))

    def read(self, photo: NDArray[np.uint8]) -> TrayReading:
        """Read the largest tray in a photo that a camera took, (height, width, 3), RGB."""
        return read_tray(photo, self.classifier, self.edition)

    def annotate(
        self, file: Path, reading: TrayReading, picture: Path, others: Sequence[TrayReading] = ()
    ) -> Path:
        """Write the photo, no larger than it was read, with its letters; gives ``picture``.

        Raises:
            OSError: the picture cannot be written.
        """
        trays = (reading, *others)
        return write_drawn(
            file,
            picture,
            lambda photo: annotate(photo.pixels, *(tray.scaled(1 / photo.scale) for tray in trays)),
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
