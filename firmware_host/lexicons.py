"""Word lists by name or file, kept compiled in the user's cache folder.

A cache file is a digest of what it was compiled from, then the compiled form. It is used, where it
is mapped into memory, only if the digest is that of the list as it is now and the compiled form is
sound; else it is made again. The digest is of all of a file that was given by its path; of a list
that was added it is of its facts, size and time of change, so that not all of it need be read.
Without a writable cache all works the same, a little slower.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host import own_lists
from firmware_host.files import open_now, read_bounded, write_whole, xdg_folder
from firmware_host.own_lists import Facts
from scoring.intake import Intake, Kind, Omission, Sieve, kind_of, take_list
from scoring.lexicon import BUILT_IN, Lexicon, LexiconError, builtin_file, builtin_lexicon

LARGEST_FILE = 32 << 20
"""Bytes at most: ten times the largest known word list."""

PAIR = (".dic", ".aff")
"""Suffixes of the two files of a Hunspell dictionary."""

_PATH = "Give the path of a text file."
_NAME_OR_PATH = "Give the path of a text file, or a name that this shows: wordtray lexicon list"
_DIGEST_BYTES = 32
_RULES = b"words 2"
"""Part of every digest; to be changed with the rules of what counts as a word."""


def names() -> tuple[str, ...]:
    """Names of all word lists: the built-in one, then those that the user added."""
    return (BUILT_IN, *own_lists.names())


def listed_as(name_or_path: str) -> str:
    """What a match remembers of a word list: its name, or where its file is."""
    if name_or_path in names():
        return name_or_path
    return str(Path(name_or_path).expanduser().resolve())


def load(name_or_path: str) -> Lexicon:
    """The word list of this name, or of this text file with a word a line.

    Args:
        name_or_path: one of `names`, or a path; a name comes first.

    Raises:
        LexiconError: no such list or file, another encoding than UTF-8, no words in it.
    """
    if name_or_path == BUILT_IN:
        return _cached(BUILT_IN, builtin_file(), builtin_lexicon)
    own = own_lists.file_of(name_or_path)
    if own:
        return _load_own(own)
    path = path_of(name_or_path)
    data = read_file(path, _NAME_OR_PATH)
    return _cached(str(path.resolve()), data, lambda: _from_file(path, data))


def left_out_of(name_or_path: str) -> tuple[Omission, ...]:
    """What was left out of a list, and why; nothing is known of it for the built-in one.

    Raises:
        LexiconError: as `load`.
    """
    if name_or_path == BUILT_IN:
        return ()
    own = own_lists.file_of(name_or_path)
    if own:
        return own_lists.read_facts(own).left_out
    path = path_of(name_or_path)
    return _intake(path, read_file(path, _NAME_OR_PATH)).left_out


def keep(facts: Facts, lexicon: Lexicon) -> None:
    """Put a list that was just added into the cache, if that can be written."""
    own = own_lists.file_of(facts.name)
    if own:
        with suppress(FileNotFoundError):  # removed again already
            _cached(str(own), own_lists.identity(own, facts), lambda: lexicon)


def remove(name: str) -> None:
    """Delete a list that was added, and what was compiled of it.

    Raises:
        LexiconError: there is none of this name.
        OSError: one may not write there.
    """
    own = own_lists.file_of(name)
    own_lists.remove(name)
    with suppress(OSError):
        _cache_of(str(own)).unlink()


def cache_folder() -> Path:
    """Where compiled word lists are kept: ``wordtray`` in the user's cache folder."""
    return xdg_folder("XDG_CACHE_HOME", ".cache")


def path_of(text: str) -> Path:
    """The file that a user names.

    Raises:
        LexiconError: the text names none.
    """
    if not text:
        raise LexiconError("no word list is named", _PATH)
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise LexiconError(f"{text}: no home folder of this user is known", _PATH) from error


def read_file(path: Path, advice: str = _PATH) -> bytes:
    """All of a file of words.

    Args:
        path: the file.
        advice: what to do where it cannot be read.

    Raises:
        LexiconError: it cannot be read, or is larger than any.
    """
    try:
        data = read_bounded(path, LARGEST_FILE)
    except OSError as error:
        raise LexiconError(
            f"the word list {path} cannot be read: {error.strerror}", advice
        ) from error
    if data is None:
        raise LexiconError(
            f"{path} is larger than any word list ({LARGEST_FILE >> 20} MiB)",
            "Look whether it is the right file; a part of it will do.",
        )
    return data


def _load_own(path: Path) -> Lexicon:
    facts = own_lists.read_facts(path)

    def build() -> Lexicon:
        return facts.lexicon(own_lists.read_words(path))

    return _cached(str(path), own_lists.identity(path, facts), build)


def _from_file(path: Path, data: bytes) -> Lexicon:
    words = _intake(path, data).words
    with naming(path):
        return Lexicon.from_words(path.stem, words, source=str(path), licence="the user's own")


def _intake(path: Path, data: bytes) -> Intake:
    sieve = Sieve()
    with naming(path):
        if path.suffix.lower() in PAIR or (kind := kind_of(data)) is Kind.HUNSPELL:
            raise _to_be_added("part of a Hunspell dictionary", path)
        if kind is Kind.TEXT:
            raise _to_be_added("running text", path)
        take_list(data, sieve)
        return sieve.intake()


def _to_be_added(what: str, path: Path) -> LexiconError:
    return LexiconError(
        f"it is {what}, not a list with a word a line",
        f"Make a list of its words first: wordtray lexicon add NAME {shlex.quote(str(path))}",
    )


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Say in every error of a word list which file it is about."""
    try:
        yield
    except LexiconError as error:
        raise error.of_file(str(path)) from error


def _cached(identity: str, data: bytes, build: Callable[[], Lexicon]) -> Lexicon:
    digest = hashlib.blake2b(data, digest_size=_DIGEST_BYTES, person=_RULES).digest()
    cache = _cache_of(identity)
    with suppress(OSError, LexiconError):  # no cache, or none to be trusted: built below
        return _read_cache(cache, digest)
    lexicon = build()
    with suppress(OSError):  # an unwritable cache costs time, nothing else
        write_whole(cache, (digest, lexicon.to_bytes()))
    return lexicon


def _cache_of(identity: str) -> Path:
    short = hashlib.blake2b(os.fsencode(identity), digest_size=8).hexdigest()
    return cache_folder() / f"{short}.lexicon"


def _read_cache(cache: Path, digest: bytes) -> Lexicon:
    """The lexicon in its compiled form, mapped: its memory is the system's copy of the file.

    Programs that use the same list share it, and none is changed when the file is replaced.
    """
    with open_now(cache) as file:
        if os.fstat(file.fileno()).st_size <= _DIGEST_BYTES:
            raise LexiconError("the compiled word list is too short", "Compile it again.")
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if content[:_DIGEST_BYTES] != digest:
        raise LexiconError("the word list has changed since", "Compile it again.")
    return Lexicon.from_buffer(content[_DIGEST_BYTES:])
