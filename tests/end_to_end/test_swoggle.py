"""Swoggle from the command line: whole matches of every variant, and all that can go wrong."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.cli import swoggle
from firmware_host.errors import ExitCode
from tests.end_to_end.conftest import Run, document, refusal

Script = Sequence[tuple[int, str, str]]
"""Turns: what the die shows, what is written, throws for bonus squares; PASSES for a pass."""

ROOT = Path(__file__).parents[2]
PASSES = "pass"

EXAMPLES: Script = [
    (6, "8 5 across PARADE", ""),
    (4, "8 11 down SEAT", ""),
    (2, "7 10 down H(E)M", ""),
    (3, "9 10 across (ME)RRY", ""),
]
"""The scoring examples of the rulebook: 17, 32, 16 and 14 points."""

ORDINARY: Script = [
    (5, "8 7 across BERET", ""),
    (4, "7 7 across ANON", ""),
    (5, "6 6 across LLANO", "3,5"),
    (3, "9 6 across ASS", ""),
    (4, "5 5 across CESS", "5"),
    (4, "3 11 down TUNS", "5,2"),
    (4, "9 4 across CH(ASS)IS", "6"),
    (4, "5 10 across S(N)ORT", "1,3"),
    (5, "2 7 across VIRLS", "6,2,5"),
    (5, "7 12 down ISLED", ""),
    (2, "10 5 across AA", "1"),
    (5, "1 15 down WELDS", "1,5,4,3"),
    (3, "11 5 across OHO", "6"),
    (2, "10 8 across TA", ""),
    (3, "1 14 down ORA", "1,1,3"),
    (6, "12 6 across SEPTET", "3"),
    (6, "5 14 down (T)EACUPS", "5,3,5,2"),
]

FOUR_PLAYERS: Script = [
    (6, "8 4 across MARKUP", ""),
    (4, "9 6 across EASE", ""),
    (3, "7 6 across ISM", ""),
    (4, "10 5 across EDGE", "3"),
    (5, "5 10 down QUASS", "5"),
    (6, "11 7 across SRADHA", ""),
    (3, "8 9 down (PE)S(A)DE", "6"),
    (4, "14 8 across USES", "6,1,4"),
    (4, "7 5 down J(A)P(E)RY", ""),
    (5, "14 3 across REARO(USES)", "6,1,2,6"),
    (4, "11 13 down SAMP", "5,2"),
    (4, "15 10 across LIES", "5,5,6"),
    (6, "15 3 across ESTERS", "2,5,4"),
    (4, "6 8 across AC(U)TE", "1"),
    (6, PASSES, ""),
    (6, PASSES, ""),
    (3, "13 2 across LEY", "3,6"),
    (3, "12 1 across PAD", "2,2"),
    (6, "9 1 down HEL(P)FUL", "2,2,1,6,3"),
    (6, "4 2 down UNTRIM", "5,3,3"),
    (5, "1 3 down RECTO", "3,2,6"),
    (5, "5 10 across (Q)UAILS", "4"),
    (6, "1 15 down INCI(S)OR", "1,4,2"),
    (2, "5 6 down WA(IRED)", "4,4"),
    (2, "1 14 down LO", "4,3,6"),
]

FOURS: Script = [
    (4, turn, "")
    for turn in (
        "8 6 across BLOB",
        "7 7 across AJAR",
        "6 9 across DOVE",
        "9 5 across MITY",
        "10 4 across VIGS",
        "6 4 across HETH",
        "5 2 across CHAM",
        "5 2 down (C)ACAO",
        "8 1 down ADIT",
        "1 3 down MONT(H)",
        "5 12 across ANEW",
        "1 15 down SCRE(W)",
        "1 11 across CARE(S)",
        "4 5 across EDGE",
        "1 9 down AYES",
        "2 5 across BELL(Y)",
        "5 14 down (E)XULT",
        "3 11 across ESKA(R)",
        "9 5 down (MI)DLEG",
        "15 2 across COBS",
        "14 5 across (G)LASS",
        "15 7 across MOOT",
        "12 11 down EBBS",
        "9 10 down AHEM",
        "7 15 down HAIR",
        "11 12 across HAES",
        "13 1 across BLUM(E)",
    )
]


class Clock:
    """The moment that commands see."""

    def __init__(self) -> None:
        self.now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that the tests set."""
    clock = Clock()
    monkeypatch.setattr(swoggle, "now", lambda: clock.now)
    return clock


