"""Photographed boards of Swoggle from the command line: `swoggle read` and `swoggle check`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.errors import ExitCode
from firmware_host.swoggle_camera import printed_board
from firmware_host.swoggle_picture import SQUARE, to_png
from scoring.board import Cell
from scoring.swoggle.board import builtin_layout
from vision.render.handwriting import Hand
from vision.render.written_board import SCRIBBLE, Sheet, ViewOptions, photograph_sheet, write_on

Run = Callable[..., Result]

BOARD = printed_board(builtin_layout())
MARGIN = SQUARE * 0.8  # of the drawn board
PARADE: dict[Cell, str] = {(7, 4 + place): letter for place, letter in enumerate("PARADE")}
SEAT: dict[Cell, str] = {(7 + place, 10): letter for place, letter in enumerate("SEAT")}
MARKER = Hand(
    height=0.62, width=1.0, slant=0.03, turn=0.0, shake=0.012, bow=0.01, overshoot=0.02, line=0.08,
    ink=(24.0, 60.0, 170.0), cover=0.95, grain=0.1, soft=0.01, gaps=0.0,
)  # fmt: skip
VIEW = ViewOptions(size=(1400, 1100), max_tilt=10.0, yaw=(0, 0), share=(0.95, 0.98), variety=0.1)


def photograph(
    folder: Path, signs: Mapping[Cell, str], name: str = "board.jpg", seed: int = 3
) -> str:
    """The name of a photo of wordtray's own board with these signs written on it."""
    with Image.open(io.BytesIO(to_png(builtin_layout(), {}, frozenset()))) as drawn:
        blank = Sheet(np.array(drawn.convert("RGB")), SQUARE, MARGIN)
    rng = np.random.default_rng(seed)
    shot = photograph_sheet(write_on(blank, signs, MARKER, rng), BOARD, rng, VIEW)
    Image.fromarray(shot.photo).save(folder / name, quality=92)
    return name


