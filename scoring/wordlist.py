"""A player's list as text: a word a line, and nothing guessed.

Numbers and bullets before a word and punctuation around it are not part of it. A line that could
mean several things is no word but a problem, for a person to settle.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from scoring.encoding import TextError, decode_text

APOSTROPHE = "'"
HYPHEN = "-"

_NUMBER = re.compile(r"\W*\d+[.):](?!\d)")
_ALIKE = str.maketrans(dict.fromkeys("’‘ʼ`´", APOSTROPHE) | dict.fromkeys("‐‑–", HYPHEN))


class WordListError(TextError):
    """A player's list cannot be read as text."""


@dataclass(frozen=True)
class Entry:
    """One line of a player's list.

    Attributes:
        line_number: from 1, as an editor counts.
        text: the line as written, without the space around it.
        word: the word in small letters, NFKC, apostrophes and hyphens inside it kept; None where
            the line cannot be decided.
        problem: why it cannot, a few words; None where there is a word.
        struck: the player crossed it out: it is not played.
    """

    line_number: int
    text: str
    word: str | None
    problem: str | None
    struck: bool = False


def parse_word_list(text: str) -> tuple[Entry, ...]:
    r"""Read a list; lines without a word, such as blank ones or a mere number, are skipped.

    Example:
        >>> [entry.word for entry in parse_word_list("1. Team\n- tea,\n\n* EAT")]
        ['team', 'tea', 'eat']
        >>> parse_word_list("tea eat")[0].problem
        'more than one word on the line'
    """
    entries = (_entry(number, line) for number, line in enumerate(text.splitlines(), 1))
    return tuple(entry for entry in entries if entry is not None)


def decode_word_list(data: bytes) -> str:
    """The text of a file, UTF-8 with or without a byte order mark.

    Raises:
        WordListError: another encoding, or no text at all.
    """
    return decode_text(data, WordListError)


def _entry(number: int, line: str) -> Entry | None:
    text = line.strip()
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    numbered = _NUMBER.match(plain)
    word = _strip_punctuation(plain[numbered.end() :] if numbered else plain).lower()
    if not word:
        return None
    problem = _problem(word)
    return Entry(number, text, None if problem else word, problem)


def _strip_punctuation(text: str) -> str:
    inside = [place for place, char in enumerate(text) if not _is_padding(char)]
    return text[inside[0] : inside[-1] + 1] if inside else ""


def _is_padding(char: str) -> bool:
    return char.isspace() or unicodedata.category(char).startswith("P")


def _problem(word: str) -> str | None:
    if any(char.isspace() for char in word):
        return "more than one word on the line"
    if any(char.isdigit() for char in word):
        return "a digit in the word"
    for char in word:
        if not (char.isalpha() or char in (APOSTROPHE, HYPHEN)):
            return f"{char!r} in the word"
    return None
