"""The simulated camera: the tray as it looks, under the lamp, with sensor noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.clock import Clock
from hardware.devices import DeviceError, Exposure, Photo
from hardware.simulated.faults import Script
from hardware.simulated.outputs import SimulatedLamp
from hardware.simulated.tray import SimulatedTray
from hardware.simulated.twin import OnCall, Twin, nobody

FRAME_S = 0.1
"""Seconds that a picture takes."""

DARKNESS = 0.03
"""Share of the light that is left when the lamp is off: the lid shuts out the room."""

TIME_OUT_S = 6.0
"""Seconds after which a camera that hangs is given up."""

RETRY_S = 2.0
"""Seconds after which it is worth another try."""

NOISE = 4
"""Largest error of a pixel, in grey levels; the errors are uniform, so their deviation is 2.6."""


EXPOSURE = Exposure(10_000, 1.0, (2.0, 1.5), 4.0)
"""With which the picture is as bright as the tray was drawn."""

FARTHER = 0.75
"""Share of its size at which a camera that was moved sees the tray."""


class SimulatedCamera(Twin):
    """Photographs a `SimulatedTray`.

    Args:
        tray: what is seen.
        lamp: without it the picture is almost black.
        clock: each picture takes `FRAME_S` on it.
        rng: for the noise.
        on_call: hears of each call.
        script: faults that are to happen.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        lamp: SimulatedLamp,
        clock: Clock,
        rng: np.random.Generator,
        on_call: OnCall = nobody,
        *,
        script: Script | None = None,
    ) -> None:
        super().__init__("camera", clock, on_call, script)
        self._tray = tray
        self._lamp = lamp
        self._rng = rng
        self._exposure = EXPOSURE

    @property
    def exposure(self) -> Exposure | None:
        """As of `hardware.devices.Adjustable.exposure`."""
        return self._exposure

    def expose(self, exposure: Exposure) -> None:
        """As of `hardware.devices.Adjustable.expose`."""
        self._do("expose", exposure)
        self._exposure = exposure

    def capture(self) -> Photo:
        """As of `hardware.devices.Camera.capture`."""
        self._do("capture")
        self._fail_as_scripted()
        self._clock.sleep(FRAME_S)
        return self._spoilt(self._seen())

    def _seen(self) -> Photo:
        seen = self._tray.look().astype(np.float32)
        seen *= (1.0 if self._lamp.lit else DARKNESS) * _light(self._exposure)
        seen += self._rng.integers(-NOISE, NOISE + 1, seen.shape, np.int8)
        return seen.clip(0, 255).astype(np.uint8)

    def _fail_as_scripted(self) -> None:
        if self._script.due("camera-hangs"):
            self._clock.sleep(TIME_OUT_S)
            raise DeviceError(
                self.name,
                f"it gave no picture in {TIME_OUT_S:g} s, as the simulation was told to",
                "Unplug the camera and plug it in again.",
                retry_after_s=RETRY_S,
            )
        if self._script.due("camera-unplugged"):
            raise DeviceError(
                self.name,
                "it was unplugged, as the simulation was told to",
                "Plug the camera in again, then start anew.",
            )

    def _spoilt(self, photo: Photo) -> Photo:
        """What comes of a picture on a bad line; both are counted at each."""
        black, torn = self._script.due("camera-black"), self._script.due("camera-torn")
        if self._script.due("camera-moved"):
            photo = _farther(photo)
        if black:
            return np.zeros_like(photo)
        if torn:
            half = len(photo) // 2
            photo[half:] = np.roll(photo[half:], photo.shape[1] // 3, axis=1)
        return photo


def _light(exposure: Exposure) -> float:
    """Light of an exposure, as a share of that of `EXPOSURE`."""
    return exposure.exposure_us * exposure.gain / (EXPOSURE.exposure_us * EXPOSURE.gain)


def _farther(photo: Photo) -> Photo:
    """The tray seen from farther away, in the upper left; the edge goes on beyond it."""
    height, width = photo.shape[:2]
    seen = _shrunk(_shrunk(photo.astype(np.float32)).swapaxes(0, 1)).swapaxes(0, 1)
    rest = (height - len(seen), width - seen.shape[1])
    return np.pad(seen, ((0, rest[0]), (0, rest[1]), (0, 0)), "edge").astype(np.uint8)


def _shrunk(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fewer rows, each between two of the others."""
    places = np.arange(int(len(rows) * FARTHER)) / FARTHER
    upper = places.astype(int)
    share = (places - upper).astype(np.float32)[:, None, None]
    lower = np.minimum(upper + 1, len(rows) - 1)
    return np.asarray(rows[upper] * (1 - share) + rows[lower] * share, np.float32)
