"""What is chosen from what was measured: pure, without devices, files and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from firmware_host.errors import CommandError, Complaint, ExitCode
from hardware.devices import Exposure
from scoring.board import Face
from vision.exposure import Light
from vision.reading import Point, TrayReading
from vision.settle import LEAST_CHANGE, MOST_CHANGE

# ---- exposure --------------------------------------------------------------------------------

DARKEST, BRIGHTEST, WANTED = 150.0, 230.0, 205.0
"""Levels of the light faces between which an exposure is good, and the one that is aimed at."""

MOST_BURNT = 0.02
"""Share of burnt out pixels, at most: a glare on one face of sixteen is more."""

SHORTEST_US, LONG_US, LONGEST_US = 50, 33_000, 100_000
"""Bounds of the time, and the one beyond which the gain is raised first."""

MOST_GAIN = 8.0
"""Gain beyond which the noise of small sensors hides more than the light shows."""

_LEAST_FACTOR, _MOST_FACTOR, _UNBURNT_FACTOR = 0.25, 4.0, 0.75


class Lit(StrEnum):
    """How an exposure is."""

    GOOD = "good"
    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"


def judged(light: Light) -> Lit:
    """How the cubes are exposed; ``GLARE`` is burnt out though it is not bright."""
    if light.level > BRIGHTEST:
        return Lit.BRIGHT
    if light.burnt > MOST_BURNT:
        return Lit.GLARE if light.level < DARKEST else Lit.BRIGHT
    return Lit.DARK if light.level < DARKEST else Lit.GOOD


def adjusted(exposure: Exposure, light: Light) -> Exposure | None:
    """The exposure to try next; None where this one is at the end of what it can be.

    Args:
        exposure: the one that was tried.
        light: what came of it; not a good one.
    """
    factor = WANTED / max(light.level, 1.0)
    if judged(light) is Lit.BRIGHT:
        factor = min(factor, _UNBURNT_FACTOR)
    factor = min(max(factor, _LEAST_FACTOR), _MOST_FACTOR)
    found = _split(exposure, exposure.exposure_us * exposure.gain * factor)
    return None if found == exposure else found


def _split(exposure: Exposure, light: float) -> Exposure:
    """An exposure of so much light, in microseconds at gain 1: time first, then gain."""
    gain = min(max(light / LONG_US, 1.0), MOST_GAIN)
    time_us = min(max(round(light / gain), SHORTEST_US), LONGEST_US)
    return replace(exposure, exposure_us=time_us, gain=round(gain, 3))


# ---- corners ---------------------------------------------------------------------------------

MOST_SPREAD = 0.1
"""Cells by which the corners of a tray that stands still may differ from picture to picture."""

MAJORITY = 5 / 7
"""Share of the pictures that must agree; the others are left out."""

Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Spot:
    """Where a tray lies.

    Attributes:
        corners_px: upper left, upper right, lower right, lower left of the cube area.
        rows: of the board.
        cols: of the board.
        spread_px: how far a corner was from there, at most.
    """

    corners_px: Corners
    rows: int
    cols: int
    spread_px: float = 0.0

    @property
    def cell_px(self) -> float:
        """Side of a cell, on average over both directions."""
        corners = np.array(self.corners_px)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        return float(sides.sum() / (2 * (self.rows + self.cols)))


def spot_of(reading: TrayReading) -> Spot:
    """Where a tray was read."""
    return Spot(reading.corners_px, len(reading.cells), len(reading.cells[0]))


def settled_spot(seen: Sequence[Spot]) -> Spot:
    """Where a tray lies that was seen several times: where most of the pictures have it.

    Raises:
        CommandError: too few agree.
    """
    agreed = max((_near(one, seen) for one in seen), key=len)
    if len(agreed) < MAJORITY * len(seen):
        apart = max(_apart(one, other) for one in seen for other in seen)
        raise refused(
            f"the tray was found at several places, up to {apart:.0f} pixels apart: only "
            f"{len(agreed)} of {len(seen)} pictures agree",
            "Fix camera and tray, keep hands out, let the light reach all cubes evenly.",
        )
    corners = np.array([spot.corners_px for spot in agreed])
    middle = np.median(corners, axis=0)
    spread = float(np.linalg.norm(corners - middle, axis=2).max())
    upper_left, upper_right, lower_right, lower_left = ((x, y) for x, y in middle.tolist())
    places = upper_left, upper_right, lower_right, lower_left
    return Spot(places, agreed[0].rows, agreed[0].cols, spread)


def _near(one: Spot, seen: Sequence[Spot]) -> list[Spot]:
    """The spots that are one and the same place."""
    same = [spot for spot in seen if (spot.rows, spot.cols) == (one.rows, one.cols)]
    return [spot for spot in same if _apart(one, spot) <= MOST_SPREAD * one.cell_px]


def _apart(one: Spot, other: Spot) -> float:
    """Pixels between two spots, at the corner where it is most."""
    corners = np.array(one.corners_px) - np.array(other.corners_px)
    return float(np.linalg.norm(corners, axis=1).max())


def displacement(stored: Spot, seen: Spot) -> float:
    """How far a tray lies from where it lay, in cells: that of the corner that moved most.

    A board that is read turned by a quarter, as may be where it lies aslant, is in its place.
    Boards of two sizes cannot be compared: 0.
    """
    if (stored.rows, stored.cols) != (seen.rows, seen.cols):
        return 0.0
    there, here = np.array(stored.corners_px), np.array(seen.corners_px)
    turns = (np.roll(here, turn, axis=0) for turn in range(4))
    moved = min(float(np.linalg.norm(there - turned, axis=1).max()) for turned in turns)
    return moved / stored.cell_px


# ---- stillness -------------------------------------------------------------------------------

MARGIN = 1.5
"""By how much the threshold lies above the largest change that a still tray showed."""

CLEAR = 2.0
"""By how much what moves must change more than the threshold."""


def stillness(still: float, moved: float | None = None) -> float:
    """Grey levels by which a picture must change to show that something moves.

    Args:
        still: the largest change between pictures of a still tray, as of `vision.settle.change`.
        moved: the largest change of cubes that rock; None where none was seen.

    Raises:
        CommandError: what is still and what moves cannot be told apart.
    """
    threshold = max(LEAST_CHANGE, MARGIN * still)
    if threshold > MOST_CHANGE:
        raise refused(
            f"pictures of the still tray change by up to {still:.1f} grey levels, and more "
            f"than {MOST_CHANGE / MARGIN:.1f} would hide what moves",
            "See that nothing moves, and give the tray more and steadier light.",
        )
    if moved is not None and moved < CLEAR * threshold:
        raise refused(
            f"cubes that rock change the picture by {moved:.1f} grey levels, a still tray by "
            f"{still:.1f}: they cannot be told apart",
            "Give the tray more and steadier light, or bring the camera nearer.",
        )
    return threshold


# ---- motor -----------------------------------------------------------------------------------

STRENGTHS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of the highest power of the settings that are tried, the gentlest first."""

