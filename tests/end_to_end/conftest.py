"""How the tests call commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from firmware_host.cli import app
from firmware_host.errors import ExitCode
from vision.paper.ppocr import PpOcr, RecogniserError

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in an empty folder; what it keeps goes into ``data`` there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, list(args))

    return invoke


@pytest.fixture(scope="session")
def handwriting_is_read() -> None:
    """Skips a test where what reads handwriting is not installed."""
    try:
        PpOcr()
    except RecogniserError as error:
        pytest.skip(f"{error}. {error.advice}")


def document(result: Result, code: ExitCode = ExitCode.DONE) -> dict[str, Any]:
    """The one document that a command printed."""
    assert result.exit_code == code, result.stdout + result.stderr
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def refusal(result: Result, code: ExitCode = ExitCode.WRONG_USE) -> dict[str, str]:
    """The error that a command ended with; it is told to people, too."""
    assert result.exit_code == code, result.stdout + result.stderr
    assert "→" in result.stderr
    error: dict[str, str] = json.loads(result.stdout.splitlines()[-1])["error"]
    assert error["message"]
    assert error["advice"]
    return error
