"""What a list of words may hold: the words that a rulebook allows, and a report of all others.

Rulebooks leave out names, abbreviations, and words with an apostrophe or a hyphen. Every `Reason`
says one rule.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.encoding import decode_text
from scoring.folding import Folding
from scoring.lexicon import LexiconError
from scoring.trie import LONGEST_WORD

APOSTROPHES = "'’‘ʼ`´"
HYPHENS = "-‐‑–—"
SOFT_HYPHEN = "\N{SOFT HYPHEN}"
"""Marks where a word may be broken; no part of it."""

_EXAMPLE_WIDTH = 30

Progress = Callable[[int, int], None]
"""Told while a file is read how much of how much is done."""

_HEAD = 1 << 16
"""Characters of a file that are looked at to tell a list from a text."""

_FLAGGED = 4
"""Of a Hunspell dictionary one line in so many has flags; of those that are known two in three."""

EXAMPLES = 5
"""Words that the report shows for each reason."""


class Kind(StrEnum):
    """What a file of words may be."""

    LIST = "list"
    """A word a line."""
    TEXT = "text"
    """Running text, such as a novel."""
    HUNSPELL = "hunspell"
    """A dictionary for spelling: stems, and the rules that make forms of them."""


class Reason(StrEnum):
    """Why a word is left out."""

    NAME = "name"
    """With a capital: a proper noun."""
    SENTENCE_START = "sentence_start"
    """In a text: only ever seen at the beginning of sentences, so it may be a name."""
    ACRONYM = "acronym"
    """All in capitals."""
    ABBREVIATION = "abbreviation"
    """With a dot."""
    APOSTROPHE = "apostrophe"
    HYPHEN = "hyphen"
    SEVERAL_WORDS = "several_words"
    """A space inside."""
    NUMERAL = "numeral"
    """In a text: a Roman numeral such as xiv."""
    SIGN = "sign"
    """A digit, or anything else that is no letter."""
    SINGLE_LETTER = "single_letter"
    TOO_LONG = "too_long"
    """More than `LONGEST_WORD` letters."""

    @property
    def label(self) -> str:
        """A few words for people."""
        return _LABELS[self]


_LABELS = {
    Reason.NAME: "with a capital: a name",
    Reason.SENTENCE_START: "only at the beginning of sentences: perhaps a name",
    Reason.ACRONYM: "all in capitals",
    Reason.ABBREVIATION: "with a dot: an abbreviation",
    Reason.APOSTROPHE: "with an apostrophe",
    Reason.HYPHEN: "with a hyphen",
    Reason.SEVERAL_WORDS: "more than one word",
    Reason.NUMERAL: "a Roman numeral",
    Reason.SIGN: "with a digit or another sign",
    Reason.SINGLE_LETTER: "a single letter",
    Reason.TOO_LONG: f"longer than {LONGEST_WORD} letters",
}
_CAPITALS = (Reason.NAME, Reason.ACRONYM)
_MARKS = {
    " \t\N{NO-BREAK SPACE}": Reason.SEVERAL_WORDS,
    APOSTROPHES: Reason.APOSTROPHE,
    HYPHENS: Reason.HYPHEN,
    ".": Reason.ABBREVIATION,
}


@dataclass(frozen=True)
class Omission:
    """What was left out for one reason.

    Attributes:
        reason: the rule.
        count: how many words; of a list its lines, of a dictionary the forms it makes, of a text
            its different words.
        examples: the first few, as written.
    """

    reason: Reason
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Intake:
    """The words of a file, and what was left out of it.

    Attributes:
        words: folded, each once, sorted.
        left_out: a reason each, in the order of `Reason`.
    """

    words: tuple[str, ...]
    left_out: tuple[Omission, ...]

    def left(self, *reasons: Reason) -> int:
        """Number of words left out for these reasons."""
        return sum(omission.count for omission in self.left_out if omission.reason in reasons)


@dataclass
class Sieve:
    """Takes words one by one, in any number, and keeps those that are allowed.

    A word with a capital is a name. Where no word at all is in small letters the list is simply
    written in capitals, and they mean nothing.

    Attributes:
        folding: how the words are spelt in the end.
        keep_capitals: words with a capital at their beginning are words, such as German nouns.

    Example:
        >>> sieve = Sieve()
        >>> for word in ("tea", "Paris", "don't"):
        ...     sieve.take(word)
        >>> intake = sieve.intake()
        >>> intake.words, [str(omission.reason) for omission in intake.left_out]
        (('tea',), ['name', 'apostrophe'])
    """

    folding: Folding = field(default_factory=Folding)
    keep_capitals: bool = False
    _words: set[str] = field(default_factory=set, init=False)
    _in_capitals: set[str] = field(default_factory=set, init=False)
    _counts: Counter[Reason] = field(default_factory=Counter, init=False)
    _examples: dict[Reason, list[str]] = field(default_factory=dict, init=False)

    def take(self, raw: str) -> None:
        """Keep the word, or count why not."""
        if not raw.isascii():
            raw = unicodedata.normalize("NFC", raw).replace(SOFT_HYPHEN, "")
        word = self.folding(raw)
        reason = objection(raw, word)
        if reason:
            self.leave(raw, reason)
        elif raw == raw.lower() or (self.keep_capitals and raw[1:].islower()):
            self._words.add(word)
        else:
            self._take_capital(raw, word)

    def leave(self, raw: str, reason: Reason) -> None:
        """Leave the word out for a reason of the caller's own."""
        self._counts[reason] += 1
        examples = self._examples.setdefault(reason, [])
        shown = raw if len(raw) <= _EXAMPLE_WIDTH else f"{raw[:_EXAMPLE_WIDTH]}…"
        if len(examples) < EXAMPLES and shown not in examples:
            examples.append(shown)

    def intake(self) -> Intake:
        """All that was taken so far.

        Raises:
            LexiconError: no words at all.
        """
        words = self._words or self._in_capitals
        if not words:
            raise LexiconError("it holds no words", self._advice())
        meant = Reason if self._words else [why for why in Reason if why not in _CAPITALS]
        left = [reason for reason in meant if self._counts[reason]]
        return Intake(
            tuple(sorted(words)),
            tuple(Omission(why, self._counts[why], tuple(self._examples[why])) for why in left),
        )

    def _take_capital(self, raw: str, word: str) -> None:
        self.leave(raw, Reason.ACRONYM if raw.isupper() else Reason.NAME)
        if not self._words:
            self._in_capitals.add(word)
        else:
            self._in_capitals.clear()

    def _advice(self) -> str:
        if not self._counts:
            return "Look whether it is the right file: there is not one word in it."
        ((reason, count),) = self._counts.most_common(1)
        were = "was" if count == 1 else "were"
        return f"{count:,} {were} left out: {reason.label}, as {self._examples[reason][0]}"


