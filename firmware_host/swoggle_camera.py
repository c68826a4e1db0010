"""The die of a turn of Swoggle, and the letters of a written board, read from photos."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.reading import DiceReader, write_drawn
from firmware_host.swoggle import GivenDice
from scoring.board import Cell
from scoring.swoggle.board import Kind, Layout, Square
from scoring.swoggle.rules import Letters
from vision.dice.reading import DiceReading
from vision.photo import load_reduced
from vision.swoggle.annotate import annotate_board
from vision.swoggle.capitals import CapitalClassifier
from vision.swoggle.printed import Ground, PrintedBoard, PrintedSquare
from vision.swoggle.read import read_board
from vision.swoggle.reading import BoardReading

_GROUNDS = {
    Kind.PLAIN: Ground.PLAIN,
    Kind.BLACK: Ground.BLACK,
    Kind.ORANGE: Ground.ORANGE,
    Kind.YELLOW: Ground.YELLOW,
    Kind.RED: Ground.RED,
}

_ADVICE = "Say what it shows with --die N, or take another photo of the die alone from above."


def photographed_die(photo: Path) -> GivenDice:
    """The throw that a photo of one die shows.

    Raises:
        CommandError: it shows more than one die, or one that a person must confirm.
        VisionError: the file is no usable photo, or shows no die.
    """
    reading = DiceReader().read_file(photo).reading
    odd = _oddity(reading)
    if odd:
        message = f"{photo}: {odd}"
        raise CommandError(Complaint("doubtful", message, _ADVICE, ExitCode.DOUBTFUL))
    return GivenDice(reading.pips, thrown_by="camera")


def _oddity(reading: DiceReading) -> str | None:
    """Why the photo does not say for sure what the die shows."""
    count = len(reading.dice) + len(reading.unread_px)
    if count > 1:
        return f"it shows {count} dice, where a turn has one"
    if reading.doubtful:
        die = reading.dice[0]
        return f"the die seems to show {die.pips}, but {' and '.join(die.doubts)}"
    return None


@dataclass(frozen=True)
class TimedBoard:
    """A reading of a written board and the seconds that it took."""

    reading: BoardReading
    seconds: float


@dataclass(frozen=True)
class SwoggleReader:
    """Reads photo files of written boards.

    Args:
        layout: of the board.
        classifier: tells the capitals.
    """

    layout: Layout
    classifier: CapitalClassifier

    @classmethod
    def standard(cls, layout: Layout) -> SwoggleReader:
        """With the shipped weights."""
        return cls(layout, CapitalClassifier())

    def read_file(self, file: Path) -> TimedBoard:
        """Read one photo.

        Raises:
            VisionError: the file is no usable photo, or shows no such board.
        """
        start = time.perf_counter()
        photo = load_reduced(file)
        reading = read_board(photo.pixels, printed_board(self.layout), self.classifier)
        return TimedBoard(reading.scaled(photo.scale), time.perf_counter() - start)

    def annotate(self, file: Path, reading: BoardReading, picture: Path) -> Path:
        """Write the photo, no larger than it was read, with its letters; gives ``picture``.

        Raises:
            OSError: the picture cannot be written.
        """
        return write_drawn(
            file,
            picture,
            lambda photo: annotate_board(photo.pixels, reading.scaled(1 / photo.scale)),
        )


def printed_board(layout: Layout) -> PrintedBoard:
    """What is printed on a board, as the reader takes it."""
    return PrintedBoard(tuple(tuple(map(_printed, row)) for row in layout.squares))


def capitals_of(letters: Letters) -> Mapping[Cell, str]:
    """The letters of a match as they are read on paper: capitals without accents."""
    return {cell: _without_accents(letter).upper() for cell, letter in letters.items()}


def _printed(square: Square) -> PrintedSquare:
    number = str(square.value) if square.kind is Kind.PLAIN else ""
    return PrintedSquare(_GROUNDS[square.kind], number, square.cross)


def _without_accents(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))
