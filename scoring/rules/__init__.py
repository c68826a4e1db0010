"""The games of the rulebooks, one module a family."""

from __future__ import annotations

from dataclasses import replace

from scoring.board import Board
from scoring.rules.boggle import FAMILY as BOGGLE_FAMILY
from scoring.rules.boggle import VARIANTS as BOGGLE_VARIANTS
from scoring.rules.game import Game
from scoring.rules.worldwinner import GAME as WORLDWINNER

__all__ = ["Game", "UnknownGameError", "fitted", "game", "game_for", "game_for_cells", "games"]


class UnknownGameError(LookupError):
    """No game has this name."""


def games() -> tuple[Game, ...]:
    """All games that boards can be solved for."""
    return (*BOGGLE_FAMILY, *BOGGLE_VARIANTS, WORLDWINNER)


def game(name: str) -> Game:
    """The game of this name.

    Raises:
        UnknownGameError: no such game; the message names the known ones.
    """
    for found in games():
        if found.name == name:
            return found
    known = ", ".join(found.name for found in games())
    raise UnknownGameError(f"no game {name!r}; known are {known}")


def game_for(board: Board) -> Game:
    """The game of a board of this size where nobody names one: `game_for_cells`."""
    return game_for_cells(len(board))


def game_for_cells(cells: int) -> Game:
    """The game of a tray of so many cells.

    It is that of the smallest tray that holds as many cubes: up to 16 cells Boggle, up to 25 Big
    Boggle, beyond that Super Big Boggle.
    """
    for found in BOGGLE_FAMILY:
        if any(cells <= rows * cols for rows, cols in found.sizes):
            return found
    return BOGGLE_FAMILY[-1]


def fitted(rules: Game, board: Board) -> Game:
    """A game as it is played on this board: Boggle Ultimate counts as the tray does."""
    if not rules.as_tray:
        return rules
    tray = game_for(board)
    return replace(
        rules,
        sizes=tray.sizes,
        min_length=tray.min_length,
        table=tray.table,
        per_letter=tray.per_letter,
        timer_s=tray.timer_s,
        as_tray=False,
    )
