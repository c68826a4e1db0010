"""The simulated camera: the tray as it looks, under the lamp, with sensor noise."""

from __future__ import annotations

import numpy as np

from hardware.clock import Clock
from hardware.devices import Photo
from hardware.simulated.outputs import SimulatedLamp
from hardware.simulated.tray import SimulatedTray
from hardware.simulated.twin import OnCall, Twin, nobody

FRAME_S = 0.1
"""Seconds that a picture takes."""

DARKNESS = 0.03
"""Share of the light that is left when the lamp is off: the lid shuts out the room."""

NOISE = 4
"""Largest error of a pixel, in grey levels; the errors are uniform, so their deviation is 2.6."""


class SimulatedCamera(Twin):
    """Photographs a `SimulatedTray`.

    Args:
        tray: what is seen.
        lamp: without it the picture is almost black.
        clock: each picture takes `FRAME_S` on it.
        rng: for the noise.
        on_call: hears of each call.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        lamp: SimulatedLamp,
        clock: Clock,
        rng: np.random.Generator,
        on_call: OnCall = nobody,
    ) -> None:
        super().__init__("camera", clock, on_call)
        self._tray = tray
        self._lamp = lamp
        self._rng = rng

    def capture(self) -> Photo:
        """As of `hardware.devices.Camera.capture`."""
        self._do("capture")
        self._clock.sleep(FRAME_S)
        seen = self._tray.look().astype(np.float32)
        if not self._lamp.lit:
            seen *= DARKNESS
        seen += self._rng.integers(-NOISE, NOISE + 1, seen.shape, np.int8)
        return seen.clip(0, 255).astype(np.uint8)
