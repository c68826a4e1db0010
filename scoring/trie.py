"""Words as a trie in two flat arrays, the form that the solver walks.

Nodes are numbered breadth first from the root, so the children of a node follow each other, in the
order of their letters. Two numbers say all about a node:

* ``masks[node]``: bit 0 is set where a word ends here, bit *n* where the node has a child for the
  *n*-th letter of the alphabet, counted from 1;
* ``firsts[node]``: the number of its first child.

The child for a letter lies as many places behind the first as there are lower letter bits set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

ROOT = 0
"""Number of the node that every word starts from."""

WORD_END = 1
"""The bit of a mask that says that a word ends at the node."""

LONGEST_WORD = 64
"""Letters at most: a longer line of a file is no word, and would cost memory."""

MOST_LETTERS = 63
"""Different letters at most: what a mask of 64 bits has room for beside `WORD_END`."""


@dataclass(frozen=True, eq=False)
class Trie:
    """A set of words; see the module for the arrays, which nobody changes.

    Attributes:
        alphabet: the letters that occur, each once, ascending.
        masks: 64 bits a node.
        firsts: 32 bits a node; of a node without children the number that a child would have.
    """

    alphabet: str
    masks: memoryview[int]
    firsts: memoryview[int]

    @cached_property
    def bits(self) -> dict[str, int]:
        """For each letter its bit in a mask."""
        return {letter: 1 << place for place, letter in enumerate(self.alphabet, 1)}

    @cached_property
    def levels(self) -> tuple[range, ...]:
        """The nodes of each depth, from the root: breadth first, each depth is one run."""
        levels, start, end = [], ROOT, ROOT + 1
        while start < end:
            levels.append(range(start, end))
            start, end = end, self._past_children(end - 1)
        return tuple(levels)

    def __contains__(self, word: str) -> bool:
        node = ROOT
        for letter in word:
            mask, bit = self.masks[node], self.bits.get(letter, 0)
            if not mask & bit:
                return False
            node = self.firsts[node] + (mask & below(bit)).bit_count()
        return bool(self.masks[node] & WORD_END)

    def __iter__(self) -> Iterator[str]:
        """All words, sorted."""
        stack = [(ROOT, "")]
        while stack:
            node, prefix = stack.pop()
            mask = self.masks[node]
            if mask & WORD_END:
                yield prefix
            child = self._past_children(node)
            rest = mask & ~WORD_END
            while rest:  # the last letter first: what is pushed last comes out first
                place = rest.bit_length() - 1
                rest ^= 1 << place
                child -= 1
                stack.append((child, prefix + self.alphabet[place - 1]))

    def _past_children(self, node: int) -> int:
        return self.firsts[node] + (self.masks[node] & ~WORD_END).bit_count()


def below(bit: int) -> int:
    """The letter bits that are lower than this one."""
    return (bit - 1) & ~WORD_END
