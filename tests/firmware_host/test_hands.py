"""What a person does at a simulated tray, in words."""

from __future__ import annotations

from inspect import get_annotations
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from firmware_host.cli.serve import serve
from firmware_host.errors import CommandError
from firmware_host.hands import act, acts
from hardware.clock import ManualClock
from hardware.devices import ACTIONS
from hardware.simulated import Call, SimulatedDevices, simulated_devices


@pytest.fixture
def calls() -> list[Call]:
    return []


@pytest.fixture
def machine(calls: list[Call]) -> SimulatedDevices:
    picture = np.zeros((4, 4, 3), np.uint8)
    return simulated_devices(lambda: (("A",),), lambda *_: picture, ManualClock(), calls.append)


@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("press", ["button: press"]),
        ("hold", ["button: hold cancel"]),
        ("  lid   open ", ["lid: open"]),
        ("lid shut", ["lid: shut"]),
        ("", []),
        *((action, [f"button: act {action}"]) for action in ACTIONS[1:]),
    ],
)
def test_words_are_done(
    machine: SimulatedDevices, calls: list[Call], words: str, done: list[str]
) -> None:
    act(machine, words)
    assert [str(call) for call in calls] == done


def test_all_that_can_be_done_is_in_the_help_and_on_the_page(machine: SimulatedDevices) -> None:
    page = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
    (option,) = get_args(get_annotations(serve, eval_str=True)["simulate"])[1:]
    for words in acts(machine):
        assert f"`{words}`" in page
        assert f"{words}," in option.help or f"{words}." in option.help


def test_what_cannot_be_done_is_told_with_what_can(machine: SimulatedDevices) -> None:
    with pytest.raises(CommandError, match="'sing' is nothing to do") as told:
        act(machine, "sing")
    assert "lid open" in told.value.complaint.advice
