"""What people at the tray type and press, in the order in which it came."""

from __future__ import annotations

import sys
import threading
from collections import deque
from contextlib import suppress
from typing import Protocol

from firmware_host.cli.lines import Lines, standard_lines
from firmware_host.presses import Press, listen
from hardware.clock import Clock
from hardware.devices import Button


class Heard(Protocol):
    """Lines as of `firmware_host.cli.lines.Lines`, with presses of the tray's buttons between."""

    def next_line(self, timeout: float | None) -> str | Press | None:
        """What came first; waits for so many seconds, or for ever.

        Returns:
            None when the time is over, or no line will ever come and none is waited for in vain.
        """

    def pressed(self) -> Press | None:
        """The first press that came, before any line; None where there is none. Never waits."""

    @property
    def ended(self) -> bool:
        """Whether no line will ever come again."""

    def drop_typed(self) -> None:
        """As of `firmware_host.cli.lines.Lines.drop_typed`; presses stay."""

    def put_back(self, line: str) -> bool:
        """Have a line that came too early come again; presses pass by it.

        One that was typed at a terminal is lost.

        Returns:
            Whether it will come again.
        """


class Ears:
    """Hears lines and presses, each from a thread of its own: so none waits for another's end.

    Args:
        lines: what is typed.
        terminal: whether somebody types it now; else a file or a pipe keeps it.
    """

    def __init__(self, lines: Lines, *, terminal: bool) -> None:
        self._lines = lines
        self._terminal = terminal
        self._came = threading.Condition()
        self._heard: deque[str | Press] = deque()
        self._early: deque[str] = deque()
        self._over = False

    def start(self) -> None:
        """Hear the lines, in a thread that keeps nobody from ending."""
        threading.Thread(target=self._listen, name="ears", daemon=True).start()

    def hear(self, said: str | Press) -> None:
        """Take what was typed or pressed; from any thread, never waits."""
        with self._came:
            self._heard.append(said)
            self._came.notify()

    def end(self) -> None:
        """No line will ever come again."""
        with self._came:
            self._over = True
            self._came.notify()

    def next_line(self, timeout: float | None) -> str | Press | None:
        """As of `Heard.next_line`."""
        with self._came:
            self._came.wait_for(lambda: self._is_awaited(timeout), timeout)
            return self._first()

    def pressed(self) -> Press | None:
        """As of `Heard.pressed`."""
        with self._came:
            press = next((said for said in self._heard if isinstance(said, Press)), None)
            if press is not None:
                self._heard.remove(press)
            return press

    @property
    def ended(self) -> bool:
        """As of `Heard.ended`."""
        with self._came:
            typed = any(isinstance(said, str) for said in self._heard)
            return self._over and not typed and not self._early

    def drop_typed(self) -> None:
        """As of `Heard.drop_typed`."""
        if self._terminal:
            with self._came:
                self._lines.drop_typed()
                self._heard = deque(said for said in self._heard if isinstance(said, Press))

    def put_back(self, line: str) -> bool:
        """As of `Heard.put_back`."""
        if not self._terminal:
            with self._came:
                self._early.appendleft(line)
        return not self._terminal

    def _listen(self) -> None:
        with suppress(OSError):  # a terminal that is gone types nothing any more
            while (line := self._lines.next_line(None)) is not None:
                self.hear(line)
        self.end()

    def _is_awaited(self, timeout: float | None) -> bool:
        """Whether waiting has an end; that of the lines is one unless there is a time-out."""
        return bool(self._heard or self._early) or (self._over and timeout is None)

    def _first(self) -> str | Press | None:
        if self._early:
            return self.pressed() or self._early.popleft()
        return self._heard.popleft() if self._heard else None


def ears_at(button: Button, clock: Clock) -> Ears:
    """Hears standard input and the buttons of a tray, from now on.

    Raises:
        DeviceError: the buttons are closed.
    """
    ears = Ears(standard_lines(), terminal=sys.stdin.isatty())
    listen(button, clock, ears.hear)
    ears.start()
    return ears
