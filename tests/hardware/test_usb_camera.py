"""The USB camera with drivers that work, fail, hang and go away."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.devices import Camera, DeviceError
from hardware.usb_camera import SETTLED_FRAMES, Capture, UsbCamera, open_device

BLUE_GREEN_RED = (10, 20, 30)
Picture = NDArray[np.uint8]


class FakeCapture:
    """A driver that gives pictures until it is told otherwise."""

    def __init__(self, pictures: int = 1_000_000, *, opens: bool = True) -> None:
        self.left = pictures
        self.opens = opens
        self.released = threading.Event()
        self.at_the_end: Callable[[], None] = lambda: None
        self.held: list[tuple[int, float]] = []

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def read(self) -> tuple[bool, Picture | None]:
        if not self.left:
            self.at_the_end()
            return False, None
        self.left -= 1
        return True, np.full((4, 6, 3), BLUE_GREEN_RED, np.uint8)

    def set(self, prop: int, value: float) -> bool:
        self.held.append((prop, value))
        return True

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def device(tmp_path: Path) -> Path:
    file = tmp_path / "video0"
    file.touch()
    return file


@pytest.fixture
def make(device: Path) -> Iterator[Callable[..., UsbCamera]]:
    cameras = []

    def camera(capture: Capture, time_out_s: float = 30.0) -> UsbCamera:
        cameras.append(UsbCamera(device, lambda _: capture, time_out_s))
        return cameras[-1]

    yield camera
    for one in cameras:
        one.close()


Make = Callable[..., UsbCamera]


def test_it_is_a_camera_and_gives_red_green_blue(make: Make) -> None:
    camera = make(FakeCapture())
    assert isinstance(camera, Camera)
    assert not camera.simulated
    photo = camera.capture()
    assert photo.shape == (4, 6, 3)
    assert tuple(photo[0, 0]) == (30, 20, 10)


def test_closing_lets_go_of_the_driver_and_ends_all_calls(make: Make) -> None:
    capture = FakeCapture()
    with make(capture) as camera:
        camera.capture()
    assert capture.released.wait(30)
    camera.close()
    with pytest.raises(DeviceError, match="closed"):
        camera.capture()


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(DeviceError, match=r"there is no .*video7") as raised,
        UsbCamera(tmp_path / "video7", lambda _: FakeCapture()) as camera,
    ):
        camera.capture()
    assert "Plug the camera in" in raised.value.advice


def test_a_device_of_others_is_told_with_the_way_in(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may open everything
    with pytest.raises(DeviceError, match="may not be opened") as raised:
        make(FakeCapture()).capture()
    assert "usermod -aG video" in raised.value.advice


def test_a_device_in_use_is_told(make: Make) -> None:
    with pytest.raises(DeviceError, match="cannot be opened") as raised:
        make(FakeCapture(opens=False)).capture()
    assert "other programs" in raised.value.advice


def test_unplugging_is_told_from_a_camera_that_stops(make: Make, device: Path) -> None:
    with pytest.raises(DeviceError, match="stopped giving pictures"):
        make(FakeCapture(0)).capture()
    capture = FakeCapture(0)
    capture.at_the_end = device.unlink
    with pytest.raises(DeviceError, match="was unplugged"):
        make(capture).capture()


def test_an_error_stays(make: Make) -> None:
    camera = make(FakeCapture(0))
    for _ in range(2):
        with pytest.raises(DeviceError, match="stopped"):
            camera.capture()


def test_a_driver_that_hangs_is_given_up(make: Make) -> None:
    class Hanging(FakeCapture):
        def read(self) -> tuple[bool, Picture | None]:
            self.released.wait(30)
            return False, None

    capture = Hanging()
    with pytest.raises(DeviceError, match=r"gave no picture in 0\.05 s") as raised:
        make(capture, 0.05).capture()
    assert "Unplug" in raised.value.advice
    capture.released.set()


def test_what_a_driver_raises_is_raised_where_it_was_asked(make: Make) -> None:
    class Broken(FakeCapture):
        def read(self) -> tuple[bool, Picture | None]:
            raise MemoryError("no room")

    capture = Broken()
    with pytest.raises(MemoryError, match="no room"):
        make(capture).capture()
    assert capture.released.wait(30)


@pytest.mark.parametrize("lit", [True, False])
def test_exposure_white_balance_and_focus_are_held_once_they_have_settled_under_the_lamp(
    device: Path, *, lit: bool
) -> None:
    capture, ended = FakeCapture(SETTLED_FRAMES + 5), threading.Event()
    capture.at_the_end = ended.set
    with UsbCamera(device, lambda _: capture, 30.0, lambda: lit) as camera:
        with suppress(DeviceError):  # it may have stopped before its first picture was looked at
            camera.capture()
        assert ended.wait(30)
    kept = [
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
        (cv2.CAP_PROP_AUTO_WB, 0),
        (cv2.CAP_PROP_AUTOFOCUS, 0),
    ]
    assert capture.held == (kept if lit else [])


def test_a_size_is_asked_for_where_one_is_named(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = FakeCapture()
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: capture)
    open_device(device)
    plain = len(capture.held)
    open_device(device, (1280, 720))
    assert capture.held[-2:] == [
        (cv2.CAP_PROP_FRAME_WIDTH, 1280),
        (cv2.CAP_PROP_FRAME_HEIGHT, 720),
    ]
    assert len(capture.held) == 2 * plain + 2
