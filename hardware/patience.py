"""Calls that may hang, as those of a camera's driver: done by another thread, and given up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Patience(Generic[Result]):
    """One call at a time, each waited for no longer than a time-out.

    A call that hangs cannot be ended from outside: it keeps its thread, and until it returns every
    further call is given up as well, so that two never meet in the driver.
    """

    def __init__(self) -> None:
        self._under_way: Future[Result] | None = None

    def call(self, work: Callable[[], Result], time_out_s: float) -> Result:
        """What ``work`` returns, or raises.

        Args:
            work: the call.
            time_out_s: seconds that it may take, after the one before has returned.

        Raises:
            TimeoutError: it did not return in time, or the one before still has not.
        """
        if self._under_way is not None and wait([self._under_way], time_out_s).not_done:
            raise TimeoutError
        self._under_way = Future()
        threading.Thread(target=_fulfil, args=(self._under_way, work), daemon=True).start()
        return self._under_way.result(time_out_s)


def _fulfil(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again in the thread that asks
        future.set_exception(error)
