"""Where everything that is kept lies, who may touch it, and how a part of it is exchanged.

All of it lies in the user's data folder::

    log/events.db    the log (beside it SQLite's -wal and -shm)
    photos/          photos of trays, named by their content
    calibration.json what was calibrated; calibration-simulated.json that of a simulated tray
    matches/ lexicons/ swoggle-solo.json
                     kept matches, own word lists and best results, of other modules
    aside/           what was replaced, never deleted by wordtray
    restoring/       parts that are about to take the place of others
    playing/         locks of the rounds that are being played
    web.json         secret, code and hashed PINs of the pages; in no backup
    web-ended.json   sessions of the pages that were ended before their time; the same
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_host.files import sync_folder, xdg_folder
from firmware_host.photos import PhotoFolder
from firmware_host.store.errors import StorageError

LOG = "log"
DATABASE = "events.db"
PARTS = frozenset(
    {
        LOG,
        "photos",
        "matches",
        "lexicons",
        "swoggle-solo.json",
        "calibration.json",
        "calibration-simulated.json",
    }
)
"""All that is kept, by its names in the data folder; the rest is of use for the moment alone."""

AHEAD = ("-wal", "-shm")
"""What SQLite keeps beside a database; only the first holds what cannot be made again."""


@dataclass(frozen=True)
class Place:
    """The data folder.

    Args:
        data: the folder itself.
    """

    data: Path

    @classmethod
    def standard(cls) -> Place:
        """That of the user: ``wordtray`` in ``XDG_DATA_HOME``."""
        return cls(xdg_folder("XDG_DATA_HOME", ".local/share"))

    @property
    def database(self) -> Path:
        """The log."""
        return self.data / LOG / DATABASE

    @property
    def ahead(self) -> Path:
        """What was written ahead of the log and is not in it yet."""
        return self.database.with_name(DATABASE + AHEAD[0])

    @property
    def photos(self) -> PhotoFolder:
        """Photos that the log refers to."""
        return PhotoFolder(self.data / "photos", digits=64)

    def calibration(self, *, simulated: bool = False) -> Path:
        """What was calibrated; a simulated tray never replaces that of a real one."""
        return self.data / ("calibration-simulated.json" if simulated else "calibration.json")

    @property
    def restoring(self) -> Path:
        """Parts that are complete and about to take their places."""
        return self.data / "restoring"

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written there: the disk is read-only, or others' alone."""
        there = next(folder for folder in (self.data, *self.data.parents) if folder.exists())
        return there.is_dir() and not os.access(there, os.W_OK)

    @contextmanager
    def opened(self) -> Iterator[Lock]:
        """Hold the lock of the log; whoever has it open shares it.

        Raises:
            OSError: the folder cannot be written.
        """
        self.data.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.data / "log.lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            yield Lock(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep everybody else off the log.

        Raises:
            StorageError: another program has it open.
        """
        with self.opened() as lock:
            if not lock.is_alone():
                message = "another program has the log of rounds open"
                raise StorageError(message, "End that one first: a game, or the service.")
            yield

    def keep_aside(self, why: str) -> Path:
        """A new folder for what is replaced, named by its number and the reason."""
        parent = self.data / "aside"
        parent.mkdir(parents=True, exist_ok=True)
        number = 1 + max((_number_of(found.name) for found in parent.iterdir()), default=0)
        folder = parent / f"{number}-{why}"
        folder.mkdir()
        return folder

    def exchange(self, why: str) -> Path | None:
        """Let the parts in ``restoring`` take their places; what was there is kept aside.

        It can be interrupted anywhere and is then finished the next time.

        Returns:
            Where that is; None where nothing was there.
        """
        if not self.restoring.is_dir():
            return None
        parts = sorted(self.restoring.iterdir())
        replaced = [part.name for part in parts if (self.data / part.name).exists()]
        aside = self.keep_aside(why) if replaced else None
        for name in replaced:
            (self.data / name).rename(self.data / "aside" / (aside or self.data).name / name)
        for part in parts:
            part.rename(self.data / part.name)
        self.restoring.rmdir()
        sync_folder(self.data)
        return aside

    @contextmanager
    def staged(self) -> Iterator[Path]:
        """A folder for new parts, which becomes ``restoring`` when all of them are there.

        Nothing is left of it where they are not.
        """
        folder = self.data / "restoring.part"
        shutil.rmtree(folder, ignore_errors=True)  # one that was never finished
        folder.mkdir(parents=True)
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        for inner in (folder, *(found for found in folder.rglob("*") if found.is_dir())):
            sync_folder(inner)
        folder.rename(self.restoring)
        sync_folder(self.data)

    @contextmanager
    def playing(self, number: int) -> Iterator[None]:
        """Play a round; nobody else can at the same time.

        Raises:
            StorageError: somebody else does.
        """
        folder = self.data / "playing"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / str(number)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not _is_locked(descriptor, fcntl.LOCK_EX):
                message = f"round {number} is being played by another program"
                raise StorageError(message, "End it there, or wait.")
            yield
            file.unlink(missing_ok=True)
        finally:
            os.close(descriptor)

    def is_played(self, number: int) -> bool:
        """Whether some program plays a round right now."""
        try:
            descriptor = os.open(self.data / "playing" / str(number), os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            return not _is_locked(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)


@dataclass(frozen=True)
class Lock:
    """The lock of the log, held until its file is closed."""

    descriptor: int

    def is_alone(self) -> bool:
        """Whether it was to be had alone; if not, it is not held at all."""
        return _is_locked(self.descriptor, fcntl.LOCK_EX)

    def share(self) -> None:
        """Let others that share it have it as well; waits for one that has it alone."""
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)


def _is_locked(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _number_of(name: str) -> int:
    number = name.partition("-")[0]
    return int(number) if number.isdecimal() else 0
