"""Dice from the command line: `read --dice`, and the die of a Swoggle turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.errors import ExitCode
from vision.render.dice import DiceStyle, ThrowOptions, render_dice

Run = Callable[..., Result]

OPTIONS = ThrowOptions(size=(640, 480), max_tilt=12.0, edge=(0.14, 0.18), variety=0.1)
IVORY = DiceStyle((240, 232, 210), (18, 18, 20), 0.21, 0.25, 0.2, 0.1, 0.2)


def throw(folder: Path, *pips: int) -> str:
    """The name of a photo of such a throw."""
    name = f"throw-{''.join(map(str, pips))}.jpg"
    photo = render_dice(pips, np.random.default_rng(4), OPTIONS, IVORY).photo
    Image.fromarray(photo).save(folder / name, quality=92)
    return name


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


class TestReadDice:
    def test_each_photo_is_a_line(self, run: Run, tmp_path: Path) -> None:
        result = run("read", "--dice", throw(tmp_path, 6, 2, 4), throw(tmp_path, 1), "--json")
        first, second = documents(result)
        assert list(first)[:3] == ["photo", "dice", "doubtful"]
        assert (first["dice"], first["doubtful"], first["unread_px"]) == ([2, 4, 6], False, [])
        assert [die["pips"] for die in first["read"]] == first["dice"]
        assert all(len(die["corners_px"]) == 4 for die in first["read"])
        assert (second["photo"], second["dice"]) == ("throw-1.jpg", [1])
        assert result.exit_code == ExitCode.DONE

    def test_people_get_the_pips_and_their_sum(self, run: Run, tmp_path: Path) -> None:
        result = run("read", "--dice", throw(tmp_path, 5, 3))
        assert "3, 5, 8 in all" in result.stdout

    def test_an_annotated_picture_is_written(self, run: Run, tmp_path: Path) -> None:
        run("read", "--dice", throw(tmp_path, 5, 3), "--annotate", "out")
        with Image.open(tmp_path / "out" / "read-throw-53.jpg") as picture:
            assert picture.size == (640, 480)

    def test_a_doubtful_die_ends_with_its_code_and_says_why(self, run: Run, tmp_path: Path) -> None:
        with Image.open(tmp_path / throw(tmp_path, 5)) as photo:
            photo.resize((640, 290)).save(tmp_path / "low.jpg")
        result = run("read", "--dice", "low.jpg")
        assert result.exit_code == ExitCode.DOUBTFUL
        assert "from the side" in result.stdout

    def test_a_photo_without_dice_does_not_stop_the_others(self, run: Run, tmp_path: Path) -> None:
        Image.new("RGB", (640, 480), (90, 120, 90)).save(tmp_path / "bare.png")
        result = run("read", "--dice", "bare.png", throw(tmp_path, 2), "missing.jpg", "--json")
        bare, thrown, missing = documents(result)
        assert bare["error"]["kind"] == "no_dice"
        assert thrown["dice"] == [2]
        assert missing["error"]["kind"] == "photo_missing"
        assert result.exit_code == ExitCode.NOTHING_FOUND

    def test_dice_have_no_edition(self, run: Run, tmp_path: Path) -> None:
        result = run("read", "--dice", throw(tmp_path, 2), "--cubes", "new_4x4")
        assert result.exit_code == ExitCode.WRONG_USE
        assert "--dice does not go with --cubes" in result.stderr


class TestSwoggleDie:
    @pytest.fixture
    def swoggle(self, run: Run) -> Run:
        """Commands of a match that has begun."""
        assert run("swoggle", "new", "m", "--players", "ann,bob").exit_code == 0
        return lambda command, *args: run("swoggle", command, "m", *args)

    def log(self, swoggle: Run) -> list[dict[str, Any]]:
        exported: dict[str, Any] = json.loads(swoggle("export").stdout)
        return [dict(event) for event in exported["log"]]

    def test_a_photographed_die_is_thrown_by_the_camera(self, swoggle: Run, tmp_path: Path) -> None:
        result = swoggle("roll", "--photo", throw(tmp_path, 6))
        assert "ann has a 6" in result.stdout
        (event,) = self.log(swoggle)
        assert (event["type"], event["die"], event["by"]) == ("roll", 6, "camera")

    def test_a_turn_and_a_pass_take_a_photo_too(self, swoggle: Run, tmp_path: Path) -> None:
        turn = swoggle("turn", "8", "5", "across", "PARADE", "--photo", throw(tmp_path, 6))
        assert "17 points" in turn.stdout
        assert swoggle("pass", "--photo", throw(tmp_path, 2)).exit_code == 0
        thrown = [event["die"] for event in self.log(swoggle) if event["type"] == "roll"]
        assert thrown == [6, 2]

    def test_more_dice_than_one_are_refused(self, swoggle: Run, tmp_path: Path) -> None:
        result = swoggle("roll", "--photo", throw(tmp_path, 6, 2))
        assert result.exit_code == ExitCode.DOUBTFUL
        assert "it shows 2 dice" in result.stderr
        assert "--die N" in result.stderr
        assert self.log(swoggle) == []

    def test_a_doubtful_die_is_refused(self, swoggle: Run, tmp_path: Path) -> None:
        with Image.open(tmp_path / throw(tmp_path, 5)) as photo:
            photo.resize((640, 290)).save(tmp_path / "low.jpg")
        result = swoggle("roll", "--photo", "low.jpg")
        assert result.exit_code == ExitCode.DOUBTFUL
        assert "seems to show 5" in result.stderr
        assert self.log(swoggle) == []

    def test_a_photo_and_a_typed_die_exclude_each_other(self, swoggle: Run, tmp_path: Path) -> None:
        result = swoggle("roll", "--die", "3", "--photo", throw(tmp_path, 3))
        assert result.exit_code == ExitCode.WRONG_USE
