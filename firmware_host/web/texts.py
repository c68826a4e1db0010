"""The texts of the pages in their languages, as shipped or as somebody would rather have them.

A catalogue is a TOML file a language. Its tables are parts of keys: ``start`` in ``[display]`` is
``display.start``. Words in braces are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_host.errors import CommandError, unusable_file
from firmware_host.files import read_given
from scoring.encoding import TextError, decode_toml

LANGUAGES = ("en", "de", "fr", "es", "it")
"""Languages of the shipped catalogues; a text that one of them lacks is that of the first."""

LARGEST_FILE = 200_000
"""Bytes at most of somebody's own wording."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MOST_ASKED = 20  # languages of a header that are looked at
_ADVICE = "Mend it; the files in firmware_host/web/texts have every key, docs/pages-look.md tells."


class TextsError(TextError):
    """A file of somebody's own wording is not sound."""


@dataclass(frozen=True)
class Texts:
    """The texts of one language.

    Attributes:
        language: its code, as in HTML's ``lang``.
        entries: by key.
    """

    language: str
    entries: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """A text, its placeholders filled in.

        Raises:
            KeyError: there is no such text, or a value is missing.
        """
        return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), self.entries[key])

    def parts(self, *tables: str) -> dict[str, str]:
        """The entries of some tables, such as ``display``, and single ones, for a page's script."""
        heads = tuple(f"{table}." for table in tables)
        return {
            key: text
            for key, text in self.entries.items()
            if key in tables or key.startswith(heads)
        }


@dataclass(frozen=True)
class Catalogues:
    """The texts of all languages.

    Attributes:
        by_language: by code, in the order in which languages are offered.
    """

    by_language: Mapping[str, Texts]

    def of(self, language: str) -> Texts:
        """Those of a language; of the first one where there is no such."""
        return self.by_language.get(language) or self.by_language[LANGUAGES[0]]

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """Code and own name of each language."""
        return tuple((code, texts("common.language")) for code, texts in self.by_language.items())

    def chosen(self, asked: str | None, kept: str | None, accepted: str | None) -> Texts:
        """Those that somebody shall have: the first of these that is a language here.

        Args:
            asked: for this one page, by ``?lang=``.
            kept: from an earlier choice, by a cookie.
            accepted: the browser's header ``Accept-Language``.
        """
        wishes = (asked or "", kept or "", *accepted_languages(accepted or ""), LANGUAGES[0])
        return self.by_language[next(wish for wish in wishes if wish in self.by_language)]


def read_catalogues(own: Path | None = None) -> Catalogues:
    """All catalogues.

    Args:
        own: a folder with own wording: files such as ``de.toml``, with any of the shipped keys.

    Raises:
        CommandError: there is no such folder, or a file of it cannot be read.
        TextsError: it has a key or a placeholder that the shipped texts lack, or is no TOML.
    """
    if own is not None and not own.is_dir():
        message = f"there is no folder {own} with texts"
        raise unusable_file("texts", message, "Make it, or take texts out of [web].")
    first = shipped_texts(LANGUAGES[0])
    shipped = {code: {**first, **shipped_texts(code)} for code in LANGUAGES}
    return Catalogues(
        MappingProxyType(
            {
                code: Texts(code, MappingProxyType(entries | _own(own, code, entries)))
                for code, entries in shipped.items()
            }
        )
    )


def wrong_with(own: Path | None) -> str:
    """What is wrong with a folder of own wording; empty for nothing."""
    if own is None:
        return ""
    try:
        read_catalogues(own)
    except (CommandError, TextsError) as error:
        return f"[web] texts: {error}"
    return ""


def placeholders(text: str) -> frozenset[str]:
    """The names in braces of a text."""
    return frozenset(_PLACEHOLDER.findall(text))


def accepted_languages(header: str) -> tuple[str, ...]:
    """Two-letter codes of an ``Accept-Language`` header, the most wanted first.

    Example:
        >>> accepted_languages("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.95, *;q=0.5")
        ('fr', 'de', 'fr', 'en')
    """
    weighed = [_weighed(wish) for wish in header.split(",")[:_MOST_ASKED]]
    wanted = [wish for wish in weighed if wish[1] > 0 and wish[0].isalpha()]
    return tuple(code for code, _ in sorted(wanted, key=lambda wish: -wish[1]))


def _weighed(wish: str) -> tuple[str, float]:
    tag, _, weight = wish.strip().partition(";q=")
    code = tag.partition("-")[0].lower()
    return code, float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 1.0


def shipped_texts(language: str) -> dict[str, str]:
    """What the shipped catalogue of a language itself holds, without anything of another."""
    file = resources.files(__package__) / "texts" / f"{language}.toml"
    return dict(flattened(decode_toml(file.read_bytes(), TextsError, _ADVICE)))


def _own(folder: Path | None, language: str, known: Mapping[str, str]) -> dict[str, str]:
    file = None if folder is None else folder / f"{language}.toml"
    if file is None or not file.exists():
        return {}
    data = read_given(file, LARGEST_FILE, "texts", "file of texts")
    try:
        wording = dict(flattened(decode_toml(data, TextsError, _ADVICE)))
        _check(wording, known)
    except TextsError as error:
        raise error.of_file(str(file)) from None
    return wording


def flattened(table: Mapping[str, Any], above: Sequence[str] = ()) -> Iterable[tuple[str, str]]:
    """Each text of a decoded catalogue under its whole key.

    Raises:
        TextsError: a value is no text.
    """
    for name, value in table.items():
        key = (*above, name)
        if isinstance(value, Mapping):
            yield from flattened(value, key)
        elif isinstance(value, str):
            yield ".".join(key), value
        else:
            raise TextsError(f"{'.'.join(key)} should be a text, not {value!r}", _ADVICE)


def _check(wording: Mapping[str, str], known: Mapping[str, str]) -> None:
    for key, text in wording.items():
        if key not in known:
            raise TextsError(f"there is no text {key}", _ADVICE)
        strange = sorted(placeholders(text) - placeholders(known[key]))
        if strange:
            raise TextsError(f"{key} has no {{{strange[0]}}} to fill in", _ADVICE)
