"""The simulated shaker and the lid that keeps it from running."""

from __future__ import annotations

from hardware.clock import Clock
from hardware.devices import LONGEST_SHAKE_S, DeviceError
from hardware.simulated.faults import Script
from hardware.simulated.inputs import SimulatedLid
from hardware.simulated.tray import SimulatedTray
from hardware.simulated.twin import OnCall, Twin, nobody

NUDGE_S = 0.2
"""Length of a nudge in seconds."""

LID_CHECK_S = 0.02
"""Seconds between two looks at the lid while the motor runs."""

LID_OPEN_S = 2.0
"""Seconds for which the script leaves the lid open."""

THROWS = 0.5
"""Share of full power from which on the cubes are thrown."""


class SimulatedShaker(Twin):
    """Throws the cubes of a `SimulatedTray`; the run takes its time on the clock.

    Args:
        tray: what is shaken.
        lid: must be closed at the start and during the run.
        clock: sleeps for the run.
        on_call: hears of each call.
        script: faults that are to happen.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        lid: SimulatedLid,
        clock: Clock,
        on_call: OnCall = nobody,
        script: Script | None = None,
    ) -> None:
        super().__init__("shaker", clock, on_call, script)
        self._tray = tray
        self._lid = lid
        self._latched: str | None = None

    @property
    def latched(self) -> str | None:
        """As of `hardware.devices.Shaker.latched`."""
        return self._latched

    def shake(self, seconds: float, power: float | None = None) -> None:
        """As of `hardware.devices.Shaker.shake`; an aborted run has thrown the cubes, too.

        Below `THROWS` the cubes only rock.
        """
        self._do("shake", seconds, *(() if power is None else (power,)))
        if not 0 < seconds <= LONGEST_SHAKE_S:
            raise DeviceError(
                self.name,
                f"it runs for at most {LONGEST_SHAKE_S:g} s, not {seconds:g}",
                "Set a shorter time of shaking.",
            )
        self._check()
        self._stick_as_scripted()
        opens_at = seconds / 2 if self._script.due("lid-opens") else None
        try:
            self._run(seconds, opens_at)
        finally:
            if power is None or power >= THROWS:
                self._tray.shake()
            else:
                self._tray.rock()

    def nudge(self) -> None:
        """As of `hardware.devices.Shaker.nudge`."""
        self._do("nudge")
        self._check()
        self._run(NUDGE_S)
        self._tray.nudge()

    def stop(self, why: str) -> None:
        """As of `hardware.devices.Shaker.stop`."""
        self._note("stop", why)
        self._latched = self._latched or why

    def clear(self) -> None:
        """As of `hardware.devices.Shaker.clear`."""
        self._do("clear")
        self._latched = None

    def _stick_as_scripted(self) -> None:
        """Stall as the ramp begins: the cubes stay as they lie."""
        if self._script.due("motor-stuck"):
            self._clock.sleep(LID_CHECK_S)
            self._latched = "its driver told a fault"
            raise DeviceError(
                self.name,
                "its driver tells a fault: the motor is stuck, as the simulation was told to",
                "Free the tray; then press the button, or give an ended command again.",
            )

    def _run(self, seconds: float, opens_at: float | None = None) -> None:
        end = self._clock.monotonic() + seconds
        while (left := end - self._clock.monotonic()) > 0:
            if opens_at is not None and seconds - left >= opens_at:
                self._lid.open(LID_OPEN_S)
            self._check()
            self._clock.sleep(min(left, LID_CHECK_S))
            self._check_open()
        self._check()

    def _check(self) -> None:
        self._check_open()
        if self._latched is not None:
            raise DeviceError(
                self.name,
                f"it stands still: {self._latched}",
                "See to the cause; then press the button, or give an ended command again.",
            )
        if not self._lid.closed:
            raise DeviceError(self.name, "it stands still: the lid is open", "Close the lid.")
