"""Matches of the Boggle family from the command line: every variant, and all that can go wrong."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import boards, match
from firmware_host.cli.boards import Given
from firmware_host.errors import ExitCode
from scoring.board import Board
from tests.end_to_end.conftest import Run, document, refusal

FOUR = "IETC/HQuPE/SEYH/TOER"
FIVE = "LIGDR/MANES/IETIL/DSRAC/SEPES"
SIX = "ITEHUA/BVAADT/DFSNJD/TSOLAS/NEOY#I/YRNTMEr"


class Clock:
    """The moment that commands see."""

    def __init__(self) -> None:
        self.now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that the tests set."""
    clock = Clock()
    monkeypatch.setattr(match, "now", lambda: clock.now)
    return clock


def files(folder: Path, lists: Mapping[str, str]) -> list[str]:
    """``PLAYER=FILE`` arguments of lists whose words are divided by spaces."""
    for name, words in lists.items():
        (folder / f"{name}.txt").write_text("\n".join(words.split()), encoding="utf-8")
    return [f"{name}={name}.txt" for name in lists]


def play_round(run: Run, name: str, board: str, lists: Mapping[str, str]) -> dict[str, Any]:
    """A round from its board to its end; the document of the end."""
    document(run("match", "board", name, board, "--json"))
    document(run("match", "hand-in", name, *files(Path(), lists), "--json"))
    for _ in lists:
        document(run("match", "read-aloud", name, "--json"))
    return document(run("match", "end-round", name, "--json"))


def points(found: dict[str, Any]) -> dict[str, int]:
    return {side["name"]: side["points"] for side in found["standings"]}


def check_explained(run: Run, name: str) -> None:
    """Every total is the sum of the lines that explain it."""
    found = document(run("match", "score", name, "--explain", "--json"))
    words = [
        (player["name"], word["points"])
        for ended in found["sheet"]
        for player in ended["players"]
        for word in player["words"]
    ]
    for side in found["standings"]:
        assert side["points"] == sum(won for player, won in words if player in side["members"])
        assert side["points"] == sum(side["by_round"])
    assert found["decided"] if found["over"] else not found["decided"]
    for ended in found["sheet"]:
        assert all(word["reason"] for player in ended["players"] for word in player["words"])


