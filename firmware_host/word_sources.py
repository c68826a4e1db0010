"""Files that word lists are made from: what kind they are, where they come from."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host import lexicons, own_lists
from firmware_host.files import check_writable
from firmware_host.lexicons import PAIR, naming, read_file
from firmware_host.own_lists import Facts, Origin
from scoring.folding import Folding
from scoring.hunspell import take_dictionary
from scoring.intake import Intake, Kind, Progress, Sieve, kind_of, take_list
from scoring.lexicon import Lexicon, LexiconError
from scoring.prose import take_text

_DEBIAN = Path("/usr/share")
"""What lies here belongs to a package, on Debian."""

_BOTH = (
    "A Hunspell dictionary is a pair of files, NAME.dic and NAME.aff; "
    "if this is a plain list: --as list."
)


@dataclass(frozen=True)
class WordSource:
    """A file that words can be taken from.

    Attributes:
        path: the file; the .dic of a pair.
        kind: what it is.
        data: what it holds.
        rules: what the .aff of a pair holds; empty else.
    """

    path: Path
    kind: Kind
    data: bytes
    rules: bytes = b""

    def intake(self, sieve: Sieve, progress: Progress) -> Intake:
        """All words that the sieve lets through.

        Raises:
            LexiconError: it is not what it is taken for.
        """
        match self.kind:
            case Kind.LIST:
                take_list(self.data, sieve)
            case Kind.TEXT:
                take_text(self.data, sieve, progress)
            case Kind.HUNSPELL:
                take_dictionary(self.data, self.rules, sieve, progress)
        return sieve.intake()


@dataclass(frozen=True)
class Wishes:
    """How a list is to be made.

    Attributes:
        source: where the words are from; None: the file, and its package where it has one.
        licence: what one may do with them; None: where the package says it, else unknown.
        folding: how the words are brought to the letters of the cubes.
        keep_capitals: words with a capital are words.
        replace: a list of this name may be replaced.
    """

    source: str | None = None
    licence: str | None = None
    folding: Folding = field(default_factory=Folding)
    keep_capitals: bool = False
    replace: bool = False


def add(name: str, source: WordSource, wishes: Wishes, progress: Progress) -> tuple[Facts, Lexicon]:
    """Make a word list and keep it under a name.

    Returns:
        What is known of it, and the list itself.

    Raises:
        CommandError: it is no name, or taken.
        LexiconError: the file gives no words, or words of too many letters.
        OSError: the disk is full, or one may not write there.
    """
    own_lists.check_free(name, replace=wishes.replace)
    check_writable(own_lists.data_folder())  # rather now than after minutes of work
    with naming(source.path):
        intake = source.intake(Sieve(wishes.folding, wishes.keep_capitals), progress)
        facts = own_lists.facts_of(name, intake, origin_of(source, wishes))
        lexicon = facts.lexicon(intake.words)
    own_lists.save(facts, intake.words, replace=wishes.replace)
    lexicons.keep(facts, lexicon)
    return facts, lexicon


def open_source(path: Path, kind: Kind | None = None) -> WordSource:
    """Read a file of words, or a pair.

    Args:
        path: a text file, or one of a pair of .dic and .aff, with or without that suffix.
        kind: what it is, where the caller knows; else it is found out.

    Raises:
        LexiconError: no such file, it cannot be read, or the other of a pair is missing.
    """
    if kind is Kind.HUNSPELL or (kind is None and _is_of_a_pair(path)):
        dictionary = _with_suffix(path, ".dic")
        if path.is_file() and path.suffix.lower() not in PAIR and not dictionary.exists():
            raise LexiconError(f"{path} is neither a .dic nor a .aff file", _BOTH)
        return _open_pair(dictionary, _with_suffix(path, ".aff"))
    data = read_file(path)
    with naming(path):
        kind = kind or kind_of(data)
        if kind is Kind.HUNSPELL:
            raise LexiconError("it is a Hunspell dictionary without its rules", _BOTH)
    return WordSource(path, kind, data)


def _open_pair(dictionary: Path, rules: Path) -> WordSource:
    for file, other in ((dictionary, rules), (rules, dictionary)):
        if other.exists() and not file.exists():
            raise LexiconError(
                f"{other} has no {file.name} beside it",
                _BOTH,
            )
    return WordSource(dictionary, Kind.HUNSPELL, read_file(dictionary), read_file(rules))


def package_of(path: Path) -> str | None:
    """The Debian package that a file belongs to, or None."""
    real = path.resolve()
    query = shutil.which("dpkg-query")
    if query is None or not real.is_relative_to(_DEBIAN):
        return None
    found = subprocess.run(  # noqa: S603 - the system's own program, and a path
        [query, "--search", str(real)],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    package, colon, _ = found.stdout.partition(":")
    return package if colon and found.returncode == 0 else None


def origin_of(source: WordSource, wishes: Wishes) -> Origin:
    """Where words are from, as far as the user or the system says it."""
    package = package_of(source.path)
    where = str(source.path.absolute()) + (f" (Debian package {package})" if package else "")
    notice = Path("/usr/share/doc", package or "none", "copyright")
    licence = f"see {notice}" if notice.is_file() else "unknown, not given"
    return Origin(source.kind, wishes.source or where, wishes.licence or licence, wishes.folding)


def _is_of_a_pair(path: Path) -> bool:
    if path.suffix.lower() in PAIR:
        return True
    with suppress(OSError):  # no name of a file: reading it will say so
        return not path.exists() and _with_suffix(path, ".dic").is_file()
    return False


def _with_suffix(path: Path, suffix: str) -> Path:
    bare = path.with_suffix("") if path.suffix.lower() in PAIR else path
    return bare.with_name(bare.name + suffix)
