"""Work on many rolled boards: how many at a time, and a bar while it lasts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from scoring.engine import Engine
from scoring.rolls import Rolls
from scoring.rules import Game

PATIENCE_S = 2.0
"""Work that is done sooner shows no bar."""


@dataclass(frozen=True)
class Pace:
    """What an engine can be asked for.

    Attributes:
        batch: boards at a time: many make good use of threads, few can be watched and stopped.
        sample: boards that it rolls and scores in a second or so.
    """

    batch: int
    sample: int


def pace(engine: Engine, game: Game) -> Pace:
    """The pace of an engine; points that depend on letters are counted in Python after it."""
    slow = engine.name == "python" or game.letter_values
    return Pace(64, 1_000) if slow else Pace(4_096, 40_000)


class RollingBar:
    """Boards tried, how fast, and a remark; shown on terminals only, and not for short work.

    Args:
        log: where it is shown.
        task: what is being done, such as ``"Looking"``.
        total: boards at most.
        clock: seconds from any start.
    """

    def __init__(
        self, log: Console, task: str, total: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._start = clock()
        self._wanted = log.is_interactive
        self._tried = 0
        self._remark = ""
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=15),  # all of it fits in 80 columns
            TextColumn("{task.completed:,} of {task.total:,} boards, {task.fields[rate]:,}/s"),
            TextColumn("{task.fields[remark]}"),
            console=log,
            transient=True,
            redirect_stdout=False,  # results are not to land on standard error
            redirect_stderr=False,
        )
        self._task = self._progress.add_task(task, total=total, rate=0, remark="")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hide()

    def over(self, batches: Iterable[Rolls]) -> Iterator[Rolls]:
        """The same batches, counted as they are done with."""
        for rolls in batches:
            yield rolls
            self._tried += len(rolls)
            self._update()

    def remark(self, text: str) -> None:
        """Say something beside the bar from now on."""
        self._remark = text

    def hide(self) -> None:
        """Make room for results; the bar comes back with the next batch."""
        if self._progress.live.is_started:
            self._progress.stop()

    def _update(self) -> None:
        seconds = self._clock() - self._start
        if not self._wanted or seconds < PATIENCE_S:
            return
        rate = round(self._tried / seconds)
        self._progress.update(self._task, completed=self._tried, rate=rate, remark=self._remark)
        self._progress.start()
