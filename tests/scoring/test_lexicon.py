"""Lexicons: their words, their compiled form, text files, and the list that comes along."""

import hashlib
import json
import lzma
import struct
import subprocess
import sys
import zlib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.folding import Folding
from scoring.lexicon import (
    Lexicon,
    LexiconError,
    builtin_file,
)
from scoring.trie import LONGEST_WORD

WORDS = st.lists(st.text("abñ", min_size=1, max_size=5), max_size=20)
SMALL = Lexicon.from_words("small", ["eat", "tea", "año"], source="a book", licence="free")


@given(WORDS)
def test_words_are_kept_once_in_order(words: list[str]) -> None:
    lexicon = Lexicon.from_words("any", words)
    assert list(lexicon) == sorted(set(words))
    assert len(lexicon) == len(set(words))
    assert sum(lexicon.lengths().values()) == len(lexicon)
    assert all(word in lexicon for word in words)


def test_capitals_and_split_accents_are_folded() -> None:
    assert Lexicon.from_words("any", ["TEA", "An\u0303o", "tea"]).words == ("año", "tea")


def test_accents_are_kept_apart_from_plain_letters() -> None:
    assert "año" in SMALL
    assert "ano" not in SMALL


def test_the_folding_of_a_list_is_kept_with_it() -> None:
    lexicon = Lexicon.from_words("any", ["Été", "mañana"], folding=Folding("ñ"))
    again = Lexicon.from_buffer(lexicon.to_bytes())
    assert again.words == lexicon.words == ("ete", "mañana")
    assert again.folding("éñ") == "eñ"


def test_lengths_are_counted_shortest_first() -> None:
    lexicon = Lexicon.from_words("any", ["steam", "at", "it", "tea"])
    assert list(lexicon.lengths().items()) == [(2, 2), (3, 1), (5, 1)]


@pytest.mark.parametrize(
    "word", ["", "don't", "a b", "b2", "a\nb", "a\x00", "x" * (LONGEST_WORD + 1)]
)
def test_what_is_no_word_makes_no_lexicon(word: str) -> None:
    with pytest.raises(LexiconError, match="is no word"):
        Lexicon.from_words("any", ["tea", word])


def test_too_many_letters_are_refused_with_advice() -> None:
    with pytest.raises(LexiconError, match="different letters") as caught:
        Lexicon.from_words("any", [chr(code) for code in range(0x4E00, 0x4E00 + 64)])
    assert "one script" in caught.value.advice


@given(WORDS)
def test_compiled_form_gives_the_same_lexicon_back(words: list[str]) -> None:
    lexicon = Lexicon.from_words("naïve", words, source="añ", licence="free")
    again = Lexicon.from_buffer(lexicon.to_bytes())
    assert (again.name, again.source, again.licence) == ("naïve", "añ", "free")
    assert again.words == lexicon.words
    assert again.trie.alphabet == lexicon.trie.alphabet
    assert again.trie.masks == lexicon.trie.masks
    assert again.trie.firsts == lexicon.trie.firsts


@given(st.integers(min_value=0), st.integers(1, 255))
def test_a_changed_byte_anywhere_is_noticed(place: int, change: int) -> None:
    data = bytearray(SMALL.to_bytes())
    data[place % len(data)] ^= change
    with pytest.raises(LexiconError, match="the compiled word list"):
        Lexicon.from_buffer(bytes(data))


@given(st.integers(min_value=0))
def test_a_cut_end_is_noticed(length: int) -> None:
    data = SMALL.to_bytes()
    with pytest.raises(LexiconError):
        Lexicon.from_buffer(data[: length % len(data)])


@given(st.binary(max_size=60))
def test_any_other_bytes_are_no_lexicon(data: bytes) -> None:
    with pytest.raises(LexiconError):
        Lexicon.from_buffer(data)


