"""What ``demo`` and ``play`` share: a round on a tray, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

from firmware_host.cli.boards import given_game, given_lexicon
from firmware_host.cli.output import Output, shown
from firmware_host.cli.score import show_result
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use
from scoring.board import Board

if TYPE_CHECKING:
    from firmware_host.play import Table
    from firmware_host.reading import PhotoReader
    from firmware_host.rounds import RoundState
    from firmware_host.simulation import Simulation
    from firmware_host.tray import Tray
    from hardware.clock import Clock
    from scoring.cubes import CubeSet
    from scoring.lexicon import Lexicon
    from scoring.rules import Game


class Seat(Protocol):
    """A tray, simulated or real, as a round needs it."""

    @property
    def cubes(self) -> CubeSet:
        """The cube set in it."""

    @property
    def clock(self) -> Clock:
        """The clock of tray and timer."""

    @property
    def reader(self) -> PhotoReader:
        """Reads its photos."""

    @property
    def tray(self) -> Tray:
        """The owner of its devices."""


@dataclass(frozen=True)
class Agreed:
    """What was agreed before a round, as the options have it.

    Attributes:
        cubes: name of the edition.
        lexicon: name or file of the word list.
        pictures: folder for the photos.
        players: whose lists are awaited.
        timer_s: length of the timer in seconds; None is the game's own.
        game: name of the rules; None is the game of the board's size.
        house: a file of house rules.
    """

    cubes: str
    lexicon: str
    pictures: Path
    players: tuple[str, ...]
    timer_s: float | None
    game: str | None = None
    house: Path | None = None


def play_simulated(
    output: Output,
    agreed: Agreed,
    seed: int | None,
    seat: Callable[[Simulation, Console], Table],
    faults: Sequence[str] = (),
) -> None:
    """Play one round on a simulated tray, tell it and show its result.

    Args:
        output: the command's streams.
        agreed: what was agreed before.
        seed: of everything made up; None draws one, which is shown.
        seat: makes the people at the table.
        faults: what goes wrong, as ``motor-stuck@2x1``.

    Raises:
        CommandError: the round ended in a fault, or the game takes a match.
        FaultError: no such fault.
        RuleError: kind ``seconds``: the timer is too short or too long.
    """
    from hardware.clock import SystemClock

    _check_timer(agreed)
    talk = _talk(output)
    words = given_lexicon(agreed.lexicon)
    simulation = simulated_tray(
        talk, agreed.cubes, seed, words, agreed.pictures, clock=SystemClock(), faults=faults
    )
    known = {"simulated": True, "edition": simulation.cubes.name, "seed": simulation.seed}
    if simulation.faults:
        known["faults"] = [str(fault) for fault in simulation.faults]
    _play(output, agreed, simulation, seat(simulation, talk), known)


def play_real(
    output: Output,
    agreed: Agreed,
    settings_file: Path | None,
    seat: Callable[[Clock, Console], Table],
) -> None:
    """Play one round on this machine's tray, tell it and show its result.

    Args:
        output: the command's streams.
        agreed: what was agreed before.
        settings_file: of this machine; None is the usual place.
        seat: makes the people at the table.

    Raises:
        CommandError: the settings are not sound, the round ended in a fault, or the game takes a
            match.
        DeviceError: a part of the machine cannot be opened.
        RuleError: kind ``seconds``: the timer is too short or too long.
    """
    from firmware_host import settings_file as files
    from firmware_host.machine import open_machine
    from firmware_host.photos import PhotoFolder
    from firmware_host.signals import ended_by_signals
    from hardware.clock import SystemClock
    from scoring.cubes import cube_set

    _check_timer(agreed)
    talk, clock = _talk(output), SystemClock()
    settings = files.load(settings_file).settings
    words, edition = given_lexicon(agreed.lexicon), cube_set(agreed.cubes)
    photos = PhotoFolder(agreed.pictures)
    machine = open_machine(settings, edition, clock, photos, words)
    with machine.devices as devices, ended_by_signals():
        made_up = [device.name for device in devices if device.simulated]
        if made_up:
            talk.print(f"[bold yellow]SIMULATED[/] parts: {', '.join(made_up)}")
        known = {"simulated": devices.simulated, "edition": edition.name}
        _play(output, agreed, machine, seat(clock, talk), known, shake_s=settings.shaker.shake_s)


def _check_timer(agreed: Agreed) -> None:
    from scoring.timer import check_timer

    if agreed.timer_s is not None:
        check_timer(agreed.timer_s)


def _talk(output: Output) -> Console:
    return output.log if output.json else output.out


def _play(
    output: Output,
    agreed: Agreed,
    seat: Seat,
    table: Table,
    known: dict[str, Any],
    *,
    shake_s: float = 1.0,
) -> None:
    from firmware_host.play import play_round
    from firmware_host.rounds import Plan

    empty = Board.from_faces([["_"] * seat.cubes.cols] * seat.cubes.rows)
    rules = given_game(agreed.game, empty, agreed.house)
    _check_single_round(rules)
    plan = Plan(rules, agreed.players, agreed.timer_s or rules.timer_s, shake_s=shake_s)
    state = play_round(plan, seat.tray, table)
    _show_end(output, seat, state, known)


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
    faults: Sequence[str] = (),
) -> Simulation:
    """A simulated tray, announced as one; arguments as of `play_simulated` and `simulate`."""
    from firmware_host.simulation import simulate
    from hardware.simulated import Script, Scripted
    from scoring.cubes import cube_set

    script = Script(Scripted.parse(fault) for fault in faults)

    edition = cube_set(cubes)
    seed = random.randrange(10**6) if seed is None else seed
    talk.print(f"[bold yellow]SIMULATED[/] tray: {edition.title} (--cubes {cubes} --seed {seed})")
    if script.faults:
        named = ", ".join(map(str, script.faults))
        talk.print(f"[bold yellow]SIMULATED[/] faults: {named}")
    return simulate(edition, seed, clock, pictures, lexicon, shakes=shakes, script=script)


def _show_end(output: Output, seat: Seat, state: RoundState, known: dict[str, Any]) -> None:
    if state.fault or not state.result or not state.reading or not state.photo:
        message, advice = state.fault or ("the round ended without a result", "Play it again.")
        raise CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
    result = state.result
    picture = state.photo.with_name(f"read-{state.photo.name}")
    seat.reader.annotate(state.photo, state.reading, picture)
    places = {"photo": str(state.photo), "annotated": str(picture)}
    document = result_document(result, seat.tray.lexicon) | known | places
    output.document(document, lambda out: show_result(out, result))
    if known.get("faults"):
        told = ", ".join(known["faults"])
        _talk(output).print(f"\n[bold yellow]SIMULATED[/], with faults: {told}")
    _talk(output).print(f"\nThe photo with the letters read in it: [bold]{shown(str(picture))}[/]")
