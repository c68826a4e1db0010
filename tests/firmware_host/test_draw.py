"""Boards and paths as people read them."""

from __future__ import annotations

from rich.text import Text

from firmware_host.cli.draw import board_text, cell_name, counted, path_text, points, quality_lines
from scoring.board import Board
from scoring.quality import quality
from scoring.solution import Solution


def test_cells_are_named_by_column_letter_and_row_number() -> None:
    assert [cell_name((0, 0)), cell_name((0, 1)), cell_name((5, 2))] == ["A1", "B1", "C6"]


def test_a_path_shows_its_direction() -> None:
    around = ((1, 1), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0))
    assert path_text(around) == "B2↑→↓↓←←↑↑"
    assert path_text(((0, 0), (1, 1), (0, 2), (1, 1))) == "A1↘↗↙"
    assert path_text(((2, 2), (1, 1))) == "C3↖"
    assert path_text(None) == ""


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