MIXED = 0.75
"""Share of the cells whose face changed, from which on a tray counts as mixed. Chance alone changes
about 94 of 100; of sixteen cells fewer than twelve change once in some hundred shakes."""

SHAKES = 2
"""Shakes in a row that must mix."""

LEAST_COMPARED = 0.5
"""Share of the cells that must be read without a doubt, before and after."""


def changed_share(before: TrayReading, after: TrayReading) -> float:
    """Share of the cells that show another face, of those that are read without a doubt.

    Raises:
        CommandError: too few are, or the boards are of two sizes.
    """
    there, here = _sure_faces(before), _sure_faces(after)
    if len(there) != len(here):
        raise refused("a part of the tray was not seen", "Bring the whole tray into the picture.")
    pairs = zip(there, here, strict=True)
    sure = [(one, other) for one, other in pairs if one is not None and other is not None]
    if len(sure) < LEAST_COMPARED * len(there):
        raise refused(
            f"{len(sure)} of {len(there)} cubes were read without a doubt before and after a shake",
            "Calibrate the exposure first: wordtray calibrate --only exposure.",
        )
    return sum(one != other for one, other in sure) / len(sure)


def _sure_faces(reading: TrayReading) -> list[Face | None]:
    return [None if cell.doubtful else cell.face for row in reading.cells for cell in row]


@dataclass(frozen=True)
class Trial:
    """What a strength did.

    Attributes:
        power: highest speed as a share of full power.
        changed: of each shake the share of cells that changed.
    """

    power: float
    changed: tuple[float, ...] = ()

    @property
    def mixes(self) -> bool | None:
        """Whether it does; None where more shakes must tell."""
        if any(share < MIXED for share in self.changed):
            return False
        return True if len(self.changed) >= SHAKES else None


def gentlest(trials: Sequence[Trial]) -> Trial:
    """The gentlest strength that mixes.

    Raises:
        CommandError: none does.
    """
    found = min((trial for trial in trials if trial.mixes), key=lambda one: one.power, default=None)
    if found is None:
        best = max(max(trial.changed, default=0.0) for trial in trials)
        raise refused(
            f"even at {max(trial.power for trial in trials):.0%} of full power the cubes do not "
            f"mix: {best:.0%} of them changed at most",
            "Raise power or shake_s under [shaker], or choose another pattern; see that no cube "
            "is stuck.",
        )
    return found


def refused(message: str, advice: str) -> CommandError:
    """What cannot be calibrated is a fault of the machine: exit code 5."""
    return CommandError(Complaint("calibration", message, advice, ExitCode.DEVICE_FAULT))
