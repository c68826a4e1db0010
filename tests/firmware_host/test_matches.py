"""Matches on the disk: appended entry by entry, whole or as before, one process at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_host import matches, solo_scores
from firmware_host.errors import CommandError, ExitCode
from firmware_host.solo_scores import SoloScore
from scoring.match import Event, Match, MatchError, RuleError, Rules, Setup


@dataclass(frozen=True)
class Adding:
    """A game for the tests."""

    setup: Setup = field(default_factory=dict)
    name: str = "adding"

    def start(self) -> int:
        return 0

    def apply(self, state: int, event: Event) -> int:
        if not isinstance(event.get("add"), int):
            raise RuleError("add", "there is nothing to add", "Add something.")
        added: int = event["add"]
        return state + added


def open_adding(_name: str, setup: Setup) -> Rules[int]:
    return Adding(setup)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the matches."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "wordtray" / "matches"


@pytest.fixture
def file(folder: Path) -> Path:
    """The file of a new match."""
    matches.create("monday", Match.new(Adding()))
    return folder / "monday.match"


def add(number: int) -> None:
    with matches.opened("monday", open_adding) as opened:
        opened.play({"add": number})


def total() -> int:
    return matches.load("monday", open_adding).state


def test_a_match_does_not_grow_larger_than_can_be_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "LARGEST_FILE", file.stat().st_size + 15)
    add(1)
    before = file.read_bytes()
    with pytest.raises(CommandError, match="would grow"):
        add(2)
    assert file.read_bytes() == before
    assert total() == 1


@pytest.mark.usefixtures("file")
def test_a_match_goes_on_where_it_was_left() -> None:
    add(1)
    add(2)
    with matches.opened("monday", open_adding) as opened:
        opened.play({"add": 3})
        opened.undo()
        opened.play({"add": 4})
        assert opened.match.state == 7
    match = matches.load("monday", open_adding)
    assert (match.state, len(match.log)) == (7, 5)


def test_the_file_only_grows(file: Path) -> None:
    add(1)
    before = file.read_bytes()
    add(2)
    assert file.read_bytes().startswith(before)
    assert file.read_bytes().count(b"\n") == 3


def test_a_broken_rule_leaves_the_file_as_it_was(file: Path) -> None:
    before = file.read_bytes()
    with matches.opened("monday", open_adding) as opened, pytest.raises(RuleError):
        opened.play({"add": "1"})
    assert file.read_bytes() == before


def test_a_line_that_was_cut_off_never_counted(file: Path) -> None:
    add(1)
    with file.open("ab") as opened:
        opened.write(b'{"add":100')
    assert total() == 1
    add(2)
    assert total() == 3


def test_an_entry_that_cannot_be_synced_is_not_there(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    add(1)
    before = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with matches.opened("monday", open_adding) as opened:
            with pytest.raises(OSError, match="No space left"):
                opened.play({"add": 2})
            assert opened.match.state == 1
    assert file.read_bytes() == before


@pytest.mark.usefixtures("file")
def test_a_second_process_has_to_wait() -> None:
    code = (
        "import fcntl, os, sys; d = os.open(sys.argv[1], os.O_RDONLY);"
        "fcntl.flock(d, fcntl.LOCK_EX | fcntl.LOCK_NB)"
    )
    other = [sys.executable, "-c", code, str(matches.data_folder())]
    with matches.opened("monday", open_adding):
        assert subprocess.run(other, capture_output=True, check=False).returncode != 0
    assert subprocess.run(other, capture_output=True, check=False).returncode == 0


@pytest.mark.usefixtures("file")
def test_names_are_those_of_the_game_and_of_damaged_files(folder: Path) -> None:
    (folder / "damaged.match").write_bytes(b"\xff\n")
    (folder / "other.match").write_text(json.dumps({"rules": "ludo"}) + "\n", encoding="utf-8")
    (folder / "No Match.match").touch()
    assert matches.names("adding") == ("damaged", "monday")
    assert matches.names("ludo") == ("damaged", "other")


@pytest.mark.parametrize("name", ["", "Monday", "../up", "a" * 41, "-a", "a.b", "é"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(CommandError) as caught:
        matches.create(name, Match.new(Adding()))
    assert caught.value.complaint.kind == "match_name"
    with pytest.raises(CommandError) as caught:
        matches.load(name, open_adding)
    assert caught.value.complaint.kind == "unknown_match"


@pytest.mark.usefixtures("file")
def test_a_name_is_taken_once() -> None:
    add(1)
    with pytest.raises(CommandError) as caught:
        matches.create("monday", Match.new(Adding()))
    assert caught.value.complaint.kind == "match_exists"
    assert caught.value.complaint.code is ExitCode.WRONG_USE
    assert total() == 1


@pytest.mark.parametrize("content", [b"", b"no match\n", b"\xff\xfe\n", b'{"add":1}\n', b"\0" * 99])
def test_damaged_files_are_told_by_name(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(MatchError, match=r"monday\.match"):
        total()


def test_a_file_beyond_any_match_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LARGEST_FILE", file.stat().st_size - 1)
    with pytest.raises(MatchError, match="larger"):
        total()


DAMAGED_SCORES = [
    b"{",
    b"[1]",
    b'[{"points": 3}]',
    b"7",
    b"[" * 200_000,
    b'[{"match": "a", "player": "ann", "points": null}]',
    b'[{"match": "a", "player": "ann", "points": "3"}]',
    b'[{"match": "a", "player": "ann", "points": true}]',
    b'[{"match": 1, "player": [], "points": 3}]',
]


class TestSoloScores:
    def test_the_best_of_all_others(self) -> None:
        assert solo_scores.best() is None
        for match, points in (("a", 10), ("b", 30), ("c", 20)):
            solo_scores.keep(match, SoloScore(match, "ann", points))
        assert solo_scores.best() == SoloScore("b", "ann", 30)
        assert solo_scores.best(apart_from="b") == SoloScore("c", "ann", 20)

    def test_a_match_has_one_score_or_none(self) -> None:
        solo_scores.keep("a", None)
        solo_scores.keep("a", SoloScore("a", "ann", 10))
        solo_scores.keep("a", SoloScore("a", "ann", 5))
        assert solo_scores.best() == SoloScore("a", "ann", 5)
        solo_scores.keep("a", None)
        assert solo_scores.best() is None

    @pytest.mark.parametrize("content", DAMAGED_SCORES)
    def test_a_damaged_file_is_told(self, folder: Path, content: bytes) -> None:
        folder.parent.mkdir(parents=True)
        (folder.parent / "swoggle-solo.json").write_bytes(content)
        with pytest.raises(MatchError, match=r"swoggle-solo\.json"):
            solo_scores.best()


@pytest.mark.usefixtures("file")
def test_while_a_sitting_lasts_only_other_matches_can_be_played() -> None:
    matches.create("tuesday", Match.new(Adding()))
    with matches.held("monday", open_adding) as held:
        held.play({"add": 1})
        with pytest.raises(CommandError) as caught, matches.held("monday", open_adding):
            pass
        assert caught.value.complaint.kind == "match_in_play"
        assert caught.value.complaint.code is ExitCode.WRONG_USE
        with matches.opened("tuesday", open_adding) as other:
            other.play({"add": 2})
        assert total() == 1
        held.play({"add": 4})
    with matches.held("monday", open_adding) as held:
        assert held.match.state == 5


def test_an_unkept_match_is_played_and_leaves_no_file(folder: Path) -> None:
    unkept = matches.UnkeptMatch(Match.new(Adding()))
    unkept.play({"add": 3})
    with pytest.raises(RuleError):
        unkept.play({"add": "much"})
    assert unkept.match.state == 3
    assert not folder.exists()
