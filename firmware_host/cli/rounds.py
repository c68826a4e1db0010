"""What ``demo`` and ``play`` share: a round on a simulated tray, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from rich.console import Console

from firmware_host.cli.boards import given_game, given_lexicon
from firmware_host.cli.output import Output, shown
from firmware_host.cli.score import show_result
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.photos import PhotoFolder
    from firmware_host.play import Table
    from firmware_host.rounds import RoundState
    from firmware_host.simulation import Simulation
    from firmware_host.store.log import Log
    from hardware.clock import Clock
    from scoring.lexicon import Lexicon
    from scoring.rules import Game

PLAY, DEMO = "play", "demo"
"""What the log calls those who begin rounds."""

Seat = Callable[["Simulation", Console], "Table"]
"""Makes the people at the table."""

_GO_ON = "Go on with it: wordtray play --simulate --resume"


def play_simulated(
    output: Output,
    *,
    by: str,
    cubes: str,
    seed: int | None,
    lexicon: str,
    pictures: Path,
    players: tuple[str, ...],
    timer_s: float | None,
    seat: Seat,
    game: str | None = None,
    house: Path | None = None,
) -> None:
    """Play one round on a simulated tray, record and tell it, and show its result.

    Args:
        output: the command's streams.
        by: who begins it, as of `PLAY`.
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
        StorageError: the round cannot be recorded.
    """
    from firmware_host import lexicons
    from firmware_host.play import play_round
    from firmware_host.rounds import Plan
    from firmware_host.store.log import Setup
    from scoring.timer import check_timer

    if timer_s is not None:
        check_timer(timer_s)
    talk = _talk(output)
    words = given_lexicon(lexicon)
    with opened_log(output) as log:
        simulation = simulated_tray(talk, cubes, seed, words, pictures, **_kept(log))
        rules = given_game(game, simulation.board, house)
        _check_single_round(rules)
        plan = Plan(rules, players, timer_s or rules.timer_s, shake_s=1.0)
        listed = lexicons.listed_as(lexicon)
        folder = str(pictures.resolve())
        setup = Setup(plan, by, True, cubes, listed, simulation.seed, folder)  # noqa: FBT003
        if by == PLAY and (number := log.interrupted(PLAY)) is not None:
            talk.print(f"Round {number} was interrupted. {_GO_ON}")
        with log.begin(setup) as recorder, _telling_how_to_go_on(talk, by):
            state = play_round(plan, simulation.tray, seat(simulation, talk), recorder)
        _show_end(output, simulation, state)


def resume_simulated(output: Output, seat: Seat) -> None:
    """Go on with the round of `PLAY` that was interrupted last.

    Args:
        output: the command's streams.
        seat: makes the people at the table.

    Raises:
        CommandError: there is none, or it ended in a fault.
        StorageError: it cannot be read or recorded.
    """
    from firmware_host.play import play_round
    from firmware_host.rounds import ShakeDone

    talk = _talk(output)
    with opened_log(output) as log:
        number = log.interrupted(PLAY)
        if number is None:
            message = "no round was interrupted"
            raise wrong_use("no_round", message, "Begin one: wordtray play --simulate")
        with log.go_on(number) as (kept, recorder), _telling_how_to_go_on(talk, PLAY):
            setup = kept.setup
            shakes = sum(isinstance(event, ShakeDone) for _, event in kept.events)
            words, pictures = given_lexicon(setup.lexicon), Path(setup.pictures)
            simulation = simulated_tray(
                talk, setup.cubes, setup.seed, words, pictures, shakes=shakes, **_kept(log)
            )
            talk.print(f"Round {number} goes on where it was.")
            table = seat(simulation, talk)
            state = play_round(setup.plan, simulation.tray, table, recorder, kept.state)
        _show_end(output, simulation, state)


@contextmanager
def opened_log(output: Output) -> Iterator[Log]:
    """The log of rounds; what was mended in it is told.

    Raises:
        StorageError: it cannot be used.
    """
    from firmware_host.store.log import open_log
    from firmware_host.store.place import Place

    with open_log(Place.standard()) as log:
        for notice in log.notices:
            output.log.print(f"[yellow]The log of rounds:[/] {shown(notice)}.")
        yield log


@contextmanager
def _telling_how_to_go_on(talk: Console, by: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if by == PLAY:
            talk.print(f"\nThe round is kept. {_GO_ON}")
        raise


def _talk(output: Output) -> Console:
    return output.log if output.json else output.out


def _kept(log: Log) -> _Kept:
    return {"clock": log.clock, "photos": log.place.photos}


class _Kept(TypedDict):
    """What a tray has of the log."""

    clock: Clock
    photos: PhotoFolder


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
    photos: PhotoFolder | None = None,
    shakes: int = 0,
) -> Simulation:
    """A simulated tray, announced as one; arguments as of `play_simulated` and `simulate`."""
    from firmware_host.simulation import simulate
    from scoring.cubes import cube_set

    edition = cube_set(cubes)
    seed = random.randrange(10**6) if seed is None else seed
    talk.print(f"[bold yellow]SIMULATED[/] tray: {edition.title} (--cubes {cubes} --seed {seed})")
    return simulate(edition, seed, clock, pictures, lexicon, photos=photos, shakes=shakes)


def _show_end(output: Output, simulation: Simulation, state: RoundState) -> None:
    if not state.result or not state.reading or not state.photo:
        message, advice = state.fault or ("the round ended without a result", "Play it again.")
        raise CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
    result = state.result
    photo = simulation.pictures.shown(state.photo)
    picture = photo.with_name(f"read-{photo.name}")
    simulation.reader.annotate(photo, state.reading, picture)
    document = result_document(result, simulation.tray.lexicon) | {
        "simulated": True,
        "edition": simulation.cubes.name,
        "seed": simulation.seed,
        "photo": str(photo),
        "annotated": str(picture),
    }
    output.document(document, lambda out: show_result(out, result))
    talk = _talk(output)
    talk.print(f"\nThe photo with the letters read in it: [bold]{shown(str(picture))}[/]")
