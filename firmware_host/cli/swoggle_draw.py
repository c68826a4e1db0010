"""A match of Swoggle as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli.draw import points
from firmware_host.cli.output import shown
from firmware_host.swoggle import SwoggleMatch, rules_of
from scoring.board import Cell
from scoring.swoggle.board import Kind, Layout, Square
from scoring.swoggle.moves import Moves
from scoring.swoggle.plan import Variant
from scoring.swoggle.rules import Letters, ScoredSquare, ScoredWord
from scoring.swoggle.rules import shown as capitals
from scoring.swoggle.state import Ending, Entry, Outcome, State
from scoring.swoggle.turn import capital

_STYLES = {
    Kind.PLAIN: "dim",
    Kind.BLACK: "dim",
    Kind.ORANGE: "dark_orange",
    Kind.YELLOW: "yellow",
    Kind.RED: "red",
}
_LEGEND = (
    "A4 a letter and the value of its square · 4 a free square · [dark_orange]o[/] orange, "
    "[yellow]y[/] yellow, [red]r[/] red: one, two, three throws · + the cross"
)
_ENDINGS = {
    Ending.TARGET: "the target is reached",
    Ending.TIME: "the time is over",
    Ending.NO_WORD: "no further word was found",
}


def show_match(out: Console, match: SwoggleMatch) -> None:
    """The board, the players and whose turn it is."""
    layout = rules_of(match).layout
    fresh = fresh_cells(match.state)
    for line in board_lines(layout, match.state.letters, fresh):
        out.print(line)
    out.print(f"    {_LEGEND}")
    show_standing(out, match)


def show_standing(out: Console, match: SwoggleMatch) -> None:
    """The players with their points, and how it goes on."""
    state = match.state
    for seat in state.seats:
        out_of_it = "  (out)" if seat.out else ""
        waits = f"  (loses {seat.skips} turn{'s' * (seat.skips > 1)})" if seat.skips else ""
        out.print(f"[bold]{shown(seat.name)}[/]  {points(seat.points)}{out_of_it}{waits}")
    out.print(next_text(match))


def next_text(match: SwoggleMatch) -> str:
    """How it goes on: whose turn it is with what, or how it ended."""
    rules, state = rules_of(match), match.state
    if state.end:
        winners = " and ".join(map(shown, state.end.winners)) or "nobody"
        won = "" if rules.plan.variant is Variant.SOLO else f" Winner: [bold]{winners}[/]."
        return f"The match is over: {_ENDINGS[state.end.ending]}.{won}"
    letters = rules.letters_to_write(state)
    chance = "the last throw of the match: " if state.last_chance else ""
    what = f"writes {letters} letter{'s' * (letters > 1)}" if letters else "throws the die"
    return f"Next: {chance}[bold]{shown(state.mover.name)}[/] {what}."


def fresh_cells(state: State) -> frozenset[Cell]:
    """The squares of the words of the last turn."""
    words = state.last.entry.words if state.last else ()
    return frozenset(cell for scored in words for cell in scored.word.cells)


def sheet_lines(match: SwoggleMatch) -> Iterator[str]:
    """The score sheet, every word with the worth of each square."""
    totals = dict.fromkeys(match.state.points, 0)
    for number, entry in enumerate(match.state.sheet, 1):
        totals[entry.player] += entry.points
        yield f"{number:3}  {entry_text(entry)}  → {totals[entry.player]}"
        struck = "strike" if entry.outcome is Outcome.WIPED else ""
        yield from (f"       {word_text(word, struck)}" for word in entry.words)


def entry_text(entry: Entry) -> str:
    """A turn in a line."""
    name = f"[bold]{shown(entry.player)}[/]"
    die = f" with a {entry.die}" if entry.die else ""
    match entry.outcome:
        case Outcome.SCORED:
            return f"{name}{die}: {shown(entry.turn)}  {points(entry.points)}"
        case Outcome.WIPED:
            return f"{name}{die}: {shown(entry.turn)}  wiped off: {shown(entry.remark)}"
        case Outcome.PASSED:
            return f"{name}{die}: passes"
        case Outcome.SKIPPED:
            return f"{name}: turn {shown(entry.remark)}"


def word_text(scored: ScoredWord, style: str = "") -> str:
    """``PARADE  4+1+5+1+5+1 = 17``."""
    word = capitals(scored.word.text)
    sums = "+".join(map(_square_text, scored.squares))
    return f"[{style or 'bold'}]{shown(word)}[/]  {sums} = {scored.points}"


def moves_table(moves: Moves, top: int) -> Table:
    """The best moves."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("points", justify="right")
    table.add_column("throws", justify="right")
    table.add_column("turn", style="bold")
    for move in moves.best(top):
        slot = move.slot
        table.add_row(str(slot.points), f"+{slot.throws}" if slot.throws else "", str(move.turn))
    return table


def _square_text(square: ScoredSquare) -> str:
    if not square.throws:
        return str(square.points)
    return f"({square.kind.name.lower()} {'+'.join(map(str, square.throws))})"


def board_lines(layout: Layout, letters: Letters, fresh: frozenset[Cell]) -> Iterator[str]:
    """The board with its letters, those on ``fresh`` squares in another colour."""
    yield "     " + " ".join(f"{col:^3}" for col in range(1, layout.cols + 1)).rstrip()
    yield _rule("┌", "┬", "┐", layout.cols)
    for row, squares in enumerate(layout.squares):
        cells = "│".join(
            _cell_text(square, letters.get((row, col)), fresh=(row, col) in fresh)
            for col, square in enumerate(squares)
        )
        yield f" {row + 1:2} │{cells}│"
    yield _rule("└", "┴", "┘", layout.cols)


def _rule(left: str, middle: str, right: str, cols: int) -> str:
    return f"    {left}{middle.join(['───'] * cols)}{right}"


def _cell_text(square: Square, letter: str | None, *, fresh: bool) -> str:
    if square.kind is Kind.BLACK:
        return "███"
    worth = str(square.value) if square.kind is Kind.PLAIN else square.kind.value
    if letter is None:
        cross = "+" if square.cross else ""
        return f"[{_STYLES[square.kind]}]{(cross + worth).rjust(2).ljust(3)}[/]"
    style = "bold cyan" if fresh else "bold"
    worth = worth.ljust(2 if len(worth) == 1 else 0)
    return f"[{style}]{shown(capital(letter))}[/][{_STYLES[square.kind]}]{worth}[/]"
