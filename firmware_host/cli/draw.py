"""Boards and results as a person reads them in a terminal; paths as in `scoring.notation`."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli.output import shown
from scoring.board import MISSING, Board, Cell, Face
from scoring.notation import cell_name, path_text
from scoring.referee import PlayerResult, RoundResult, Verdict
from scoring.solution import FoundWord
from vision.reading import TrayReading

if TYPE_CHECKING:
    from firmware_host.rounds import Question
    from scoring.distributions import Comparison, Histogram
    from scoring.quality import Quality

_FEW_WORDS = 3
_MOST_EDITIONS = 3
_BAR = 40
"""Signs of the longest bar."""


def board_text(board: Board, doubtful: Collection[Cell] = ()) -> str:
    """The board in a frame, with Rich markup; doubtful cells carry a question mark."""
    return grid_text(board.faces, doubtful)


def doubt_text(question: Question) -> str:
    """Which cube is doubtful, as it is found in the tray."""
    row, col = question.cell
    which = f" ({question.number} of {question.count})" if question.count > 1 else ""
    return f"Doubtful{which}: {cell_name(question.cell)}, row {row + 1}, column {col + 1}"


def grid_text(rows: Sequence[Sequence[str]], doubtful: Collection[Cell] = ()) -> str:
    """As `board_text`, of rows of short texts that need not be faces."""
    cols = len(rows[0])
    columns = "".join(f"  {chr(ord('A') + col)}  " for col in range(cols))
    lines = [f"    {columns}", _rule("┌", "┬", "┐", cols)]
    for number, row in enumerate(rows):
        faces = "│".join(
            _cell_text(face, doubtful=(number, col) in doubtful) for col, face in enumerate(row)
        )
        lines += [f" {number + 1:2} │{faces}│", _rule("├", "┼", "┤", cols)]
    lines[-1] = _rule("└", "┴", "┘", cols)
    return "\n".join(lines)


def _rule(left: str, middle: str, right: str, cols: int) -> str:
    return f"    {left}{middle.join(['────'] * cols)}{right}"


def _cell_text(face: Face, *, doubtful: bool) -> str:
    style = "bold yellow" if doubtful else "bold"
    text = f"{face}{'?' if doubtful else ''}"
    return f"[{style}]{text.center(4) if len(text) == 1 else text.ljust(3).rjust(4)}[/]"


def edition_text(reading: TrayReading) -> str:
    """Name of the cube set, or that it is not known, with probabilities."""
    named = ", ".join(f"{name} {share:.0%}" for name, share in reading.editions[:_MOST_EDITIONS])
    if reading.edition:
        return named or reading.edition
    return f"not told apart by these faces{f' ({named})' if named else ''}"


def shortage_text(reading: TrayReading) -> str:
    """Why the cubes cannot be those of a set; empty where nothing speaks against it."""
    shortage = reading.shortage
    if shortage is None:
        return ""
    names = [cell_name(reading.board.cells[place]) for place in shortage.places]
    seen = zip(names, shortage.faces, strict=True)
    faces = ", ".join(f"{name} ({face})" for name, face in seen)
    if not shortage.cubes:
        return f"{faces}: no cube of {shortage.edition} shows this; the set is not complete"
    cubes = " and ".join("".join(cube) for cube in shortage.cubes)
    count = len(shortage.cubes)
    only = "is the only cube" if count == 1 else f"are the only {count} cubes"
    return (
        f"{faces}: {cubes} {only} of {shortage.edition} that show{'s' * (count == 1)} these: "
        "the set is not complete"
    )


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
    teams = [
        f"{shown(side.name)} ({', '.join(map(shown, side.members))}): {points(side.points)}"
        for side in result.sides
        if side.members != (side.name,)
    ]
    found = f"Found {len(scored):,} of {counted(result.possible.count, 'possible word')}"
    return [
        *teams,
        f"Winner: [bold green]{shown(names_text(result.winners))}[/]",
        f"{found}; the board holds {points(result.possible.points)}.",
    ]


def lengths_table(by_length: Mapping[int, int]) -> Table:
    """Number of words of each length, as bars too."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("letters", justify="right")
    table.add_column("words", justify="right")
    table.add_column("")
    most = max(by_length.values(), default=0)
    for length, count in by_length.items():
        table.add_row(str(length), f"{count:,}", "█" * math.ceil(_BAR * count / most))
    return table


def quality_lines(offered: Quality, board: Board) -> list[str]:
    """Longest words and vowels of a board."""
    ys = f" and {offered.ys} Y" if offered.ys else ""
    cubes = sum(face != MISSING for face in board)
    return [
        f"Longest: {some_words(offered.longest)}",
        f"Vowels: {offered.vowels} (A, E, I, O, U){ys}, on {counted(cubes, 'cube')}",
    ]


def standing_table(offered: Quality, compared: Comparison) -> Table:
    """How rare a board is among rolls."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    heads = ("", "here", "mean", "poorer rolls", "as rich or richer", "as poor or poorer")
    for head in heads:
        table.add_column(head, justify="right")
    found = compared.distribution
    table.add_row("points", *_standing_row(found.points, offered.points))
    table.add_row("words", *_standing_row(found.words, offered.count))
    return table


def _standing_row(histogram: Histogram, value: int) -> tuple[str, ...]:
    standing = histogram.standing(value)
    odds = (_odds(tail) for tail in (standing.rich_in, standing.poor_in))
    return f"{value:,}", f"{histogram.mean:,.1f}", f"{standing.poorer:.1%}", *odds


def _odds(one_in: float | None) -> str:
    if one_in is None:
        return "no roll"
    if one_in < 10:
        return "all rolls" if one_in == 1 else f"1 in {one_in:.1f}"
    return f"1 in {float(f'{one_in:.2g}'):,.0f}"  # the tails of a sample bear no more figures


def some_words(words: Sequence[str]) -> str:
    """The first few of the longest words of a board, with their length; none is a dash."""
    if not words:
        return "–"
    more = ", …" if len(words) > _FEW_WORDS else ""
    return f"{', '.join(words[:_FEW_WORDS])}{more} ({counted(len(words[0]), 'letter')})"


def points(count: int) -> str:
    """``"1 point"``, ``"2,000 points"``."""
    return counted(count, "point")


def counted(count: int, thing: str) -> str:
    """``"1 word"``, ``"2,000 words"``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def displaced_text(cells: float) -> str:
    """That the tray does not lie where it was calibrated."""
    return (
        f"[yellow]The camera or the tray has moved:[/] the tray lies {cells:.1f} cells from where "
        "it was calibrated. If that is to stay: wordtray calibrate --only corners"
    )


def names_text(names: Sequence[str]) -> str:
    """The winners: ``"ada"``, ``"ada and ben (tied)"``, ``"nobody"``."""
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} (tied)"
    return names[0] if names else "nobody"


def show_result(out: Console, result: RoundResult) -> None:
    """The board, each player's words, the winner and what was missed."""
    out.print(board_text(result.board))
    for player in result.players:
        out.print()
        out.print(player_table(player))
    out.print()
    for line in summary_lines(result):
        out.print(line)
    if result.best_missed:
        out.print(words_table(result.best_missed, "Best words missed"))
