"""The small OLED display, by luma."""

from __future__ import annotations

from typing import Protocol

from PIL import Image

from hardware.devices import DeviceError
from hardware.real import RealDevice
from hardware.screen import draw_join, draw_lines

KINDS = ("ssd1306", "sh1106")
"""Chips of the displays that are sold with a Pi in mind; an SH1106 is the one of 1.3 inches."""

_NAME = "display"


class Panel(Protocol):
    """What is used of a display of luma."""

    size: tuple[int, int]

    def display(self, image: Image.Image) -> None:
        """Show a picture of its size."""

    def cleanup(self) -> None:
        """Go dark and let go of the bus."""


class OledDisplay(RealDevice):
    """An OLED, as of `hardware.devices.Display`.

    Args:
        panel: a device of luma, such as `open_panel` gives.
        simulated: True for a panel of thin air.
    """

    def __init__(self, panel: Panel, *, simulated: bool = False) -> None:
        super().__init__(_NAME, (_Off(panel),), simulated=simulated)
        self._panel = panel

    def show(self, *lines: str) -> None:
        """As of `hardware.devices.Display.show`."""
        self._show(draw_lines(self._panel.size, lines))

    def show_join(self, url: str, *lines: str) -> None:
        """As of `hardware.devices.Display.show_join`."""
        self._show(draw_join(self._panel.size, url, lines))

    def _show(self, picture: Image.Image) -> None:
        self._check_open()
        try:
            self._panel.display(picture)
        except OSError as error:
            raise _lost(error) from error


class _Off:
    """Going dark, as a part that is closed."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    def close(self) -> None:
        try:
            self._panel.cleanup()
        except OSError as error:
            raise _lost(error) from error


def open_panel(kind: str, address: int = 0x3C, port: int = 1, rotate: int = 0) -> Panel:
    """A display on the I²C bus.

    Args:
        kind: one of `KINDS`.
        address: on the bus.
        port: number of the bus.
        rotate: quarter turns, 0–3.

    Raises:
        DeviceError: luma is not installed, the bus is off or may not be opened, or nothing answers.
    """
    try:
        import luma.oled.device as chips
        from luma.core.error import (
            DeviceNotFoundError,
            DevicePermissionError,
        )
        from luma.core.interface.serial import i2c
    except ImportError as error:
        raise DeviceError(
            _NAME,
            f"the library luma.oled cannot be used: {error}",
            "Install it, by: pip install 'wordtray[pi]'; or set kind = \"none\" under [display].",
        ) from None
    try:
        panel: Panel = getattr(chips, kind)(i2c(port=port, address=address), rotate=rotate)
    except DevicePermissionError:
        message = f"/dev/i2c-{port} may not be opened by this user"
        advice = "Join its group, by: sudo usermod -aG i2c $USER; then log in anew."
        raise DeviceError(_NAME, message, advice) from None
    except (DeviceNotFoundError, OSError) as error:
        raise DeviceError(
            _NAME,
            f"nothing answers at 0x{address:02X} on the bus /dev/i2c-{port}: {error}",
            "Switch the bus on, by: sudo raspi-config nonint do_i2c 0; look at the four wires; "
            f"list what answers, by: i2cdetect -y {port}.",
        ) from None
    return panel


def _lost(error: OSError) -> DeviceError:
    return DeviceError(
        _NAME,
        f"it does not answer any more: {error.strerror or error}",
        "Look at its four wires, then start anew.",
    )
