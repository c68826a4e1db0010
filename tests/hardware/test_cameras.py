"""The camera module with drivers that work, hang and fail; the folder of photos; patience."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from hardware.camera_pi import (
    Driver,
    PiCamera,
    PiCameraOptions,
    locking_controls,
    open_picamera,
    rgb,
)
from hardware.devices import Camera, DeviceError, Exposure, Photo
from hardware.patience import Patience
from hardware.photo_folder import FolderCamera

if TYPE_CHECKING:
    from tests.hardware.conftest import FakePicamera, WatchedClock

MAKERS = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
SWITCHES = ("AeEnable", "AwbEnable", "AfMode")


Make = Callable[..., "FakePicamera"]


@pytest.fixture
def driver(picamera: Make) -> FakePicamera:
    """A driver with every control."""
    return picamera(*MAKERS, *SWITCHES)


def camera(driver: Driver, lit: Callable[[], bool] = lambda: True, **fixed: object) -> PiCamera:
    return PiCamera(PiCameraOptions(fixed=fixed), lit, lambda _: driver)


# The camera module


def test_it_is_a_camera_and_gives_red_green_blue(driver: FakePicamera) -> None:
    with camera(driver) as one:
        assert isinstance(one, Camera)
        assert not one.simulated
        photo = one.capture()
    assert tuple(photo[0, 0]) == (10, 20, 30)
    assert driver.closed == 1


def test_nothing_is_locked_in_the_dark_and_everything_with_the_first_lit_picture(
    driver: FakePicamera,
) -> None:
    lit = False
    one = camera(driver, lambda: lit)
    one.capture()
    assert (driver.set, driver.focused, one.locked) == ([], 0, {})
    lit = True
    for _ in range(3):
        one.capture()
    assert driver.focused == 1
    assert driver.set == [
        {
            "AeEnable": False,
            "ExposureTime": 18_000,  # where it had settled, not where it began
            "AnalogueGain": 2.0,
            "AwbEnable": False,
            "ColourGains": (1.5, 2.5),
            "AfMode": 0,
            "LensPosition": 4.0,
        }
    ]
    assert one.locked == driver.set[0]


def test_a_camera_that_never_settles_is_locked_all_the_same(picamera: Make) -> None:
    driver = picamera("ExposureTime")
    driver.capture_metadata = lambda: {"ExposureTime": 5, "AeState": 1}  # type: ignore[method-assign]
    camera(driver).capture()
    assert driver.set == [{"ExposureTime": 5}]


def test_a_camera_without_controls_is_not_waited_for(picamera: Make) -> None:
    driver = picamera()
    one = camera(driver)
    for _ in range(3):
        one.capture()
    assert (driver.frames, driver.set, one.locked) == (0, [], {})


def test_what_is_raised_while_it_settles_is_told(driver: FakePicamera) -> None:
    def fail() -> dict[str, Any]:
        raise RuntimeError("Camera frontend has timed out!")

    driver.capture_metadata = fail  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match="its driver failed: Camera frontend"):
        camera(driver).capture()


def test_only_controls_that_the_camera_has_are_set(picamera: Make) -> None:
    driver = picamera("ExposureTime", "AeEnable")
    camera(driver, LensPosition=3.0).capture()
    assert driver.set == [{"AeEnable": False, "ExposureTime": 18_000}]
    assert driver.focused == 0


def test_fixed_values_come_before_what_it_settles_at(driver: FakePicamera) -> None:
    camera(driver, ExposureTime=9_000, LensPosition=2.5).capture()
    assert driver.focused == 0
    assert driver.set[0]["ExposureTime"] == 9_000
    assert driver.set[0]["LensPosition"] == 2.5


def test_an_exposure_is_told_and_can_be_set(driver: FakePicamera) -> None:
    one = camera(driver)
    one.capture()
    assert one.exposure == Exposure(18_000, 2.0, (1.5, 2.5), 4.0)
    wanted = Exposure(9_000, 1.0, (1.5, 2.5), 4.0)
    one.expose(wanted)
    assert one.exposure == wanted
    assert (driver.set[-1]["AeEnable"], driver.set[-1]["ExposureTime"]) == (False, 9_000)
    one.close()
    with pytest.raises(DeviceError, match="closed"):
        one.expose(wanted)


def test_a_camera_that_cannot_lock_tells_no_exposure(picamera: Make) -> None:
    one = camera(picamera())
    one.capture()
    assert one.exposure is None


@pytest.mark.parametrize("able", [{}, {"AeEnable": 0}, {"ExposureTime": 0}])
def test_no_control_is_made_up(able: Mapping[str, Any]) -> None:
    assert set(locking_controls({"ExposureTime": 1}, {}, able)) <= set(able)


def test_formats_are_turned_into_red_green_blue() -> None:
    photo = np.full((4, 6, 3), (200, 90, 40), np.uint8)
    np.testing.assert_array_equal(rgb(photo, "BGR888"), photo)
    np.testing.assert_array_equal(rgb(photo[:, :, ::-1], "RGB888"), photo)
    planar = cv2.cvtColor(photo, cv2.COLOR_RGB2YUV_I420).astype(np.uint8)
    assert np.abs(rgb(planar, "YUV420").astype(int) - photo).max() <= 4
    packed = planar.copy()
    packed[4:] = planar[4:].reshape(2, 6).T.reshape(2, 6)  # colours in turns, not one by one
    assert np.abs(rgb(packed, "NV12").astype(int) - photo).max() <= 4


def test_a_driver_that_hangs_is_given_up_and_may_be_tried_again(driver: FakePicamera) -> None:
    free = threading.Event()

    def hang(_name: str) -> Photo:
        free.wait(30)
        return np.zeros((4, 6, 3), np.uint8)

    driver.capture_array = hang  # type: ignore[assignment,method-assign]
    one = PiCamera(PiCameraOptions(), lambda: False, lambda _: driver, time_out_s=0.05)
    with pytest.raises(DeviceError, match=r"gave no picture in 0\.05 s") as caught:
        one.capture()
    with pytest.raises(DeviceError, match=r"gave no picture"):
        one.capture()
    assert caught.value.retry_after_s == 2.0
    assert "ribbon cable" in caught.value.advice
    free.set()
    one.close()
    assert driver.closed == 1


def test_what_the_driver_raises_is_told(driver: FakePicamera) -> None:
    def fail(_name: str) -> Photo:
        raise RuntimeError("Camera frontend has timed out!")

    driver.capture_array = fail  # type: ignore[assignment,method-assign]
    with pytest.raises(DeviceError, match="its driver failed: Camera frontend has timed out"):
        camera(driver).capture()


def test_a_camera_that_was_never_used_is_closed_without_a_driver() -> None:
    def never(_options: PiCameraOptions) -> Driver:
        raise AssertionError

    one = PiCamera(PiCameraOptions(), lambda: True, never)
    one.close()
    with pytest.raises(DeviceError, match="closed"):
        one.capture()


# Opening the driver


class Picamera2:
    """As much of the library as is used to open it."""

    found: tuple[str, ...] = ("imx708",)
    busy = False
    seen: dict[str, Any]

    def __init__(self, number: int) -> None:
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.number = number

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return [{"Model": model} for model in cls.found]

    def create_still_configuration(self, **options: object) -> dict[str, object]:
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        type(self).seen = configuration

    def start(self) -> None:
        self.started = True


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    class Fresh(Picamera2):
        pass

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Fresh))
    return Fresh


def test_the_library_is_asked_for_the_size_and_started(library: type[Picamera2]) -> None:
    opened: Any = open_picamera(PiCameraOptions(size=(800, 600)))
    assert opened.started
    assert library.seen["main"] == {"size": (800, 600), "format": "BGR888"}


def test_no_camera_is_told(library: type[Picamera2]) -> None:
    library.found = ()
    with pytest.raises(DeviceError, match="there is no camera 0: 0 found") as caught:
        open_picamera(PiCameraOptions())
    assert "rpicam-hello" in caught.value.advice


def test_a_camera_in_use_is_told(library: type[Picamera2]) -> None:
    library.busy = True
    with pytest.raises(DeviceError, match="resource busy") as caught:
        open_picamera(PiCameraOptions())
    assert "other programs" in caught.value.advice


def test_a_library_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="Picamera2 cannot be used") as caught:
        open_picamera(PiCameraOptions())
    assert "apt install python3-picamera2" in caught.value.advice


# A folder of photos


def reads(file: Path) -> Photo:
    return np.full((2, 2, 3), int(file.stem), np.uint8)


def test_a_folder_shows_the_next_photo_with_each_shake_and_says_that_it_is_none(
    tmp_path: Path, watched: WatchedClock
) -> None:
    for name in ("2.jpg", "1.PNG", "3.txt"):
        (tmp_path / name).touch()
    shakes = iter((0, 0, 1, 2))
    folder: Camera = FolderCamera(tmp_path, reads, lambda: next(shakes), watched)
    assert folder.simulated
    seen = [int(folder.capture()[0, 0, 0]) for _ in range(4)]
    assert seen == [1, 1, 2, 1]
    assert watched.monotonic() == pytest.approx(0.4)


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_without_photos_is_told(tmp_path: Path, watched: WatchedClock, name: str) -> None:
    with pytest.raises(DeviceError, match="there are no photos"):
        FolderCamera(tmp_path / name, reads, lambda: 0, watched).capture()


def test_a_photo_that_was_handed_out_may_be_drawn_into(
    tmp_path: Path, watched: WatchedClock
) -> None:
    (tmp_path / "7.jpg").touch()
    folder = FolderCamera(tmp_path, reads, lambda: 0, watched)
    folder.capture()[:] = 0
    assert folder.capture().min() == 7


# Patience


def test_patience_gives_what_comes_in_time_and_what_is_raised() -> None:
    patience: Patience[int] = Patience()
    assert patience.call(lambda: 7, 30) == 7
    with pytest.raises(ZeroDivisionError):
        patience.call(lambda: 1 // 0, 30)
    assert patience.call(lambda: 8, 30) == 8


def test_two_calls_never_meet_in_a_driver() -> None:
    free, calls = threading.Event(), []
    patience: Patience[bool] = Patience()

    def hang() -> bool:
        calls.append("hang")
        return free.wait(30)

    for _ in range(3):
        with pytest.raises(TimeoutError):
            patience.call(hang, 0.02)
    assert calls == ["hang"]
    free.set()
    assert patience.call(lambda: True, 30)