@pytest.fixture
def run(run: Run) -> Run:
    """Runs a command of Swoggle."""
    return partial(run, "swoggle")


def play(run: Run, name: str, script: Script, *, with_die: bool = True) -> dict[str, Any]:
    """Plays a script and gives the document of its last turn."""
    last: dict[str, Any] = {}
    for die, turn, bonus in script:
        shows = ("--die", str(die)) if with_die else ()
        thrown = ("--bonus", bonus) if bonus else ()
        args = (PASSES, name) if turn == PASSES else ("turn", name, turn, *thrown)
        last = document(run(*args, *shows, "--json"))
    return last


def points(found: dict[str, Any]) -> dict[str, int]:
    return {player["name"]: player["points"] for player in found["players"]}


def explained(run: Run, name: str) -> dict[str, int]:
    """Points by player, from the squares of the score sheet."""
    totals: dict[str, int] = {}
    for entry in document(run("score", name, "--explain", "--json"))["sheet"]:
        squares = [square for word in entry["words"] for square in word["squares"]]
        assert all(square["points"] >= sum(square["throws"]) for square in squares)
        won = sum(square["points"] for square in squares)
        assert entry["points"] == (won if entry["outcome"] == "scored" else 0)
        totals[entry["player"]] = totals.get(entry["player"], 0) + entry["points"]
    return totals


