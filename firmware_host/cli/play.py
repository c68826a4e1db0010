"""``wordtray play``: a round with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options, seating, worldwinner
from firmware_host.cli.ears import ears_at
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import (
    Agreed,
    Seat,
    play_real,
    play_simulated,
    resume_real,
    resume_simulated,
)
from firmware_host.cli.table import TerminalTable
from firmware_host.errors import wrong_use
from scoring.boggle.plan import MOST_PLAYERS
from scoring.players import agreed_names
from scoring.timer import TIMER_LIMITS

if TYPE_CHECKING:
    from firmware_host.photos import Pictures
    from firmware_host.simulation import Simulation

EPILOG = (
    "Examples: wordtray play --simulate · "
    "wordtray play --simulate --player ada --player ben --timer 60 · "
    "wordtray play --simulate --fault motor-stuck@2x1 · "
    "wordtray play --simulate --resume · "
    "wordtray play --game worldwinner --simulate --seconds 90 --explain · "
    "wordtray play --game worldwinner --simulate --match monday · "
    "wordtray play --game worldwinner --player ada --player ben"
)

WORLDWINNER = "worldwinner"


def play(
    context: typer.Context,
    *,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Play on a simulated tray instead of a real one.")
    ] = False,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="A player; give it once for each (else one, called you).",
        ),
    ] = None,
    game: options.Game = None,
    rules: seating.Rules = None,
    lexicon: options.Lexicon = "enable",
    settings: options.Settings = None,
    faults: options.Faults = None,
    cubes: options.Shaken = options.SHAKEN,
    seed: options.Seed = None,
    timer: Annotated[
        float | None,
        typer.Option(
            "--timer",
            "--seconds",
            metavar="SECONDS",
            help=f"Another timer, of {TIMER_LIMITS} seconds (else the game's own).",
        ),
    ] = None,
    pictures: options.Pictures = options.PICTURES,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="worldwinner: show how each word's points come about."),
    ] = False,
    qu_value: Annotated[
        int | None,
        typer.Option(
            "--qu",
            metavar="POINTS",
            min=10,
            max=11,
            help="worldwinner: what Qu is worth (else 11).",
        ),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(
            "--match",
            metavar="NAME",
            help="worldwinner: keep the match under this name, or go on with it.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with the newest round that has not ended."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Play one round in the terminal: shake, read, run the timer, take the lists, score.

    Without --simulate it is the tray of this machine, as its settings describe it.

    A single player types while the sand runs; several write on paper and type their lists one
    after the other when the time is up. Every step is on the disk before it counts: after a crash
    or a pulled plug --resume goes on with it, and with the time that is left.

    A line that begins with / is a command: /pause (Enter goes on), /extra_time, /reroll, /cancel.
    Where Enter is awaited a word is not taken, and the end of the input ends as Ctrl-C does: the
    round is kept. What was typed at a terminal before a question was shown does not answer it.
    Boggle Ultimate has no timer until somebody types /last_chance NAME; it also ends when both are
    /done NAME. A doubtful cube is asked about: type its face, or pass over the readings that are
    offered by Enter, and /take the one that fits.

    The buttons of the tray are heard, too, beside what is typed.

    With --game worldwinner, play its three rounds: each player types words, or paths such as A1→↘
    or A1 B1 C2, while their own clock runs, and every word is paid at once. With --match, every
    word is kept at once, and the same command goes on with the match; a clock that was started runs
    on meanwhile.
    """
    with reporting(json=json) as output:
        if resume:
            _check_alone(_given(context))
            options.check_simulation(simulate=simulate, faults=None, settings=settings)
            if simulate:
                resume_simulated(output, _at_simulated)
            else:
                resume_real(output, settings, _at_terminal)
            return
        names = agreed_names(
            players or ["you"], (1, MOST_PLAYERS), "a round", "Give --player once for each."
        )
        if game != WORLDWINNER and (explain or qu_value is not None or match is not None):
            message = "--explain, --qu and --match are for words whose letters have values"
            raise wrong_use("game", message, f"Add --game {WORLDWINNER}, or leave them out.")
        if game == WORLDWINNER and rules is not None:
            message = "house rules change games of the Boggle family"
            raise wrong_use("game", message, "Leave --rules or --game out.")
        options.check_simulation(simulate=simulate, faults=faults, settings=settings)
        if game == WORLDWINNER:
            tray = (
                worldwinner.simulated(output, pictures, faults or ())
                if simulate
                else worldwinner.real(output, pictures, settings)
            )
            worldwinner.play_worldwinner(
                output,
                tray,
                cubes=cubes,
                seed=seed,
                lexicon=lexicon,
                players=names,
                seconds=timer,
                qu_value=qu_value,
                explain=explain,
                name=match,
                given=_given(context),
            )
            return
        options.check_seed(seed, simulate=simulate)  # worldwinner: its bonus tiles lie by it, too
        agreed = Agreed(cubes, lexicon, pictures, names, timer, game, rules)
        if simulate:
            play_simulated(output, agreed, seed, _at_simulated, faults or ())
        else:
            play_real(output, agreed, settings, _at_terminal)


def _at_terminal(seat: Seat, talk: Console, pictures: Pictures) -> TerminalTable:
    heard = ears_at(seat.tray.devices.button, seat.clock)
    return TerminalTable(seat.clock, talk, heard, pictures)


def _at_simulated(simulation: Simulation, talk: Console) -> TerminalTable:
    return _at_terminal(simulation, talk, simulation.pictures)


def _check_alone(given: frozenset[str]) -> None:
    """See that nothing is asked of a round that was begun already."""
    others = given - {"simulate", "settings", "resume", "json"}
    if others:
        message = f"a round goes on as it was begun: --resume takes no {min(others)}"
        raise wrong_use("other_options", message, "Leave it out, or begin another round.")


def _given(context: typer.Context) -> frozenset[str]:
    """Names of the options that were written on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(
        name for name, source in sources.items() if source and source.name == "COMMANDLINE"
    )


command = play
