"""``wordtray calibrate``: what a machine finds out about its camera, its tray and its motor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.draw import counted
from firmware_host.cli.moving import Ask, asking, can_be_asked, nobody_to_ask
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import CommandError, nothing_found, unusable_file, wrong_use
from firmware_host.files import check_writable

if TYPE_CHECKING:
    from firmware_host.calibration.stored import Calibration, Found, Step
    from firmware_host.settings import Settings
    from hardware.clock import Clock
    from hardware.devices import Devices, Photo
    from vision.reading import TrayReading

    Read = Callable[[Photo], TrayReading]

EPILOG = (
    "Examples: sudo systemctl stop wordtray, then wordtray calibrate · "
    "wordtray calibrate --only exposure --only corners · wordtray calibrate --show · "
    "wordtray calibrate --yes --json · wordtray calibrate --simulate"
)

SEED = 1
"""Of the simulated tray, as that of the doctor."""

QUESTION = (
    "Nudge and shake the tray, ever more strongly, for some {seconds:.0f} s in all? "
    "Hands off, lid closed. [y/N] "
)


def calibrate(
    *,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="STEP",
            help="exposure, corners, settle or motor alone; give it once for each (else all).",
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show what is stored, and how old it is; do nothing.")
    ] = False,
    settings: options.Settings = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Calibrate a simulated tray instead.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", min=0, help=f"Of the simulated tray (else {SEED})."),
    ] = None,
    faults: options.Faults = None,
    cubes: options.Shaken = options.SHAKEN,
    yes: Annotated[
        bool, typer.Option("--yes", help="Move the motor without a question; hands are off.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Find out what suits this machine: exposure, place of the tray, stillness, strength of motor.

    Lay all cubes into the tray, close the lid, and let camera, lamp and tray be where they will
    stay. What is found is stored with its date and used from then on, wherever the settings leave
    it open; unless every step succeeds nothing is stored. Whatever the motor does is asked before,
    and stays within the power and the running time of the settings.
    """
    from firmware_host.signals import ended_by_signals

    with reporting(json=json) as output, ended_by_signals():
        options.check_simulation(simulate=simulate, faults=faults, settings=settings)
        options.check_seed(seed, simulate=simulate)
        if show:
            _show_stored(output, simulated=simulate)
            return
        steps = _chosen(only)
        bench = _simulated(cubes, seed, faults) if simulate else _real(settings, cubes)
        _check_asked(output, bench, steps, yes=yes)
        _calibrate(output, bench, steps, asking(output, yes=yes or bench.made_up))


def _chosen(only: list[str] | None) -> tuple[Step, ...]:
    from firmware_host.calibration.stored import Step

    for name in only or ():
        if name not in set(Step):
            message = f"there is no step {name!r}"
            raise wrong_use("step", message, f"Give one of {', '.join(Step)} to --only.")
    return tuple(step for step in Step if not only or step in only)


@dataclass(frozen=True)
class Bench:
    """A machine, before it is opened.

    Attributes:
        settings: of it.
        camera: what its camera is called.
        simulated: it is a simulated tray.
        made_up: its motor is.
        opened: opens it under a clock, with what was calibrated of its exposure before, if that is
            not to be found anew; gives its parts and what reads its photos.
    """

    settings: Settings
    camera: str
    simulated: bool
    made_up: bool
    opened: Callable[[Output, Clock, Calibration | None], tuple[Devices, Read]]


def _simulated(cubes: str, seed: int | None, faults: list[str] | None) -> Bench:
    from firmware_host.calibration.stored import simulated_camera
    from firmware_host.settings import Settings

    number = SEED if seed is None else seed

    def opened(output: Output, clock: Clock, before: Calibration | None) -> tuple[Devices, Read]:
        from firmware_host import lexicons
        from firmware_host.cli.rounds import simulated_tray
        from firmware_host.simulation import expose

        tray = simulated_tray(
            output.log,
            cubes,
            number,
            lexicons.load("enable"),
            options.PICTURES,
            clock=clock,
            faults=faults or (),
            steady=True,
        )
        if before is not None:
            expose(tray.devices.camera, before)
        return tray.devices, tray.reader.read

    return Bench(Settings(), simulated_camera(number), simulated=True, made_up=True, opened=opened)


