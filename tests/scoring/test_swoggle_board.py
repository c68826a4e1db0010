"""The board of Swoggle: read from its file, true to the rulebook, with clear errors."""

from __future__ import annotations

import json

import pytest

from scoring.board import Cell
from scoring.swoggle.board import Kind, Layout, LayoutError, Square, builtin_layout

P = (7, 4)
"""Where the P of PARADE stands on our board."""

FIXED = {
    (0, 0): 4,
    (0, 1): 1,
    (0, 2): 5,
    (0, 3): 1,
    (0, 4): 5,
    (0, 5): 1,
    (0, 6): 4,
    (-1, 5): 4,
    (1, 5): 5,
    (1, 6): 1,
    (1, 7): 4,
    (1, 8): 1,
    (1, 9): 3,
    (2, 6): 5,
    (3, 6): 1,
}
"""What the examples of the rulebook fix, counted from the P."""


@pytest.fixture(scope="module")
def layout() -> Layout:
    return builtin_layout()


def board(squares: str) -> bytes:
    return f'name="a"\ntitle="b"\nsource="c"\nsquares="""\n{squares}"""\n'.encode()


def turned(cell: Cell) -> Cell:
    """A quarter turn about the middle of our board."""
    row, col = cell[0] - 7, cell[1] - 7
    return col + 7, 7 - row


@pytest.mark.parametrize(("place", "value"), FIXED.items())
def test_ours_has_the_squares_of_the_examples(
    layout: Layout, place: tuple[int, int], value: int
) -> None:
    assert layout[P[0] + place[0], P[1] + place[1]] == Square(
        Kind.PLAIN, value, cross=place == (0, 3)
    )


def test_ours_has_its_cross_in_the_middle(layout: Layout) -> None:
    assert (layout.rows, layout.cols, layout.cross) == (15, 15, ((7, 7),))


def test_ours_looks_the_same_after_a_quarter_turn(layout: Layout) -> None:
    assert all(layout[cell] == layout[turned(cell)] for cell in layout.cells)


def test_mirrored_it_differs_only_where_the_examples_ask_for_it(layout: Layout) -> None:
    differing = {
        (row - 7, col - 7)
        for row, col in layout.cells
        if layout[row, col] != layout[row, layout.cols - 1 - col]
    }
    assert differing == {
        (a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1)
    }


def test_ours_has_every_kind_of_square_and_no_corner_cut_off(layout: Layout) -> None:
    assert {layout[cell].kind for cell in layout.cells} == set(Kind)
    reached, todo = set(layout.cross), list(layout.cross)
    while todo:
        row, col = todo.pop()
        near = {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)} & layout.open
        todo += near - reached
        reached |= near
    assert reached == layout.open


def test_throws_by_colour() -> None:
    assert {kind.name: kind.dice for kind in Kind} == {
        "PLAIN": 0,
        "BLACK": 0,
        "ORANGE": 1,
        "YELLOW": 2,
        "RED": 3,
    }


def test_facts_read_back(layout: Layout) -> None:
    assert Layout.from_facts(json.loads(json.dumps(layout.facts))) == layout


def test_a_board_of_ones_own() -> None:
    small = Layout.from_toml(board("1 o # y+\n 12 r  0 3\n"))
    assert (small.rows, small.cols, small.cross) == (2, 4, ((0, 3),))
    assert small[1, 0].value == 12
    assert (0, 2) not in small.open
    assert ((1, 3) in small, (2, 0) in small, (-1, 0) in small) == (True, False, False)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "name, title, source, squares"),
        (b"\xff\xfe", "UTF-16"),
        (b"\x01\x02", "no text"),
        (b"name = ", "no TOML"),
        (b"name = " + b"9" * 5000, "too many digits"),
        (b"name = " + b"[" * 20_000, "nested too deeply"),
        (b"name = 0x" + b"f" * 5000, "nothing else"),
        (board("1+") + b"colour = 3\n", "nothing else"),
        (board("1+").replace(b'"a"', b"3"), "no text"),
        (board(""), "no squares"),
        (board("1+ 2\n3\n"), "equally long"),
        (board("1+ 2\n3 x\n"), "'x' is no square (row 2)"),
        (board("1+ -2\n"), "'-2' is no square"),
        (board("1 2\n"), "no cross"),
        (board("#+ 2\n"), "black"),
        (board("1+ " + "1 " * 30), "over 25"),
    ],
)
def test_a_file_that_is_no_board_says_why(data: bytes, told: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.from_toml(data)
    assert told in str(caught.value)
    assert caught.value.advice
