"""Check that all that a Raspberry Pi gets from pip comes ready-built for it.

For each Python of Raspberry Pi OS pip resolves what wordtray needs on a Pi and what builds it, for
64-bit ARM, wheels alone; nothing is installed. Left out is what the extra ``strip`` compiles, and
lgpio for Python 3.13, which comes by apt. Run from the repository after a set-up for the tests::

    .venv/bin/python tools/check_wheels.py [REQUIREMENT ...]

Requirements that are named are checked as well. Ends with 1 where a wheel is missing; without a
network it says that it was skipped, and ends with 0.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

PYTHONS = ("3.11", "3.13")
"""Of Raspberry Pi OS with Debian 12 and 13 beneath."""

GLIBC = range(17, 37)
"""Minor versions of the C library that a wheel may ask for: the last is that of Debian 12."""

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
EXTRA = "pi"
LAST_WORDS = 8

_NO_WHEEL = re.compile(r"No matching distribution found for (.+)")
_NO_NETWORK = re.compile(r"connection broken|ConnectionError|timed out", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What came of one Python: whether all is there, and a sentence."""

    good: bool
    sentence: str


def requirements(project: dict[str, Any], python: str) -> list[str]:
    """What a Pi with this Python gets from pip, without the conditions, which are looked at here.

    pip itself would look at them for the Python that runs it.
    """
    named = (
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"][EXTRA],
    )
    return [str(wanted) for text in named if (wanted := _unconditional(text, python)) is not None]


def _unconditional(text: str, python: str) -> Requirement | None:
    """The requirement, or None where its condition does not hold on such a Pi."""
    wanted = Requirement(text)
    pi = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": "aarch64",
        "platform_system": "Linux",
        "sys_platform": "linux",
    }
    if wanted.marker is not None and not wanted.marker.evaluate(pi):
        return None
    wanted.marker = None
    return wanted


def pip(python: str, wanted: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Have pip resolve them for a Pi with this Python."""
    tags = [f"manylinux_2_{minor}_aarch64" for minor in GLIBC]
    tags += ["manylinux2014_aarch64", "linux_aarch64"]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--disable-pip-version-check", "--no-color", "--target", "unused"]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
    command += [word for tag in tags for word in ("--platform", tag)]
    return subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)


def verdict(python: str, done: subprocess.CompletedProcess[str]) -> Verdict:
    """What pip's answer means."""
    if done.returncode == 0:
        found = done.stdout.partition("Would install ")[2].split()
        return Verdict(
            good=True,
            sentence=f"Python {python} on aarch64: {len(found)} packages, a wheel for each",
        )
    said = done.stdout + done.stderr
    if _NO_NETWORK.search(said):
        return Verdict(
            good=True, sentence=f"Python {python}: skipped, pip cannot reach its package index"
        )
    if missing := _NO_WHEEL.search(said):
        sentence = (
            f"Python {python}: there is no wheel for aarch64 that satisfies {missing[1]}. "
            "Take another version, or have it as an optional extra that comes by apt."
        )
    else:
        last = "\n".join(said.splitlines()[-LAST_WORDS:])
        sentence = f"Python {python}: pip could not resolve it:\n{last}"
    return Verdict(good=False, sentence=sentence)


def main(further: Sequence[str]) -> int:
    """Check each Python; the exit code."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    good = True
    for python in PYTHONS:
        told = verdict(python, pip(python, [*requirements(project, python), *further]))
        print(told.sentence, flush=True)
        good = good and told.good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
