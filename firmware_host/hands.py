"""What a person does at a simulated tray, told in words: it has no button to push."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from firmware_host.errors import wrong_use
from hardware.devices import ACTIONS, PRESS
from hardware.simulated import SimulatedDevices


def acts(devices: SimulatedDevices) -> Mapping[str, Callable[[], None]]:
    """Everything that can be done, by its words."""
    actions = [action for action in ACTIONS if action != PRESS]
    return {
        PRESS: devices.button.press,
        "hold": devices.button.hold,
        **{action: partial(devices.button.act, action) for action in actions},
        "lid open": devices.lid.open,
        "lid shut": devices.lid.shut,
    }


def act(devices: SimulatedDevices, words: str) -> None:
    """Do what these words say; nothing for an empty line.

    Raises:
        CommandError: nothing that can be done has these words.
        DeviceError: the device was closed, or was told to fail.
    """
    said, known = " ".join(words.split()), acts(devices)
    if not said:
        return
    if said not in known:
        raise wrong_use("words", f"{said!r} is nothing to do", f"Type one of {', '.join(known)}.")
    known[said]()
