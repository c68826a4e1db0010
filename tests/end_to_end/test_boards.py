"""Boards of a wanted kind, and what a board offers, as users ask for them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.errors import ExitCode
from scoring.board import Board, letters
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rolls import roll_many
from scoring.rules import game
from scoring.solver import score_many, solve
from vision.render.tray import render_tray

BOARD = "IETC/HQuPE/SEYH/TOER"
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def enable() -> Lexicon:
    """The built-in word list."""
    return builtin_lexicon()


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where the native engine could not be built."""
    monkeypatch.setattr("scoring.engine.find_spec", lambda _name: None)


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def document(result: Result) -> dict[str, Any]:
    (only,) = documents(result)
    return only


class TestRoll:
    def test_document_has_the_agreed_keys(self, run: Run) -> None:
        found = document(run("roll", "--at-least", "100", "--json"))
        assert list(found) == [
            *("board", "rows", "cols", "edition"),
            *("game", "lexicon", "points", "count", "longest", "tried"),
        ]

    def test_boards_are_the_first_of_the_seed_that_fit(self, run: Run, enable: Lexicon) -> None:
        args = ("--cubes", "classic_4x4", "--between", "100", "120", "--has-word-of", "7")
        found = documents(run("roll", *args, "--seed", "5", "-n", "3", "--json"))
        rolls = roll_many(cube_set("classic_4x4"), 1000, np.random.default_rng(5))
        expected = []
        for tried, points in enumerate(score_many(rolls, enable, game("boggle")), 1):
            words = solve(rolls[tried - 1], enable, game("boggle")).words
            longest = max((len(found.word) for found in words), default=0)
            if 100 <= points <= 120 and longest >= 7:
                expected.append((str(rolls[tried - 1]), points, tried, longest))
        assert [
            (one["board"], one["points"], one["tried"], len(one["longest"][0])) for one in found
        ] == expected[:3]

    @pytest.mark.usefixtures("no_compiler")
    def test_boards_are_the_same_without_a_compiler(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        args = ("roll", "--at-least", "200", "--seed", "1", "-n", "3", "--json")
        slow = documents(run(*args))
        monkeypatch.undo()
        assert documents(run(*args)) == slow

    def test_all_conditions_hold_together(self, run: Run) -> None:
        args = ("--at-least", "150", "--between", "100", "160", "--has-word-of", "8")
        for found in documents(run("roll", *args, "-n", "2", "--json")):
            assert 150 <= found["points"] <= 160
            assert len(found["longest"][0]) >= 8

    def test_other_games_and_words_decide(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "few.txt").write_text("tea\neat\nseat\n", encoding="utf-8")
        args = ("--lexicon", "few.txt", "--game", "big", "--at-least", "1", "--json")
        found = document(run("roll", *args, "--cubes", "new_4x4"))
        assert (found["game"], found["lexicon"]) == ("big", "few")
        assert (found["points"], found["longest"]) == (1, ["seat"])

    def test_the_size_decides_the_game(self, run: Run) -> None:
        found = document(run("roll", "--cubes", "big_1979_5x5", "--at-least", "1", "--json"))
        assert (found["game"], found["rows"]) == ("big", 5)

    def test_people_see_board_points_and_longest_words(self, run: Run) -> None:
        result = run("roll", "--at-least", "300", "--seed", "1")
        assert result.stdout.startswith("HCHY/TANS/FBRN/LOWE  328 points; longest bannerol, ")
        assert result.stderr == ""

    def test_without_conditions_it_stays_as_it_was(self, run: Run) -> None:
        found = document(run("roll", "--seed", "7", "--json"))
        assert list(found) == ["board", "rows", "cols", "edition"]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--at-least", "5000"), "5,000 points or more; the nearest has "),
        (("--between", "4998", "5000"), "4,998 to 5,000 points; the nearest has "),
        (("--between", "4998", "4998"), "has 4,998 points; the nearest has "),
        (("--has-word-of", "16"), "a word of 16 letters or more"),
        (("--between", "0", "200", "--has-word-of", "16"), "but not such a word"),
    ],
)
def test_nothing_found_is_told_with_what_was_tried(
    run: Run, args: tuple[str, ...], told: str
) -> None:
    result = run("roll", *args, "--tries", "500", "--seed", "1", "--json")
    assert result.exit_code == ExitCode.NOTHING_FOUND
    error = document(result)["error"]
    assert error["kind"] == "no_board"
    assert error["message"].startswith("none of 500 rolls of new_4x4 has ")
    assert told in error["message"]
    assert "--tries" in result.stderr


