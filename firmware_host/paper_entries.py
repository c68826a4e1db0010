"""Words that were read on paper, as lines of a list for the referee."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.wordlist import Entry
from vision.paper.reading import Doubt, WordReading


def entries_of(words: Iterable[WordReading]) -> tuple[Entry, ...]:
    """The lines of a list for the referee: doubtful ones are no words until they are confirmed."""
    return tuple(_entry(number, word) for number, word in enumerate(words, 1))


def _entry(number: int, word: WordReading) -> Entry:
    text = word.text.lower()
    if word.doubtful or not text:
        return Entry(number, text or "?", None, _doubt(word), struck=not word.doubtful)
    return Entry(number, text, text, None, struck=word.struck)


def _doubt(word: WordReading) -> str:
    readings = ", ".join(f"{text.lower()} {share:.0%}" for text, share in word.alternatives)
    if not readings:
        return "nothing could be read here"
    return "; ".join([f"read as {readings}", *why_else(word)])


def why_else(word: WordReading) -> tuple[str, ...]:
    """Why a word is doubtful beside its readings."""
    return tuple(str(doubt) for doubt in word.doubts if doubt is not Doubt.UNCLEAR)
