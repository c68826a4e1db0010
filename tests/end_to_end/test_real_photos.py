"""Photos of real trays through the command line, as a user reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_host.cli import app

TRAYS = Path(__file__).parents[3] / "shared" / "data" / "trays"


@pytest.mark.real_data
def test_real_trays_are_read_without_a_silent_error() -> None:
    if not TRAYS.is_dir():
        pytest.skip(f"the evaluation photos are not here: {TRAYS}")
    truth = {tray["file"]: tray for tray in json.loads((TRAYS / "trays.json").read_text("utf-8"))}
    photos = [str(TRAYS / name) for name in truth]
    result = CliRunner().invoke(app, ["read", *photos, "--json"])
    readings = [json.loads(line) for line in result.stdout.splitlines()]
    exact = silent = 0
    for reading, tray in zip(readings, truth.values(), strict=True):
        doubtful = {tuple(cell) for cell in reading["doubtful"]}
        wrong = {
            (row, col)
            for row, faces in enumerate(tray["grid"])
            for col, face in enumerate(faces)
            if reading["faces"][row][col] != face
        }
        exact += not wrong
        silent += len(wrong - doubtful)
    assert exact >= 14
    assert silent <= 1
