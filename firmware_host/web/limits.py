"""How much is too much: words of a player, tries of a PIN."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_KEPT = 4096
"""Keys that a limit remembers; the ones that were quiet for longest are forgotten first."""


@dataclass(frozen=True)
class Rate:
    """So much at once, and so much a second afterwards."""

    burst: float
    per_s: float


class Buckets:
    """A bucket of tokens for each key.

    Args:
        rate: of each.
        now: seconds that only go forward.
    """

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Take a token; seconds until there is one, 0 where it was taken."""
        now = self._now()
        left, at = self._left.pop(key, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - at) * self._rate.per_s)
        taken = left >= 1
        self._left[key] = (left - taken, now)
        while len(self._left) > MOST_KEPT:
            self._left.popitem(last=False)
        return 0.0 if taken else (1 - left) / self._rate.per_s


class BackOff:
    """Makes who guesses wrong wait, twice as long each time.

    Args:
        now: seconds that only go forward.
        free: wrong guesses that cost nothing.
        first_s: seconds after the next.
        longest_s: seconds at most.
    """

    def __init__(
        self,
        now: Callable[[], float],
        *,
        free: int = 3,
        first_s: float = 2.0,
        longest_s: float = 900.0,
    ) -> None:
        self._now = now
        self._free, self._first_s, self._longest_s = free, first_s, longest_s
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Seconds until this one may guess again; 0 for now."""
        _, until = self._wrong.get(key, (0, 0.0))
        return max(0.0, until - self._now())

    def wrong(self, key: str) -> None:
        """It was wrong."""
        count = self._wrong.pop(key, (0, 0.0))[0] + 1
        over = count - self._free
        # bounded before it is raised: a patient guesser must not make a number without end
        wait_s = min(self._longest_s, self._first_s * 2.0 ** min(over - 1, 32)) if over > 0 else 0.0
        self._wrong[key] = (count, self._now() + wait_s)
        while len(self._wrong) > MOST_KEPT:
            self._wrong.popitem(last=False)

    def right(self, key: str) -> None:
        """It was right: all before is forgotten."""
        self._wrong.pop(key, None)
