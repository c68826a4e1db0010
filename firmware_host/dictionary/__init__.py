"""What this machine can tell of English words, if Debian's packages for that are installed.

Nothing of it judges a word: that is the word list's alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.dictionary import scowl, wordnet
from firmware_host.dictionary.morphy import Part
from firmware_host.dictionary.wordnet import Meaning, WordNet

if TYPE_CHECKING:
    from scoring.lexicon import Lexicon

__all__ = ["ADVICE", "NOTHING", "Dictionary", "Meaning", "Part", "installed", "is_english"]

ADVICE = "sudo apt install wordnet-base scowl"
"""How to have all of it."""

MOST_KNOWN = 1000
"""Words whose meanings are remembered."""

_TELLING = (
    *("which", "would", "should", "through", "their", "there", "where", "with", "without"),
    *("these", "those", "what", "when", "they", "them", "because", "could", "about", "after"),
    *("before", "between", "again", "every", "enough", "though", "the", "and", "thing"),
)
"""Words that a list of English words has, and one of another language has not."""


class Dictionary:
    """Tells meanings, and how common words are; for any thread.

    Args:
        meanings: a WordNet; None where there is none.
        commonness: the folder of SCOWL; the same.
    """

    def __init__(self, meanings: WordNet | None = None, commonness: Path | None = None) -> None:
        self._meanings = meanings
        self._commonness = commonness
        self._looked_up = lru_cache(MOST_KNOWN)(self._look_up)

    @property
    def has_meanings(self) -> bool:
        """Whether it tells meanings."""
        return self._meanings is not None

    @property
    def has_levels(self) -> bool:
        """Whether it tells how common words are."""
        return self._commonness is not None

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """As of `firmware_host.dictionary.wordnet.WordNet.meanings`; none without one."""
        return self._looked_up(word)

    def levels(self, words: Collection[str]) -> Mapping[str, int]:
        """As of `firmware_host.dictionary.scowl.levels`; none without it."""
        return scowl.levels(words, self._commonness) if self._commonness else {}

    def _look_up(self, word: str) -> tuple[Meaning, ...]:
        return self._meanings.meanings(word) if self._meanings else ()


NOTHING = Dictionary()
"""That of a machine that has none, and of every other language."""


def installed(
    lexicon: Lexicon, wordnet_folder: Path = wordnet.FOLDER, scowl_folder: Path = scowl.FOLDER
) -> Dictionary:
    """What is installed for a word list.

    Raises:
        OSError, ValueError: it is there, but cannot be read.
    """
    if not is_english(lexicon):
        return NOTHING
    return Dictionary(
        WordNet(wordnet_folder) if wordnet_folder.is_dir() else None,
        scowl_folder if scowl_folder.is_dir() else None,
    )


def is_english(lexicon: Lexicon) -> bool:
    """Whether the words of a list are English: whether it has most of those that tell."""
    return sum(word in lexicon for word in _TELLING) > len(_TELLING) / 2
