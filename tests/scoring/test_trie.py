"""The trie: its arrays are as documented, and it holds its words and no others."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.trie import MOST_LETTERS, ROOT, WORD_END, Trie
from scoring.trie_builder import build_trie

WORDS = st.sets(st.text("abeñ", min_size=1, max_size=6), max_size=40)


def built(words: set[str]) -> Trie:
    return build_trie(sorted(words))


def spelled(trie: Trie, node: int = ROOT, prefix: str = "") -> list[str]:
    """All words below a node, by the description of the arrays alone."""
    mask = trie.masks[node]
    words = [prefix] if mask & WORD_END else []
    present = [letter for place, letter in enumerate(trie.alphabet, 1) if mask >> place & 1]
    for child, letter in enumerate(present, trie.firsts[node]):
        words += spelled(trie, child, prefix + letter)
    return words


@given(WORDS)
def test_the_arrays_spell_the_words_in_order(words: set[str]) -> None:
    assert spelled(built(words)) == list(built(words)) == sorted(words)


@given(WORDS, st.text("abeñz", max_size=6))
def test_a_trie_contains_its_words_and_no_others(words: set[str], other: str) -> None:
    trie = built(words)
    assert all(word in trie for word in words)
    assert (other in trie) == (other in words)


@given(WORDS)
def test_there_is_one_node_a_prefix_and_one_letter_a_sign(words: set[str]) -> None:
    trie = built(words)
    prefixes = {word[:end] for word in words for end in range(len(word) + 1)} | {""}
    assert len(trie.masks) == len(trie.firsts) == len(prefixes)
    assert trie.alphabet == "".join(sorted(set("".join(words))))


@given(WORDS)
def test_the_nodes_of_a_level_are_the_prefixes_of_its_length(words: set[str]) -> None:
    prefixes = {word[:end] for word in words for end in range(len(word) + 1)} | {""}
    by_length = [sum(len(prefix) == depth for prefix in prefixes) for depth in range(7)]
    levels = built(words).levels
    assert [len(level) for level in levels] == by_length[: len(levels)]
    assert sum(map(len, levels)) == len(prefixes)


def test_as_many_letters_as_a_mask_holds_are_told_apart() -> None:
    letters = (string.ascii_lowercase + "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēĕėęě")[
        :MOST_LETTERS
    ]
    trie = built(set(letters))
    assert spelled(trie) == sorted(letters)
    with pytest.raises(ValueError, match="64 different letters, 63 at most"):
        built({*letters, "ß"})
