"""Every fault is told in the language of the page, and in English as the devices have it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.calibration import choices, steps
from firmware_host.doctor import picture
from firmware_host.rounds import machine
from firmware_host.web.faults import advised_of, said_of
from firmware_host.web.texts import shipped_texts
from hardware import camera_pi, shaker, usb_camera
from hardware.devices import DeviceError
from hardware.simulated import camera as simulated_camera
from hardware.simulated import shaker as simulated_shaker
from hardware.simulated.twin import Fault

SOURCES = (camera_pi, usb_camera, shaker, simulated_shaker, simulated_camera, choices, steps)
ENGLISH = shipped_texts("en")


def template(node: ast.expr) -> str | None:
    """A text of the source with something filled in; None where it is made elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "7" for part in node.values]
        return "".join(map(str, parts))
    return None


def raised(source: str) -> Iterator[tuple[str | None, str | None]]:
    """Message and advice of each fault that a source raises."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "DeviceError":
                yield template(node.args[1]), template(node.args[2])
            elif node.func.id == "refused":
                yield template(node.args[0]), template(node.args[1])


TOLD = sorted(
    {
        texts
        for module in SOURCES
        for texts in raised(Path(str(module.__file__)).read_text("utf-8"))
        if any(texts)
    },
    key=str,
)


@pytest.mark.parametrize(("message", "advice"), TOLD)
def test_what_the_devices_raise_is_in_the_catalogues(
    message: str | None, advice: str | None
) -> None:
    if message not in (None, "camera: 7", "7 7"):
        assert said_of(message) is not None
    if advice is not None:
        assert advised_of(advice) is not None


@pytest.mark.parametrize("gone", ["was unplugged", "stopped giving pictures"])
def test_a_camera_that_went_away_is(gone: str) -> None:
    assert gone in Path(usb_camera.__file__).read_text("utf-8")
    assert said_of(f"camera: /dev/video0 {gone}") is not None


def test_so_is_what_is_made_on_the_way() -> None:
    for fault in (Fault(), Fault(blocks_s=5.0)):
        error = fault.error("lamp")
        assert said_of(str(error)) is not None
        assert advised_of(error.advice) is not None
    for advice in steps._REMEDY.values():
        assert advice == "Try again." or advised_of(advice)
    for constant in ("the picture is black", "the picture is torn: its lower part is out of place"):
        assert constant in Path(picture.__file__).read_text("utf-8")
        assert said_of(f"camera: {constant}") is not None
    source = Path(machine.__file__).read_text("utf-8")
    for words in ("where the tray was to be shaken", "laid by hand", "shakes long"):
        assert words in source
    assert said_of("the lid was open 5 times where the tray was to be shaken") is not None


def test_a_text_is_told_with_its_device_and_what_differs() -> None:
    error = DeviceError("shaker", "it must rest for 12 s: it may run 30 s in 120 s", "Wait.")
    said = said_of(str(error))
    assert said is not None
    assert (said.key, said.device) == ("fault.say.must_rest", "shaker")
    assert said.values == {"seconds": "12", "budget": "30", "window": "120"}
    assert ENGLISH[said.key].format(**said.values) == str(error).partition(": ")[2]


def test_what_nobody_has_translated_is_told_as_it_is() -> None:
    assert said_of("the moon is full") is None
    assert said_of("camera: the moon is full") is None
    assert advised_of("Wait for another one.") is None
