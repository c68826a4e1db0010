"""A turn of Swoggle: its notation, each rule that it can break, and the scores of the rulebook."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.match import RuleError
from scoring.swoggle.board import Kind, Layout, builtin_layout
from scoring.swoggle.rules import (
    Letters,
    Word,
    bonus_cells,
    check_words,
    new_words,
    score_words,
    share_throws,
    written_squares,
)
from scoring.swoggle.turn import Direction, Piece, Sign, Turn

LAYOUT = builtin_layout()
NOTHING: Letters = {}

EXAMPLES = [
    ("8 5 across PARADE", 6, {"parade": 17}),
    ("8 11 down SEAT", 4, {"seat": 11, "parades": 21}),
    ("7 10 down HM", 2, {"hem": 10, "me": 6}),
    ("9 12 across RRY", 3, {"merry": 14}),
]
"""The scoring examples of the rulebook, in its order."""


def written_after(turns: int) -> Letters:
    """The board after so many of the examples."""
    letters: Letters = {}
    for text, _, _ in EXAMPLES[:turns]:
        letters = {**letters, **written_squares(Turn.parse(text), LAYOUT, letters)}
    return letters


def words_of(text: str, letters: Letters, count: int) -> tuple[Word, ...]:
    return new_words(written_squares(Turn.parse(text), LAYOUT, letters), LAYOUT, letters, count)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_of_the_rulebook(number: int) -> None:
    text, die, expected = EXAMPLES[number]
    words = words_of(text, written_after(number), die)
    scored = score_words(words, LAYOUT, written_after(number + 1), {})
    assert {word.word.text: word.points for word in scored} == expected


@pytest.mark.parametrize(
    "text",
    [
        "8 5 across PARADE",
        "8,5,across,parade",
        "  8 , 5 , A , Parade ",
        "8 5 → P A R A D E",
        "8 5 right parade",
    ],
)
def test_the_notation_in_its_spellings(text: str) -> None:
    assert str(Turn.parse(text)) == "8 5 across PARADE"


def test_standing_letters_in_brackets() -> None:
    signs = (Sign("h"), Sign("e", stands=True), Sign("m"))
    assert Turn.parse("7 10 d h(e)m") == Turn((Piece((6, 9), Direction.DOWN, signs),))
    assert str(Turn.parse("8 5 a (parade)s")) == "8 5 across (PARADE)S"


@pytest.mark.parametrize("letter", ["ß", "ŉ", "é", "ı"])
def test_letters_without_a_single_capital_survive_the_notation(letter: str) -> None:
    turn = Turn.parse(f"1 1 down a{letter}")
    assert Turn.parse(str(turn)) == turn


@given(
    st.tuples(st.integers(0, 24), st.integers(0, 24)),
    st.sampled_from(Direction),
    st.lists(st.builds(Sign, st.sampled_from("abzéq"), st.booleans()), min_size=1, max_size=9),
)
def test_every_turn_reads_back(
    start: tuple[int, int], direction: Direction, signs: list[Sign]
) -> None:
    turn = Turn((Piece(start, direction, tuple(signs)),))
    assert Turn.parse(str(turn)) == turn


@pytest.mark.parametrize(
    "text",
    [
        "",
        "parade",
        "8 5 parade",
        "8 5 up parade",
        "eight 5 across parade",
        "8 5 across",
        "8 5 across pa-ra",
        "8 5 across p4rade",
        "8 5 across (parade",
        "8 5 across ()s",
        "8 5 across ca +",
    ],
)
def test_what_is_no_turn_is_told(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        Turn.parse(text)
    assert caught.value.kind == "notation"
    assert "8 5 across PARADE" in caught.value.advice


BROKEN = [
    ("off_board", "8 13 across TEAMS", 5, 0, "row 8, column 16"),
    ("off_board", "0 5 down TEA", 3, 0, "beyond its 15 rows"),
    ("black_square", "6 1 across TEAM", 4, 0, "black square, and row 6, column 3"),
    ("occupied", "8 5 across PARADES", 1, 1, "already has P"),
    ("standing", "7 10 down H(A)M", 2, 2, "stands E, not A"),
    ("standing", "7 11 down (A)M", 1, 1, "stands nothing"),
    ("standing", "7 15 across (A)M", 1, 1, "stands nothing"),
    ("not_one_line", "7 10 down HM + 9 12 across RY", 4, 2, "one line and one direction"),
    ("split", "7 5 across TEA + 7 11 across M", 4, 1, "not split between separate words"),
    ("wrong_count", "8 5 across PARADE", 5, 0, "exactly 5 letters"),
    ("wrong_count", "8 5 across CAT", 4, 0, "this turn writes 3"),
    ("wrong_count", "8 5 across (PARADE)", 1, 1, "exactly 1 letter must"),
    ("not_joined", "2 1 across TEAM", 4, 1, "must join on to words"),
    ("first_on_cross", "7 5 across TEAM", 4, 0, "touch the cross in the centre"),
    ("one_letter", "8 8 across A", 1, 0, "two letters or more"),
]


@pytest.mark.parametrize(("kind", "text", "count", "turns", "told"), BROKEN)
def test_each_broken_rule_has_its_own_message(
    kind: str, text: str, count: int, turns: int, told: str
) -> None:
    with pytest.raises(RuleError) as caught:
        words_of(text, written_after(turns), count)
    assert caught.value.kind == kind
    assert told in str(caught.value)
    assert caught.value.advice


def test_no_two_rules_share_a_message() -> None:
    by_kind = {kind: told for kind, _, _, _, told in BROKEN}
    assert len(set(by_kind.values())) == len(by_kind)


def test_every_cross_word_must_be_a_word() -> None:
    letters = written_after(1)
    written = written_squares(Turn.parse("9 5 across TEAM"), LAYOUT, letters)
    words = new_words(written, LAYOUT, letters, 4)
    assert [word.text for word in words] == ["team", "pt", "ae", "ra", "am"]
    with pytest.raises(
        RuleError, match=r"across and down.* PT \(down\) is not in my list"
    ) as caught:
        check_words(words, {"team", "ae", "ra", "am"}.__contains__, "my list", written)
    assert caught.value.kind == "not_a_word"
    check_words(words, {"team", "pt", "ae", "ra", "am"}.__contains__, "my list", written)


def test_a_letter_that_counts_as_two_is_refused() -> None:
    with pytest.raises(RuleError, match="Æ counts as AE") as caught:
        written_squares(
            Turn.parse("8 8 across ÆT"), LAYOUT, NOTHING, lambda c: c.replace("æ", "ae")
        )
    assert caught.value.kind == "letter"


def test_a_single_letter_makes_words_both_ways() -> None:
    words = words_of("9 10 across T", written_after(2), 1)
    assert {(word.text, word.direction) for word in words} == {
        ("te", Direction.ACROSS),
        ("et", Direction.DOWN),
    }


def test_bonus_squares_are_thrown_by_colour_and_place() -> None:
    small = Layout.from_toml(
        b'name="a"\ntitle="b"\nsource="c"\nsquares="""\n1+ o y r\n1 1 1 1\n"""'
    )
    words = new_words(dict.fromkeys(((0, 0), (0, 1), (0, 2), (0, 3)), "a"), small, {}, 4)
    cells = bonus_cells(words, small)
    assert [small[cell].kind for cell in cells] == [Kind.ORANGE, Kind.YELLOW, Kind.RED]
    throws = share_throws([1, 2, 3, 4, 5, 6], cells, small)
    assert list(throws.values()) == [(1,), (2, 3), (4, 5, 6)]
    (scored,) = score_words(words, small, dict.fromkeys(words[0].cells, "a"), throws)
    assert [square.points for square in scored.squares] == [1, 1, 5, 15]


@pytest.mark.parametrize(
    ("thrown", "told"),
    [([], "take 2 throws, and 0"), ([1, 2, 3], "and 3 were"), ([7, 1], "1 to 6"), ([0, 1], "0, 1")],
)
def test_throws_that_do_not_fit_are_refused(thrown: list[int], told: str) -> None:
    with pytest.raises(RuleError) as caught:
        share_throws(thrown, [(7, 1)], LAYOUT)  # yellow
    assert caught.value.kind == "bonus"
    assert told in str(caught.value)


def test_throws_without_a_bonus_square_are_refused() -> None:
    with pytest.raises(RuleError, match="no bonus square counts"):
        share_throws([3], [], LAYOUT)
