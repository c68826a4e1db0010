"""What the commands about kept matches share, whatever the game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from json import dumps
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console

from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import attempt
from firmware_host.errors import ExitCode, wrong_use
from firmware_host.files import write_whole

if TYPE_CHECKING:
    from scoring.match import Event, Match

Kept = TypeVar("Kept")
State = TypeVar("State")

NewName = Annotated[str, typer.Argument(metavar="NAME", help="What to call it: a-z, 0-9, - and _.")]
After = Annotated[
    int | None,
    typer.Option("--after", metavar="N", min=0, help="As it stood after so many events."),
]
ExportFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where to (else standard output)."),
]


def now() -> float:
    """The moment, in seconds since 1970: it goes on while the machine is off."""
    return time.time()


def tell_each(
    output: Output,
    names: Sequence[str],
    load: Callable[[str], Kept],
    tell: Callable[[str, Kept], None],
    what: str = "match",
) -> ExitCode:
    """Tell of everything kept; what is damaged is complained of and does not hide the others.

    Args:
        output: the command's streams.
        names: of the matches.
        load: gives a match by its name.
        tell: tells of a match.
        what: what is kept, as people and JSON call it: ``"match"`` or ``"event"``.

    Returns:
        How the command ends: with the highest code of a complaint.
    """
    if not names:
        output.log.print(f"There is no {what} so far.")
    worst = ExitCode.DONE
    for name in names:
        match, code = attempt(output, {what: name}, partial(load, name))
        worst = max(worst, code)
        if match is not None:
            tell(name, match)
    return worst


def write_export(output: Output, name: str, document: Mapping[str, Any], file: Path | None) -> None:
    """Write an exported match: to a new file, or as a line of JSON on standard output.

    Raises:
        CommandError: the file is there already.
        OSError: it cannot be written.
    """
    if file is None or str(file) == "-":
        Output.standard(json=True).document(document, Console.clear)
        return
    if lexists(file):
        message = f"there is a file {file} already, and it is not replaced"
        raise wrong_use("export_exists", message, "Name another one with -o.")
    write_whole(file, (dumps(document, indent=1).encode(), b"\n"))
    done = {"match": name, "file": str(file)}
    output.document(done, lambda out: out.print(f"Written: {shown(str(file))}"))


def tell_undone(out: Console, event: Event, names: Mapping[str, str]) -> None:
    """Say what was taken back.

    Args:
        out: where.
        event: what was taken back.
        names: what people call the events of this game, by type.
    """
    parts = [names[event["type"]]]
    parts += [f"of {event['player']}"] if event.get("player") else []
    parts += [str(event[key]) for key in ("turn", "word") if event.get(key)]
    out.print(f"Taken back: {shown(' '.join(parts))}.")


def as_after(match: Match[State], events: int) -> Match[State]:
    """The match as it stood after so many events.

    Raises:
        CommandError: so many have not happened.
    """
    if events > len(match.events):
        raise wrong_use(
            "after", f"only {len(match.events)} events have happened", "Give a smaller number."
        )
    return match.after(events)
