"""The camera module of a Pi, by Picamera2; exposure, white balance and focus locked under the lamp.

A cable fault makes the driver hang, not fail. So every call is done by a thread of its own and
waited for no longer than it should take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.devices import DeviceError, Exposure, Photo
from hardware.patience import Patience
from hardware.real import RealDevice

FORMATS = ("BGR888", "RGB888", "NV12", "YUV420")
"""Formats that a picture may be asked for in. The bytes of the first are R, G, B: libcamera names
it by their order in a word."""

TIME_OUT_S = 10.0
"""Seconds that a picture may take; the first one waits for exposure and focus as well."""

RETRY_S = 2.0
"""Seconds after which a camera that was silent is worth another try."""

_NAME = "camera"
_MOST_FRAMES = 30  # in which the exposure settles; the cubes are being watched meanwhile
_LEAST_FRAMES = 8
_DELAY_FRAMES = 4  # until a control that was set is seen in the picture
_AE_CONVERGED = 2
_AF_MANUAL = 0
_CLOSE_S = 2.0

_AUTOMATIC: Mapping[str, dict[str, Any]] = {
    "ExposureTime": {"AeEnable": False},
    "AnalogueGain": {},
    "ColourGains": {"AwbEnable": False},
    "LensPosition": {"AfMode": _AF_MANUAL},
}
"""What is locked, and what no longer does it by itself then."""


class Driver(Protocol):
    """What is used of ``Picamera2``, configured and started."""

    @property
    def camera_controls(self) -> Mapping[str, Any]:
        """The controls that it has, with their limits."""

    def capture_array(self, name: str) -> NDArray[np.uint8]:
        """The next picture, as the format has it."""

    def capture_metadata(self) -> dict[str, Any]:
        """What the next picture was taken with."""

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Take the pictures from now on with these."""

    def autofocus_cycle(self) -> bool:
        """Focus once."""

    def close(self) -> None:
        """Stop and let go."""


@dataclass(frozen=True)
class PiCameraOptions:
    """How the camera takes its pictures.

    Attributes:
        number: which camera, 0 or 1.
        size: (width, height), pixels.
        format: one of `FORMATS`.
        fixed: controls of libcamera with their values, such as ``{"ExposureTime": 12000}``; what is
            not among them is locked at what it settles at.
    """

    number: int = 0
    size: tuple[int, int] = (1640, 1232)
    format: str = "BGR888"
    fixed: Mapping[str, Any] = field(default_factory=dict)


