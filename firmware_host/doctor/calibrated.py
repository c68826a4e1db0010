"""Whether the machine was calibrated: when, and with this camera."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from firmware_host.calibration.stored import Calibration, is_made_up, load
from firmware_host.doctor.finding import Finding, Grade
from firmware_host.settings import CameraSection

OLD_DAYS = 180
"""Days after which lamp, camera and motor are worth another look."""

_SUBJECT = "calibration"


def calibration(
    file: Path, camera: str, now: datetime, section: CameraSection | None = None
) -> Finding:
    """What was calibrated, if it is of this camera and not too long ago.

    Args:
        file: where it is kept.
        camera: what the camera of this machine is called.
        now: the time of day.
        section: of the camera in the settings; None for a simulated one.

    Raises:
        CommandError: the file cannot be used.
    """
    found, advice = load(file), f"Calibrate: wordtray calibrate{_option(camera)}"
    if found is None or found.oldest is None:
        grade = Grade.NONE if is_made_up(camera) else Grade.WARN
        return Finding(_SUBJECT, grade, "nothing was calibrated so far", advice)
    text = f"of {found.oldest.astimezone():%Y-%m-%d}, camera {found.camera}"
    doubt = _doubt(found, camera, now, section)
    if doubt:
        return Finding(_SUBJECT, Grade.WARN, f"{text}: {doubt}", advice)
    return Finding(_SUBJECT, Grade.OK, f"{text}: {', '.join(found.steps)}")


def _doubt(found: Calibration, camera: str, now: datetime, section: CameraSection | None) -> str:
    """Why it should be done anew; empty where it need not."""
    if found.camera != camera:
        return f"the camera is now {camera}, so it is not used"
    # What a camera on USB gives need not be what it was asked for.
    if section is not None and section.kind == "pi":
        asked = (section.width, section.height)
        if asked != (found.width, found.height):
            size = f"{found.width} × {found.height}"
            return f"its pictures were of {size} pixels, so where the tray lies is not known"
    days = (now - found.oldest).days if found.oldest else 0
    return f"{days} days old" if days > OLD_DAYS else ""


def _option(camera: str) -> str:
    return " --simulate" if camera.startswith("simulated") else ""
