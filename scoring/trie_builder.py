"""Builds the trie, a level at a time over all words at once.

Apart from `scoring.trie` because this alone needs numpy: a compiled lexicon is walked without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.trie import MOST_LETTERS, WORD_END, Trie


def build_trie(words: Sequence[str]) -> Trie:
    """Trie of words that are sorted and distinct, none of them empty.

    Raises:
        ValueError: the words use more than `MOST_LETTERS` different letters.
    """
    alphabet = "".join(sorted(set("".join(words))))
    if len(alphabet) > MOST_LETTERS:
        raise ValueError(f"the words use {len(alphabet)} different letters, {MOST_LETTERS} at most")
    if not words:
        return _trie("", np.zeros(1, np.uint64), np.ones(1, np.uint32))
    parents, letters, ends = _nodes(_letters(words, alphabet))
    masks = np.zeros(len(parents) + 1, np.uint64)
    np.bitwise_or.at(masks, parents, np.uint64(1) << letters.astype(np.uint64))
    masks[ends] |= np.uint64(WORD_END)
    children = np.bincount(parents, minlength=len(masks))
    firsts = (1 + np.cumsum(children) - children).astype(np.uint32)
    return _trie(alphabet, masks, firsts)


def _trie(alphabet: str, masks: NDArray[np.uint64], firsts: NDArray[np.uint32]) -> Trie:
    return Trie(
        alphabet, memoryview(masks.tobytes()).cast("Q"), memoryview(firsts.tobytes()).cast("I")
    )


def _letters(words: Sequence[str], alphabet: str) -> NDArray[np.uint8]:
    """A row a word: the place of each letter in the alphabet from 1, then zeros."""
    # A byte a letter from the start: four, as numpy keeps text, are too many for long lists.
    places = {ord(letter): place for place, letter in enumerate(alphabet, 1)}
    ends = "\0".join(words).translate(places).encode("latin-1") + b"\0"
    text = np.frombuffer(ends, np.uint8)
    lengths = np.diff(np.flatnonzero(text == 0), prepend=-1) - 1
    rows = np.zeros((len(words), int(lengths.max())), np.uint8)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = text[text != 0]
    return rows


def _nodes(
    words: NDArray[np.uint8],
) -> tuple[NDArray[np.intp], NDArray[np.uint8], NDArray[np.intp]]:
    """Parent and letter of each node but the root, breadth first; and the nodes that end words."""
    shared = np.zeros(len(words), np.intp)  # letters in common with the word before
    shared[1:] = (words[1:] != words[:-1]).argmax(axis=1)
    lengths = (words != 0).sum(axis=1)
    reached = np.zeros(len(words), np.intp)  # the node each word has got to; the root at first
    last = 0
    parents, letters, ends = [], [], []
    for depth, column in enumerate(words.T):
        new = (column != 0) & (shared <= depth)
        parents.append(reached[new])
        letters.append(column[new])
        reached = last + np.cumsum(new)
        last = int(reached[-1])
        ends.append(reached[lengths == depth + 1])
    return np.concatenate(parents), np.concatenate(letters), np.concatenate(ends)
