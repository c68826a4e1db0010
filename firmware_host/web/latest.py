"""What takes long to find out and is asked for by many: found out once, in whoever's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Latest(Generic[Answer]):
    """The last answer, as long as it is asked for with the same key; for any thread.

    Who asks meanwhile waits for it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[object, Answer] | None = None

    def of(self, key: object, find_out: Callable[[], Answer]) -> Answer:
        """The answer of a key; found out where the last one is of another."""
        with self._lock:
            if self._known is None or self._known[0] != key:
                self._known = key, find_out()
            return self._known[1]
