"""What is typed and pressed, in the order in which it came."""

from __future__ import annotations

import io
import os
import pty
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from firmware_host.cli.ears import Ears
from firmware_host.cli.lines import DescriptorLines
from firmware_host.cli.table import TerminalTable
from firmware_host.photos import PhotoFolder, Pictures
from firmware_host.play import play_round
from firmware_host.presses import Press, listen
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.simulated import Call, simulated_devices
from tests.firmware_host.conftest import BOARD, make_reading
from tests.firmware_host.test_table import ALONE, LEXICON, render

PATIENCE_S = 10.0
"""For what comes at once; it bounds a test that would hang."""

PRESS = Press("press", 1.0)
PAUSE = Press("pause", 2.0)


class Typed:
    """Lines of a terminal or a file; tells what was dropped."""

    dropped = False
    ended = False

    def next_line(self, _timeout: float | None) -> str | None:
        return None

    def drop_typed(self) -> None:
        self.dropped = True


def heard(ears: Ears, count: int) -> list[str | Press | None]:
    return [ears.next_line(0) for _ in range(count)]


def test_first_come_is_first_served() -> None:
    ears = Ears(Typed(), terminal=True)
    for said in ("hey", PRESS, "toe", PAUSE):
        ears.hear(said)
    assert heard(ears, 5) == ["hey", PRESS, "toe", PAUSE, None]


def test_while_the_tray_is_busy_presses_are_taken_and_lines_wait() -> None:
    ears = Ears(Typed(), terminal=True)
    for said in ("hey", PRESS, "toe", PAUSE):
        ears.hear(said)
    assert [ears.pressed() for _ in range(3)] == [PRESS, PAUSE, None]
    assert heard(ears, 3) == ["hey", "toe", None]


def test_presses_pass_by_a_line_that_came_too_early() -> None:
    ears = Ears(Typed(), terminal=False)
    for said in ("hey", "toe", PAUSE):
        ears.hear(said)
    assert ears.next_line(0) == "hey"
    ears.put_back("hey")
    assert heard(ears, 4) == [PAUSE, "hey", "toe", None]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_line_that_came_too_early_comes_again_unless_typed_at_a_terminal(
    *, terminal: bool
) -> None:
    ears = Ears(Typed(), terminal=terminal)
    assert ears.put_back("tree") != terminal
    assert heard(ears, 1) == [None if terminal else "tree"]


@pytest.mark.parametrize("terminal", [True, False])
def test_what_was_typed_at_a_terminal_can_be_dropped_and_no_press_is(*, terminal: bool) -> None:
    typed = Typed()
    ears = Ears(typed, terminal=terminal)
    for said in ("hey", PRESS, "toe"):
        ears.hear(said)
    ears.drop_typed()
    ears.put_back("early")
    assert typed.dropped == terminal
    assert heard(ears, 4) == ([PRESS, *[None] * 3] if terminal else [PRESS, "early", "hey", "toe"])


def test_lines_end_when_the_last_was_taken_and_presses_come_even_then() -> None:
    ears = Ears(Typed(), terminal=False)
    ears.hear("hey")
    ears.end()
    ended = [ears.ended]
    assert (ears.next_line(None), ears.next_line(None)) == ("hey", None)
    ears.hear(PRESS)
    assert [*ended, ears.ended] == [False, True]
    assert heard(ears, 2) == [PRESS, None]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def test_lines_and_presses_come_from_threads_of_their_own(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    ears = Ears(DescriptorLines(reading, lambda _: None), terminal=False)
    ears.start()
    os.write(writing, b"hey\n")
    assert ears.next_line(PATIENCE_S) == "hey"
    presser = threading.Thread(target=ears.hear, args=(PRESS,))
    presser.start()
    assert ears.next_line(None) == PRESS
    os.write(writing, b"toe")
    os.close(writing)
    assert [ears.next_line(None), ears.next_line(None), ears.ended] == ["toe", None, True]
    presser.join()


def test_a_terminal_that_is_gone_ends_the_lines() -> None:
    ours, terminal = pty.openpty()
    ears = Ears(DescriptorLines(terminal, lambda _: None), terminal=True)
    ears.start()
    os.close(ours)  # reading fails from now on
    assert ears.next_line(None) is None
    assert ears.ended
    os.close(terminal)


def test_a_word_typed_before_a_pause_during_a_tune_is_not_lost(tmp_path: Path) -> None:
    """All of it comes while the tray plays, and is then taken one after the other."""
    clock, told = ManualClock(), io.StringIO()
    ears = Ears(Typed(), terminal=False)

    def meddle(call: Call) -> None:
        if call.action == "play" and call.args == ("start",):
            ears.hear("hey")
            devices.button.act("pause")
            for line in ("", "toe", *[""] * 9):
                ears.hear(line)
        if call.device == "sand_timer":
            clock.sleep(0.5)

    devices = simulated_devices(lambda: BOARD.faces, render, clock, meddle)
    tray = Tray(devices, clock, lambda _: make_reading(), PhotoFolder(tmp_path), LEXICON)
    listen(devices.button, clock, ears.hear)
    ears.hear("")
    table = TerminalTable(clock, Console(file=told, width=200), ears, Pictures(tmp_path))
    state = play_round(ALONE, tray, table)
    assert state.drafts == {"you": ("hey", "toe")}
    assert "Paused." in told.getvalue()
