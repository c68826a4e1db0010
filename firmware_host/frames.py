"""Frames to be watched, each with its time: of a camera as they come, of a video file in order."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from firmware_host.errors import unusable_file, wrong_use
from firmware_host.files import open_now

if TYPE_CHECKING:
    from hardware.clock import Clock
    from hardware.devices import Camera

MOST_FPS = 25.0
"""Frames a second of a video that are looked at, at most."""

USUAL_FPS = 30.0
"""Of a video that does not say."""

_FPS_RANGE = (1.0, 240.0)


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame and its time.

    Attributes:
        picture: (height, width, 3), uint8, RGB.
        now: seconds on a clock that only goes forward.
    """

    picture: NDArray[np.uint8]
    now: float


class Frames(Protocol):
    """Where frames come from; a context manager that lets go of it."""

    def __iter__(self) -> Iterator[Frame]:
        """The frames in order."""
        ...


def camera_device(source: str) -> Path | None:
    """The device that a source names: ``0`` or ``/dev/video0``; None for the name of a file."""
    if re.fullmatch(r"\d{1,3}", source, re.ASCII):
        return Path(f"/dev/video{int(source)}")
    return Path(source) if source.startswith("/dev/") else None


def video_file(source: str) -> Path:
    """The file that a source names which is no camera.

    Raises:
        CommandError: it names none.
    """
    advice = "Give a video file, or a camera at this computer as its number or /dev/video0."
    if not source.strip():
        raise wrong_use("usage", "the name after --live is empty", advice)
    if re.match(r"[a-z][a-z0-9+.-]*://", source, re.ASCII | re.IGNORECASE):
        raise wrong_use("usage", "cameras and videos in a network are not supported", advice)
    return Path(source)


@dataclass(frozen=True)
class CameraFrames:
    """What a camera sees from now on.

    Args:
        camera: takes the pictures.
        clock: tells their times.
    """

    camera: Camera
    clock: Clock

    def __iter__(self) -> Iterator[Frame]:
        """Without an end.

        Raises:
            DeviceError: the camera fails.
        """
        while True:
            picture = self.camera.capture()
            yield Frame(picture, self.clock.monotonic())


class VideoCapture(Protocol):
    """What is used of OpenCV's; pictures are BGR."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it is a video."""
        ...

    def get(self, propId: int, /) -> float:  # noqa: N803 - OpenCV's name
        """A property, such as frames a second."""
        ...

    def grab(self) -> bool:
        """Go on to the next frame; False at the end."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """The frame that it is at."""
        ...

    def release(self) -> None:
        """Let go."""
        ...


def open_video(file: Path) -> VideoCapture:
    """OpenCV's reader of video files."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong is said here
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(str(file), cv2.CAP_FFMPEG)


@dataclass(frozen=True)
class VideoFrames:
    """The frames of a video file, `MOST_FPS` a second at most; their times are those in the video.

    Args:
        file: of the video.
        open_capture: opens it.
    """

    file: Path
    open_capture: Callable[[Path], VideoCapture] = open_video

    def __iter__(self) -> Iterator[Frame]:
        """To the end.

        Raises:
            CommandError: there is no such file, or it is no video.
        """
        _check_file(self.file)
        capture = self.open_capture(self.file)
        try:
            if not capture.isOpened():
                raise _no_video(self.file)
            yield from self._frames(capture)
        finally:
            capture.release()

    def _frames(self, capture: VideoCapture) -> Iterator[Frame]:
        fps = _frames_a_second(capture)
        stride = max(1, round(fps / MOST_FPS))
        count = 0
        while capture.grab():
            if count % stride == 0:
                fine, picture = capture.retrieve()
                if not fine or picture is None:
                    raise _damaged(self.file, count / fps)
                yield Frame(np.ascontiguousarray(picture[:, :, ::-1]), count / fps)
            count += 1
        if count == 0:
            raise _no_video(self.file)
        if count == 1:
            raise _one_picture(self.file)


def _frames_a_second(capture: VideoCapture) -> float:
    import cv2

    fps = capture.get(cv2.CAP_PROP_FPS)
    return fps if _FPS_RANGE[0] <= fps <= _FPS_RANGE[1] else USUAL_FPS


def _check_file(file: Path) -> None:
    try:
        with open_now(file) as opened:
            empty = not opened.read(1)
    except FileNotFoundError:
        advice = "Give a video file, or a camera as its number or /dev/video0."
        raise unusable_file("video_missing", f"there is no file {file}", advice) from None
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror or error}"
        advice = "Check the file's permissions and the disk."
        raise unusable_file("video_unreadable", message, advice) from error
    if empty:
        raise unusable_file("video_empty", f"{file} is empty", "Copy the video again.")


def _no_video(file: Path) -> Exception:
    return unusable_file(
        "not_a_video",
        f"{file} is not a video that can be read",
        "Give an MP4, MOV, MKV or AVI file; read photos without --live.",
    )


def _one_picture(file: Path) -> Exception:
    message = f"{file} holds only one picture"
    return unusable_file("not_a_video", message, "Read a photo without --live.")


def _damaged(file: Path, seconds: float) -> Exception:
    message = f"{file} is damaged: after {seconds:.1f} s there is no picture"
    return unusable_file("video_damaged", message, "Copy the video from the camera again.")