class TestMatches:
    def test_two_players_to_300(self, run: Run) -> None:
        begun = document(run("new", "m", "--players", "ann,bob", "--json"))
        assert (begun["target"], begun["to_move"], begun["die"]) == (300, "ann", None)
        ended = play(run, "m", ORDINARY)
        assert points(ended) == {"ann": 300, "bob": 265} == explained(run, "m")
        assert ended["over"] == {"ending": "target", "winners": ["ann"]}
        assert refusal(run("turn", "m", "1 1 across A", "--json"))["kind"] == "match_over"

    def test_four_players_to_250(self, run: Run) -> None:
        begun = document(run("new", "m", "--players", "ann,bob,cid,dee", "--json"))
        assert begun["target"] == 250
        ended = play(run, "m", FOUR_PLAYERS)
        assert points(ended) == {"ann": 250, "bob": 190, "cid": 163, "dee": 170}
        assert explained(run, "m") == points(ended)
        assert ended["over"] == {"ending": "target", "winners": ["ann"]}

    def test_a_time_limit(self, run: Run, clock: Clock) -> None:
        run("new", "m", "--players", "ann,bob", "--minutes", "20")
        play(run, "m", EXAMPLES[:3])
        clock.now += 1199
        play(run, "m", EXAMPLES[3:])
        clock.now += 1
        late = refusal(run("turn", "m", "2 2 across TEAM", "--die", "4", "--json"))
        assert late["kind"] == "time_over"
        assert "20 minutes" in late["message"]
        assert refusal(run("pass", "m", "--json"))["kind"] == "time_over"
        assert refusal(run("roll", "m", "--json"))["kind"] == "time_over"
        found = document(run("score", "m", "--json"))
        assert found["over"] == {"ending": "time", "winners": ["bob"]}
        assert points(found) == {"ann": 33, "bob": 46}

    def test_the_time_ends_a_match_that_is_only_looked_at(self, run: Run, clock: Clock) -> None:
        run("new", "m", "--players", "ann,bob", "--minutes", "0.5")
        play(run, "m", EXAMPLES[:1])
        clock.now += 30
        assert document(run("show", "m", "--json"))["over"]["winners"] == ["ann"]
        clock.now -= 30
        assert document(run("show", "m", "--json"))["over"]["winners"] == ["ann"]

    def test_a_turn_with_a_limit(self, run: Run, clock: Clock) -> None:
        run("new", "m", "--players", "ann,bob", "--turn-seconds", "60")
        run("roll", "m", "--die", "6")
        clock.now += 61
        late = refusal(run("turn", "m", "8 5 across PARADE", "--json"))
        assert late["kind"] == "turn_time_over"
        assert document(run("pass", "m", "--json"))["to_move"] == "bob"

    def test_marathon(self, run: Run) -> None:
        run("new", "m", "--players", "ann,bob,cid", "--variant", "marathon")
        play(run, "m", EXAMPLES[:2])  # ann, bob
        script: Script = [(5, PASSES, "")] * 4  # cid, ann, bob, cid: cid is out
        out = play(run, "m", script)
        assert [player["out"] for player in out["players"]] == [False, False, True]
        assert out["to_move"] == "ann"
        play(run, "m", [*EXAMPLES[2:3], (6, PASSES, "")])  # ann writes, bob is out
        result = run("show", "m")
        assert "the last throw of the match" in result.stdout
        assert "(out)" in result.stdout
        ended = play(run, "m", EXAMPLES[3:])
        assert ended["over"] == {"ending": "no_word", "winners": ["ann"]}
        assert points(ended) == {"ann": 17 + 16 + 14, "bob": 32, "cid": 0}

    def test_fours(self, run: Run) -> None:
        begun = document(run("new", "m", "--players", "ann,bob", "--variant", "fours", "--json"))
        assert (begun["letters"], begun["target"]) == (4, 300)
        ended = play(run, "m", FOURS, with_die=False)
        assert points(ended) == {"ann": 308, "bob": 298} == explained(run, "m")
        assert ended["over"]["winners"] == ["ann"]

    def test_solo_keeps_the_best_score(self, run: Run) -> None:
        for name, script, best, record in (
            ("first", EXAMPLES[:2], None, True),
            ("second", EXAMPLES, 49, True),
            ("third", EXAMPLES[:1], 79, False),
        ):
            run("new", name, "--players", "ann", "--variant", "solo")
            playing = play(run, name, script)
            assert (playing["over"], playing["record"]) == (None, False)
            ended = play(run, name, [(6, PASSES, "")])
            assert ended["over"]["ending"] == "no_word"
            assert (ended["best_before"], ended["record"]) == (best, record)
        assert "The best solo score so far is 79" in run("score", "third").stdout
        assert "best solo score so far." in run("score", "second").stdout
        document(run("undo", "second", "--json"))
        assert document(run("score", "third", "--json"))["best_before"] == 49

    def test_solo_against_the_clock(self, run: Run, clock: Clock) -> None:
        run("new", "m", "--players", "ann", "--variant", "solo", "--minutes", "5")
        play(run, "m", EXAMPLES[:2])
        clock.now += 300
        assert document(run("score", "m", "--json"))["record"] is True
        run("new", "n", "--players", "ann", "--variant", "solo")
        assert document(run("show", "n", "--json"))["best_before"] == 49

    def test_who_begins_is_thrown_for(self, run: Run) -> None:
        args = ("new", "m", "--players", "ann,bob,cid", "--start", "5,2,5/3,6", "--json")
        begun = document(run(*args))
        assert (begun["to_move"], begun["die"]) == ("cid", 6)
        assert document(run("turn", "m", "8 5 across PARADE", "--json"))["to_move"] == "ann"
        tie = refusal(run("new", "n", "--players", "ann,bob", "--start", "3,3", "--json"))
        assert tie["kind"] == "start"
        assert refusal(run("show", "n", "--json"))["kind"] == "unknown_match"

    def test_the_program_throws_the_same_for_the_same_seed(self, run: Run) -> None:
        thrown = []
        for name in ("a", "b"):
            args = ("new", name, "--players", "ann,bob", "--seed", "4", "--start", "roll", "--json")
            found = document(run(*args))
            document(run("pass", name, "--json"))
            rolled = document(run("roll", name, "--json"))
            thrown.append((found["to_move"], found["die"], rolled["die"]))
        assert thrown[0] == thrown[1]
        assert all(1 <= die <= 6 for die in thrown[0][1:])

    def test_the_program_throws_for_bonus_squares_and_shows_it(self, run: Run) -> None:
        run("new", "m", "--players", "ann,bob", "--seed", "4")
        run("turn", "m", "8", "6", "across", "TEAM", "--die", "4")
        written = run("turn", "m", "6 6 down EA(T)", "--die", "2")
        assert "(orange " in written.stdout
        assert "thrown by the program" in written.stdout


