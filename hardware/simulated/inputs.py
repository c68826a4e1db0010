"""The simulated lid and button: what a person does to the machine."""

from __future__ import annotations

from collections.abc import Callable

from hardware.clock import Clock
from hardware.simulated.twin import OnCall, Twin, nobody


class SimulatedLid(Twin):
    """Closed until opened; asking is no call, so `on_call` hears only of opening and shutting."""

    def __init__(self, clock: Clock, on_call: OnCall = nobody) -> None:
        super().__init__("lid", clock, on_call)
        self._shut = True

    @property
    def closed(self) -> bool:
        """As of `hardware.devices.Lid.closed`."""
        self._check_open()
        self._fail_if_due()
        return self._shut

    def open(self) -> None:
        """Do what a person does who opens the lid."""
        self._note("open")
        self._shut = False

    def shut(self) -> None:
        """Do what a person does who closes the lid."""
        self._note("shut")
        self._shut = True


class SimulatedButton(Twin):
    """Pressed by calling `press`."""

    def __init__(self, clock: Clock, on_call: OnCall = nobody) -> None:
        super().__init__("button", clock, on_call)
        self._callback: Callable[[], None] | None = None

    def on_press(self, callback: Callable[[], None]) -> None:
        """As of `hardware.devices.Button.on_press`."""
        self._do("on_press")
        self._callback = callback

    def press(self) -> None:
        """Do what a person does who presses the button; calls back in this thread."""
        self._do("press")
        if self._callback is not None:
            self._callback()
