"""WorldWinner Boggle through the command line: a scripted match from the shake to the winner."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from firmware_host.cli import app
from firmware_host.errors import ExitCode
from scoring.board import Board
from scoring.notation import cell_name
from scoring.paths import paths
from scoring.worldwinner.tiles import Bonus, Tiles, place_bonuses
from scoring.worldwinner.words import score_path

BOARD = "IETC/HQuPE/SEYH/TOER"
BOARDS = ["ATIO/YHXI/TTSP/BVRO", "LHCN/NTEH/ESEH/RTKA", "ONHI/EITM/OYHR/HIFT"]
"""What lies in the tray after each shake of seed 3."""

SCRIPT = """

sixty
sixty
A1 A2 A1
A1 D4
B4 C4
x
zebra
ay
.

sixth
.
late

resketch
.

tenth
.

rhythm
.

thio
.
"""[1:]
"""What ada and ben type: each an empty line to start a round, words, and a dot to end it."""


def play(folder: Path, script: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = ("play", "--game", "worldwinner", "--simulate", "--seed", "3", "--seconds", "60")
    return subprocess.run(
        [sys.executable, "-m", "firmware_host", *command, *args],
        input=script,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """A match of two, as another program gets it."""
    folder = tmp_path_factory.mktemp("match")
    return play(folder, SCRIPT, "--player", "ada", "--player", "ben", "--json")


@pytest.fixture(scope="module")
def match(played: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert played.returncode == ExitCode.DONE, played.stderr
    document: dict[str, Any] = json.loads(played.stdout)
    return document


def test_document_has_the_agreed_keys(match: dict[str, Any]) -> None:
    assert list(match) == [
        "game",
        "lexicon",
        "seed",
        "seconds",
        "rounds",
        "players",
        "winners",
        "simulated",
        "edition",
        "photos",
    ]
    keys = ["round", "board", "bonuses", "players", "possible", "best_missed"]
    assert [list(played) for played in match["rounds"]] == [keys] * 3
    assert list(match["rounds"][0]["players"][0]) == [
        "name",
        "points",
        "all_letters",
        "unused",
        "words",
    ]


def test_three_rounds_are_shaken_and_the_last_two_have_bonus_tiles(match: dict[str, Any]) -> None:
    assert [played["board"] for played in match["rounds"]] == BOARDS
    kinds = [sorted(tile["bonus"] for tile in played["bonuses"]) for played in match["rounds"]]
    one_each = sorted(map(str, Bonus))
    assert kinds == [[], one_each, sorted(one_each * 2)]


def test_each_word_pays_the_most_that_any_of_its_paths_pays(match: dict[str, Any]) -> None:
    for played in match["rounds"]:
        board = Board.parse(played["board"])
        bonuses = {tuple(tile["cell"]): Bonus(tile["bonus"]) for tile in played["bonuses"]}
        tiles = Tiles(board, bonuses)
        for word in (word for player in played["players"] for word in player["words"]):
            best = max(score_path(tiles, path).points for path in paths(board, word["word"]))
            assert word["score"] == best
            assert word["explanation"][-1] == f"paid: {word['points']}"


def test_words_are_paid_round_by_round_and_the_highest_total_wins(match: dict[str, Any]) -> None:
    words = [
        [[(word["word"], word["before"]) for word in player["words"]] for player in each["players"]]
        for each in match["rounds"]
    ]
    sixty = 1 + 1 + 8 + 1 + 4 + 5
    assert words == [
        [[("sixty", 0), ("sixty", sixty), ("ay", 0)], [("sixth", 0)]],
        [[("resketch", 0)], [("tenth", 0)]],
        [[("rhythm", 0)], [("thio", 0)]],
    ]
    ada, ben = match["players"]
    assert ada["rounds"][0] == sixty + 5
    for player in (ada, ben):
        assert player["points"] == sum(player["rounds"])
    assert ben["points"] > ada["points"] > 0
    assert match["winners"] == ["ben"]


def test_each_refusal_names_its_rule(played: subprocess.CompletedProcess[str]) -> None:
    for message in (
        "A1 (A) is in the word already: no tile may be selected twice",
        "D4 does not touch A1",
        "“vr” is not in the word list enable",
        "“x” has 1 letter: a word has 2 at least",
        "no way from tile to tile spells “zebra”",
        "round 2 is being played, and this was for round 1",
    ):
        assert message in played.stderr


def test_people_see_every_score_explained(tmp_path: Path) -> None:
    ended = play(tmp_path, "\nsixty\n.\n\n.\n\n.\n", "--explain")
    assert ended.returncode == ExitCode.DONE, ended.stderr
    lines = [line.strip() for line in ended.stdout.splitlines()]
    explained = lines.index("tiles: S 1 + I 1 + X 8 + T 1 + Y 4 = 15")
    assert lines[explained + 1 :][:2] == [
        "length: 5 letters, (5 − 4) × 5 = 5, together 20",
        "paid: 20",
    ]
    assert "SIMULATED" in ended.stdout
    assert lines[-1] == "Winner: you"


def test_a_path_that_is_given_is_played_and_a_better_one_pays_the_difference(
    tmp_path: Path,
) -> None:
    board = Board.parse(BOARDS[1])
    tiles = Tiles(board, place_bonuses(board, 2, seed=3))
    ways = sorted(paths(board, "tense"), key=lambda path: score_path(tiles, path).points)
    worst, best = (score_path(tiles, way) for way in (ways[0], ways[-1]))
    assert worst.points < best.points
    typed = " ".join(map(cell_name, worst.path))
    document = json.loads(play(tmp_path, f"\n.\n\n{typed}\ntense\n.\n", "--json").stdout)
    first, upgrade = document["rounds"][1]["players"][0]["words"]
    assert (first["path"], first["points"]) == ([list(cell) for cell in worst.path], worst.points)
    assert (upgrade["before"], upgrade["score"]) == (worst.points, best.points)
    assert upgrade["points"] == best.points - worst.points
    assert document["players"][0]["points"] == best.points


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def test_solve_pays_tile_values_and_explains_them() -> None:
    args = ("solve", BOARD, "--game", "worldwinner", "--explain", "--json")
    found = json.loads(run(*args).stdout)
    words = {word["word"]: word for word in found["words"]}
    assert words["quiet"]["points"] == 19
    assert words["quiet"]["explanation"] == [
        "tiles: Qu 11 + I 1 + E 1 + T 1 = 14",
        "length: 5 letters, (5 − 4) × 5 = 5, together 19",
    ]
    assert words["he"]["points"] == 5
    assert found["points"] == sum(word["points"] for word in found["words"])


def test_people_see_the_explanation_below_the_words() -> None:
    shown = run("solve", BOARD, "--game", "worldwinner", "--explain", "--top", "1").stdout
    assert "tiles: P 3 + E 1 + Y 4 + O 1 + T 1 + E 1 + S 1 = 12" in shown


def test_statistics_and_rolls_go_by_tile_values_too() -> None:
    stats = json.loads(run("solve", BOARD, "--game", "worldwinner", "--stats", "--json").stdout)
    assert stats["stats"]["compared"]["points"]["mean"] > 500
    args = ("roll", "--game", "worldwinner", "--at-least", "1500", "--seed", "1", "--json")
    rolled = json.loads(run(*args).stdout)
    solved = json.loads(run("solve", rolled["board"], "--game", "worldwinner", "--json").stdout)
    assert rolled["points"] == solved["points"] >= 1500


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("score", BOARD, "--game", "worldwinner", "--list", "a=a.txt"), "wordtray play --game"),
        (("solve", BOARD, "--explain"), "--game worldwinner"),
        (("play", "--simulate", "--explain"), "--game worldwinner"),
        (("play", "--simulate", "--game", "big", "--qu", "10"), "--game worldwinner"),
        (("solve", BOARD, "--game", "ludo"), "ultimate, worldwinner"),
    ],
)
def test_wrong_use_is_explained(args: tuple[str, ...], hint: str) -> None:
    result = run(*args)
    assert result.exit_code == ExitCode.WRONG_USE
    assert hint in result.stderr
    assert "→" in result.stderr