def test_the_nearest_points_are_those_of_the_richest_board(run: Run, enable: Lexicon) -> None:
    result = run("roll", "--at-least", "5000", "--tries", "500", "--seed", "1", "--json")
    rolls = roll_many(cube_set("new_4x4"), 500, np.random.default_rng(1))
    richest = max(score_many(rolls, enable, game("boggle")))
    assert document(result)["error"]["message"].endswith(f"the nearest has {richest} points")


def test_fewer_boards_than_asked_for_are_given_and_told(run: Run) -> None:
    args = ("--at-least", "500", "--tries", "1000", "--seed", "1", "-n", "900")
    result = run("roll", *args, "--json")
    *boards, last = documents(result)
    assert 0 < len(boards) < 900
    assert result.exit_code == ExitCode.NOTHING_FOUND
    assert last["error"]["message"].startswith(f"{len(boards)}, not 900, of 1,000 rolls")


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("--between", "200", "100"), "200 to 100"),
        (("--between", "-5", "100"), "-5 to 100"),
        (("--between", "100", "200", "--at-least", "201"), "201 points or more and 200 or less"),
        (("--has-word-of", "18"), "the longest of the word list enable"),
        (("--between", "0", "0", "--has-word-of", "3"), "a word of 3 letters is worth 1 point"),
        (("--between", "1", "2", "--has-word-of", "8"), "a word of 8 letters is worth 11 points"),
        (("--between", "0", "1", "--has-word-of", "5", "--game", "big"), "worth 2 points"),
        (("--at-least", "9000000"), "all words of the word list enable together"),
        (("--at-least", "1", "--lexicon", "greek.txt"), "a word of 3 letters: the longest"),
        (("--has-word-of", "4", "--lexicon", "greek.txt"), "for which it has the cubes has 2"),
        (("--between", "0", "1", "--has-word-of", "2", "--lexicon", "cyrillic.txt"), "for no word"),
        (("--at-least", "1", "--game", "ludo"), "super-big"),
        (("--game", "big"), "--at-least"),
        (("--tries", "5"), "--at-least"),
        (("--lexicon", "few.txt"), "--at-least"),
    ],
)
def test_wrong_use_of_roll_is_explained(run: Run, args: tuple[str, ...], hint: str) -> None:
    Path("greek.txt").write_text("ωδη\nat\nteaω\n", encoding="utf-8")
    Path("cyrillic.txt").write_text("чай\nкот\n", encoding="utf-8")
    result = run("roll", *args)
    assert result.exit_code == ExitCode.WRONG_USE
    assert hint in result.stderr
    assert "→" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("--at-least", "0"),
        ("--at-least", "many"),
        ("--between", "5"),
        ("--has-word-of", "0"),
        ("--at-least", "9", "--tries", "0"),
    ],
)
def test_options_out_of_range_are_wrong_use(run: Run, args: tuple[str, ...]) -> None:
    assert run("roll", *args).exit_code == ExitCode.WRONG_USE


@pytest.mark.parametrize(
    "args",
    [
        ("--between", "0", "0"),
        ("--between", "0", "0", "--lexicon", "greek.txt"),
        ("--between", "1", "1", "--has-word-of", "3"),
        ("--between", "0", "11", "--has-word-of", "8"),
    ],
)
def test_what_may_be_is_looked_for(run: Run, args: tuple[str, ...]) -> None:
    Path("greek.txt").write_text("ωδη\nat\nteaω\n", encoding="utf-8")
    result = run("roll", *args, "--tries", "2000")
    assert result.exit_code in (ExitCode.DONE, ExitCode.NOTHING_FOUND)


