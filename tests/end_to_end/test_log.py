"""Rounds that are recorded, interrupted, gone on with, listed, backed up and restored."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from firmware_host.cli import app
from firmware_host.errors import ExitCode
from firmware_host.rounds import ButtonPressed, Cancelled, Plan
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from scoring.rules import game as given_rules

Run = Callable[..., Result]


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a round of `demo`."""
    folder = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        result = CliRunner().invoke(app, ["demo", "--seed", "7", "--timer", "0.5", "--json"])
    assert result.exit_code == 0
    return folder / "data"


@pytest.fixture
def played(run: Run, recorded: Path, tmp_path: Path) -> Run:
    """Runs commands where a round of `demo` was recorded."""
    shutil.copytree(recorded, tmp_path / "data")
    return run


def damage(folder: Path) -> None:
    connection = sqlite3.connect(folder / "data" / "wordtray" / "log" / "events.db")
    connection.execute("UPDATE events SET data = '{}' WHERE seq = 5")
    connection.commit()
    connection.close()


def test_a_round_is_listed_with_its_events_and_proved(played: Run) -> None:
    (line,) = documents(played("log", "--json"))
    assert (line["round"], line["state"], line["by"]) == (1, "finished", "demo")
    assert line["simulated"] is True
    events = documents(played("log", "1", "--json"))
    assert [event["kind"] for event in events[:3]] == ["begun", "button_pressed", "shake_done"]
    assert events[-1]["kind"] == "scored"
    assert events[-1]["data"]["result"]["winners"] == line["winners"]
    (proof,) = documents(played("log", "--verify", "--json"))
    assert proof["events"] == len(events) == line["events"]
    assert proof["last_hash"] == events[-1]["hash"]
    assert (proof["photos"], proof["lost_photos"]) == (1, [])


def test_people_see_the_same(played: Run) -> None:
    assert "finished" in played("log").stdout
    assert "tray_read" in played("log", "1").stdout
    assert "are whole" in played("log", "--verify").stdout


def test_an_empty_log_is_told(run: Run) -> None:
    result = run("log")
    assert result.exit_code == 0
    assert "No round was recorded" in result.stderr


def test_no_such_round_is_told(played: Run) -> None:
    result = played("log", "2", "--json")
    assert result.exit_code == ExitCode.WRONG_USE
    assert documents(result)[0]["error"]["kind"] == "no_round"


def test_a_log_that_is_gone_is_told_by_its_photos(played: Run, tmp_path: Path) -> None:
    kept = tmp_path / "data" / "wordtray"
    (kept / "log" / "events.db").write_bytes(b"")
    (proof,) = documents(played("log", "--verify", "--json"))
    (photo,) = (kept / "photos").iterdir()
    assert (proof["events"], proof["spare_photos"]) == (0, [photo.name])
    assert "a new log is begun" in proof["notices"][0]
    assert [cut["after"] for cut in proof["cuts"]] == [0]
    again = played("log", "--verify")
    assert again.exit_code == ExitCode.STORAGE_FAULT
    assert "1 photo of no round" in again.stdout
    assert "cut off after event 0" in again.stdout


def test_a_log_that_was_begun_anew_is_told_each_time_it_is_listed(
    played: Run, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "wordtray"
    assert "of no round" not in played("log").stderr
    (kept / "log" / "events.db").write_bytes(b"")
    for _ in range(2):
        result = played("log")
        assert result.exit_code == 0
        assert "1 photo of no round: a part of the log may be lost" in result.stderr


def test_a_round_alone_cannot_be_proved(played: Run) -> None:
    result = played("log", "1", "--verify", "--json")
    assert result.exit_code == ExitCode.WRONG_USE
    assert documents(result)[0]["error"]["kind"] == "verify"


@pytest.fixture
def read_only(played: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """As `played`, on a disk on which nothing can be written."""
    data = str(tmp_path / "data")
    real = os.open

    def opened(path: Any, flags: int, *more: int, **named: Any) -> int:  # noqa: ANN401 - any path
        if str(path).startswith(data) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, "Read-only file system", path)
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "access", lambda path, _how: not str(path).startswith(data))
    return played


@pytest.mark.parametrize("args", [(), ("1",), ("--verify",)])
def test_a_log_on_a_read_only_disk_is_read_and_left(
    read_only: Run, recorded: Path, tmp_path: Path, args: tuple[str, ...]
) -> None:
    result = read_only("log", *args, "--json")
    assert result.exit_code == 0, result.stderr
    assert documents(result)
    assert "nothing can be written there" in result.stderr
    before, after = (
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.db*")}
        for folder in (recorded, tmp_path / "data")
    )
    assert before == after


def test_a_read_only_disk_is_backed_up(read_only: Run) -> None:
    (made,) = documents(read_only("backup", "-o", "rescued.zip", "--json"))
    (proof,) = documents(read_only("log", "--verify", "--json"))
    assert made["events"] == proof["events"]


