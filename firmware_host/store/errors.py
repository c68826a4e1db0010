"""What can go wrong with what is kept, each with its advice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StorageError(Exception):
    """Something could not be kept, or what is kept cannot be used; the round must stop safely.

    Args:
        message: what happened and why, one sentence.
        advice: what to do, one sentence.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class DamageError(StorageError):
    """The log is damaged where later events follow: nothing may be cut off there silently."""


def damaged_advice(database: Path) -> str:
    """What to do with a log that is damaged where nothing may be cut off."""
    return (
        "Nothing was changed. Restore a backup: wordtray restore FILE; or move the folder "
        f"{database.parent} away to begin a new log."
    )


class BackupError(Exception):
    """A file that is no backup, or is damaged.

    Args:
        message: what is wrong.
        advice: what to do.
    """

    def __init__(self, message: str, advice: str = "Give another backup.") -> None:
        super().__init__(message)
        self.advice = advice


@contextmanager
def told_of(copy: Path, original: Path) -> Iterator[None]:
    """Have errors about a copy name what it is a copy of."""
    try:
        yield
    except StorageError as error:
        message, advice = (
            text.replace(str(copy), str(original)) for text in (str(error), error.advice)
        )
        raise type(error)(message, advice) from error.__cause__


_ADVICE = {
    "SQLITE_FULL": "Free some space on the disk; nothing that was recorded is lost.",
    "SQLITE_BUSY": "Another program keeps it locked: end that one, or wait.",
    "SQLITE_READONLY": "Look whether you may write there, and whether the disk is read-only.",
    "SQLITE_CANTOPEN": "Look whether you may write there, and whether the disk is read-only.",
    "SQLITE_IOERR": "Look whether the disk is full or broken: dmesg tells.",
}
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_OTHERWISE = "Look whether the disk is full and whether you may write there."


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn errors of the database and the system into `StorageError`.

    Args:
        path: of the database, for the message.
    """
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError

    try:
        yield
    except DBAPIError as error:
        raise _of_database(path, error.orig or error) from error
    except sqlite3.Error as error:
        raise _of_database(path, error) from error
    except SQLAlchemyError as error:
        raise StorageError(f"{path}: {error}", _OTHERWISE) from error
    except OSError as error:
        raise StorageError(f"{error.filename or path}: {error.strerror}", _OTHERWISE) from error


def _of_database(path: Path, error: BaseException) -> StorageError:
    if _is_damage(error):
        return damaged_pages(path, str(error))
    return StorageError(f"{path}: {error}", _advice(error))


def damaged_pages(database: Path, said: str) -> DamageError:
    """The error of a database whose pages are not sound.

    Args:
        database: its file.
        said: what SQLite says of it, which may go over lines and hold signs that are no text.
    """
    words = "".join(sign if sign.isprintable() else " " for sign in said).split()
    message = f"{database}: the database of the log is damaged ({' '.join(words)})"
    return DamageError(message, damaged_advice(database))


def _is_damage(error: BaseException) -> bool:
    """Errors without a name are those of what was read: text that is none."""
    return getattr(error, "sqlite_errorname", "SQLITE_CORRUPT").startswith(_DAMAGED)


def _advice(error: BaseException) -> str:
    """By the name that SQLite gives an error, whatever follows it: SQLITE_IOERR_WRITE and so on."""
    name = str(getattr(error, "sqlite_errorname", ""))
    return next((text for start, text in _ADVICE.items() if name.startswith(start)), _OTHERWISE)
