"""Words as a trie in two flat arrays, the form that the solver walks.

Nodes are numbered breadth first from the root, so the children of a node follow each other, in the
order of their letters. Two numbers say all about a node:

* ``masks[node]``: bit 0 is set where a word ends here, bit *n* where the node has a child for the
  *n*-th letter of the alphabet, counted from 1;
* ``firsts[node]``: the number of its first child.

The child for a letter lies as many places behind the first as there are lower letter bits set.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

ROOT = 0
"""Number of the node that every word starts from."""

WORD_END = 1
"""The bit of a mask that says that a word ends at the node."""

MOST_LETTERS = 63
"""Different letters at most: what a mask of 64 bits has room for beside `WORD_END`."""


@dataclass(frozen=True, eq=False)
class Trie:
    """A set of words; see the module for the arrays, which nobody changes.

    Attributes:
        alphabet: the letters that occur, each once, ascending.
        masks: 64 bits a node.
        firsts: 32 bits a node.
    """

    alphabet: str
    masks: array[int]
    firsts: array[int]

    @cached_property
    def bits(self) -> dict[str, int]:
        """For each letter its bit in a mask."""
        return {letter: 1 << place for place, letter in enumerate(self.alphabet, 1)}

    def __contains__(self, word: str) -> bool:
        node = ROOT
        for letter in word:
            mask, bit = self.masks[node], self.bits.get(letter, 0)
            if not mask & bit:
                return False
            node = self.firsts[node] + (mask & below(bit)).bit_count()
        return bool(self.masks[node] & WORD_END)


def below(bit: int) -> int:
    """The letter bits that are lower than this one."""
    return (bit - 1) & ~WORD_END
