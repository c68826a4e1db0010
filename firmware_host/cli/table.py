"""People at a terminal, who play a round: what they are told and asked, and what they type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console

from firmware_host import rounds
from firmware_host.cli.draw import doubt_text
from firmware_host.cli.ears import Heard
from firmware_host.cli.narrate import Narrator
from firmware_host.cli.output import shown
from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.presses import Press, event_of
from firmware_host.rounds import Event, Phase, RoundState
from scoring.board import Board, BoardError, Cell
from scoring.notation import cell_name
from scoring.players import alike

if TYPE_CHECKING:
    from firmware_host.photos import Pictures
    from firmware_host.rounds import Question
    from hardware.clock import Clock

TICK_S = 0.2

Take = Callable[[str | None], Event | None]
"""What a line means, or None for its end; None where it came to nothing."""

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
        heard: what they type and press.
        pictures: photos, for them to look at.
        way_on: what is to be done where nobody is there to go on.
    """

    def __init__(
        self,
        clock: Clock,
        talk: Console,
        heard: Heard,
        pictures: Pictures,
        way_on: str = "go on with the same command and --resume",
    ) -> None:
        self._clock = clock
        self._pictures = pictures
        self._talk = talk
        self._heard = heard
        self._way_on = way_on
        # A moving bar would overwrite what is being typed.
        self._narrator = Narrator(talk, pictures, moving=False)
        self._asked: tuple[object, ...] = ()

    def watch(self, state: RoundState, event: Event) -> None:
        """As of `firmware_host.play.Table.watch`."""
        if isinstance(event, rounds.Tick) and state.phase is not Phase.RUNNING:
            self._heard.drop_typed()  # half a word is none, and none of the next player's
            self._talk.print()
        self._narrator.tell(state, event)

    def next_event(self, state: RoundState) -> Event:
        """As of `firmware_host.play.Table.next_event`."""
        event = None
        while event is None:
            event = self._what_happens(state)
        return event

    def meanwhile(self, state: RoundState) -> Event | None:
        """As of `firmware_host.play.Table.meanwhile`."""
        event = None
        while event is None and (press := self._heard.pressed()) is not None:
            event = _changing(state, press.meant(state))
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
        self._is_new(state.phase, state.shakes)
        self._talk.print(_enter_text(state))
        return self._listen(state, None, lambda line: self._gone_on(state, line))

    def _gone_on(self, state: RoundState, line: str | None) -> Event | None:
        """A press for an empty line, and for no other: a word belongs to running sand."""
        if line is None:
            raise self._left_alone(state)
        if line.strip():
            self._talk.print(f"{shown(line)} is not taken. {_waiting_text(state)}.")
            return None
        return self._press()

    def _left_alone(self, state: RoundState) -> BaseException:
        """What ends a round at the end of the input: the same as Ctrl-C, unless hands must act."""
        if state.phase in _FOR_HANDS:
            return _nobody(state, self._way_on)
        self._talk.print(f"The input has ended. To play on, {self._way_on}.")
        return KeyboardInterrupt()

    def _is_new(self, *asked: object) -> bool:
        """Whether this is asked for the first time; then what was typed before is no answer to it.

        A file or pipe keeps its lines: whoever wrote them knew what would be asked.
        """
        is_new = self._asked != asked
        if is_new:
            self._asked = asked
            self._heard.drop_typed()
        return is_new

    def _listen(self, state: RoundState, timeout: float | None, take: Take) -> Event | None:
        """What a press or a command means, else what ``take`` makes of the line."""
        said = self._heard.next_line(timeout)
        if isinstance(said, Press):
            return _changing(state, said.meant(state))
        if said is not None and said.startswith(COMMAND):
            return self._commanded(state, said.removeprefix(COMMAND))
        return take(said)

    def _press(self) -> Event:
        return rounds.ButtonPressed(self._clock.monotonic())

    def _play_on(self, state: RoundState) -> Event | None:
        event = self._listen(state, TICK_S, lambda line: self._written(state, line))
        return event or rounds.Tick(self._clock.monotonic())

    def _written(self, state: RoundState, line: str | None) -> Event | None:
        if line is None and state.unhurried and self._heard.ended:
            raise _nobody(state, self._way_on)
        if line is not None and len(state.plan.players) > 1:
            kept = self._heard.put_back(line)
            if kept and state.unhurried:  # a command behind it would never be heard
                raise _nobody(
                    state, f"type {COMMAND}last_chance before the lists, and {self._way_on}"
                )
            self._clock.sleep(TICK_S)
            line = None
        at = self._clock.monotonic()
        if not line or state.left(at) == 0:
            return None
        return rounds.WordWritten(state.plan.players[0], line, at)

    def _write_down(self, state: RoundState, player: str) -> Event | None:
        """The next line of a player's list; it is handed in with an empty one."""
        if len(state.plan.players) == 1:
            return _list_of(state, player)
        self._ask_for_list(player)
        return self._listen(state, None, lambda line: self._listed(state, player, line))

    def _listed(self, state: RoundState, player: str, line: str | None) -> Event:
        if line:
            return rounds.WordWritten(player, line, self._clock.monotonic())
        return _list_of(state, player)

    def _ask_for_list(self, player: str) -> None:
        if self._asked != (player,):
            self._asked = (player,)
            self._talk.print(
                f"[bold]{shown(player)}[/], your words, a line each; an empty line ends them:"
            )

    def _confirm(self, state: RoundState, question: Question) -> Event | None:
        """A doubtful cube: its face is typed, or its readings are passed over until one fits."""
        self._tell_doubt(state, question)
        self._talk.print(
            f"[bold]{shown(question.text)}[/] Type /take for yes, Enter for another, or its face."
        )
        return self._listen(state, None, lambda line: self._answered(question.cell, line))

    def _answered(self, cell: Cell, line: str | None) -> Event | None:
        if line is None:
            message = f"nobody confirmed the doubtful cube {cell_name(cell)}"
            advice = "Play again and type its letter when asked."
            raise CommandError(Complaint("doubtful", message, advice, ExitCode.DOUBTFUL))
        return self._confirmed(cell, line) if line.strip() else self._press()

    def _tell_doubt(self, state: RoundState, question: Question) -> None:
        if not self._is_new(question.cell, state.shakes):
            return
        if state.reading is None or state.photo is None:
            return
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
        return _changing(state, event_of(action, state, self._clock.monotonic(), player))