class TestEveryVariant:
    def test_boggle_to_a_target(self, run: Run) -> None:
        document(run("match", "new", "m", "--players", "ann,bob", "--target", "10", "--json"))
        found = play_round(run, "m", FOUR, {"ann": "peyotes yes he", "bob": "yes queer"})
        assert (points(found), found["over"]) == ({"ann": 5, "bob": 2}, False)
        found = play_round(run, "m", FOUR, {"ann": "peyote quest", "bob": "quest peyotes tepee"})
        assert points(found) == {"ann": 8, "bob": 9}
        found = play_round(run, "m", FOUR, {"ann": "hypes pesto", "bob": "sheer"})
        assert (points(found), found["winners"]) == ({"ann": 12, "bob": 11}, ["ann"])
        check_explained(run, "m")

    def test_big_boggle_for_rounds(self, run: Run) -> None:
        args = ("--players", "ann,bob", "--game", "big", "--rounds", "2", "--json")
        document(run("match", "new", "m", *args))
        found = play_round(run, "m", FIVE, {"ann": "presidential aid", "bob": "aligner aerial"})
        assert points(found) == {"ann": 11, "bob": 8}
        found = play_round(run, "m", FIVE, {"ann": "", "bob": "agent aces"})
        assert (points(found), found["winners"]) == ({"ann": 11, "bob": 11}, ["ann"])
        assert "longer scoring words" in run("match", "score", "m", "--explain").stdout
        check_explained(run, "m")

    def test_super_big_boggle(self, run: Run) -> None:
        document(run("match", "new", "m", "--players", "a,b", "--game", "super-big", "--json"))
        found = play_round(run, "m", SIX, {"a": "afternoons also add", "b": "afternoon foster"})
        assert (points(found), found["winners"]) == ({"a": 21, "b": 21}, ["a"])
        verdicts = [word["verdict"] for word in found["result"]["players"][0]["words"]]
        assert verdicts == ["scored", "scored", "too_short"]

    def test_advanced(self, run: Run) -> None:
        args = ("--players", "a,b", "--game", "super-big-advanced", "--json")
        document(run("match", "new", "m", *args))
        found = play_round(run, "m", SIX, {"a": "also after", "b": "resonate"})
        assert (points(found), found["winners"]) == ({"a": 2, "b": 11}, ["b"])

    def test_handicap(self, run: Run) -> None:
        args = ("--players", "ann,kim", "--game", "super-big-handicap", "--handicap", "kim=3")
        document(run("match", "new", "m", *args, "--json"))
        found = play_round(run, "m", SIX, {"ann": "add also", "kim": "add aim also"})
        assert (points(found), found["winners"]) == ({"ann": 0, "kim": 2}, ["kim"])
        verdicts = [word["verdict"] for word in found["result"]["players"][0]["words"]]
        assert verdicts == ["too_short", "shared"]

    def test_teams(self, run: Run) -> None:
        args = ("--players", "a,b,c,d", "--game", "super-big-team", "--team", "red=a,b")
        document(run("match", "new", "m", *args, "--team", "blue=c,d", "--json"))
        lists = {"a": "after foster", "b": "after also", "c": "foster", "d": "resonate also"}
        found = play_round(run, "m", SIX, lists)
        assert (points(found), found["winners"]) == ({"red": 2, "blue": 11}, ["blue"])
        assert found["result"]["teams"][0] == {"name": "red", "members": ["a", "b"], "points": 2}
        assert "red (a, b)" in run("match", "score", "m", "--explain").stdout
        check_explained(run, "m")

    def test_ultimate_with_a_last_chance(self, run: Run, clock: Clock) -> None:
        args = ("--players", "ann,bob", "--game", "ultimate", "--penalty", "2", "--json")
        document(run("match", "new", "m", *args))
        document(run("match", "board", "m", FIVE, "--json"))
        clock.now += 100_000
        document(run("match", "word", "m", "ann", "ALIGNER", "--json"))
        found = document(run("match", "last-chance", "m", "--by", "bob", "--json"))
        assert (found["round"]["seconds_left"], found["round"]["last_chance"]) == (180, "bob")
        document(run("match", "word", "m", "bob", "sedac", "--json"))
        clock.now += 180
        found = document(run("match", "hand-in", "m", *files(Path(), {"bob": "aerial"}), "--json"))
        assert found["round"]["missing"] == []
        found = document(run("match", "end-round", "m", "--json"))
        assert [w["verdict"] for w in found["result"]["players"][1]["words"]] == [
            "not_on_board",
            "scored",
        ]
        assert (points(found), found["winners"]) == ({"ann": 5, "bob": 3}, ["ann"])

    def test_ultimate_until_both_agree_with_a_novel_for_a_word_list(
        self, run: Run, tmp_path: Path
    ) -> None:
        novel = "The agent was presidential. He played aces, they say, and the ager left.\n" * 3
        (tmp_path / "novel.txt").write_text(novel, encoding="utf-8")
        document(run("lexicon", "add", "novel", "novel.txt", "--as", "text", "--json"))
        args = ("--players", "ann,bob", "--game", "ultimate", "--penalty", "1")
        document(run("match", "new", "m", *args, "--lexicon", "novel", "--json"))
        document(run("match", "board", "m", FIVE, "--json"))
        document(run("match", "agree", "m", "--by", "ann", "--json"))
        lists = files(tmp_path, {"ann": "agent aligner", "bob": "aces ager"})
        assert refusal(run("match", "hand-in", "m", *lists, "--json"))["kind"] == "writing"
        document(run("match", "agree", "m", "--by", "bob", "--json"))
        document(run("match", "hand-in", "m", *lists, "--json"))
        found = document(run("match", "reject", "m", "ager", "--of", "bob", "--json"))
        assert (found["word"], found["upheld"]) == ("ager", True)
        found = document(run("match", "end-round", "m", "--json"))
        assert points(found) == {"ann": 2 - 1, "bob": 1 - 1}
        assert found["winners"] == ["ann"]
        check_explained(run, "m")

    def test_house_rules(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "ours.toml").write_text(OURS, encoding="utf-8")
        args = ("--players", "ann,bob", "--rules", "ours.toml", "--json")
        found = document(run("match", "new", "m", *args))
        assert (found["title"], found["target"]) == ("Kitchen Boggle", 12)
        found = play_round(run, "m", FOUR, {"ann": "he yes tpe", "bob": "yes peyotes"})
        assert points(found) == {"ann": 1 + 1 + 1, "bob": 1 + 10}
        document(run("match", "board", "m", FOUR, "--json"))
        lists = files(tmp_path, {"ann": "tpe", "bob": "yes"})
        document(run("match", "hand-in", "m", *lists, "--json"))
        document(run("match", "challenge", "m", "TPE", "--of", "ann", "--by", "bob", "--json"))
        found = document(run("match", "end-round", "m", "--json"))
        assert (points(found), found["winners"]) == ({"ann": 3 - 1, "bob": 12}, ["bob"])


