"""Hunspell dictionaries: every word that their stems and affixes make.

The files are parsed by the library spylls, which follows Hunspell; this module turns its tables
round, from "is this a word?" to "which words are there?". Compounds, of which most languages that
have them allow any number, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

from spylls.hunspell.data.aff import Aff, Affix
from spylls.hunspell.data.dic import Dic, Word
from spylls.hunspell.readers import read_aff, read_dic

from scoring.intake import APOSTROPHES, HYPHENS, Progress, Sieve
from scoring.lexicon import LexiconError

Table = dict[str, list[Affix]]
"""Affixes by flag."""

_ITEM = re.compile(r"\[[^\]]*\]|.")
"""What stands for one letter in the condition of an affix."""

_SIGNS = frozenset(APOSTROPHES + HYPHENS + ".")
_PROGRESS_STEP = 1000
_LATIN = "cp1252"
"""Encoding of a file that names none."""

_REMARKS = (b"\t", b"/", b"#")
"""What lines of a dictionary begin with that hold no stem."""


class _Lines:
    """The lines of a file as the library reads them: numbered, none empty, no remarks."""

    def __init__(
        self, data: bytes, encoding: str = _LATIN, remarks: tuple[bytes, ...] = ()
    ) -> None:
        self._remarks = remarks
        self._lines = enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
        self.reset_encoding(encoding)

    def reset_encoding(self, encoding: str) -> None:
        """From now on read so: a line of the file itself says it."""
        self._encoding = encoding.lower().removeprefix("microsoft-")

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> tuple[int, str]:
        for number, line in self._lines:
            # Flags may be bytes that are no text in the encoding of the words.
            text = line.decode(self._encoding, "surrogateescape").strip()
            if text and not line.startswith(self._remarks):
                return number, text
        raise StopIteration


def take_dictionary(
    dictionary: bytes, rules: bytes, sieve: Sieve, progress: Progress = lambda _done, _of: None
) -> None:
    """Take every word that a dictionary makes, compounds aside.

    Args:
        dictionary: the ``.dic`` file.
        rules: the ``.aff`` file.
        sieve: what the words are given to.
        progress: told of the work.

    Raises:
        LexiconError: these are no such files.
    """
    expansion = Expansion.read(dictionary, rules)
    words = expansion.words
    for done, word in enumerate(words):
        if done % _PROGRESS_STEP == 0:
            progress(done, len(words))
        for form in chain(expansion.forms(word), expansion.elided(word)):
            sieve.take(form)
    progress(len(words), len(words))


class _Affixes:
    """The affixes of one end of a word, by flag."""

    def __init__(self, table: Table, *, at_end: bool, full_strip: bool) -> None:
        self.table = table
        self._at_end = at_end
        self._full_strip = full_strip
        self._reach = {flag: max(map(_reach, affixes)) for flag, affixes in table.items()}
        self._fitting: dict[tuple[str, str], list[Affix]] = {}

    def on(self, text: str, flags: Iterable[str]) -> Iterator[tuple[str, Affix]]:
        """Every form that an affix with one of these flags makes of a text."""
        for flag in sorted(flags):  # sets have an order of their own at every start
            if flag in self._reach:
                for affix in self._fitting_at(text, flag):
                    if self._full_strip or len(text) > len(affix.strip):
                        yield self._put_on(text, affix), affix

    def _fitting_at(self, text: str, flag: str) -> list[Affix]:
        """The affixes whose condition holds; only the last few letters matter, and often recur."""
        reach = self._reach[flag]
        end = text[-reach:] if self._at_end else text[:reach]
        key = flag, end if reach else ""
        if key not in self._fitting:
            self._fitting[key] = [affix for affix in self.table[flag] if self._fits(affix, end)]
        return self._fitting[key]

    def _fits(self, affix: Affix, end: str) -> bool:
        strips = end.endswith(affix.strip) if self._at_end else end.startswith(affix.strip)
        return strips and affix.cond_regexp.search(end) is not None

    def _put_on(self, text: str, affix: Affix) -> str:
        strip, add = len(affix.strip), str(affix.add)
        return text[: len(text) - strip] + add if self._at_end else add + text[strip:]


def _reach(affix: Affix) -> int:
    """How many letters of a word decide whether an affix fits."""
    return max(len(affix.strip), len(_ITEM.findall(affix.condition)))


class _Form(NamedTuple):
    """A stem with what was put on.

    Attributes:
        text: the letters.
        prefix: the prefix next to the stem.
        suffix: the suffix next to the stem.
        outer: affixes further out, each allowed by the one further in.
    """

    text: str
    prefix: Affix | None = None
    suffix: Affix | None = None
    outer: tuple[Affix, ...] = ()


class Expansion:
    """All forms of all words of a dictionary.

    Args:
        aff: its rules, as the library reads them.
        dictionary: its stems.

    Attributes:
        words: the entries.
    """

    def __init__(self, aff: Aff, dictionary: Dic) -> None:
        self.words: list[Word] = dictionary.words
        self._aff = aff
        self._prefixes, self._signed_prefixes = _both(aff.PFX, aff, at_end=False)
        self._suffixes, self._signed_suffixes = _both(aff.SFX, aff, at_end=True)
        self._marks = any((aff.NEEDAFFIX, aff.CIRCUMFIX, aff.ONLYINCOMPOUND))
        forbidden = {word.stem for word in self.words if self._forbidden(word)}
        allowed = {word.stem for word in self.words if not self._forbidden(word)}
        self._never, self._bare = forbidden - allowed, forbidden & allowed

    @classmethod
    def read(cls, dictionary: bytes, rules: bytes) -> Expansion:
        """Of the ``.dic`` file and the ``.aff`` file.

        Raises:
            LexiconError: these are no such files.
        """
        try:
            aff, context = read_aff(_Lines(rules))
            dic = read_dic(_Lines(dictionary, context.encoding, _REMARKS), aff=aff, context=context)
        except (AttributeError, LookupError, TypeError, ValueError, re.error) as error:
            # The library checks nothing: a wrong file ends in one of these.
            raise LexiconError(
                f"it is no Hunspell dictionary that can be read ({type(error).__name__}: {error})",
                "Give a pair NAME.dic and NAME.aff, as Debian's hunspell packages have them.",
            ) from error
        return cls(aff, dic)

    def forms(self, word: Word) -> Iterator[str]:
        """All forms of one entry that affixes of letters make; some may come twice."""
        if self._forbidden(word):
            return
        bare = word.stem in self._bare  # as Hunspell has it where a word of its spelling is banned
        forms = iter([_Form(word.stem)]) if bare else self._all_forms(word)
        for form in forms:
            if self._stands_alone(form, word.flags) and form.text not in self._never:
                yield form.text

    def elided(self, word: Word) -> Iterator[str]:
        """What affixes with an apostrophe or another sign make of the stem, such as l'amico.

        No such form is a word here. They are named for the report, those of inflected forms aside,
        which are many millions in Italian.
        """
        for affixes in (self._signed_prefixes, self._signed_suffixes):
            for text, _ in affixes.on(word.stem, word.flags):
                yield text

    def _all_forms(self, word: Word) -> Iterator[_Form]:
        yield from self._prefixed(_Form(word.stem), word.flags)
        for form in self._suffixed(word.stem, word.flags):
            yield from self._prefixed(form, word.flags)
        yield from self._by_prefix(word)

    def _suffixed(self, stem: str, flags: AbstractSet[str]) -> Iterator[_Form]:
        """With one suffix, and with a second that the first allows."""
        for text, suffix in self._suffixes.on(stem, flags):
            yield _Form(text, None, suffix)
            for further, outer in self._suffixes.on(text, suffix.flags):
                yield _Form(further, None, suffix, (outer,))

    def _prefixed(self, form: _Form, flags: AbstractSet[str]) -> Iterator[_Form]:
        """The form, and all that a prefix makes of it, be it allowed by the stem or the suffix."""
        yield form
        if form.suffix and form.suffix.flags:
            flags = flags | form.suffix.flags
        for text, prefix in self._prefixes.on(form.text, flags):
            if _cross(form, prefix):
                yield form._replace(text=text, prefix=prefix)
                if self._aff.COMPLEXPREFIXES:
                    yield from self._second_prefix(form, text, prefix)

    def _second_prefix(self, form: _Form, text: str, prefix: Affix) -> Iterator[_Form]:
        for further, outer in self._prefixes.on(text, prefix.flags):
            yield _Form(further, prefix, form.suffix, (*form.outer, outer))

    def _by_prefix(self, word: Word) -> Iterator[_Form]:
        """With suffixes that the stem does not allow, but its prefix does."""
        for flag in word.flags:
            for prefix in self._prefixes.table.get(flag, ()):
                for form in self._suffixed(word.stem, prefix.flags - word.flags):
                    for text, put_on in self._prefixes.on(form.text, (flag,)):
                        if put_on is prefix and _cross(form, prefix):
                            yield form._replace(text=text, prefix=prefix)

    def _stands_alone(self, form: _Form, flags: AbstractSet[str]) -> bool:
        """No mark of stem or affixes asks for something that the form lacks."""
        if not self._marks:
            return True
        inner = [affix.flags for affix in (form.prefix, form.suffix) if affix]
        if any(self._aff.ONLYINCOMPOUND in has for has in (flags, *inner)):
            return False
        if not inner:
            return self._aff.NEEDAFFIX not in flags
        prefixed, suffixed = (
            affix is not None and self._aff.CIRCUMFIX in affix.flags
            for affix in (form.prefix, form.suffix)
        )
        if prefixed != suffixed:  # a circumfix is both, or it is none
            return False
        return not all(
            self._aff.NEEDAFFIX in has for has in (*inner, *(a.flags for a in form.outer))
        )

    def _forbidden(self, word: Word) -> bool:
        return self._aff.FORBIDDENWORD in word.flags


def _both(table: Table, aff: Aff, *, at_end: bool) -> tuple[_Affixes, _Affixes]:
    """The affixes of letters alone, and those that bring in another sign."""
    return (
        _Affixes(_chosen(table, signed=False), at_end=at_end, full_strip=aff.FULLSTRIP),
        _Affixes(_chosen(table, signed=True), at_end=at_end, full_strip=aff.FULLSTRIP),
    )


def _chosen(table: Table, *, signed: bool) -> Table:
    chosen = {
        flag: [affix for affix in affixes if _SIGNS.isdisjoint(affix.add) is not signed]
        for flag, affixes in table.items()
    }
    return {flag: affixes for flag, affixes in chosen.items() if affixes}


def _cross(form: _Form, prefix: Affix) -> bool:
    suffixes = [form.suffix, *form.outer] if form.suffix else []
    return not suffixes or all(affix.crossproduct for affix in (prefix, *suffixes))
