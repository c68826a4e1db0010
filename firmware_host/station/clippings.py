"""Pictures of what is doubtful, cut out of the photographs at the tray where the station asks.

Only what is open now is shown, and never a whole photograph. To read a photograph takes a
while on a Pi: a thread does it, one request after the other, and the link goes on.
"""

from __future__ import annotations

import base64
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.rounds import RoundState
from firmware_host.station.details import open_details
from firmware_host.station.wire import LARGEST_CROP, MOST_WANTED, Crop, Detail, Kind

if TYPE_CHECKING:
    from firmware_host.crops import Pixels

PATIENCE_S = 5.0
"""Seconds that the owner of the round is waited for; then the station asks again."""

Ask = Callable[[], "Future[RoundState]"]
"""Asks the owner of the round how it stands; never waits."""

Run = Callable[[Callable[[], None]], None]
"""Has something done, without waiting for it."""


def in_thread(job: Callable[[], None]) -> None:
    """Have something done by a thread that keeps nobody from ending."""
    threading.Thread(target=job, name="crops", daemon=True).start()


class Clippings:
    """Cuts what the station asks for.

    Args:
        ask: how the round stands.
        ready: is called when there is something, from any thread.
        run: does the work.
    """

    def __init__(self, ask: Ask, ready: Callable[[], None], run: Run = in_thread) -> None:
        self._ask = ask
        self._ready = ready
        self._run = run
        self._busy = threading.Lock()
        self._done: queue.SimpleQueue[Crop] = queue.SimpleQueue()

    def cut(self, details: Sequence[Detail]) -> None:
        """Begin to cut; while others are being cut these must be asked for again."""
        if self._busy.acquire(blocking=False):
            self._run(lambda: self._cut(details[:MOST_WANTED]))

    def done(self) -> list[Crop]:
        """What was cut since this was called last."""
        return [self._done.get_nowait() for _ in range(self._done.qsize())]

    def _cut(self, details: Sequence[Detail]) -> None:
        try:
            state = self._state()
            for crop in crops_of(state, details) if state else ():
                self._done.put(crop)
        finally:
            self._busy.release()
            self._ready()

    def _state(self) -> RoundState | None:
        """How the round stands; None where its owner hangs, or has ended."""
        asked = self._ask()
        wait([asked], PATIENCE_S)
        if not asked.done() or asked.cancelled() or asked.exception() is not None:
            return None
        return asked.result()


def crops_of(state: RoundState, details: Sequence[Detail]) -> Iterator[Crop]:
    """The pictures of those details that are open; each photograph is read once."""
    shown = [detail for detail in dict.fromkeys(details) if detail in open_details(state)]
    for photo, of_photo in groupby(sorted(shown, key=_order), lambda each: _photo_of(state, each)):
        yield from _cut_from(photo, state, list(of_photo))


def _order(detail: Detail) -> tuple[str, tuple[int, int]]:
    return detail.photo, detail.place


def _photo_of(state: RoundState, detail: Detail) -> Path:
    if detail.kind is Kind.WORD:
        return state.scans[detail.place[0]].photo
    return state.photo or Path(detail.photo)


def _cut_from(photo: Path, state: RoundState, details: Sequence[Detail]) -> Iterator[Crop]:
    from firmware_host.crops import jpeg_within
    from vision.errors import PhotoError
    from vision.photo import load_photo

    try:
        pixels = load_photo(photo)
    except PhotoError:  # gone: the station need not ask again
        yield from (Crop(detail, "") for detail in details)
        return
    for detail in details:
        data = jpeg_within(_piece(pixels, state, detail), LARGEST_CROP)
        yield Crop(detail, base64.b64encode(data).decode())


def _piece(photo: Pixels, state: RoundState, detail: Detail) -> Pixels:
    from firmware_host.crops import cell_of, word_of

    first, second = detail.place
    if detail.kind is Kind.CELL and state.reading is not None:
        return cell_of(photo, state.reading, detail.place)
    return word_of(photo, state.scans[first].words[second].quad_px)
