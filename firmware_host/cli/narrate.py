"""Tells a round aloud, step by step, as it is played in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from firmware_host import rounds
from firmware_host.cli.draw import board_text, displaced_text, edition_text
from firmware_host.cli.output import shown
from firmware_host.rounds import Event, Phase, RoundState
from scoring.board import Cell
from scoring.notation import cell_name
from vision.reading import TrayReading

if TYPE_CHECKING:
    from firmware_host.photos import Pictures


class Narrator:
    """Prints what each step of a round led to.

    Args:
        console: where to.
        pictures: photos, for people to look at.
        moving: draw the sand as a bar that moves; else say when little is left.
        revealing: tell what was read before the sand runs: nobody plays who must not know it yet.
    """

    def __init__(
        self, console: Console, pictures: Pictures, *, moving: bool = True, revealing: bool = False
    ) -> None:
        self._console = console
        self._pictures = pictures
        self._revealing = revealing
        self._moving = moving and console.is_terminal
        self._left_s = 0.0
        self._told = (Phase.IDLE, 0)
        self._sand: Progress | None = None
        self._grains: TaskID = TaskID(0)

    def tell(self, state: RoundState, event: Event) -> None:
        """Say what happened; called after every step."""
        match event:
            case rounds.Tick(at):
                self._show_sand(state.left(at) or 0.0)
            case rounds.TrayRead(_, photo, cocked, displaced):
                self._tell_photo(state, photo, cocked)
                if displaced:
                    self._say(displaced_text(displaced))
            case rounds.CellConfirmed(cell, face):
                self._say(f"{cell_name(cell)} is confirmed as [bold]{face}[/].")
            case rounds.Restarted():
                self._tell_drafts(state)
            case _:
                self._tell_trouble(event)
        self._tell_phase(state, event)
        if state.phase is not Phase.RUNNING:
            self._end_sand()

    def _tell_trouble(self, event: Event) -> None:
        match event:
            case rounds.StillMoving():
                self._say("The cubes do not come to rest.")
            case rounds.LidOpened():
                self._say("[yellow]The lid is open:[/] nothing moves.")
            case rounds.TrayNotRead(message, advice, _):
                self._say(f"[yellow]The photo cannot be read:[/] {shown(message)}. {shown(advice)}")
            case rounds.DeviceFailed(message, _, _, retry_s) if retry_s is not None:
                self._say(f"[yellow]{shown(message)}[/]: trying again.")

    def _tell_phase(self, state: RoundState, event: Event) -> None:
        match state.phase, event:
            case Phase.SETTLING, rounds.ShakeDone():
                self._say("[bold]Settling[/]: watching the cubes until they lie still …")
            case Phase.READING, rounds.Settled():
                self._say("They lie still. [bold]Reading[/] a photo of the tray …")
            case Phase.READY, _ if state.board and self._revealing:
                self._tell_entered(state)
                self._say(board_text(state.board))
            case Phase.RUNNING | Phase.PAUSED, _:
                self._tell_time(state, event)
            case Phase.COLLECTING | Phase.SCORING, rounds.Tick(_):
                self._say("[bold]Time is up.[/]")
            case _:
                self._tell_entered(state)

    def _tell_time(self, state: RoundState, event: Event) -> None:
        match event:
            case rounds.PauseAsked(_) | rounds.Restarted(_) if state.phase is Phase.PAUSED:
                self._say("[bold]Paused.[/]")
            case rounds.ButtonPressed(at) | rounds.Restarted(at) | rounds.ResumeAsked(at):
                self._show_board(state)
                self._start(state, at)
            case rounds.LastChance(_, at):
                self._start(state, at)
            case rounds.ExtraTime(_, at):
                self._say(f"More time: {state.left(at) or 0:.3g} s left.")
            case rounds.Agreed(player):
                self._say(f"[bold]{shown(player)}[/] would end the round.")

    def _tell_entered(self, state: RoundState) -> None:
        """Say where the round stands now, the first time that it does."""
        before, self._told = self._told, (state.phase, state.shakes)
        if before == self._told:
            return
        if state.phase is Phase.SHAKING:
            self._say(f"[bold]Shaking[/] for {state.plan.shake_s:g} s …")
        elif state.phase is Phase.CANCELLED:
            self._say("The round was given up.")
        elif state.phase is Phase.BY_HAND:
            self._say("[bold]Lay the cubes flat by hand[/] and close the lid.")
        elif state.fault:
            self._say(f"[bold red]Fault:[/] {shown(state.fault[0])}. {shown(state.fault[1])}")

    def _tell_photo(self, state: RoundState, photo: Path, cocked: tuple[Cell, ...]) -> None:
        if cocked:
            cells = ", ".join(map(cell_name, cocked))
            self._say(f"Cubes that do not lie flat: {cells}.")
        if state.reading is not None and self._revealing:
            self._say(f"Photo: {shown(str(self._pictures.shown(photo)))}")
            self._tell_reading(state.reading)

    def _tell_drafts(self, state: RoundState) -> None:
        for player, lines in state.drafts.items():
            words = ", ".join(map(shown, lines))
            self._say(f"[bold]{shown(player)}[/] had written: {words}")

    def _tell_reading(self, reading: TrayReading) -> None:
        self._say("What the tray read, with its confidence in per cent:")
        for row in reading.cells:
            cells = (
                f"{cell.face:>3} {_per_cent(cell.confidence, sure=not cell.doubtful)}"
                for cell in row
            )
            self._console.print("   " + "  ".join(cells))
        doubtful = ", ".join(map(cell_name, reading.doubtful)) or "none"
        self._say(f"Cube set: {edition_text(reading)}. Doubtful: {doubtful}.")

    def _show_board(self, state: RoundState) -> None:
        if state.board and not self._revealing:
            self._say(board_text(state.board))

    def _start(self, state: RoundState, at: float) -> None:
        left = state.left(at)
        if left is None:
            self._say("[bold]No timer runs[/] until one of you types /last_chance, or all /done.")
        else:
            self._start_sand(state, left)

    def _start_sand(self, state: RoundState, left: float) -> None:
        self._say(f"[bold]The sand timer runs[/]: {left:.3g} s.")
        self._left_s = left
        self._sand = Progress(
            TextColumn("  sand"),
            BarColumn(bar_width=40),
            TextColumn("{task.fields[left]:.0f} s left"),
            console=self._console,
            transient=True,
            disable=not self._moving,
        )
        self._grains = self._sand.add_task("sand", total=state.plan.timer_s, left=left)
        self._sand.start()

    def _show_sand(self, left: float) -> None:
        if self._sand is None:
            return
        if not self._moving:
            self._warn(left)
        self._sand.update(self._grains, completed=left, left=left)

    def _end_sand(self) -> None:
        if self._sand is not None:
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
