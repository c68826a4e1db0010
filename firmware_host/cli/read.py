"""``wordtray read``: letters of photographed trays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import count, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track

from firmware_host.cli import options
from firmware_host.cli.draw import board_text, counted, edition_text, shortage_text
from firmware_host.cli.output import Output, shown
from firmware_host.cli.read_dice import read_dice
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.documents import burst_document, reading_document
from firmware_host.errors import ExitCode, wrong_use
from scoring.notation import cell_name

if TYPE_CHECKING:
    from firmware_host.reading import PhotoReader, SecondReader, TimedReading
    from vision.reading import TrayReading


class SecondOpinion(StrEnum):
    """Programs that can be asked."""

    TESSERACT = "tesseract"


EPILOG = (
    "Examples: wordtray read tray.jpg · wordtray read *.jpg --json · "
    "wordtray read tray.jpg --annotate checked · wordtray read a.jpg b.jpg --burst · "
    "wordtray read --live 0 · wordtray read --live game.mp4 --json · "
    "wordtray read tray.jpg --second-opinion tesseract · wordtray read --dice throw.jpg. "
    "The first photo that fails decides the exit code; if none fails, doubtful cells or dice "
    "give 4."
)


def read(
    photos: Annotated[
        list[Path] | None, typer.Argument(metavar="PHOTO…", help="Photos of trays, or of dice.")
    ] = None,
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
    burst: Annotated[
        bool,
        typer.Option("--burst", help="All photos show one tray, untouched: read them as one."),
    ] = False,
    live: Annotated[
        str | None,
        typer.Option(
            "--live",
            metavar="SOURCE",
            help="Watch a camera (its number or /dev/video0) or a video file; Ctrl-C ends.",
        ),
    ] = None,
    second_opinion: Annotated[
        SecondOpinion | None,
        typer.Option(
            "--second-opinion",
            help="Have another program read the cells too; where it disagrees they are doubtful.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Read the letters of photographed trays, of any size from 3×3 to 6×6 and however they lie.

    Where a photo shows several trays, the largest comes first. What cannot be read for sure is
    marked with a question mark and must be confirmed.
    """
    from firmware_host.reading import DiceReader, PhotoReader

    with reporting(json=json) as output:
        _check_together({"--dice": dice, "--live": live is not None, "--burst": burst})
        if second_opinion:
            _refuse("--second-opinion", {"--dice": dice, "--live": live})
        if live is not None:
            from firmware_host.cli.read_live import read_live

            _refuse("--live", {"photos": photos, "--annotate": annotate})
            read_live(live, cubes, output)
        if not photos:
            raise wrong_use("usage", "no photo is named", "Give photos, or --live and a camera.")
        if dice:
            _refuse("--dice", {"--cubes": cubes})
            read_one = partial(read_dice, reader=DiceReader(), output=output)
        else:
            reader = PhotoReader.standard(cubes, _second_reader(second_opinion))
            if burst:
                raise typer.Exit(_read_burst(photos, reader, annotate, output))
            read_one = partial(_read_one, reader=reader, output=output)
        slow = len(photos) > 1 or second_opinion is not None
        raise typer.Exit(read_each(photos, annotate, read_one, output, slow=slow))


def _check_together(manners: Mapping[str, bool]) -> None:
    """See that a photo is to be read in one manner alone."""
    chosen = [name for name, given in manners.items() if given]
    if len(chosen) > 1:
        _refuse(chosen[0], dict.fromkeys(chosen[1:], True))


def read_each(
    photos: Sequence[Path],
    folder: Path | None,
    read_one: Callable[[Path, Path | None], ExitCode],
    output: Output,
    *,
    slow: bool,
) -> ExitCode:
    """Read photos one by one.

    Args:
        photos: their files.
        folder: where annotated pictures go, or None for none.
        read_one: reads a photo, and draws it into a file where there is one.
        output: the command's streams.
        slow: show how far it is.

    Returns:
        The code of the first photo that failed, else the highest.
    """
    tracked = track(
        photos,
        "Reading",
        console=output.log,
        transient=True,
        disable=not slow or not output.log.is_terminal,
    )
    pictures = pictures_in(photos, folder) if folder else repeat(None, len(photos))
    codes = [read_one(photo, picture) for photo, picture in zip(tracked, pictures, strict=True)]
    failed = [code for code in codes if code not in (ExitCode.DONE, ExitCode.DOUBTFUL)]
    return failed[0] if failed else max(codes)


def _refuse(option: str, others: Mapping[str, object]) -> None:
    """Complain of what does not go with an option."""
    given = [name for name, value in others.items() if value]
    if given:
        message = f"{option} does not go with {' or '.join(given)}"
        raise wrong_use("usage", message, "Call the command twice.")


def _second_reader(program: SecondOpinion | None) -> SecondReader | None:
    if program is None:
        return None
    from firmware_host.tesseract import Tesseract

    tesseract = Tesseract()
    tesseract.check()
    return tesseract.letters


def pictures_in(photos: Sequence[Path], folder: Path) -> list[Path]:
    """A file for each annotated photo that is not there yet: nothing is written over."""
    pictures: list[Path] = []
    for photo in photos:
        names = (f"read-{photo.stem}{number}.jpg" for number in _numbers())
        free = (folder / name for name in names)
        pictures.append(next(path for path in free if path not in pictures and not path.exists()))
    return pictures


def _numbers() -> Iterator[str]:
    yield ""
    yield from (f"-{number}" for number in count(2))


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


def _read_burst(
    photos: Sequence[Path], reader: PhotoReader, folder: Path | None, output: Output
) -> ExitCode:
    with output.log.status(f"Reading {counted(len(photos), 'photo')} as one"):
        burst = reader.read_burst(photos)
    first, timed = burst.used[0], burst.timed
    for photo in dict.fromkeys(photos):
        if photo not in burst.used:
            output.log.print(f"{shown(str(photo))} shows no tray and is left out")
    picture = folder and reader.annotate(first, timed.reading, pictures_in([first], folder)[0])
    output.document(burst_document(burst), lambda out: _show(out, first, timed, picture))
    return ExitCode.DOUBTFUL if timed.reading.doubtful else ExitCode.DONE


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
    if reading.shortage:
        out.print(f"[yellow]{shown(shortage_text(reading))}[/]")
    if reading.cut_off:
        out.print(
            "[yellow]All of it is doubtful:[/] this may be a part of a larger tray: letters are "
            "seen beyond an edge, or the photo ends there, or something lies over it"
        )
        return
    for row, col in reading.doubtful:
        cell = reading.cells[row][col]
        choices = ", ".join(f"{face} {share:.0%}" for face, share in cell.alternatives)
        second = f"; second opinion: {shown(cell.second)}" if cell.second else ""
        out.print(f"[yellow]{cell_name((row, col))} is doubtful:[/] {choices}{second}")


command = read
