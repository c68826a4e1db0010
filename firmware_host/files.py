"""Files: written all or nothing, also by several processes at once; read up to a bound."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from firmware_host.errors import unusable_file, wrong_use

LOCK_LOOK_S = 0.05
"""Seconds between two looks whether a lock is free."""


def xdg_folder(variable: str, otherwise: str) -> Path:
    """The folder ``wordtray`` in one of the user's base folders, as the XDG rules name them.

    Args:
        variable: such as ``XDG_CACHE_HOME``; a relative path in it is as good as none.
        otherwise: the place in the home folder where it is not set, such as ``.cache``.
    """
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / otherwise) / "wordtray"


def check_ending(path: Path | None, ending: str) -> None:
    """See that a file that is to be written over may be such a file: a slip must cost nothing.

    Args:
        path: the file, or None for none.
        ending: what its name must have, such as ``.svg``.

    Raises:
        CommandError: its name ends otherwise, or there is no such folder.
    """
    if path is None:
        return
    if path.suffix.lower() != ending:
        message = f"{path} is no name of a picture of this kind: nothing was written"
        raise wrong_use("picture_name", message, f"Give a name that ends in {ending}.")
    check_place(path)


def check_place(path: Path) -> None:
    """See that a file that a user named can lie there: a slip in a name must make no folder.

    Raises:
        CommandError: its folder is not there, or it is a folder itself.
    """
    if path.is_dir():
        raise wrong_use("no_folder", f"{path} is a folder", "Name a file in it.")
    if not path.parent.is_dir():
        advice = "Make it, or look whether its name is right; nothing was written."
        raise wrong_use("no_folder", f"there is no folder {path.parent}", advice)


def write_whole(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file, and its folder where there is none; afterwards it is whole, or as before.

    Raises:
        OSError: the disk is full, or one may not write there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), tempfile.TemporaryDirectory(dir=path.parent) as folder:
        part = Path(folder, path.name)
        with part.open("wb") as file:  # unlike a temporary file, as readable as the user has it
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())  # else a pulled plug may leave the new name without content
        part.replace(path)
    sync_folder(path.parent)


def append_whole(path: Path, whole: int, data: bytes) -> int:
    """Write behind the first so many bytes of a file, and on the disk: all or nothing.

    What stands behind those bytes was cut off by a pulled plug, and is replaced.

    Returns:
        How many bytes are whole then.

    Raises:
        OSError: the disk is full, or one may not write there; the file is as before.
    """
    with path.open("r+b") as file:
        file.truncate(whole)
        file.seek(whole)
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            os.truncate(path, whole)
            raise
    return whole + len(data)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have errors of the system name a file or folder, and none that is there for the moment alone.

    Raises:
        OSError: as it comes, of ``path``.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, as files that were moved or made there.

    Raises:
        OSError: there is no such folder, or the disk fails.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_now(path: Path) -> BinaryIO:
    """Open a file to be read; of a pipe that nobody has open to write to, the end is reached.

    To open such a pipe as other files are opened waits for ever.

    Raises:
        OSError: there is none, or one may not read it.
    """
    return open(path, "rb", opener=_without_waiting)


def read_bounded(path: Path, most: int) -> bytes | None:
    """All of a file, or None where it is larger; of an endless one no more is read.

    Args:
        path: of the file.
        most: bytes at most.

    Raises:
        OSError: as `open_now`.
    """
    with open_now(path) as file:
        data = file.read(most + 1)
    return data if len(data) <= most else None


def read_given(file: Path, most: int, kind: str, what: str) -> bytes:
    """All of a file that a user named.

    Args:
        file: the file.
        most: bytes at most.
        kind: of the error, for programs.
        what: it is none where it is larger, such as "player's list".

    Raises:
        CommandError: it cannot be read, or is larger.
    """
    try:
        data = read_bounded(file, most)
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise unusable_file(kind, message, "Check its name and your rights.") from None
    if data is None:
        message = f"{file} is larger than any {what} ({most:,} bytes)"
        raise unusable_file(kind, message, "Look whether this is the right file.")
    return data


def _without_waiting(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def opened_zip(file: Path, broken: Callable[[object], Exception]) -> Iterator[zipfile.ZipFile]:
    """A ZIP archive to be read.

    Args:
        file: of the archive.
        broken: makes the error where it is none, or damaged, of what was found.

    Raises:
        OSError: as `open_now`.
    """
    try:
        with open_now(file) as opened, zipfile.ZipFile(opened) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise broken(error) from error  # RuntimeError: a password, or a way of packing unknown


def check_writable(folder: Path) -> None:
    """See that a file can be made in a folder; the folder is made where there is none.

    Raises:
        OSError: it cannot.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with naming(folder), tempfile.TemporaryFile(dir=folder):
        pass


@contextmanager
def locked(folder: Path, wait_s: float | None = None) -> Iterator[None]:
    """Keep every other process that asks for the same out of the folder; made where missing.

    Args:
        folder: the folder.
        wait_s: seconds that another process is waited for; None waits for its end.

    Raises:
        BlockingIOError: another process still has it.
        OSError: there can be no such folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(descriptor, wait_s)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, wait_s: float | None) -> None:
    """Have the lock of a file that is open; the system itself knows no longest wait."""
    if wait_s is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    until = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(LOCK_LOOK_S)
        else:
            return
