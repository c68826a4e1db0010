"""Kept matches of WorldWinner Boggle through the command line: two sittings, scores, export."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from firmware_host import matches
from firmware_host.cli import app, worldwinner_matches
from firmware_host.errors import ExitCode
from firmware_host.worldwinner import open_rules
from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.match import Match
from scoring.worldwinner.events import Deal, EndTurn, PlayWord, Start, as_json
from scoring.worldwinner.game import WorldWinner
from scoring.worldwinner.match import Plan

Run = Callable[..., Result]

FIRST = "\nsixty\nzebra\n.\n\nsixth\n.\n\nresketch\n"
SECOND = "resketch\ntenth\n.\n\n.\n\nrhythm\n.\n\nthio\n.\n"
"""What ada and ben type in two sittings; the first ends while ada's clock runs."""

BEGIN = ("--seed", "3", "--seconds", "300", "--player", "ada", "--player", "ben")
BOARD = Board.parse("ATIO/YHXI/TTSP/BVRO")


def play(folder: Path, script: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = ("play", "--game", "worldwinner", "--simulate", "--json", *args)
    return subprocess.run(
        [sys.executable, "-m", "firmware_host", *command],
        input=script,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        check=False,
    )


@pytest.fixture
def run(run: Run) -> Run:
    """Runs a command about kept matches."""
    return partial(run, "worldwinner")


@pytest.fixture
def kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Keeps a match m in whose second round ada's clock has 40 s left; runs commands about it."""
    plan = Plan(("ada", "ben"), builtin_lexicon(), seed=3, seconds=60.0)
    match = Match.new(WorldWinner(plan, "enable", "new_4x4"))
    for event in (
        Deal(1.0, BOARD),
        Start(2.0, "ada", 1),
        PlayWord(3.0, "ada", 1, "sixty"),
        PlayWord(4.0, "ada", 1, "ay"),
        EndTurn(5.0, "ada", 1),
        EndTurn(6.0, "ben", 1),
        Deal(7.0, BOARD),
        Start(100.0, "ada", 2),
        PlayWord(101.0, "ada", 2, "sport"),
    ):
        match = match.play(as_json(event))
    matches.create("m", match)
    monkeypatch.setattr(worldwinner_matches, "now", lambda: 120.0)
    return run


def document(result: Result) -> dict[str, Any]:
    assert result.exit_code == ExitCode.DONE, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_match_of_two_sittings_is_that_of_one(run: Run, tmp_path: Path) -> None:
    left = play(tmp_path, FIRST, *BEGIN, "--match", "m")
    assert left.returncode == ExitCode.DONE, left.stderr
    where = json.loads(left.stdout)
    assert (where["match"], where["over"], where["winners"]) == ("m", False, [])
    assert (where["playing"]["round"], where["playing"]["player"]) == (2, "ada")
    assert 0 < where["playing"]["seconds_left"] < 300
    assert [played["round"] for played in where["rounds"]] == [1]
    other = play(tmp_path, "", "--seed", "4", "--cubes", "deluxe_master_5x5", "--match", "m")
    assert other.returncode == ExitCode.WRONG_USE
    error = json.loads(other.stdout)["error"]
    begun = "the match m was begun with --seed 3 and --cubes new_4x4"
    assert (error["kind"], error["message"]) == ("other_options", begun)
    default = play(tmp_path, "", "--seconds", "120", "--match", "m")  # a default that was written
    assert "was begun with --seconds 300" in json.loads(default.stdout)["error"]["message"]
    others = ("--player", "eve", "--qu", "10", "--lexicon", "own.txt")
    (tmp_path / "own.txt").write_text("tea\n", encoding="utf-8")
    told = json.loads(play(tmp_path, "", *others, "--match", "m").stdout)["error"]["message"]
    assert told.endswith("with --player ada --player ben and --lexicon enable and --qu 11")
    gone_on = play(tmp_path, SECOND, "--match", "m")
    whole = json.loads(play(tmp_path, FIRST + SECOND, *BEGIN).stdout)
    ended = json.loads(gone_on.stdout)
    assert "The match m goes on. Round 2: ada has" in gone_on.stderr
    assert ended["over"]
    for key in ("rounds", "players", "winners", "seed", "seconds", "lexicon", "edition"):
        assert ended[key] == whole[key]
    assert document(run("show", "m", "--json"))["rounds"] == whole["rounds"]
    again = play(tmp_path, "", "--match", "m")
    assert json.loads(again.stdout)["error"]["kind"] == "match_over"


def test_every_score_is_explained_line_by_line(kept: Run) -> None:
    assert "sheet" not in document(kept("score", "m", "--json"))
    found = document(kept("score", "m", "--explain", "--json"))
    (first, *_) = found["players"]
    words = [line for line in found["sheet"] if line["player"] == "ada"]
    assert [line["word"] for line in words] == ["sixty", "ay"]
    assert sum(line["points"] + line["all_letters"] for line in words) == first["rounds"][0] == 25
    told = kept("score", "m", "--explain").stdout
    for line in words:
        assert line["explanation"][-1] == f"paid: {line['points']}"
        assert all(part in told for part in line["explanation"])


def test_who_is_to_play_and_how_long_is_told(kept: Run) -> None:
    found = document(kept("list", "--json"))
    assert found["playing"] == {"round": 2, "player": "ada", "seconds_left": 40.0}
    assert "Round 2: ada has 40 s left." in kept("list").stdout
    assert "Round 2: ada has 40 s left." in kept("score", "m").stdout


def test_the_time_goes_on_while_nobody_plays(kept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worldwinner_matches, "now", lambda: 160.0)
    found = document(kept("score", "m", "--json"))
    assert found["playing"] == {"round": 2, "player": "ben", "seconds_left": None}
    assert "Round 2: ben is to start." in kept("show", "m").stdout


def test_a_round_that_is_being_played_is_not_shown(kept: Run) -> None:
    for command in (("show", "m"), ("score", "m", "--explain")):
        assert "sport " not in kept(*command).stdout.replace("missed", "").split("Best words")[0]
    assert [played["round"] for played in document(kept("show", "m", "--json"))["rounds"]] == [1]


def test_an_exported_match_can_be_replayed(kept: Run, tmp_path: Path) -> None:
    whole = document(kept("export", "m"))
    again = Match.from_document(whole, open_rules)
    assert again.state.totals == {
        player["name"]: player["points"] for player in whole["state"]["players"]
    }
    assert again.document() == {key: whole[key] for key in again.document()}
    assert document(kept("export", "m", "-o", "new/m.json", "--json"))["file"] == "new/m.json"
    assert json.loads((tmp_path / "new" / "m.json").read_bytes()) == whole


def test_matches_that_cannot_be_used(kept: Run, tmp_path: Path) -> None:
    def refusal(result: Result) -> tuple[int, str]:
        return result.exit_code, json.loads(result.stdout)["error"]["kind"]

    for command in ("show", "score", "export"):
        assert refusal(kept(command, "n", "--json")) == (ExitCode.WRONG_USE, "unknown_match")
    CliRunner().invoke(app, ["swoggle", "new", "s", "--players", "ann,bob"])
    assert refusal(kept("show", "s", "--json")) == (ExitCode.UNUSABLE_FILE, "match")
    foreign = CliRunner().invoke(app, ["swoggle", "show", "m", "--json"])
    assert refusal(foreign) == (ExitCode.UNUSABLE_FILE, "match")
    (tmp_path / "data" / "wordtray" / "matches" / "bad.match").write_bytes(b"\x80\n")
    listed = kept("list", "--json")
    assert listed.exit_code == ExitCode.UNUSABLE_FILE
    bad, good = map(json.loads, listed.stdout.splitlines())
    assert (bad["error"]["kind"], good["match"]) == ("match", "m")


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (("--match", "No Name"), "match_name"),
        (("--match", "s", "--cubes", "wooden"), "unknown_edition"),
        (("--match", "s", "--seconds", "inf"), "seconds"),
        (("--match", "s", "--seconds", "7200.1"), "seconds"),
        (("--match", "s", "--seconds", "0.4"), "seconds"),
        (("--match", "s", "--game", "big"), "game"),
    ],
)
@pytest.mark.usefixtures("run")
def test_a_match_that_cannot_be_begun_is_not_kept(
    tmp_path: Path, args: tuple[str, ...], kind: str
) -> None:
    result = play(tmp_path, "", *args)
    assert result.returncode == ExitCode.WRONG_USE
    assert json.loads(result.stdout)["error"]["kind"] == kind
    assert matches.names("worldwinner") == ()


@pytest.mark.parametrize("command", ["show", "score", "list", "export"])
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == ExitCode.DONE
    assert "Example" in result.stdout
