"""What was calibrated, as it is kept: one file in the data folder, beside the log.

Settings are the user's file, and win: what was calibrated stands in where they leave a key out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, Field, ValidationError, model_validator

from firmware_host.calibration.choices import Corners, Spot
from firmware_host.errors import CommandError, unusable_file
from firmware_host.files import read_given, write_whole
from firmware_host.settings import CameraSection, Section, Settings, ShakerSection
from firmware_host.settings_file import problem_in
from hardware.devices import LONGEST_SHAKE_S, Exposure
from vision.settle import LEAST_CHANGE, MOST_CHANGE

FORMAT = 1
LARGEST_FILE = 100_000


class Step(StrEnum):
    """What can be calibrated, in this order: each builds on those before."""

    EXPOSURE = "exposure"
    CORNERS = "corners"
    SETTLE = "settle"
    MOTOR = "motor"


Level = Annotated[float, Field(ge=0, le=255)]
Share = Annotated[float, Field(ge=0, le=1)]
Pixel = Annotated[float, Field(ge=-100_000, le=100_000)]


class Found(Section):
    """Base of what a step found."""

    at: AwareDatetime


class FoundExposure(Found):
    """The exposure; a camera that sets its own has none, and was only looked at."""

    exposure_us: Annotated[int, Field(ge=50, le=1_000_000)] | None = None
    gain: Annotated[float, Field(ge=1, le=64)] | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: Annotated[float, Field(ge=0, le=32)] | None = None
    level: Level
    burnt: Share

    def __str__(self) -> str:
        seen = f"light faces at {self.level:.0f} of 255, {self.burnt:.1%} burnt out"
        if self.exposure_us is None:
            return f"{seen}; the camera sets its exposure itself"
        focus = "" if self.lens_position is None else f", focus at {self.lens_position:.2f}"
        return f"{self.exposure_us:,} µs, gain {self.gain:.2f}{focus}: {seen}"

    @property
    def exposure(self) -> Exposure | None:
        """As a camera takes it."""
        if self.exposure_us is None or self.gain is None:
            return None
        return Exposure(self.exposure_us, self.gain, self.colour_gains, self.lens_position)


class FoundCorners(Found):
    """Where the tray lies in the picture."""

    corners_px: tuple[
        tuple[Pixel, Pixel], tuple[Pixel, Pixel], tuple[Pixel, Pixel], tuple[Pixel, Pixel]
    ]
    rows: int = Field(ge=3, le=6)
    cols: int = Field(ge=3, le=6)
    spread_px: float = Field(ge=0)

    def __str__(self) -> str:
        places = ", ".join(f"{x:.0f} {y:.0f}" for x, y in self.corners_px)
        board = f"{self.rows}×{self.cols} cubes"
        return f"{board} within {places}; in all pictures to {self.spread_px:.1f} pixels"

    @property
    def spot(self) -> Spot:
        """As other places are compared with it."""
        corners: Corners = self.corners_px
        return Spot(corners, self.rows, self.cols, self.spread_px)

    @model_validator(mode="after")
    def _is_an_area(self) -> Self:
        if self.spot.cell_px < 1:
            raise ValueError("corners_px: they lie on one another")
        return self


class FoundStillness(Found):
    """How much a picture must change to show that something moves, in grey levels."""

    least: float = Field(ge=LEAST_CHANGE, le=MOST_CHANGE)
    still: float = Field(ge=0)
    moved: Annotated[float, Field(ge=0)] | None = None

    def __str__(self) -> str:
        rocks = "no rocking was seen" if self.moved is None else f"rocking cubes {self.moved:.0f}"
        levels = f"a still tray changes by {self.still:.1f}, {rocks}"
        return f"what changes by {self.least:.1f} grey levels moves: {levels}"


class FoundMotor(Found):
    """The gentlest strength that mixes, of the pattern and length of the settings."""

    pattern: Literal["steady", "bursts", "reversals"]
    seconds: float = Field(gt=0, le=LONGEST_SHAKE_S)
    power: float = Field(gt=0, le=1)
    changed: Share

    def __str__(self) -> str:
        run = f"{self.pattern} for {self.seconds:g} s at {self.power:.0%} of full power"
        return f"{run}: {self.changed:.0%} of the cubes changed"


class Calibration(Section):
    """What was calibrated of a machine.

    Attributes:
        format: of the file.
        camera: which one, as of `camera_of`.
        width: of its pictures, pixels.
        height: of its pictures, pixels.
        exposure, corners, settle, motor: what each step found; None where it was not taken.
    """

    format: Literal[1]
    camera: str
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    exposure: FoundExposure | None = None
    corners: FoundCorners | None = None
    settle: FoundStillness | None = None
    motor: FoundMotor | None = None

    @property
    def simulated(self) -> bool:
        """Whether it is of a camera that is made up."""
        return is_made_up(self.camera)

    @property
    def steps(self) -> dict[Step, Found]:
        """What was found."""
        found = {step: getattr(self, step) for step in Step}
        return {step: one for step, one in found.items() if one is not None}

    @property
    def oldest(self) -> datetime | None:
        """When the oldest of it was found."""
        return min((one.at for one in self.steps.values()), default=None)

    @property
    def least(self) -> float:
        """The threshold of stillness."""
        return LEAST_CHANGE if self.settle is None else self.settle.least

    def applied_to(self, settings: Settings) -> Settings:
        """The settings with what was calibrated, where they leave it open.

        Example:
            >>> chosen = Settings.model_validate({"camera": {"gain": 2.0}})
            >>> nothing = Calibration(format=1, camera="pi 0", width=4, height=3)
            >>> nothing.applied_to(chosen) == chosen
            True
        """
        camera = _filled(settings.camera, dict(_camera_keys(self.exposure)))
        shaker = _filled(settings.shaker, dict(_shaker_keys(settings.shaker, self.motor)))
        return settings.model_copy(update={"camera": camera, "shaker": shaker})

    def exposing(self, settings: Settings) -> Settings:
        """As `applied_to`, of the camera alone."""
        return settings.model_copy(update={"camera": self.applied_to(settings).camera})

    def overruled_by(self, settings: Settings) -> tuple[str, ...]:
        """Keys that were calibrated, and that the settings name otherwise: the settings win."""
        wanted = (
            ("camera", settings.camera, dict(_camera_keys(self.exposure))),
            ("shaker", settings.shaker, dict(_shaker_keys(settings.shaker, self.motor))),
        )
        return tuple(
            f"[{name}] {key}"
            for name, section, keys in wanted
            for key, value in keys.items()
            if key in section.model_fields_set and getattr(section, key) != value
        )

    def spot_in(self, width: int, height: int) -> Spot | None:
        """Where the tray lies in pictures of a size; None where that was not calibrated."""
        fits = (width, height) == (self.width, self.height)
        return self.corners.spot if self.corners and fits else None


def camera_of(camera: CameraSection) -> str:
    """What a camera is called, so that another one is known as such."""
    match camera.kind:
        case "usb":
            return f"usb {camera.device}"
        case "folder":
            return f"folder {camera.folder}"
    return f"pi {camera.number}"


def simulated_camera(seed: int) -> str:
    """What the camera of a simulated tray is called; another seed is another machine."""
    return f"simulated, seed {seed}"


def is_made_up(camera: str) -> bool:
    """Whether a camera of this name takes no pictures of a real tray."""
    return camera.startswith(("simulated", "folder"))


def load(file: Path) -> Calibration | None:
    """The calibration of a file; None where there is none.

    Raises:
        CommandError: it cannot be read, or a key is unknown or out of bounds.
    """
    if not file.exists():
        return None
    data = read_given(file, LARGEST_FILE, "calibration", "calibration")
    try:
        return Calibration.model_validate_json(data)
    except ValidationError as error:
        raise _unsound(file, error) from None


def _unsound(file: Path, error: ValidationError) -> CommandError:
    first, *others = error.errors(include_url=False)
    simulate = " --simulate" if file.stem.endswith("-simulated") else ""
    advice = f"Calibrate anew, by: wordtray calibrate{simulate}; or delete the file."
    more = f" (and {len(others)} more)" if others else ""
    if first["type"] == "json_invalid":
        return unusable_file("calibration", f"{file} is no JSON: {first['msg']}", advice)
    message = f"{file}: {problem_in(first, Calibration)}{more}"
    return unusable_file("calibration", message, advice)


def save(file: Path, calibration: Calibration) -> None:
    """Write the calibration; afterwards the file is whole, or as before.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(file, (calibration.model_dump_json(indent=1).encode(), b"\n"))


