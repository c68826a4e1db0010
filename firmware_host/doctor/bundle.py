"""One file for a report of a fault, without personal data.

Kept out are names of players, words, photos, addresses, and the names of the machine and its user.
Of an error there is the kind and the place, not its message, which may hold anything.
"""

from __future__ import annotations

import ast
import getpass
import io
import json
import os
import platform
import re
import socket
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.doctor import records
from firmware_host.doctor.finding import Finding
from firmware_host.errors import ExitCode, complaint_of, wrong_use
from firmware_host.files import check_place
from firmware_host.store.errors import StorageError
from firmware_host.store.place import Place

if TYPE_CHECKING:
    from firmware_host.settings import Settings

REPORTS = "wordtray-report-*.txt"
"""The reports that are written where a command ends by an error of ours."""

LARGEST_REPORT = 1_000_000
"""Bytes of a report that are read, at most."""

TAIL = 60
"""Lines of a report that are taken, at most."""

COMMON_NAMES = frozenset({"", "localhost", "pi", "raspberrypi", "root", "wordtray"})
"""Names of users and machines that say nothing of anybody, and are words of ours."""

SHORT_NAME = 4
"""Letters below which a name is looked for as a word of its own."""

_HOMES = re.compile(r"/(?:home|Users|media|run/media)/[^/\s'\",:]+")
_IPV4 = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_FRAME = re.compile(r'\s*File "(?P<file>.+)", line (?P<line>\d+), in (?P<name>\S+)')
_KIND = re.compile(r"(?P<kind>[A-Za-z_][\w.]*(?:[Ee]rror|Exception|Exit|Interrupt|Warning))(?::|$)")
_PACKAGES = tuple(
    re.compile(f".*/{folder}")
    for folder in (
        "(?:site|dist)-packages/",
        r"lib/python[\d.]+/",
        "(?=(?:firmware_host|hardware|scoring|vision)/)",
    )
)
_SAID = (
    "Traceback (most recent call last):",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)


@dataclass(frozen=True)
class Scrubber:
    """Takes out of a text who and where it is from.

    Args:
        home: folder of the user.
        names: of the user and of the machine.
        addresses: of the machine.
    """

    home: str
    names: tuple[str, ...]
    addresses: tuple[str, ...] = ()

    @classmethod
    def here(cls, addresses: Iterable[str] = ()) -> Scrubber:
        """For this machine and user, also where they have become root by ``sudo``."""
        host = socket.gethostname()
        names = (host, host.partition(".")[0], _user(), os.environ.get("SUDO_USER", ""))
        return cls(str(Path.home()), names, tuple(addresses))

    def clean(self, text: str) -> str:
        """The text without names, home folders and addresses."""
        for address in self.addresses:
            text = text.replace(address, "ADDRESS")
        return self.without_names(_IPV4.sub("ADDRESS", text))

    def without_names(self, text: str) -> str:
        """The text without names and home folders; what looks like an address may be a version."""
        if self.home not in {"", "/"}:
            text = re.sub(rf"{re.escape(self.home)}(?![\w.-])", "~", text)
        text = _HOMES.sub("~", text)
        for name in sorted(set(self.names), key=len, reverse=True):
            if name.lower() not in COMMON_NAMES:
                text = re.sub(_pattern(name), "NAME", text, flags=re.IGNORECASE)
        return text


def _pattern(name: str) -> str:
    """A name wherever it stands; a short one only by itself, as it is part of many words."""
    alone = "(?<![A-Za-z0-9]){}(?![A-Za-z0-9])" if len(name) < SHORT_NAME else "{}"
    return alone.format(re.escape(name))


