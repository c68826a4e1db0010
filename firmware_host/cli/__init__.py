"""The command line: one module a command; each imports only the rooms that it needs."""

from __future__ import annotations

import inspect
import io
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

import typer

from firmware_host.cli import (
    backup,
    calibrate,
    demo,
    doctor,
    fairness,
    lexicon,
    log,
    match,
    off,
    play,
    read,
    restore,
    roll,
    scan,
    score,
    serve,
    settings,
    sheet,
    solve,
    station,
    swoggle,
    tournament,
    wiring,
    worldwinner_matches,
)
from firmware_host.cli.output import write_json
from firmware_host.cli.reporting import abandon_results
from firmware_host.errors import Complaint, ExitCode


@runtime_checkable
class UsageError(Protocol):
    """What Typer raises where a command is called wrongly; it does not export the class."""

    ctx: typer.Context | None

    def format_message(self) -> str:
        """What is wrong."""


app = typer.Typer(
    name="wordtray",
    help="Reads a photographed tray of letter cubes, runs the round, proves and scores every word.",
    epilog="Exit codes: 0 done, 1 our fault, 2 wrong use, 3 nothing found, "
    "4 done but doubtful, 5 device fault, 6 unusable file, 7 storage fault.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it so
    if wanted:
        typer.echo(f"wordtray {version('wordtray')}")
        raise typer.Exit


@app.callback()
def _wordtray(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


def _flowing(doc: str | None) -> str:
    """A docstring for the help: paragraphs that flow, without the line ends of the source."""
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


COMMANDS = (
    *(demo, play, serve, off, read, scan, solve, score, roll, sheet),
    *(log, backup, restore, fairness, wiring, calibrate, doctor),
)

for command in COMMANDS:
    app.command(help=_flowing(command.command.__doc__), epilog=command.EPILOG)(command.command)
app.add_typer(lexicon.app, name="lexicon")
app.add_typer(match.app, name="match")
app.add_typer(settings.app, name="settings")
app.add_typer(station.app, name="station")
app.add_typer(swoggle.app, name="swoggle")
app.add_typer(tournament.app, name="tournament")
app.add_typer(worldwinner_matches.app, name="worldwinner")


def main() -> None:
    """Entry point of ``wordtray``."""
    # Closed by the caller, as by `>&-`: what is printed then goes nowhere.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without arrows or a file name that is no UTF-8 must not end a command.
            stream.reconfigure(errors="replace")
    try:
        app()
    except SystemExit as ended:
        cause: object = ended.__context__
        if isinstance(cause, BrokenPipeError):
            sys.exit(ExitCode.DONE)  # whoever read the help has seen enough
        if isinstance(cause, UsageError) and "--json" in sys.argv:
            _tell_programs(cause)
        raise


def _tell_programs(error: UsageError) -> None:
    """Wrong use that Typer has told people of, as the document of every other error."""
    command = error.ctx.command_path if error.ctx else "wordtray"
    advice = f"See {command} --help"
    complaint = Complaint("usage", error.format_message(), advice, ExitCode.WRONG_USE)
    try:
        write_json({"error": complaint.as_json()})
    except OSError:
        abandon_results()
