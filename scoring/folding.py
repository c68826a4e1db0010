"""Accents that the cubes do not show: folded away, or kept, before words are compared.

Cubes of most sets carry plain letters only; on those the word "été" is laid as E, T, E.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_JOINED = {
    "ſ": "s",
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
    "ĳ": "ij",
}
"""Letters as print may join or shape them: always taken for the letters themselves."""

_SPELT_OUT = {
    "æ": "ae",
    "œ": "oe",
    "ß": "ss",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "ŧ": "t",
    "ı": "i",
}
"""Letters that Unicode does not take apart into a plain letter and an accent."""


@dataclass(frozen=True)
class Folding:
    """How words are brought to the letters of the cubes: called with a word, it gives it back.

    Always small letters in NFC, so that capitals and split accents do not matter.

    Attributes:
        keeps: letters that stay as they are; every other letter loses its accent, and æ, œ, ß, ø
            and their like become plain letters. None keeps all.

    Example:
        >>> Folding()("Été"), Folding("")("Cœur"), Folding("ñ")("Mañaná")
        ('été', 'coeur', 'mañana')
    """

    keeps: str | None = None

    def __call__(self, word: str) -> str:
        """The word as the cubes spell it."""
        small = word.lower()
        if small.isascii():
            return word if small == word else small  # one copy of a word is enough for millions
        return unicodedata.normalize("NFC", small).translate(self._table)

    @classmethod
    def for_faces(cls, faces: Iterable[str]) -> Folding:
        """Fold what no face shows.

        Args:
            faces: all faces of a cube set, such as ``"Qu"`` or ``"Ñ"``.

        Example:
            >>> Folding.for_faces(["A", "Ñ", "Qu"])
            Folding(keeps='ñ')
        """
        shown = set("".join(map(cls(), faces)))
        return cls("".join(sorted(char for char in shown if _plain(char) != char)))

    @cached_property
    def _table(self) -> dict[int, str]:
        joined = {ord(char): letters for char, letters in _JOINED.items()}
        return joined if self.keeps is None else _Table(self.keeps, joined)


class _Table(dict[int, str]):
    """What becomes of each letter, for `str.translate`; filled as letters come."""

    def __init__(self, keeps: str, known: dict[int, str]) -> None:
        super().__init__(known | {ord(char): char for char in keeps})

    def __missing__(self, code: int) -> str:
        self[code] = _plain(chr(code))
        return self[code]


def _plain(char: str) -> str:
    apart = unicodedata.normalize("NFD", char)
    bare = "".join(part for part in apart if unicodedata.category(part) != "Mn")
    spelt = "".join(_SPELT_OUT.get(part, part) for part in bare)
    return unicodedata.normalize("NFC", spelt)
