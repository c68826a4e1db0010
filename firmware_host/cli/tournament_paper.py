"""Lists on paper of ``wordtray tournament``: sheets for every seat, and a heap of them read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import options, reviewing
from firmware_host.cli.draw import counted
from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.cli.tournament_files import Name
from firmware_host.errors import ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.pages import PagePicture
    from firmware_host.tournament_heap import HeapReader, Stray
    from firmware_host.tournament_sheets import Heap, PlayerSheets, Seat, Sheet
    from firmware_host.tournaments import OpenEvent
    from scoring.tournament.log import Log

SHEETS = (
    "Examples: wordtray tournament sheets spring -o round2.pdf · "
    "wordtray tournament sheets spring -o board1.pdf --board 1 --sheets 2 --columns 3"
)
SCAN = (
    "Examples: wordtray tournament scan spring heap/*.jpg --review --referee Dee · "
    "wordtray tournament scan spring scans.pdf --blank. "
    "Code 4: something is missing, or must be looked at."
)


def sheets(
    name: Name,
    output_file: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.pdf", help="The file to write.")
    ],
    *,
    board: Annotated[
        int | None, typer.Option("--board", metavar="N", min=1, help="Of the round (else each).")
    ] = None,
    number: Annotated[
        int, typer.Option("--sheets", metavar="N", min=1, max=9, help="For each player and board.")
    ] = 1,
    columns: Annotated[int, typer.Option("--columns", min=1, max=3, help="Of rows.")] = 2,
    json: options.Json = False,
) -> None:
    """Print word sheets for every seat of the last round that was drawn, table by table.

    Each has a code that tells player, round and board: photographed in any order, `scan` sorts
    them.
    """
    from firmware_host import tournaments
    from firmware_host.cli.sheet import write_sheets
    from firmware_host.tournament_desk import check_settled, round_of
    from firmware_host.tournament_sheets import labels
    from vision.paper.sheet import Form

    with reporting(json=json) as output:
        log = tournaments.load(name)
        played = round_of(log, None, name)
        check_settled(log, name)
        if board is not None and board > log.plan.boards:
            message = f"a round of this event has no board {board}"
            raise wrong_use("place", message, f"Give 1 to {log.plan.boards}.")
        boards = range(1, log.plan.boards + 1) if board is None else [board]
        write_sheets(output, output_file, Form(columns=columns), labels(played, boards, number))


def scan(
    name: Name,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Photos or scans, in any order; a PDF may hold many."),
    ],
    *,
    review: reviewing.Asked = False,
    referee: reviewing.Referee = None,
    blank: Annotated[
        bool, typer.Option("--blank", help="A sheet without a word is an empty list.")
    ] = False,
    why: Annotated[
        str | None,
        typer.Option("--why", metavar="TEXT", help="Replaces lists that are in already."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Read a heap of sheets, sort them by their codes, and enter every table that is complete.

    A table is entered when all its players' sheets are there and nothing on them is doubtful. What
    is missing, there twice or of another event is listed. Give the whole heap again when more is
    there: what is in already is left alone.
    """
    from firmware_host.tournament_desk import nominated_words
    from firmware_host.tournament_heap import HeapReader
    from firmware_host.tournament_sheets import Heap
    from firmware_host.tournaments import opened

    with reporting(json=json) as output, opened(name, now()) as event:
        start = time.monotonic()
        reader = HeapReader(event.log, nominated_words(event.log.plan))
        found, strays, code = _read_all(files, reader, output)
        rate = len(found) / max(time.monotonic() - start, 1e-9) * 60
        if review:
            found = _reviewed(found, referee, output)
        heap = Heap(tuple(found))
        entering = _Entering(event, heap, blank=blank, why=why)
        entered = [table for table in heap.tables if entering.enter(*table)]
        told = _Told(event.log, heap, entering.waiting, strays, entered, rate)
        output.document({"event": name, **told.document}, told.show)
        raise typer.Exit(code or (ExitCode.DOUBTFUL if told.is_open else ExitCode.DONE))


def _read_all(
    files: Sequence[Path], reader: HeapReader, output: Output
) -> tuple[list[Sheet], list[Stray], ExitCode]:
    """All sheets of all files; a page that fails is told and hides no other."""
    sheets_: list[Sheet] = []
    strays: list[Stray] = []
    worst = ExitCode.DONE
    for file in files:
        for page, code in _pages(file, output):
            worst = worst or code
            if page is None:
                continue
            with output.log.status(f"Reading {shown(page.name)}"):
                read = partial(_read, reader, page, file)
                found, code = attempt(output, {"page": page.name}, read)  # noqa: PLW2901
            worst = worst or code
            if found is not None:
                sheets_ += found[0]
                strays += found[1]
    return sheets_, strays, worst


def _read(reader: HeapReader, page: PagePicture, file: Path) -> tuple[list[Sheet], list[Stray]]:
    from firmware_host.tournament_desk import digest_of

    return reader.read(page, digest_of(file))


