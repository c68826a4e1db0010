"""What ``demo`` and ``play`` share: a round on a tray, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

from firmware_host.cli.boards import given_game, given_lexicon
from firmware_host.cli.draw import show_result
from firmware_host.cli.output import Output, shown, time_text
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use
from scoring.board import Board

if TYPE_CHECKING:
    from firmware_host.calibration.stored import Calibration
    from firmware_host.machine import Machine
    from firmware_host.photos import PhotoFolder, Pictures
    from firmware_host.play import Table
    from firmware_host.reading import PhotoReader
    from firmware_host.rounds import RoundState
    from firmware_host.settings import CameraSection, Settings
    from firmware_host.simulation import Simulation
    from firmware_host.store.log import KeptRound, Log, Recorder, Setup
    from firmware_host.tray import Tray
    from hardware.clock import Clock
    from hardware.devices import Devices
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
        on_paper: lists stay on paper: none is awaited.
    """

    cubes: str
    lexicon: str
    pictures: Path
    players: tuple[str, ...]
    timer_s: float | None
    game: str | None = None
    house: Path | None = None
    on_paper: bool = False


PLAY, SIMULATED, DEMO, SERVE = "play", "play --simulate", "demo", "serve"
"""What the log calls those who begin rounds, as they are called on the command line."""


def play_simulated(
    output: Output,
    agreed: Agreed,
    seed: int | None,
    seat: Callable[[Simulation, Console], Table],
    faults: Sequence[str] = (),
    *,
    by: str = SIMULATED,
) -> None:
    """Play one round on a simulated tray, record and tell it, and show its result.

    Args:
        output: the command's streams.
        agreed: what was agreed before.
        seed: of everything made up; None draws one, which is shown.
        seat: makes the people at the table.
        faults: what goes wrong, as ``motor-stuck@2x1``.
        by: who begins it.

    Raises:
        CommandError: the round ended in a fault, or the game takes a match.
        FaultError: no such fault.
        RuleError: kind ``seconds``: the timer is too short or too long.
        StorageError: the round cannot be recorded.
    """
    _check_timer(agreed)
    rules = agreed_rules(agreed)
    talk = talk_of(output)
    words = given_lexicon(agreed.lexicon)
    with opened_log(output) as log:
        simulation = simulated_tray(
            talk,
            agreed.cubes,
            seed,
            words,
            agreed.pictures,
            clock=log.clock,
            photos=log.place.photos,
            faults=faults,
        )
        sitting = Sitting(output, log, by, simulation, simulation.pictures, known_of(simulation))
        sitting.begin(agreed, rules, seat(simulation, talk), seed=simulation.seed)


def resume_simulated(output: Output, seat: Callable[[Simulation, Console], Table]) -> None:
    """Go on with the newest round on a simulated tray that has not ended.

    Args:
        output: the command's streams.
        seat: makes the people at the table.

    Raises:
        CommandError: there is none, or it ended in a fault.
        StorageError: it cannot be read or recorded.
    """
    from firmware_host.rounds import ShakeDone

    talk = talk_of(output)
    with opened_log(output) as log, interrupted(log, SIMULATED) as (kept, recorder):
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
        known = known_of(simulation)
        sitting = Sitting(output, log, SIMULATED, simulation, simulation.pictures, known)
        sitting.go_on(kept, recorder, seat(simulation, talk))


