"""The simulated shaker and the lid that keeps it from running."""

from __future__ import annotations

from hardware.clock import Clock
from hardware.devices import LONGEST_SHAKE_S, DeviceError, Lid
from hardware.simulated.tray import SimulatedTray
from hardware.simulated.twin import OnCall, Twin, nobody

NUDGE_S = 0.2
"""Length of a nudge in seconds."""

LID_CHECK_S = 0.05
"""Seconds between two looks at the lid while the motor runs."""


class SimulatedShaker(Twin):
    """Throws the cubes of a `SimulatedTray`; the run takes its time on the clock.

    Args:
        tray: what is shaken.
        lid: must be closed at the start and during the run.
        clock: sleeps for the run.
        on_call: hears of each call.
    """

    def __init__(
        self, tray: SimulatedTray, lid: Lid, clock: Clock, on_call: OnCall = nobody
    ) -> None:
        super().__init__("shaker", clock, on_call)
        self._tray = tray
        self._lid = lid
        self._latched: str | None = None

    @property
    def latched(self) -> str | None:
        """As of `hardware.devices.Shaker.latched`."""
        return self._latched

    def stop(self, why: str) -> None:
        """As of `hardware.devices.Shaker.stop`."""
        self._note("stop", why)
        self._latched = why

    def clear(self) -> None:
        """As of `hardware.devices.Shaker.clear`."""
        self._do("clear")
        self._latched = None

    def shake(self, seconds: float) -> None:
        """As of `hardware.devices.Shaker.shake`; an aborted run has thrown the cubes, too."""
        self._do("shake", seconds)
        if not 0 < seconds <= LONGEST_SHAKE_S:
            raise DeviceError(
                self.name,
                f"it runs for at most {LONGEST_SHAKE_S:g} s, not {seconds:g}",
                "Set a shorter time of shaking.",
            )
        self._check_latch()
        self._check_lid()
        try:
            self._run(seconds)
        finally:
            self._tray.shake()

    def nudge(self) -> None:
        """As of `hardware.devices.Shaker.nudge`."""
        self._do("nudge")
        self._check_latch()
        self._check_lid()
        self._run(NUDGE_S)
        self._tray.nudge()

    def _run(self, seconds: float) -> None:
        end = self._clock.monotonic() + seconds
        while (left := end - self._clock.monotonic()) > 0:
            self._clock.sleep(min(left, LID_CHECK_S))
            self._check_open()
            self._check_latch()
            self._check_lid()

    def _check_latch(self) -> None:
        if self._latched is not None:
            raise DeviceError(
                self.name, f"it was stopped: {self._latched}", "Press the button to clear it."
            )

    def _check_lid(self) -> None:
        if not self._lid.closed:
            raise DeviceError(self.name, "it stands still: the lid is open", "Close the lid.")
