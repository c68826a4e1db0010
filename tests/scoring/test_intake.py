"""What a list may hold: each rule, the report, and lists written in capitals."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.folding import Folding
from scoring.intake import EXAMPLES, Intake, Kind, Reason, Sieve, kind_of, take_list
from scoring.lexicon import Lexicon, LexiconError
from scoring.trie import LONGEST_WORD

LINES = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=6), max_size=8)


def sifted(text: str, sieve: Sieve | None = None) -> Intake:
    sieve = sieve or Sieve()
    take_list(text.encode(), sieve)
    return sieve.intake()


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("Paris", Reason.NAME),
        ("McCoy", Reason.NAME),
        ("iPad", Reason.NAME),
        ("USA", Reason.ACRONYM),
        ("etc.", Reason.ABBREVIATION),
        ("U.S.", Reason.ABBREVIATION),
        ("don't", Reason.APOSTROPHE),
        ("l’ami", Reason.APOSTROPHE),
        ("co-op", Reason.HYPHEN),
        ("Aix-en-Provence", Reason.HYPHEN),
        ("ice cream", Reason.SEVERAL_WORDS),
        ("ice\tcream", Reason.SEVERAL_WORDS),
        ("# a remark", Reason.SEVERAL_WORDS),
        ("b2b", Reason.SIGN),
        ("123", Reason.SIGN),
        ("rosar/S", Reason.SIGN),
        ("mᵐᵉ", Reason.SIGN),
        ("dℓ", Reason.SIGN),
        ("µg", Reason.SIGN),
        ("x", Reason.SINGLE_LETTER),
        ("X", Reason.SINGLE_LETTER),
        ("x" * (LONGEST_WORD + 1), Reason.TOO_LONG),
    ],
)
def test_each_rule_leaves_out_its_words_and_says_so(raw: str, reason: Reason) -> None:
    intake = sifted(f"tea\n{raw}\n")
    assert intake.words == ("tea",)
    (left,) = intake.left_out
    assert (left.reason, left.count) == (reason, 1)
    assert raw.startswith(left.examples[0].removesuffix("…"))
    assert left.reason.label


@pytest.mark.parametrize(
    "raw", ["at", "x" * LONGEST_WORD, "été", "an\u0303o", "ex\u00adtra", "straße"]
)
def test_words_are_kept(raw: str) -> None:
    word = unicodedata.normalize("NFC", raw).replace("\u00ad", "")
    assert sifted(raw) == Intake((word,), ())


def test_words_come_folded_once_and_sorted() -> None:
    assert sifted("thé\nthe\nété\nañejo", Sieve(Folding("ñ"))).words == ("añejo", "ete", "the")


def test_length_is_that_of_the_folded_word() -> None:
    word = "ß" * (LONGEST_WORD // 2 + 1)
    assert sifted(f"tea\n{word}").words == (word, "tea")[::-1]
    assert sifted(f"tea\n{word}", Sieve(Folding(""))).words == ("tea",)


@pytest.mark.parametrize("text", ["TEA\nEAT\n", "Tea\nEat", "TEA\nEat\nDON'T"])
def test_a_list_without_small_words_is_written_in_capitals(text: str) -> None:
    intake = sifted(text)
    assert intake.words == ("eat", "tea")
    assert intake.left(Reason.NAME, Reason.ACRONYM) == 0


@pytest.mark.parametrize("text", ["TEA\nEAT\nate", "ate\nTEA\nEAT", "TEA\nate\nEAT"])
def test_one_small_word_gives_all_capitals_a_meaning(text: str) -> None:
    intake = sifted(text)
    assert intake.words == ("ate",)
    assert intake.left(Reason.ACRONYM) == 2


def test_capitals_are_words_where_the_caller_says_so() -> None:
    intake = sifted("Haus\nÄpfel\nlaufen\nUSA\nGmbH\nSankt-Nimmerlein", Sieve(keep_capitals=True))
    assert intake.words == ("haus", "laufen", "äpfel")
    assert [(left.reason, left.examples) for left in intake.left_out] == [
        (Reason.NAME, ("GmbH",)),
        (Reason.ACRONYM, ("USA",)),
        (Reason.HYPHEN, ("Sankt-Nimmerlein",)),
    ]


def test_the_report_shows_a_few_examples_and_counts_all() -> None:
    (left,) = sifted("tea\n" + "\n".join(f"a-{'x' * number}" for number in range(20))).left_out
    assert (left.count, len(left.examples)) == (20, EXAMPLES)


@pytest.mark.parametrize(
    ("text", "advice"),
    [("", "the right file"), (" \n\n", "the right file"), ("b-b\n1\n2", "2 were left out")],
)
def test_a_file_without_words_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(LexiconError, match="no words") as caught:
        sifted(text)
    assert advice in caught.value.advice


def test_another_encoding_is_named_with_the_way_to_convert_it() -> None:
    with pytest.raises(LexiconError, match="seems to be UTF-16") as caught:
        take_list("tea\neat".encode("utf-16"), Sieve())
    assert "iconv -f UTF-16 -t UTF-8" in caught.value.advice


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tea\neat\n", Kind.LIST),
        ("\n\ntea\n\n", Kind.LIST),
        ("tea\nice cream\neat\n", Kind.LIST),
        ("1 2 3\n4 5 6\ntea\n", Kind.LIST),
        ("", Kind.LIST),
        ("the tea was cold\nand so on\n", Kind.TEXT),
        ("Call me Ishmael.", Kind.TEXT),
        ("CHAPTER\n\nit was cold\nand it rained\n", Kind.TEXT),
        ("tea\t12\neat\t7\n", Kind.TEXT),
        ("3\ntea/S\nthames\nteam/SM\n", Kind.HUNSPELL),
        ("\ufeff3\r\ntea/S\r\n", Kind.HUNSPELL),
        ("2\ntea/S po:noun\nteam/SM po:noun is:sg\n", Kind.HUNSPELL),
        ("tea/S\nteam/SM\n", Kind.LIST),
        ("5\ntea\neat\nteam\nmeat\nand/or\n", Kind.LIST),
        ("1984\n\nit was a cold day\nand the clocks were striking\n", Kind.TEXT),
    ],
)
def test_a_text_has_several_words_on_most_lines(text: str, kind: Kind) -> None:
    assert kind_of(text.encode()) is kind


@given(LINES, st.sampled_from([Folding(), Folding(""), Folding("ñ")]), st.booleans())
def test_what_is_let_through_makes_a_lexicon(
    lines: list[str],
    folding: Folding,
    keep_capitals: bool,  # noqa: FBT001 - hypothesis gives it
) -> None:
    intake = sifted("\n".join(["tea", *lines]), Sieve(folding, keep_capitals))
    lexicon = Lexicon.from_words("any", intake.words, folding=folding)
    assert lexicon.words == intake.words
    assert all(len(word) > 1 for word in intake.words)


@given(LINES)
def test_every_line_is_either_a_word_or_in_the_report(lines: list[str]) -> None:
    sieve = Sieve()
    take_list("\n".join(["tea", *lines]).encode(), sieve)
    intake = sieve.intake()
    given_lines = [line.strip() for line in "\n".join(lines).splitlines() if line.strip()]
    kept = [line for line in given_lines if Folding()(line.replace("\u00ad", "")) in intake.words]
    assert intake.left(*Reason) >= len(given_lines) - len(kept)
