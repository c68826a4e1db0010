"""Parts that a machine was built without: they do nothing, and nothing is made up by that."""

from __future__ import annotations

from hardware.devices import TUNES
from hardware.real import RealDevice


class NoSandTimer(RealDevice):
    """A machine without a light bar, as of `hardware.devices.SandTimer`."""

    def __init__(self) -> None:
        super().__init__("sand_timer", simulated=False)

    def show(self, left: float) -> None:  # noqa: ARG002 - the Protocol's
        """Show nothing."""
        self._check_open()

    def off(self) -> None:
        """Stay dark."""
        self._check_open()


class NoBuzzer(RealDevice):
    """A machine without a buzzer, as of `hardware.devices.Buzzer`."""

    def __init__(self) -> None:
        super().__init__("buzzer", simulated=False)

    def play(self, tune: str) -> None:
        """Play nothing.

        Raises:
            ValueError: no such tune.
        """
        self._check_open()
        if tune not in TUNES:
            raise ValueError(f"there is no tune {tune!r}; the tunes are {', '.join(TUNES)}")


class NoDisplay(RealDevice):
    """A machine without a small display, as of `hardware.devices.Display`."""

    def __init__(self) -> None:
        super().__init__("display", simulated=False)

    def show(self, *lines: str) -> None:  # noqa: ARG002 - the Protocol's
        """Show nothing."""
        self._check_open()

    def show_join(self, url: str, *lines: str) -> None:  # noqa: ARG002 - the Protocol's
        """Show nothing."""
        self._check_open()
