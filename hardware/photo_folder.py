"""A folder of photos as a camera: a tray that was photographed before, and so a simulated one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.clock import Clock
from hardware.devices import DeviceError, Photo
from hardware.real import RealDevice

SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})
FRAME_S = 0.1
"""Seconds that a picture takes."""

_NAME = "camera"


class FolderCamera(RealDevice):
    """Shows the photos of a folder, the next with each shake, as of `hardware.devices.Camera`.

    Args:
        folder: of photos; they come in the order of their names, the first again after the last.
        read: opens a photo, RGB.
        shakes: how often the tray was shaken.
        clock: each picture takes `FRAME_S` on it.
    """

    def __init__(
        self,
        folder: Path,
        read: Callable[[Path], Photo],
        shakes: Callable[[], int],
        clock: Clock,
    ) -> None:
        super().__init__(_NAME, simulated=True)
        self._folder = folder
        self._read = read
        self._shakes = shakes
        self._clock = clock
        self._shown: tuple[Path, Photo] | None = None

    def capture(self) -> Photo:
        """As of `hardware.devices.Camera.capture`; the same photo until the next shake."""
        self._check_open()
        self._clock.sleep(FRAME_S)
        file = self._file()
        if self._shown is None or self._shown[0] != file:
            self._shown = file, self._read(file)
        return self._shown[1].copy()

    def _file(self) -> Path:
        files = photos_in(self._folder)
        if not files:
            raise DeviceError(
                _NAME,
                f"there are no photos in {self._folder}",
                "Put photos of trays there, or name another folder under [camera].",
            )
        return files[self._shakes() % len(files)]


def photos_in(folder: Path) -> list[Path]:
    """The photos of a folder by their names; none where it cannot be looked into."""
    try:
        return sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)
    except OSError:
        return []