OURS = """
[game]
base = "boggle"
title = "Kitchen Boggle"
[words]
min_letters = 2
[points]
2 = 1
7 = 10
[timer]
seconds = 60
[cancelling]
rule = "off"
[challenge]
check = "challenged"
penalty = "word"
[match]
target = 12
"""


@pytest.fixture
def begun(run: Run, clock: Clock, tmp_path: Path) -> Run:
    """A match ``m`` of ann and bob whose lists are in; the clock stands."""
    assert clock.now == 1000
    document(run("match", "new", "m", "--players", "ann,bob", "--rounds", "2", "--json"))
    document(run("match", "board", "m", FOUR, "--start", "--json"))
    lists = files(tmp_path, {"ann": "yes tpe quest", "bob": "quest seer"})
    document(run("match", "hand-in", "m", *lists, "--json"))
    return run


class TestReadingAloud:
    def test_the_station_says_whose_turn_it_is_and_what_is_struck(self, begun: Run) -> None:
        shown = run_text(begun, "show")
        assert "ann reads aloud next" in shown
        found = document(begun("match", "read-aloud", "m", "--json"))
        assert found["read_aloud"] == ["yes", "tpe", "quest"]
        assert found["round"]["reader"] == "bob"
        assert [(out["player"], out["word"]) for out in found["round"]["struck_out"]] == [
            ("ann", "quest"),
            ("bob", "quest"),
        ]
        shown = begun("match", "read-aloud", "m", "--by", "bob").stdout
        assert "bob reads: quest, seer" in shown
        assert "also found by ann" in shown
        assert "All have read" in shown

    def test_nobody_reads_out_of_turn(self, begun: Run) -> None:
        error = refusal(begun("match", "read-aloud", "m", "--by", "bob", "--json"))
        assert (error["kind"], "turn of ann" in error["message"]) == ("not_your_turn", True)

    def test_before_any_round_there_is_nothing_to_read(self, run: Run) -> None:
        document(run("match", "new", "m", "--players", "ann,bob", "--json"))
        assert refusal(run("match", "read-aloud", "m", "--json"))["kind"] == "no_round"


def run_text(run: Run, command: str, *args: str) -> str:
    result = run("match", command, "m", *args)
    assert result.exit_code == ExitCode.DONE, result.stderr
    return result.stdout


