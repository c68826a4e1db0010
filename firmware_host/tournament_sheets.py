"""Word sheets of a tournament: printed for every seat, photographed in any order, sorted by code.

What a sheet's code tells as its round is the round and the board, as ``2.1``: in a heap of many
rounds each sheet finds its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from firmware_host.paper import ScannedList
from scoring.encoding import decode_number
from scoring.players import alike
from scoring.tournament.state import Place, Round, State
from vision.paper.reading import WordReading
from vision.paper.sheet import Label


def round_name(number: int, board: int) -> str:
    """What sheets of a board have in their code: ``"2.1"`` is board 1 of round 2."""
    return f"{number}.{board}"


def labels(played: Round, boards: Iterable[int], sheets: int) -> list[Label]:
    """A label for every sheet of a round, table by table, as they are laid out.

    Args:
        played: the round, drawn.
        boards: numbers of its boards.
        sheets: for each player and board.
    """
    return [
        Label(name, round_name(played.number, board), number, sheets, str(table))
        for board in boards
        for table, players in played.tables.items()
        for name in players
        for number in range(1, sheets + 1)
    ]


@dataclass(frozen=True)
class Seat:
    """Whose list a sheet is, and of which board.

    Attributes:
        round: its number.
        board: its number.
        table: its number.
        player: the name, as enrolled.
    """

    round: int
    board: int
    table: int
    player: str

    @property
    def place(self) -> Place:
        """Board and table."""
        return self.board, self.table


def seat_of(label: Label | None, state: State, boards: int) -> Seat | str:
    """Where a sheet belongs, or in words why that is nowhere.

    Args:
        label: what its code tells; None where it could not be read.
        state: of the event.
        boards: of a round.
    """
    if label is None:
        return "its code cannot be read"
    number, board = map(decode_number, label.round.partition(".")[::2])
    if not number or not board or number > len(state.rounds) or board > boards:
        return f"it is of {label.round or 'no round'}, which is none of this event"
    if not label.player:
        return "it names no player"
    played = state.rounds[number - 1]
    seated = {alike(name): (name, table) for name, table in played.table_of.items()}
    found = seated.get(alike(label.player))
    if found is None:
        return f"{label.player} sits at no table in round {number}"
    return Seat(number, board, found[1], found[0])


@dataclass(frozen=True, eq=False)
class Sheet:
    """A sheet of a heap.

    Attributes:
        seat: where it belongs.
        scanned: what was read.
        photo: SHA-256 of the file that shows it.
    """

    seat: Seat
    scanned: ScannedList
    photo: str

    @property
    def label(self) -> Label:
        """What its code tells."""
        return self.scanned.sheet or Label()


@dataclass(frozen=True, eq=False)
class PlayerSheets:
    """All sheets of a player and board that are in the heap.

    Attributes:
        seat: whose.
        sheets: in the order of their numbers; one that was photographed twice alike is there once.
        twice: numbers of sheets that are there twice and read differently.
    """

    seat: Seat
    sheets: tuple[Sheet, ...]
    twice: tuple[int, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The words that count, as they were written."""
        words = (word for sheet in self.sheets for word in sheet.scanned.reading.words)
        return [word.text.lower() for word in words if not word.struck]

    def why_not(self, *, blank: bool) -> str | None:
        """Why the list cannot be entered yet, in words; None where it can.

        Args:
            blank: a sheet without a word is an empty list; else a person must look at it.
        """
        if self.twice:
            return f"sheet {self.twice[0]} is there twice, and the two read differently"
        if absent := self.absent:
            return f"sheet {absent[0]} of {self.sheets[0].label.of} is missing"
        if lost := [row for sheet in self.sheets for row in sheet.scanned.reading.lost]:
            return f"row {lost[0]} cannot be seen: photograph it again"
        doubtful = sum(word.doubtful for word in self._words)
        if doubtful:
            return f"{doubtful} doubtful word{'' if doubtful == 1 else 's'}: --review"
        return None if self._words or blank else "nothing is written on it: --blank"

    @property
    def absent(self) -> tuple[int, ...]:
        """Numbers of the player's sheets that are not in the heap."""
        there = {sheet.label.number for sheet in self.sheets}
        return tuple(n for n in range(1, self.sheets[0].label.of + 1) if n not in there)

    @property
    def _words(self) -> tuple[WordReading, ...]:
        return tuple(word for sheet in self.sheets for word in sheet.scanned.reading.words)


@dataclass(frozen=True, eq=False)
class Heap:
    """Sheets in any order, sorted.

    Attributes:
        sheets: all that belong somewhere.
    """

    sheets: tuple[Sheet, ...]

    @cached_property
    def players(self) -> Mapping[Seat, PlayerSheets]:
        """What is there of each player, by round, board and table."""
        by_seat: dict[Seat, list[Sheet]] = {}
        for sheet in self.sheets:
            by_seat.setdefault(sheet.seat, []).append(sheet)
        return {seat: _joined(seat, by_seat[seat]) for seat in sorted(by_seat, key=_order)}

    @cached_property
    def tables(self) -> Sequence[tuple[int, Place]]:
        """Round and place of every table of which something is there."""
        return sorted({(seat.round, seat.place) for seat in self.players})

    def missing(self, state: State) -> Iterator[Seat]:
        """Players of whom there is no sheet, though somebody's of that board is there."""
        for number, board in sorted({(seat.round, seat.board) for seat in self.players}):
            played = state.rounds[number - 1]
            for name, table in sorted(played.table_of.items(), key=lambda item: item[::-1]):
                seat = Seat(number, board, table, name)
                if seat not in self.players and name not in played.lists.get(seat.place, {}):
                    yield seat


def _order(seat: Seat) -> tuple[int, int, int, str]:
    return seat.round, seat.board, seat.table, seat.player


def _joined(seat: Seat, sheets: Sequence[Sheet]) -> PlayerSheets:
    """The sheets of a player; of two photos of one sheet that read alike the first."""
    by_number: dict[int, list[Sheet]] = {}
    for sheet in sheets:
        by_number.setdefault(sheet.label.number, []).append(sheet)
    twice = [n for n, same in by_number.items() if len({_read(sheet) for sheet in same}) > 1]
    kept = tuple(by_number[number][0] for number in sorted(by_number))
    return PlayerSheets(seat, kept, tuple(sorted(twice)))


def _read(sheet: Sheet) -> tuple[object, ...]:
    words = sheet.scanned.reading.words
    return tuple((word.text, word.struck, word.doubtful) for word in words)
