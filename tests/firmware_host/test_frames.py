"""Where frames come from: cameras and videos, whole and broken."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware_host.errors import CommandError, ExitCode
from firmware_host.frames import MOST_FPS, CameraFrames, VideoFrames, camera_device, video_file
from hardware.clock import ManualClock
from hardware.devices import DeviceError
from hardware.simulated import SimulatedDevices, simulated_devices
from hardware.simulated.camera import FRAME_S
from hardware.simulated.twin import Fault

Picture = NDArray[np.uint8]
Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("source", "device"),
    [("0", "/dev/video0"), ("12", "/dev/video12"), ("/dev/video3", "/dev/video3")],
)
def test_numbers_and_devices_are_cameras(source: str, device: str) -> None:
    assert camera_device(source) == Path(device)


@pytest.mark.parametrize("source", ["0.mp4", "video0", "", "-1", "١", "1234", "dev/video0"])
def test_all_else_is_the_name_of_a_file(source: str) -> None:
    assert camera_device(source) is None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "is empty"),
        (" ", "is empty"),
        ("rtsp://10.0.0.2/stream", "in a network are not supported"),
        ("HTTP://camera/video.mp4", "in a network are not supported"),
    ],
)
def test_a_source_that_names_neither_camera_nor_file_is_wrong_use(source: str, said: str) -> None:
    with pytest.raises(CommandError, match=said) as raised:
        video_file(source)
    assert raised.value.complaint.code is ExitCode.WRONG_USE


def test_names_of_files_are_taken_as_they_are() -> None:
    assert video_file("a:b.mp4") == Path("a:b.mp4")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a video of frames that grow lighter."""

    def written(count: int, fps: float, name: str = "video.avi") -> Path:
        code = cv2.VideoWriter.fourcc(*"MJPG")
        writer = cv2.VideoWriter(str(tmp_path / name), code, fps, (64, 48))
        for number in range(count):
            writer.write(np.full((48, 64, 3), (0, 0, 5 * number), np.uint8))
        writer.release()
        return tmp_path / name

    return written


def test_a_video_gives_its_frames_with_their_times(write: Write) -> None:
    frames = list(VideoFrames(write(8, 10.0)))
    assert [frame.now for frame in frames] == pytest.approx([0.1 * number for number in range(8)])
    reds = [int(frame.picture[..., 0].mean()) for frame in frames]
    assert reds == sorted(reds)
    assert reds[-1] > 25 > int(frames[-1].picture[..., 2].mean())  # red first


def test_of_a_fast_video_some_frames_are_passed_over(write: Write) -> None:
    frames = list(VideoFrames(write(40, 100.0)))
    steps = np.diff([frame.now for frame in frames])
    assert steps == pytest.approx(np.full(len(frames) - 1, 1 / MOST_FPS))


def kind_of(frames: VideoFrames) -> str:
    with pytest.raises(CommandError) as raised:
        list(frames)
    return raised.value.complaint.kind


def test_files_that_are_no_video_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("this is a shopping list\n" * 50, encoding="utf-8")
    cv2.imwrite(str(tmp_path / "photo.png"), np.zeros((48, 64, 3), np.uint8))
    kinds = {
        name: kind_of(VideoFrames(tmp_path / name))
        for name in ("none.mp4", "", "empty.mp4", "text.mp4", "photo.png")
    }
    assert kinds == {
        "none.mp4": "video_missing",
        "": "video_unreadable",
        "empty.mp4": "video_empty",
        "text.mp4": "not_a_video",
        "photo.png": "not_a_video",
    }


@pytest.mark.parametrize(("count", "said"), [(1, "only one picture"), (0, "is not a video")])
def test_a_video_of_less_than_two_frames_says_what_it_is(
    count: int, said: str, write: Write
) -> None:
    video = FakeVideo(10.0, [True] * count)
    with pytest.raises(CommandError, match=said) as raised:
        list(VideoFrames(write(2, 10.0), lambda _: video))
    assert raised.value.complaint.kind == "not_a_video"


class FakeVideo:
    """A video whose frames cannot all be decoded."""

    def __init__(self, fps: float, decodes: Sequence[bool]) -> None:
        self.fps = fps
        self.decodes = decodes
        self.place = -1
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def get(self, propId: int, /) -> float:  # noqa: ARG002, N803 - OpenCV's name
        return self.fps

    def grab(self) -> bool:
        self.place += 1
        return self.place < len(self.decodes)

    def retrieve(self) -> tuple[bool, Picture | None]:
        return self.decodes[self.place], np.zeros((4, 4, 3), np.uint8)

    def release(self) -> None:
        self.released = True


def test_a_damaged_frame_is_an_error_and_the_file_is_let_go(write: Write) -> None:
    video = FakeVideo(10.0, [True, True, False, True])
    assert kind_of(VideoFrames(write(2, 10.0), lambda _: video)) == "video_damaged"
    assert video.released


@pytest.mark.parametrize("fps", [0.0, float("nan"), 1e6, -5.0])
def test_a_video_that_does_not_know_its_speed_is_taken_for_a_usual_one(
    fps: float, write: Write
) -> None:
    video = FakeVideo(fps, [True] * 3)
    frames = list(VideoFrames(write(2, 10.0), lambda _: video))
    assert [frame.now for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30])


@pytest.fixture
def machine(clock: ManualClock) -> SimulatedDevices:
    picture = np.full((40, 40, 3), 200, np.uint8)
    return simulated_devices(lambda: (("A",),), lambda _faces, _number: picture, clock)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(50.0)


def test_a_camera_gives_frames_with_the_times_of_the_clock(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    frames = list(itertools.islice(CameraFrames(machine.camera, clock), 3))
    times = [frame.now for frame in frames]
    assert times == pytest.approx([50 + FRAME_S * number for number in (1, 2, 3)])


def test_a_fault_of_the_camera_ends_the_frames(
    machine: SimulatedDevices, clock: ManualClock
) -> None:
    frames = iter(CameraFrames(machine.camera, clock))
    next(frames)
    machine.camera.fail(Fault(blocks_s=5.0))
    with pytest.raises(DeviceError, match="no answer in 5 s"):
        next(frames)
