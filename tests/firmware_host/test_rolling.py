"""The bar over long work on rolled boards: late, out of the way of results, and gone in the end."""

from __future__ import annotations

import io
from collections.abc import Generator

import pytest
from rich.console import Console

from firmware_host.cli.rolling import PATIENCE_S, RollingBar
from scoring.rolls import Rolls

BATCH = Rolls(("A",), 1, 1, bytes(1_000_000))
TOTAL = 10_000_000


class Clock:
    """Stands still unless told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def terminal(*, interactive: bool = True) -> Console:
    return Console(
        file=io.StringIO(), width=80, force_terminal=interactive, force_interactive=interactive
    )


def written(log: Console) -> str:
    assert isinstance(log.file, io.StringIO)
    return log.file.getvalue()


def worked(log: Console, seconds: float) -> Generator[str, None, None]:
    """Three batches, each of which takes so long; gives what is written after each."""
    clock = Clock()
    with RollingBar(log, "Looking", TOTAL, clock) as bar:
        for _ in bar.over([BATCH] * 3):
            bar.remark("found 1 of 2")
            clock.now += seconds
            yield written(log)
    yield written(log)


def test_short_work_shows_nothing() -> None:
    assert "".join(worked(terminal(), PATIENCE_S / 4)) == ""


def test_long_work_shows_boards_rate_and_remark() -> None:
    first, second, *_, last = worked(terminal(), PATIENCE_S)
    assert first == ""
    for text in ("Looking", "1,000,000 of 10,000,000 boards", "500,000/s", "found 1 of 2"):
        assert text in second
    assert "3,000,000 of 10,000,000 boards" in last


def test_the_bar_fits_on_a_line() -> None:
    *_, last = worked(terminal(), PATIENCE_S)
    assert last.count("\n") == 1  # after it was erased


def test_nothing_of_the_bar_stays() -> None:
    *_, last = worked(terminal(), PATIENCE_S)
    assert last.endswith("\x1b[?25h\r\x1b[1A\x1b[2K")  # the cursor shown, the line erased


def test_files_and_pipes_get_no_bar() -> None:
    assert "".join(worked(terminal(interactive=False), PATIENCE_S)) == ""


def test_the_bar_makes_room_for_results_and_comes_back() -> None:
    log, clock = terminal(), Clock()
    with RollingBar(log, "Looking", TOTAL, clock) as bar:
        batches = bar.over([BATCH] * 3)
        clock.now += PATIENCE_S
        next(batches)
        next(batches)
        bar.hide()
        hidden = written(log)
        assert hidden.endswith("\x1b[2K")
        next(batches)
        assert "2,000,000 of 10,000,000 boards" in written(log).removeprefix(hidden)


def test_an_interrupt_takes_the_bar_away() -> None:
    log = terminal()
    work = worked(log, PATIENCE_S)
    next(work)
    next(work)
    with pytest.raises(KeyboardInterrupt):
        work.throw(KeyboardInterrupt)
    assert written(log).endswith("\x1b[2K")
