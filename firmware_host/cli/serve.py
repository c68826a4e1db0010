"""``wordtray serve``: the service that owns the tray, for systemd or a terminal."""

from __future__ import annotations

import atexit
import faulthandler
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from firmware_host.cli import options, pages, stations
from firmware_host.cli.boards import given_lexicon
from firmware_host.cli.draw import displaced_text, doubt_text
from firmware_host.cli.lines import Lines, standard_lines
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import (
    SERVE,
    Agreed,
    Seat,
    agreed_rules,
    agreed_setup,
    announce_game,
    announce_parts,
    opened_log,
    simulated_tray,
    stored_calibration,
)
from firmware_host.errors import complaint_of, wrong_use
from scoring.boggle.plan import MOST_PLAYERS
from scoring.players import agreed_names
from scoring.timer import TIMER_LIMITS, check_timer

if TYPE_CHECKING:
    from rich.console import Console

    from firmware_host import service
    from firmware_host.keeper import Keeper
    from firmware_host.onlooker import Tell
    from firmware_host.owner import Owner, OwnersClock
    from firmware_host.restart import Restart
    from firmware_host.rounds import Event, Phase, Question, RoundState
    from firmware_host.settings import StationSection
    from firmware_host.station.serving import Bell
    from firmware_host.store.log import Log
    from firmware_host.tray import Tray
    from firmware_host.web.stream import Hub
    from hardware.simulated import SimulatedDevices
    from scoring.rules import Game
    from vision.live import LiveReader

EPILOG = (
    "Examples: wordtray serve · wordtray serve --simulate --timer 30 --seed 7 · "
    "printf 'press\\n' | wordtray serve --simulate --json · "
    "wordtray serve --simulate --fault motor-stuck@2x1 · "
    "wordtray serve --game worldwinner --player ada --player ben"
)

WORLDWINNER = "worldwinner"

MARGIN_S = 5.0
"""Seconds that the watchdog waits longer than any device does."""

CALLS_OF_A_CAMERA = 2
"""Calls that one picture may wait for: its own, and the one before where that still hangs."""

MANY_CORES = 2
"""Cores of a machine on which cubes are looked at beside the round, at least."""