class TestRefusals:
    @pytest.fixture(autouse=True)
    def match(self, run: Run) -> None:
        """PARADE stands, and it is bob's turn."""
        run("new", "m", "--players", "ann,bob")
        play(run, "m", EXAMPLES[:1])

    @pytest.mark.parametrize(
        ("kind", "turn", "die", "told"),
        [
            ("notation", "8 11 downwards SEAT", 4, "across or down"),
            ("off_board", "8 16 down SEAT", 4, "beyond its 15 rows and 15 columns"),
            ("black_square", "6 2 across SEAT", 4, "on a black square"),
            ("occupied", "8 10 down SEAT", 4, "already has E"),
            ("standing", "7 10 down H(A)M", 2, "stands E, not A"),
            ("not_one_line", "8 11 down S + 7 10 across E", 2, "one line and one direction"),
            ("split", "8 11 across S + 8 13 across S", 2, "not split between separate words"),
            ("wrong_count", "8 11 down SEAT", 5, "exactly 5 letters"),
            ("not_joined", "2 1 across SEAT", 4, "must join on to words"),
            ("not_a_word", "8 11 down XEAT", 4, "must be in the word list"),
            ("die", "8 11 down SEAT", 7, "1 to 6"),
            ("no_die", "8 11 down SEAT", None, "has not thrown it"),
        ],
    )
    def test_a_turn_that_breaks_a_rule_names_it_and_changes_nothing(
        self, run: Run, kind: str, turn: str, die: int | None, told: str
    ) -> None:
        before = run("export", "m").stdout
        shows = () if die is None else ("--die", str(die))
        error = refusal(run("turn", "m", turn, *shows, "--json"))
        assert error["kind"] == kind
        assert told in error["message"]
        assert run("export", "m").stdout == before

    def test_a_bad_first_word(self, run: Run) -> None:
        run("new", "n", "--players", "ann,bob")
        for turn, die, kind in (
            ("7 5 across TEAM", "4", "first_on_cross"),
            ("8 8 across A", "1", "one_letter"),
        ):
            assert refusal(run("turn", "n", turn, "--die", die, "--json"))["kind"] == kind

    def test_throws_for_bonus_squares_must_fit(self, run: Run) -> None:
        args = ("turn", "m", "6 6 down TE(A)", "--die", "2", "--json", "--bonus")
        assert refusal(run(*args, "3,3"))["kind"] == "bonus"
        assert refusal(run(*args, "7"))["kind"] == "bonus"
        assert refusal(run(*args, "x"))["kind"] == "throws"
        assert refusal(run(*args, "9" * 5000))["kind"] == "throws"
        assert document(run(*args, "3"))["played"]["points"] == 3 + 5 + 1

    def test_players(self, run: Run) -> None:
        args = ("turn", "m", "8 11 down SEAT", "--die", "4", "--json", "--player")
        unknown = refusal(run(*args, "zed"))
        assert unknown["kind"] == "unknown_player"
        assert "ann, bob" in unknown["advice"]
        assert refusal(run(*args, "ann"))["kind"] == "not_your_turn"
        assert document(run(*args, "Bob"))["to_move"] == "ann"

    def test_challenges(self, run: Run) -> None:
        def challenge(word: str, by: str) -> Result:
            return run("challenge", "m", word, "--by", by, "--json")

        assert refusal(challenge("PARADE", "zed"))["kind"] == "unknown_player"
        assert refusal(challenge("PARADE", "ann"))["kind"] == "challenge_own"
        assert refusal(challenge("SEAT", "bob"))["kind"] == "challenge_word"
        lost = document(challenge("PARADE", "bob"))
        assert (lost["upheld"], lost["to_move"]) == (False, "ann")
        assert refusal(challenge("parade", "bob"))["kind"] == "challenge_again"
        play(run, "m", EXAMPLES[1:2])
        late = refusal(challenge("PARADE", "bob"))
        assert late["kind"] == "challenge_late"
        assert "before the next word is written" in late["message"]

    @pytest.mark.parametrize(
        ("kind", "args"),
        [
            ("match_exists", ("m", "--players", "a,b")),
            ("match_name", ("M", "--players", "a,b")),
            ("players", ("n", "--players", "a")),
            ("players", ("n", "--players", "a,a")),
            ("variant", ("n", "--players", "a,b", "--variant", "fives")),
            ("target", ("n", "--players", "a,b", "--target", "0")),
            ("minutes", ("n", "--players", "a,b", "--minutes", "0")),
            ("start", ("n", "--players", "a,b", "--start", "1,2,3")),
            ("throws", ("n", "--players", "a,b", "--start", "high")),
            ("throws", ("n", "--players", "a,b", "--start", "9" * 5000 + ",3")),
        ],
    )
    def test_a_match_that_cannot_be(self, run: Run, kind: str, args: tuple[str, ...]) -> None:
        assert refusal(run("new", *args, "--json"))["kind"] == kind

    def test_files_that_cannot_be_used(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "bad.toml").write_text("squares = 3", encoding="utf-8")
        for file in ("bad.toml", "missing.toml", str(tmp_path)):
            args = ("new", "n", "--players", "a,b", "--board", file, "--json")
            assert refusal(run(*args), ExitCode.UNUSABLE_FILE)["kind"] == "swoggle_board"
        unlisted = run("new", "n", "--players", "a,b", "--lexicon", "nowhere.txt", "--json")
        assert refusal(unlisted, ExitCode.UNUSABLE_FILE)["kind"] == "lexicon"
        foreign = run("import", "n", "bad.toml", "--json")
        assert refusal(foreign, ExitCode.UNUSABLE_FILE)["kind"] == "match"

    def test_a_damaged_match_does_not_hide_the_others(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "data" / "wordtray" / "matches" / "bad.match").write_bytes(b"\x80\n")
        result = run("list", "--json")
        assert result.exit_code == ExitCode.UNUSABLE_FILE
        bad, good = map(json.loads, result.stdout.splitlines())
        assert (bad["error"]["kind"], good["match"]) == ("match", "m")
        assert refusal(run("show", "bad", "--json"), ExitCode.UNUSABLE_FILE)["kind"] == "match"

    def test_neither_nested_brackets_nor_a_folder_hide_the_others(
        self, run: Run, tmp_path: Path
    ) -> None:
        folder = tmp_path / "data" / "wordtray" / "matches"
        (folder / "deep.match").write_bytes(b"[" * 200_000 + b"\n")
        (folder / "dir.match").mkdir()
        result = run("list", "--json")
        assert result.exit_code == ExitCode.UNUSABLE_FILE
        deep, good = map(json.loads, result.stdout.splitlines())
        assert (deep["error"]["kind"], good["match"]) == ("match", "m")

    def test_nothing_to_undo(self, run: Run) -> None:
        assert document(run("undo", "m", "--json"))["undone"]["type"] == "turn"
        assert refusal(run("undo", "m", "--json"))["kind"] == "undo"

    def test_only_what_has_happened_can_be_shown(self, run: Run) -> None:
        assert refusal(run("show", "m", "--after", "2", "--json"))["kind"] == "after"
        assert points(document(run("show", "m", "--after", "0", "--json")))["ann"] == 0


