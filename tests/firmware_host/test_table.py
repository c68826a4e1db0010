"""People at a terminal: what they type in each phase of a round, on a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from firmware_host.cli.table import TerminalTable
from firmware_host.errors import CommandError, ExitCode
from firmware_host.photos import PhotoFolder, Pictures
from firmware_host.play import play_round
from firmware_host.presses import Press, listen
from firmware_host.rounds import (
    BackAsked,
    ButtonPressed,
    Event,
    ExtraTime,
    LastChance,
    PauseAsked,
    Phase,
    Plan,
    RoundState,
    Timing,
    TurnDone,
)
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Call, Faces, simulated_devices
from hardware.simulated.inputs import SimulatedButton
from scoring.lexicon import Lexicon
from scoring.rules import game
from tests.firmware_host.conftest import BOARD, make_reading
from tests.firmware_host.test_worldwinner import Done, Lines
from vision.reading import TrayReading

LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe", "rehs"])
ALONE = Plan(game("boggle"), ("you",), timer_s=5.0)
TWO = replace(ALONE, players=("red", "blue"))
OPEN = replace(TWO, timing=Timing.LAST_CHANCE)
TURNS = replace(TWO, timing=Timing.TURNS)
ENTER, LISTS = "", ("hey", "", "toe", "")


class Terminal(Lines):
    """Lines that are typed at a terminal, some of them while nothing is asked."""

    def __init__(self, clock: ManualClock, lines: Sequence[Done]) -> None:
        super().__init__(clock, lines)
        self._early: list[str] = []

    def type_early(self, line: str) -> None:
        self._early.append(line)

    def next_line(self, timeout: float | None) -> str | Press | None:
        return self._early.pop(0) if self._early else super().next_line(timeout)

    def drop_typed(self) -> None:
        self._early.clear()


class Pipe(Terminal):
    """The same lines in a pipe, which keeps them."""

    def drop_typed(self) -> None:
        """Drop nothing."""


class Evening:
    """A round, what was recorded of it, and what was told."""

    def __init__(self, folder: Path) -> None:
        self.events: list[Event] = []
        self.during: dict[str, Callable[[SimulatedButton], None]] = {}
        """What somebody does to the button while the tray is at something, once."""
        self.lines: type[Lines] = Lines
        self.typed: Lines | None = None
        self._button: SimulatedButton | None = None
        self._folder = folder
        self._out = StringIO()

    def record(self, event: Event) -> None:
        self.events.append(event)

    @property
    def told(self) -> str:
        return self._out.getvalue()

    def play(self, plan: Plan, lines: Sequence[Done], *readings: TrayReading) -> RoundState:
        return self.play_at(plan, lambda _: lines, *readings)

    def play_at(
        self, plan: Plan, do: Callable[[SimulatedButton], Sequence[Done]], *readings: TrayReading
    ) -> RoundState:
        """Play with what people type, and do to the button."""
        clock, left = ManualClock(), list(readings or [make_reading()])
        devices = simulated_devices(lambda: BOARD.faces, render, clock, self._meddle)
        self._button = devices.button
        tray = Tray(devices, clock, lambda _: left.pop(0), PhotoFolder(self._folder), LEXICON)
        talk, typed = Console(file=self._out, width=200), self.lines(clock, do(devices.button))
        self.typed = typed
        listen(devices.button, clock, typed.hear)
        table = TerminalTable(clock, talk, typed, Pictures(self._folder))
        return play_round(plan, tray, table, self)

    def _meddle(self, call: Call) -> None:
        meddle = self.during.pop(call.action, None)
        if meddle is not None and self._button is not None:
            meddle(self._button)

    def all_of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


def render(_faces: Faces, number: int) -> Photo:
    blocks = np.random.default_rng(number).integers(60, 255, (12, 16, 1))
    return np.kron(blocks, np.ones((20, 20, 3))).astype(np.uint8)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def points(state: RoundState) -> list[int]:
    assert state.result is not None
    return [player.points for player in state.result.players]


def test_readings_of_a_doubtful_cube_are_passed_over_until_one_is_taken(evening: Evening) -> None:
    lines = (ENTER, "/back", ENTER, "/take", ENTER)
    state = evening.play(ALONE, lines, make_reading(doubtful=[(0, 0)]))
    assert state.board is not None
    assert str(state.board) == "#ETC/HQuPE/SEYH/TOER"
    assert len(evening.all_of(BackAsked)) == 1
    asked = [line.split("?")[0] for line in evening.told.splitlines() if "? Type" in line]
    assert asked == ["I", "Blank", "I", "Blank"]
    assert evening.told.count("Doubtful: A1, row 1, column 1, in ") == 1
    assert "I (60%), # (30%)" in evening.told


def test_a_face_may_be_typed_and_what_is_none_is_asked_again(evening: Evening) -> None:
    reading = make_reading(doubtful=[(0, 0), (1, 1)])
    state = evening.play(ALONE, ("7", "L", "Q", ENTER), reading)
    assert str(state.board) == "LETC/HQPE/SEYH/TOER"
    assert "Type a face" in evening.told
    assert "Doubtful (2 of 2): B2, row 2, column 2" in evening.told


def test_a_cube_that_cannot_be_read_is_shaken_again(evening: Evening) -> None:
    doubtful, sure = make_reading(doubtful=[(0, 0)]), make_reading()
    state = evening.play(ALONE, ("/reroll", ENTER), doubtful, sure)
    assert state.board == BOARD
    assert evening.told.count("Shaking") == 2


def test_nobody_confirms_where_the_input_has_ended(evening: Evening) -> None:
    with pytest.raises(CommandError) as told:
        evening.play(ALONE, (), make_reading(doubtful=[(0, 0)]))
    assert told.value.complaint.code is ExitCode.DOUBTFUL


@pytest.mark.parametrize("plan", [ALONE, TWO, OPEN])
def test_the_end_of_the_input_starts_no_sand_but_ends_as_ctrl_c_does(
    evening: Evening, plan: Plan
) -> None:
    with pytest.raises(KeyboardInterrupt):
        evening.play(plan, ())
    assert len(evening.all_of(ButtonPressed)) == 1  # that of the shake
    assert "The input has ended. To play on, go on with the same command" in evening.told


def test_the_end_of_the_input_ends_no_pause(evening: Evening) -> None:
    with pytest.raises(KeyboardInterrupt):
        evening.play(ALONE, (ENTER, "hey", "/pause"))
    assert len(evening.all_of(PauseAsked)) == 1
    assert len(evening.all_of(ButtonPressed)) == 2


@pytest.mark.parametrize("plan", [ALONE, TWO])
def test_a_word_before_the_sand_does_not_start_it_and_is_told(evening: Evening, plan: Plan) -> None:
    state = evening.play(plan, ("th[ey]", ENTER, *LISTS[: 4 * (plan is TWO)]))
    assert state.phase is Phase.FINISHED
    told = "th[ey] is not taken. The sand does not run yet: Enter starts it."
    assert evening.told.count(told) == 1
    assert evening.told.count("Press Enter to start the sand timer") == 2
    assert len(evening.all_of(ButtonPressed)) == 2


def test_a_word_in_a_pause_does_not_end_it_and_is_told(evening: Evening) -> None:
    lines = (ENTER, "hey", "/pause", "rehs", "  ", "toe")  # a second each
    state = evening.play(replace(ALONE, timer_s=4.0), lines)
    assert state.drafts == {"you": ("hey", "toe")}
    assert "rehs is not taken. Paused: Enter goes on." in evening.told
    assert len(evening.all_of(ButtonPressed)) == 3


@pytest.mark.parametrize(("lines", "face"), [(Terminal, "I"), (Pipe, "#")])
def test_what_was_typed_while_the_tray_shook_answers_no_question_at_a_terminal(
    evening: Evening, lines: type[Terminal], face: str
) -> None:
    def type_early(_button: SimulatedButton) -> None:
        assert isinstance(evening.typed, Terminal)
        evening.typed.type_early(".")

    evening.lines, evening.during = lines, {"shake": type_early}
    answers = ("/take",) if lines is Terminal else ()
    state = evening.play(ALONE, (*answers, ENTER), make_reading(doubtful=[(0, 0)]))
    assert state.board is not None
    assert state.board[0, 0] == face


def test_what_was_typed_while_the_tray_shook_starts_no_sand_at_a_terminal(evening: Evening) -> None:
    def type_early(_button: SimulatedButton) -> None:
        assert isinstance(evening.typed, Terminal)
        evening.typed.type_early(ENTER)

    evening.lines, evening.during = Terminal, {"shake": type_early}
    with pytest.raises(KeyboardInterrupt):
        evening.play(ALONE, ())
    assert len(evening.all_of(ButtonPressed)) == 1


def test_the_sand_begins_with_the_last_chance(evening: Evening) -> None:
    state = evening.play(OPEN, (ENTER, *[None] * 20, "/last_chance RED", *LISTS))
    (chance,) = evening.all_of(LastChance)
    assert isinstance(chance, LastChance)
    assert (chance.player, chance.at > 20.0) == ("red", True)
    assert "No timer runs" in evening.told
    assert "The sand timer runs: 5 s" in evening.told
    assert points(state) == [1, 1]


@pytest.mark.parametrize("done", [("/done red", "/done blue"), ("/done",)])
def test_without_a_timer_both_may_agree_to_end(evening: Evening, done: tuple[str, ...]) -> None:
    state = evening.play(OPEN, (ENTER, *done, *LISTS))
    assert state.phase is Phase.FINISHED
    assert not evening.all_of(LastChance)
    assert ("red would end the round" in evening.told) == (len(done) == 2)


def test_without_a_timer_and_without_anybody_it_does_not_run_for_ever(evening: Evening) -> None:
    with pytest.raises(CommandError, match="no timer runs, and nobody is there") as told:
        evening.play(OPEN, (ENTER,))
    assert "--resume" in told.value.complaint.advice


def test_lists_before_the_last_chance_do_not_wait_for_ever(evening: Evening) -> None:
    with pytest.raises(CommandError, match="no timer runs") as told:
        evening.play(OPEN, (ENTER, *LISTS))
    assert "/last_chance before the lists" in told.value.complaint.advice


def test_a_turn_may_end_before_its_sand_is_through(evening: Evening) -> None:
    plan = replace(TURNS, timer_s=600.0)
    state = evening.play(plan, (ENTER, "/done", ENTER, "/done", *LISTS))
    assert len(evening.all_of(TurnDone)) == 2
    assert (state.phase, state.turn) == (Phase.FINISHED, 2)


def test_a_pause_keeps_what_is_left(evening: Evening) -> None:
    lines = (ENTER, "hey", "/pause", ENTER, "toe")  # a second each
    state = evening.play(replace(ALONE, timer_s=4.0), lines)
    assert len(evening.all_of(PauseAsked)) == 1
    assert state.drafts == {"you": ("hey", "toe")}
    assert "Paused." in evening.told


def test_a_disturbance_gives_more_time(evening: Evening) -> None:
    state = evening.play(ALONE, (ENTER, "/extra_time", *[None] * 20, "hey"))
    assert len(evening.all_of(ExtraTime)) == 1
    assert points(state) == [1]
    assert "More time: 34 s left" in evening.told


def test_what_means_nothing_now_is_told_with_what_does(evening: Evening) -> None:
    evening.play(ALONE, (ENTER, "/last_chance", "/dance [bold]"))
    now = "what does: /pause, /extra_time, /reroll, /cancel."
    assert f"/last_chance means nothing now; {now}" in evening.told
    assert f"/dance [bold] means nothing now; {now}" in evening.told


def test_lists_that_came_too_early_are_kept_for_their_time(evening: Evening) -> None:
    state = evening.play(TWO, (ENTER, *LISTS))
    assert points(state) == [1, 1]


@pytest.mark.parametrize("lines", [("/cancel",), (ENTER, "/cancel"), (ENTER, "hey", "/cancel")])
def test_a_round_may_be_given_up_at_any_time(evening: Evening, lines: tuple[str, ...]) -> None:
    assert evening.play(TWO, lines).phase is Phase.CANCELLED
    assert "The round was given up." in evening.told


def test_the_button_does_what_the_display_says(evening: Evening) -> None:
    plan = replace(TURNS, timer_s=600.0)
    doubtful = make_reading(doubtful=[(0, 0)])

    def do(button: SimulatedButton) -> Sequence[Done]:
        confirm = (button.press, button.hold)  # not the first reading but the second
        return (*confirm, button.press, button.hold, ENTER, "/done", *LISTS)

    state = evening.play_at(plan, do, doubtful)
    assert str(state.board) == "#ETC/HQuPE/SEYH/TOER"
    assert len(evening.all_of(TurnDone)) == 2
    assert points(state) == [1, 1]


def test_presses_and_lines_are_taken_as_they_come(evening: Evening) -> None:
    def do(button: SimulatedButton) -> Sequence[Done]:
        pause, more = (lambda: button.act("pause")), (lambda: button.act("extra_time"))
        return (button.press, "hey", pause, more, button.press, "toe")  # a second each

    state = evening.play_at(replace(ALONE, timer_s=4.0), do)
    assert state.drafts == {"you": ("hey", "toe")}
    assert [len(evening.all_of(kind)) for kind in (PauseAsked, ExtraTime)] == [1, 1]
    assert points(state) == [2]


def test_a_long_press_is_the_last_chance(evening: Evening) -> None:
    evening.play_at(OPEN, lambda button: (button.press, button.hold, *[None] * 6, *LISTS))
    assert len(evening.all_of(LastChance)) == 1


def test_a_press_during_a_shake_is_over_with_it(evening: Evening) -> None:
    evening.during = {"shake": lambda button: button.press()}
    state = evening.play_at(ALONE, lambda button: (button.press, "hey"))
    _, start = evening.all_of(ButtonPressed)
    assert isinstance(start, ButtonPressed)
    assert start.at > ALONE.shake_s
    assert state.phase is Phase.FINISHED


def test_a_round_may_be_given_up_during_a_shake(evening: Evening) -> None:
    evening.during = {"shake": lambda button: button.hold()}
    assert evening.play(ALONE, ()).phase is Phase.CANCELLED


def test_presses_that_mean_nothing_do_not_stop_the_sand(evening: Evening) -> None:
    state = evening.play_at(ALONE, lambda button: (ENTER, *[button.press] * 20))
    assert state.phase is Phase.FINISHED
    assert len(evening.all_of(ButtonPressed)) == 2


def test_a_press_is_no_empty_line_of_a_list(evening: Evening) -> None:
    def do(button: SimulatedButton) -> Sequence[Done]:
        return (ENTER, *[None] * 5, button.press, "hey", button.press, "toe", "", "")

    assert points(evening.play_at(TWO, do)) == [2, 0]
