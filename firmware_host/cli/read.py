"""``wordtray read``: letters of photographed trays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track

from firmware_host.cli import options
from firmware_host.cli.draw import board_text, edition_text
from firmware_host.cli.output import Output, shown
from firmware_host.cli.read_dice import read_dice, refuse_cubes
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.documents import reading_document
from firmware_host.errors import ExitCode
from scoring.notation import cell_name

if TYPE_CHECKING:
    from firmware_host.reading import PhotoReader, TimedReading
    from vision.reading import TrayReading

EPILOG = (
    "Examples: wordtray read tray.jpg · wordtray read *.jpg --json · "
    "wordtray read tray.jpg --annotate checked · wordtray read --dice throw.jpg. "
    "The first photo that fails decides the exit code; if none fails, doubtful cells or dice "
    "give 4."
)


def read(
    photos: Annotated[
        list[Path], typer.Argument(metavar="PHOTO…", help="Photos of trays, or of dice.")
    ],
    cubes: options.Cubes = None,
    annotate: Annotated[
        Path | None,
        typer.Option(
            "--annotate",
            metavar="FOLDER",
            help="Write each photo with what was read drawn over it.",
        ),
    ] = None,
    *,
    dice: Annotated[
        bool, typer.Option("--dice", help="Read the pips of thrown dice instead of letters.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Read the letters of photographed trays, of any size from 3×3 to 6×6 and however they lie.

    Where a photo shows several trays, the largest comes first. What cannot be read for sure is
    marked with a question mark and must be confirmed.
    """
    from firmware_host.reading import DiceReader, PhotoReader

    with reporting(json=json) as output:
        if dice:
            refuse_cubes(cubes)
            read_one = partial(read_dice, reader=DiceReader(), output=output)
        else:
            read_one = partial(_read_one, reader=PhotoReader.standard(cubes), output=output)
        raise typer.Exit(_read_each(photos, annotate, read_one, output))


def _read_each(
    photos: Sequence[Path],
    folder: Path | None,
    read_one: Callable[[Path, Path | None], ExitCode],
    output: Output,
) -> ExitCode:
    """The code of the first photo that failed, else the highest."""
    tracked = track(
        photos,
        "Reading",
        console=output.log,
        transient=True,
        disable=len(photos) == 1 or not output.log.is_terminal,
    )
    pictures = _pictures(photos, folder) if folder else [None] * len(photos)
    codes = [read_one(photo, picture) for photo, picture in zip(tracked, pictures, strict=True)]
    failed = [code for code in codes if code not in (ExitCode.DONE, ExitCode.DOUBTFUL)]
    return failed[0] if failed else max(codes)


def _pictures(photos: Sequence[Path], folder: Path) -> list[Path | None]:
    """A file for each annotated photo; photos of one name get numbers."""
    stems = [photo.stem for photo in photos]
    pictures: list[Path | None] = []
    for place, stem in enumerate(stems):
        earlier = stems[:place].count(stem)
        number = f"-{earlier + 1}" if earlier else ""
        pictures.append(folder / f"read-{stem}{number}.jpg")
    return pictures


def _read_one(
    photo: Path, picture: Path | None, *, reader: PhotoReader, output: Output
) -> ExitCode:
    def read() -> TimedReading:
        timed = reader.read_file(photo)
        if picture:
            reader.annotate(photo, timed.reading, picture, timed.others)
        return timed

    timed, code = attempt(output, {"photo": str(photo)}, read)
    if timed is None:
        return code
    output.document(reading_document(photo, timed), lambda out: _show(out, photo, timed, picture))
    return ExitCode.DOUBTFUL if timed.doubtful else ExitCode.DONE


def _show(out: Console, photo: Path, timed: TimedReading, picture: Path | None) -> None:
    _show_tray(out, shown(photo.name), timed.reading, f"; read in {timed.seconds:.1f} s")
    for number, other in enumerate(timed.others, start=2):
        _show_tray(out, f"{shown(photo.name)}, tray {number}", other)
    if picture:
        out.print(f"annotated: {shown(str(picture))}")


def _show_tray(out: Console, title: str, reading: TrayReading, remark: str = "") -> None:
    out.print(f"[bold]{title}[/]  {reading.board}")
    out.print(board_text(reading.board, reading.doubtful))
    out.print(f"cube set: {edition_text(reading)}{remark}")
    for row, col in reading.doubtful:
        choices = ", ".join(
            f"{face} {share:.0%}" for face, share in reading.cells[row][col].alternatives
        )
        out.print(f"[yellow]{cell_name((row, col))} is doubtful:[/] {choices}")


command = read
