"""What the station hands to the reader of boards, and what it makes of a match's letters."""

from __future__ import annotations

from firmware_host.swoggle_camera import capitals_of, printed_board
from scoring.swoggle.board import Kind, Layout, builtin_layout
from vision.swoggle.printed import Ground, PrintedSquare


def test_a_layout_is_printed_square_by_square() -> None:
    layout = Layout.from_toml(
        b'name = "n"\ntitle = "t"\nsource = "s"\nsquares = """\n12+ o #\nr y 1\n"""\n'
    )
    board = printed_board(layout)
    assert board.squares == (
        (
            PrintedSquare(number="12", cross=True),
            PrintedSquare(Ground.ORANGE),
            PrintedSquare(Ground.BLACK),
        ),
        (PrintedSquare(Ground.RED), PrintedSquare(Ground.YELLOW), PrintedSquare(number="1")),
    )


def test_the_squares_that_can_be_written_on_are_those_of_the_layout() -> None:
    layout = builtin_layout()
    board = printed_board(layout)
    assert frozenset(board.open) == layout.open
    assert sum(board[cell].ground is Ground.RED for cell in board.cells) == sum(
        layout[cell].kind is Kind.RED for cell in layout.cells
    )


def test_letters_of_a_match_are_compared_without_their_accents() -> None:
    letters = {(0, 0): "a", (0, 1): "é", (0, 2): "ñ", (0, 3): "ø"}
    assert capitals_of(letters) == {(0, 0): "A", (0, 1): "E", (0, 2): "N", (0, 3): "Ø"}