class TestChallengesWithoutCheck:
    def test_a_false_word_stands_until_it_is_challenged(self, run: Run) -> None:
        run("new", "m", "--players", "ann,bob", "--challenges")
        written = document(run("turn", "m", "8 5 across PARADX", "--die", "6", "--json"))
        assert points(written) == {"ann": 17, "bob": 0}
        result = run("challenge", "m", "paradx", "--by", "bob")
        assert "PARADX is not in the word list enable" in result.stdout
        found = document(run("score", "m", "--explain", "--json"))
        assert points(found) == {"ann": 0, "bob": 0}
        (entry,) = found["sheet"]
        assert (entry["outcome"], entry["points"]) == ("wiped", 0)
        assert found["to_move"] == "bob"
        assert "wiped off" in run("score", "m", "--explain").stdout


class TestLooking:
    @pytest.fixture(autouse=True)
    def match(self, run: Run) -> None:
        """The examples of the rulebook."""
        run("new", "m", "--players", "ann,bob")
        play(run, "m", EXAMPLES)

    def test_the_sheet_explains_every_point(self, run: Run) -> None:
        told = run("score", "m", "--explain").stdout
        for line in (
            "ann with a 6: 8 5 across PARADE  17 points",
            "PARADE  4+1+5+1+5+1 = 17",
            "PARADES  4+1+5+1+5+1+4 = 21",
            "SEAT  4+1+5+1 = 11",
            "HEM  4+1+5 = 10",
            "ME  5+1 = 6",
            "MERRY  5+1+4+1+3 = 14",
        ):
            assert line in told

    def test_the_board_is_drawn(self, run: Run, tmp_path: Path) -> None:
        result = run("show", "m", "--svg", "b.svg", "--png", "b.png")
        assert "P4" in result.stdout
        assert "███" in result.stdout
        assert "bob  46 points" in result.stdout
        assert b"<svg" in (tmp_path / "b.svg").read_bytes()
        with Image.open(tmp_path / "b.png") as picture:
            assert picture.format == "PNG"
        found = document(run("show", "m", "--json"))["squares"]
        assert found[7] == "....PARADES...."
        assert found[5] == "..#.........#.."

    def test_hints_name_the_best_moves(self, run: Run) -> None:
        found = document(run("hint", "m", "--die", "3", "--top", "4", "--json"))
        assert len(found["moves"]) == 4
        assert found["count"] > 100
        best = found["moves"][0]
        turn = ("turn", "m", best["turn"], "--die", "3", "--json")
        played = document(run(*turn))["played"]
        thrown = [s for w in played["words"] for s in w["squares"] if s["throws"]]
        assert played["points"] - sum(s["points"] for s in thrown) == best["points"]
        assert refusal(run("hint", "m", "--json"))["kind"] == "no_die"

    def test_no_hint_with_a_die_in_fours_or_when_the_time_is_over(
        self, run: Run, clock: Clock
    ) -> None:
        run("new", "f", "--players", "ann,bob", "--variant", "fours", "--minutes", "1")
        assert document(run("hint", "f", "--json"))["letters"] == 4
        assert refusal(run("hint", "f", "--die", "4", "--json"))["kind"] == "die"
        clock.now += 61
        assert refusal(run("hint", "f", "--json"))["kind"] == "time_over"

    def test_a_pass_says_whether_a_move_was_possible(self, run: Run, tmp_path: Path) -> None:
        assert "moves were possible, such as" in run("pass", "m", "--die", "3").stdout
        (tmp_path / "small.txt").write_text("at\nta\n", encoding="utf-8")
        run("new", "n", "--players", "ann,bob", "--lexicon", "small.txt")
        rolled = run("roll", "n", "--die", "6")
        assert "No move is possible with 6: pass." in rolled.stdout
        assert "No move is possible with 6 letters" in run("hint", "n").stdout
        assert "No move was possible." in run("pass", "n").stdout
        assert document(run("pass", "n", "--json"))["possible"] is None

    def test_matches_are_exported_imported_and_go_on(self, run: Run) -> None:
        whole = document(run("export", "m"))
        assert whole["state"]["turns"] == len(whole["log"]) == 4
        assert document(run("export", "m", "-o", "m.json", "--json"))["file"] == "m.json"
        before = Path("m.json").read_bytes()
        refused = run("export", "m", "-o", "m.json", "--json")
        assert refused.exit_code == ExitCode.WRONG_USE
        assert json.loads(refused.stdout)["error"]["kind"] == "export_exists"
        assert Path("m.json").read_bytes() == before
        assert document(run("import", "n", "m.json", "--json"))["squares"][7] == "....PARADES...."
        assert points(document(run("pass", "n", "--json"))) == {"ann": 33, "bob": 46}
        listed = [json.loads(line)["match"] for line in run("list", "--json").stdout.splitlines()]
        assert listed == ["m", "n"]
        assert "ordinary: ann 33, bob 46. Next: bob throws the die." in run("list").stdout

    def test_undo_says_what_it_takes_back(self, run: Run) -> None:
        assert "Taken back: the turn of bob 9 10 across (ME)RRY." in run("undo", "m").stdout

    def test_undo_takes_back_and_the_log_keeps_it(self, run: Run) -> None:
        assert points(document(run("undo", "m", "--json"))) == {"ann": 33, "bob": 32}
        log = document(run("export", "m"))["log"]
        assert [entry["type"] for entry in log] == ["turn"] * 4 + ["undo"]


