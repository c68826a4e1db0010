"""Every command as a user calls it: documents, messages, exit codes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.cli import main
from firmware_host.errors import ExitCode
from scoring.board import Board
from scoring.cubes import cube_set
from vision.render.tray import PhotoOptions, render_tray

BOARD = "IETC/HQuPE/SEYH/TOER"
Run = Callable[..., Result]


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def document(result: Result) -> dict[str, Any]:
    (only,) = documents(result)
    return only


@pytest.fixture(scope="session")
def tray_photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered photo of `BOARD`."""
    file = tmp_path_factory.mktemp("photos") / "tray.jpg"
    photo = render_tray(Board.parse(BOARD), np.random.default_rng(3)).photo
    Image.fromarray(photo).save(file, quality=92)
    return file


@pytest.fixture(scope="session")
def two_trays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered photo with a tray of 4×4 and a larger one of 5×5."""
    file = tmp_path_factory.mktemp("photos") / "two.jpg"
    boards = [Board.parse(BOARD), cube_set("big_1979_5x5").roll(random.Random(2))]
    shares = [(0.6, 0.6), (0.9, 0.9)]
    photos = [
        render_tray(board, np.random.default_rng(3), PhotoOptions((800, 900), share=share)).photo
        for board, share in zip(boards, shares, strict=True)
    ]
    Image.fromarray(np.hstack(photos)).save(file, quality=92)
    return file


class TestSolve:
    def test_document_has_the_agreed_keys(self, run: Run) -> None:
        found = document(run("solve", BOARD, "--json"))
        assert list(found) == ["board", "game", "lexicon", "points", "count", "words"]
        assert found["board"] == BOARD
        assert found["count"] == len(found["words"])
        assert found["points"] == sum(word["points"] for word in found["words"])
        assert set(found["words"][0]) == {"word", "points", "path"}

    def test_every_path_spells_its_word(self, run: Run) -> None:
        board = Board.parse(BOARD)
        for word in document(run("solve", BOARD, "--json"))["words"]:
            spelt = "".join(board[row, col] for row, col in word["path"])
            assert spelt.lower() == word["word"]

    def test_game_follows_the_size_unless_named(self, run: Run) -> None:
        five = "ligdrmanesietildsracsepes"
        assert document(run("solve", five, "--json"))["game"] == "big"
        assert document(run("solve", five, "--game", "boggle", "--json"))["game"] == "boggle"

    def test_own_word_list_and_size(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "own.txt").write_text("per\nlat\nnever\n", encoding="utf-8")
        args = ("solve", "perlat", "--size", "1x6", "--lexicon", "own.txt", "--json")
        assert [word["word"] for word in document(run(*args))["words"]] == ["lat", "per"]

    def test_people_see_board_words_and_totals(self, run: Run) -> None:
        result = run("solve", BOARD, "--top", "3")
        assert result.exit_code == 0
        assert "│" in result.stdout
        assert "more not shown" in result.stdout

    def test_a_photo_serves_as_a_board(self, run: Run, tray_photo: Path) -> None:
        assert document(run("solve", str(tray_photo), "--json"))["board"] == BOARD


class TestScore:
    LISTS = {  # noqa: RUF012 - never changed
        "red": "queer\nhey\nhe\nzebra\nhey\nothers\ntpe\ntwo words\nSeer\n",
        "blue": "1. queer\n2) seer\n",
    }

    @pytest.fixture
    def scored(self, run: Run, tmp_path: Path) -> Result:
        for name, text in self.LISTS.items():
            (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
        return run("score", BOARD, "--list", "red=red.txt", "--list", "blue=blue.txt", "--json")

    def test_document_has_the_agreed_keys(self, scored: Result) -> None:
        found = document(scored)
        assert list(found) == [
            "board",
            "game",
            "lexicon",
            "players",
            "winners",
            "possible",
            "best_missed",
        ]
        assert set(found["possible"]) == {"points", "count"}
        for player in found["players"]:
            assert set(player) == {"name", "points", "words"}
            for word in player["words"]:
                assert set(word) == {"word", "points", "verdict", "path", "reason"}

    def test_each_word_gets_its_verdict(self, scored: Result) -> None:
        red = document(scored)["players"][0]
        assert [(word["word"], word["verdict"]) for word in red["words"]] == [
            ("queer", "shared"),
            ("hey", "scored"),
            ("he", "too_short"),
            ("zebra", "not_on_board"),
            ("hey", "repeated"),
            ("others", "not_on_board"),
            ("tpe", "not_in_lexicon"),
            ("two words", "doubtful"),
            ("seer", "shared"),
        ]

    def test_a_doubtful_line_is_told_and_ends_with_its_code(self, scored: Result) -> None:
        assert scored.exit_code == ExitCode.DOUBTFUL
        assert "red, line 8" in scored.stderr
        assert document(scored)["winners"] == ["red"]

    def test_people_see_reasons_winner_and_missed_words(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("hey\nxyz\n", encoding="utf-8")
        result = run("score", BOARD, "--list", "ada=a.txt")
        assert result.exit_code == 0
        assert "Winner: ada" in result.stdout
        assert "Best words missed" in result.stdout

    def test_a_photo_of_the_tray_is_no_list(self, run: Run, tray_photo: Path) -> None:
        result = run("score", BOARD, "--list", f"red={tray_photo}")
        assert result.exit_code == ExitCode.NOTHING_FOUND
        assert "shows a tray" in result.stderr


class TestRead:
    def test_document_has_the_agreed_keys(self, run: Run, tray_photo: Path) -> None:
        found = document(run("read", str(tray_photo), "--json"))
        expected = "photo rows cols board faces confidence doubtful edition corners_px seconds"
        assert [key for key in found if key in expected] == expected.split()
        assert all(0 < each["probability"] <= 1 for each in found["editions"])
        assert (found["rows"], found["cols"], found["board"]) == (4, 4, BOARD)
        assert found["faces"][1][1] == "Qu"
        assert len(found["corners_px"]) == 4

    def test_nothing_is_written_over(self, run: Run, tray_photo: Path, tmp_path: Path) -> None:
        (tmp_path / f"read-{tray_photo.stem}.jpg").write_text("mine", encoding="utf-8")
        for _ in range(2):
            run("read", str(tray_photo), str(tray_photo), "--annotate", ".")
        assert (tmp_path / f"read-{tray_photo.stem}.jpg").read_text("utf-8") == "mine"
        written = {path.name for path in tmp_path.glob("read-*.jpg")}
        assert written == {f"read-{tray_photo.stem}{n}.jpg" for n in ("", "-2", "-3", "-4", "-5")}

    def test_annotated_picture_is_written_for_people(
        self, run: Run, tray_photo: Path, tmp_path: Path
    ) -> None:
        result = run("read", str(tray_photo), "--annotate", "out")
        assert result.exit_code == 0
        assert BOARD in result.stdout
        with Image.open(tmp_path / "out" / "read-tray.jpg") as picture:
            assert picture.format == "JPEG"

    def test_several_trays_are_one_line_the_largest_first(
        self, run: Run, two_trays: Path, tmp_path: Path
    ) -> None:
        result = run("read", str(two_trays), "--json", "--annotate", "out")
        found = document(result)
        (other,) = found["others"]
        assert (found["rows"], other["rows"]) == (5, 4)
        assert set(found) - set(other) == {"photo", "seconds", "others"}
        doubtful = bool(found["doubtful"] or other["doubtful"])
        assert result.exit_code == (ExitCode.DOUBTFUL if doubtful else ExitCode.DONE)
        assert (tmp_path / "out" / "read-two.jpg").is_file()

    def test_people_are_told_of_every_tray(self, run: Run, two_trays: Path) -> None:
        printed = run("read", str(two_trays)).stdout
        assert "two.jpg, tray 2" in printed
        assert printed.count("cube set:") == 2

    def test_of_several_trays_a_board_is_the_largest(self, run: Run, two_trays: Path) -> None:
        result = run("solve", str(two_trays), "--json")
        assert "shows 2 trays; the largest is taken" in result.stderr
        assert len(document(result)["board"].split("/")) == 5

    def test_an_edition_with_too_few_cubes_is_refused(self, run: Run, tmp_path: Path) -> None:
        board = cube_set("big_1979_5x5").roll(random.Random(1))
        photo = render_tray(board, np.random.default_rng(1)).photo
        Image.fromarray(photo).save(tmp_path / "big.jpg")
        result = run("read", "big.jpg", "--cubes", "new_4x4")
        assert result.exit_code == ExitCode.WRONG_USE
        assert "5×5" in result.stderr

    def test_photos_of_one_name_get_pictures_of_their_own(
        self, run: Run, tray_photo: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "tray.jpg").write_bytes(tray_photo.read_bytes())
        run("read", str(tray_photo), "tray.jpg", "--annotate", "out")
        names = {file.name for file in (tmp_path / "out").iterdir()}
        assert names == {"read-tray.jpg", "read-tray-2.jpg"}

    def test_a_bad_photo_does_not_stop_the_others(self, run: Run, tray_photo: Path) -> None:
        result = run("read", "missing.jpg", str(tray_photo), "--json")
        first, second = documents(result)
        assert set(first) == {"photo", "error"}
        assert set(first["error"]) == {"kind", "message", "advice"}
        assert second["board"] == BOARD
        assert result.exit_code == ExitCode.UNUSABLE_FILE


def empty(folder: Path) -> None:
    (folder / "bad.jpg").touch()


def text(folder: Path) -> None:
    (folder / "bad.jpg").write_text("this is a shopping list\n", encoding="utf-8")


def truncated(folder: Path) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (600, 800, 3), np.uint8)
    Image.fromarray(picture).save(folder / "whole.jpg")
    whole = (folder / "whole.jpg").read_bytes()
    (folder / "bad.jpg").write_bytes(whole[: len(whole) // 2])


def bomb(folder: Path) -> None:
    Image.new("1", (20_000, 10_000)).save(folder / "bad.jpg", format="PNG")


def missing(folder: Path) -> None:
    assert not (folder / "bad.jpg").exists()


def a_folder(folder: Path) -> None:
    (folder / "bad.jpg").mkdir()


def no_tray(folder: Path) -> None:
    Image.new("RGB", (800, 600), (120, 90, 60)).save(folder / "bad.jpg")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (missing, ExitCode.UNUSABLE_FILE),
        (a_folder, ExitCode.UNUSABLE_FILE),
        (empty, ExitCode.UNUSABLE_FILE),
        (text, ExitCode.UNUSABLE_FILE),
        (truncated, ExitCode.UNUSABLE_FILE),
        (bomb, ExitCode.UNUSABLE_FILE),
        (no_tray, ExitCode.NOTHING_FOUND),
    ],
)
@pytest.mark.parametrize("command", [("read",), ("solve",), ("score", "--list", "a=a.txt")])
def test_bad_photos_end_with_message_advice_and_code(
    run: Run,
    tmp_path: Path,
    make: Callable[[Path], None],
    code: ExitCode,
    command: tuple[str, ...],
) -> None:
    (tmp_path / "a.txt").write_text("hey\n", encoding="utf-8")
    make(tmp_path)
    result = run(command[0], "bad.jpg", *command[1:], "--json")
    assert result.exit_code == code
    assert "→" in result.stderr
    error = document(result)["error"]
    assert error["kind"]
    assert error["message"]
    assert error["advice"]


def utf16(file: Path) -> None:
    file.write_text("hey\n", encoding="utf-16")


def latin1(file: Path) -> None:
    file.write_bytes("café\n".encode("latin-1"))


def binary(file: Path) -> None:
    file.write_bytes(bytes(range(256)))


def huge(file: Path) -> None:
    file.write_bytes(b"hey\n" * 500_000)


@pytest.mark.parametrize("make", [utf16, latin1, binary, huge, Path.mkdir, lambda _: None])
def test_unusable_lists_end_with_advice(
    run: Run, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "red.txt")
    result = run("score", BOARD, "--list", "red=red.txt", "--json")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert document(result)["error"]["advice"]
    assert "red.txt" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("score", BOARD, "--list", "red=/dev/zero"),
        ("read", "/dev/zero"),
        ("solve", BOARD, "--lexicon", "/dev/zero"),
    ],
)
def test_a_file_without_end_is_refused_before_the_memory_is_full(
    run: Run, args: tuple[str, ...]
) -> None:
    assert run(*args).exit_code == ExitCode.UNUSABLE_FILE


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("solve", "abcdefghijklmno"), "15 faces"),
        (("solve", "AB/C"), "equally long"),
        (("solve", "A1B2"), "'1'"),
        (("solve", BOARD, "--game", "ludo"), "super-big"),
        (("solve", BOARD, "--size", "four"), "3x4"),
        (("solve", BOARD, "--size", f"{'9' * 5000}x4"), "3x4"),
        (("roll", "--cubes", "wooden"), "classic_4x4"),
        (("demo", "--cubes", "wooden"), "classic_4x4"),
        (("score", BOARD, "--list", "red"), "NAME=FILE"),
        (("play", "--simulate", "--player", "a", "--player", "a"), "share a name"),
    ],
)
def test_wrong_use_is_explained(run: Run, args: tuple[str, ...], hint: str) -> None:
    result = run(*args)
    assert result.exit_code == ExitCode.WRONG_USE
    assert hint in result.stderr
    assert "→" in result.stderr


def test_a_pipe_that_nobody_writes_to_is_an_empty_list(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run("score", BOARD, "--list", "red=pipe", "--json")
    assert document(result)["players"][0]["words"] == []


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("roll", "--at-least", "0"), "'--at-least'"),
        (("roll", "-n", "0"), "'-n'"),
        (("roll", "-n", "many"), "'-n'"),
        (("roll", "--seed"), "'--seed'"),
        (("roll", "--speed", "7"), "--speed"),
        (("solve", BOARD, "--top", "0"), "'--top'"),
        (("solve",), "'BOARD|PHOTO'"),
        (("lexicon", "add", "mine", "list.txt", "--as", "zzz"), "'--as'"),
        (("lexicon", "sing"), "'sing'"),
        (("sing",), "'sing'"),
    ],
)
def test_options_that_cannot_be_are_told_as_a_document_too(
    args: tuple[str, ...],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def printed(*asked: str) -> str:
        monkeypatch.setattr(sys, "argv", ["wordtray", *args, *asked])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == ExitCode.WRONG_USE
        out, err = capsys.readouterr()
        assert told in err
        return out

    assert printed() == ""
    error = json.loads(printed("--json"))["error"]
    assert error["kind"] == "usage"
    assert told in error["message"]
    assert error["advice"].endswith(" --help")


def test_names_that_are_no_unicode_make_sound_json(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"m\xfc \xf0\x9f\x8e\xb2.txt")
    (tmp_path / name).write_text("tea\n", encoding="utf-8")
    for args in (("lexicon", "info", name), ("read", name), ("lexicon", "info", f"{name}.txt")):
        result = run(*args, "--json")
        told = json.dumps(document(result), ensure_ascii=False)
        assert "m\\\\udcfc 🎲.txt" in told
        told.encode()


def test_one_player_may_hand_in_one_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hey\n", encoding="utf-8")
    result = run("score", BOARD, "--list", "a=a.txt", "--list", "a=a.txt")
    assert result.exit_code == ExitCode.WRONG_USE


def test_an_unknown_word_list_is_an_unusable_file(run: Run) -> None:
    result = run("solve", BOARD, "--lexicon", "nowhere.txt")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert "nowhere.txt" in result.stderr


def test_roll_is_repeatable_and_made_of_the_cubes(run: Run) -> None:
    args = ("roll", "--cubes", "super_big_2012_6x6", "--seed", "7", "-n", "3", "--json")
    first, second = documents(run(*args)), documents(run(*args))
    assert first == second
    faces = {face for cube in cube_set("super_big_2012_6x6").cubes for face in cube}
    for rolled in first:
        assert (rolled["rows"], rolled["cols"]) == (6, 6)
        assert set(Board.parse(rolled["board"])) <= faces


def test_lexicons_are_listed_with_their_counts(run: Run) -> None:
    (listed,) = documents(run("lexicon", "list", "--json"))
    assert (listed["name"], listed["words"]) == ("enable", 172_820)
    info = document(run("lexicon", "info", "--json"))
    assert sum(info["lengths"].values()) == info["words"]
    assert info["licence"]


def test_doctor_reads_a_tray_and_finds_nothing_amiss(run: Run) -> None:
    result = run("doctor", "--json")
    assert result.exit_code == 0
    subjects = [finding["subject"] for finding in documents(result)]
    assert subjects[0] == "machine"
    assert "reading" in subjects


def test_demo_plays_a_round_and_says_that_it_is_simulated(run: Run, tmp_path: Path) -> None:
    result = run("demo", "--seed", "7", "--timer", "0.5", "--json")
    assert result.exit_code == 0
    found = document(result)
    assert found["simulated"] is True
    assert len(found["players"]) == 3
    assert found["winners"]
    assert (tmp_path / found["photo"]).exists()
    assert (tmp_path / found["annotated"]).exists()
    for told in ("SIMULATED", "Shaking", "Settling", "Reading", "Time is up"):
        assert told in result.stderr


def typed(folder: Path, lines: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A round of `play --simulate` at which somebody types these lines."""
    return subprocess.run(
        [sys.executable, "-m", "firmware_host", "play", "--simulate", "--seed", "7", *options],
        input=lines,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        check=False,
    )