def compiled(facts: object, arrays: bytes) -> bytes:
    """A compiled form with a checksum that is right whatever is in it."""
    header = facts if isinstance(facts, bytes) else json.dumps(facts).encode()
    header += b" " * (-(20 + len(header)) % 8)
    body = struct.pack("<I", len(header)) + header + arrays
    return struct.pack("<8sII", b"wordtray", 2, zlib.crc32(body)) + body


FACTS: dict[str, object] = {
    "name": "small",
    "source": "",
    "licence": "",
    "keeps": None,
    "alphabet": "ab",
    "nodes": 3,
    "byteorder": sys.byteorder,
}
NODES: tuple[object, ...] = (-1, 0, 2, 4, 2**70, 3.0, "3", None, [])
ARRAYS = struct.pack("=3Q", 2, 5, 1) + struct.pack("=3I", 1, 2, 3)


def test_a_compiled_form_made_by_hand_is_read() -> None:
    assert Lexicon.from_buffer(compiled(FACTS, ARRAYS)).words == ("a", "ab")


@pytest.mark.parametrize("length", range(16))
def test_a_body_too_short_for_what_it_says_is_noticed(length: int) -> None:
    body = compiled(FACTS, ARRAYS)[16:][:length]
    data = struct.pack("<8sII", b"wordtray", 2, zlib.crc32(body)) + body
    with pytest.raises(LexiconError, match="the compiled word list"):
        Lexicon.from_buffer(data)


@pytest.mark.parametrize(
    "facts",
    [
        b"",
        b"\xff",
        b"[" * 100_000,
        None,
        [],
        *({key: value for key, value in FACTS.items() if key != left} for left in FACTS),
        *(FACTS | {key: 7} for key in FACTS if key != "nodes"),
        *(FACTS | {"nodes": nodes} for nodes in NODES),
        FACTS | {"alphabet": "ba"},
        FACTS | {"alphabet": "aa"},
        FACTS | {"alphabet": "".join(map(chr, range(97, 97 + 64)))},
    ],
)
def test_facts_that_cannot_be_are_noticed(facts: object) -> None:
    with pytest.raises(LexiconError, match="the compiled word list"):
        Lexicon.from_buffer(compiled(facts, ARRAYS))


@pytest.mark.parametrize("arrays", [b"", ARRAYS[:-1], ARRAYS + b"x", ARRAYS[:-12], ARRAYS * 2])
def test_arrays_of_another_length_are_noticed(arrays: bytes) -> None:
    with pytest.raises(LexiconError, match="the compiled word list"):
        Lexicon.from_buffer(compiled(FACTS, arrays))


def test_compiled_form_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = SMALL.to_bytes()
    monkeypatch.setattr("sys.byteorder", "big" if sys.byteorder == "little" else "little")
    with pytest.raises(LexiconError, match="another kind of machine"):
        Lexicon.from_buffer(data)


def test_built_in_list_is_the_one_its_provenance_describes(enable: Lexicon) -> None:
    about = json.loads(resources.files("scoring.data").joinpath("enable.json").read_text("utf-8"))
    text = lzma.decompress(builtin_file())
    assert hashlib.sha256(text).hexdigest() == about["sha256"]
    assert len(enable) == text.count(b"\n") == about["words"] == 172_820
    assert about["licence"] == enable.licence == "public domain"
    assert about["source"] == enable.source
    assert len(builtin_file()) < 500_000


def test_built_in_list_holds_english_words(enable: Lexicon) -> None:
    assert all(word in enable for word in ("turnover", "turn", "over", "queue", "zyzzyvas"))
    assert not any(word in enable for word in ("turnove", "london", "zyzzyvass", ""))
    assert max(enable.lengths()) == 28


def test_a_compiled_lexicon_is_walked_without_numpy() -> None:
    code = (
        "import sys; from scoring.lexicon import Lexicon; import scoring.solver, scoring.referee;"
        "assert 'tea' in Lexicon.from_buffer(sys.stdin.buffer.read());"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], input=SMALL.to_bytes(), check=True)
