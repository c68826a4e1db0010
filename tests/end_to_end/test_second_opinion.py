"""``read --second-opinion tesseract`` with programs that agree, disagree and are not there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.errors import ExitCode
from scoring.board import Board
from vision.render.tray import PhotoOptions, render_tray

Run = Callable[..., Result]
BOARD = "IETC/HAPE/SEYH/TOER"


@pytest.fixture(scope="session")
def photo(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("photos") / "tray.png"
    options = PhotoOptions(size=(1000, 750), variety=0.0, max_tilt=10, max_yaw=10)
    Image.fromarray(render_tray(Board.parse(BOARD), np.random.default_rng(4), options).photo).save(
        file
    )
    return str(file)


Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a tesseract on the path that says a letter of the first cell and nothing of the rest."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def installed(said: str) -> None:
        pages = "".join(rf"1\t{page}\t\n" for page in range(2, 17))
        table = rf"level\tpage\ttext\n1\t1\t\n5\t1\t{said}\n{pages}"
        program = folder / "tesseract"
        program.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '{table}'\n", encoding="utf-8")
        program.chmod(0o755)

    return installed


def read(run: Run, photo: str) -> tuple[dict[str, Any], int]:
    result = run("read", photo, "--second-opinion", "tesseract", "--json")
    (only,) = [json.loads(line) for line in result.stdout.splitlines()]
    return only, result.exit_code


def test_agreement_changes_nothing(run: Run, photo: str, install: Install) -> None:
    install("I")
    document, code = read(run, photo)
    assert (document["board"], document["doubtful"], code) == (BOARD, [], ExitCode.DONE)


def test_disagreement_asks_for_the_cell(run: Run, photo: str, install: Install) -> None:
    install("E")
    document, code = read(run, photo)
    assert (document["board"], document["doubtful"]) == (BOARD, [[0, 0]])
    assert document["second_opinion"] == [["E", "", "", ""], *[[""] * 4] * 3]
    assert code == ExitCode.DOUBTFUL
    told = run("read", photo, "--second-opinion", "tesseract").stdout
    assert "A1 is doubtful" in told
    assert "second opinion: E" in told


def test_a_burst_is_heard_as_well(run: Run, photo: str, install: Install) -> None:
    install("E")
    result = run("read", photo, photo, "--burst", "--second-opinion", "tesseract", "--json")
    assert json.loads(result.stdout)["doubtful"] == [[0, 0]]


def test_without_the_program_nothing_is_read(
    run: Run, photo: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    document, code = read(run, photo)
    assert document["error"]["kind"] == "tesseract"
    assert "sudo apt install tesseract-ocr" in document["error"]["advice"]
    assert code == ExitCode.DEVICE_FAULT


def test_other_programs_and_dice_are_refused(run: Run, photo: str) -> None:
    assert run("read", photo, "--second-opinion", "magic").exit_code == ExitCode.WRONG_USE
    both = run("read", photo, "--dice", "--second-opinion", "tesseract")
    assert both.exit_code == ExitCode.WRONG_USE
    assert "--second-opinion does not go with --dice" in both.stderr