def test_names_are_shown_as_they_are(run: Run) -> None:
    run("new", "m", "--players", "[bold],x[31m")
    result = run("turn", "m", "8 5 across PARADE", "--die", "6")
    assert "[bold]  17 points" in result.stdout
    refused = run("new", "n", "--players", "ann,x\x1b[31m")
    assert refused.exit_code == ExitCode.WRONG_USE
    assert "U+001B" in refused.stderr
    assert "\x1b" not in refused.stderr


def test_a_board_of_ones_own(run: Run, tmp_path: Path) -> None:
    text = 'name="mini"\ntitle="b"\nsource="c"\nsquares="""\n1+ 2 r\n3 # 4\n"""\n'
    (tmp_path / "mini.toml").write_text(text, encoding="utf-8")
    run("new", "m", "--players", "ann,bob", "--board", "mini.toml")
    (tmp_path / "mini.toml").unlink()
    found = document(run("turn", "m", "1 1 across TEA", "--die", "3", "--bonus", "1,2,3", "--json"))
    assert (found["board"], points(found)["ann"]) == ("mini", 1 + 2 + 6)
    assert found["squares"] == ["TEA", ".#."]


@pytest.mark.parametrize(
    "command",
    [
        "new",
        "roll",
        "turn",
        "pass",
        "challenge",
        "show",
        "hint",
        "score",
        "undo",
        "list",
        "export",
        "import",
    ],
)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout


