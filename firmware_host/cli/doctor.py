"""``wordtray doctor``: is everything here that the product needs, and does every part work?"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.moving import asking, can_be_asked, nobody_to_ask
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import stored_calibration
from firmware_host.doctor.finding import Finding, Grade
from firmware_host.errors import ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.doctor.parts import Bench
    from firmware_host.settings import Settings
    from hardware.clock import Clock
    from hardware.devices import Devices

EPILOG = (
    "Examples: wordtray doctor · sudo systemctl stop wordtray, then wordtray doctor --move · "
    "wordtray doctor --simulate --fault camera-torn · wordtray doctor --bundle report.zip · "
    "wordtray doctor --json. The exit code is 0 if nothing fails, else the first failure's."
)

SEED = 1
"""Of the simulated tray."""

_SIGNS = {
    Grade.OK: "[green]ok[/]  ",
    Grade.WARN: "[yellow]warn[/]",
    Grade.FAIL: "[bold red]FAIL[/]",
    Grade.NONE: "[dim]none[/]",
}


def doctor(
    *,
    settings: options.Settings = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Try the parts of a simulated tray instead.")
    ] = False,
    faults: options.Faults = None,
    move: Annotated[
        bool, typer.Option("--move", help="Move the motor, too, after a question.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --move: do not ask; somebody is at the tray.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Leave the buzzer alone.")] = False,
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--bundle",
            metavar="FILE.zip",
            help="Write what was found into a new file for a report, without personal data.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Examine this machine: programs, system, log, and every part; each line is ok, warn or FAIL.

    The parts are tried where there are settings: the lamp is lit, the display shows a word, the
    buzzer plays, the camera takes a picture. The motor moves only with --move, under a closed lid.
    Everything is off afterwards, on every way out.

    A line with none is about something that is not here and need not be, or was not tried.
    """
    from firmware_host.doctor import settings_here
    from firmware_host.signals import ended_by_signals

    with reporting(json=json) as output, ended_by_signals():
        _check_options(simulate=simulate, faults=faults, settings=settings, move=move, yes=yes)
        if move and not yes and not can_be_asked(output):
            advice = "Add --yes if no fingers are in the tray, or leave --move out."
            raise nobody_to_ask(advice)
        if bundle is not None:
            _check_bundle(bundle)
        known, told = (None, None) if simulate else settings_here(settings)
        bench = _bench(output, known, faults or [], simulate=simulate)
        if bench is not None:
            ask = asking(output, yes=yes) if move else None
            bench = replace(bench, ask=ask, quiet=quiet)
        findings = _told(output, _findings(known, told, bench, simulate=simulate))
        if bundle is not None:
            _write(output, bundle, findings, known)
        raise typer.Exit(next((one.code for one in findings if one.ok is False), ExitCode.DONE))


def _check_options(
    *, simulate: bool, faults: list[str] | None, settings: Path | None, move: bool, yes: bool
) -> None:
    options.check_simulation(simulate=simulate, faults=faults, settings=settings)
    if yes and not move:
        message = "--yes answers the question of --move"
        raise wrong_use("move", message, "Add --move, or leave --yes out.")


def _check_bundle(file: Path) -> None:
    from firmware_host.doctor.bundle import check_new

    check_new(file)


def _bench(
    output: Output, settings: Settings | None, faults: list[str], *, simulate: bool
) -> Bench | None:
    """The machine whose parts are tried; None where there are no settings."""
    if settings is None and not simulate:
        return None
    from firmware_host.doctor.parts import Bench
    from firmware_host.machine import open_devices
    from firmware_host.settings import Settings
    from hardware.clock import SystemClock

    clock = SystemClock()
    if settings is not None:
        found = stored_calibration(output.log, settings.camera)
        settings = found.applied_to(settings) if found else settings
        return Bench(settings, lambda built: open_devices(built, clock), clock)
    return Bench(Settings(), lambda _: _simulated_devices(output, faults, clock), clock)


def _simulated_devices(output: Output, faults: list[str], clock: Clock) -> Devices:
    from firmware_host import lexicons
    from firmware_host.cli.rounds import simulated_tray

    talk = output.log if output.json else output.out
    words = lexicons.load("enable")
    return simulated_tray(
        talk, options.SHAKEN, SEED, words, options.PICTURES, clock=clock, faults=faults
    ).devices


def _findings(
    settings: Settings | None, told: Finding | None, bench: Bench | None, *, simulate: bool
) -> Generator[Finding, None, None]:
    from firmware_host.doctor import examine
    from firmware_host.doctor.finding import guarded

    yield from examine(settings)
    if told is not None:
        yield told
    if simulate or settings is not None:
        yield guarded("calibration", lambda: _calibration(settings))
    if bench is not None:
        yield from bench.findings()


def _calibration(settings: Settings | None) -> Finding:
    """Of the camera of the settings, else of the simulated tray."""
    from datetime import UTC, datetime

    from firmware_host.calibration.stored import camera_of, simulated_camera
    from firmware_host.doctor.calibrated import calibration
    from firmware_host.store.place import Place

    section = settings.camera if settings else None
    camera = camera_of(section) if section else simulated_camera(SEED)
    file = Place.standard().calibration(simulated=section is None)
    return calibration(file, camera, datetime.now(UTC), section)


def _told(output: Output, findings: Generator[Finding, None, None]) -> list[Finding]:
    """All findings, each told as it comes; whatever happens here, the parts are off afterwards."""
    all_of_them = []
    with closing(findings):
        for finding in findings:
            output.document(finding.as_json(), partial(_show, finding))
            all_of_them.append(finding)
    return all_of_them


def _show(finding: Finding, out: Console) -> None:
    out.print(f"{_SIGNS[finding.grade]}  {finding.subject:<12} {shown(finding.text)}")
    if finding.advice:
        out.print(f"      → {finding.advice}", markup=False)


def _write(output: Output, file: Path, findings: list[Finding], settings: Settings | None) -> None:
    from firmware_host.doctor.bundle import Case, Scrubber, write_bundle

    addresses = (found.text.split(", ") for found in findings if found.subject == "address")
    scrubber = Scrubber.here(one for found in addresses for one in found)
    members = Case.here(findings, settings).members(scrubber)
    write_bundle(file, members)
    document = {"bundle": str(file), "members": list(members)}

    def show(out: Console) -> None:
        out.print(f"\nWritten: [bold]{shown(str(file))}[/]. It holds, for you to look through:")
        for name, text in members.items():
            out.print(f"  {name:<14} {len(text.splitlines())} lines", markup=False)

    output.document(document, show)


command = doctor
