"""Boards as people read them."""

from __future__ import annotations

from rich.text import Text

from firmware_host.cli.draw import board_text, counted, points, quality_lines
from scoring.board import Board
from scoring.quality import quality
from scoring.solution import Solution


def test_one_is_one_and_thousands_are_parted() -> None:
    assert (points(1), points(0), counted(12_345, "word")) == (
        "1 point",
        "0 points",
        "12,345 words",
    )
    board = Board.parse("A/")
    assert quality_lines(quality(board, Solution(0, 0, tuple)), board)[1].endswith("on 1 cube")


def test_a_board_is_drawn_with_every_kind_of_face() -> None:
    board = Board.parse("AQu/#_")
    assert Text.from_markup(board_text(board, [(0, 1)])).plain.splitlines() == [
        "      A    B  ",
        "    ┌────┬────┐",
        "  1 │ A  │ Qu?│",
        "    ├────┼────┤",
        "  2 │ #  │ _  │",
        "    └────┴────┘",
    ]
