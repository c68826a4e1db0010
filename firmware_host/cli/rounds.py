"""What ``demo`` and ``play`` share: a round on a simulated tray, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from firmware_host.cli.boards import given_game, given_lexicon
from firmware_host.cli.output import Output, shown
from firmware_host.cli.score import show_result
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.play import Table
    from firmware_host.rounds import RoundState
    from firmware_host.simulation import Simulation
    from hardware.clock import Clock
    from scoring.lexicon import Lexicon
    from scoring.rules import Game


def play_simulated(
    output: Output,
    *,
    cubes: str,
    seed: int | None,
    lexicon: str,
    pictures: Path,
    players: tuple[str, ...],
    timer_s: float | None,
    seat: Callable[[Simulation, Console], Table],
    game: str | None = None,
    house: Path | None = None,
) -> None:
    """Play one round on a simulated tray, tell it and show its result.

    Args:
        output: the command's streams.
        cubes: name of the edition.
        seed: of everything made up; None draws one, which is shown.
        lexicon: name or file of the word list.
        pictures: folder for the photos.
        players: whose lists are awaited.
        timer_s: length of the timer in seconds; None is the game's own.
        seat: makes the people at the table.
        game: name of the rules; None is the game of the board's size.
        house: a file of house rules.

    Raises:
        CommandError: the round ended in a fault, or the game takes a match.
        RuleError: kind ``seconds``: the timer is too short or too long.
    """
    from firmware_host.play import play_round
    from firmware_host.rounds import Plan
    from hardware.clock import SystemClock
    from scoring.timer import check_timer

    if timer_s is not None:
        check_timer(timer_s)
    talk = output.log if output.json else output.out
    words = given_lexicon(lexicon)
    simulation = simulated_tray(talk, cubes, seed, words, pictures, clock=SystemClock())
    rules = given_game(game, simulation.board, house)
    _check_single_round(rules)
    plan = Plan(rules, players, timer_s or rules.timer_s, shake_s=1.0)
    state = play_round(plan, simulation.tray, seat(simulation, talk))
    _show_end(output, talk, simulation, state)


def _check_single_round(rules: Game) -> None:
    if rules.conduct.teams or rules.conduct.open_ended:
        raise wrong_use(
            "game",
            f"{rules.title} takes teams, or players who end it themselves",
            f"Play it as a match: wordtray match new NAME --players A,B --game {rules.name}.",
        )


def simulated_tray(
    talk: Console,
    cubes: str,
    seed: int | None,
    lexicon: Lexicon,
    pictures: Path,
    *,
    clock: Clock,
    shakes: int = 0,
) -> Simulation:
    """A simulated tray, announced as one; arguments as of `play_simulated` and `simulate`."""
    from firmware_host.simulation import simulate
    from scoring.cubes import cube_set

    edition = cube_set(cubes)
    seed = random.randrange(10**6) if seed is None else seed
    talk.print(f"[bold yellow]SIMULATED[/] tray: {edition.title} (--cubes {cubes} --seed {seed})")
    return simulate(edition, seed, clock, pictures, lexicon, shakes=shakes)


def _show_end(output: Output, talk: Console, simulation: Simulation, state: RoundState) -> None:
    if state.fault or not state.result or not state.reading or not state.photo:
        message, advice = state.fault or ("the round ended without a result", "Play it again.")
        raise CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
    result = state.result
    picture = state.photo.with_name(f"read-{state.photo.name}")
    simulation.reader.annotate(state.photo, state.reading, picture)
    document = result_document(result, simulation.tray.lexicon) | {
        "simulated": True,
        "edition": simulation.cubes.name,
        "seed": simulation.seed,
        "photo": str(state.photo),
        "annotated": str(picture),
    }
    output.document(document, lambda out: show_result(out, result))
    talk.print(f"\nThe photo with the letters read in it: [bold]{shown(str(picture))}[/]")