class TestWhatBreaksARule:
    def test_a_player_unknown(self, begun: Run) -> None:
        args = ("challenge", "m", "tpe", "--of", "ann", "--by", "eve", "--json")
        error = refusal(begun("match", *args))
        assert (error["kind"], "'eve'" in error["message"]) == ("unknown_player", True)
        assert "ann, bob" in error["advice"]

    def test_a_timer_already_over(self, begun: Run, clock: Clock) -> None:
        clock.now += 179
        assert refusal(begun("match", "start", "m", "--json"))["kind"] == "timer_running"
        clock.now += 1
        error = refusal(begun("match", "start", "m", "--json"))
        assert (error["kind"], "run through" in error["message"]) == ("timer_over", True)
        late = refusal(begun("match", "word", "m", "ann", "toe", "--json"))
        assert (late["kind"], "stops writing" in late["message"]) == ("timer_over", True)

    def test_a_challenge_too_late(self, begun: Run) -> None:
        document(begun("match", "end-round", "m", "--json"))
        args = ("challenge", "m", "tpe", "--of", "ann", "--by", "bob", "--json")
        error = refusal(begun("match", *args))
        assert error["kind"] == "too_late"
        assert "before the round is scored" in error["message"]
        document(begun("match", "undo", "m", "--json"))
        assert document(begun("match", *args))["upheld"]

    @pytest.mark.parametrize("word", ["seer", "zebra"])
    def test_a_word_challenged_that_is_not_on_the_list(self, begun: Run, word: str) -> None:
        args = ("challenge", "m", word, "--of", "ann", "--by", "bob", "--json")
        error = refusal(begun("match", *args))
        assert error["kind"] == "not_listed"
        assert f"{word!r} is not on the list of ann" in error["message"]

    @pytest.mark.parametrize(
        ("kind", "args"),
        [
            ("players", ("--players", "ann,Ann")),
            ("players", ("--players", "ann,bob,cy", "--game", "ultimate")),
            ("unknown_game", ("--players", "ann", "--game", "ludo")),
            ("game", ("--players", "ann", "--game", "worldwinner")),
            ("team", ("--players", "ann,bob", "--game", "super-big-team")),
            ("team", ("--players", "ann,bob", "--team", "red")),
            ("team", ("--players", "ann,bob,cy", "--team", "é=ann,cy", "--team", "e\u0301=bob")),
            ("players", ("--players", "")),
            ("players", ("--players", "ann,b=c")),
            ("team", ("--players", "ann,bob", "--team", "red=ann", "--team", "red=bob")),
            ("handicap", ("--players", "ann,bob", "--handicap", "ann")),
            ("handicap", ("--players", "ann,bob", "--handicap", "ann=two")),
            ("handicap", ("--players", "ann,bob", "--handicap", "ann=3", "--handicap", "ann=4")),
            ("handicap", ("--players", "ann,é", "--handicap", "é=3", "--handicap", "e\u0301=4")),
            ("handicap", ("--players", "ann,bob", "--handicap", "eve=3")),
            ("handicap", ("--players", "ann,bob", "--handicap", f"ann={'9' * 5000}")),
            ("penalty", ("--players", "ann,bob", "--penalty", "lots")),
            ("penalty", ("--players", "ann,bob", "--penalty", "9" * 5000)),
            ("penalty", ("--players", "ann,bob", "--penalty", "1001")),
            ("penalty", ("--players", "ann,bob", "--penalty", "1", "--free-errors", "-1")),
            ("penalty", ("--players", "ann,bob", "--penalty", "1", "--free-errors", "101")),
            ("penalty", ("--players", "ann,bob", "--free-errors", "1")),
            ("penalty", ("--players", "ann,bob", "--free-errors", "1", "--penalty", "0")),
            ("target", ("--players", "ann,bob", "--target", "0")),
            ("rounds", ("--players", "ann,bob", "--rounds", "0")),
        ],
    )
    def test_a_match_that_cannot_be(self, run: Run, kind: str, args: tuple[str, ...]) -> None:
        assert refusal(run("match", "new", "m", *args, "--json"))["kind"] == kind
        assert run("match", "list", "--json").stdout == ""
        assert "no match so far" in run("match", "list").stderr

    @pytest.mark.parametrize(
        ("written", "penalty", "points"),
        [
            ("", ("--penalty", "2"), -2),
            ("penalty = 2", (), -2),
            ("penalty = 3", ("--penalty", "2"), -2),
            ("penalty = 2\ncharge = 'challenged'", (), 0),
            ("charge = 'challenged'", ("--penalty", "2"), 0),
            ("penalty = 2", ("--free-errors", "1"), 0),
        ],
    )
    def test_a_penalty_is_the_same_as_an_option_and_in_house_rules(
        self, run: Run, tmp_path: Path, written: str, penalty: tuple[str, ...], points: int
    ) -> None:
        text = f"[game]\nbase = 'ultimate'\n[challenge]\n{written}\n"
        (tmp_path / "ours.toml").write_text(text, encoding="utf-8")
        args = ("--players", "ann,bob", "--rules", "ours.toml", *penalty, "--json")
        document(run("match", "new", "m", *args))
        document(run("match", "board", "m", FOUR, "--json"))
        for player in ("ann", "bob"):
            document(run("match", "agree", "m", "--by", player, "--json"))
        lists = files(tmp_path, {"ann": "tpe", "bob": "quest"})
        document(run("match", "hand-in", "m", *lists, "--json"))
        ended = document(run("match", "end-round", "m", "--json"))
        assert ended["result"]["players"][0]["points"] == points


