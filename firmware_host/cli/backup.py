"""``wordtray backup``: all that is kept, in one file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import opened_log
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.store.backup import Backup

EPILOG = "Examples: wordtray backup · wordtray backup -o /media/usb/tray.zip"


def backup(
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to (else a new file here, by its time)."
        ),
    ] = None,
    *,
    json: options.Json = False,
) -> None:
    """Write all that is kept into one file: rounds, photos, matches, word lists, settings and more.

    The file is read back before it counts, and replaces none that is there. Rounds may be played
    meanwhile.
    """
    from firmware_host.store.backup import back_up

    with reporting(json=json) as output, opened_log(output, reading=True) as log:
        file = output_file or Path(time.strftime("wordtray-backup-%Y%m%d-%H%M%S.zip"))
        if file.is_dir():
            raise wrong_use("backup_exists", f"{file} is a folder", "Name a file in it with -o.")
        if file.exists():
            message = f"there is a file {file} already, and it is not replaced"
            raise wrong_use("backup_exists", message, "Name another one with -o.")
        with telling_files(output) as tell:
            made = back_up(log, file, tell)
        document = {"file": str(file), "events": made.events, "files": len(made.files)}
        output.document(document, lambda out: _tell(out, file, made))


def _tell(out: Console, file: Path, made: Backup) -> None:
    size = file.stat().st_size / 2**20
    out.print(f"Written and read back: [bold]{shown(str(file))}[/], {size:.1f} MB")
    out.print(f"{counted(made.events, 'event')}, {counted(len(made.files), 'file')}.")


@contextmanager
def telling_files(output: Output) -> Iterator[Callable[[str], None]]:
    """Show which file is being read or written, where somebody is looking."""
    with output.log.status("…") as status:
        yield lambda name: status.update(shown(name))


command = backup