def test_damage_on_a_read_only_disk_names_the_log_and_no_copy(
    played: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(tmp_path)
    monkeypatch.setattr("firmware_host.store.place.Place.is_read_only", property(lambda _: True))
    result = played("log", "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT
    error = documents(result)[0]["error"]
    assert str(tmp_path / "data/wordtray/log/events.db") in error["message"]
    assert "wordtray-" not in error["message"] + error["advice"]


def test_a_lost_photo_is_told(played: Run, tmp_path: Path) -> None:
    (photo,) = (tmp_path / "data" / "wordtray" / "photos").iterdir()
    photo.unlink()
    result = played("log", "--verify", "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT
    assert documents(result)[0]["lost_photos"] == [photo.name]


@pytest.mark.parametrize("command", [("log",), ("log", "--verify"), ("demo", "--timer", "0.5")])
def test_a_damaged_log_ends_every_command_with_advice(
    played: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    damage(tmp_path)
    result = played(*command, "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT
    error = documents(result)[-1]["error"]
    assert "damaged at event 5" in error["message"]
    assert "wordtray restore" in error["advice"]


def test_a_damaged_log_is_restored_from_a_backup(played: Run, tmp_path: Path) -> None:
    (made,) = documents(played("backup", "-o", "tray.zip", "--json"))
    (proof,) = documents(played("log", "--verify", "--json"))
    damage(tmp_path)
    (done,) = documents(played("restore", "tray.zip", "--json"))
    assert done["events"] == made["events"] == proof["events"]
    assert Path(done["aside"], "log", "events.db").exists()
    assert documents(played("log", "--verify", "--json")) == [proof]


def test_people_are_told_of_backups(played: Run) -> None:
    assert "read back" in played("backup", "-o", "tray.zip").stdout
    result = played("backup", "-o", "tray.zip")
    assert result.exit_code == ExitCode.WRONG_USE
    assert "is kept in" in played("restore", "tray.zip").stdout.replace("\n", " ")


def test_what_is_no_backup_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no archive")
    result = run("restore", "text.zip", "--json")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert documents(result)[0]["error"]["kind"] == "backup"


def test_a_round_without_a_folder_to_record_it_in_is_not_played(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    result = run("demo", "--timer", "0.5", "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT
    assert "Shaking" not in result.stderr


# What is started in the background of a script ignores Ctrl-C, and so does what that starts.
_STOPPED_BY_CTRL_C = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from firmware_host.cli import main; main()"
)


class Game:
    """A round that somebody plays in a process of its own."""

    def __init__(self, folder: Path, *args: str) -> None:
        command = [sys.executable, "-c", _STOPPED_BY_CTRL_C, "play", "--simulate", *args]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wait_for(self, text: str) -> str:
        assert self.process.stdout is not None
        told = ""
        for line in self.process.stdout:
            told += line
            if text in line:
                return told
        raise AssertionError(told)

    def end(self) -> str:
        return self.process.communicate(timeout=60)[0]


def words_of(run: Run, number: str) -> list[str]:
    return [
        event["data"]["text"]
        for event in documents(run("log", number, "--json"))
        if event["kind"] == "word_written"
    ]


def test_a_round_that_was_killed_goes_on_with_its_board_words_and_time(
    run: Run, tmp_path: Path
) -> None:
    game = Game(tmp_path, "--seed", "7", "--timer", "600")
    game.wait_for("Press Enter to start")
    game.type("")
    board = game.wait_for("sand timer runs")
    for word in ("seat", "neat", "seat"):
        game.type(word)
    # A word is on the disk before the next one is asked for.
    while len(words_of(run, "1")) < 3:
        pass
    game.process.send_signal(signal.SIGKILL)
    game.end()
    (line,) = documents(run("log", "--json"))
    assert (line["state"], line["phase"]) == ("interrupted", "running")

    again = Game(tmp_path, "--resume")
    told = again.wait_for("sand timer runs")
    assert "had written: seat, neat, seat" in told
    assert "Round 1 goes on" in told
    assert "Shaking" not in told
    left = float(told.rsplit("runs: ", 1)[1].split(" s")[0])
    assert 0 < left < 600
    assert [row for row in board.splitlines() if "│" in row] == [
        row for row in told.splitlines() if "│" in row
    ]
    again.type("tea")
    while len(words_of(run, "1")) < 4:
        pass
    again.process.send_signal(signal.SIGINT)
    assert "--resume" in again.end()
    assert again.process.returncode == 130


def test_without_an_interrupted_round_there_is_nothing_to_go_on_with(played: Run) -> None:
    result = played("play", "--simulate", "--resume", "--json")
    assert result.exit_code == ExitCode.WRONG_USE
    error = documents(result)[0]["error"]
    assert error["kind"] == "no_round"
    assert error["message"] == "every round of play --simulate has ended, or is being played"


@pytest.mark.usefixtures("run")
def test_the_newest_round_that_has_not_ended_goes_on_and_is_named(tmp_path: Path) -> None:
    plan = Plan(given_rules("boggle"), ("you",), 60.0)
    setup = Setup(plan, "play --simulate", True, "new_4x4", "enable", 7, str(tmp_path))  # noqa: FBT003
    with open_log(Place(tmp_path / "data" / "wordtray")) as log:
        with log.begin(setup) as recorder:
            recorder.record(ButtonPressed(1.0))
        with log.begin(setup) as recorder:
            recorder.record(Cancelled())
    again = Game(tmp_path, "--resume")
    assert "it was begun 20" in again.wait_for("Round 1 goes on where it was")
    again.process.send_signal(signal.SIGINT)
    again.end()


def test_a_round_goes_on_as_it_was_begun(run: Run) -> None:
    result = run("play", "--simulate", "--resume", "--timer", "60", "--json")
    assert result.exit_code == ExitCode.WRONG_USE
    assert documents(result)[0]["error"]["kind"] == "other_options"
