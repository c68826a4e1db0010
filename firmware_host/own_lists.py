"""The word lists that users have added, kept under a name in their data folder.

A list is one file: a line of facts as JSON, then its words, a word a line, sorted. The facts hold
the digest of the words. These files are the truth; what is compiled from them may be deleted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.errors import wrong_use
from firmware_host.files import locked, write_whole, xdg_folder
from scoring.folding import Folding
from scoring.intake import Intake, Kind, Omission, Reason
from scoring.lexicon import BUILT_IN, Lexicon, LexiconError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SUFFIX = ".words"


@dataclass(frozen=True)
class Origin:
    """Where a list comes from.

    Attributes:
        kind: what it was made from.
        source: the file, or what the user said.
        licence: what one may do with the words.
        folding: how they were brought to the letters of the cubes.
    """

    kind: Kind
    source: str
    licence: str
    folding: Folding


@dataclass(frozen=True)
class Facts:
    """What is known of a list.

    Attributes:
        name: how commands call it.
        origin: where it comes from.
        words: how many words it has.
        left_out: what was left out, and why.
        digest: of the words, as hexadecimal digits.
    """

    name: str
    origin: Origin
    words: int
    left_out: tuple[Omission, ...]
    digest: str

    def as_json(self) -> dict[str, Any]:
        """The line of facts."""
        return {
            "name": self.name,
            "kind": str(self.origin.kind),
            "source": self.origin.source,
            "licence": self.origin.licence,
            "keeps": self.origin.folding.keeps,
            "words": self.words,
            "left_out": [omission_document(omission) for omission in self.left_out],
            "digest": self.digest,
        }

    def lexicon(self, words: Iterable[str]) -> Lexicon:
        """The list with these words.

        Raises:
            LexiconError: they use more letters than a lexicon holds.
        """
        origin = self.origin
        return Lexicon.from_words(self.name, words, origin.source, origin.licence, origin.folding)

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> Facts:
        """The facts of such a line.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        left_out = tuple(
            Omission(Reason(entry["reason"]), entry["count"], tuple(entry["examples"]))
            for entry in facts["left_out"]
        )
        folding = Folding(facts["keeps"])
        origin = Origin(Kind(facts["kind"]), facts["source"], facts["licence"], folding)
        return cls(facts["name"], origin, facts["words"], left_out, facts["digest"])


def omission_document(omission: Omission) -> dict[str, Any]:
    """The JSON of what was left out for one reason."""
    return {
        "reason": str(omission.reason),
        "count": omission.count,
        "examples": list(omission.examples),
    }


def data_folder() -> Path:
    """Where the lists are kept: ``wordtray/lexicons`` in the user's data folder."""
    return xdg_folder("XDG_DATA_HOME", ".local/share") / "lexicons"


def names() -> tuple[str, ...]:
    """Names of all lists that were added, sorted."""
    found = (path.stem for path in data_folder().glob(f"*{_SUFFIX}"))
    return tuple(sorted(name for name in found if _NAME.fullmatch(name)))


def file_of(name: str) -> Path | None:
    """The file of a list, or None where there is no such list."""
    if not _NAME.fullmatch(name):
        return None
    path = _path(name)
    return path if path.is_file() else None


def check_free(name: str, *, replace: bool) -> None:
    """See that a list may be added under this name.

    Args:
        name: the name.
        replace: a list of this name may be there, and will be replaced.

    Raises:
        CommandError: it is no name, or taken.
    """
    if not _NAME.fullmatch(name):
        raise wrong_use(
            "lexicon_name",
            f"{name!r} is no name for a word list",
            "Give 1 to 40 of a-z, 0-9, - and _, the first a letter or digit.",
        )
    if name == BUILT_IN:
        raise wrong_use("lexicon_name", f"{name} is the built-in list", "Give another name.")
    if not replace and file_of(name):
        raise wrong_use(
            "lexicon_exists",
            f"there is a word list {name} already",
            "Give another name, or --replace to put this one in its place.",
        )


def facts_of(name: str, intake: Intake, origin: Origin) -> Facts:
    """What is to be kept of a list beside its words."""
    digest = _digest(_content(intake.words))
    return Facts(name, origin, len(intake.words), intake.left_out, digest)


def save(facts: Facts, words: Sequence[str], *, replace: bool) -> None:
    """Keep a list.

    Raises:
        CommandError: its name is none, or taken.
        OSError: the disk is full, or one may not write there.
    """
    head = json.dumps(facts.as_json()).encode()
    with locked(data_folder()):
        check_free(facts.name, replace=replace)
        write_whole(_path(facts.name), (head, b"\n", _content(words)))


def read_facts(path: Path) -> Facts:
    """The facts of a list's file.

    Raises:
        LexiconError: the file cannot be read, or is damaged.
    """
    try:
        with path.open("rb") as file:
            return Facts.from_json(json.loads(file.readline()))
    except OSError as error:
        raise LexiconError(
            f"the word list {path.stem} cannot be read: {error.strerror}",
            f"Look at {path}.",
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path) from error


def identity(path: Path, facts: Facts) -> bytes:
    """What is another wherever a list's file is another, without reading all of it.

    Raises:
        OSError: there is none.
    """
    state = path.stat()
    return json.dumps([facts.as_json(), state.st_size, state.st_mtime_ns]).encode()


def read_words(path: Path) -> list[str]:
    """The words of a list's file, sorted.

    Raises:
        LexiconError: the file cannot be read, or is damaged.
    """
    facts = read_facts(path)
    _, _, content = path.read_bytes().partition(b"\n")
    if _digest(content) != facts.digest:
        raise _damaged(path)
    return content.decode().split("\n")


def remove(name: str) -> None:
    """Delete a list.

    Raises:
        LexiconError: there is none of this name.
        OSError: one may not write there.
    """
    path = file_of(name)
    if path is None:
        known = ", ".join(names()) or "none so far"
        raise LexiconError(f"no word list {name!r} was added", f"Added lists: {known}.")
    path.unlink()


def _path(name: str) -> Path:
    return data_folder() / f"{name}{_SUFFIX}"


def _content(words: Sequence[str]) -> bytes:
    return "\n".join(words).encode()


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _damaged(path: Path) -> LexiconError:
    return LexiconError(
        f"the word list {path.stem} is damaged: {path}",
        f"Add it again, with --replace, or: wordtray lexicon remove {path.stem}",
    )