def _pages(file: Path, output: Output) -> Iterator[tuple[PagePicture | None, ExitCode]]:
    from firmware_host.pages import pages_in

    pages = pages_in(file)
    while True:
        page, code = attempt(output, {"page": str(file)}, lambda: next(pages, None))
        if page is None:
            if code:
                yield None, code
            return
        yield page, code


def _reviewed(found: list[Sheet], referee: str | None, output: Output) -> list[Sheet]:
    note = "Decisions are kept with the lists that are entered, and nowhere else."
    lists = [sheet.scanned for sheet in found]
    looked = reviewing.review(lists, None, referee, None, output, note=note).lists
    return [replace(s, scanned=scanned) for s, scanned in zip(found, looked, strict=True)]


@dataclass
class _Entering:
    """Enters tables, and keeps what has to wait.

    Attributes:
        event: the tournament.
        heap: what is there.
        blank: a sheet without a word is an empty list.
        why: reason of a correction.
    """

    event: OpenEvent
    heap: Heap
    blank: bool
    why: str | None

    def __post_init__(self) -> None:
        self.waiting: list[tuple[Seat, str]] = []

    def enter(self, number: int, place: tuple[int, int]) -> bool:
        """Enter a table where it is complete; True where something was entered."""
        from firmware_host.tournament_desk import play_scored, reason

        lists = self._of(number, place)
        twice = [
            (each.seat, str(each.why_not(blank=True))) for each in lists.values() if each.twice
        ]
        if twice:
            self.waiting += twice
            return False
        kept = self.event.log.state.rounds[number - 1].lists.get(place, {})
        if all(list(kept.get(name, ("",))) == each.lines for name, each in lists.items()):
            return False
        told = [(each.seat, why) for each in lists.values() if (why := self._why_not(each))]
        self.waiting += told
        if told or not self._is_whole(number, place, lists):
            return False
        event = {
            "type": "lists",
            "round": number,
            "board": place[0],
            "table": place[1],
            "lists": {name: each.lines for name, each in lists.items()},
            "photos": {name: each.sheets[0].photo for name, each in lists.items()},
            **reason(self.why),
        }
        play_scored(self.event, number, place[0], [event], self.why)
        return True

    def _of(self, number: int, place: tuple[int, int]) -> dict[str, PlayerSheets]:
        return {
            seat.player: each
            for seat, each in self.heap.players.items()
            if (seat.round, seat.place) == (number, place)
        }

    def _why_not(self, each: PlayerSheets) -> str | None:
        played = self.event.log.state.rounds[each.seat.round - 1]
        if played.shown(*each.seat.place) is None:
            return "the board has not been shown"
        kept = played.lists.get(each.seat.place, {}).get(each.seat.player)
        if kept is not None and list(kept) != each.lines and self.why is None:
            return "another list is in already: --why"
        return each.why_not(blank=self.blank)

    def _is_whole(self, number: int, place: tuple[int, int], lists: dict[str, Any]) -> bool:
        played = self.event.log.state.rounds[number - 1]
        there = {*lists, *played.lists.get(place, {})}
        return set(played.tables[place[1]]) <= there


@dataclass(frozen=True)
class _Told:
    """What a heap came to."""

    log: Log
    heap: Heap
    waiting: Sequence[tuple[Seat, str]]
    strays: Sequence[Stray]
    entered: Sequence[tuple[int, tuple[int, int]]]
    rate: float

    @property
    def missing(self) -> list[Seat]:
        """Players of whom there is no sheet."""
        return list(self.heap.missing(self.log.state))

    @property
    def is_open(self) -> bool:
        """Whether something is left to be done."""
        return bool(self.missing or self.waiting or self.strays)

    @property
    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "sheets": len(self.heap.sheets),
            "per_minute": round(self.rate, 1),
            "entered": [
                {"round": number, "board": board, "table": table}
                for number, (board, table) in self.entered
            ],
            "waiting": [{**_seat(seat), "why": why} for seat, why in self.waiting],
            "missing": [_seat(seat) for seat in self.missing],
            "strays": [{"page": each.page, "why": each.why} for each in self.strays],
            "head": self.log.last_hash,
        }

    def show(self, out: Console) -> None:
        """For people."""
        read, entered = counted(len(self.heap.sheets), "sheet"), counted(len(self.entered), "table")
        out.print(f"{read} sorted, {self.rate:.0f} a minute; {entered} entered.")
        for seat, why in self.waiting:
            out.print(f"[yellow]Waits:[/] {shown(_named(seat))}: {shown(why)}")
        for seat in self.missing:
            out.print(f"[yellow]Missing:[/] {shown(_named(seat))}")
        for stray in self.strays:
            out.print(f"[yellow]Stray:[/] {shown(stray.page)}: {shown(stray.why)}")


def _seat(seat: Seat) -> dict[str, Any]:
    return {"round": seat.round, "board": seat.board, "table": seat.table, "player": seat.player}


def _named(seat: Seat) -> str:
    return f"{seat.player}, table {seat.table}, board {seat.board} of round {seat.round}"