def test_an_interrupted_search_ends_cleanly() -> None:
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from firmware_host.cli import main; main()"  # a shell may have had it ignored
    )
    args = ("roll", "--has-word-of", "9", "-n", "100000000", "--json")
    with subprocess.Popen(
        [sys.executable, "-c", program, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as search:
        assert search.stdout is not None
        first = search.stdout.readline()
        search.send_signal(signal.SIGINT)
        _, told = search.communicate(timeout=60)
    assert json.loads(first)["points"] > 0
    assert search.returncode == 130
    assert told == "Stopped.\n"


class TestStats:
    def test_document_has_the_agreed_keys(self, run: Run) -> None:
        found = document(run("solve", BOARD, "--stats", "--json"))
        stats = found["stats"]
        assert list(stats) == [
            *("points", "count", "by_length", "longest", "vowels", "y", "compared")
        ]
        assert (stats["points"], stats["count"]) == (found["points"], found["count"])
        lengths = [len(word["word"]) for word in found["words"]]
        assert stats["by_length"] == {
            str(length): lengths.count(length) for length in sorted(set(lengths))
        }
        assert stats["longest"] == ["peyotes"]
        shown = "".join(letters(face) for face in Board.parse(BOARD))
        assert stats["vowels"] == sum(map(shown.count, "aeiou"))
        assert stats["y"] == 1

    def test_the_million_rolls_of_the_usual_set_are_the_measure(self, run: Run) -> None:
        compared = document(run("solve", BOARD, "--stats", "--json"))["stats"]["compared"]
        assert list(compared) == ["edition", "rolls", "stored", "points", "words"]
        assert (compared["edition"], compared["rolls"]) == ("new_4x4", 1_000_000)
        assert compared["stored"] is True
        for standing in (compared["points"], compared["words"]):
            assert list(standing) == ["mean", "poorer", "rich_in", "poor_in"]
            assert 1 / standing["rich_in"] == pytest.approx(1 - standing["poorer"], abs=0.001)
            assert 1 / standing["poor_in"] > standing["poorer"]

    def test_best_words_shown_alone_do_not_matter(self, run: Run) -> None:
        few = document(run("solve", BOARD, "--stats", "--top", "1", "--json"))
        assert few["stats"] == document(run("solve", BOARD, "--stats", "--json"))["stats"]

    def test_the_set_can_be_named(self, run: Run) -> None:
        args = ("solve", BOARD, "--stats", "--cubes", "classic_4x4", "--json")
        assert document(run(*args))["stats"]["compared"]["edition"] == "classic_4x4"

    def test_a_set_of_another_size_is_refused(self, run: Run) -> None:
        result = run("solve", BOARD, "--stats", "--cubes", "big_1979_5x5")
        assert result.exit_code == ExitCode.WRONG_USE
        assert "5×5, not 4×4" in result.stderr

    def test_a_photo_can_tell_its_set(self, run: Run, tmp_path: Path) -> None:
        board = Board.parse("LOPE/YRIX/EMAM/EAEQu")  # the new set shows no Qu with two M
        photo = render_tray(board, np.random.default_rng(3)).photo
        Image.fromarray(photo).save(tmp_path / "tray.png")
        stats = document(run("solve", "tray.png", "--stats", "--json"))["stats"]
        assert stats["compared"]["edition"] == "classic_4x4"
        named = run("solve", "tray.png", "--stats", "--json", "--cubes", "new_4x4")
        assert document(named)["stats"]["compared"]["edition"] == "new_4x4"

    def test_a_size_without_a_set_is_compared_with_nothing(self, run: Run) -> None:
        args = ("solve", "perslatesind", "--size", "3x4", "--stats")
        assert document(run(*args, "--json"))["stats"]["compared"] is None
        assert "no cube set of 3×4 is known" in run(*args).stdout

    @pytest.mark.parametrize(
        "args", [("--cubes", "french_4x4"), ("--game", "big"), ("--lexicon", "few.txt")]
    )
    def test_where_nothing_is_stored_boards_are_rolled_and_it_is_said(
        self, run: Run, tmp_path: Path, args: tuple[str, ...]
    ) -> None:
        (tmp_path / "few.txt").write_text("tea\neat\nseat\nthe\n", encoding="utf-8")
        first = document(run("solve", BOARD, "--stats", "--json", *args))["stats"]["compared"]
        assert first["stored"] is False
        assert (
            first == document(run("solve", BOARD, "--stats", "--json", *args))["stats"]["compared"]
        )
        assert f"{first['rolls']:,} rolls of" in run("solve", BOARD, "--stats", *args).stdout
        assert "rolled just now" in run("solve", BOARD, "--stats", *args).stdout

    @pytest.mark.usefixtures("no_compiler")
    def test_without_a_compiler_fewer_boards_are_rolled(self, run: Run) -> None:
        args = ("solve", BOARD, "--stats", "--cubes", "french_4x4", "--json")
        assert document(run(*args))["stats"]["compared"]["rolls"] == 1_000

    def test_people_see_tables_and_odds(self, run: Run) -> None:
        shown = run("solve", "perslatgsineters", "--stats", "--top", "1").stdout
        assert "Longest: replastering (12 letters)" in shown
        assert "Vowels: 5" in shown
        assert "1,000,000 rolls of new_4x4" in shown
        (row,) = (line.split() for line in shown.splitlines() if line.startswith(" points   3,6"))
        assert row[1:] == ["3,623", "140.5", "100.0%", "no", "roll", "all", "rolls"]

    def test_a_board_without_words_has_statistics_too(self, run: Run) -> None:
        stats = document(run("solve", "XXXX/XXXX/XXXX/XXXX", "--stats", "--json"))["stats"]
        assert (stats["points"], stats["by_length"], stats["longest"]) == (0, {}, [])
        assert stats["compared"]["points"]["poorer"] == 0
        assert stats["compared"]["points"]["poor_in"] > 1000
        assert run("solve", "XXXX/XXXX/XXXX/XXXX", "--stats").exit_code == 0

    def test_without_the_option_nothing_is_added(self, run: Run) -> None:
        assert "stats" not in document(run("solve", BOARD, "--json"))
