"""``wordtray fairness``: from readings to a verdict, a table, a picture and an exit code."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typer.testing import Result

from firmware_host.errors import ExitCode
from scoring.board import Board
from scoring.cubes import cube_set

Run = Callable[..., Result]
NEW = cube_set("new_4x4")


def line(rng: random.Random, *, loaded: bool = False, **more: object) -> str:
    """A reading as `read --json` prints it, of what is needed here."""
    faces = [list(row) for row in NEW.roll(rng).faces]
    while loaded and not any("Qu" in row for row in faces):
        faces = [list(row) for row in NEW.roll(rng).faces]
    quarters = [[rng.randrange(4) for _ in row] for row in faces]
    board = str(Board.from_faces(faces))
    document = {"board": board, "quarters": quarters, "edition": "new_4x4", "doubtful": []}
    return json.dumps({**document, **more})


def written(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def fair(tmp_path: Path) -> str:
    rng = random.Random(3)
    failed = json.dumps({"photo": "x.jpg", "error": {"kind": "no_tray"}})
    return written(tmp_path / "fair.jsonl", [failed, *(line(rng) for _ in range(60)), ""])


def test_a_fair_shaker_needs_more_shakes(run: Run, fair: str) -> None:
    result = run("fairness", fair, "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["verdict"]) == (ExitCode.DONE, "too_few")
    assert (document["edition"], document["shakes"], document["left_out"]) == ("new_4x4", 60, {})
    kinds = [test["test"] for test in document["tests"]]
    assert kinds == ["faces"] * 16 + ["repeats", "stays", "turns"]
    assert document["tests"][0]["cube"] == "AAEEGN"
    assert not any(test["unfair"] for test in document["tests"])


def test_a_loaded_shaker_is_told_and_drawn(run: Run, tmp_path: Path) -> None:
    rng = random.Random(4)
    file = written(tmp_path / "l.jsonl", [line(rng, loaded=i % 4 == 0) for i in range(200)])
    picture = tmp_path / "fair.svg"
    result = run("fairness", file, "--plot", str(picture))
    assert result.exit_code == ExitCode.DONE
    assert "The shaker is not fair" in result.stdout
    root = ET.fromstring(picture.read_text("utf-8"))  # noqa: S314 - our own
    texts = ["".join(node.itertext()) for node in root]
    assert "200 shakes of new_4x4" in texts
    assert "HIMNQuU: Qu" in texts


def test_doubts_and_what_is_left_out_are_told(run: Run, tmp_path: Path) -> None:
    rng = random.Random(5)
    lines = [line(rng) for _ in range(40)]
    lines.append(line(rng, doubtful=[[0, 0], [1, 1]]))
    lines.append(line(rng, board="AAAAA/" * 4 + "AAAAA", quarters=None))
    lines.append(line(rng, board="_AAA/AAAA/AAAA/AAAA"))
    lines.append(line(rng, board="QuAAA/QuAAA/AAAA/AAAA"))
    file = written(tmp_path / "m.jsonl", lines)
    told = run("fairness", file).stdout
    assert "41 shakes" in told
    assert "left out: 1 with another size, 1 with a cube missing, 1 with faces that cannot" in told
    assert "2 doubtful faces were taken as they were read" in told


def test_rolled_boards_are_judged_as_well(run: Run, tmp_path: Path) -> None:
    rolled = run("roll", "--cubes", "new_4x4", "--seed", "1", "-n", "50", "--json").stdout
    result = run("fairness", written(tmp_path / "r.jsonl", rolled.splitlines()), "--json")
    assert json.loads(result.stdout)["verdict"] == "too_few"


def test_without_quarters_turns_are_not_judged(run: Run, tmp_path: Path) -> None:
    rng = random.Random(6)
    file = written(tmp_path / "o.jsonl", [line(rng, quarters=None) for _ in range(40)])
    tests = json.loads(run("fairness", file, "--json").stdout)["tests"]
    assert {test["test"] for test in tests} == {"faces", "repeats", "stays"}


@pytest.mark.parametrize(
    ("lines", "arguments", "kind", "code"),
    [
        (["{"], [], "readings", ExitCode.UNUSABLE_FILE),
        (['{"board": "AB/C"}'], [], "readings", ExitCode.UNUSABLE_FILE),
        (["[]"], [], "readings", ExitCode.UNUSABLE_FILE),
        (["[" * 100_000], [], "readings", ExitCode.UNUSABLE_FILE),
        (['{"board": "AB/CD"}'], [], "cubes", ExitCode.WRONG_USE),
        ([""], ["--cubes", "new_4x4"], "readings", ExitCode.UNUSABLE_FILE),
        (['{"board": "AB/CD"}'], ["--cubes", "none"], "unknown_edition", ExitCode.WRONG_USE),
        ([""], ["--plot", "x.png"], "picture_name", ExitCode.WRONG_USE),
    ],
)
def test_what_cannot_be_judged_is_told(
    run: Run, tmp_path: Path, lines: list[str], arguments: list[str], kind: str, code: ExitCode
) -> None:
    result = run("fairness", written(tmp_path / "x.jsonl", lines), *arguments, "--json")
    assert (json.loads(result.stdout)["error"]["kind"], result.exit_code) == (kind, code)


def test_a_file_that_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    assert run("fairness", str(tmp_path / "no")).exit_code == ExitCode.UNUSABLE_FILE
