"""``wordtray fairness``: does the shaker favour any cube, face, cell or turn?"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import opened_log
from firmware_host.errors import unusable_file, wrong_use

if TYPE_CHECKING:
    from firmware_host.fairness import Report, Shake
    from firmware_host.fairness_log import Recorded

EPILOG = (
    "Examples: wordtray fairness · wordtray fairness --since 2026-11-30 --plot fairness.svg · "
    "wordtray read shakes/*.jpg --json > shakes.jsonl; wordtray fairness shakes.jsonl · "
    "wordtray fairness shakes.jsonl --cubes new_4x4 --plot fairness.svg · "
    "wordtray roll --cubes new_4x4 -n 1000 --json | wordtray fairness -"
)

MOST_BYTES = 200_000_000
"""Of a file of readings: a hundred thousand shakes."""

_SAYINGS = {
    "unfair": "[red]The shaker is not fair:[/] chance cannot well explain the tests in red.",
    "fair": "[green]Nothing speaks against the shaker[/], and the tests of all cubes together had "
    "shakes enough to find one that is unfair by a little.",
    "too_few": "[yellow]Nothing speaks against the shaker so far[/], but there are too few shakes "
    "to find one that is unfair by a little.",
}


def _day(text: str) -> datetime:
    """A day as it is here."""
    try:
        return datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - it is of this place
    except ValueError:
        message = f"{text!r} is no day: write it as YEAR-MONTH-DAY, such as 2026-11-30"
        raise typer.BadParameter(message) from None


def fairness(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]…",
            help="What `read --json` or `roll --json` printed, a line a shake; - reads it (else "
            "the rounds of the log).",
        ),
    ] = None,
    cubes: options.Cubes = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the tests as a picture.")
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since",
            metavar="DATE",
            parser=_day,
            help="Rounds of the log that began on this day or later, such as 2026-11-30.",
        ),
    ] = None,
    *,
    simulated: Annotated[
        bool,
        typer.Option("--simulated", help="Rounds of simulated trays, not those of real ones."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Test a shaker by the boards that it made.

    Without a FILE they are those of the log: every shake that was read, also of rounds that were
    given up; faces that somebody has confirmed count as they were confirmed.

    Does each face of each cube come up as often as it should? Do cubes show the same face again, or
    stay in their cell? Do they lie in all four turns equally often?

    A face is at 16.7 % if the shaker is fair. `needed` is the number of shakes from which the test
    finds a face at 21.7 %, or cubes that repeat, stay or turn by 2 % too often, in four of five
    cases. The p-values are raised for the number of tests: below 0.05 chance cannot well explain
    what was seen.
    """
    from firmware_host.fairness import fairness_document, report
    from firmware_host.files import check_ending

    with reporting(json=json) as output:
        check_ending(plot, ".svg")
        if files and (since or simulated):
            message = "--since and --simulated choose rounds of the log"
            raise wrong_use("log", message, "Leave them out, or the files.")
        recorded = None if files else _recorded(output, since, simulated=simulated)
        shakes, left_out = (
            (recorded.shakes, recorded.left_out) if recorded else _given(output, files or [])
        )
        with output.log.status("Comparing with fair shakes"):
            told = report(shakes, cubes, left_out)
        if plot is not None:
            _draw(told, plot)
        document = fairness_document(told) | {
            "rounds": recorded.rounds if recorded else None,
            "simulated": simulated,
        }
        output.document(document, lambda out: _show(out, told, plot, recorded))


def _recorded(output: Output, since: datetime | None, *, simulated: bool) -> Recorded:
    from firmware_host.fairness_log import shakes_of_log

    with opened_log(output, reading=True) as log, output.log.status("Reading the log"):
        begun = since.timestamp() if since else 0.0  # of the day as it is here
        recorded = shakes_of_log(log, begun, simulated=simulated)
    if simulated:
        output.log.print("[bold yellow]SIMULATED[/] trays")
    return recorded


def _given(output: Output, files: list[Path]) -> tuple[Sequence[Shake], Counter[str]]:
    """The shakes of files, each once, and those that are left out."""
    from firmware_host.fairness import once, shakes_of_lines

    shakes, repeated = once(
        shake for file in files for shake in shakes_of_lines(_lines_of(file), _name_of(file))
    )
    if repeated:
        text = counted(repeated.total(), "reading")
        output.log.print(
            f"[yellow]{text} given more than once:[/] the same board in the same turns. Each is "
            "counted once; look whether a file or a photo was given twice."
        )
    return shakes, repeated


def _name_of(file: Path) -> str:
    return "standard input" if str(file) == "-" else str(file)


def _lines_of(file: Path) -> list[str]:
    """The lines of a file, or of standard input, which is as good as empty where it is closed."""
    from firmware_host.files import read_given

    if str(file) == "-":
        lines = list(sys.stdin or ())
    else:
        data = read_given(file, MOST_BYTES, "readings", "file of readings")
        lines = data.decode("utf-8", "replace").splitlines()
    if not any(map(str.strip, lines)):
        advice = "Give what `wordtray read PHOTO… --json` prints, a line a shake."
        raise unusable_file("readings", f"{_name_of(file)} is empty", advice)
    return lines


def _draw(told: Report, plot: Path) -> None:
    from firmware_host.fairness_picture import to_svg
    from firmware_host.files import write_whole

    title = f"{told.shakes} shakes of {told.edition.name}"
    write_whole(plot, [to_svg(told.findings, title).encode()])


def _show(out: Console, told: Report, plot: Path | None, recorded: Recorded | None) -> None:
    from firmware_host.fairness import reasons

    source = f", in {counted(recorded.rounds, 'round')} of the log" if recorded else ""
    out.print(f"[bold]{told.shakes} shakes[/] of {told.edition.title}{source}")
    if told.left_out:
        out.print(f"left out: {reasons(told.left_out)}")
    if told.doubtful:
        out.print(f"{told.doubtful} doubtful faces were taken as they were read")
    out.print(_table(told))
    out.print(_SAYINGS[told.verdict])
    if plot:
        out.print(f"drawn: {shown(str(plot))}")


def _table(told: Report) -> Table:
    from firmware_host.fairness_picture import name_of

    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("test")
    for column in ("fair", "seen", "p", "needed"):
        table.add_column(column, justify="right")
    for finding in told.findings:
        style = "red" if finding.unfair else "" if finding.enough else "dim"
        table.add_row(
            name_of(finding),
            f"{finding.fair:.1%}",
            f"{finding.seen:.1%}",
            f"{finding.adjusted_p:.2g}",
            f"{finding.needed:,}",
            style=style,
        )
    return table


command = fairness
