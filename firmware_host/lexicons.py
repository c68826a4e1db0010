"""Word lists by name or file, kept compiled in the user's cache folder.

A cache file is the digest of the list that it was compiled from, then the compiled form. It is used
only where the digest is that of the list as it is now and the compiled form is sound; else it is
made again. Without a writable cache all works the same, a little slower.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from scoring.lexicon import (
    BUILT_IN,
    Lexicon,
    LexiconError,
    builtin_file,
    builtin_lexicon,
    read_word_list,
)

LARGEST_FILE = 32 << 20
"""Bytes at most: ten times the largest known word list."""

_DIGEST_BYTES = 32


def names() -> tuple[str, ...]:
    """Names of the word lists that come with the product."""
    return (BUILT_IN,)


def load(name_or_path: str) -> Lexicon:
    """The word list of this name, or of this text file with a word a line.

    Args:
        name_or_path: one of `names`, or a path.

    Raises:
        LexiconError: no such list or file, another encoding than UTF-8, no words in it.
    """
    if name_or_path in names():
        return _cached(name_or_path, builtin_file(), builtin_lexicon)
    path = Path(name_or_path).expanduser()
    data = _read(path)
    return _cached(str(path.resolve()), data, lambda: _from_file(path, data))


def cache_folder() -> Path:
    """Where compiled word lists are kept: ``wordtray`` in the user's cache folder."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # As the XDG rules have it, a relative path is as good as none.
    return (named if named.is_absolute() else Path.home() / ".cache") / "wordtray"


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise LexiconError(
            f"the word list {path} cannot be read: {error.strerror}",
            f"Give the path of a text file, or a built-in list: {', '.join(names())}.",
        ) from error
    if len(data) > LARGEST_FILE:
        raise LexiconError(
            f"{path} is larger than any word list ({LARGEST_FILE >> 20} MiB)",
            "Give a text file with a word a line.",
        )
    return data


def _from_file(path: Path, data: bytes) -> Lexicon:
    try:
        words = read_word_list(data).words
        return Lexicon.from_words(path.stem, words, source=str(path), licence="the user's own")
    except LexiconError as error:
        raise LexiconError(f"{path}: {error}", error.advice) from error


def _cached(identity: str, data: bytes, build: Callable[[], Lexicon]) -> Lexicon:
    digest = hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
    cache = cache_folder() / f"{_short(identity)}.lexicon"
    with suppress(OSError, LexiconError):  # no cache, or none to be trusted: built below
        return _read_cache(cache, digest)
    lexicon = build()
    with suppress(OSError):  # an unwritable cache costs time, nothing else
        _write(cache, digest + lexicon.to_bytes())
    return lexicon


def _short(identity: str) -> str:
    return hashlib.blake2b(os.fsencode(identity), digest_size=8).hexdigest()


def _read_cache(cache: Path, digest: bytes) -> Lexicon:
    content = cache.read_bytes()
    if content[:_DIGEST_BYTES] != digest:
        raise LexiconError("the word list has changed since", "Compile it again.")
    return Lexicon.from_buffer(content[_DIGEST_BYTES:])


def _write(path: Path, content: bytes) -> None:
    """Write all or nothing, also where several processes write at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as part:
        try:
            part.write(content)
            part.close()
            Path(part.name).replace(path)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise
