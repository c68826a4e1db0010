"""A heap of photographed sheets: read one by one, each with the words of its own table's board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from firmware_host.pages import PagePicture
from firmware_host.paper import PaperReader
from firmware_host.tournament_sheets import Seat, Sheet, seat_of
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.rules import fitted
from scoring.tournament.log import Log
from vision.paper.letters import BoxLetters
from vision.paper.ppocr import PpOcr
from vision.paper.recogniser import Recogniser
from vision.paper.sheet_reader import SheetReading, read_sheets


@dataclass(frozen=True)
class Stray:
    """A sheet that belongs nowhere.

    Attributes:
        page: the photo.
        why: in words.
    """

    page: str
    why: str


class HeapReader:
    """Reads the sheets of an event.

    Args:
        log: the event.
        lexicon: its word list.
        make_recogniser: loads what reads ruled rows, given the letters to tell apart.
    """

    def __init__(
        self, log: Log, lexicon: Lexicon, make_recogniser: Callable[[str], Recogniser] = PpOcr
    ) -> None:
        self._log = log
        self._lexicon = lexicon
        self._make_recogniser = make_recogniser
        self._readers: dict[Board | None, PaperReader] = {}
        self._recognisers: dict[str, Recogniser] = {}

    @cached_property
    def _letters(self) -> BoxLetters:
        return BoxLetters()

    def read(self, page: PagePicture, photo: str) -> tuple[list[Sheet], list[Stray]]:
        """The sheets of a page.

        Args:
            page: what was photographed.
            photo: SHA-256 of its file.

        Raises:
            VisionError: there is no sheet on it.
        """
        sheets: list[Sheet] = []
        strays: list[Stray] = []
        for found in read_sheets(page.photo.pixels, self._letters):
            seat = seat_of(found.label, self._log.state, self._log.plan.boards)
            if isinstance(seat, str):
                strays.append(Stray(page.name, seat))
            else:
                sheets.append(self._sheet(seat, page.name, found, photo))
        return sheets, strays

    def _sheet(self, seat: Seat, name: str, found: SheetReading, photo: str) -> Sheet:
        scanned = self._reader(seat).of_sheet(name, found)
        return Sheet(seat, scanned.as_of(seat.player), photo)

    def _reader(self, seat: Seat) -> PaperReader:
        """The reader of a table's board; those who play one board share it."""
        shown = self._log.state.rounds[seat.round - 1].shown(*seat.place)
        board = None if shown is None else Board.parse(shown.board)
        if board not in self._readers:
            rules = None if board is None else fitted(self._log.plan.game, board)
            self._readers[board] = PaperReader(self._lexicon, board, rules, self._recogniser)
        return self._readers[board]

    def _recogniser(self, letters: str) -> Recogniser:
        """One for all boards: it takes a second and a hundred megabytes to load."""
        if letters not in self._recognisers:
            self._recognisers[letters] = self._make_recogniser(letters)
        return self._recognisers[letters]