@dataclass(frozen=True)
class Case:
    """What is reported.

    Attributes:
        findings: of the examination.
        settings: of the machine, where it has any.
        place: of the log.
        reports: folder of the reports of errors.
    """

    findings: tuple[Finding, ...]
    settings: Settings | None
    place: Place
    reports: Path

    @classmethod
    def here(cls, findings: Iterable[Finding], settings: Settings | None) -> Case:
        """That of this machine."""
        return cls(tuple(findings), settings, Place.standard(), Path(tempfile.gettempdir()))

    def members(self, scrubber: Scrubber) -> dict[str, str]:
        """Names of the files in the bundle, and their texts."""
        made: dict[str, str | None] = {
            "findings.jsonl": self._findings(),
            "settings.toml": self._settings(),
            "pins.txt": self._pins(),
            "events.json": self._events(),
            "error.txt": last_report(self.reports),
        }
        clean = {name: scrubber.clean(text) for name, text in made.items() if text is not None}
        return {"versions.json": scrubber.without_names(_document(versions())), **clean}

    def _findings(self) -> str:
        told = [_kind_alone(one).as_json() for one in self.findings if one.subject != "address"]
        return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in told)

    def _settings(self) -> str | None:
        from firmware_host.settings_file import written

        return None if self.settings is None else f"{written(self.settings)}\n"

    def _pins(self) -> str | None:
        if self.settings is None:
            return None
        wires = sorted(self.settings.wiring.wires, key=lambda wire: wire.gpio)
        return "".join(f"GPIO {wire.gpio:2}  {wire.use:<6}  {wire.role}\n" for wire in wires)

    def _events(self) -> str | None:
        """How many events of each kind the log has, and nothing of what they hold."""
        try:
            found = records.look(self.place)
        except (StorageError, OSError) as error:
            complaint = complaint_of(error)
            return _document({"error": complaint.message if complaint else ""})
        return None if found is None else _document(found.counts)


def _kind_alone(finding: Finding) -> Finding:
    """Of an error of ours the kind: its message may hold anything."""
    found = _KIND.match(finding.text) if finding.code is ExitCode.OUR_FAULT else None
    return replace(finding, text=found["kind"]) if found else finding


def check_new(file: Path) -> None:
    """See that no file would be replaced, and no folder made.

    Raises:
        CommandError: there is one, or no such folder.
    """
    check_place(file)
    if os.path.lexists(file):
        message = f"there is a file {file} already, and it is not replaced"
        raise wrong_use("bundle_exists", message, "Name another one after --bundle.")


def write_bundle(file: Path, members: Mapping[str, str]) -> None:
    """Write the texts into a new zip file.

    Raises:
        CommandError: the file is there already.
        OSError: it cannot be written.
    """
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in members.items():
            bundle.writestr(name, text)
    check_place(file)
    try:
        made = file.open("xb")
    except FileExistsError:
        check_new(file)
        raise
    try:
        with made:
            made.write(data.getvalue())
    except OSError:
        file.unlink()  # half a bundle is none
        raise


def versions() -> dict[str, str | None]:
    """Versions of this program and of what it stands on; None for what is not installed."""
    named = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requires("wordtray") or ()]
    libraries = dict.fromkeys(("wordtray", *named, "picamera2"))
    python = {"python": sys.version.split()[0], "system": platform.platform()}
    return {**python, **{name: _version(name) for name in libraries}}


def last_report(folder: Path) -> str | None:
    """The end of the last report of an error, by kinds and places alone; None without any.

    It says when that was: it may be of another command than the one that somebody asks about.
    """
    files = [file for file in folder.glob(REPORTS) if os.access(file, os.R_OK)]
    if not files:
        return None
    latest = max(files, key=lambda file: file.stat().st_mtime)
    with latest.open(encoding="utf-8", errors="replace") as file:
        text = file.read(LARGEST_REPORT)
    written = datetime.fromtimestamp(latest.stat().st_mtime).astimezone()
    head = f"the last unexpected error on this machine, of {written:%Y-%m-%d %H:%M}"
    return "".join(f"{line}\n" for line in (head, *tuple(scrubbed_report(text))[1 - TAIL :]))


def scrubbed_report(text: str) -> Iterator[str]:
    """Those lines of a report that are known to hold no names: all others may.

    Args:
        text: as a command writes it where it ends by an error of ours.
    """
    for line in text.splitlines():
        if line.startswith("command: "):
            yield f"command: {' '.join(_options(line.removeprefix('command: ')))}"
        elif line.startswith(("python: ", "system: ")) or line in _SAID:
            yield line
        elif found := _FRAME.fullmatch(line):
            yield f"  line {found['line']} of {_place(found['file'], found['name'])}"
        elif found := _KIND.match(line):
            yield found["kind"]


def _options(arguments: str) -> Iterator[str]:
    """The command, and the names of its options without their values."""
    try:
        _, *words = ast.literal_eval(arguments)
    except (ValueError, SyntaxError):
        return
    for number, word in enumerate(words):
        if word.startswith("-") or (number == 0 and word.isalpha()):
            yield word.partition("=")[0]


def _place(file: str, function: str) -> str:
    """A place in the code, from its package on; of code that is nobody's package, nothing."""
    found = next((match for package in _PACKAGES if (match := package.match(file))), None)
    return f"{file[found.end() :]}, in {function}" if found else "elsewhere"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name
        return ""


def _document(value: Mapping[str, object]) -> str:
    return f"{json.dumps(value, indent=1, ensure_ascii=False)}\n"
