"""What ``BOARD|PHOTO`` arguments stand for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.cli import options
from firmware_host.cli.output import Output
from firmware_host.errors import ExitCode, wrong_use
from scoring.board import Board
from scoring.cubes import CubeSet, cube_set, usual_set
from scoring.notation import cell_name
from scoring.rules import Game, fitted, game_for

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
        edition: name of the cube set where a photo told it.
    """

    board: Board
    code: ExitCode = ExitCode.DONE
    edition: str | None = None


def given_board(text: str, size: str | None, output: Output, cubes: str | None = None) -> Given:
    """The board of an argument: notation, or the name of a photo to read.

    Args:
        text: the argument.
        size: the option of this name.
        output: is told of doubtful cells.
        cubes: the set in a photographed tray, or None to find it out.

    Raises:
        BoardError: it is neither a file nor a board.
        VisionError: the photo cannot be read.
    """
    if not _names_a_photo(text):
        return Given(Board.parse(text, options.parse_size(size)))
    from firmware_host.reading import PhotoReader

    timed = PhotoReader.standard(cubes).read_file(Path(text))
    reading = timed.reading
    if timed.others:
        number = 1 + len(timed.others)
        output.log.print(f"The photo shows {number} trays; the largest is taken: {reading.board}")
    if not reading.doubtful:
        return Given(reading.board, edition=reading.edition)
    cells = ", ".join(map(cell_name, reading.doubtful))
    output.log.print(f"[yellow]Doubtful cells of the photo: {cells}.[/] The rest is sure.")
    output.log.print(f"  → Look at them; then give the board itself instead: {reading.board}")
    return Given(reading.board, ExitCode.DOUBTFUL, reading.edition)


def _names_a_photo(text: str) -> bool:
    if Path(text).suffix.lower() in PICTURE_SUFFIXES:
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or not to be had in one: a board, then
        return False


def given_game(name: str | None, board: Board, house: Path | None = None) -> Game:
    """The game of an option, or that of the board's size, with house rules where there are any.

    Raises:
        UnknownGameError: no such game.
        CommandError, HouseRulesError: the house rules cannot be used.
    """
    from firmware_host.house_rules import agreed_game

    return fitted(agreed_game(house, name, game_for(board)), board)


def given_edition(name: str | None, given: Given) -> CubeSet | None:
    """The cube set of an option; else that of the photo, or the usual one of the board's size.

    Raises:
        UnknownCubeSetError: no such edition.
        CommandError: its tray is of another size.
    """
    size = given.board.rows, given.board.cols
    name = name or given.edition
    if name is None:
        return usual_set(*size)
    edition = cube_set(name)
    if (edition.rows, edition.cols) != size:
        raise wrong_use(
            "wrong_cubes",
            f"{name} fills a tray of {edition.rows}×{edition.cols}, not {size[0]}×{size[1]}",
            "Give --cubes the set that the board was rolled with.",
        )
    return edition


def given_lexicon(name: str) -> Lexicon:
    """The word list of an option."""
    from firmware_host import lexicons

    return lexicons.load(name)
