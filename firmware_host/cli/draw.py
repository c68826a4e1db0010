"""Boards, paths and results as a person reads them in a terminal.

Columns are called by letters and rows by numbers: B1 is the second cube of the first row. A path
is its first cell and then an arrow a step, so that its direction is clear: ``B1→↘↓``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from rich.box import SIMPLE_HEAD
from rich.table import Table

from firmware_host.cli.output import shown
from scoring.board import Board, Cell, Face, Path
from scoring.referee import PlayerResult, RoundResult, Verdict
from scoring.solution import FoundWord
from vision.reading import TrayReading

_ARROWS = {
    (-1, 0): "↑",
    (-1, 1): "↗",
    (0, 1): "→",
    (1, 1): "↘",
    (1, 0): "↓",
    (1, -1): "↙",
    (0, -1): "←",
    (-1, -1): "↖",
}


def cell_name(cell: Cell) -> str:
    """``"B1"`` for row 0, column 1."""
    row, col = cell
    return f"{chr(ord('A') + col)}{row + 1}"


def path_text(path: Path | None) -> str:
    """``"B1→↘↓"``; empty for no path."""
    if not path:
        return ""
    steps = (_ARROWS[r1 - r0, c1 - c0] for (r0, c0), (r1, c1) in pairwise(path))
    return cell_name(path[0]) + "".join(steps)


def board_text(board: Board, doubtful: Collection[Cell] = ()) -> str:
    """The board in a frame, with Rich markup; doubtful cells carry a question mark."""
    columns = "".join(f"  {chr(ord('A') + col)}  " for col in range(board.cols))
    lines = [f"    {columns}", _rule("┌", "┬", "┐", board.cols)]
    for number, row in enumerate(board.faces):
        faces = "│".join(
            _cell_text(face, doubtful=(number, col) in doubtful) for col, face in enumerate(row)
        )
        lines += [f" {number + 1:2} │{faces}│", _rule("├", "┼", "┤", board.cols)]
    lines[-1] = _rule("└", "┴", "┘", board.cols)
    return "\n".join(lines)


def _rule(left: str, middle: str, right: str, cols: int) -> str:
    return f"    {left}{middle.join(['────'] * cols)}{right}"


def _cell_text(face: Face, *, doubtful: bool) -> str:
    style = "bold yellow" if doubtful else "bold"
    text = f"{face}{'?' if doubtful else ''}"
    return f"[{style}]{text.center(4) if len(text) == 1 else text.ljust(3).rjust(4)}[/]"


def edition_text(reading: TrayReading) -> str:
    """Name of the cube set, or that it is not known."""
    return reading.edition or "not told apart by these faces"


def words_table(words: Iterable[FoundWord], title: str | None = None) -> Table:
    """Words with their points and paths."""
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", show_edge=False)
    table.add_column("points", justify="right")
    table.add_column("word", style="bold")
    table.add_column("path", style="dim")
    for word in words:
        table.add_row(str(word.points), word.word, path_text(word.path))
    return table


def player_table(player: PlayerResult) -> Table:
    """A player's list with a verdict for each word."""
    title = f"[bold]{shown(player.name)}[/]  {points(player.points)}"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", show_edge=False)
    table.add_column("points", justify="right")
    table.add_column("word")
    table.add_column("path", style="dim")
    table.add_column("")
    for judged in player.words:
        style = "bold" if judged.verdict is Verdict.SCORED else "strike dim"
        if judged.verdict is Verdict.DOUBTFUL:
            style = "bold yellow"
        word = f"[{style}]{shown(judged.word)}[/]"
        reason = "" if judged.verdict is Verdict.SCORED else shown(judged.reason)
        table.add_row(str(judged.points or "–"), word, path_text(judged.path), reason)
    if not player.words:
        table.add_row("–", "[dim]no words[/]", "", "")
    return table


def summary_lines(result: RoundResult) -> list[str]:
    """Winner and what was possible, with Rich markup."""
    scored = {
        judged.word
        for player in result.players
        for judged in player.words
        if judged.verdict in (Verdict.SCORED, Verdict.SHARED)
    }
    found = f"Found {len(scored)} of {result.possible.count} possible words"
    return [
        f"Winner: [bold green]{shown(_names(result.winners))}[/]",
        f"{found}; the board holds {points(result.possible.points)}.",
    ]


def points(count: int) -> str:
    """``"1 point"``, ``"2 points"``."""
    return f"{count} point{'' if count == 1 else 's'}"


def _names(names: Sequence[str]) -> str:
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} (tied)"
    return names[0] if names else "nobody"
