"""The simulated lid and button: what a person does to the machine."""

from __future__ import annotations

import math
from collections.abc import Callable

from hardware.clock import Clock
from hardware.simulated.faults import Script
from hardware.simulated.twin import OnCall, Twin, nobody


class SimulatedLid(Twin):
    """Closed until opened; asking is no call, so `on_call` hears only of opening and shutting."""

    def __init__(
        self, clock: Clock, on_call: OnCall = nobody, script: Script | None = None
    ) -> None:
        super().__init__("lid", clock, on_call, script)
        self._shut_from = -math.inf

    @property
    def closed(self) -> bool:
        """As of `hardware.devices.Lid.closed`."""
        self._check_open()
        self._fail_if_due()
        return self._clock.monotonic() >= self._shut_from

    def open(self, seconds: float = math.inf) -> None:
        """Do what a person does who opens the lid, and shuts it again after some seconds."""
        self._note("open")
        self._shut_from = self._clock.monotonic() + seconds

    def shut(self) -> None:
        """Do what a person does who closes the lid."""
        self._note("shut")
        self._shut_from = -math.inf


class SimulatedButton(Twin):
    """Pressed by calling `press`."""

    def __init__(
        self, clock: Clock, on_call: OnCall = nobody, script: Script | None = None
    ) -> None:
        super().__init__("button", clock, on_call, script)
        self._callback: Callable[[], None] | None = None
        self._on_action: Callable[[str], None] | None = None
        self._on_hold: Callable[[str], None] | None = None

    def on_press(self, callback: Callable[[], None]) -> None:
        """As of `hardware.devices.Button.on_press`."""
        self._do("on_press")
        self._callback = callback

    def on_action(self, callback: Callable[[str], None]) -> None:
        """As of `hardware.devices.Button.on_action`."""
        self._do("on_action")
        self._on_action = callback

    def on_hold(self, callback: Callable[[str], None]) -> None:
        """As of `hardware.devices.Button.on_hold`."""
        self._do("on_hold")
        self._on_hold = callback

    def hold(self, action: str = "cancel") -> None:
        """Do what a person does who holds the button, as it comes; calls back in this thread."""
        self._do("hold", action)
        if self._on_hold is not None:
            self._on_hold(action)

    def act(self, action: str) -> None:
        """Do what a person does whose press means ``action``; calls back in this thread."""
        self._do("act", action)
        if self._on_action is not None:
            self._on_action(action)

    def press(self) -> None:
        """Do what a person does who presses the button; calls back in this thread."""
        self._do("press")
        if self._callback is not None:
            self._callback()
