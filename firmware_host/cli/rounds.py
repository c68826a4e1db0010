"""What ``demo`` and ``play`` share: a round on a tray, how it is kept, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
    from firmware_host.machine import Machine
    from firmware_host.photos import PhotoFolder, Pictures
    from firmware_host.play import Table
    from firmware_host.reading import PhotoReader
    from firmware_host.rounds import Plan, RoundState
    from firmware_host.simulation import Simulation
    from firmware_host.store.log import KeptRound, Log, Setup
    from firmware_host.tray import Tray
    from hardware.clock import Clock
    from hardware.devices import Devices
    from scoring.cubes import CubeSet
    from scoring.lexicon import Lexicon
    from scoring.rules import Game

PLAY, DEMO, SERVE = "play", "demo", "serve"
"""What the log calls those who begin rounds."""


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

    @property
    def pictures(self) -> Pictures:
        """What people look at."""


@dataclass(frozen=True)
class Agreed:
    """What was agreed before a round, as the options have it.

    Attributes:
        cubes: name of the edition.
        lexicon: name or file of the word list.
        pictures: folder for the pictures that people look at.
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


@dataclass(frozen=True)
class _Sitting:
    """A round that is to be played, and where it is kept and shown."""

    output: Output
    log: Log
    seat: Seat
    table: Table
    known: dict[str, Any] = field(default_factory=dict)

    def begin(self, setup: Setup) -> None:
        """Play a new round to its end."""
        from firmware_host.play import play_round

        self._tell_of_interrupted(setup)
        with self.log.begin(setup) as recorder, self._telling_how_to_go_on(setup):
            state = play_round(setup.plan, self.seat.tray, self.table, recorder)
        _show_end(self.output, self.seat, state, self.known)

    def go_on(self, number: int) -> None:
        """Play a round that was interrupted to its end."""
        from firmware_host.play import play_round

        with self.log.go_on(number) as (kept, recorder), self._telling_how_to_go_on(kept.setup):
            _talk(self.output).print(f"Round {number} goes on where it was.")
            plan, tray = kept.setup.plan, self.seat.tray
            state = play_round(plan, tray, self.table, recorder, kept.state)
        _show_end(self.output, self.seat, state, self.known)

    def _tell_of_interrupted(self, setup: Setup) -> None:
        if setup.by == PLAY and (number := self.log.interrupted(PLAY)) is not None:
            told = f"Round {number} was interrupted. {_how_to_go_on(self.log.round(number).setup)}"
            _talk(self.output).print(told)

    @contextmanager
    def _telling_how_to_go_on(self, setup: Setup) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            if setup.by == PLAY:
                _talk(self.output).print(f"\nThe round is kept. {_how_to_go_on(setup)}")
            raise


def _how_to_go_on(setup: Setup) -> str:
    simulate = " --simulate" if setup.simulated else ""
    return f"Go on with it: wordtray play{simulate} --resume"


def play_simulated(
    output: Output,
    agreed: Agreed,
    seed: int | None,
    seat: Callable[[Simulation, Console], Table],
    faults: Sequence[str] = (),
    *,
    by: str = PLAY,
) -> None:
    """Play one round on a simulated tray, record and tell it, and show its result.

    Args:
        output: the command's streams.
        agreed: what was agreed before.
        seed: of everything made up; None draws one, which is shown.
        seat: makes the people at the table.
        faults: what goes wrong, as ``motor-stuck@2x1``.
        by: who begins it, as of `PLAY`.

    Raises:
        CommandError: the round ended in a fault, or the game takes a match.
        FaultError: no such fault.
        RuleError: kind ``seconds``: the timer is too short or too long.
        StorageError: the round cannot be recorded.
    """
    _check_timer(agreed)
    talk = _talk(output)
    with opened_log(output) as log:
        simulation = simulated_tray(
            talk,
            agreed.cubes,
            seed,
            given_lexicon(agreed.lexicon),
            agreed.pictures,
            clock=log.clock,
            photos=log.place.photos,
            faults=faults,
        )
        setup = agreed_setup(agreed, by, simulation.cubes, simulated=True, seed=simulation.seed)
        sitting = _Sitting(output, log, simulation, seat(simulation, talk), _known_of(simulation))
        sitting.begin(setup)


def play_real(
    output: Output,
    agreed: Agreed,
    settings_file: Path | None,
    seat: Callable[[Machine, Console], Table],
) -> None:
    """Play one round on this machine's tray, record and tell it, and show its result.

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
        StorageError: the round cannot be recorded.
    """
    from firmware_host import settings_file as files

    _check_timer(agreed)
    talk, settings = _talk(output), files.load(settings_file).settings
    with opened_log(output) as log, _opened_machine(talk, agreed, settings_file, log) as machine:
        shake_s, made_up = settings.shaker.shake_s, machine.devices.simulated
        setup = agreed_setup(agreed, PLAY, machine.cubes, simulated=made_up, shake_s=shake_s)
        known = {"simulated": made_up, "edition": machine.cubes.name}
        _Sitting(output, log, machine, seat(machine, talk), known).begin(setup)


