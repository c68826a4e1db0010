"""``wordtray doctor``: is everything here that the product needs?"""

from __future__ import annotations

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.doctor import Finding
from firmware_host.errors import ExitCode

EPILOG = (
    "Example: wordtray doctor --json. The exit code is 0 if all is well, else the first fault's."
)

_SIGNS = {True: "[green]ok[/]   ", False: "[red]FAULT[/]", None: "[yellow]none[/] "}


def doctor(*, json: options.Json = False) -> None:
    """Check this machine: programs, weights, word list, folders, and a reading from end to end."""
    from firmware_host.doctor import examine

    with reporting(json=json) as output:
        worst = ExitCode.DONE
        for finding in examine():

            def show(out: Console, finding: Finding = finding) -> None:
                out.print(f"{_SIGNS[finding.ok]}  {finding.subject:<12} {shown(finding.text)}")
                if finding.advice:
                    out.print(f"         → {finding.advice}", markup=False)

            output.document(finding.as_json(), show)
            if finding.ok is False and worst is ExitCode.DONE:
                worst = finding.code
        raise typer.Exit(worst)


command = doctor
