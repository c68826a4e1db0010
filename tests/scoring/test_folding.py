"""Folding: what loses its accent, what keeps it, and what folding must never do."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cubes import cube_set
from scoring.folding import Folding

ALL = Folding("")
LETTERS = st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), max_size=8)


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("tea", "tea"),
        ("TEA", "tea"),
        ("Été", "ete"),
        ("cœur", "coeur"),
        ("Æsop", "aesop"),
        ("Straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("smørrebrød", "smorrebrod"),
        ("ǿre", "ore"),
        ("łódź", "lodz"),
        ("příliš žluťoučký kůň", "prilis zlutoucky kun"),
        ("an\u0303o", "ano"),
        ("m\u0303", "m"),
        ("İstanbul", "istanbul"),
        ("ﬁn", "fin"),
        ("", ""),
    ],
)
def test_accents_that_no_face_shows_are_lost(word: str, folded: str) -> None:
    assert ALL(word) == folded


def test_without_a_cube_set_only_capitals_and_split_accents_are_folded() -> None:
    assert Folding()("AN\u0303O Straße") == "año straße"


@pytest.mark.parametrize("keeps", [None, "", "ñ"])
def test_joined_letters_are_always_the_letters_themselves(keeps: str | None) -> None:
    assert Folding(keeps)("ﬁne ﬂuﬀy eﬃcient reſt ĳs") == "fine fluffy efficient rest ijs"


def test_letters_that_a_face_shows_are_kept() -> None:
    assert Folding("ñ")("Mañaná") == "mañana"
    assert Folding("ñ")("man\u0303ana") == "mañana"


@pytest.mark.parametrize(
    ("edition", "keeps"), [("spanish_5x5", "ñ"), ("french_4x4", ""), ("czech_4x4", "")]
)
def test_faces_of_a_set_say_what_to_keep(edition: str, keeps: str) -> None:
    faces = [face for cube in cube_set(edition).cubes for face in cube]
    assert Folding.for_faces(faces) == Folding(keeps)


def test_letters_of_faces_are_kept_however_they_are_written() -> None:
    assert Folding.for_faces(["O\u0308", "Ä", "Æ", "#"]) == Folding("äæö")


@given(LETTERS, st.sampled_from([None, "", "ñ", "äöü", "œ"]))
def test_folding_twice_changes_nothing(word: str, keeps: str | None) -> None:
    folding = Folding(keeps)
    assert folding(folding(word)) == folding(word)


@given(LETTERS, st.sampled_from([None, "", "ñ"]))
def test_capitals_and_the_form_of_unicode_do_not_matter(word: str, keeps: str | None) -> None:
    folding = Folding(keeps)
    assert folding(unicodedata.normalize("NFD", word)) == folding(word)
    assert folding(word.lower()) == folding(word)


@given(LETTERS)
def test_what_is_left_has_no_accent(word: str) -> None:
    assert not any(unicodedata.combining(char) for char in unicodedata.normalize("NFD", ALL(word)))