def _real(file: Path | None, cubes: str) -> Bench:
    from firmware_host import settings_file
    from firmware_host.calibration.stored import camera_of

    settings = settings_file.load(file).settings

    def opened(output: Output, clock: Clock, before: Calibration | None) -> tuple[Devices, Read]:
        from firmware_host.cli.rounds import announce_parts
        from firmware_host.machine import open_devices
        from firmware_host.reading import PhotoReader

        reader = PhotoReader.standard(cubes)  # first: nothing may fail once the parts are open
        devices = open_devices(before.exposing(settings) if before else settings, clock)
        announce_parts(output.log, devices)
        return devices, reader.read

    made_up = settings.pins.library == "mock"
    camera = camera_of(settings.camera)
    return Bench(settings, camera, simulated=False, made_up=made_up, opened=opened)


def _check_asked(output: Output, bench: Bench, steps: tuple[Step, ...], *, yes: bool) -> None:
    """See that somebody can be asked before the motor moves."""
    from firmware_host.calibration.stored import Step

    if Step.MOTOR in steps and not (yes or bench.made_up or can_be_asked(output)):
        advice = "Add --yes if no fingers are in the tray, or name other steps by --only."
        raise nobody_to_ask(advice)


def _calibrate(output: Output, bench: Bench, steps: tuple[Step, ...], ask: Ask) -> None:
    from firmware_host.calibration.stored import merged, save
    from firmware_host.store.place import Place

    file = Place.standard().calibration(simulated=bench.simulated)
    check_writable(file.parent)
    _check_file(file)
    before = _before(output, file, bench)
    with _telling_that_nothing_is_stored(output):
        found = _found(output, bench, steps, ask, before)
        calibration = merged(before, found)
        save(file, calibration)
    _tell_stored(output, file, bench, calibration, found)


def _check_file(file: Path) -> None:
    """See, before anything is measured, that what is found can be stored."""
    if file.is_dir():
        message = f"{file} is a folder: nothing could be stored there"
        raise unusable_file("calibration", message, "Move it away, then calibrate again.")


@contextmanager
def _telling_that_nothing_is_stored(output: Output) -> Iterator[None]:
    try:
        yield
    except (Exception, KeyboardInterrupt):
        output.log.print("Nothing was stored.")
        raise


def _found(
    output: Output,
    bench: Bench,
    steps: tuple[Step, ...],
    ask: Ask,
    before: Calibration | None,
) -> Calibration:
    """What the steps find; the machine is off again afterwards."""
    from firmware_host.calibration.steps import Rig, calibrate
    from firmware_host.calibration.stored import Step
    from hardware.clock import SystemClock
    from vision.settle import LEAST_CHANGE

    clock, kept = SystemClock(), None if Step.EXPOSURE in steps else before
    devices, read = bench.opened(output, clock, kept)
    with devices:
        may_move = _may_move(devices, bench, steps, ask)
        with output.log.status("Looking at the tray …") as status:
            rig = Rig(
                devices,
                clock,
                _now,
                read,
                bench.settings,
                may_move,
                lambda text: status.update(shown(text)),
            )
            found = calibrate(
                rig,
                bench.camera,
                steps,
                before.least if before else LEAST_CHANGE,
                lambda step, one: _tell_step(output, step, one, simulated=bench.made_up),
            )
    if Step.MOTOR in steps and not may_move:
        output.log.print("[yellow]The motor was not moved:[/] nobody said yes.")
    if not found.steps:
        raise nobody_to_ask("Answer y, or name other steps by --only.")
    return found


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _before(output: Output, file: Path, bench: Bench) -> Calibration | None:
    """What was calibrated before; one that cannot be read is about to be replaced."""
    from firmware_host.calibration.stored import load

    try:
        before = load(file)
    except CommandError as error:
        output.log.print(f"[yellow]Calibrated anew:[/] {shown(error.complaint.message)}.")
        return None
    if before is None or before.camera == bench.camera:
        return before
    steps = ", ".join(before.steps)
    output.log.print(
        f"[yellow]What was calibrated of another camera goes:[/] {steps} of {shown(before.camera)}."
    )
    return None


