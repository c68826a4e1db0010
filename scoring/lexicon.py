"""Word lists: what counts as a word, and the trie that the solver walks.

A lexicon holds small letters in NFC; its folding says whether accents are kept. The list that comes
with the product is ENABLE, in the public domain; ``scoring/data/enable.json`` says where it is
from.

The compiled form is made to be mapped into memory and used where it lies: a head (magic, version,
checksum of the rest), then the length of the facts and the facts as JSON, filled up with spaces so
that the two arrays of the trie, which follow, begin at a multiple of eight bytes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from mmap import mmap
from typing import Any

from scoring.encoding import TextError
from scoring.engine import Engine, engines
from scoring.folding import Folding
from scoring.trie import LONGEST_WORD, MOST_LETTERS, WORD_END, Trie

BUILT_IN = "enable"
"""Name of the word list that comes with the product."""

_ACCENTS_KEPT = Folding()
_MAGIC = b"wordtray"
_VERSION = 2
_HEAD = struct.Struct("<8sII")
"""Magic, version and checksum (CRC-32) of all that follows."""
_FACTS_LENGTH = struct.Struct("<I")
_ALIGNED = 8
"""Bytes: what the masks of the trie must begin at a multiple of."""
_NODE_BYTES = 12
"""Of a mask and the number of a first child."""
_FACTS = {
    "name": str,
    "source": str,
    "licence": str,
    "keeps": str | None,
    "alphabet": str,
    "nodes": int,
    "byteorder": str,
}
"""What the compiled form says of a lexicon, and the types."""


class LexiconError(TextError):
    """A word list cannot be used."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """An immutable word list.

    Attributes:
        name: how commands and results call it.
        source: where the words are from.
        licence: what one may do with them.
        trie: the words as a trie.
        folding: how words are brought to the letters of the list; do the same to what you look up.

    Example:
        >>> lexicon = Lexicon.from_words("mine", ["Tea", "eat"])
        >>> lexicon.words, "tea" in lexicon, "te" in lexicon
        (('eat', 'tea'), True, False)
    """

    name: str
    source: str
    licence: str
    trie: Trie = field(repr=False)
    folding: Folding = _ACCENTS_KEPT

    @classmethod
    def from_words(
        cls,
        name: str,
        words: Iterable[str],
        source: str = "",
        licence: str = "",
        folding: Folding = _ACCENTS_KEPT,
    ) -> Lexicon:
        """Lexicon of any words; they are folded, repeats and order do not matter.

        Raises:
            LexiconError: a word is no word of letters or too long, or the words use more letters
                than a trie holds.
        """
        from scoring.trie_builder import build_trie  # noqa: PLC0415 - numpy only to build

        folded = sorted(set(map(folding, words)))
        for word in folded:
            if not _is_word(word):
                raise LexiconError(
                    f"{word[:40]!r} is no word: 1 to {LONGEST_WORD} letters and nothing else",
                    "Take it out of the list.",
                )
        try:
            trie = build_trie(folded)
        except ValueError as error:
            raise LexiconError(
                f"{error}", f"Keep the words of one script: {MOST_LETTERS} letters at most."
            ) from error
        return cls(name, source, licence, trie, folding)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, sorted; spelt out of the trie when first asked for."""
        return tuple(self.trie)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that differ where words or folding do."""
        digest = hashlib.blake2b(digest_size=8)
        for part in (repr((self.trie.alphabet, self.folding.keeps)).encode(), self.trie.masks):
            digest.update(part)
        return digest.hexdigest()

    @cached_property
    def engine(self) -> Engine:
        """What searches boards for these words: the fastest that this machine has."""
        return engines(self.trie)[0]

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        """Number of words of each length from 0."""
        masks = self.trie.masks
        return tuple(
            sum(mask & WORD_END for mask in masks[level.start : level.stop])
            for level in self.trie.levels
        )

    def lengths(self) -> dict[int, int]:
        """Number of words by length, shortest first."""
        return {length: count for length, count in enumerate(self._counts) if count}

    def __contains__(self, word: str) -> bool:
        return word in self.trie

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return sum(self._counts)

    def to_bytes(self) -> bytes:
        """Compiled form, for `from_buffer` on the same kind of machine."""
        facts = {
            "name": self.name,
            "source": self.source,
            "licence": self.licence,
            "keeps": self.folding.keeps,
            "alphabet": self.trie.alphabet,
            "nodes": len(self.trie.masks),
            "byteorder": sys.byteorder,
        }
        header = json.dumps(facts).encode()
        header += b" " * (-(_HEAD.size + _FACTS_LENGTH.size + len(header)) % _ALIGNED)
        body = b"".join(
            (_FACTS_LENGTH.pack(len(header)), header, self.trie.masks, self.trie.firsts)
        )
        return _HEAD.pack(_MAGIC, _VERSION, zlib.crc32(body)) + body

    @classmethod
    def from_buffer(cls, buffer: bytes | memoryview | mmap) -> Lexicon:
        """Lexicon of its compiled form, checked, and used where it lies: nothing is copied.

        Args:
            buffer: begins at a multiple of eight bytes, as bytes and mapped files do; it must not
                change as long as the lexicon is in use.

        Raises:
            LexiconError: the bytes are no compiled lexicon, of another version or machine, or
                damaged.
        """
        facts, arrays = _parts(_checked_body(memoryview(buffer)))
        if facts["byteorder"] != sys.byteorder:
            raise _unusable("was compiled on another kind of machine")
        split = 8 * facts["nodes"]
        masks, firsts = arrays[:split].cast("Q"), arrays[split:].cast("I")
        trie = Trie(facts["alphabet"], masks, firsts)
        folding = Folding(facts["keeps"])
        return cls(facts["name"], facts["source"], facts["licence"], trie, folding)


def builtin_file() -> bytes:
    """The built-in list as it is stored: words of small letters a line, sorted, xz-compressed."""
    return resources.files("scoring.data").joinpath(f"{BUILT_IN}.txt.xz").read_bytes()


def builtin_lexicon() -> Lexicon:
    """The built-in list, built afresh."""
    about = json.loads(
        resources.files("scoring.data").joinpath(f"{BUILT_IN}.json").read_text("utf-8")
    )
    words = lzma.decompress(builtin_file()).decode().split()
    return Lexicon.from_words(BUILT_IN, words, about["source"], about["licence"])


def _is_word(text: str) -> bool:
    return text.isalpha() and len(text) <= LONGEST_WORD


def _checked_body(data: memoryview) -> memoryview:
    if len(data) < _HEAD.size:
        raise _unusable("is too short")
    magic, version, checksum = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise _unusable("begins with something else")
    if version != _VERSION:
        raise _unusable(f"has version {version}, not {_VERSION}")
    body = data[_HEAD.size :]
    if zlib.crc32(body) != checksum:
        raise _unusable("is damaged: its checksum is wrong")
    return body


def _parts(body: memoryview) -> tuple[dict[str, Any], memoryview]:
    """The facts, and the arrays that they describe."""
    try:
        (length,) = _FACTS_LENGTH.unpack_from(body)
        start = _FACTS_LENGTH.size + length
        facts, arrays = json.loads(bytes(body[_FACTS_LENGTH.size : start])), body[start:]
        sound = _sound(facts) and len(arrays) == _NODE_BYTES * facts["nodes"] > 0
    except (KeyError, RecursionError, TypeError, ValueError, struct.error) as error:
        raise _unusable("is malformed") from error
    if not sound or (_HEAD.size + start) % _ALIGNED:
        raise _unusable("is malformed")
    return facts, arrays


def _sound(facts: dict[str, Any]) -> bool:
    alphabet = facts["alphabet"]
    return (
        all(isinstance(facts[name], kind) for name, kind in _FACTS.items())
        and len(alphabet) <= MOST_LETTERS
        and alphabet == "".join(sorted(set(alphabet)))
    )


def _unusable(why: str) -> LexiconError:
    return LexiconError(f"the compiled word list {why}", "Compile it again from its words.")
