"""``wordtray scan``: words of photographed lists on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options, reviewing
from firmware_host.cli.boards import Given, given_board, given_game, given_lexicon
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.errors import ExitCode
from firmware_host.writing import Writing

if TYPE_CHECKING:
    from firmware_host.pages import PagePicture
    from firmware_host.paper import PaperReader, ScannedList
    from firmware_host.paper_documents import Decided
    from firmware_host.review import Score
    from scoring.board import Board
    from scoring.lexicon import Lexicon
    from vision.paper.reading import WordReading

EPILOG = (
    "Examples: wordtray scan list.jpg · wordtray scan *.jpg --board IETC/HQuPE/SEYH/TOER --json · "
    "wordtray scan final.pdf --board tray.jpg --round Final --review --referee Anna. "
    "The first page that fails decides the exit code; if none fails, doubtful words give 4."
)


def scan(
    pages: Annotated[
        list[Path],
        typer.Argument(
            metavar="PAGE…", help="Photos or scans of lists; a PDF may hold many pages."
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="BOARD|PHOTO",
            help="What was played on: its words are read more surely.",
        ),
    ] = None,
    lexicon: options.Lexicon = "enable",
    game: options.Game = None,
    size: options.Size = None,
    *,
    writing: options.OnPaper = Writing.AUTO,
    round_name: reviewing.Round = None,
    review: reviewing.Asked = False,
    referee: reviewing.Referee = None,
    json: options.Json = False,
) -> None:
    """Read the words of lists on paper, printed sheets or any paper, one or several in a photo.

    What is written is what is reported, also where it scores nothing. What is not sure is doubtful
    and must be confirmed, as by --review.
    """
    with reporting(json=json) as output:
        given = given_board(board, size, output) if board else None
        kept = reviewing.kept_round(round_name, given.board if given else None, output)
        if given is None and kept is not None and kept.state.board is not None:
            given = Given(kept.state.board)
        board_code = given.code if given else ExitCode.DONE
        words = given_lexicon(lexicon)
        reader = _reader(words, given, game, writing)
        if not review:
            raise typer.Exit(_worse(board_code, _tell_each(pages, reader, round_name, output)))
        lists, code = _read_all(pages, reader, round_name, output)
        score = _score(lists, words, given.board, game) if given else None
        looked = reviewing.review(lists, score, referee, kept, output)
        if kept is not None:
            written = reviewing.on_pages(kept, looked.lists, output)
            reviewing.rescore(kept, written, referee, output)
        for number, scanned in enumerate(looked.lists):
            mine = {word: told for (one, word), told in looked.decided.items() if one == number}
            code = _worse(code, _tell(scanned, mine, output))
        raise typer.Exit(_worse(board_code, code))


def _reader(
    lexicon: Lexicon, given: Given | None, game: str | None, writing: Writing
) -> PaperReader:
    from firmware_host.paper import PaperReader

    board = given.board if given else None
    rules = given_game(game, board) if board else None
    return PaperReader(lexicon, board, rules, writing=writing)


def _score(lists: Sequence[ScannedList], lexicon: Lexicon, board: Board, game: str | None) -> Score:
    """Scores lists as a round; pages of one player are one list."""
    from firmware_host.cli.paper_lists import entries_by_name
    from scoring.referee import score_round

    names = [one.reading.player or one.page for one in lists]
    rules = given_game(game, board)
    return lambda read: score_round(board, entries_by_name(names, read), lexicon, rules)


def _worse(first: int, second: int) -> int:
    """Of the codes of two pages that of the command: the first that failed, else the highest."""
    failed = [code for code in (first, second) if code not in (ExitCode.DONE, ExitCode.DOUBTFUL)]
    return failed[0] if failed else max(first, second)


def _read_all(
    files: Sequence[Path], reader: PaperReader, round_name: str | None, output: Output
) -> tuple[list[ScannedList], int]:
    """Every list of all pages of files, and the code; a page that fails hides no other."""
    lists: list[ScannedList] = []
    code: int = ExitCode.DONE
    for found, outcome in _read_each(files, reader, round_name, output):
        lists += found
        code = _worse(code, outcome)
    return lists, code


def _read_each(
    files: Sequence[Path], reader: PaperReader, round_name: str | None, output: Output
) -> Iterator[tuple[Sequence[ScannedList], ExitCode]]:
    """The lists of each page of files, as they are read, with the code of the page."""
    from firmware_host.cli.paper_lists import tell_reader
    from firmware_host.pages import pages_in

    for file in files:
        pages = pages_in(file)
        page, code = _next(pages, file, output)
        while page is not None:
            with output.log.status(f"Reading {shown(page.name)}"):
                found, code = attempt(
                    output, {"page": page.name}, partial(reader.read, page, round_name)
                )
            if round_name is not None and any(one.reading.round is None for one in found or ()):
                output.log.print(f"{shown(page.name)} does not tell which round it is of.")
            tell_reader(found or (), reader, output)
            yield found or (), code
            page, code = _next(pages, file, output)
        if code is not ExitCode.DONE:
            yield (), code


def _next(
    pages: Iterator[PagePicture], file: Path, output: Output
) -> tuple[PagePicture | None, ExitCode]:
    return attempt(output, {"page": str(file)}, lambda: next(pages, None))


def _tell_each(
    files: Sequence[Path], reader: PaperReader, round_name: str | None, output: Output
) -> int:
    code: int = ExitCode.DONE
    for lists, outcome in _read_each(files, reader, round_name, output):
        code = _worse(code, outcome)
        for scanned in lists:
            code = _worse(code, _tell(scanned, {}, output))
    return code


def _tell(scanned: ScannedList, decided: Mapping[int, Decided], output: Output) -> int:
    from firmware_host.paper_documents import scan_document

    output.document(scan_document(scanned, decided), partial(_show, scanned, decided))
    return ExitCode.DOUBTFUL if scanned.doubtful else ExitCode.DONE


def _show(scanned: ScannedList, decided: Mapping[int, Decided], out: Console) -> None:
    reading = scanned.reading
    named = [scanned.page, reading.player, reading.round and f"round {reading.round}"]
    title = shown(" · ".join(part for part in named if part))
    words = counted(len(reading.words), "word")
    out.print(f"[bold]{title}[/]  {words}, read in {scanned.seconds:.1f} s")
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("", justify="right", style="dim")
    for heading in ("word", "sure", ""):
        table.add_column(heading)
    for place, word in enumerate(reading.words):
        table.add_row(str(place + 1), *_row(word, decided.get(place)))
    if reading.words:
        out.print(table)
    else:
        out.print("[yellow]Nothing is written on it.[/] Look whether that is right.")
    if reading.lost:
        rows = ", ".join(map(str, reading.lost))
        out.print(f"[yellow]Rows that could not be seen:[/] {rows}. Photograph the sheet again.")


def _row(word: WordReading, decided: Decided | None) -> tuple[str, str, str]:
    style = "bold yellow" if word.doubtful else "strike dim" if word.struck else "bold"
    text = f"[{style}]{shown(word.text.lower() or '?')}{'?' if word.doubtful else ''}[/]"
    return text, f"{word.confidence:.0%}", shown(_remark(word, decided))


def _remark(word: WordReading, decided: Decided | None) -> str:
    from firmware_host.paper_entries import why_else

    if decided is not None:
        said = [f"decided by {decided.by}", f"read as {decided.read or 'nothing'}"]
        gone = ["crossed out"] if word.struck else []
        return "; ".join([*gone, *said, *(["changes the result"] if decided.changed else [])])
    if not word.doubtful:
        return "crossed out" if word.struck else ""
    readings = ", ".join(f"{text.lower()} {share:.0%}" for text, share in word.alternatives)
    return "; ".join([readings or "nothing could be read here", *why_else(word)])


command = scan
