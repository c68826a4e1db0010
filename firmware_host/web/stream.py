"""The stream of states: what changes in the owner's thread, told to every page that listens.

Each message is complete, so that a page that comes back misses nothing; states that follow each
other fast are told as one edition, which all pages get together.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

from firmware_host.rounds import DeviceFailed, Event, Phase, RoundState

SHORTEST_S = 0.25
"""Seconds between two editions, at least."""

SHARE_S = 0.005
"""Seconds more for each page that listens: many pages are told more seldom."""

LONGEST_S = 1.0

WATCHED = frozenset({Phase.SETTLING, Phase.READING})
"""Phases in which cubes are seen to come to rest, and are read."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls something after so many seconds, as `asyncio.loop.call_later`."""


class Hub:
    """Knows the newest state, and wakes those who tell it: all at once, an edition at a time.

    Args:
        state: at the start.
        seq: number of the last event before.

    Attributes:
        state: the newest.
        seq: number of its event.
        edition: number of the last edition.
        glimpse: which cells were seen to rest and read so far, row by row, without their letters;
            empty where none were.
        recovered: the device that failed last works again, though what it was wanted for has not
            happened yet.
    """

    def __init__(self, state: RoundState, seq: int = 0) -> None:
        self.state = state
        self.seq = seq
        self.edition = 0
        self.glimpse: tuple[tuple[bool, ...], ...] = ()
        self.recovered = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._later: Later = lambda _seconds, _call: None
        self._news = asyncio.Event()
        self._fresh = False
        self._resting = False
        self._online: Counter[str] = Counter()
        self._pages = 0
        self._turn = asyncio.Lock()

    def watch(self, state: RoundState, event: Event) -> None:
        """As of `firmware_host.owner.Watch`: in the owner's thread, which it keeps from nothing."""
        if state == self.state:
            return
        if state.phase not in WATCHED:
            self.glimpse = ()
        if isinstance(event, DeviceFailed):
            self.recovered = False
        self.state, self.seq = state, self.seq + 1
        self._wake()

    def glimpsed(self, cells: tuple[tuple[bool, ...], ...]) -> None:
        """Which cells are read so far, where anybody waits for that; from any thread, no event."""
        if self.state.phase in WATCHED and cells != self.glimpse:
            self.glimpse = cells
            self._wake()

    def works(self, device: str) -> None:
        """A device did its part just now; from the owner's thread, no event."""
        trouble = self.state.trouble if self.state.failures and not self.recovered else None
        if trouble is not None and trouble[0].partition(": ")[0] == device:
            self.recovered = True
            self._wake()

    def tell_anew(self) -> None:
        """Tell all who listen, though nothing happened: some may not listen any longer."""
        self._wake()

    def attach(self, later: Later | None = None) -> None:
        """Belong to the loop that runs now.

        Args:
            later: lets time pass; None is the loop's own.
        """
        self._loop = asyncio.get_running_loop()
        self._later = later or self._loop.call_later

    def detach(self) -> None:
        """Belong to none: its pages are gone."""
        self._loop = None

    @property
    def online(self) -> frozenset[str]:
        """Names of players with a page that listens."""
        return frozenset(self._online)

    @property
    def interval_s(self) -> float:
        """Seconds between two editions now."""
        return min(LONGEST_S, SHORTEST_S + SHARE_S * self._pages)

    @contextmanager
    def listening(self, name: str = "") -> Iterator[None]:
        """A page listens; of a player, by their name."""
        self._pages += 1
        if name:
            self._online[name] += 1
            self._tell()
        try:
            yield
        finally:
            self._pages -= 1
            if name:
                self._online[name] -= 1
                self._online += Counter()  # drops the zeros
                self._tell()

    async def changes(self) -> AsyncIterator[None]:
        """One item at once, and one for each edition; without end.

        Pages have an edition one after the other: a word that comes meanwhile is answered in
        between, not behind 200 pages.
        """
        while True:
            news = self._news
            yield
            await news.wait()
            async with self._turn:
                await asyncio.sleep(0)

    def _wake(self) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(self._tell)
        except RuntimeError:  # the loop closed this very moment: nobody listens any more
            self._loop = None

    def _tell(self) -> None:
        """Have an edition: now, or when the one before is old enough."""
        self._fresh = True
        if not self._resting:
            self._publish()

    def _publish(self) -> None:
        self._resting = self._fresh
        if not self._fresh:
            return
        self._fresh = False
        self.edition += 1
        news, self._news = self._news, asyncio.Event()
        news.set()
        self._later(self.interval_s, self._publish)