class PiCamera(RealDevice):
    """A camera module, as of `hardware.devices.Camera`.

    With the first picture under the lamp, exposure, gain, white balance and focus are let settle
    and then locked until the camera is closed: every photo of a tray looks alike.

    Args:
        options: how it takes its pictures.
        lit: tells whether the lamp is on.
        open_driver: opens and starts the driver.
        time_out_s: seconds that a picture may take.
    """

    def __init__(
        self,
        options: PiCameraOptions,
        lit: Callable[[], bool],
        open_driver: Callable[[PiCameraOptions], Driver] | None = None,
        time_out_s: float = TIME_OUT_S,
    ) -> None:
        super().__init__(_NAME, simulated=False)
        self._options = options
        self._lit = lit
        self._open = open_driver or open_picamera
        self._time_out_s = time_out_s
        self._patience: Patience[Any] = Patience()
        self._driver: Driver | None = None
        self._locked: dict[str, Any] | None = None

    @property
    def locked(self) -> Mapping[str, Any]:
        """The controls that were locked, with their values; empty before the first lit picture."""
        return self._locked or {}

    @property
    def exposure(self) -> Exposure | None:
        """As of `hardware.devices.Adjustable.exposure`; None where the camera tells none."""
        time_us, gain = self.locked.get("ExposureTime"), self.locked.get("AnalogueGain")
        if time_us is None or gain is None:
            return None
        gains, lens = self.locked.get("ColourGains"), self.locked.get("LensPosition")
        return Exposure(
            int(time_us), float(gain), gains and (float(gains[0]), float(gains[1])), lens
        )

    def expose(self, exposure: Exposure) -> None:
        """As of `hardware.devices.Adjustable.expose`; what it cannot set stays as it is.

        Raises:
            DeviceError: as of `capture`.
        """
        self._answered(lambda: self._set(exposure))

    def capture(self) -> Photo:
        """As of `hardware.devices.Camera.capture`.

        Raises:
            DeviceError: no picture came in time, there is no camera, it is in use by another
                program, Picamera2 is not installed, or the camera was closed.
        """
        photo: Photo = self._answered(self._take)
        return photo

    def _answered(self, ask: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is asked for
        """What the driver answers, which may not take for ever."""
        self._check_open()
        try:
            return self._patience.call(ask, self._time_out_s)
        except TimeoutError:
            raise DeviceError(
                _NAME,
                f"it gave no picture in {self._time_out_s:g} s",
                "Switch the Pi off, push the ribbon cable in anew at both ends, then try: "
                "rpicam-hello --list-cameras.",
                retry_after_s=RETRY_S,
            ) from None

    def _set(self, exposure: Exposure) -> None:
        if self._driver is None:
            self._driver = self._open(self._options)
        try:
            self._locked = _locked_at(self._driver, fixed_controls(exposure))
        except RuntimeError as error:
            raise _failed(error) from error

    def close(self) -> None:
        """Let go of the camera; safe to call twice, and where it hangs."""
        if self._released:
            return
        super().close()
        if self._driver is not None:
            try:
                self._patience.call(self._driver.close, _CLOSE_S)
            except TimeoutError:
                return  # its thread ends with the program

    def _take(self) -> Photo:
        if self._driver is None:
            self._driver = self._open(self._options)
        lit = self._lit()
        try:
            if lit and self._locked is None:
                self._locked = _lock(self._driver, self._options.fixed)
            return rgb(self._driver.capture_array("main"), self._options.format)
        except RuntimeError as error:
            raise _failed(error) from error


def rgb(picture: NDArray[np.uint8], form: str) -> Photo:
    """A picture of libcamera as red, green, blue.

    Args:
        picture: (height, width, 3), or (height × 3/2, width) where light and colour are apart.
        form: one of `FORMATS`.
    """
    if form == "BGR888":
        return np.ascontiguousarray(picture[:, :, :3])
    if form == "RGB888":
        return np.ascontiguousarray(picture[:, :, 2::-1])
    import cv2

    codes = {"NV12": cv2.COLOR_YUV2RGB_NV12, "YUV420": cv2.COLOR_YUV2RGB_I420}
    return np.asarray(cv2.cvtColor(picture, codes[form]), np.uint8)


class Wished(Protocol):
    """Values that a camera is to be locked at, as of `Exposure`; None is none."""

    @property
    def exposure_us(self) -> int | None:
        """Microseconds."""

    @property
    def gain(self) -> float | None:
        """1 and more."""

    @property
    def colour_gains(self) -> tuple[float, float] | None:
        """Of red and of blue."""

    @property
    def lens_position(self) -> float | None:
        """Dioptres."""


def fixed_controls(wished: Wished) -> dict[str, Any]:
    """The controls of libcamera that keep a camera at some values."""
    named = {
        "ExposureTime": wished.exposure_us,
        "AnalogueGain": wished.gain,
        "ColourGains": wished.colour_gains,
        "LensPosition": wished.lens_position,
    }
    return {name: value for name, value in named.items() if value is not None}


def locking_controls(
    metadata: Mapping[str, Any], fixed: Mapping[str, Any], able: Mapping[str, Any]
) -> dict[str, Any]:
    """The controls that keep a camera at what it has settled at.

    Args:
        metadata: what a picture was taken with.
        fixed: values that the settings name; they come before the metadata.
        able: the controls that this camera has; no other is set, since libcamera refuses those.

    Example:
        >>> able = {"AeEnable": (), "ExposureTime": ()}
        >>> locking_controls({"ExposureTime": 9000, "LensPosition": 4.0}, {}, able)
        {'AeEnable': False, 'ExposureTime': 9000}
    """
    controls: dict[str, Any] = {}
    for name, automatic in _AUTOMATIC.items():
        value = fixed.get(name, metadata.get(name))
        if value is not None:
            controls |= automatic | {name: value}
    return {name: value for name, value in controls.items() if name in able}


def _lock(driver: Driver, fixed: Mapping[str, Any]) -> dict[str, Any]:
    able = driver.camera_controls
    if able.keys().isdisjoint(_AUTOMATIC):
        return {}
    if "AfMode" in able and "LensPosition" not in fixed:
        driver.autofocus_cycle()
    return _locked_at(driver, fixed, _settled(driver))


def _locked_at(
    driver: Driver, fixed: Mapping[str, Any], metadata: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Lock a camera at these controls, and wait until pictures are taken with them."""
    controls = locking_controls(metadata or {}, fixed, driver.camera_controls)
    driver.set_controls(controls)
    for _ in range(_DELAY_FRAMES):
        driver.capture_metadata()
    return controls


def _settled(driver: Driver) -> dict[str, Any]:
    """What pictures are taken with when the exposure no longer moves."""
    frames = (driver.capture_metadata() for _ in range(_MOST_FRAMES))
    seen: dict[str, Any] = {}
    for number, seen in enumerate(frames):
        done = seen.get("AeState") == _AE_CONVERGED or seen.get("AeLocked", False)
        if done and number >= _LEAST_FRAMES:
            break
    return seen


def open_picamera(options: PiCameraOptions) -> Driver:
    """A started Picamera2.

    Raises:
        DeviceError: it is not installed, there is no such camera, or another program has it.
    """
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError(
            _NAME,
            f"the library Picamera2 cannot be used: {error}",
            "Install it, by: sudo apt install python3-picamera2; the environment of wordtray must "
            "see the system's packages (python3 -m venv --system-site-packages).",
        ) from None
    found = Picamera2.global_camera_info()
    if options.number >= len(found):
        raise DeviceError(
            _NAME,
            f"there is no camera {options.number}: {len(found)} found",
            "Switch the Pi off, push the ribbon cable in anew at both ends, then try: "
            'rpicam-hello --list-cameras. For a USB camera set kind = "usb" under [camera].',
        )
    try:
        camera = Picamera2(options.number)
        main = {"size": options.size, "format": options.format}
        camera.configure(camera.create_still_configuration(main=main, buffer_count=2))
        camera.start()
    except RuntimeError as error:
        raise _failed(error) from error
    driver: Driver = camera
    return driver


def _failed(error: RuntimeError) -> DeviceError:
    return DeviceError(
        _NAME,
        f"its driver failed: {error}",
        "Close other programs that use the camera, then start anew.",
        retry_after_s=RETRY_S,
    )
