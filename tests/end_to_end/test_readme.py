"""The commands of the README, run in order as they stand, with the output shown below them."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


@dataclass(frozen=True)
class Example:
    """A command and what the README shows of its output; nothing shown is anything."""

    command: str
    output: str


def examples(text: str) -> list[Example]:
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    pieces = re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]
    parted = (piece.partition("\n") for piece in pieces)
    return [Example(command, output) for command, _, output in parted]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which ``./run`` is the program under test."""
    run = tmp_path / "run"
    run.write_text(
        f'#!/bin/sh\n[ $# -gt 0 ] || set -- demo\nexec "{sys.executable}" -m firmware_host "$@"\n',
        encoding="utf-8",
    )
    run.chmod(0o755)
    return tmp_path


def test_readme_examples_run_as_they_stand(folder: Path) -> None:
    found = examples(README.read_text("utf-8"))
    assert len(found) > 8
    checker = doctest.OutputChecker()
    for example in found:
        if example.command.startswith("./test"):
            continue  # these tests are what it runs
        shell = subprocess.run(
            ["/bin/sh", "-c", example.command],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert shell.returncode == 0, f"{example.command}: {shell.stderr}"
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        same = not example.output or checker.check_output(example.output, shell.stdout, flags)
        assert same, f"{example.command} printed\n{shell.stdout}\nnot\n{example.output}"