def _changing(state: RoundState, event: Event | None) -> Event | None:
    """An event, where it changes anything."""
    return event if event and rounds.step(state, event)[0] != state else None


def _list_of(state: RoundState, player: str) -> Event:
    """The list that a player has written, handed in."""
    return rounds.ListHandedIn(player, rounds.typed_entries(state.lines.get(player, ())))


def _enter_text(state: RoundState) -> str:
    if state.phase is not Phase.READY:
        return "Press Enter to go on."
    alone = " Then type your words, a line each." if len(state.plan.players) == 1 else ""
    timer = "begin" if state.plan.timing is rounds.Timing.LAST_CHANCE else "start the sand timer"
    return f"Press Enter to {timer}.{alone}"


def _waiting_text(state: RoundState) -> str:
    """What the round waits for instead of words."""
    match state.phase:
        case Phase.PAUSED:
            return "Paused: Enter goes on"
        case Phase.READY:
            return "The sand does not run yet: Enter starts it"
    return "Enter goes on"


_FOR_HANDS = {Phase.LID_OPEN: "the lid is open", Phase.BY_HAND: "the cubes do not lie flat"}
"""Where hands must act before the round can go on, and why."""


def _nobody(state: RoundState, way_on: str) -> CommandError:
    """The input has ended where somebody must do something."""
    message = f"{_FOR_HANDS.get(state.phase, 'no timer runs')}, and nobody is there to go on"
    advice = f"See to it, then {way_on}."
    return CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
