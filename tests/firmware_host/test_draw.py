"""Boards as people read them."""

from __future__ import annotations

from rich.text import Text

from firmware_host.cli.draw import board_text
from scoring.board import Board


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
