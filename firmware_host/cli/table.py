"""People at a terminal, who play a round: what they are told and asked, and what they type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from firmware_host import rounds
from firmware_host.cli.draw import doubt_text
from firmware_host.cli.lines import Lines
from firmware_host.cli.narrate import Narrator
from firmware_host.cli.output import shown
from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.presses import event_of
from firmware_host.rounds import Event, Phase, RoundState
from scoring.board import Board, BoardError, Cell
from scoring.notation import cell_name
from scoring.players import alike
from scoring.wordlist import parse_word_list

if TYPE_CHECKING:
    from firmware_host.photos import Pictures
    from firmware_host.rounds import Question
    from hardware.clock import Clock

TICK_S = 0.2

COMMAND = "/"
"""What a command begins with, and no word does."""

COMMANDS = (
    *("pause", "extra_time", "last_chance", "done"),
    *("take", "back", "reroll", "cancel"),
)
"""What may be typed as a command, by the names that presses have in the settings."""


class TerminalTable:
    """People at a terminal.

    Args:
        clock: of the tray that they sit at.
        talk: where the round is told and questions are asked.
        lines: what they type.
        pictures: photos, for them to look at.
    """

    def __init__(self, clock: Clock, talk: Console, lines: Lines, pictures: Pictures) -> None:
        self._clock = clock
        self._pictures = pictures
        self._talk = talk
        self._lines = lines
        # A moving bar would overwrite what is being typed.
        self._narrator = Narrator(talk, pictures, moving=False)
        self._asked: str | Cell = ""

    def watch(self, state: RoundState, event: Event) -> None:
        """As of `firmware_host.play.Table.watch`."""
        if isinstance(event, rounds.Tick) and state.phase is not Phase.RUNNING:
            self._lines.drop_typed()  # half a word is none, and none of the next player's
            self._talk.print()
        self._narrator.tell(state, event)

    def next_event(self, state: RoundState) -> Event:
        """As of `firmware_host.play.Table.next_event`."""
        event = None
        while event is None:
            event = self._what_happens(state)
        return event

    def _what_happens(self, state: RoundState) -> Event | None:
        """What somebody does next; None where it came to nothing, which was told."""
        match state.phase:
            case Phase.RUNNING:
                return self._play_on(state)
            case Phase.COLLECTING:
                return self._write_down(state, state.awaited[0])
        if state.question is not None:
            return self._confirm(state, state.question)
        return self._go_on(state)

    def _go_on(self, state: RoundState) -> Event | None:
        self._talk.print(_enter_text(state))
        line = self._lines.next_line(None)
        if line is None and state.phase is not Phase.READY:
            raise _nobody(state)
        command = _command_in(line)
        return self._press() if command is None else self._commanded(state, command)

    def _press(self) -> Event:
        return rounds.ButtonPressed(self._clock.monotonic())

    def _play_on(self, state: RoundState) -> Event | None:
        line = self._lines.next_line(TICK_S)
        if (command := _command_in(line)) is not None:
            return self._commanded(state, command)
        if line is None and state.unhurried and self._lines.ended:
            raise _nobody(state)
        if line is not None and len(state.plan.players) > 1:
            self._lines.put_back(line)
            self._clock.sleep(TICK_S)
            line = None
        at = self._clock.monotonic()
        if not line or state.left(at) == 0:
            return rounds.Tick(at)
        return rounds.WordWritten(state.plan.players[0], line, at)

    def _write_down(self, state: RoundState, player: str) -> Event | None:
        """The next line of a player's list; it is handed in with an empty one."""
        written = state.drafts.get(player, ())
        if len(state.plan.players) > 1:
            self._ask_for_list(player)
            line = self._lines.next_line(None)
            if (command := _command_in(line)) is not None:
                return self._commanded(state, command)
            if line:
                return rounds.WordWritten(player, line, self._clock.monotonic())
        return rounds.ListHandedIn(player, parse_word_list("\n".join(written)))

    def _ask_for_list(self, player: str) -> None:
        if self._asked != player:
            self._asked = player
            self._talk.print(
                f"[bold]{shown(player)}[/], your words, a line each; an empty line ends them:"
            )

    def _confirm(self, state: RoundState, question: Question) -> Event | None:
        """A doubtful cube: its face is typed, or its readings are passed over until one fits."""
        self._tell_doubt(state, question)
        self._talk.print(
            f"[bold]{shown(question.text)}[/] Type /take for yes, Enter for another, or its face."
        )
        line = self._lines.next_line(None)
        if line is None:
            message = f"nobody confirmed the doubtful cube {cell_name(question.cell)}"
            advice = "Play again and type its letter when asked."
            raise CommandError(Complaint("doubtful", message, advice, ExitCode.DOUBTFUL))
        if (command := _command_in(line)) is not None:
            return self._commanded(state, command)
        return self._confirmed(question.cell, line) if line.strip() else self._press()

    def _tell_doubt(self, state: RoundState, question: Question) -> None:
        if self._asked == question.cell or state.reading is None or state.photo is None:
            return
        self._asked = question.cell
        row, col = question.cell
        guesses = state.reading.cells[row][col].alternatives
        read = ", ".join(f"{face} ({share:.0%})" for face, share in guesses)
        photo = shown(str(self._pictures.shown(state.photo)))
        self._talk.print(f"{doubt_text(question)}, in {photo}: {read}.")

    def _confirmed(self, cell: Cell, typed: str) -> Event | None:
        try:
            return rounds.CellConfirmed(cell, Board.parse(typed, (1, 1))[0, 0])
        except BoardError as error:
            advice = "Type a face, such as A or Qu, # for a blank:"
            self._talk.print(f"{error}. {advice}", markup=False)
        return None

    def _commanded(self, state: RoundState, words: str) -> Event | None:
        """What a command means; one that would change nothing is told."""
        event = self._meant(state, words)
        if event is None:
            now = ", ".join(COMMAND + word for word in COMMANDS if self._meant(state, word))
            self._talk.print(f"{COMMAND}{shown(words)} means nothing now; what does: {now}.")
        return event

    def _meant(self, state: RoundState, words: str) -> Event | None:
        action, _, name = words.strip().partition(" ")
        if action not in COMMANDS:
            return None
        known = {alike(player): player for player in state.plan.players}
        player = known.get(alike(name), name)
        event = event_of(action, state, self._clock.monotonic(), player)
        return event if event and rounds.step(state, event)[0] != state else None


def _command_in(line: str | None) -> str | None:
    """The words of a command; None where it is none."""
    return line.removeprefix(COMMAND) if line and line.startswith(COMMAND) else None


def _enter_text(state: RoundState) -> str:
    if state.phase is not Phase.READY:
        return "Press Enter to go on."
    alone = " Then type your words, a line each." if len(state.plan.players) == 1 else ""
    timer = "begin" if state.plan.timing is rounds.Timing.LAST_CHANCE else "start the sand timer"
    return f"Press Enter to {timer}.{alone}"


def _nobody(state: RoundState) -> CommandError:
    """The input has ended where somebody must do something."""
    why = {
        Phase.LID_OPEN: "the lid is open",
        Phase.BY_HAND: "the cubes do not lie flat",
        Phase.RUNNING: "no timer runs",
    }.get(state.phase, "the round waits for a press")
    message = f"{why}, and nobody is there to go on"
    advice = "See to it, then go on with the same command and --resume."
    return CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
