"""Builds the trie, a level at a time over all words at once.

Apart from `scoring.trie` because this alone needs numpy: a compiled lexicon is walked without it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.trie import MOST_LETTERS, WORD_END, Trie


def build_trie(words: Sequence[str]) -> Trie:
    """Trie of words that are sorted and distinct, none of them empty.

    Raises:
        ValueError: the words use more than `MOST_LETTERS` different letters.
    """
    alphabet = "".join(sorted(set().union(*words)))
    if len(alphabet) > MOST_LETTERS:
        raise ValueError(f"the words use {len(alphabet)} different letters, {MOST_LETTERS} at most")
    if not words:
        return Trie("", array("Q", [0]), array("I", [0]))
    parents, letters, ends = _nodes(_letters(words, alphabet))
    masks = np.zeros(len(parents) + 1, np.uint64)
    np.bitwise_or.at(masks, parents, np.uint64(1) << letters.astype(np.uint64))
    masks[ends] |= np.uint64(WORD_END)
    children = np.bincount(parents, minlength=len(masks))
    firsts = (1 + np.cumsum(children) - children).astype(np.uint32)
    return Trie(alphabet, array("Q", masks.tobytes()), array("I", firsts.tobytes()))


def _letters(words: Sequence[str], alphabet: str) -> NDArray[np.uint8]:
    """A row a word: the place of each letter in the alphabet from 1, then zeros."""
    code_points = np.array(words).view(np.uint32).reshape(len(words), -1)
    places = np.zeros(int(code_points.max()) + 1, np.uint8)
    places[[ord(letter) for letter in alphabet]] = np.arange(1, len(alphabet) + 1)
    return places[code_points]


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
