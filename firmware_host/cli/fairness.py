"""``wordtray fairness``: does the shaker favour any cube, face, cell or turn?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting

if TYPE_CHECKING:
    from firmware_host.fairness import Report, Shake

EPILOG = (
    "Examples: wordtray read shakes/*.jpg --json > shakes.jsonl; wordtray fairness shakes.jsonl · "
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


def fairness(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="What `read --json` or `roll --json` printed, a line a shake; - reads it.",
        ),
    ],
    cubes: options.Cubes = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the tests as a picture.")
    ] = None,
    *,
    json: options.Json = False,
) -> None:
    """Test a shaker by the boards that it made.

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
        shakes = [shake for file in files for shake in _shakes_of(file)]
        with output.log.status("Comparing with fair shakes"):
            told = report(shakes, cubes)
        if plot is not None:
            _draw(told, plot)
        output.document(fairness_document(told), lambda out: _show(out, told, plot))


def _shakes_of(file: Path) -> list[Shake]:
    from firmware_host.fairness import shakes_of_lines
    from firmware_host.files import read_given

    if str(file) == "-":
        return shakes_of_lines(sys.stdin, "standard input")
    text = read_given(file, MOST_BYTES, "readings", "file of readings")
    return shakes_of_lines(text.decode("utf-8", "replace").splitlines(), str(file))


def _draw(told: Report, plot: Path) -> None:
    from firmware_host.fairness_picture import to_svg
    from firmware_host.files import write_whole

    title = f"{told.shakes} shakes of {told.edition.name}"
    write_whole(plot, [to_svg(told.findings, title).encode()])


def _show(out: Console, told: Report, plot: Path | None) -> None:
    from firmware_host.fairness import reasons

    out.print(f"[bold]{told.shakes} shakes[/] of {told.edition.title}")
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
