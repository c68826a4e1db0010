"""Words of a running text such as a novel, proper nouns left out.

The rule for proper nouns: a word counts when it stands somewhere in the text in small letters. What
is only ever seen with a capital is left out; in the report, what is only ever seen at the beginning
of sentences is counted by itself, for it may be a name or not.

The other rules:

* Of an elided article or pronoun before a vowel or h (l'homme, qu'elle, dell'arte) the word behind
  it counts. Every other word with an apostrophe inside (don't) is left out.
* A word that an apostrophe touches (goin', 'tis) or that a line end divides (exam-ple) is not sure:
  it counts when it stands whole somewhere else.
* Underscores, stars and the like around words are emphasis, not part of them.
* Numbers are no words and are not counted; a Roman numeral (xiv, XIV) is left out.
* An address (http://example.org/tea) is left out as a whole.
* Of books of Project Gutenberg only the books count, not the notices before and behind each.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from scoring.encoding import decode_text
from scoring.folding import Folding
from scoring.intake import APOSTROPHES, SOFT_HYPHEN, Progress, Reason, Sieve, objection
from scoring.lexicon import LexiconError

_BROKEN = "\x1f"
"""Stands for a hyphen at a line end; no text has this sign, `decode_text` sees to it."""

_NOTICE = re.compile(
    r"""^[ \t]* (?: \*\*\*[ ]? (?: START | (?P<end> END ) ) [ ]OF[ ]TH(?:E|IS)[ ]PROJECT[ ]GUTENBERG
       | \*END\*THE[ ]SMALL[ ]PRINT! ) .*$""",
    re.MULTILINE | re.VERBOSE,
)
"""The line before a book, of today or of old, or the one behind it."""

_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐]\n\s*(?=[^\W\d_])")
_SOFT_HYPHEN = re.compile(f"{SOFT_HYPHEN}(?:\n[ \t]*)?")
_TOKEN = re.compile(
    rf"""(?P<word> (?: [^\W_]+:// | [^\W_]+ (?: \.[^\W_]+ )+ / ) \S*\w
         | [^\W_]+ (?: [-‐.'@{_BROKEN}] [^\W_]+ )* )
       | (?P<end> [.!?…:] | \n[ \t]*\n | ["“”„«»‹›] | (?<!\w)' )""",
    re.VERBOSE,
)
_ELIDED = re.compile(
    r"(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|un|d?all|coll|dell|nell|sull|bell|quell|quest|sant)"
    r"'(?P<word>.+)",
    re.IGNORECASE,
)
_MUTE = frozenset("aeiouyh")
_ROMAN = re.compile(r"(?=..)x{0,3}(?:ix|iv|v?i{0,3})")
_TITLE_LETTERS = 3
"""A dot after so many letters at most, with a capital, ends no sentence: Mr., Dr., J."""

_PROGRESS_STEP = 5000


def take_text(data: bytes, sieve: Sieve, progress: Progress = lambda _done, _of: None) -> None:
    """Take every word of a text, UTF-8, by the rules of this module.

    Args:
        data: the whole text.
        sieve: what the words are given to, each once; it says whether capitals are words.
        progress: told of the work, in characters.

    Raises:
        LexiconError: another encoding, or no text.
    """
    text = _prepared(decode_text(data, LexiconError))
    reader = _Reader()
    for number, token in enumerate(_TOKEN.finditer(text)):
        if number % _PROGRESS_STEP == 0:
            progress(token.end(), len(text))
        reader.read(token)
    reader.give(sieve)
    progress(len(text), len(text))


def _prepared(text: str) -> str:
    """The text itself, with one sign for all apostrophes and broken words put together."""
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    text = _without_notices(text)
    text = text.translate(dict.fromkeys(map(ord, APOSTROPHES), "'"))
    text = _SOFT_HYPHEN.sub("", text.replace("_", ""))
    return _LINE_END_HYPHEN.sub(_BROKEN, text)


def _without_notices(text: str) -> str:
    """The books of Project Gutenberg in a text, or all of it where it shows no sign of them."""
    notices = list(_NOTICE.finditer(text))
    if not notices:
        return text
    books, start = [], 0 if notices[0]["end"] else None
    for notice in notices:
        if start is not None:
            books.append(text[start : notice.start()])
        start = None if notice["end"] else notice.end()
    if start is not None:
        books.append(text[start:])
    return "\n\n".join(books)


@dataclass
class _Capital:
    """A word seen with a capital.

    Attributes:
        raw: as written, rather with one capital than all in capitals.
        inside: seen inside a sentence.
        doubt: why it is not sure; None once it was seen whole.
    """

    raw: str
    inside: bool
    doubt: Reason | None


@dataclass
class _Reader:
    """What was seen of a text so far; dicts keep the order of the text."""

    small: dict[str, None] = field(default_factory=dict)
    capitals: dict[str, _Capital] = field(default_factory=dict)
    unsure: dict[str, Reason] = field(default_factory=dict)
    _starts: bool = True
    _last: re.Match[str] | None = None

    def read(self, token: re.Match[str]) -> None:
        """The next word or sentence mark of the text."""
        if token["end"]:
            self._starts = self._starts or not self._after_title(token)
            return
        word, text = token["word"], token.string
        elided = _ELIDED.fullmatch(word)
        if elided and Folding("")(elided["word"])[0] in _MUTE:
            word = elided["word"]
        touched = "'" in (
            text[token.start() - 1 : token.start()],
            text[token.end() : token.end() + 1],
        )
        self._see(word, touched=touched and not elided)
        self._starts = False
        self._last = token

    def _after_title(self, token: re.Match[str]) -> bool:
        last = self._last
        return (
            token["end"] == "."
            and last is not None
            and last.end() == token.start()
            and len(last["word"]) <= _TITLE_LETTERS
            and last["word"].istitle()
        )

    def _see(self, word: str, *, touched: bool) -> None:
        whole = word.replace(_BROKEN, "")
        if whole.isdecimal():
            return
        doubt = Reason.APOSTROPHE if touched else None
        if whole != word:
            doubt = Reason.HYPHEN
        if whole != whole.lower():
            self._see_capital(whole, doubt)
        elif doubt:
            self.unsure.setdefault(whole, doubt)
        else:
            self.small[whole] = None

    def _see_capital(self, word: str, doubt: Reason | None) -> None:
        inside = not self._starts
        seen = self.capitals.setdefault(word.lower(), _Capital(word, inside, doubt))
        seen.inside = seen.inside or inside
        seen.doubt = doubt and seen.doubt
        if seen.raw.isupper():
            seen.raw = word

    def give(self, sieve: Sieve) -> None:
        """Give the sieve what counts, and what does not with its reason."""
        for word in self.small:
            if _ROMAN.fullmatch(word):
                sieve.leave(word, Reason.NUMERAL)
            else:
                sieve.take(word)
        for word, reason in self.unsure.items():
            if word not in self.small and word not in self.capitals:
                sieve.leave(word, reason)
        for small, seen in self.capitals.items():
            if small not in self.small:
                objected = self._objection(small, seen, sieve)
                if objected:
                    sieve.leave(seen.raw, objected)
                else:
                    sieve.take(seen.raw)

    def _objection(self, small: str, seen: _Capital, sieve: Sieve) -> Reason | None:
        in_question = bool(self.small) and not sieve.keep_capitals
        only_starts = not seen.inside and not seen.raw.isupper()
        if _ROMAN.fullmatch(small):
            return Reason.NUMERAL
        if in_question and only_starts and not objection(seen.raw, sieve.folding(seen.raw)):
            return Reason.SENTENCE_START
        return seen.doubt
