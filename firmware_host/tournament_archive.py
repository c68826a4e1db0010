"""An event in one file: its export, the pictures that it refers to, and how to check both.

A ZIP archive of ``event.json``, which is what ``export`` writes, ``pictures/`` with each picture
under its SHA-256, and ``promises.jsonl`` with boards that were promised and not shown yet, where
somebody asked for these: who has them knows boards of rounds to come.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_host.errors import CommandError, unusable_file
from firmware_host.files import opened_zip
from firmware_host.tournament_desk import LARGEST_PHOTO
from firmware_host.tournament_export import parsed
from firmware_host.tournaments import LARGEST_FILE
from scoring.match import line_of
from scoring.tournament.document import event_document
from scoring.tournament.log import EventError, Log

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".pdf", ".tif", ".tiff", ".heic"})

EVENT, PICTURES, PROMISES = "event.json", "pictures/", "promises.jsonl"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same event gives the same bytes

_README = """\
This is an event of wordtray: event.json holds all that happened, pictures/ what it was read from.

  wordtray tournament verify FILE.zip               checks every hash, score, rank and picture
  wordtray tournament restore FILE.zip --as NAME    brings the event back to go on with it
"""


def write_archive(
    target: Path, log: Log, pictures: Mapping[str, Path], promises: bytes | None
) -> None:
    """Write an archive; the file is whole, or not there.

    Args:
        target: the file.
        log: the event.
        pictures: by their SHA-256.
        promises: boards to come, as they are kept; None leaves them out.

    Raises:
        OSError: it cannot be written, or a picture cannot be read.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, "README.txt", _README.encode())
            _add(archive, EVENT, json.dumps(event_document(log), indent=1).encode() + b"\n")
            if promises is not None:
                _add(archive, PROMISES, promises)
            for digest, path in sorted(pictures.items()):
                name = f"{PICTURES}{digest}{path.suffix.lower()}"
                _add(archive, name, path.read_bytes(), zipfile.ZIP_STORED)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True)
class Archive:
    """An archive that was opened.

    Attributes:
        event: the export within it.
        promises: boards to come; empty where there are none.
        pictures: SHA-256 of every picture that is in it, whole.
    """

    event: bytes
    promises: bytes
    pictures: frozenset[str]


def is_archive(file: Path) -> bool:
    """Whether a file's name says that it is one."""
    return file.suffix.lower() == ".zip"


def read_archive(file: Path) -> Archive:
    """Look through an archive.

    Raises:
        CommandError: it cannot be read, is none, or is damaged.
    """
    with _opened(file) as archive:
        names = archive.namelist()
        if EVENT not in names:
            message = f"{file} holds no event"
            raise unusable_file("event_file", message, "Give what `tournament archive` wrote.")
        event = _member(file, archive, EVENT, LARGEST_FILE)
        promises = _member(file, archive, PROMISES, LARGEST_FILE) if PROMISES in names else b""
        digests = [_digest(_member(file, archive, n, LARGEST_PHOTO)) for n in _pictures(archive)]
    _check_promises(file, promises)
    return Archive(event, promises, frozenset(digests))


def unpack_pictures(file: Path, folder: Path, wanted: Collection[str]) -> frozenset[str]:
    """Put the pictures of an archive into a folder, each under its SHA-256.

    Args:
        file: the archive.
        folder: made where there is none.
        wanted: SHA-256 of those that the event refers to; no other is unpacked.

    Returns:
        Those that were there.

    Raises:
        CommandError: the archive is damaged.
        OSError: a picture cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found: set[str] = set()
    with _opened(file) as archive:
        for name in _pictures(archive):
            if Path(name).stem in set(wanted) - found:
                data = _member(file, archive, name, LARGEST_PHOTO)
                if (digest := _digest(data)) in wanted:
                    folder.joinpath(digest + _ending(name)).write_bytes(data)
                    found.add(digest)
    return frozenset(found)


def log_of(event: bytes, file: Path) -> Log:
    """The event of an export, to go on with it.

    Raises:
        CommandError, EventError: it is none, or was changed.
    """
    document = parsed(event, file)
    if not isinstance(document, dict) or not isinstance(document.get("log"), list):
        raise unusable_file("event_file", f"{file} holds no event", "Give what export wrote.")
    head = {key: document.get(key) for key in ("wordtray", "version", "setup")}
    try:
        return Log.from_lines("".join(map(line_of, (head, *document["log"]))))
    except EventError as error:
        raise error.of_file(str(file)) from error


def pictures_in(folder: Path, digests: Iterable[str]) -> dict[str, Path]:
    """The pictures of a folder, with all folders in it, that have these hashes."""
    wanted, found = set(digests), dict[str, Path]()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest in wanted:
            found.setdefault(digest, path)
    return found


def _add(archive: zipfile.ZipFile, name: str, data: bytes, how: int = zipfile.ZIP_DEFLATED) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, how)


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    """An archive, whose errors are those of an event's file."""

    def broken(found: object) -> CommandError:
        message = f"{file} is no whole archive: {found}"
        return unusable_file("event_file", message, "Copy it again.")

    try:
        with opened_zip(file, broken) as archive:
            yield archive
    except FileNotFoundError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise unusable_file("event_file", message, "Check its name and your rights.") from None


def _member(file: Path, archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        message = f"{name} of {file} is larger than any event has it"
        raise unusable_file("event_file", message, "Look whether it is the right file.")
    return data


def _pictures(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if name.startswith(PICTURES) and name != PICTURES]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _check_promises(file: Path, promises: bytes) -> None:
    try:
        kept = [json.loads(line) for line in promises.splitlines()]
        sound = all({"place", "board", "salt"} <= set(each) for each in kept)
    except (ValueError, TypeError, RecursionError):
        sound = False
    if not sound:
        message = f"{PROMISES} of {file} is damaged"
        raise unusable_file("event_file", message, "Copy the archive again.")


def _ending(name: str) -> str:
    """The ending of a picture's name, where it is that of a picture."""
    ending = Path(name).suffix.lower()
    return ending if ending in PICTURE_ENDINGS else ""
