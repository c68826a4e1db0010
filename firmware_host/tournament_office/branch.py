"""The way to the station's database, which may come and go while the desk is at work."""

from __future__ import annotations

import threading
from contextlib import ExitStack

from firmware_host.errors import CommandError
from firmware_host.station.base import Base, check_made, is_made, open_base
from firmware_host.store.errors import StorageError


class Branch:
    """Opens the base of a station as soon as there is one; for any thread.

    A database that is not there is never made: it would look like a station.

    Args:
        url: as of `open_base`.
        event: name of the tournament.
    """

    def __init__(self, url: str, event: str) -> None:
        self._url = url
        self._event = event
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._base: Base | None = None

    def base(self) -> Base | None:
        """The base; None where no station has begun one.

        Raises:
            CommandError: it is none of a station, or that of another tournament.
            StorageError: it cannot be opened.
        """
        with self._lock:
            if self._base is None and is_made(self._url):
                self._base = self._open.enter_context(open_base(self._url, self._event))
            return self._base

    def trouble(self) -> str:
        """Why no station can be heard of now; empty where one can."""
        try:
            check_made(self._url)
            self.base()
        except (CommandError, StorageError) as error:
            return str(error)
        return ""

    def close(self) -> None:
        """Let go of it."""
        with self._lock:
            self._base = None
            self._open.close()
