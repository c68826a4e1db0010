"""What English words mean, by WordNet as Debian's ``wordnet-base`` has it: see wndb(5WN)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_host.dictionary.morphy import Part, base_forms
from firmware_host.dictionary.sorted_lines import SortedLines

FOLDER = Path("/usr/share/wordnet")

MOST_MEANINGS = 4
"""Of one word: a line or two on a display."""

_ENDINGS: Mapping[Part, str] = {
    Part.NOUN: "noun",
    Part.VERB: "verb",
    Part.ADJECTIVE: "adj",
    Part.ADVERB: "adv",
}


@dataclass(frozen=True)
class Meaning:
    """What a word means as one part of speech.

    Attributes:
        part: of speech.
        base: the form under which the dictionary has it.
        gloss: what it means, in English, without examples.
    """

    part: Part
    base: str
    gloss: str


@dataclass(frozen=True)
class _Files:
    """The files of one part of speech."""

    index: SortedLines
    data: SortedLines
    exceptions: SortedLines


class WordNet:
    """A WordNet on this machine; for any thread.

    Args:
        folder: where its files are.

    Raises:
        OSError, ValueError: one of them cannot be read.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {part: _opened(folder, ending) for part, ending in _ENDINGS.items()}

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """What a word means: of each part of speech and base form the commonest meaning.

        Args:
            word: in small letters.

        Raises:
            ValueError: the files are damaged.
        """
        found = [meaning for part in Part for meaning in self._as(word, part)]
        found.sort(key=lambda meaning: meaning.base != word)  # what it is itself comes first
        return tuple(found[:MOST_MEANINGS])

    def _as(self, word: str, part: Part) -> Iterator[Meaning]:
        files = self._files[part]
        for base in dict.fromkeys((word, *_bases(files, word, part))):
            gloss = _gloss(files, base)
            if gloss is not None:
                yield Meaning(part, base, gloss)


def _opened(folder: Path, ending: str) -> _Files:
    index, data = (SortedLines(folder / f"{kind}.{ending}") for kind in ("index", "data"))
    return _Files(index, data, SortedLines(folder / f"{ending}.exc"))


def _bases(files: _Files, word: str, part: Part) -> list[str]:
    irregular = files.exceptions.find(word)
    return irregular.split()[1:] if irregular else list(base_forms(word, part))


def _gloss(files: _Files, base: str) -> str | None:
    """What a base form means; None where there is none, or it is a name: a name is no word."""
    entry = files.index.find(base)
    if entry is None:
        return None
    fields = entry.split()
    offsets = fields[-int(fields[2]) :]
    synsets = (files.data.line_at(int(offset)).decode() for offset in offsets)
    return next((_definition(one) for one in synsets if base in _words(one)), None)


def _words(synset: str) -> list[str]:
    """The words of a synset as they are written; of an adjective without its place."""
    fields = synset.split(" ")
    count = int(fields[3], 16)
    return [word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2]]


def _definition(synset: str) -> str:
    gloss = synset.partition("| ")[2]
    return gloss.partition('; "')[0].strip()