def document(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def begin(run: Run) -> None:
    """A match in which PARADE and SEAT were written."""
    run("swoggle", "new", "monday", "--players", "ann,bob", "--start", "6,3")
    run("swoggle", "turn", "monday", "8 5 across PARADE")
    assert run("swoggle", "turn", "monday", "8 11 down SEAT", "--die", "4").exit_code == 0


class TestRead:
    def test_the_drawn_board_is_read_with_what_is_written_on_it(
        self, run: Run, tmp_path: Path
    ) -> None:
        result = run("swoggle", "read", photograph(tmp_path, PARADE | SEAT), "--json")
        told = document(result)
        assert list(told) == [
            "photo", "board", "squares", "read", "doubtful", "corners_px", "seconds",
        ]  # fmt: skip
        assert (told["photo"], told["board"]) == ("board.jpg", "wordtray")
        assert told["squares"][7] == "....PARADES...."
        assert told["squares"][9] == "..#.......A.#.."
        read = {(one["row"], one["col"]): one for one in told["read"]}
        assert read[8, 5]["sign"] == "P"
        assert read[8, 5]["confidence"] == read[8, 5]["alternatives"][0]["probability"]
        assert len(read[8, 5]["corners_px"]) == len(told["corners_px"]) == 4
        assert result.exit_code == (ExitCode.DOUBTFUL if told["doubtful"] else ExitCode.DONE)

    def test_people_see_the_board_and_what_is_doubtful(self, run: Run, tmp_path: Path) -> None:
        name = photograph(tmp_path, PARADE | {(8, 4): SCRIBBLE})
        result = run("swoggle", "read", name, "--annotate", "out")
        assert result.exit_code == ExitCode.DOUBTFUL
        assert "row 9, column 5 is doubtful" in result.stdout
        assert "┌───┬" in result.stdout
        with Image.open(tmp_path / "out" / "read-board.jpg") as picture:
            assert picture.size == (1400, 1100)

    def test_a_blank_board_is_empty(self, run: Run, tmp_path: Path) -> None:
        result = run("swoggle", "read", photograph(tmp_path, {}))
        assert "0 letters" in result.stdout
        assert result.stdout.count("is doubtful") <= 6

    def test_a_photo_without_a_board_says_so(self, run: Run, tmp_path: Path) -> None:
        Image.new("RGB", (640, 480), (120, 90, 60)).save(tmp_path / "table.png")
        result = run("swoggle", "read", "table.png", "--json")
        assert document(result)["error"]["kind"] == "no_swoggle_board"
        assert result.exit_code == ExitCode.NOTHING_FOUND

    def test_what_fails_does_not_hide_the_others(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "none.jpg").write_bytes(b"")
        result = run("swoggle", "read", "none.jpg", photograph(tmp_path, {}), "--json")
        first, second = map(json.loads, result.stdout.splitlines())
        assert first["error"]["kind"] == "photo_empty"
        assert second["photo"] == "board.jpg"
        assert result.exit_code == ExitCode.UNUSABLE_FILE

    def test_another_board_is_looked_for_where_one_is_named(self, run: Run, tmp_path: Path) -> None:
        squares = "\n".join(["1 o 1 # 1"] * 4 + ["1 1+ 1 r y"])
        (tmp_path / "mine.toml").write_text(
            f'name = "mine"\ntitle = "t"\nsource = "s"\nsquares = """\n{squares}\n"""\n'
        )
        result = run("swoggle", "read", photograph(tmp_path, {}), "--board", "mine.toml")
        assert result.exit_code == ExitCode.NOTHING_FOUND
        assert "5×5" in result.stderr

    def test_a_damaged_board_file_is_told_of(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text("name = 3")
        result = run("swoggle", "read", "any.jpg", "--board", "mine.toml")
        assert result.exit_code == ExitCode.UNUSABLE_FILE


class TestCheck:
    def test_paper_that_agrees(self, run: Run, tmp_path: Path) -> None:
        begin(run)
        result = run("swoggle", "check", "monday", photograph(tmp_path, PARADE | SEAT))
        assert result.stdout.startswith("The paper agrees with monday: 10 letters.")
        assert result.exit_code == ExitCode.DONE

    def test_every_difference_is_told_with_its_square(self, run: Run, tmp_path: Path) -> None:
        begin(run)
        paper = PARADE | {(7, 10): "S", (8, 10): "E", (9, 10): "L", (8, 4): "A"}
        result = run("swoggle", "check", "monday", photograph(tmp_path, paper), "--json")
        told = document(result)
        kinds = {(one["row"], one["col"]): one["verdict"] for one in told["differences"]}
        asked = {(one["row"], one["col"]) for one in told["doubtful"]}
        expected = {(10, 11): "other", (11, 11): "missing", (9, 5): "extra"}
        assert set(kinds) | asked == set(expected)
        assert kinds.items() <= expected.items()
        assert len(kinds) >= 2
        assert told["agrees"] is False
        assert result.exit_code == ExitCode.DOUBTFUL

    def test_people_read_what_differs(self, run: Run, tmp_path: Path) -> None:
        begin(run)
        result = run(
            "swoggle", "check", "monday", photograph(tmp_path, PARADE | SEAT | {(9, 4): "X"}),
            "--annotate", "out",
        )  # fmt: skip
        assert "row 10, column 5" in result.stdout
        assert "X on the paper, nothing in the match" in result.stdout
        assert (tmp_path / "out" / "read-board.jpg").exists()

    def test_the_match_stays_as_it_was(self, run: Run, tmp_path: Path) -> None:
        begin(run)
        before = run("swoggle", "export", "monday").stdout
        run("swoggle", "check", "monday", photograph(tmp_path, PARADE))
        assert run("swoggle", "export", "monday").stdout == before

    @pytest.mark.parametrize("name", ["tuesday", "no name"])
    def test_an_unknown_match_is_wrong_use(self, run: Run, tmp_path: Path, name: str) -> None:
        result = run("swoggle", "check", name, photograph(tmp_path, {}))
        assert result.exit_code == ExitCode.WRONG_USE
