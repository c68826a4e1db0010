"""A player's list as text: what is part of a word, and what is left to a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.wordlist import Entry, parse_word_list


@pytest.mark.parametrize(
    "line",
    [
        "team",
        "TEAM",
        "  Team\t",
        "1. team",
        "12) team",
        "3: team",
        "(4) team",
        "5.team",
        "- team",
        "-team",
        "• team",
        "* team",
        "– 6. team",
        "team,",
        "“team”",
        "(team)",
        "team?!",
        "_team_",
        "...team;",
    ],
)
def test_numbers_bullets_and_punctuation_are_not_part_of_a_word(line: str) -> None:
    assert parse_word_list(line) == (Entry(1, line.strip(), "team", None),)


@pytest.mark.parametrize("line", ["", "   ", "\t", "7.", "(8)", "-", "• ", "***", "—", "9)  "])
def test_lines_without_a_word_are_skipped(line: str) -> None:
    assert parse_word_list(line) == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("tea eat", "more than one word on the line"),
        ("tea, eat", "more than one word on the line"),
        ("1. tea 2. eat", "more than one word on the line"),
        ("1 team", "more than one word on the line"),
        ("tea,eat", "',' in the word"),
        ("te4m", "a digit in the word"),
        ("42", "a digit in the word"),
        ("1.5", "a digit in the word"),
        ("~~team~~", "'~' in the word"),
        ("te_m", "'_' in the word"),
        ("te…m", "'.' in the word"),
        ("team☕", "'☕' in the word"),
    ],
)
def test_what_cannot_be_decided_is_a_problem_and_no_word(line: str, problem: str) -> None:
    assert parse_word_list(line) == (Entry(1, line, None, problem),)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("don't", "don't"),
        ("Don’t.", "don't"),
        ("co-op", "co-op"),
        ("co‑op", "co-op"),
        ("dogs'", "dogs"),
        ("'tis", "tis"),
    ],
)
def test_apostrophes_and_hyphens_stay_inside_a_word_alone(line: str, word: str) -> None:
    assert [entry.word for entry in parse_word_list(line)] == [word]


def test_accents_are_kept_and_composed() -> None:
    assert [entry.word for entry in parse_word_list("An\u0303o\nÉTÉ")] == ["año", "été"]


def test_lines_are_numbered_as_an_editor_does() -> None:
    entries = parse_word_list("tea\r\n\r\n1. eat\r\n   \r\nate at\r\n")
    assert [(entry.line_number, entry.text) for entry in entries] == [
        (1, "tea"),
        (3, "1. eat"),
        (5, "ate at"),
    ]


@given(st.lists(st.text("abcñÉ", min_size=1, max_size=6)))
def test_a_plain_list_is_read_as_it_stands(words: list[str]) -> None:
    entries = parse_word_list("\n".join(words))
    assert [entry.word for entry in entries] == [word.lower() for word in words]


@given(st.text())
def test_every_entry_has_either_a_word_or_a_problem(text: str) -> None:
    for entry in parse_word_list(text):
        assert (entry.word is None) != (entry.problem is None)
        assert entry.text == entry.text.strip() != ""
        if entry.word is not None:
            assert not any(char.isspace() or char.isdigit() for char in entry.word)
            assert entry.word[0].isalpha()
            assert entry.word[-1].isalpha()
