"""``wordtray restore``: everything back from a backup."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.backup import telling_files
from firmware_host.cli.draw import counted
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting

if TYPE_CHECKING:
    from firmware_host.store.backup import Restored

EPILOG = "Example: wordtray restore wordtray-backup-20261130-201500.zip"


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `backup` wrote.")],
    *,
    json: options.Json = False,
) -> None:
    """Put what a backup holds in place of what is there, which is kept aside.

    Also a backup of an older version. All of it is proved first; if anything is wrong with it,
    nothing is changed. No round may be played meanwhile, and the service must be stopped.
    """
    from firmware_host.store.backup import restore as restored
    from firmware_host.store.place import Place

    with reporting(json=json) as output:
        with telling_files(output) as tell:
            done = restored(Place.standard(), file, tell)
        document = {
            "file": str(file),
            "events": done.proof.events,
            "rounds": done.proof.rounds,
            "aside": None if done.aside is None else str(done.aside),
            "lost_photos": list(done.proof.lost_photos),
            "notices": list(done.notices),
        }
        output.document(document, lambda out: _tell(out, done))


def _tell(out: Console, done: Restored) -> None:
    made = datetime.fromtimestamp(done.backup.made).astimezone()
    out.print(
        f"Restored what was kept on {made:%Y-%m-%d %H:%M}: "
        f"{counted(done.proof.events, 'event')} of {counted(done.proof.rounds, 'round')}, "
        "each proved."
    )
    if done.aside is not None:
        out.print(f"What was there before is kept in [bold]{shown(str(done.aside))}[/].")
    for notice in done.notices:
        out.print(f"[yellow]Notice:[/] {shown(notice)}.")
    for name in done.proof.lost_photos:
        out.print(f"[yellow]The backup itself lacks a photo:[/] {shown(name)}")


command = restore
