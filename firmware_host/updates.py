"""A newer version, before it is installed: looked through, and laid where root finds it.

The service may not write where it is installed, and must not be able to: whoever breaks into it
would have the machine. So root installs, by a command that names the digest of what was looked
through.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath

from firmware_host.errors import CommandError, unusable_file

FOLDER = "update"
"""In the data folder; in no backup."""

LARGEST = 60_000_000
"""Bytes of a release, at most."""

_MOST_MEMBERS = 20_000
_MOST_UNPACKED = 400_000_000
_NEEDED = ("pyproject.toml", "systemd/install.sh", "firmware_host/__init__.py")
_ADVICE = "Take the file of a release, wordtray-VERSION.tar.gz, as it was published."
_COMMAND = "sudo /opt/wordtray/current/systemd/install.sh --update"


@dataclass(frozen=True)
class Release:
    """A release that may be installed.

    Attributes:
        version: of it.
        sha256: of its file, hexadecimal.
        size: bytes of its file.
    """

    version: str
    sha256: str
    size: int

    @property
    def is_newer(self) -> bool:
        """Whether it is newer than what runs."""
        return _number(self.version) > _number(installed())

    @property
    def command(self) -> str:
        """What installs it."""
        return f"{_COMMAND} {self.sha256}"


def installed() -> str:
    """The version that runs."""
    return version("wordtray")


def in_use(prefix: Path | None = None) -> str:
    """The folder of the version that runs, as the installer names it; empty where it is no such."""
    folder = Path(prefix or sys.prefix).resolve().parent
    return folder.name if (folder / "complete").exists() else ""


def looked_through(file: Path) -> Release:
    """A release, if a file is one.

    Raises:
        CommandError: it is none.
    """
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    try:
        with tarfile.open(file, "r:gz") as archive:
            project = _project(archive, _top(_checked(archive)))
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError) as error:
        raise _none(str(error) or type(error).__name__) from error
    if project.get("name") != "wordtray":
        raise _none(f"it is of {project.get('name')!r}")
    return Release(str(project["version"]), digest, file.stat().st_size)


def prepared(data: Path) -> Release | None:
    """The release that waits to be installed."""
    file = place(data)
    return looked_through(file) if file.exists() else None


def place(data: Path) -> Path:
    """Where the release waits."""
    return data / FOLDER / "wordtray.tar.gz"


def _checked(archive: tarfile.TarFile) -> list[str]:
    """Names of all members, each a file or folder below the one folder of the release."""
    names, unpacked = list[str](), 0
    for member in archive:
        path = PurePosixPath(member.name)
        if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
            raise ValueError(f"{member.name} does not belong into a release")
        names.append(member.name)
        unpacked += member.size
        if len(names) > _MOST_MEMBERS or unpacked > _MOST_UNPACKED:
            raise ValueError("it holds more than any release")
    return names


def _top(names: list[str]) -> str:
    tops = {PurePosixPath(name).parts[0] for name in names}
    if len(tops) != 1:
        raise ValueError("it does not hold one folder")
    (top,) = tops
    lost = [name for name in _NEEDED if f"{top}/{name}" not in names]
    if lost:
        raise ValueError(f"it lacks {lost[0]}")
    return top


def _project(archive: tarfile.TarFile, top: str) -> dict[str, str]:
    file = archive.extractfile(f"{top}/pyproject.toml")
    found: dict[str, str] = tomllib.loads(file.read().decode())["project"] if file else {}
    return found


def _none(why: str) -> CommandError:
    return unusable_file("release", f"that is no release of wordtray: {why}", _ADVICE)


def _number(text: str) -> tuple[int, ...]:
    return tuple(_numbers(text))


def _numbers(text: str) -> Iterator[int]:
    for part in text.partition("+")[0].split("."):
        digits = re.match(r"\d+", part)
        yield int(digits[0]) if digits else 0