class TestTheStore:
    def test_a_match_is_exported_imported_and_goes_on(self, begun: Run, tmp_path: Path) -> None:
        document(begun("match", "export", "m", "-o", "out/m.json", "--json"))
        found = document(begun("match", "import", "again", "out/m.json", "--json"))
        assert found | {"match": "m"} == document(begun("match", "show", "m", "--json"))
        assert points(document(begun("match", "end-round", "again", "--json"))) == {
            "ann": 1,
            "bob": 1,
        }
        exported = document(begun("match", "export", "m"))
        assert exported == json.loads((tmp_path / "out" / "m.json").read_text("utf-8"))
        assert exported["rules"] == "boggle"
        assert len(exported["log"]) == 4

    def test_undo_takes_back_and_the_log_keeps_it(self, begun: Run) -> None:
        before = document(begun("match", "show", "m", "--json"))
        document(begun("match", "end-round", "m", "--json"))
        found = document(begun("match", "undo", "m", "--json"))
        assert found["undone"]["type"] == "end_round"
        assert found | before == found
        log = document(begun("match", "export", "m"))["log"]
        assert [entry["type"] for entry in log][-2:] == ["end_round", "undo"]

    def test_undo_says_what_it_takes_back(self, begun: Run) -> None:
        assert "Taken back: the list of bob." in begun("match", "undo", "m").stdout

    def test_a_match_is_replayed_to_any_event(self, begun: Run) -> None:
        found = document(begun("match", "show", "m", "--after", "1", "--json"))
        assert (found["events"], found["round"]["missing"]) == (1, ["ann", "bob"])
        assert refusal(begun("match", "show", "m", "--after", "9", "--json"))["kind"] == "after"

    def test_matches_are_listed_and_those_of_other_games_are_not(self, begun: Run) -> None:
        document(begun("swoggle", "new", "s", "--players", "ann,bob", "--json"))
        assert document(begun("match", "list", "--json"))["match"] == "m"
        assert "ann reads aloud next" in begun("match", "list").stdout
        error = refusal(begun("match", "show", "s", "--json"), ExitCode.UNUSABLE_FILE)
        assert "not of Boggle" in error["message"]

    def test_a_damaged_match_does_not_hide_the_others(self, begun: Run, tmp_path: Path) -> None:
        folder = tmp_path / "data" / "wordtray" / "matches"
        (folder / "bad.match").write_text("{]\n", encoding="utf-8")
        result = begun("match", "list", "--json")
        assert result.exit_code == ExitCode.UNUSABLE_FILE
        assert [json.loads(line)["match"] for line in result.stdout.splitlines()] == ["bad", "m"]

    @pytest.mark.parametrize("content", [b"", b"{", b'{"log": []}', b"\xff\xfe\x00"])
    def test_what_is_no_exported_match_is_refused(
        self, run: Run, tmp_path: Path, content: bytes
    ) -> None:
        (tmp_path / "m.json").write_bytes(content)
        error = refusal(run("match", "import", "m", "m.json", "--json"), ExitCode.UNUSABLE_FILE)
        assert error["kind"] == "match"

    def test_a_missing_file_is_refused(self, run: Run) -> None:
        error = refusal(run("match", "import", "m", "m.json", "--json"), ExitCode.UNUSABLE_FILE)
        assert "cannot be read" in error["message"]


def test_a_doubtful_line_is_told_and_ends_with_its_code(run: Run, tmp_path: Path) -> None:
    document(run("match", "new", "m", "--players", "ann", "--json"))
    document(run("match", "board", "m", FOUR, "--json"))
    (tmp_path / "ann.txt").write_text("yes\ntwo words\n", encoding="utf-8")
    result = run("match", "hand-in", "m", "ann=ann.txt", "--json")
    document(result, ExitCode.DOUBTFUL)
    assert "line 2" in result.stderr


def test_lines_keep_their_numbers_and_doubts_are_in_the_document(run: Run, tmp_path: Path) -> None:
    document(run("match", "new", "m", "--players", "ann", "--json"))
    document(run("match", "board", "m", FOUR, "--json"))
    (tmp_path / "ann.txt").write_text("\n\nyes\n\nyes\ntwo words\n", encoding="utf-8")
    result = run("match", "hand-in", "m", "ann=ann.txt", "--json")
    assert document(result, ExitCode.DOUBTFUL)["doubtful"] == {"ann": [6]}
    assert "match undo m" in result.stderr
    ended = document(run("match", "end-round", "m", "--json"))
    reasons = [word["reason"] for word in ended["result"]["players"][0]["words"]]
    assert reasons[1] == "already on line 3"