def objection(raw: str, word: str) -> Reason | None:
    """Why this can be no word whatever its capitals; None where it can.

    Args:
        raw: as written, NFC.
        word: the same, folded.
    """
    if len(word) > LONGEST_WORD:
        return Reason.TOO_LONG
    if word.isalpha() and unicodedata.is_normalized("NFKC", word):  # no raised or script letters
        return Reason.SINGLE_LETTER if len(word) == 1 else None
    found = (reason for signs, reason in _MARKS.items() if any(sign in raw for sign in signs))
    return next(found, Reason.SIGN)


def kind_of(data: bytes) -> Kind:
    """What a text file is: a list, unless most lines that hold a word hold several.

    A Hunspell dictionary begins with the number of its lines; a slash divides words and flags.

    Raises:
        LexiconError: another encoding, or no text.
    """
    head = decode_text(data, LexiconError)[:_HEAD]
    lines = [line for line in head.splitlines() if any(map(str.isalpha, line))]
    counted = head[: head.find("\n")].strip().isdecimal()
    if counted and sum("/" in line for line in lines) * _FLAGGED > len(lines):
        return Kind.HUNSPELL
    several = sum(len(line.split()) > 1 for line in lines)
    return Kind.TEXT if several * 2 > len(lines) else Kind.LIST


def take_list(data: bytes, sieve: Sieve) -> None:
    """Take a file with a word a line, UTF-8; blank lines do not matter.

    Raises:
        LexiconError: another encoding, or no text.
    """
    for line in decode_text(data, LexiconError).splitlines():
        if word := line.strip():
            sieve.take(word)
