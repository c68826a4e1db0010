"""What the C library sets aside for threads: a service of many is better off with little of it."""

from __future__ import annotations

import ctypes
from contextlib import suppress

_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h

ARENAS = 2
"""Pools of memory at most; with more of them a service with 100 pages took 264 MB, not 228."""


def share_arenas() -> None:
    """Have threads share their pools of memory; to be said before there are any.

    Only glibc knows this; with another C library nothing is changed.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Give memory that is free back to the system; some milliseconds.

    What a photo takes while it is read is free afterwards, but kept for the next: 40 MB.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
