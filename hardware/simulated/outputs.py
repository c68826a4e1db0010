"""The simulated lamp, sand timer, buzzer and display: what the machine shows and plays."""

from __future__ import annotations

from hardware.clock import Clock
from hardware.devices import TUNES
from hardware.simulated.faults import Script
from hardware.simulated.twin import OnCall, Twin, nobody


class SimulatedLamp(Twin):
    """Dark until lit; a `SimulatedCamera` looks at it."""

    def __init__(
        self, clock: Clock, on_call: OnCall = nobody, script: Script | None = None
    ) -> None:
        super().__init__("lamp", clock, on_call, script)
        self._lit = False

    @property
    def lit(self) -> bool:
        """Whether it gives light."""
        return self._lit

    def on(self) -> None:
        """As of `hardware.devices.Lamp.on`."""
        self._do("on")
        self._lit = not self._script.due("lamp-dead")

    def off(self) -> None:
        """As of `hardware.devices.Lamp.off`."""
        self._do("off")
        self._lit = False

    def close(self) -> None:
        """Go dark for good."""
        self._lit = False
        super().close()


class SimulatedSandTimer(Twin):
    """Remembers how much sand it shows."""

    def __init__(
        self, clock: Clock, on_call: OnCall = nobody, script: Script | None = None
    ) -> None:
        super().__init__("sand_timer", clock, on_call, script)
        self._left: float | None = None

    @property
    def left(self) -> float | None:
        """The share shown, 1 to 0; None while dark."""
        return self._left

    def show(self, left: float) -> None:
        """As of `hardware.devices.SandTimer.show`."""
        self._do("show", left)
        self._left = min(max(left, 0.0), 1.0)

    def off(self) -> None:
        """As of `hardware.devices.SandTimer.off`."""
        self._do("off")
        self._left = None

    def close(self) -> None:
        """Go dark for good."""
        self._left = None
        super().close()


class SimulatedBuzzer(Twin):
    """Makes no sound; `on_call` hears of the tunes."""

    def __init__(
        self, clock: Clock, on_call: OnCall = nobody, script: Script | None = None
    ) -> None:
        super().__init__("buzzer", clock, on_call, script)

    def play(self, tune: str) -> None:
        """As of `hardware.devices.Buzzer.play`."""
        if tune not in TUNES:
            raise ValueError(f"there is no tune {tune!r}; the tunes are {', '.join(TUNES)}")
        self._do("play", tune)


class SimulatedDisplay(Twin):
    """Remembers what it shows, cut to its size.

    Args:
        clock: time of the calls.
        on_call: hears of each call, with the lines uncut.
        script: faults that are to happen.
        rows: lines that fit.
        columns: letters a line that fit; 21 of 6 pixels fill the usual 128.
    """

    def __init__(
        self,
        clock: Clock,
        on_call: OnCall = nobody,
        script: Script | None = None,
        *,
        rows: int = 4,
        columns: int = 21,
    ) -> None:
        super().__init__("display", clock, on_call, script)
        self._rows = rows
        self._columns = columns
        self._lines: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads."""
        return self._lines

    def show(self, *lines: str) -> None:
        """As of `hardware.devices.Display.show`."""
        self._do("show", *lines)
        self._lines = self._cut(lines)

    def show_join(self, url: str, *lines: str) -> None:
        """As of `hardware.devices.Display.show_join`; the address stands in the first line."""
        self._do("show_join", url, *lines)
        self._lines = self._cut((url, *lines))

    def _cut(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(line[: self._columns] for line in lines[: self._rows])

    def close(self) -> None:
        """Go blank for good."""
        self._lines = ()
        super().close()
