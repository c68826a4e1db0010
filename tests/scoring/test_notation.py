"""Cells and paths as people read and type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board, Path
from scoring.notation import PathError, cell_name, parse_path, path_text
from scoring.paths import paths


def test_cells_are_named_by_column_letter_and_row_number() -> None:
    assert [cell_name((0, 0)), cell_name((0, 1)), cell_name((5, 2))] == ["A1", "B1", "C6"]


def test_a_path_shows_its_direction() -> None:
    around = ((1, 1), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0))
    assert path_text(around) == "B2↑→↓↓←←↑↑"
    assert path_text(((0, 0), (1, 1), (0, 2), (1, 1))) == "A1↘↗↙"
    assert path_text(((2, 2), (1, 1))) == "C3↖"
    assert path_text(None) == ""


@given(path=st.sampled_from([*paths(Board.parse("AAAA/AAAA/AAAA"), "aaaa")]))
def test_a_path_is_read_as_it_is_written_and_cell_by_cell(path: Path) -> None:
    assert parse_path(path_text(path)) == path
    assert parse_path(" ".join(map(cell_name, path))) == path
    assert parse_path("".join(map(cell_name, path)).lower()) == path


def test_cells_may_lie_beyond_ten_rows_or_apart() -> None:
    assert parse_path("A10 C1 →") == ((9, 0), (0, 2), (0, 3))


@pytest.mark.parametrize("text", ["→B1", "B", "B0", "B1,C1", "cat", "B1 x", "1B"])
def test_what_is_no_path_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PathError, match=r"write it as B1"):
        parse_path(text)


def test_an_empty_text_is_a_path_without_cells() -> None:
    assert parse_path("") == ()
