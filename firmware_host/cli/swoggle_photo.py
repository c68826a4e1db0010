"""``wordtray swoggle read`` and ``check``: the letters on a photographed board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.output import Output, shown
from firmware_host.cli.read import pictures_in, read_each
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.errors import ExitCode

if TYPE_CHECKING:
    from firmware_host.swoggle_camera import SwoggleReader, TimedBoard
    from scoring.board import Cell
    from vision.swoggle.compare import Comparison
    from vision.swoggle.reading import SquareReading

READ_EPILOG = (
    "Examples: wordtray swoggle read board.jpg · wordtray swoggle read board.jpg --json · "
    "wordtray swoggle read board.jpg --annotate checked · "
    "wordtray swoggle read kitchen.jpg --board mine.toml. "
    "The first photo that fails decides the exit code; if none fails, doubtful squares give 4."
)
CHECK_EPILOG = (
    "Examples: wordtray swoggle check monday board.jpg · "
    "wordtray swoggle check monday board.jpg --json. "
    "A square that differs or is doubtful gives the exit code 4."
)

AnnotateFolder = Annotated[
    Path | None,
    typer.Option(
        "--annotate", metavar="FOLDER", help="Write the photo with what was read drawn over it."
    ),
]
_ALTERNATIVES = 3


def read(
    photos: Annotated[
        list[Path], typer.Argument(metavar="PHOTO…", help="Photos of boards, one in each.")
    ],
    board: Annotated[
        Path | None,
        typer.Option("--board", metavar="FILE", help="A board as data (else wordtray's own)."),
    ] = None,
    annotate: AnnotateFolder = None,
    *,
    json: options.Json = False,
) -> None:
    """Read the capitals that players wrote on a printed board, however it lies in the photo.

    What cannot be read for sure is marked and must be confirmed.
    """
    from firmware_host import swoggle
    from firmware_host.swoggle_camera import SwoggleReader

    with reporting(json=json) as output:
        reader = SwoggleReader.standard(swoggle.find_layout(board))
        read_one = partial(_read_one, reader=reader, output=output)
        raise typer.Exit(read_each(photos, annotate, read_one, output, slow=True))


def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of `swoggle list`.")],
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="A photo of the match's board.")],
    annotate: AnnotateFolder = None,
    *,
    json: options.Json = False,
) -> None:
    """Compare a photographed board with a match: what is missing, another letter, or too much.

    The letters of the match help to read what is written unclearly; nothing is changed.
    """
    from firmware_host import swoggle
    from firmware_host.cli.kept import now
    from firmware_host.swoggle_camera import SwoggleReader, capitals_of
    from firmware_host.swoggle_documents import check_document
    from vision.swoggle.compare import compare

    with reporting(json=json) as output:
        match = swoggle.load(name, now())
        reader = SwoggleReader.standard(swoggle.rules_of(match).layout)
        with output.log.status("Reading the board"):
            timed = reader.read_file(photo)
        compared = compare(timed.reading, capitals_of(match.state.letters))
        picture = None
        if annotate:
            (picture,) = pictures_in([photo], annotate)
            reader.annotate(photo, timed.reading, picture)
        document = check_document(name, photo, compared, timed)

        def show(out: Console) -> None:
            for line in _comparison_lines(name, compared):
                out.print(line)
            _show_picture(out, picture)

        output.document(document, show)
        raise typer.Exit(ExitCode.DONE if document["agrees"] else ExitCode.DOUBTFUL)


def _read_one(
    photo: Path, picture: Path | None, *, reader: SwoggleReader, output: Output
) -> ExitCode:
    from firmware_host.swoggle_documents import board_document

    def read() -> TimedBoard:
        timed = reader.read_file(photo)
        if picture:
            reader.annotate(photo, timed.reading, picture)
        return timed

    timed, code = attempt(output, {"photo": str(photo)}, read)
    if timed is None:
        return code
    output.document(
        board_document(photo, reader.layout, timed),
        lambda out: _show(out, photo, reader, timed, picture),
    )
    return ExitCode.DOUBTFUL if timed.reading.doubtful else ExitCode.DONE


def _show(
    out: Console, photo: Path, reader: SwoggleReader, timed: TimedBoard, picture: Path | None
) -> None:
    from firmware_host.cli.swoggle_draw import board_lines

    reading = timed.reading
    signs = {cell: one.sign for cell, one in reading.squares.items() if one.letter}
    signs |= {cell: "?" for cell in reading.doubtful if cell not in signs}
    letters = f"{len(reading.letters)} letter{'s' * (len(reading.letters) != 1)}"
    out.print(f"[bold]{shown(photo.name)}[/]  {letters}; read in {timed.seconds:.1f} s")
    for line in board_lines(reader.layout, signs, frozenset(reading.doubtful)):
        out.print(line)
    for line in _doubt_lines({cell: reading.squares[cell] for cell in reading.doubtful}):
        out.print(line)
    _show_picture(out, picture)


def _show_picture(out: Console, picture: Path | None) -> None:
    if picture:
        out.print(f"annotated: {shown(str(picture))}")


def _doubt_lines(doubtful: Mapping[Cell, SquareReading]) -> Iterator[str]:
    """Why each doubtful square is; one line where the whole board is."""
    from vision.swoggle.reading import Doubt

    whole = [square for square in doubtful.values() if Doubt.TURN in square.doubts]
    if whole:
        yield f"[yellow]All of it is doubtful:[/] {Doubt.TURN}"
        return
    for cell, square in doubtful.items():
        yield _doubt_line(cell, square)


def _doubt_line(cell: Cell, square: SquareReading) -> str:
    from scoring.swoggle.board import square_name

    choices = ", ".join(
        f"{_sign_name(sign)} {share:.0%}" for sign, share in square.shares[:_ALTERNATIVES]
    )
    why = "; ".join(square.doubts)
    return f"[yellow]{square_name(cell)} is doubtful:[/] {choices or 'not seen'} ({why})"


def _sign_name(sign: str) -> str:
    from vision.swoggle.reading import EMPTY, OTHER

    return {EMPTY: "empty", OTHER: "no capital"}.get(sign, sign)


def _comparison_lines(name: str, compared: Mapping[Cell, Comparison]) -> Iterator[str]:
    from scoring.swoggle.board import square_name
    from vision.swoggle.compare import Verdict

    texts = {
        Verdict.MISSING: "{known} is missing on the paper",
        Verdict.OTHER: "{read} on the paper, {known} in the match",
        Verdict.EXTRA: "{read} on the paper, nothing in the match",
    }
    asked = {cell: one.read for cell, one in compared.items() if one.verdict is Verdict.ASKED}
    told = {cell: one for cell, one in compared.items() if one.verdict in texts}
    for cell, one in told.items():
        text = texts[one.verdict].format(known=one.known, read=one.read.sign)
        yield f"[bold]{square_name(cell)}[/]: {shown(text)}"
    yield from _doubt_lines(asked)
    if not told and not asked:
        letters = sum(one.known is not None for one in compared.values())
        yield f"The paper agrees with {shown(name)}: {letters} letters."
