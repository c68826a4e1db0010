"""Bytes that are no UTF-8 are named for what they seem to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.intake import Sieve, take_list
from scoring.lexicon import LexiconError
from scoring.wordlist import WordListError, decode_word_list

WORDS = "thé\naño\nstraße\n"


@pytest.mark.parametrize("data", [WORDS.encode(), WORDS.encode("utf-8-sig"), b""])
def test_utf8_is_decoded_without_its_mark(data: bytes) -> None:
    assert decode_word_list(data) == (WORDS if data else "")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (WORDS.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + WORDS.encode("utf-16-be"), "UTF-16"),
        (WORDS.encode("utf-16-le"), "UTF-16LE"),
        (WORDS.encode("utf-16-be"), "UTF-16BE"),
        (WORDS.encode("utf-32"), "UTF-32"),
        (WORDS.encode("latin-1"), "ISO-8859-1"),
        ("don’t\ncafé\n".encode("cp1252"), "WINDOWS-1252"),
    ],
)
def test_other_encodings_are_named_with_the_command_that_converts_them(
    data: bytes, name: str
) -> None:
    with pytest.raises(WordListError, match=f"seems to be {name}$") as caught:
        decode_word_list(data)
    assert caught.value.advice == f"Convert it: iconv -f {name} -t UTF-8 FILE > NEW_FILE"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01",
        b"PK\x03\x04\x14\x00\x06\x00",
        bytes(range(256)),
        b"\x00" * 100,
    ],
)
def test_what_is_no_text_is_called_so(data: bytes) -> None:
    with pytest.raises(WordListError, match="no text") as caught:
        decode_word_list(data)
    assert "plain text" in caught.value.advice


def test_an_error_can_be_told_of_its_file() -> None:
    with pytest.raises(WordListError) as caught:
        decode_word_list("thé\n".encode("latin-1"))
    named = caught.value.of_file("my list")
    assert isinstance(named, WordListError)
    assert str(named).startswith("my list: the text is not UTF-8")
    assert named.advice.endswith("iconv -f ISO-8859-1 -t UTF-8 'my list' > 'my list.utf8'")


def test_a_lexicon_says_the_same_with_its_own_error() -> None:
    with pytest.raises(LexiconError, match="ISO-8859-1"):
        take_list("thé\n".encode("latin-1"), Sieve())


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_a_word_list_error(data: bytes) -> None:
    try:
        text = decode_word_list(data)
    except WordListError:
        return
    assert text.encode() in (data, data[3:])
