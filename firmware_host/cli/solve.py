"""``wordtray solve``: every word of a board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer
from rich.console import Console

from firmware_host.cli import options, seating
from firmware_host.cli.boards import given_board, given_edition, given_game, given_lexicon
from firmware_host.cli.draw import board_text, counted, points, words_table
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.documents import solution_document
from firmware_host.errors import wrong_use
from scoring.board import Board
from scoring.notation import path_text
from scoring.solution import FoundWord

EPILOG = (
    "Examples: wordtray solve perslatgsineters · wordtray solve IETC/HQuPE/SEYH/TOER --top 10 · "
    "wordtray solve tray.jpg --game big --json · "
    "wordtray solve IETC/HQuPE/SEYH/TOER --top 5 --stats --cubes classic_4x4 · "
    "wordtray solve IETC/HQuPE/SEYH/TOER --game worldwinner --explain --top 3"
)


def solve(
    board: options.BoardOrPhoto,
    game: options.Game = None,
    lexicon: options.Lexicon = "enable",
    size: options.Size = None,
    top: Annotated[
        int | None, typer.Option("--top", metavar="N", min=1, help="Show only the best N words.")
    ] = None,
    *,
    rules: seating.Rules = None,
    stats: Annotated[
        bool,
        typer.Option(
            "--stats", help="Also say what the board offers, and how rare that is among rolls."
        ),
    ] = False,
    cubes: Annotated[
        str | None,
        typer.Option(
            "--cubes",
            metavar="EDITION",
            help=f"The cube set in the tray: {options.EDITIONS} (else found out from a photo, or "
            "the usual one of the board's size).",
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="worldwinner: show how each word's points come about."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Find every word of a board, with its points and a path.

    Columns are A, B, C …, rows 1, 2, 3 …; a path is its first cell and then an arrow a step.
    """
    from firmware_host.cli.stats import Stats, compare
    from scoring.solver import solve as solve_board

    with reporting(json=json) as output:
        given = given_board(board, size, output, cubes)
        edition = given_edition(cubes, given)
        played = given_game(game, given.board, rules)
        if explain and not played.letter_values:
            message = "--explain is for words whose letters have values"
            raise wrong_use("game", message, "Add --game worldwinner, or leave it out.")
        words = given_lexicon(lexicon)
        solution = solve_board(given.board, words, played)
        document = solution_document(given.board, played, words, solution, top)
        explained = _explained(given.board, solution.words[:top]) if explain else ()
        for entry, lines in zip(document["words"], explained, strict=False):
            entry["explanation"] = list(lines)
        measured = None
        if stats:
            compared = compare(edition, words, played, output) if edition else None
            measured = Stats.of(given.board, solution, compared)
            document["stats"] = measured.document()

        def show(out: Console) -> None:
            out.print(board_text(given.board))
            out.print(words_table(solution.words[:top]))
            for found, lines in zip(solution.words, explained, strict=False):
                out.print(f"[bold]{found.word}[/] {path_text(found.path)}")
                for line in lines:
                    out.print(f"  {line}", markup=False)
            hidden = solution.count - len(solution.words[:top])
            more = f" ({hidden:,} more not shown)" if hidden else ""
            summary = f"{counted(solution.count, 'word')}, {points(solution.points)}{more}"
            out.print(f"{summary}; {shown(played.title)}, word list {shown(words.name)}")
            if measured:
                measured.show(out)

        output.document(document, show)
        raise typer.Exit(given.code)


def _explained(board: Board, words: Iterable[FoundWord]) -> Sequence[tuple[str, ...]]:
    from scoring.worldwinner.tiles import Tiles
    from scoring.worldwinner.words import score_path

    tiles = Tiles(board)
    return [score_path(tiles, found.path).explain() for found in words]


command = solve
