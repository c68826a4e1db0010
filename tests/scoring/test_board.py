"""The board and its notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import BLANK, LARGEST_SIDE, MISSING, Board, BoardError, letters

FACES = ["A", "E", "Q", "Qu", "Th", "Sch", "Ñ", "É", BLANK, MISSING]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, cols = draw(st.tuples(*[st.integers(1, LARGEST_SIDE)] * 2))
    row = st.lists(st.sampled_from(FACES), min_size=cols, max_size=cols)
    return Board.from_faces(draw(st.lists(row, min_size=rows, max_size=rows)))


@given(boards())
def test_every_board_reads_back_from_its_notation(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(boards())
def test_neighbours_are_the_cells_one_step_of_a_king_away(board: Board) -> None:
    for (row, col), others in zip(board.cells, board.neighbours, strict=True):
        assert {board.cells[other] for other in others} == {
            (r, c)
            for r in range(max(row - 1, 0), min(row + 2, board.rows))
            for c in range(max(col - 1, 0), min(col + 2, board.cols))
            if (r, c) != (row, col)
        }


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("IETC/HQuPE/SEYH/TOER", ["I", "E", "T", "C", "H", "Qu", "P", "E"]),
        ("I E T C\nH Qu P E\nS E Y H\nT O E R\n", ["I", "E", "T", "C", "H", "Qu", "P", "E"]),
        ("IETC\r\nHQuPE\r\nSEYH\r\nTOER", ["I", "E", "T", "C", "H", "Qu", "P", "E"]),
        ("IETCHQuPESEYHTOER", ["I", "E", "T", "C", "H", "Qu", "P", "E"]),
        ("perslatgsineters", ["P", "E", "R", "S", "L", "A", "T", "G"]),
        ("pers/latg/sine/ters", ["P", "E", "R", "S", "L", "A", "T", "G"]),
        ("qaicdrneetasnnil", ["Qu", "A", "I", "C", "D", "R", "N", "E"]),
        ("QAICDRNEETASNNIL", ["Q", "A", "I", "C", "D", "R", "N", "E"]),
        ("he a . _ th q in er x", ["He", "A", BLANK, MISSING, "Th", "Qu", "In", "Er"]),
        ("A#./_SchÑ", ["A", BLANK, BLANK, MISSING, "Sch", "Ñ"]),
        ("AN\u0303/IO", ["A", "Ñ", "I", "O"]),
        ("##/__", [BLANK, BLANK, MISSING, MISSING]),
    ],
)
def test_all_forms_of_the_notation_are_read(text: str, faces: list[str]) -> None:
    assert list(Board.parse(text))[: len(faces)] == faces


def test_size_tells_how_a_row_of_faces_is_folded() -> None:
    board = Board.parse("perslatesind", (3, 4))
    assert str(board) == "PERS/LATE/SIND"
    assert (board.rows, board.cols) == (3, 4)


def test_a_single_row_ends_in_a_slash_where_it_is_the_whole_board() -> None:
    assert str(Board.parse("ABCD")) == "AB/CD"
    assert str(Board.parse("ABCD/")) == "ABCD/"
    assert str(Board.parse("A")) == "A"


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ("", None, "no faces"),
        ("", (4, 4), "no faces"),
        ("/", None, "no faces"),
        ("ABC", None, "3 faces do not make a square"),
        ("ABCD", (3, 4), "4 faces do not fill 3×4 = 12"),
        ("ABC/AB", None, "3, 2 faces: they must be equally long"),
        ("AB/CD", (2, 3), "2 rows of 2, not 2×3"),
        ("aB/CD", None, "'a' is neither"),
        ("AB/cd", None, "'c' is neither"),
        ("A b/C D", None, "'b' is neither"),
        ("A#b/CD", None, "'b' is neither"),
        ("A1/CD", None, "'1' is neither"),
        ("a1/cd", None, "'1' is neither"),
        ("A" * 11 + "/", None, "1×11 is larger than any tray"),
    ],
)
def test_wrong_notation_is_answered_with_what_is_wrong(
    text: str, size: tuple[int, int] | None, message: str
) -> None:
    with pytest.raises(BoardError, match=message):
        Board.parse(text, size)


@pytest.mark.parametrize("face", ["", "a", "QU", "?", "A1", "##", " ", "N\u0303"])
def test_what_is_no_face_makes_no_board(face: str) -> None:
    with pytest.raises(BoardError, match="is no face"):
        Board.from_faces([[face]])


@pytest.mark.parametrize("rows", [[], [[]], [[], []]])
def test_a_board_without_faces_is_none(rows: list[list[str]]) -> None:
    with pytest.raises(BoardError, match="no faces"):
        Board.from_faces(rows)


@given(st.text(max_size=30))
def test_any_text_is_a_board_or_a_board_error(text: str) -> None:
    try:
        board = Board.parse(text)
    except BoardError:
        return
    assert len(board) == len(list(board)) >= 1


def test_cells_and_faces_run_row_by_row() -> None:
    board = Board.parse("ABQu/D#_")
    assert [board[cell] for cell in board.cells] == list(board)
    assert (board.rows, board.cols, len(board)) == (2, 3, 6)
    assert board[0, 2] == "Qu"


def test_blank_and_missing_put_no_letters_into_a_word() -> None:
    assert [letters(face) for face in ("A", "Qu", "Ñ", BLANK, MISSING)] == ["a", "qu", "ñ", "", ""]
