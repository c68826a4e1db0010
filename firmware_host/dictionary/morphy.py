"""From a form of an English word to those that a dictionary may have it under, as WordNet does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType


class Part(StrEnum):
    """A part of speech."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"


_RULES: Mapping[Part, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Part.NOUN: (
            ("s", ""),
            ("ses", "s"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ),
        Part.VERB: (
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ),
        Part.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
        Part.ADVERB: (),
    }
)
"""Endings, and what stands in their place in the base form: those of WordNet's morphy(7)."""


def base_forms(word: str, part: Part) -> Iterator[str]:
    """What a regular form may be a form of, such as ``tea`` of ``teas``.

    Args:
        word: in small letters.
        part: of speech.
    """
    if part is Part.NOUN and (word.endswith("ss") or len(word) <= 2):
        return
    for ending, instead in _RULES[part]:
        if word.endswith(ending) and len(word) > len(ending):
            yield word.removesuffix(ending) + instead