def _may_move(devices: Devices, bench: Bench, steps: tuple[Step, ...], ask: Ask) -> bool:
    """Whether the motor may move; without the step of the motor it stays as it is.

    Raises:
        CommandError: the lid is open.
    """
    from firmware_host.calibration.choices import SHAKES, STRENGTHS, refused
    from firmware_host.calibration.stored import Step

    if Step.MOTOR not in steps:
        return False
    if not devices.lid.closed:
        raise refused("the lid is open: nothing was moved", "Close the lid, then calibrate again.")
    shaker = bench.settings.shaker
    seconds = shaker.nudge_s + len(STRENGTHS) * SHAKES * shaker.shake_s
    return ask(QUESTION.format(seconds=seconds))


def _tell_step(output: Output, step: Step, found: Found, *, simulated: bool) -> None:
    document = {"step": str(step), "simulated": simulated, **found.model_dump(mode="json")}
    output.document(document, lambda out: _show_step(out, step, found))


def _show_step(out: Console, step: Step, found: Found) -> None:
    out.print(f"[green]ok[/]    {step:<9} {found}", highlight=False)


def _tell_stored(
    output: Output, file: Path, bench: Bench, calibration: Calibration, found: Calibration
) -> None:
    overruled = calibration.overruled_by(bench.settings)
    document = _head(file, calibration) | {
        "stored": [str(step) for step in found.steps],
        "overruled": list(overruled),
    }

    def tell(out: Console) -> None:
        for key in overruled:
            out.print(f"The settings name {key} otherwise, and win.", markup=False)
        made_up = " (simulated)" if calibration.simulated else ""
        out.print(f"Stored{made_up}: [bold]{shown(str(file))}[/]")

    output.document(document, tell)


def _head(file: Path, calibration: Calibration) -> dict[str, Any]:
    return {
        "file": str(file),
        "camera": calibration.camera,
        "size": [calibration.width, calibration.height],
        "simulated": calibration.simulated,
    }


def _show_stored(output: Output, *, simulated: bool) -> None:
    from firmware_host.calibration.stored import load
    from firmware_host.store.place import Place

    file = Place.standard().calibration(simulated=simulated)
    calibration = load(file)
    if calibration is None:
        advice = f"Calibrate: wordtray calibrate{' --simulate' if simulated else ''}"
        raise nothing_found("no_calibration", f"nothing was calibrated so far: no {file}", advice)
    now = _now()
    steps = {
        str(step): found.model_dump(mode="json") | {"days": (now - found.at).days}
        for step, found in calibration.steps.items()
    }

    def show(out: Console) -> None:
        size = f"{calibration.width} × {calibration.height}"
        made_up = " (simulated)" if calibration.simulated else ""
        out.print(f"Camera {shown(calibration.camera)}, {size} pixels{made_up}: {shown(str(file))}")
        for step, found in calibration.steps.items():
            when = f"{found.at.astimezone():%Y-%m-%d %H:%M}, {_age((now - found.at).days)}"
            out.print(f"{step:<9} {when}: {found}")

    output.document(_head(file, calibration) | {"steps": steps}, show)


def _age(days: int) -> str:
    if days < 0:
        return "which is to come: this clock or that one was wrong"
    return f"{counted(days, 'day')} ago"


command = calibrate
