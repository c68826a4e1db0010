"""Words of a novel: which count, and why the others do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.intake import Intake, Reason, Sieve
from scoring.lexicon import Lexicon, LexiconError
from scoring.prose import take_text


def read(text: str, sieve: Sieve | None = None) -> Intake:
    sieve = sieve or Sieve()
    take_text(text.encode(), sieve)
    return sieve.intake()


def words(text: str) -> set[str]:
    """Words of a text beside those of a sentence that is put before it."""
    return set(read(f"so it is. {text}").words) - {"so", "it", "is"}


def left(text: str) -> dict[Reason, tuple[str, ...]]:
    return {left.reason: left.examples for left in read(f"so it is. {text}").left_out}


def test_a_word_counts_when_it_stands_somewhere_in_small_letters() -> None:
    assert words("The cat sat. Then the dog came.") == {"cat", "sat", "the", "dog", "came"}


def test_what_is_only_seen_with_a_capital_is_a_name() -> None:
    text = "Then old Peter met Anna, and Peter ran. Suddenly Anna laughed."
    assert words(text) == {"old", "met", "and", "ran", "laughed"}
    assert left(text) == {
        Reason.NAME: ("Peter", "Anna"),
        Reason.SENTENCE_START: ("Then", "Suddenly"),
    }


@pytest.mark.parametrize(
    "before",
    [
        "the end. ",
        "the end! ",
        "the end? ",
        "the end… ",
        "he said: ",
        "the end\n\n",
        'he said, "',
        "he said, “",
        "il dit «\u00a0",
        "he said, '",
        "he said, ‘",
        "the end.) ",
    ],
)
def test_a_sentence_begins_after_its_signs(before: str) -> None:
    assert left(f"{before}Never end")[Reason.SENTENCE_START] == ("Never",)


@pytest.mark.parametrize(
    "before", ["old Mr. ", "old Dr. ", "young J. ", "the old, ", "the\n", "the — "]
)
def test_a_title_ends_no_sentence(before: str) -> None:
    assert "Smith" in left(f"{before}Smith sat.")[Reason.NAME]


def test_words_in_capitals_prove_nothing() -> None:
    text = "CHAPTER THE FIRST\n\nIn the dark CAVE he saw a cave."
    assert words(text) == {"the", "dark", "he", "saw", "cave"}
    assert left(text)[Reason.ACRONYM] == ("CHAPTER", "FIRST")


def test_a_text_in_capitals_is_read_as_it_is() -> None:
    assert read("THE CAT SAT. IT SLEPT.").words == ("cat", "it", "sat", "slept", "the")


def test_german_nouns_are_kept_where_capitals_are_words() -> None:
    intake = read("Der alte Mann sah das Meer. DER KAPITÄN rief.", Sieve(keep_capitals=True))
    assert intake.words == ("alte", "das", "der", "mann", "meer", "rief", "sah")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("l'homme et l’été", {"homme", "et", "été"}),
        ("qu'elle, jusqu'au", {"elle", "au"}),
        ("L'homme rit", {"homme", "rit"}),
        ("dell'arte un'ora all'alba dall'alto", {"arte", "ora", "alba", "alto"}),
        ("they don't, we'll, it's, ma'am", {"they"}),
        ("b'lieve d'rectly o'clock y'all", set()),
        ("aujourd'hui quelqu'un", set()),
    ],
)
def test_of_elided_words_the_second_counts_of_others_with_an_apostrophe_none(
    text: str, found: set[str]
) -> None:
    assert words(text) == found


@pytest.mark.parametrize("text", ["goin' home", "‘tis home", "fo' home", "th' home"])
def test_words_cut_by_an_apostrophe_are_not_sure(text: str) -> None:
    assert words(text) == {"home"}
    assert Reason.APOSTROPHE in left(text)


def test_words_touched_by_a_quotation_mark_count_when_they_stand_whole_elsewhere() -> None:
    assert words("'what now?' she said. and what now, ‘she’ said") == {
        "what",
        "now",
        "she",
        "said",
        "and",
    }


def test_a_word_broken_at_a_line_end_counts_when_it_stands_whole_elsewhere() -> None:
    assert words("an exam-\nple, and an example") == {"an", "example", "and"}
    assert words("a well-\n   known exam-\nple of ex\u00ad\nact") == {"of", "exact"}
    assert left("a well-\nknown man")[Reason.HYPHEN] == ("wellknown",)


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("Die Donau-\nschifffahrt ruht.", "Donauschifffahrt", Reason.HYPHEN),
        ("so spricht ‘Anna zu ihr", "Anna", Reason.APOSTROPHE),
        ("Es geht um Goin' dort.", "Goin", Reason.APOSTROPHE),
        ("Kapitel Xiv beginnt.", "Xiv", Reason.NUMERAL),
    ],
)
def test_capitals_that_are_words_obey_the_other_rules(text: str, word: str, reason: Reason) -> None:
    intake = read(f"so it is. {text}", Sieve(keep_capitals=True))
    assert word.lower() not in intake.words
    assert {left.reason: left.examples for left in intake.left_out} == {reason: (word,)}
    whole = read(f"so it is. {text} Ein {word.capitalize()} ruht.", Sieve(keep_capitals=True))
    assert (word.lower() in whole.words) is (reason is not Reason.NUMERAL)


def test_a_text_in_capitals_obeys_the_other_rules() -> None:
    intake = read("CHAPTER XIV\n\nTHE LIGHT-\nHOUSE. THEY WERE GOIN' HOME, PART II")
    assert intake.words == ("chapter", "home", "part", "the", "they", "were")
    assert {left.reason: left.examples for left in intake.left_out} == {
        Reason.HYPHEN: ("LIGHTHOUSE",),
        Reason.APOSTROPHE: ("GOIN",),
        Reason.NUMERAL: ("XIV", "II"),
    }
    assert "lighthouse" in read("THE LIGHT-\nHOUSE, A LIGHTHOUSE").words


def test_a_divided_word_that_stands_whole_with_a_capital_is_counted_once() -> None:
    assert left("an exam-\nple. Example")[Reason.SENTENCE_START] == ("Example",)
    assert Reason.HYPHEN not in left("an exam-\nple. Example")


def test_hyphens_and_dashes() -> None:
    assert words("a rabbit-hole--deep and dark—or not") == {"deep", "and", "dark", "or", "not"}
    assert left("a rabbit-hole")[Reason.HYPHEN] == ("rabbit-hole",)


def test_emphasis_is_no_part_of_a_word() -> None:
    assert words("_very_ *odd* =bold= [sic] un_believ_able") == {
        "very", "odd", "bold", "sic", "unbelievable",
    }  # fmt: skip


def test_numbers_are_not_counted_and_numerals_left_out() -> None:
    text = "in 1865, chapter xiv. and iii, 20th mix, civil"
    assert words(text) == {"in", "chapter", "and", "mix", "civil"}
    assert left(text) == {Reason.NUMERAL: ("xiv", "iii"), Reason.SIGN: ("20th",)}
    assert left("in chapter XIV")[Reason.NUMERAL] == ("XIV",)


def test_addresses_give_no_words() -> None:
    text = "see http://www.example.org, www.example.org or someone@example.org, e.g. now"
    assert words(text) == {"see", "or", "now"}


@pytest.mark.parametrize(
    "address",
    [
        "http://foo.bar/baz",
        "https://foo.bar/baz/index.html?quay=quux&next=yes#end",
        "foo.bar/baz-quux/",
        "www.foo.bar/~baz",
        "ftp://foo/baz",
    ],
)
def test_of_an_address_its_whole_path_is_left_out(address: str) -> None:
    assert words(f"see {address}, and then") == {"see", "and", "then"}
    assert left(f"see <{address}>. Suddenly so")[Reason.SENTENCE_START] == ("Suddenly",)


def test_a_slash_divides_words() -> None:
    assert words("and/or so, either/or. then/now") == {"and", "or", "either", "then", "now"}


BOOK = """\
The Example eBook of nothing: notice and licence before