def test_a_word_list_that_has_changed_is_not_scored_with(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("yes\nhey\n", encoding="utf-8")
    document(run("match", "new", "m", "--players", "ann", "--lexicon", "mine.txt", "--json"))
    play_round(run, "m", FOUR, {"ann": "yes"})
    document(run("match", "export", "m", "-o", "m.json", "--json"))
    (tmp_path / "mine.txt").write_text("hey\n", encoding="utf-8")
    for args in (("show", "m"), ("import", "again", "m.json")):
        error = refusal(run("match", *args, "--json"), ExitCode.UNUSABLE_FILE)
        assert error["kind"] == "lexicon"
        assert "other words now" in error["message"]
    (tmp_path / "mine.txt").unlink()
    error = refusal(run("match", "import", "again", "m.json", "--json"), ExitCode.UNUSABLE_FILE)
    assert error["kind"] == "lexicon"
    (tmp_path / "mine.txt").write_text("hey\nyes\n", encoding="utf-8")
    assert points(document(run("match", "show", "m", "--json"))) == {"ann": 1}


def test_a_clock_that_was_set_back_gives_no_more_time(run: Run, clock: Clock) -> None:
    document(run("match", "new", "m", "--players", "ann", "--json"))
    document(run("match", "board", "m", FOUR, "--start", "--json"))
    clock.now -= 500
    assert document(run("match", "show", "m", "--json"))["round"]["seconds_left"] == 180
    document(run("match", "word", "m", "ann", "yes", "--json"))
    clock.now += 500 + 180
    found = document(run("match", "show", "m", "--json"))["round"]
    assert (found["seconds_left"], found["missing"]) == (0, [])
    assert document(run("match", "show", "m", "--after", "2", "--json"))["round"]["missing"]


def test_a_word_that_is_typed_is_told(run: Run, clock: Clock) -> None:  # noqa: ARG001 - stands still
    document(run("match", "new", "m", "--players", "ann,[/x]", "--json"))
    document(run("match", "board", "m", FOUR, "--start", "--json"))
    assert "ann writes yes, word 1 of the list." in run("match", "word", "m", "ann", "yes").stdout
    refused = refusal(run("match", "word", "m", "ann", "tea eat", "--json"))
    assert (refused["kind"], "more than one" in refused["message"]) == ("no_word", True)
    assert document(run("match", "word", "m", "ann", "hey", "--json"))["written"] == 2


def test_markup_in_a_name_stays_a_name(run: Run, tmp_path: Path) -> None:
    document(run("match", "new", "m", "--players", "ann,[/x]", "--json"))
    document(run("match", "board", "m", FOUR, "--json"))
    (tmp_path / "list.txt").write_text("yes\n", encoding="utf-8")
    document(run("match", "hand-in", "m", "ann=list.txt", "[/x]=list.txt", "--json"))
    assert "also found by [/x]" in run("match", "read-aloud", "m").stdout


def test_handicaps_are_told(run: Run) -> None:
    args = ("--players", "ann,kim", "--game", "super-big-handicap", "--handicap", "kim=3")
    assert "kim from 3 letters on" in run("match", "new", "m", *args).stdout
    assert document(run("match", "show", "m", "--json"))["handicaps"] == {"kim": 3}


def test_an_export_is_whole_or_not_there_and_replaces_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    document(run("match", "new", "m", "--players", "ann", "--json"))
    Path("m.json").write_text("before", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    refusal(run("match", "export", "m", "-o", "new.json", "--json"), ExitCode.STORAGE_FAULT)
    assert not Path("new.json").exists()
    refused = refusal(run("match", "export", "m", "-o", "m.json", "--json"))
    assert refused["kind"] == "export_exists"
    assert Path("m.json").read_text("utf-8") == "before"
    assert document(run("match", "export", "m", "-o", "-"))["state"]["match"] == "m"


def test_of_several_lists_all_are_handed_in_or_none(run: Run, tmp_path: Path) -> None:
    document(run("match", "new", "m", "--players", "ann,bob", "--json"))
    document(run("match", "board", "m", FOUR, "--json"))
    lists = files(tmp_path, {"ann": "yes", "eve": "toe"})
    assert refusal(run("match", "hand-in", "m", *lists, "--json"))["kind"] == "unknown_player"
    assert document(run("match", "show", "m", "--json"))["round"]["missing"] == ["ann", "bob"]


def test_a_match_is_not_played_on_a_doubtful_board(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    document(run("match", "new", "m", "--players", "ann", "--json"))
    doubtful = Given(Board.parse(FOUR), ExitCode.DOUBTFUL)
    monkeypatch.setattr(boards, "given_board", lambda *_: doubtful)
    error = refusal(run("match", "board", "m", "tray.jpg", "--json"), ExitCode.DOUBTFUL)
    assert (error["kind"], FOUR in error["advice"]) == ("doubtful", True)
    assert document(run("match", "show", "m", "--json"))["round"] is None


def test_people_see_board_verdicts_totals_and_winner(begun: Run) -> None:
    assert "The sand runs: 180 s left." in run_text(begun, "show")
    begun("match", "challenge", "m", "tpe", "--of", "ann", "--by", "bob")
    begun("match", "challenge", "m", "yes", "--of", "ann", "--by", "bob")
    ended = run_text(begun, "end-round")
    assert "Best words missed" in ended
    assert "Next: the board of round 2" in ended
    explained = run_text(begun, "score", "--explain")
    assert "bob challenges TPE of ann: it is not in the word list, and comes off." in explained
    assert "bob challenges YES of ann: it is in the word list." in explained
    assert "yes: +1, 1 point for 3 letters" in explained
    assert "quest: 0, also found by bob" in explained


def test_names_are_shown_as_they_are(run: Run) -> None:
    shown = run("match", "new", "m", "--players", "[red]x,:smile:").stdout
    assert "[red]x" in shown
    assert ":smile:" in shown


COMMANDS = (
    *("new", "board", "start", "word", "hand-in", "last-chance", "agree", "read-aloud"),
    *("challenge", "reject", "end-round", "show", "score", "undo", "list", "export", "import"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run("match", command, "--help")
    assert result.exit_code == ExitCode.DONE
    assert "Example" in result.stdout


class TestHouseRulesElsewhere:
    @pytest.fixture
    def ours(self, tmp_path: Path) -> str:
        (tmp_path / "ours.toml").write_text(OURS, encoding="utf-8")
        return "ours.toml"

    def test_solve(self, run: Run, ours: str) -> None:
        found = document(run("solve", FOUR, "--rules", ours, "--json"))
        assert found["game"] == "house"
        assert found["words"][0] == {**found["words"][0], "word": "peyotes", "points": 10}
        assert any(word["word"] == "he" for word in found["words"])

    def test_score(self, run: Run, ours: str, tmp_path: Path) -> None:
        lists = [f"--list={each}" for each in files(tmp_path, {"ann": "tpe yes", "bob": "yes"})]
        found = document(run("score", FOUR, *lists, "--rules", ours, "--json"))
        assert [player["points"] for player in found["players"]] == [2, 1]
        args = ("--rules", ours, "--challenge", "TPE", "--json")
        found = document(run("score", FOUR, *lists, *args))
        assert [player["points"] for player in found["players"]] == [0, 1]
        assert found["players"][0]["words"][0]["verdict"] == "struck"
        error = refusal(run("score", FOUR, *lists, "--challenge", "zoo", "--json"))
        assert error["kind"] == "not_listed"

    def test_score_with_teams_and_handicaps(self, run: Run, tmp_path: Path) -> None:
        lists = [
            f"--list={each}"
            for each in files(tmp_path, {"a": "yes quest", "b": "quest", "c": "yes toe"})
        ]
        args = ("--team", "red=a,b", "--handicap", "c=5", "--json")
        found = document(run("score", FOUR, *lists, *args))
        assert found["teams"] == [{"name": "red", "members": ["a", "b"], "points": 3}]
        assert found["winners"] == ["red"]
        assert "red (a, b): 3 points" in run("score", FOUR, *lists, *args[:-1]).stdout
        error = refusal(run("score", FOUR, *lists, "--handicap", "eve=5", "--json"))
        assert error["kind"] == "handicap"
        team_game = ("--game", "super-big-team", "--json")
        assert refusal(run("score", FOUR, *lists, *team_game))["kind"] == "team"

    @pytest.mark.parametrize("title", ["[/x]", "[red]Ours[/red]", "Ours\x1b[2J", "Ours\\"])
    def test_a_title_is_shown_as_it_was_written(self, run: Run, tmp_path: Path, title: str) -> None:
        text = f"[game]\nbase = 'super-big-team'\ntitle = {json.dumps(title)}\n"
        (tmp_path / "ours.toml").write_text(text, encoding="utf-8")
        rules = ("--rules", "ours.toml")
        team = ("--team", "red=ann,bob", "--team", "blue=cy")
        lists = [f"--list={each}" for each in files(tmp_path, {"ann": "yes", "bob": "", "cy": ""})]
        for args in (
            ("solve", FOUR, "--stats", *rules),
            ("score", FOUR, *lists, *rules, *team),
            ("score", FOUR, *lists, *rules),
            ("match", "new", "m", "--players", "ann,bob,cy", *rules, *team),
        ):
            result = run(*args)
            told = result.stdout + result.stderr
            assert result.exit_code in (ExitCode.DONE, ExitCode.WRONG_USE), told
            assert title.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in told

    def test_the_game_named_and_that_of_the_house_rules_must_agree(
        self, run: Run, ours: str
    ) -> None:
        error = refusal(run("solve", FOUR, "--rules", ours, "--game", "big", "--json"))
        assert (error["kind"], "boggle" in error["message"]) == ("game", True)
        assert run("solve", FOUR, "--rules", ours, "--game", "boggle").exit_code == ExitCode.DONE

    @pytest.mark.parametrize(
        ("text", "named"),
        [
            ("[words]\nmin_letters = 99\n", "[words] min_letters is 99"),
            ("[wrods]\n", "[wrods]"),
            ('[game]\nbase = "nope"\n', "[game] base is 'nope'"),
            ("words = 3\n", "words"),
            ("[words\n", "TOML"),
            (f"[timer]\nseconds = {'9' * 5000}\n", "too many digits"),
            (f"[timer]\nseconds = 0x{'f' * 5000}\n", "[timer] seconds"),
            (f"[points]\n{'9' * 5000} = 1\n", "number of letters"),
            (f"x = {'[' * 20_000}", "nested too deeply"),
            (f"[timer]\nseconds{'.a' * 20_000} = 1\n", "[timer] seconds"),
            ('[game]\ntitle = "\xff"\n', "UTF-8"),
        ],
    )
    def test_a_mistake_is_told_with_file_section_and_key(
        self, run: Run, tmp_path: Path, text: str, named: str
    ) -> None:
        (tmp_path / "bad.toml").write_bytes(text.encode("latin-1"))
        error = refusal(run("solve", FOUR, "--rules", "bad.toml", "--json"), ExitCode.UNUSABLE_FILE)
        assert error["kind"] == "house_rules"
        assert named in error["message"]
        assert "bad.toml" in error["message"]

    @pytest.mark.parametrize("file", ["nowhere.toml", "/dev/zero"])
    def test_a_file_that_cannot_be_read_is_refused(self, run: Run, file: str) -> None:
        error = refusal(run("solve", FOUR, "--rules", file, "--json"), ExitCode.UNUSABLE_FILE)
        assert error["kind"] == "house_rules"

    def test_play(self, run: Run, ours: str, tmp_path: Path) -> None:
        for command in (("solve", FOUR), ("match", "new", "m", "--players", "a,b")):
            (tmp_path / "plain.toml").write_text("[timer]\nseconds = 60\n", encoding="utf-8")
            args = ("--game", "worldwinner", "--rules", "plain.toml", "--json")
            assert refusal(run(*command, *args))["kind"] == "game"
        refused = played(tmp_path, "--game", "worldwinner", "--rules", ours)
        assert json.loads(refused.stdout)["error"]["kind"] == "game"

    @pytest.mark.parametrize("timer", ["nan", "1e99", "0", "-1"])
    def test_a_timer_has_limits(self, tmp_path: Path, timer: str) -> None:
        refused = played(tmp_path, "--timer", timer)
        assert refused.returncode == ExitCode.WRONG_USE
        error = json.loads(refused.stdout)["error"]
        assert (error["kind"], "0.5 to 7200" in error["advice"]) == ("seconds", True)

    def test_a_round_is_played_by_house_rules(self, ours: str, tmp_path: Path) -> None:
        ended = played(tmp_path, "--timer", "0.5", "--rules", ours)
        assert json.loads(ended.stdout)["game"] == "house"


def played(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A simulated round whose player types a word."""
    command = (sys.executable, "-m", "firmware_host", "play", "--simulate", "--seed", "7", "--json")
    return subprocess.run(
        [*command, *args],
        input="\nhey\n",
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(match.__file__).parents[2])},
        timeout=60,
        check=False,
    )