def serve(
    *,
    simulate: Annotated[
        bool,
        typer.Option(
            "--simulate",
            help="Own a simulated tray; a line on standard input is what a person does to it: "
            "press, hold, pause, cancel, reroll, extra_time, take, back, last_chance, done, quiet, "
            "shut_down, lid open, lid shut.",
        ),
    ] = False,
    settings: options.Settings = None,
    faults: options.Faults = None,
    cubes: options.Shaken = options.SHAKEN,
    seed: options.Seed = None,
    game: options.Game = None,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="worldwinner: whose clock runs, one after the other; give it once for each.",
        ),
    ] = None,
    lexicon: options.Lexicon = "enable",
    timer: Annotated[
        float | None,
        typer.Option(
            "--timer",
            metavar="SECONDS",
            help=f"Another timer, of {TIMER_LIMITS} seconds (else the game's own).",
        ),
    ] = None,
    host: pages.Host = None,
    port: pages.Port = None,
    certificate: pages.Certificate = None,
    key: pages.Key = None,
    new_pin: pages.NewPin = False,
    safe: pages.Safe = False,
    board_marks: pages.BoardMarks = False,
    station: Annotated[
        str | None,
        typer.Option(
            "--station",
            metavar="HOST[:PORT]/EVENT/TABLE",
            help="Tell the station of a tournament (else as in the settings).",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Own the tray: a press of its button shakes, reads and runs the sand timer, round after round.

    Its pages are at http://127.0.0.1:8080: the table's display, the players' phones, the referee's
    desk; --host 0.0.0.0 lets phones in. Nobody need use them: lists may stay on paper.

    Runs until it is told to stop, by systemd, by Ctrl-C or by SIGTERM; the motor, the lamp and all
    else are off afterwards. Under systemd it tells how it stands and feeds the watchdog as long as
    it gets on. Every event is on the disk before it counts: started again after a crash it goes on
    with the round.

    A doubtful cube is asked on the display: a press passes to the next reading, a long press takes
    the one that is shown. Where there is no timer, as in Boggle Ultimate, a long press declares the
    last chance.

    With --safe the pages alone are served, without any device: to mend settings, to restore a
    backup, to see what is wrong.

    With --station, or [station] in the settings, every event also goes to the station of a
    tournament, by an MQTT broker, and its orders are carried out. Without a network the tray goes
    on alone, and sends what is lacking later.

    With --game worldwinner each --player has a clock of their own, one after the other: a press
    starts it, a long press ends it before its time. The board is hidden in between.
    """
    from firmware_host import service
    from firmware_host.memory import share_arenas
    from firmware_host.restart import Restart

    share_arenas()
    restart = Restart()
    with reporting(json=json) as output, service.stop_signals() as wait:
        _check_options(simulate=simulate, faults=faults, settings=settings, timer_s=timer)
        options.check_seed(seed, simulate=simulate)
        names = _in_turns(game, players or [])
        agreed = Agreed(cubes, lexicon, options.PICTURES, names, timer, game, on_paper=bool(names))
        rules = agreed_rules(agreed)
        wish = pages.Wish(host, port, certificate, key, new_pin, board_marks)
        run = Run(output, wait, restart, wish, stations.parsed(station))
        if safe:
            serve_safely(run, rules, agreed.lexicon, settings, simulate=simulate)
        elif simulate:
            _serve_simulated(run, agreed, rules, seed=seed, faults=faults or [])
        else:
            _serve_real(run, agreed, rules, settings_file=settings)
        again = "" if not restart.asked else " Starting again."
        output.log.print(f"Stopped; all outputs are off.{again}")
    if restart.asked:
        os.execv(sys.executable, restart.command(sys.orig_argv))  # noqa: S606 - this very program


def _check_options(
    *, simulate: bool, faults: list[str] | None, settings: Path | None, timer_s: float | None
) -> None:
    if timer_s is not None:
        check_timer(timer_s)
    options.check_simulation(simulate=simulate, faults=faults, settings=settings)


def _in_turns(game: str | None, players: list[str]) -> tuple[str, ...]:
    """The players where each has a clock of their own; nobody where all share one."""
    if game == WORLDWINNER:
        advice = "Give --player once for each."
        return agreed_names(players, (1, MOST_PLAYERS), "a round of worldwinner", advice)
    if players:
        message = "all players share one clock, and write on paper"
        raise wrong_use("players", message, f"Add --game {WORLDWINNER}, or leave --player out.")
    return ()


@dataclass(frozen=True)
class Run:
    """One run of the service.

    Attributes:
        output: the command's streams.
        wait: as of `firmware_host.service.stop_signals`.
        restart: whether it begins anew.
        wish: the options of the pages.
        station: that the options name; None where they name none.
    """

    output: Output
    wait: service.Wait
    restart: Restart
    wish: pages.Wish
    station: StationSection | None = None


def serve_safely(
    run: Run, rules: Game, lexicon: str, settings_file: Path | None, *, simulate: bool
) -> None:
    """Serve the pages alone: no device is opened, no round is on."""
    from firmware_host import safe_mode
    from firmware_host.store.place import Place
    from firmware_host.systemd import Notifier
    from firmware_host.web import access

    web, file, why = run.wish.of_none(), None, ""
    if not simulate:
        settings, file, why = safe_mode.settings_of(settings_file)
        web = run.wish.of(settings.web)
    place = Place.standard()
    known, pins = access.opened(place.data, anew=run.wish.new_pin)
    words = given_lexicon(lexicon)
    notifier = Notifier.of(os.environ, os.getpid()).allowing(0.0)
    with safe_mode.serving_safely(
        rules, words, known, place, settings=file, web=web, restart=run.restart, why=why
    ) as url:
        run.restart.port = urlsplit(url).port or 0
        run.output.log.print("[bold yellow]SAFE MODE:[/] no device is opened, no round is on.")
        pages.announce(run.output, url, known, pins)
        safe_mode.wait_for_end(notifier, run.wait, begins_anew=lambda: run.restart.asked)


def _serve_simulated(
    run: Run, agreed: Agreed, rules: Game, *, seed: int | None, faults: list[str]
) -> None:
    from firmware_host.calibration.stored import simulated_camera
    from firmware_host.keeper import Keeper
    from firmware_host.settings import Settings
    from firmware_host.station.serving import Bell
    from firmware_host.upkeep import Bench

    output = run.output
    with opened_log(output) as log:
        clock = _clock(log)
        simulation = simulated_tray(
            output.log,
            agreed.cubes,
            seed,
            given_lexicon(agreed.lexicon),
            agreed.pictures,
            clock=clock,
            photos=log.place.photos,
            faults=faults,
        )
        setup = agreed_setup(agreed, rules, SERVE, simulated=True, seed=simulation.seed)
        with Keeper(log, setup) as keeper:
            desk, bell = pages.prepare(log, keeper, run.wish, agreed.lexicon), Bell()
            owner = _owner(output, clock, simulation, keeper, desk, bell=bell)
            file = log.place.calibration(simulated=True)
            camera = simulated_camera(simulation.seed)
            bench = Bench(Settings(), camera, file, simulation.reader.read)
            lines = standard_lines()
            # Not before the owner listens to the button: a press would be lost.
            owner.begun.add_done_callback(
                lambda _: _listen(simulation.devices, lines, output.log, lambda: owner.ending)
            )
            web = run.wish.of_none()
            with (
                pages.opened(
                    output, desk, web, owner, simulation, bench=bench, restart=run.restart
                ),
                stations.connected(output, run.station, log, owner, bell, simulated=True),
            ):
                _run(run, owner, clock)


def _serve_real(run: Run, agreed: Agreed, rules: Game, *, settings_file: Path | None) -> None:
    from firmware_host import settings_file as files
    from firmware_host.calibration.stored import camera_of
    from firmware_host.keeper import Keeper
    from firmware_host.machine import open_machine
    from firmware_host.station.serving import Bell
    from firmware_host.upkeep import Bench
    from scoring.cubes import cube_set

    loaded = files.load(settings_file)
    output, settings = run.output, loaded.settings
    edition, words = cube_set(agreed.cubes), given_lexicon(agreed.lexicon)
    with opened_log(output) as log:
        clock = _clock(log)
        calibration = stored_calibration(output.log, settings.camera)
        machine = open_machine(
            settings, edition, clock, log.place.photos, words, calibration=calibration
        )
        announce_parts(output.log, machine.devices)
        made_up, shake_s = machine.devices.simulated, settings.shaker.shake_s
        setup = agreed_setup(agreed, rules, SERVE, simulated=made_up, shake_s=shake_s)
        with machine.devices, Keeper(log, setup) as keeper:
            desk, bell = pages.prepare(log, keeper, run.wish, agreed.lexicon), Bell()
            owner = _owner(output, clock, machine, keeper, desk, bell=bell)
            longest_s = CALLS_OF_A_CAMERA * settings.camera.time_out_s + MARGIN_S
            web, held = run.wish.of(settings.web), settings.buttons.start.long
            camera, kept = camera_of(settings.camera), log.place.calibration()
            to = run.station or settings.station
            with (
                pages.opened(
                    output,
                    desk,
                    web,
                    owner,
                    machine,
                    bench=Bench(settings, camera, kept, machine.reader.read),
                    restart=run.restart,
                    settings=loaded.file or files.users_file(),
                    long_press=held,
                ),
                stations.connected(output, to, log, owner, bell, simulated=made_up),
            ):
                _run(run, owner, clock, longest_s)


def _clock(log: Log) -> OwnersClock:
    from firmware_host.owner import OwnersClock

    return OwnersClock(log.clock)


def _owner(
    output: Output,
    clock: OwnersClock,
    seat: Seat,
    keeper: Keeper,
    desk: pages.Desk,
    *,
    bell: Bell,
) -> Owner:
    from firmware_host.memory import give_back
    from firmware_host.owner import Owner
    from firmware_host.rounds import TrayNotRead, TrayRead

    tray = _witnessed(_looked_on(seat, desk.hub.glimpsed), desk.hub)
    rules = keeper.state.plan.game
    announce_game(output.log, rules, seat.cubes)
    if keeper.notice:
        output.log.print(keeper.notice)
    tell = Teller(output, rules.name, simulated=tray.devices.simulated)

    def watch(state: RoundState, event: Event) -> None:
        tell.watch(state, event)
        desk.hub.watch(state, event)
        bell.ring()
        if isinstance(event, TrayRead | TrayNotRead):
            give_back()

    return Owner(
        keeper.state,
        tray.devices,
        tray.perform,
        clock,
        book=keeper,
        watch=watch,
        welcome=desk.welcome,
    )


def _looked_on(seat: Seat, tell: Tell) -> Tray:
    """The tray, with pages that are told which cubes are read while they come to rest.

    Not on a machine with a single core: the round, and the watchdog over it, need that one.
    """
    if len(os.sched_getaffinity(0)) < MANY_CORES:
        return seat.tray
    from firmware_host.onlooker import Onlooker

    def load() -> LiveReader:
        from vision.faces import FaceClassifier
        from vision.flatness import FlatnessNet
        from vision.live import LiveReader

        classifier = FaceClassifier.single(seat.reader.classifier.finder)
        return LiveReader(classifier, FlatnessNet.load(), seat.cubes)

    onlooker = Onlooker(load, tell)
    atexit.register(onlooker.close)  # a look must not outlast what it is made with
    return replace(seat.tray, onlooker=onlooker)


def _witnessed(tray: Tray, hub: Hub) -> Tray:
    """The tray, with pages that are told when a camera that failed gives pictures again."""
    from firmware_host.tray import Witnessed

    came = Witnessed(tray.onlooker, lambda: hub.works("camera"))
    return replace(tray, onlooker=came)


def _run(run: Run, owner: Owner, clock: OwnersClock, longest_s: float = 0.0) -> None:
    """Run until the end; nothing that a device may do takes longer than ``longest_s`` seconds."""
    from firmware_host import service
    from firmware_host.systemd import Notifier

    faulthandler.enable()  # a watchdog ends a hang by SIGABRT: the log then shows where it hung
    notifier = Notifier.of(os.environ, os.getpid()).allowing(longest_s)
    service.run(owner, clock, notifier, run.wait, begins_anew=lambda: run.restart.asked)


class Teller:
    """Tells each phase of the rounds: a line for people, a document for programs.

    Args:
        output: the command's streams.
        game: name of the rules; said in every document.
        simulated: whether the tray is; the same.
    """

    def __init__(self, output: Output, game: str, *, simulated: bool) -> None:
        self._output = output
        self._known = {"simulated": simulated, "game": game}
        self._told: tuple[Phase, Question | None, bool] | None = None

    def watch(self, state: RoundState, _event: Event) -> None:
        """As of `firmware_host.owner.Watch`."""
        standing = state.phase, state.question, state.unhurried
        if standing == self._told:
            return
        self._told = standing
        document: dict[str, object] = {"phase": state.phase.value, **self._known}
        texts = [f"[bold]{state.phase.value}[/]"]
        for part, text in _remarks(state):
            document |= part
            texts.append(text)
        self._output.document(document, lambda out: out.print("  ".join(texts)))
        sys.stdout.flush()


def _remarks(state: RoundState) -> Iterator[tuple[dict[str, object], str]]:
    """What is to be said besides the phase, to programs and to people."""
    if state.to_play is not None:
        yield {"player": state.to_play}, f"[bold]{shown(state.to_play)}[/]"
    if state.shown_board is not None:
        board = str(state.shown_board)
        yield {"board": board}, shown(board)
    if state.question is not None:
        yield _asked(state, state.question)
    if state.unhurried:
        yield {"timer": None}, "No timer: hold the button for the last chance."
    if state.displaced:
        yield {"displaced": round(state.displaced, 2)}, displaced_text(state.displaced)
    if state.fault is not None:
        message, advice = state.fault
        fault = {"message": message, "advice": advice}
        yield {"fault": fault}, f"{shown(message)}. {shown(advice)}"


def _asked(state: RoundState, question: Question) -> tuple[dict[str, object], str]:
    document = {
        "unconfirmed": [list(cell) for cell in state.unconfirmed],
        "asked": list(question.cell),
        "offered": question.offered,
    }
    text = f"{doubt_text(question)}. [bold]{shown(question.text)}[/]"
    return document, f"{text} Press for another, hold to take it."


def _listen(
    devices: SimulatedDevices, lines: Lines, log: Console, ending: Callable[[], bool]
) -> None:
    """Do what the lines say, in a thread that keeps nobody from ending."""
    threading.Thread(target=obey, args=(devices, lines, log, ending), daemon=True).start()


def obey(devices: SimulatedDevices, lines: Lines, log: Console, ending: Callable[[], bool]) -> None:
    """Do what the lines say, until their end or that of the service.

    Args:
        devices: of the simulated tray.
        lines: what a person does to it.
        log: is told what came to nothing.
        ending: whether the service lets go of the devices: a line then comes too late for them.
    """
    from firmware_host.hands import act

    while (line := lines.next_line(None)) is not None:
        try:
            act(devices, line)
        except Exception as error:
            complaint = complaint_of(error)
            if ending():
                return
            if complaint is None:
                raise
            log.print(f"{shown(complaint.message)}. {shown(complaint.advice)}")


command = serve
