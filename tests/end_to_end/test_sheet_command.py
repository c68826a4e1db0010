"""``wordtray sheet``: files written, files kept, errors, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

Run = Callable[..., Result]


def test_sheets_for_named_players(run: Run, tmp_path: Path) -> None:
    told = run("sheet", "-o", "a.pdf", "--players", "Anna, Zoë", "--round", "Final", "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout) == {
        "file": "a.pdf",
        "pages": 2,
        "players": 2,
        "size": "A4",
        "kind": "boxes",
        "columns": 2,
        "rows": 26,
        "boxes": 14,
    }
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")


def test_a_tournament_in_one_file(run: Run, tmp_path: Path) -> None:
    lines = ["name,table", *(f"Player {number},Table {number // 4}" for number in range(60))]
    (tmp_path / "players.csv").write_text("\n".join(lines), encoding="utf-8")
    told = run("sheet", "-o", "b.pdf", "--players", "players.csv", "--size", "letter", "--json")
    assert told.exit_code == 0, told.output
    document = json.loads(told.stdout)
    assert (document["pages"], document["size"]) == (60, "Letter")


def test_people_are_told_how_much_fits(run: Run) -> None:
    told = run("sheet", "-o", "a.pdf", "--size", "A5", "--kind", "rows", "--columns", "1")
    assert told.exit_code == 0
    assert "1 page" in told.stdout
    assert "15 words" in told.stdout


def test_a_file_that_is_there_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"mine")
    told = run("sheet", "-o", "a.pdf", "--json")
    assert told.exit_code == 2
    assert json.loads(told.stdout)["error"]["kind"] == "sheet_exists"
    assert (tmp_path / "a.pdf").read_bytes() == b"mine"


def _kind(run: Run, *options: str) -> tuple[int, str]:
    told = run("sheet", "-o", "a.pdf", "--json", *options)
    return told.exit_code, json.loads(told.stdout)["error"]["kind"]


def test_what_cannot_be_printed_is_refused(run: Run, tmp_path: Path) -> None:
    assert _kind(run, "--size", "A3") == (2, "sheet")
    assert _kind(run, "--size", "A5", "--columns", "3") == (2, "sheet")
    assert _kind(run, "--rows", "99") == (2, "sheet")
    assert _kind(run, "--players", "x" * 80) == (2, "sheet")
    assert _kind(run, "--players", ",") == (2, "players")
    assert _kind(run, "--players", "Anna,Bo,Anna") == (2, "players")
    assert _kind(run, "--players", "Anna,Bo,anna") == (2, "players")
    assert _kind(run, "--players", "missing.csv") == (6, "players")
    assert not (tmp_path / "a.pdf").exists()


def test_another_kind_of_file_is_not_written_over(run: Run) -> None:
    told = run("sheet", "-o", "notes.txt")
    assert told.exit_code == 2


def test_signs_without_print_are_told(run: Run) -> None:
    told = run("sheet", "-o", "a.pdf", "--players", "李小龙")
    assert told.exit_code == 0
    assert "lacks" in told.stderr