{start}

so it was. The End

{end}

notice and licence behind
"""


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (
            "*** START OF THE PROJECT GUTENBERG EBOOK NOTHING ***",
            "*** END OF THE PROJECT GUTENBERG EBOOK NOTHING ***",
        ),
        (
            "***START OF THIS PROJECT GUTENBERG EBOOK NOTHING***",
            "***END OF THIS PROJECT GUTENBERG EBOOK NOTHING***",
        ),
        ("*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.03.08.92*END*", ""),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_notices_of_project_gutenberg_do_not_count(start: str, end: str, line_end: str) -> None:
    intake = read(BOOK.format(start=start, end=end).replace("\n", line_end))
    assert {"so", "it", "was"} <= set(intake.words)
    assert "before" not in intake.words
    assert ("behind" in intake.words) is not end.startswith("***")


START = "*** START OF THE PROJECT GUTENBERG EBOOK {} ***"
END = "*** END OF THE PROJECT GUTENBERG EBOOK {} ***"


@pytest.mark.parametrize("indent", ["", "   ", "\t"])
def test_of_several_books_in_one_file_all_count(indent: str) -> None:
    lines = (
        "notice before",
        f"{indent}{START.format('ONE')}",
        "so it was",
        f"{indent}{END.format('ONE')}",
        "notice between",
        f"{indent}{START.format('TWO')}",
        "and so it is",
        f"{indent}{END.format('TWO')}",
        "notice behind",
    )
    assert read("\n\n".join(lines)).words == ("and", "is", "it", "so", "was")
    assert read("\n\n".join(lines[2:])).words == ("and", "is", "it", "so", "was")
    assert read("\n\n".join(lines[:7])).words == ("and", "is", "it", "so", "was")


def test_each_different_word_is_counted_once() -> None:
    intake = read("don't, don't and Don't! Peter saw Peter. 'tis, 'tis")
    assert {left.reason: left.count for left in intake.left_out} == {
        Reason.NAME: 1,
        Reason.APOSTROPHE: 2,
    }


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    text = "word upon word " * 4000
    take_text(text.encode(), Sieve(), lambda done, of: told.append((done, of)))
    assert [of for _, of in told] == [len(text)] * len(told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == len(text)
    assert len(told) > 3


@given(st.text(st.sampled_from("aBc Ééß'’-_.\n\r\u00ad\x1e1@:/«"), max_size=60))
def test_whatever_is_read_makes_a_lexicon(text: str) -> None:
    text = text.replace("\x1e", " ")
    intake = read(f"so it is. {text}")
    assert Lexicon.from_words("any", intake.words).words == intake.words
    assert {"so", "it", "is"} <= set(intake.words)


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(LexiconError, match="no words"):
        read("1, 2, 3 -- don't!")


def test_another_encoding_is_refused() -> None:
    with pytest.raises(LexiconError, match="ISO-8859-1"):
        take_text("été".encode("latin-1"), Sieve())
