"""``wordtray demo``: one whole round on the simulated tray."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.narrate import Narrator
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import DEMO, Agreed, play_simulated
from scoring.timer import TIMER_LIMITS

if TYPE_CHECKING:
    from firmware_host.rounds import Event, RoundState
    from firmware_host.simulation import Simulation
    from scoring.wordlist import Entry

EPILOG = "Examples: wordtray demo · wordtray demo --seed 7 · wordtray demo --cubes big_1979_5x5"

PLAYERS = {"red": 14, "blue": 11, "green": 8}
"""The made-up players, and how many words each of them finds."""

TICK_S = 0.1


def demo(
    seed: options.Seed = None,
    cubes: options.Shaken = options.SHAKEN,
    timer: Annotated[
        float,
        typer.Option(
            "--timer", metavar="SECONDS", help=f"Length of the shortened timer, {TIMER_LIMITS}."
        ),
    ] = 4.0,
    pictures: options.Pictures = options.PICTURES,
    *,
    json: options.Json = False,
) -> None:
    """Play one whole round on the simulated tray and show every step.

    The cubes, the camera and the players are made up, and nothing else is: the photo is read, the
    words are proved and the lists are scored as in any round.
    """
    with reporting(json=json) as output:
        agreed = Agreed(cubes, "enable", pictures, tuple(PLAYERS), timer)
        play_simulated(output, agreed, seed, DemoTable, by=DEMO)


class DemoTable:
    """Made-up people: they start the timer at once and write lists with the usual mistakes.

    Args:
        simulation: the tray; asked for a doubtful cube, they look at what really lies there.
        talk: where the round is told.
    """

    def __init__(self, simulation: Simulation, talk: Console) -> None:
        self._simulation = simulation
        self._talk = talk
        self._narrator = Narrator(talk, simulation.pictures, revealing=True)
        self._rng = random.Random(simulation.seed)

    def watch(self, state: RoundState, event: Event) -> None:
        """As of `firmware_host.play.Table.watch`."""
        from firmware_host.rounds import ListHandedIn, TrayRead

        self._narrator.tell(state, event)
        if isinstance(event, TrayRead):
            self._compare(state)
        if isinstance(event, ListHandedIn):
            words = " ".join(entry.text for entry in event.entries)
            self._talk.print(f"[bold]{shown(event.player)}[/] wrote: {shown(words)}")

    def next_event(self, state: RoundState) -> Event:
        """As of `firmware_host.play.Table.next_event`."""
        from firmware_host.rounds import ButtonPressed, CellConfirmed, ListHandedIn, Phase, Tick

        clock = self._simulation.clock
        if state.phase is Phase.CONFIRMING:
            cell = state.unconfirmed[0]
            return CellConfirmed(cell, self._simulation.board[cell])
        if state.phase is Phase.READY:
            return ButtonPressed(clock.monotonic())
        if state.phase is Phase.RUNNING:
            clock.sleep(TICK_S)
            return Tick(clock.monotonic())
        return ListHandedIn(state.awaited[0], self._list(state, state.awaited[0]))

    def meanwhile(self, _state: RoundState) -> None:
        """As of `firmware_host.play.Table.meanwhile`: nobody presses anything."""

    def _compare(self, state: RoundState) -> None:
        if state.reading is None:
            return
        truth = self._simulation.board
        right = sum(read == lies for read, lies in zip(state.reading.board, truth, strict=False))
        self._talk.print(f"Against the cubes as they really lie: {right} of {len(truth)} right.")

    def _list(self, state: RoundState, player: str) -> tuple[Entry, ...]:
        from firmware_host.players import write_list
        from scoring.solver import solve

        lexicon = self._simulation.tray.lexicon
        board = state.board or self._simulation.board
        solution = solve(board, lexicon, state.plan.game)
        return write_list(board, solution, lexicon, PLAYERS[player], self._rng)


command = demo
