"""Backups: all that is kept in one file, and everything back from it, both checked by reading back.

A backup is a ZIP archive: ``manifest.json`` with the SHA-256 of every other member, ``data/`` with
what is in the data folder, and ``settings/`` with the settings, if there are any.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import IO, Any

from firmware_host.errors import CommandError
from firmware_host.files import naming, opened_zip, sync_folder, write_whole, xdg_folder
from firmware_host.photos import is_intact, is_photo_name
from firmware_host.store.codec import CodecError
from firmware_host.store.errors import BackupError, DamageError, StorageError, storing
from firmware_host.store.log import Log, Proof, put_in_order
from firmware_host.store.place import DATABASE, LOG, PARTS, Place
from firmware_host.store.schema import open_engine

FORMAT = 1
MANIFEST = "manifest.json"
_NONSENSE = (
    *(KeyError, TypeError, ValueError, AttributeError),
    *(OverflowError, OSError, RecursionError),
)
"""What a manifest raises that is none."""

SETTINGS = PurePosixPath("settings/wordtray.toml")
SYSTEM_SETTINGS = Path("/etc/wordtray/wordtray.toml")

_DATABASE = f"data/{LOG}/{DATABASE}"

_OWN = frozenset({"log.lock", "aside", "restoring", "restoring.part", "playing"})
"""What lies in the data folder, and no backup may bring along."""

_CHUNK = 1 << 20
_PACKED = frozenset({".jpg", ".png"})
"""Suffixes of files that would not get smaller."""

Progress = Callable[[str], None]
"""Hears of each file before it is read or written."""


@dataclass(frozen=True)
class Backup:
    """What is known of a backup.

    Attributes:
        file: where it is.
        made: seconds since 1970.
        version: of wordtray that made it.
        events: in the log.
        files: SHA-256 of each member by its name.
        size: bytes of all members, unpacked.
    """

    file: Path
    made: float
    version: str
    events: int
    files: Mapping[str, str]
    size: int


@dataclass(frozen=True)
class Restored:
    """What came of restoring a backup.

    Attributes:
        backup: which one.
        proof: of the log that is there now.
        aside: where that is which was there before; None where nothing was.
        notices: what a person should know.
    """

    backup: Backup
    proof: Proof
    aside: Path | None
    notices: tuple[str, ...]


def settings_file() -> Path:
    """Where the settings of this machine are, or would be."""
    if named := os.environ.get("WORDTRAY_SETTINGS"):
        return Path(named)
    own = xdg_folder("XDG_CONFIG_HOME", ".config") / "wordtray.toml"
    return SYSTEM_SETTINGS if SYSTEM_SETTINGS.exists() else own


def back_up(log: Log, file: Path, progress: Progress = lambda _: None) -> Backup:
    """Write everything into one file and read it back; afterwards the file is whole, or not there.

    Args:
        log: the log, open.
        file: where to; there must be none.
        progress: hears of each file.

    Raises:
        StorageError: something cannot be read, or written.
        BackupError: what was written cannot be read back.
    """
    with storing(file), ExitStack() as stack:
        with naming(file.parent):
            scratch = stack.enter_context(tempfile.TemporaryDirectory(dir=file.parent))
        database, part = Path(scratch, DATABASE), Path(scratch, file.name)
        log.copy_to(database)  # first, so that every photo that it names is there
        last = log.check()
        members = dict(_members(log.place, database))
        _pack(part, members, last.seq if last else 0, progress)
        made = read_backup(part, progress)
        os.link(part, file)  # unlike a renaming, this replaces nothing
        sync_folder(file.parent)
    return made


def read_backup(file: Path, progress: Progress = lambda _: None) -> Backup:
    """Prove every member of a backup.

    Raises:
        BackupError: it is none, or is damaged.
    """
    try:
        file.open("rb").close()
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise BackupError(message, "Check its name and your rights.") from error
    with _opened(file) as archive:
        backup = _manifest(file, archive)
        if set(archive.namelist()) != {*backup.files, MANIFEST}:
            raise BackupError(f"{file} does not hold what it says")
        for name, digest in backup.files.items():
            progress(name)
            with archive.open(name) as member:
                if _copied(member) != digest:
                    raise BackupError(f"{file} is damaged: {name}")
    return backup


def restore(place: Place, file: Path, progress: Progress = lambda _: None) -> Restored:
    """Put what a backup holds in place of what is there, which is kept aside.

    All of it is proved before anything is touched; a log of an older version is brought to this
    one. It can be interrupted anywhere: then all is as before, or as after.

    Raises:
        BackupError: it is no backup, or is damaged; nothing was changed.
        StorageError: it is of a newer version, there is no room, or another program has the log
            open; nothing was changed.
    """
    backup = read_backup(file, progress)
    with storing(place.data), place.alone():
        place.exchange("replaced")
        _check_room(place.data, backup)
        with place.staged() as folder, _opened(file) as archive:
            with naming(place.data):
                _unpack(archive, backup, folder, progress)
            proof, mended = _prove(Place(folder), file)
            _check_count(backup, proof)
            unsound = (*_unsound_calibration(Place(folder)), *_odd_photos(Place(folder), proof))
        aside = place.exchange("restored")
    notices = (*_unknown(backup), *unsound, *mended, *_restored_settings(place, file, backup))
    return Restored(backup, proof, aside, notices)


def _unknown(backup: Backup) -> Iterator[str]:
    """What is left out, since this version keeps nothing of the kind."""
    names = [name for name in backup.files if not _is_known(name)]
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"the backup holds {names[0]}{more}, which this version does not know: left out"


def _unsound_calibration(staged: Place) -> Iterator[str]:
    """Leave out a calibration that is none."""
    from firmware_host.calibration.stored import load

    for file in (staged.calibration(), staged.calibration(simulated=True)):
        try:
            load(file)
        except CommandError:
            file.unlink()
            yield f"the {file.name} of the backup is not sound: left out, so calibrate again"


def _odd_photos(staged: Place, proof: Proof) -> Iterator[str]:
    """Leave out what is no photo of wordtray's, and tell of photos that no round knows.

    A photo that a round knows and that is not as it was taken is told as lost.
    """
    folder, spare = staged.photos.folder, set(proof.spare_photos)
    files = [file for file in folder.rglob("*") if file.is_file()]
    others = [file for file in files if file.name in spare or file.suffix != ".jpg"]
    odd = [file for file in others if not (is_photo_name(file.name) and is_intact(file))]
    for file in odd:
        file.unlink()
    if odd:
        yield f"{len(odd)} of its files in photos/, as {odd[0].name}, are no photos: left out"
    if len(others) > len(odd):
        yield f"{len(others) - len(odd)} of its photos are of no round: kept all the same"


def _members(place: Place, database: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """The files that go into a backup, by the names that they have there."""
    yield PurePosixPath("data", LOG, DATABASE), database
    for part in (place.data / name for name in sorted(PARTS - {LOG})):
        for found in sorted([part, *part.rglob("*")]):
            if found.is_file() and not found.is_symlink():
                yield PurePosixPath("data", *found.relative_to(place.data).parts), found
    if (settings := settings_file()).is_file():
        yield SETTINGS, settings


def _pack(
    part: Path, members: Mapping[PurePosixPath, Path], events: int, progress: Progress
) -> None:
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {}
        for name, source in members.items():
            progress(str(name))
            how = zipfile.ZIP_STORED if source.suffix in _PACKED else zipfile.ZIP_DEFLATED
            info = zipfile.ZipInfo(str(name), time.localtime()[:6])
            info.compress_type = how
            with source.open("rb") as read, archive.open(info, "w", force_zip64=True) as written:
                files[str(name)] = _copied(read, written)
        head = {"format": FORMAT, "made": time.time(), "version": version("wordtray")}
        archive.writestr(MANIFEST, json.dumps(head | {"events": events, "files": files}))
    with part.open("rb") as whole:
        os.fsync(whole.fileno())


def _copied(source: IO[bytes], target: IO[bytes] | None = None) -> str:
    """SHA-256 of a file that is read to its end, and copied if there is a target."""
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        if target is not None:
            target.write(chunk)
    return digest.hexdigest()


def _opened(file: Path) -> AbstractContextManager[zipfile.ZipFile]:
    """An archive, whose errors are those of a backup."""
    return opened_zip(
        file, lambda found: BackupError(f"{file} is no backup, or is damaged: {found}")
    )


def _manifest(file: Path, archive: zipfile.ZipFile) -> Backup:
    try:
        head: Any = json.loads(archive.read(MANIFEST))
        if int(head["format"]) > FORMAT:
            message = f"{file} was made by a newer version of wordtray ({head['version']})"
            raise BackupError(message, "Install that version, then restore it.")
        files = {str(name): str(digest) for name, digest in head["files"].items()}
        size = sum(info.file_size for info in archive.infolist())
        backup = Backup(
            file, float(head["made"]), str(head["version"]), int(head["events"]), files, size
        )
        time.localtime(backup.made)  # a time that cannot be told is none
    except _NONSENSE as error:
        raise BackupError(f"{file} is no backup of wordtray") from error
    if not all(map(_is_proper, files)):
        raise BackupError(f"{file} holds files that are none of wordtray's")
    return backup


def _is_proper(name: str) -> bool:
    """Whether a member may be unpacked: it lies below the data folder, or is the settings."""
    parts = PurePosixPath(name).parts
    if name == str(SETTINGS):
        return True
    inside = len(parts) > 1 and parts[0] == "data" and not {"..", "/"} & set(parts)
    return inside and parts[1] not in _OWN and (parts[1] != LOG or name == _DATABASE)


def _is_known(name: str) -> bool:
    """Whether a proper member is something that this version keeps."""
    return name == str(SETTINGS) or PurePosixPath(name).parts[1] in PARTS


def _check_count(backup: Backup, proof: Proof) -> None:
    if proof.events != backup.events:
        raise BackupError(
            f"{backup.file} was made of {backup.events:,} events, but holds {proof.events:,}"
        )


def _check_room(data: Path, backup: Backup) -> None:
    free = shutil.disk_usage(data).free
    if backup.size > free:
        message = f"the backup needs {backup.size >> 20:,} MB, and {free >> 20:,} are free"
        raise StorageError(message, "Free some space; nothing was changed.")


def _unpack(archive: zipfile.ZipFile, backup: Backup, folder: Path, progress: Progress) -> None:
    for name, digest in backup.files.items():
        if name == str(SETTINGS) or not _is_known(name):
            continue
        progress(name)
        target = folder.joinpath(*PurePosixPath(name).parts[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(name) as member, target.open("wb") as file:
            if _copied(member, file) != digest:
                raise BackupError(f"{backup.file} changed while it was read: {name}")
            file.flush()
            os.fsync(file.fileno())


def _prove(staged: Place, file: Path) -> tuple[Proof, tuple[str, ...]]:
    """Bring an unpacked log to this version and prove it.

    Raises:
        BackupError: the log in the backup cannot be used.
        StorageError: there is no room for it.
    """
    with _of_backup(staged, file):
        mended = put_in_order(staged)
        log = Log(staged, open_engine(staged.database), "")
        try:
            proof = log.prove()
        finally:
            log.close()
    shutil.rmtree(staged.data / "aside", ignore_errors=True)  # the backup itself is the copy
    brought = ("the log of the backup was of an older version and is brought to this one",)
    return proof, brought if mended else ()


@contextmanager
def _of_backup(staged: Place, file: Path) -> Iterator[None]:
    """What is wrong with an unpacked log is wrong with its backup, and named so."""
    try:
        yield
    except StorageError as error:
        own = isinstance(error, DamageError | CodecError) or error.__cause__ is None
        if not own:  # of this machine, as a full disk
            raise
        said = str(error).replace(str(staged.database), "the log in it")
        message = f"{file} cannot be restored: {said}"
        if isinstance(error, DamageError):
            raise BackupError(message) from error
        raise BackupError(message, error.advice) from error


def _restored_settings(place: Place, file: Path, backup: Backup) -> tuple[str, ...]:
    """Write the settings of a backup; where that is not allowed, say where they are."""
    if str(SETTINGS) not in backup.files:
        return ()
    with _opened(file) as archive:
        content = archive.read(str(SETTINGS))
    target = settings_file()
    if target.is_file() and target.read_bytes() == content:
        return ()
    aside = place.keep_aside("settings")
    if target.is_file():
        shutil.copyfile(target, aside / "before.toml")
    try:
        write_whole(target, (content,))
    except OSError as error:
        write_whole(aside / "restored.toml", (content,))
        return (f"the settings could not be written to {target} ({error.strerror}): see {aside}",)
    return (f"the settings are restored; those before are kept in {aside}",)
