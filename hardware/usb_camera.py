"""A USB camera, by OpenCV: always the latest picture, and a word on what is wrong with it.

A driver may hang for seconds, for ever after a cable fault. So a thread of its own takes the
pictures, and `UsbCamera.capture` waits for the next of them no longer than it should.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from hardware.devices import DeviceError, Photo

TIME_OUT_S = 6.0
"""Seconds that a picture may take; the first one of a camera that must wake up takes two."""

SETTLED_FRAMES = 30
"""Pictures under the lamp after which the exposure of a camera has settled: a second of them."""

RETRY_S = 2.0
"""Seconds after which a camera that was silent is worth another try."""

_NAME = "camera"
_JOIN_S = 1.0  # seconds that closing waits for a picture under way


class Capture(Protocol):
    """What is used of OpenCV's ``VideoCapture``; pictures are BGR."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is something to read from."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether there is another picture, and the picture; returns when it has come."""
        ...

    def set(self, prop: int, value: float) -> bool:
        """Set one of OpenCV's properties; False where the camera has none such."""
        ...

    def release(self) -> None:
        """Let go."""
        ...


def open_device(device: Path, size: tuple[int, int] | None = None) -> Capture:
    """The driver of a camera; without delay, so that its pictures are the latest.

    Args:
        device: such as ``/dev/video0``.
        size: (width, height) to ask for; the camera gives the nearest that it has.
    """
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what is wrong is said here
    capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    if size is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return capture


def _hold(capture: Capture) -> None:
    """Keep exposure, white balance and focus as they are; a camera that cannot goes on by itself.

    1 is manual and 3 automatic exposure in the words of V4L2.
    """
    import cv2

    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)
    capture.set(cv2.CAP_PROP_AUTO_WB, 0)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)


class UsbCamera:
    """A camera on USB, as of `hardware.devices.Camera`.

    Args:
        device: such as ``/dev/video0``.
        open_capture: opens its driver.
        time_out_s: seconds that a picture may take.
        lit: tells whether the lamp is on: exposure, white balance and focus are held as they are
            `SETTLED_FRAMES` pictures later. Without it they go on by themselves.

    Example:
        >>> with UsbCamera(Path("/dev/video99")) as camera:
        ...     camera.capture()
        Traceback (most recent call last):
            ...
        hardware.devices.DeviceError: camera: there is no /dev/video99
    """

    name = _NAME
    simulated = False

    def __init__(
        self,
        device: Path,
        open_capture: Callable[[Path], Capture] = open_device,
        time_out_s: float = TIME_OUT_S,
        lit: Callable[[], bool] = bool,
    ) -> None:
        self._device = device
        self._open = open_capture
        self._time_out_s = time_out_s
        self._lit = lit
        self._news = threading.Condition()
        self._photo: Photo | None = None
        self._error: Exception | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def capture(self) -> Photo:
        """The next picture that the camera takes, (height, width, 3), RGB.

        Raises:
            DeviceError: there is no such camera, it may not be opened, it was unplugged, it gave no
                picture in time, or it was closed before.
        """
        with self._news:
            if self._closed:
                raise DeviceError(_NAME, "it was closed before this call", "Start anew.")
            self._start()
            self._photo = None
            self._news.wait_for(self._has_news, self._time_out_s)
            if self._error is not None:
                raise self._error
            return self._given()

    def close(self) -> None:
        """Let go of the camera; safe to call twice, and where it hangs."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join(_JOIN_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _given(self) -> Photo:
        if self._photo is None:
            raise self._no_answer()
        return self._photo

    def _has_news(self) -> bool:
        return self._photo is not None or self._error is not None or self._closed

    def _start(self) -> None:
        if self._thread is None:
            _check_device(self._device)
            self._thread = threading.Thread(target=self._take_pictures, daemon=True)
            self._thread.start()

    def _take_pictures(self) -> None:
        try:
            capture = self._open(self._device)
            try:
                self._pass_on(capture)
            finally:
                capture.release()
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asks
            with self._news:
                self._error = error
                self._news.notify_all()

    def _pass_on(self, capture: Capture) -> None:
        if not capture.isOpened():
            raise DeviceError(
                _NAME,
                f"{self._device} cannot be opened as a camera",
                "Close other programs that use it; some cameras have a second device that gives "
                "no pictures: try the number below.",
            )
        lit_frames = 0
        while not self._closed:
            lit_frames += self._lit()
            if lit_frames == SETTLED_FRAMES:
                _hold(capture)
            fine, picture = capture.read()
            if not fine or picture is None:
                raise _stopped(self._device)
            with self._news:
                self._photo = np.ascontiguousarray(picture[:, :, ::-1])
                self._news.notify_all()

    def _no_answer(self) -> DeviceError:
        return DeviceError(
            _NAME,
            f"{self._device} gave no picture in {self._time_out_s:g} s",
            "Unplug the camera and plug it in again, without a hub if there is one.",
            retry_after_s=RETRY_S,
        )


def _check_device(device: Path) -> None:
    if not device.exists():
        present = ", ".join(sorted(str(path) for path in Path("/dev").glob("video*")))
        raise DeviceError(
            _NAME,
            f"there is no {device}",
            f"Plug the camera in, or name another: there are {present}."
            if present
            else "Plug the camera in: there is none at all.",
        )
    if not os.access(device, os.R_OK | os.W_OK):
        raise DeviceError(
            _NAME,
            f"{device} may not be opened by this user",
            "Join its group, by: sudo usermod -aG video $USER; then log in anew.",
        )


def _stopped(device: Path) -> DeviceError:
    gone = "was unplugged" if not device.exists() else "stopped giving pictures"
    return DeviceError(_NAME, f"{device} {gone}", "Plug the camera in again, then start anew.")
