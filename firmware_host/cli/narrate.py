"""Tells a round aloud, step by step, as it is played in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from firmware_host import rounds
from firmware_host.cli.draw import board_text, edition_text
from firmware_host.cli.output import shown
from firmware_host.rounds import Event, Phase, RoundState
from scoring.notation import cell_name


class Narrator:
    """Prints what each step of a round led to.

    Args:
        console: where to.
        moving: draw the sand as a bar that moves; else say when little is left.
    """

    def __init__(self, console: Console, *, moving: bool = True) -> None:
        self._console = console
        self._moving = moving and console.is_terminal
        self._left_s = 0.0
        self._sand: Progress | None = None
        self._grains: TaskID = TaskID(0)

    def tell(self, state: RoundState, event: Event) -> None:
        """Say what happened; called after every step."""
        match event:
            case rounds.Tick(_):
                self._show_sand(state)
            case rounds.TrayRead(_, photo):
                self._say(f"Photo: {shown(str(photo))}")
                self._tell_reading(state)
            case rounds.CellConfirmed(cell, face):
                self._say(f"{cell_name(cell)} is confirmed as [bold]{face}[/].")
            case rounds.StillMoving():
                self._say("The cubes are not at rest: one more push.")
            case rounds.TrayNotRead(message, advice):
                self._say(f"[yellow]The photo cannot be read:[/] {shown(message)}. {shown(advice)}")
        self._tell_phase(state, event)

    def _tell_phase(self, state: RoundState, event: Event) -> None:
        match state.phase, event:
            case Phase.SHAKING, _:
                self._say(f"[bold]Shaking[/] for {state.plan.shake_s:g} s …")
            case Phase.SETTLING, rounds.ShakeDone():
                self._say("[bold]Settling[/]: watching the cubes until they lie still …")
            case Phase.READING, rounds.Settled():
                self._say("They lie still. [bold]Reading[/] a photo of the tray …")
            case Phase.READY, _ if state.board:
                self._say(board_text(state.board))
            case Phase.RUNNING, rounds.ButtonPressed():
                self._start_sand(state)
            case Phase.COLLECTING | Phase.SCORING, rounds.Tick(_):
                self._say("[bold]Time is up.[/]")
            case Phase.FAULTED, _ if state.fault:
                self._say(f"[bold red]Fault:[/] {shown(state.fault[0])}. {shown(state.fault[1])}")

    def _tell_reading(self, state: RoundState) -> None:
        if state.reading is None:
            return
        self._say("What the tray read, with its confidence in per cent:")
        for row in state.reading.cells:
            cells = (
                f"{cell.face:>3} {_per_cent(cell.confidence, sure=not cell.doubtful)}"
                for cell in row
            )
            self._console.print("   " + "  ".join(cells))
        doubtful = ", ".join(map(cell_name, state.reading.doubtful)) or "none"
        self._say(f"Cube set: {edition_text(state.reading)}. Doubtful: {doubtful}.")

    def _start_sand(self, state: RoundState) -> None:
        self._say(f"[bold]The sand timer runs[/]: {state.plan.timer_s:g} s.")
        self._left_s = state.plan.timer_s
        self._sand = Progress(
            TextColumn("  sand"),
            BarColumn(bar_width=40),
            TextColumn("{task.fields[left]:.0f} s left"),
            console=self._console,
            transient=True,
            disable=not self._moving,
        )
        self._grains = self._sand.add_task(
            "sand", total=state.plan.timer_s, left=state.plan.timer_s
        )
        self._sand.start()

    def _show_sand(self, state: RoundState) -> None:
        if self._sand is None:
            return
        left = state.left_s or 0.0
        if not self._moving:
            self._warn(left)
        self._sand.update(self._grains, completed=left, left=left)
        if state.phase is not Phase.RUNNING:
            self._sand.stop()
            self._sand = None

    def _warn(self, left: float) -> None:
        for mark, _ in rounds.WARNINGS:
            if left <= mark < self._left_s:
                self._say(f"{mark:g} s left")
        self._left_s = left

    def _say(self, text: str) -> None:
        self._console.print(text)


def _per_cent(confidence: float, *, sure: bool) -> str:
    text = f"{confidence * 100:5.1f}"
    return f"[green]{text}[/]" if sure else f"[yellow]{text}?[/]"