def test_the_page_about_swoggle_shows_what_is_printed(run: Run) -> None:
    text = (ROOT / "docs" / "swoggle.md").read_text("utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    pieces = re.split(r"^\$ \./run swoggle ", "".join(blocks), flags=re.MULTILINE)[1:]
    assert len(pieces) > 5
    for piece in pieces:
        command, _, output = piece.partition("\n")
        result = run(*shlex.split(command))
        assert result.exit_code == 0, result.stderr
        assert output in result.stdout


def test_the_board_on_the_page_about_swoggle_can_be_played_on(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "swoggle.md").read_text("utf-8")
    (board,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.toml").write_text(board, encoding="utf-8")
    begun = run("new", "m", "--players", "ann,bob", "--board", "mine.toml", "--json")
    assert document(begun)["board"] == "mine"


def test_two_processes_cannot_play_the_same_turn(run: Run) -> None:
    run("new", "m", "--players", "ann,bob")
    args = ("swoggle", "turn", "m", "8 5 across PARADE", "--die", "6", "--player", "ann", "--json")
    command = [sys.executable, "-m", "firmware_host", *args]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) for _ in range(2)]
    told = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    assert sorted(process.returncode for process in both) == [0, ExitCode.WRONG_USE]
    assert {found["error"]["kind"] for found in told if "error" in found} == {"not_your_turn"}
    assert document(run("score", "m", "--json"))["turns"] == 1
