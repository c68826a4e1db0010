"""What a solved board offers and how rare that is, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console

from firmware_host.cli.draw import lengths_table, quality_lines, standing_table
from firmware_host.cli.output import Output
from firmware_host.cli.rolling import RollingBar, pace
from firmware_host.documents import Document, stats_document
from scoring.board import Board
from scoring.cubes import CubeSet
from scoring.distributions import Comparison, Distribution, measure, stored
from scoring.lexicon import Lexicon
from scoring.quality import Quality, quality
from scoring.rolls import roll_batches
from scoring.rules import Game
from scoring.solution import Solution

SEED = 1
"""Of the fresh rolls: the same board gets the same figures again."""


@dataclass(frozen=True)
class Stats:
    """The statistics of a board.

    Attributes:
        board: the board.
        offered: what it offers.
        compared: the rolls that it is compared with, or None where no cube set has its size.
    """

    board: Board
    offered: Quality
    compared: Comparison | None

    @classmethod
    def of(cls, board: Board, solution: Solution, compared: Comparison | None) -> Stats:
        """Of a solved board."""
        return cls(board, quality(board, solution), compared)

    def document(self) -> Document:
        """For programs."""
        return stats_document(self.offered, self.compared)

    def show(self, out: Console) -> None:
        """For people."""
        out.print(lengths_table(self.offered.by_length))
        for line in quality_lines(self.offered, self.board):
            out.print(line)
        if self.compared is None:
            size = f"{self.board.rows}×{self.board.cols}"
            out.print(f"How rare it is cannot be said: no cube set of {size} is known.")
        else:
            out.print(_source(self.compared))
            out.print(standing_table(self.offered, self.compared))


def compare(edition: CubeSet, lexicon: Lexicon, game: Game, output: Output) -> Comparison:
    """Rolls of a cube set: the stored ones, or new ones where none are stored."""
    known = stored(edition, game, lexicon)
    if known:
        return Comparison(edition, known, stored=True)
    return Comparison(edition, _rolled_now(edition, lexicon, game, output), stored=False)


def _rolled_now(edition: CubeSet, lexicon: Lexicon, game: Game, output: Output) -> Distribution:
    import numpy as np

    ways = pace(lexicon.engine, game)
    batches = roll_batches(edition, ways.sample, np.random.default_rng(SEED), ways.batch)
    with RollingBar(output.log, "Comparing", ways.sample) as bar:
        return measure(bar.over(batches), lexicon, game)


def _source(compared: Comparison) -> str:
    edition = compared.edition
    rolls = f"{compared.distribution.rolls:,} rolls of {edition.name} ({edition.title})"
    if compared.stored:
        return f"Among {rolls}:"
    return f"Among {rolls}, rolled just now, as none are stored for these cubes, rules and words:"
