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
from vision.confirm import ScoredTray
from vision.dice.annotate import annotate_dice
from vision.dice.read import read_dice
from vision.dice.reading import DiceReading
from vision.errors import NoTrayError
from vision.faces import FaceClassifier
from vision.fuse import fused_tray
from vision.photo import Photo, load_reduced
from vision.reading import TrayReading
from vision.second_opinion import upright_prints, with_second_opinion
from vision.tray import decoded_tray, find_trays, read_tray, read_trays

JPEG_QUALITY = 90

SecondReader = Callable[[NDArray[np.uint8]], Sequence[str]]
"""Another reader of single prints, as of `firmware_host.tesseract.Tesseract.letters`."""


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
class BurstReading:
    """A reading of several photos of one tray.

    Attributes:
        timed: the reading, lying as in the first photo that shows the tray.
        used: the photos that show the tray; the corners are those in the first.
    """

    timed: TimedReading
    used: tuple[Path, ...]


@dataclass(frozen=True)
class _Sight:
    """What one photo of a burst shows; the photo itself is let go of."""

    scored: ScoredTray
    shape: tuple[int, ...]
    scale: float


@dataclass(frozen=True)
class PhotoReader:
    """Reads photo files of trays.

    Args:
        classifier: tells the faces.
        edition: the cube set that lies in the tray, or None to find it out.
        second: another reader of prints (n, height, width), asked for its opinion, or None.
    """

    classifier: FaceClassifier
    edition: CubeSet | None
    second: SecondReader | None = None

    @classmethod
    def standard(
        cls, edition: str | None = None, second: SecondReader | None = None
    ) -> PhotoReader:
        """With the shipped weights.

        Raises:
            UnknownCubeSetError: no such edition.
        """
        return cls(FaceClassifier(), cube_set(edition) if edition else None, second)

    def read_file(self, file: Path) -> TimedReading:
        """Read one photo.

        Raises:
            VisionError: the file is no usable photo, or shows no tray.
            Exception: whatever the second reader raises.
        """
        start = time.perf_counter()
        photo = load_reduced(file)
        found = read_trays(photo.pixels, self.classifier, self.edition)
        heard = [self._heard(photo.pixels, tray).scaled(photo.scale) for tray in found]
        return TimedReading(heard[0], time.perf_counter() - start, tuple(heard[1:]))

    def _heard(self, photo: NDArray[np.uint8], reading: TrayReading) -> TrayReading:
        """The reading with what the second reader, if there is one, says of it."""
        if self.second is None:
            return reading
        return with_second_opinion(reading, self.second(upright_prints(photo, reading)))

    def read_burst(self, files: Sequence[Path]) -> BurstReading:
        """Read several photos of one tray as one; those without a tray are left out.

        Raises:
            VisionError: a file is no usable photo, none shows a tray, or two show different ones.
            Exception: whatever the second reader raises.
        """
        start = time.perf_counter()
        sights = {file: sight for file in files if (sight := self._sight(file)) is not None}
        if not sights:
            raise NoTrayError(
                "no tray of 3×3 to 6×6 cubes was found in any of the photos",
                "Take them from above in even light, with all cubes in view.",
            )
        first = next(iter(sights.values()))
        scored = fused_tray([sight.scored for sight in sights.values()])
        reading = decoded_tray(scored, self.classifier.labels, first.shape, self.edition)
        used = tuple(sights)
        if self.second is not None:  # of the first photo, which had been let go of
            reading = self._heard(load_reduced(used[0]).pixels, reading)
        timed = TimedReading(reading.scaled(first.scale), time.perf_counter() - start)
        return BurstReading(timed, used)

    def _sight(self, file: Path) -> _Sight | None:
        photo = load_reduced(file)
        try:
            scored = find_trays(photo.pixels, self.classifier)[0].scored
        except NoTrayError:
            return None
        return _Sight(scored, photo.pixels.shape, photo.scale)

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