def test_a_round_can_be_played_by_typing(tmp_path: Path) -> None:
    played = typed(tmp_path, "\nhey\n", "--timer", "0.5", "--json")
    assert "SIMULATED" in played.stderr
    (player,) = json.loads(played.stdout)["players"]
    assert (player["name"], [word["word"] for word in player["words"]]) == ("you", ["hey"])


def test_boggle_ultimate_has_no_timer_until_the_last_chance(tmp_path: Path) -> None:
    lines = "\n/pause\n\n/last_chance Ann\nhey\n\nzzz\n\n"
    options = ("--game", "ultimate", "--timer", "0.5", "--player", "ann", "--player", "ben")
    played = typed(tmp_path, lines, *options)
    assert played.returncode == 0
    told = ("Press Enter to begin.", "No timer runs", "Paused", "The sand timer runs", "Time is up")
    assert [line for line in told if line not in played.stdout] == []


def test_boggle_ultimate_is_for_two(tmp_path: Path) -> None:
    played = typed(tmp_path, "", "--game", "ultimate", "--json")
    assert played.returncode == 2
    error = json.loads(played.stdout)["error"]
    assert error["kind"] == "players"
    assert error["message"] == "Boggle Ultimate is for 2 players, not 1"


def test_a_round_that_was_given_up_is_no_failure(tmp_path: Path) -> None:
    played = typed(tmp_path, "/cancel\n", "--json")
    assert played.returncode == 0
    assert json.loads(played.stdout)["phase"] == "cancelled"
    assert "The round was given up." in played.stderr


