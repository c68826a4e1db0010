"""The small display as a picture: read back where it is a code, looked at where it is text."""

from __future__ import annotations

import sys
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from luma.core.device import dummy
from PIL import Image

from hardware.devices import DeviceError, Display
from hardware.display import KINDS, OledDisplay, open_panel
from hardware.screen import draw_join, draw_lines, status_lines

SIZE = (128, 64)
URL = "http://192.168.1.20:8000/"


def pixels(picture: Image.Image) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.asarray(picture.convert("L"), np.uint8)


def rows_lit(picture: Image.Image) -> list[bool]:
    """Whether there is anything in each quarter of the height."""
    return [bool(part.any()) for part in np.array_split(pixels(picture), 4)]


def code_in(picture: Image.Image) -> str:
    large = np.kron(pixels(picture), np.ones((6, 6), np.uint8))
    return str(
        cv2.QRCodeDetector().detectAndDecode(cv2.copyMakeBorder(large, 40, 40, 40, 40, 0))[0]
    )


class Broken:
    """A display whose wire has come off."""

    size = SIZE

    def display(self, image: Image.Image) -> None:
        assert image.size == SIZE
        raise OSError(121, "Remote I/O error")

    def cleanup(self) -> None:
        raise OSError(121, "Remote I/O error")


def test_lines_stand_below_one_another() -> None:
    assert rows_lit(draw_lines(SIZE, ["Shaking", "", "", ""])) == [True, False, False, False]
    assert rows_lit(draw_lines(SIZE, ["a", "b", "c", "d"])) == [True] * 4


def test_few_lines_are_larger_than_many() -> None:
    alone, among = (pixels(draw_lines(SIZE, lines)) for lines in (["2:59"], ["2:59", "", "", ""]))
    tall, small = (np.flatnonzero(picture.any(axis=1)) for picture in (alone, among))
    assert np.ptp(tall) > 1.4 * np.ptp(small)


def test_what_does_not_fit_is_cut() -> None:
    lines = ["W" * 80] * 9
    assert draw_lines(SIZE, lines).size == SIZE
    assert pixels(draw_lines((128, 32), lines)).any()


@pytest.mark.parametrize("size", [(128, 64), (128, 128)])
def test_the_code_says_the_address(size: tuple[int, int]) -> None:
    assert code_in(draw_join(size, URL, ["Join", "192.168.1.20"])) == URL


def test_the_lines_stand_beside_the_code() -> None:
    plain, named = (pixels(draw_join(SIZE, URL, lines)) for lines in ([], ["Join"]))
    changed = np.flatnonzero((plain != named).any(axis=0))
    assert changed.min() >= 60
    assert len(changed) > 10


@pytest.mark.parametrize(("size", "url"), [((128, 32), URL), (SIZE, "http://tray/" + "a" * 300)])
def test_without_room_for_a_code_the_address_stands_there(size: tuple[int, int], url: str) -> None:
    shown = draw_join(size, url, [])
    expected = draw_lines(size, [url.removeprefix("http://")])
    np.testing.assert_array_equal(pixels(shown), pixels(expected))


def test_the_status_puts_the_time_first_and_leaves_out_what_is_not_there() -> None:
    assert status_lines("Shaking") == ("Shaking",)
    assert status_lines("Round 2", 125.9, "tray:8000", "camera hangs") == (
        "2:05",
        "Round 2",
        "camera hangs",
        "tray:8000",
    )


def test_the_device_shows_and_goes_dark() -> None:
    panel = dummy(mode="1")
    display: Display = OledDisplay(panel)
    display.show("2:59")
    np.testing.assert_array_equal(pixels(panel.image), pixels(draw_lines(SIZE, ["2:59"])))
    display.show_join(URL, "Join")
    assert code_in(panel.image) == URL
    display.close()
    assert not pixels(panel.image).any()


@pytest.mark.parametrize(
    "use",
    [
        lambda shown: shown.show("x"),
        lambda shown: shown.show_join(URL),
        lambda shown: shown.close(),
    ],
)
def test_a_display_that_has_gone_is_told(use: Callable[[OledDisplay], None]) -> None:
    with pytest.raises(DeviceError, match="display: it does not answer any more") as caught:
        use(OledDisplay(Broken()))
    assert "wires" in caught.value.advice


@pytest.mark.parametrize("kind", KINDS)
def test_a_bus_that_is_not_there_is_told(kind: str) -> None:
    with pytest.raises(
        DeviceError, match="nothing answers at 0x3C on the bus /dev/i2c-99"
    ) as caught:
        open_panel(kind, port=99)
    assert "raspi-config" in caught.value.advice


def test_a_library_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma.oled.device", None)
    with pytest.raises(DeviceError, match=r"luma\.oled cannot be used") as caught:
        open_panel("ssd1306")
    assert "wordtray[pi]" in caught.value.advice
