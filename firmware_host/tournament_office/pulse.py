"""Whether the station is at work: it says so in its database, by a clock that may be another."""

from __future__ import annotations

import threading

SILENT_S = 7.0
"""Seconds without a word after which it is taken to have ended."""


class Pulse:
    """Knows for how long a station has said nothing, by the desk's own clock; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: float | None = None
        self._noticed = 0.0

    def is_silent(self, beat: float | None, now: float) -> bool:
        """Whether it has said nothing for `SILENT_S`.

        Args:
            beat: when it was last at work, by its clock; None where it never was.
            now: by the desk's clock, which need not be the same one.
        """
        with self._lock:
            if beat is None:
                return True
            if beat != self._last:
                # the first word may be an old one: only another one proves that it is at work
                fresh = self._last is not None or abs(now - beat) < SILENT_S
                self._last, self._noticed = beat, now if fresh else now - SILENT_S
            return now - self._noticed >= SILENT_S
