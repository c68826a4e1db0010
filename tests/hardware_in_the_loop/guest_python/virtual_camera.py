"""Lets the unmodified Picamera2 run on libcamera's virtual pipeline.

That has no raw stream, no heap of a Pi and no clock: it gives the next picture as soon as a buffer
is free, and would take the whole processor. Imported at the end of the installed ``picamera2``.
"""

from __future__ import annotations

import time
from typing import Any

import libcamera
import picamera2
from picamera2.allocators import LibcameraAllocator

FRAME_S = 0.5

_open = picamera2.Picamera2.__init__
_process = picamera2.Picamera2.process_requests


def _raw_modes(self: Any) -> list[dict[str, object]]:
    """The sizes that the camera has, in place of those of a sensor."""
    configuration = self.camera.generate_configuration([libcamera.StreamRole.StillCapture])
    formats = configuration.at(0).formats
    return [
        {"format": str(form), "size": (size.width, size.height)}
        for form in formats.pixel_formats
        for size in formats.sizes(form)
    ]


def _open_with_its_own_memory(self: Any, number: int = 0, **options: Any) -> None:
    _open(self, number, allocator=object(), **options)
    self.allocator = LibcameraAllocator(self.camera)


def _process_at_its_rate(self: Any, display: Any) -> None:
    time.sleep(FRAME_S)
    _process(self, display)


picamera2.Picamera2._get_raw_modes = _raw_modes
picamera2.Picamera2.__init__ = _open_with_its_own_memory
picamera2.Picamera2.process_requests = _process_at_its_rate
