"""What reads the picture of a word; the rest of the room does not know which engine it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Look:
    """What is seen along a word, from its left to its right.

    Attributes:
        log_probabilities: (steps, 1 + letters): at each step the natural logarithms of the
            probabilities that no letter is there, and of each letter in either case. What is left
            to 1 is for signs that are no letters.
        step_px: how far a step goes, in pixels of the picture; the first one begins at its edge,
            and the last ones may lie behind the other edge.
    """

    log_probabilities: NDArray[np.float64]
    step_px: float


class Recogniser(Protocol):
    """Sees letters along a word, and how sure it is of each."""

    @property
    def alphabet(self) -> str:
        """The letters that it tells apart, capitals, in the order of its columns."""
        ...

    def looks(self, pictures: Sequence[NDArray[np.uint8]]) -> Sequence[Look]:
        """What it sees in each of some pictures; some engines are fast only with many at once.

        Args:
            pictures: (height, width) each, grey, dark ink on light paper, upright, a margin around
                it; may be none.
        """
        ...


class Remembering:
    """A recogniser that looks at each picture once, however often it is asked.

    Args:
        recogniser: that looks. Pictures are told apart as objects, and must not be changed.
    """

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._seen: dict[int, tuple[NDArray[np.uint8], Look]] = {}

    @property
    def alphabet(self) -> str:
        """The letters of the recogniser."""
        return self._recogniser.alphabet

    def looks(self, pictures: Sequence[NDArray[np.uint8]]) -> Sequence[Look]:
        """What it sees in each; see `Recogniser`."""
        new = {id(it): it for it in pictures if id(it) not in self._seen}
        looks = self._recogniser.looks([*new.values()])
        for (key, picture), look in zip(new.items(), looks, strict=True):
            self._seen[key] = (picture, look)  # kept, so that no other gets its number
        return [self._seen[id(it)][1] for it in pictures]