def resume_simulated(output: Output, seat: Callable[[Simulation, Console], Table]) -> None:
    """Go on with the round of `PLAY` that was interrupted last.

    Args:
        output: the command's streams.
        seat: makes the people at the table.

    Raises:
        CommandError: there is none, or it ended in a fault.
        StorageError: it cannot be read or recorded.
    """
    from firmware_host.rounds import ShakeDone

    talk = _talk(output)
    with opened_log(output) as log:
        kept = _interrupted(log, simulated=True)
        setup = kept.setup
        simulation = simulated_tray(
            talk,
            setup.cubes,
            setup.seed,
            given_lexicon(setup.lexicon),
            Path(setup.pictures),
            clock=log.clock,
            photos=log.place.photos,
            shakes=sum(isinstance(event, ShakeDone) for _, event in kept.events),
        )
        sitting = _Sitting(output, log, simulation, seat(simulation, talk), _known_of(simulation))
        sitting.go_on(kept.number)


def resume_real(
    output: Output, settings_file: Path | None, seat: Callable[[Machine, Console], Table]
) -> None:
    """As `resume_simulated`, on this machine's tray; arguments and errors as of `play_real`."""
    talk = _talk(output)
    with opened_log(output) as log:
        kept = _interrupted(log, simulated=False)
        setup = kept.setup
        agreed = Agreed(setup.cubes, setup.lexicon, Path(setup.pictures), (), None)
        with _opened_machine(talk, agreed, settings_file, log) as machine:
            known = {"simulated": machine.devices.simulated, "edition": machine.cubes.name}
            _Sitting(output, log, machine, seat(machine, talk), known).go_on(kept.number)


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


def announce_parts(talk: Console, devices: Devices) -> None:
    """Say which parts of a machine are made up."""
    made_up = [device.name for device in devices if device.simulated]
    if made_up:
        talk.print(f"[bold yellow]SIMULATED[/] parts: {', '.join(made_up)}")


def agreed_setup(
    agreed: Agreed,
    by: str,
    cubes: CubeSet,
    *,
    simulated: bool,
    seed: int | None = None,
    shake_s: float = 1.0,
) -> Setup:
    """What was agreed, as the log keeps it.

    Args:
        agreed: what was agreed.
        by: who begins the round, as of `PLAY`.
        cubes: the cube set in the tray.
        simulated: it is no real tray.
        seed: of everything made up.
        shake_s: length of a shake in seconds.

    Raises:
        CommandError: the game takes a match.
        UnknownGameError: no such game.
    """
    from firmware_host import lexicons
    from firmware_host.store.log import Setup

    plan = _agreed_plan(agreed, cubes, shake_s)
    words, pictures = lexicons.listed_as(agreed.lexicon), str(agreed.pictures.resolve())
    return Setup(plan, by, simulated, agreed.cubes, words, seed, pictures)


def _agreed_plan(agreed: Agreed, cubes: CubeSet, shake_s: float) -> Plan:
    from firmware_host.rounds import Plan

    empty = Board.from_faces([["_"] * cubes.cols] * cubes.rows)
    rules = given_game(agreed.game, empty, agreed.house)
    _check_single_round(rules)
    return Plan(rules, agreed.players, agreed.timer_s or rules.timer_s, shake_s=shake_s)


@contextmanager
def _opened_machine(
    talk: Console, agreed: Agreed, settings_file: Path | None, log: Log
) -> Iterator[Machine]:
    """The machine of the settings; it is left by SIGTERM as by Ctrl-C."""
    from firmware_host import settings_file as files
    from firmware_host.machine import open_machine
    from firmware_host.signals import ended_by_signals
    from scoring.cubes import cube_set

    settings, edition = files.load(settings_file).settings, cube_set(agreed.cubes)
    words, photos = given_lexicon(agreed.lexicon), log.place.photos
    machine = open_machine(settings, edition, log.clock, photos, words, pictures=agreed.pictures)
    with machine.devices as devices, ended_by_signals():
        announce_parts(talk, devices)
        yield machine


def _interrupted(log: Log, *, simulated: bool) -> KeptRound:
    number = log.interrupted(PLAY)
    if number is None:
        message = "no round was interrupted"
        raise wrong_use("no_round", message, "Begin one: wordtray play")
    kept = log.round(number)
    if kept.setup.simulated is not simulated:
        which = "a simulated" if kept.setup.simulated else "a real"
        message = f"round {number} was interrupted on {which} tray"
        raise wrong_use("other_tray", message, _how_to_go_on(kept.setup))
    return kept


def _known_of(simulation: Simulation) -> dict[str, Any]:
    known = {"simulated": True, "edition": simulation.cubes.name, "seed": simulation.seed}
    if simulation.faults:
        known["faults"] = [str(fault) for fault in simulation.faults]
    return known


def _check_timer(agreed: Agreed) -> None:
    from scoring.timer import check_timer

    if agreed.timer_s is not None:
        check_timer(agreed.timer_s)


def _talk(output: Output) -> Console:
    return output.log if output.json else output.out


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
    return simulate(
        edition, seed, clock, pictures, lexicon, photos=photos, shakes=shakes, script=script
    )


def _show_end(output: Output, seat: Seat, state: RoundState, known: dict[str, Any]) -> None:
    if not state.result or not state.reading or not state.photo:
        message, advice = state.fault or ("the round ended without a result", "Play it again.")
        raise CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
    result = state.result
    photo = seat.pictures.shown(state.photo)
    picture = photo.with_name(f"read-{photo.name}")
    seat.reader.annotate(photo, state.reading, picture)
    places = {"photo": str(photo), "annotated": str(picture)}
    document = result_document(result, seat.tray.lexicon) | known | places
    output.document(document, lambda out: show_result(out, result))
    if known.get("faults"):
        told = ", ".join(known["faults"])
        _talk(output).print(f"\n[bold yellow]SIMULATED[/], with faults: {told}")
    _talk(output).print(f"\nThe photo with the letters read in it: [bold]{shown(str(picture))}[/]")
