"""Lines that people type, with a time-out, so that the sand runs on while nobody types."""

from __future__ import annotations

import os
import select
import sys
import termios
from collections.abc import Callable
from typing import Protocol

_AT_ONCE = 4096


class Lines(Protocol):
    """A source of lines."""

    def next_line(self, timeout: float | None) -> str | None:
        """The next line without its end; waits for so many seconds, or for ever.

        Returns:
            None when the time is over or no line will ever come.
        """

    @property
    def ended(self) -> bool:
        """Whether no line will ever come again."""

    def drop_typed(self) -> None:
        """Forget what was typed at a terminal and not yet read; a file or pipe keeps its lines."""


class DescriptorLines:
    """Lines from a file descriptor such as standard input.

    Args:
        descriptor: read without Python's buffer, which would hide waiting lines from `select`.
        sleep: waits out the time when the input has ended.
    """

    def __init__(self, descriptor: int, sleep: Callable[[float], None]) -> None:
        self._descriptor = descriptor
        self._sleep = sleep
        self._buffer = b""
        self._ended = False

    def next_line(self, timeout: float | None) -> str | None:
        """As of `Lines.next_line`."""
        while b"\n" not in self._buffer and not self._ended:
            if not select.select([self._descriptor], [], [], timeout)[0]:
                return None
            chunk = os.read(self._descriptor, _AT_ONCE)
            self._ended = not chunk
            self._buffer += chunk
        if not self._buffer:
            self._sleep(timeout or 0)
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", errors="replace").rstrip("\r")

    @property
    def ended(self) -> bool:
        """As of `Lines.ended`."""
        return self._ended and not self._buffer

    def drop_typed(self) -> None:
        """As of `Lines.drop_typed`."""
        if os.isatty(self._descriptor):
            termios.tcflush(self._descriptor, termios.TCIFLUSH)
            self._buffer = b""


def standard_lines() -> Lines:
    """Lines of standard input."""
    import time

    return DescriptorLines(sys.stdin.fileno(), time.sleep)