def test_without_a_tray_play_says_so(run: Run) -> None:
    result = run("play")
    assert result.exit_code == ExitCode.DEVICE_FAULT
    assert "--simulate" in result.stderr


def test_an_unexpected_error_leaves_a_report(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> None:
        raise ZeroDivisionError("seven cubes")

    monkeypatch.setattr("scoring.cubes.cube_set", broken)
    result = run("roll")
    assert result.exit_code == ExitCode.OUR_FAULT
    report = Path(result.stderr.split("the file ")[1].strip().rstrip("."))
    assert "seven cubes" in report.read_text(encoding="utf-8")
    report.unlink()


@pytest.mark.parametrize(
    "command",
    ["demo", "play", "serve", "off", "read", "solve", "score", "roll", "doctor", "lexicon"],
)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout


@pytest.mark.parametrize("name", ["[/]", "[bold]", ":smile:", "[red]x"])
def test_names_are_shown_as_they_are(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("hey\ntwo words\n", encoding="utf-8")
    result = run("score", BOARD, "--list", f"{name}=a.txt")
    assert result.exit_code == ExitCode.DOUBTFUL
    assert f"Winner: {name}" in result.stdout
    assert name in result.stderr
    assert name in run("solve", BOARD, "--game", name).stderr


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell line in which ``wordtray`` is the program under test."""
    program = f'wordtray() {{ "{sys.executable}" -m firmware_host "$@"; }}; set -o pipefail; '
    return subprocess.run(
        ["/bin/bash", "-c", program + command],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("wordtray roll --json > /dev/full", ExitCode.STORAGE_FAULT),
        ("wordtray roll > /dev/full", ExitCode.STORAGE_FAULT),
        ("wordtray solve ABC --json > /dev/full", ExitCode.WRONG_USE),
        ("wordtray roll >&-", ExitCode.DONE),
        (f"wordtray solve {BOARD} | head -1", ExitCode.DONE),
        ("wordtray roll -n 100000 --json | head -1", ExitCode.DONE),
    ],
)
def test_a_full_or_closed_output_ends_without_a_traceback(command: str, code: ExitCode) -> None:
    ended = shell(command)
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--help",), ExitCode.DONE),
        (("roll", "--help"), ExitCode.DONE),
        (("lexicon",), ExitCode.DONE),
        (("--version",), ExitCode.DONE),
        (("roll",), ExitCode.DONE),
        (("roll", "-n", "0"), ExitCode.WRONG_USE),
        (("roll", "-n", "0", "--json"), ExitCode.WRONG_USE),
    ],
)
def test_nobody_who_listens_is_no_fault(args: tuple[str, ...], code: ExitCode) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "firmware_host", *args],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)
    assert ended.returncode == code
    assert "Broken" not in ended.stderr


def test_control_characters_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\x1b[31mhey\x1b[0m\n", encoding="utf-8")
    result = run("score", BOARD, "--list", "x\x1b[31m\ty=a.txt")
    assert "\x1b" not in result.stdout + result.stderr
    assert "\t" not in result.stdout + result.stderr


def test_a_terminal_without_arrows_still_gets_its_results() -> None:
    plain = subprocess.run(
        [sys.executable, "-m", "firmware_host", "solve", BOARD],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=60,
    )
    assert b"peyotes" in plain.stdout
