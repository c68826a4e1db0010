"""What ``BOARD|PHOTO`` arguments stand for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.cli import options
from firmware_host.cli.draw import cell_name
from firmware_host.cli.output import Output
from firmware_host.errors import ExitCode
from scoring.board import Board
from scoring.rules import Game, game, game_for

if TYPE_CHECKING:
    from scoring.lexicon import Lexicon

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".heif"}
)


@dataclass(frozen=True)
class Given:
    """A board as it was given.

    Attributes:
        board: the board.
        code: `ExitCode.DOUBTFUL` where it was read from a photo and some cell is doubtful.
    """

    board: Board
    code: ExitCode


def given_board(text: str, size: str | None, output: Output) -> Given:
    """The board of an argument: notation, or the name of a photo to read.

    Raises:
        BoardError: it is neither a file nor a board.
        VisionError: the photo cannot be read.
    """
    if not _names_a_photo(text):
        return Given(Board.parse(text, options.parse_size(size)), ExitCode.DONE)
    from firmware_host.reading import PhotoReader

    reading = PhotoReader.standard().read_file(Path(text)).reading
    if not reading.doubtful:
        return Given(reading.board, ExitCode.DONE)
    cells = ", ".join(map(cell_name, reading.doubtful))
    output.log.print(f"[yellow]Doubtful cells of the photo: {cells}.[/] The rest is sure.")
    output.log.print(f"  → Look at them; then give the board itself instead: {reading.board}")
    return Given(reading.board, ExitCode.DOUBTFUL)


def _names_a_photo(text: str) -> bool:
    if Path(text).suffix.lower() in PICTURE_SUFFIXES:
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or not to be had in one: a board, then
        return False


def given_game(name: str | None, board: Board) -> Game:
    """The game of an option, or that of the board's size."""
    return game(name) if name else game_for(board)


def given_lexicon(name: str) -> Lexicon:
    """The word list of an option."""
    from firmware_host import lexicons

    return lexicons.load(name)
