"""``wordtray sheet``: word sheets to print, for one table or a whole tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from firmware_host.cli import options
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import wrong_use
from vision.paper.sheet import COLUMNS, MOST_SHEETS, PAGE_SIZES, Form, Kind, Label, SheetLayout

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_host.sheets import Player

EPILOG = (
    "Examples: wordtray sheet -o sheets.pdf · "
    "wordtray sheet -o final.pdf --players Anna,Zoë --round Final · "
    "wordtray sheet -o hall.pdf --players players.csv --round 'Round 1' --sheets 2 --columns 3 · "
    "wordtray sheet -o a5.pdf --size A5 --kind rows --columns 1 --copies 10. "
    "Print at 100 %, in colour where you can."
)
SIZES = ", ".join(size.name for size in PAGE_SIZES)


def sheet(
    output_file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.pdf", help="The file to write.")
    ],
    *,
    size: Annotated[str, typer.Option("--size", metavar="S", help=f"Paper: {SIZES}.")] = "A4",
    kind: Annotated[
        Kind, typer.Option("--kind", help="A box for each letter, or a ruled row for each word.")
    ] = Kind.BOXES,
    columns: Annotated[
        int, typer.Option("--columns", min=COLUMNS[0], max=COLUMNS[-1], help="Of rows.")
    ] = 2,
    rows: Annotated[
        int | None,
        typer.Option("--rows", metavar="N", min=1, help="In a column (else as many as fit)."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="A,B,…|FILE",
            help="Names, or a file with a player a line: a .csv file may have the table in its "
            "second column (else sheets without a name).",
        ),
    ] = None,
    round_name: Annotated[
        str, typer.Option("--round", metavar="TEXT", help="Printed, and in the code.")
    ] = "",
    sheets: Annotated[
        int,
        typer.Option("--sheets", metavar="N", min=1, max=MOST_SHEETS, help="For each player."),
    ] = 1,
    copies: Annotated[
        int, typer.Option("--copies", metavar="N", min=1, max=500, help="Of each sheet.")
    ] = 1,
    json: options.Json = False,
) -> None:
    """Write a PDF of word sheets: photographed, they are read box by box.

    Each has marks at its corners and a code that tells player, round and sheet; no file is
    replaced. Players who write more than a sheet holds get several by --sheets.
    """
    with reporting(json=json) as output:
        from firmware_host.sheets import labels_of

        named = _players(players)
        _check_distinct(named)
        labels = labels_of(named, round_name, sheets, copies)
        write_sheets(output, output_file, Form(size, kind, columns, rows), labels)


def write_sheets(output: Output, file: Path, form: Form, labels: Sequence[Label]) -> None:
    """Write a PDF with a page for each label, and tell of it.

    Raises:
        CommandError: the file is there already, or there is no such sheet.
        OSError: it cannot be written.
    """
    from firmware_host.files import check_ending, write_whole
    from firmware_host.sheets import missing_signs, sheets_pdf

    check_ending(file, ".pdf")
    if file.exists():
        message = f"there is a file {file} already, and it is not replaced"
        raise wrong_use("sheet_exists", message, "Name another one with -o.")
    layout = _layout(form)
    if missing := missing_signs(labels):
        output.log.print(
            f"The printed font lacks {shown(missing)}: empty boxes are printed instead. "
            "The code has the whole name."
        )
    with _told(output, len(labels)) as tell:
        data = _drawn(partial(sheets_pdf, layout.form, labels, tell))
    write_whole(file, (data,))
    document = _document(file, layout, labels)
    output.document(document, lambda out: _show(out, file, layout, labels))


def _layout(form: Form) -> SheetLayout:
    from vision.paper.sheet import SheetError, layout_of

    try:
        return layout_of(form)
    except SheetError as error:
        advice = f"Paper is one of {SIZES}; ask for fewer columns or rows."
        raise wrong_use("sheet", str(error), advice) from None


def _drawn(draw: Callable[[], bytes]) -> bytes:
    from vision.paper.sheet import SheetError

    try:
        return draw()
    except SheetError as error:
        advice = "Give a shorter one: 59 letters fit, some 30 where they are not ASCII."
        raise wrong_use("sheet", str(error), advice) from None


def _players(given: str | None) -> Sequence[Player]:
    from firmware_host.sheets import Player, players_in

    if given is None:
        return [Player()]
    file = Path(given)
    if file.suffix.lower() in {".csv", ".txt"} or file.is_file():
        return players_in(file)
    names = [" ".join(name.split()) for name in given.split(",")]
    players = [Player(name) for name in names if name]
    if not players:
        raise wrong_use("players", "no player is named", "Write --players Anna,Zoë or name a file.")
    return players


def _check_distinct(players: Sequence[Player]) -> None:
    """See that no two players have one name: nobody could tell whose a sheet is.

    Raises:
        CommandError: two have, or names that differ in capitals alone.
    """
    seen: dict[str, str] = {}
    for name in (player.name for player in players):
        if other := seen.get(name.casefold()):
            both = f"{name} is named twice" if other == name else f"{other} and {name} are one name"
            message = f"{both}: their sheets could not be told apart"
            raise wrong_use("players", message, "Tell them apart, as by an initial.")
        seen[name.casefold()] = name


@contextmanager
def _told(output: Output, pages: int) -> Iterator[Callable[[int], None]]:
    with Progress(console=output.log, transient=True, disable=pages < 50) as progress:
        task = progress.add_task("Drawing", total=pages)
        yield lambda done: progress.update(task, completed=done)


def _document(file: Path, layout: SheetLayout, labels: Sequence[Label]) -> dict[str, Any]:
    form = layout.form
    return {
        "file": str(file),
        "pages": len(labels),
        "players": len({label.player for label in labels}),
        "size": form.size,
        "kind": str(form.kind),
        "columns": form.columns,
        "rows": form.rows,
        "boxes": len(layout.rows[0].boxes),
    }


def _show(out: Console, file: Path, layout: SheetLayout, labels: Sequence[Label]) -> None:
    boxes = len(layout.rows[0].boxes)
    row = f", {boxes} letters a word" if boxes else ""
    words = counted(len(layout.rows), "word")
    out.print(f"Written: [bold]{shown(str(file))}[/], {counted(len(labels), 'page')}")
    out.print(f"Each {layout.form.size} page has room for {words}{row}. Print it at 100 %.")


command = sheet