def merged(before: Calibration | None, found: Calibration) -> Calibration:
    """What was found now, and what was found before by steps that were not taken now.

    Nothing stays of another camera, or of pictures of another size.
    """
    same = before is not None and _taken_by(before) == _taken_by(found)
    kept = before.steps if before is not None and same else {}
    return found.model_copy(update={str(step): one for step, one in (kept | found.steps).items()})


def _taken_by(one: Calibration) -> tuple[str, int, int]:
    return one.camera, one.width, one.height


def _camera_keys(found: FoundExposure | None) -> Iterator[tuple[str, Any]]:
    for key in ("exposure_us", "gain", "colour_gains", "lens_position"):
        if found is not None and getattr(found, key) is not None:
            yield key, getattr(found, key)


def _shaker_keys(shaker: ShakerSection, found: FoundMotor | None) -> Iterator[tuple[str, Any]]:
    """The power, which is that of one pattern and length alone."""
    if found is not None and (found.pattern, found.seconds) == (shaker.pattern, shaker.shake_s):
        yield "power", found.power


def _filled(section: Any, keys: dict[str, Any]) -> Any:  # noqa: ANN401 - any section
    """A section with keys that the user left out."""
    left_out = {key: value for key, value in keys.items() if key not in section.model_fields_set}
    return section.model_copy(update=left_out)