def play_real(
    output: Output,
    agreed: Agreed,
    settings_file: Path | None,
    seat: Callable[[Machine, Console, Pictures], Table],
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
    from firmware_host.photos import Pictures

    _check_timer(agreed)
    rules = agreed_rules(agreed)
    pictures = Pictures(agreed.pictures)
    settings = settings_of(settings_file)
    words = given_lexicon(agreed.lexicon)
    with (
        opened_log(output) as log,
        machine_tray(
            output, settings, agreed.cubes, words, clock=log.clock, photos=log.place.photos
        ) as (machine, known),
    ):
        sitting = Sitting(output, log, PLAY, machine, pictures, known)
        table = seat(machine, talk_of(output), pictures)
        sitting.begin(agreed, rules, table, shake_s=settings.shaker.shake_s)


def resume_real(
    output: Output,
    settings_file: Path | None,
    seat: Callable[[Machine, Console, Pictures], Table],
) -> None:
    """Go on with the newest round on this machine's tray that has not ended.

    Args and errors as of `play_real` and `resume_simulated`.
    """
    from firmware_host.photos import Pictures

    settings = settings_of(settings_file)
    with opened_log(output) as log, interrupted(log, PLAY) as (kept, recorder):
        pictures = Pictures(Path(kept.setup.pictures))
        words, cubes = given_lexicon(kept.setup.lexicon), kept.setup.cubes
        with machine_tray(
            output, settings, cubes, words, clock=log.clock, photos=log.place.photos
        ) as (machine, known):
            sitting = Sitting(output, log, PLAY, machine, pictures, known)
            sitting.go_on(kept, recorder, seat(machine, talk_of(output), pictures))


def settings_of(file: Path | None) -> Settings:
    """The settings of this machine; None is the usual place.

    Raises:
        CommandError: they are not sound.
    """
    from firmware_host import settings_file

    return settings_file.load(file).settings


@contextmanager
def machine_tray(
    output: Output,
    settings: Settings,
    cubes: str,
    lexicon: Lexicon,
    *,
    clock: Clock,
    photos: PhotoFolder,
) -> Iterator[tuple[Machine, dict[str, Any]]]:
    """This machine's tray, announced, and what a document says of it; closed on every way out.

    Raises:
        DeviceError: a part of the machine cannot be opened.
    """
    from firmware_host.machine import open_machine
    from firmware_host.signals import ended_by_signals
    from scoring.cubes import cube_set

    calibration = stored_calibration(talk_of(output), settings.camera)
    machine = open_machine(
        settings, cube_set(cubes), clock, photos, lexicon, calibration=calibration
    )
    with machine.devices as devices, ended_by_signals():
        announce_parts(talk_of(output), devices)
        yield machine, {"simulated": devices.simulated, "edition": machine.cubes.name}


def known_of(simulation: Simulation) -> dict[str, Any]:
    """What a document says of a simulated tray."""
    known = {"simulated": True, "edition": simulation.cubes.name, "seed": simulation.seed}
    faults = [str(fault) for fault in simulation.faults]
    return known | ({"faults": faults} if faults else {})


@contextmanager
def opened_log(output: Output, *, reading: bool = False) -> Iterator[Log]:
    """The log of rounds; what was mended in it is told.

    Args:
        output: the command's streams.
        reading: it is only read, also where nothing can be written.

    Raises:
        StorageError: it cannot be used.
    """
    from firmware_host.store.log import open_log, open_to_read
    from firmware_host.store.place import Place

    with (open_to_read if reading else open_log)(Place.standard()) as log:
        for notice in log.notices:
            output.log.print(f"[yellow]The log of rounds:[/] {shown(notice)}.")
        yield log


@contextmanager
def interrupted(log: Log, by: str) -> Iterator[tuple[KeptRound, Recorder]]:
    """The newest round of ``by`` that has not ended.

    Raises:
        CommandError: there is none.
        StorageError: it cannot be read.
    """
    number = log.unfinished(by)
    if number is None:
        message = f"every round of {by} has ended, or is being played"
        raise wrong_use("no_round", message, f"Begin one: wordtray {by}")
    with log.go_on(number) as found:
        yield found


@dataclass(frozen=True)
class Sitting:
    """A round at a tray, and who records and tells it.

    Attributes:
        output: the command's streams.
        log: records the round.
        by: who began it.
        seat: the tray.
        pictures: photos for people.
        known: of the tray, for the document.
    """

    output: Output
    log: Log
    by: str
    seat: Seat
    pictures: Pictures
    known: dict[str, Any]

    def begin(
        self,
        agreed: Agreed,
        rules: Game,
        table: Table,
        *,
        seed: int | None = None,
        shake_s: float = 1.0,
    ) -> None:
        """Play a new round and show its result."""
        from firmware_host.play import play_round

        self._announce(rules)
        self._tell_interrupted()
        simulated = self.known["simulated"]
        setup = agreed_setup(
            agreed, rules, self.by, simulated=simulated, seed=seed, shake_s=shake_s
        )
        with self.log.begin(setup) as recorder, self._telling_how_to_go_on():
            state = play_round(setup.plan, self.seat.tray, table, recorder)
        _show_end(self, state)

    def go_on(self, kept: KeptRound, recorder: Recorder, table: Table) -> None:
        """Play what is left of a round and show its result."""
        from firmware_host.play import play_round

        self._announce(kept.setup.plan.game)
        talk_of(self.output).print(
            f"Round {kept.number} goes on where it was; it was begun {time_text(kept.began.at)}."
        )
        with self._telling_how_to_go_on():
            state = play_round(kept.setup.plan, self.seat.tray, table, recorder, kept.state)
        _show_end(self, state)

    def _announce(self, rules: Game) -> None:
        announce_game(talk_of(self.output), rules, self.seat.cubes)

    def _tell_interrupted(self) -> None:
        number = None if self.by == DEMO else self.log.unfinished(self.by)
        if number is not None:
            text = f"Round {number} has not ended. {self._advice}"
            talk_of(self.output).print(text)

    @property
    def _advice(self) -> str:
        return f"Go on with it: wordtray {self.by} --resume"

    @contextmanager
    def _telling_how_to_go_on(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            if self.by != DEMO:
                talk_of(self.output).print(f"\nThe round is kept. {self._advice}")
            raise


def announce_parts(talk: Console, devices: Devices) -> None:
    """Say which parts of a machine are made up."""
    made_up = [device.name for device in devices if device.simulated]
    if made_up:
        talk.print(f"[bold yellow]SIMULATED[/] parts: {', '.join(made_up)}")


def announce_game(talk: Console, rules: Game, cubes: CubeSet) -> None:
    """Say by which rules is played, and where those are of another tray."""
    size = cubes.rows, cubes.cols
    usual = " or ".join(f"{rows}×{cols}" for rows, cols in rules.sizes)
    other = f", made for {usual} cubes; this tray has {size[0]}×{size[1]}"
    talk.print(f"[bold]Game:[/] {shown(rules.title)}{other * (size not in rules.sizes)}")


def agreed_rules(agreed: Agreed) -> Game:
    """The rules of a round that was agreed, which its players can play.

    Raises:
        CommandError: the game takes a match, or another number of players.
        HouseRulesError: the house rules cannot be used.
        UnknownCubeSetError, UnknownGameError: no such edition or game.
    """
    from scoring.cubes import cube_set

    cubes = cube_set(agreed.cubes)
    empty = Board.from_faces([["_"] * cubes.cols] * cubes.rows)
    rules = given_game(agreed.game, empty, agreed.house)
    _check_players(rules, agreed.players)
    return rules


def agreed_setup(
    agreed: Agreed,
    rules: Game,
    by: str,
    *,
    simulated: bool,
    seed: int | None = None,
    shake_s: float = 1.0,
) -> Setup:
    """What was agreed, as the log keeps it.

    Args:
        agreed: what was agreed.
        rules: of the game, as of `agreed_rules`.
        by: who begins the round, as of `PLAY`.
        simulated: it is no real tray.
        seed: of everything made up.
        shake_s: length of a shake in seconds.
    """
    from firmware_host import lexicons
    from firmware_host.rounds import Plan, Timing
    from firmware_host.store.log import Setup

    timer_s = agreed.timer_s or rules.timer_s
    timing = Timing.of(rules)
    plan = Plan(rules, agreed.players, timer_s, shake_s, timing, agreed.on_paper)
    words, pictures = lexicons.listed_as(agreed.lexicon), str(agreed.pictures.resolve())
    return Setup(plan, by, simulated, agreed.cubes, words, seed, pictures)


def _check_timer(agreed: Agreed) -> None:
    from scoring.timer import check_timer

    if agreed.timer_s is not None:
        check_timer(agreed.timer_s)


def talk_of(output: Output) -> Console:
    """Where a round is told: beside the documents, where there are any."""
    return output.log if output.json else output.out


def _check_players(rules: Game, players: tuple[str, ...]) -> None:
    """See that they can play it as a round of its own; with no names, anybody may."""
    if rules.conduct.teams:
        advice = f"Play it as a match: wordtray match new NAME --players A,B --game {rules.name}."
        raise wrong_use("game", f"{rules.title} takes teams", advice)
    if rules.conduct.open_ended and len(players) not in (0, 2):
        message = f"{rules.title} is for 2 players, not {len(players)}"
        raise wrong_use("players", message, "Give --player twice.")


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
    steady: bool = False,
) -> Simulation:
    """A simulated tray, announced as one; arguments as of `play_simulated` and `simulate`.

    One that is not to be ``steady`` is as it was calibrated, if it was.
    """
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
    calibration = None if steady else stored_calibration(talk, seed)
    return simulate(
        edition,
        seed,
        clock,
        pictures,
        lexicon,
        photos=photos,
        shakes=shakes,
        script=script,
        calibration=calibration,
        steady=steady,
    )


def stored_calibration(talk: Console, of: CameraSection | int) -> Calibration | None:
    """What was calibrated of a camera; where that cannot be used, it is said and left out.

    Args:
        talk: where to say it.
        of: the camera, or the seed of a simulated one.
    """
    from firmware_host.store.place import Place

    file = Place.standard().calibration(simulated=isinstance(of, int))
    if not file.exists():  # to read one takes a tenth of a second of imports
        return None
    from firmware_host.calibration.stored import camera_of, load, simulated_camera

    camera = simulated_camera(of) if isinstance(of, int) else camera_of(of)
    try:
        found = load(file)
    except CommandError as error:
        complaint = error.complaint
        left_out = "[yellow]The calibration is left out:[/]"
        talk.print(f"{left_out} {shown(complaint.message)}. {shown(complaint.advice)}")
        return None
    return found if found is not None and found.camera == camera else None


def tell_faults(talk: Console, known: Mapping[str, Any]) -> None:
    """Say beside a result which faults were set."""
    if known.get("faults"):
        talk.print(f"\n[bold yellow]SIMULATED[/], with faults: {', '.join(known['faults'])}")


def _show_end(sitting: Sitting, state: RoundState) -> None:
    from firmware_host.rounds import Phase

    if state.phase is Phase.CANCELLED:  # which was told as it happened
        given_up = {"phase": state.phase.value, "game": state.plan.game.name}
        sitting.output.document(given_up | sitting.known, lambda _: None)
        return
    if not state.result or not state.reading or not state.photo:
        message, advice = state.fault or ("the round ended without a result", "Play it again.")
        raise CommandError(Complaint("fault", message, advice, ExitCode.DEVICE_FAULT))
    seat, known, result = sitting.seat, sitting.known, state.result
    photo = sitting.pictures.shown(state.photo)
    picture = photo.with_name(f"read-{photo.name}")
    seat.reader.annotate(photo, state.reading, picture)
    places = {"photo": str(photo), "annotated": str(picture)}
    document = result_document(result, seat.tray.lexicon) | known | places
    sitting.output.document(document, lambda out: show_result(out, result))
    talk = talk_of(sitting.output)
    tell_faults(talk, known)
    talk.print(f"\nThe photo with the letters read in it: [bold]{shown(str(picture))}[/]")
