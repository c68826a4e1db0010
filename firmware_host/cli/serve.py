"""``wordtray serve``: the service that owns the tray, for systemd or a terminal."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_host.cli import options
from firmware_host.cli.lines import Lines, standard_lines
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import CommandError, Complaint, ExitCode, complaint_of
from scoring.timer import TIMER_LIMITS

if TYPE_CHECKING:
    from rich.console import Console

    from firmware_host import service
    from firmware_host.rounds import Event, Phase, RoundState
    from hardware.simulated import SimulatedDevices

EPILOG = (
    "Examples: wordtray serve --simulate · wordtray serve --simulate --timer 30 --seed 7 · "
    "printf 'press\\n' | wordtray serve --simulate --json"
)


def serve(
    *,
    simulate: Annotated[
        bool,
        typer.Option(
            "--simulate",
            help="Own a simulated tray; a line on standard input is what a person does to it: "
            "press, lid open, lid shut.",
        ),
    ] = False,
    cubes: options.Shaken = options.SHAKEN,
    seed: options.Seed = None,
    game: options.Game = None,
    lexicon: options.Lexicon = "enable",
    timer: Annotated[
        float | None,
        typer.Option(
            "--timer",
            metavar="SECONDS",
            help=f"Another timer, of {TIMER_LIMITS} seconds (else the game's own).",
        ),
    ] = None,
    pictures: options.Pictures = options.PICTURES,
    json: options.Json = False,
) -> None:
    """Own the tray: a press of its button shakes, reads and runs the sand timer, round after round.

    Runs until it is told to stop, by systemd, by Ctrl-C or by SIGTERM; the motor, the lamp and all
    else are off afterwards. Under systemd it tells how it stands and feeds the watchdog as long as
    it gets on. It has no pages yet: players keep their lists on paper.
    """
    from firmware_host import service

    with reporting(json=json) as output, service.stop_signals() as wait:
        if not simulate:
            message = "this version cannot drive a real tray yet"
            advice = "Own a simulated one: wordtray serve --simulate."
            raise CommandError(Complaint("device", message, advice, ExitCode.DEVICE_FAULT))
        _serve_simulated(
            output,
            wait,
            cubes=cubes,
            seed=seed,
            game=game,
            lexicon=lexicon,
            timer_s=timer,
            pictures=pictures,
        )


def _serve_simulated(
    output: Output,
    wait: service.Wait,
    *,
    cubes: str,
    seed: int | None,
    game: str | None,
    lexicon: str,
    timer_s: float | None,
    pictures: Path,
) -> None:
    from firmware_host import service
    from firmware_host.cli.boards import given_game, given_lexicon
    from firmware_host.cli.rounds import simulated_tray
    from firmware_host.owner import Owner, OwnersClock
    from firmware_host.rounds import Plan, RoundState
    from firmware_host.systemd import Notifier
    from hardware.clock import SystemClock
    from scoring.timer import check_timer

    if timer_s is not None:
        check_timer(timer_s)
    clock = OwnersClock(SystemClock())
    words = given_lexicon(lexicon)
    simulation = simulated_tray(output.log, cubes, seed, words, pictures, clock=clock)
    rules = given_game(game, simulation.board)
    plan = Plan(rules, (), timer_s or rules.timer_s)
    tell = Teller(output, simulated=True)
    owner = Owner(RoundState(plan), simulation.devices, simulation.tray.perform, clock, tell.watch)
    lines = standard_lines()
    # Not before the owner listens to the button: a press would be lost.
    owner.begun.add_done_callback(lambda _: _listen(simulation.devices, lines, output.log))
    faulthandler.enable()  # a watchdog ends a hang by SIGABRT: the log then shows where it hung
    service.run(owner, clock, Notifier.of(os.environ, os.getpid()), wait)
    output.log.print("Stopped; all outputs are off.")


class Teller:
    """Tells each phase of the rounds: a line for people, a document for programs.

    Args:
        output: the command's streams.
        simulated: whether the tray is; said in every document.
    """

    def __init__(self, output: Output, *, simulated: bool) -> None:
        self._output = output
        self._simulated = simulated
        self._phase: Phase | None = None

    def watch(self, state: RoundState, _event: Event) -> None:
        """As of `firmware_host.owner.Watch`."""
        if state.phase is self._phase:
            return
        self._phase = state.phase
        document: dict[str, object] = {"phase": state.phase.value, "simulated": self._simulated}
        text = f"[bold]{state.phase.value}[/]"
        if state.board is not None:
            document["board"] = str(state.board)
            text += f"  {shown(str(state.board))}"
        if state.fault is not None:
            message, advice = state.fault
            document["fault"] = {"message": message, "advice": advice}
            text += f"  {shown(message)}. {shown(advice)}"
        self._output.document(document, lambda out: out.print(text))
        sys.stdout.flush()


def _listen(devices: SimulatedDevices, lines: Lines, log: Console) -> None:
    """Do what the lines say, in a thread that keeps nobody from ending."""
    threading.Thread(target=_obey, args=(devices, lines, log), daemon=True).start()


def _obey(devices: SimulatedDevices, lines: Lines, log: Console) -> None:
    from firmware_host.hands import act

    while (line := lines.next_line(None)) is not None:
        try:
            act(devices, line)
        except Exception as error:
            complaint = complaint_of(error)
            if complaint is None:
                raise
            log.print(f"{shown(complaint.message)}. {shown(complaint.advice)}")


command = serve
