"""Word lists as users add, look at, play with and remove them."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import Result

from firmware_host import lexicons, word_sources
from firmware_host.cli.lexicon import shown_if_slow
from firmware_host.cli.output import Output
from firmware_host.errors import ExitCode
from firmware_host.word_sources import Wishes, open_source
from scoring.board import Board, letters
from scoring.cubes import cube_set
from scoring.folding import Folding
from scoring.lexicon import Lexicon
from scoring.paths import find_path
from scoring.rules import game_for
from scoring.solver import solve

Run = Callable[..., Result]

NOVEL = """\
CHAPTER I.

It was a cold day. Old Mr. Bennet did not mind; it was a day like any
other, and tea was near. "Tea," said Bennet, "is tea." Outside, the team
ate an apple-pie and didn't care.
"""


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """With an empty cache folder as well."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return run


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def document(result: Result) -> dict[str, Any]:
    (only,) = documents(result)
    return only


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def test_a_list_is_added_listed_looked_at_used_and_removed(run: Run) -> None:
    file = write("mine.txt", "tea\nThames\nteam\nmeat\ndon't\n")
    added = document(run("lexicon", "add", "mine", file, "--licence", "free", "--json"))
    assert list(added) == [
        "name", "words", "source", "licence", "keeps", "letters", "lengths", "left_out",
    ]  # fmt: skip
    assert (added["name"], added["words"], added["licence"]) == ("mine", 3, "free")
    assert added["source"] == str(Path(file).absolute())
    assert (added["keeps"], added["letters"], added["lengths"]) == (None, 4, {"3": 1, "4": 2})
    assert added["left_out"] == [
        {"reason": "name", "count": 1, "examples": ["Thames"]},
        {"reason": "apostrophe", "count": 1, "examples": ["don't"]},
    ]
    assert document(run("lexicon", "info", "mine", "--json")) == added
    assert [each["name"] for each in documents(run("lexicon", "list", "--json"))] == [
        "enable",
        "mine",
    ]
    solved = document(run("solve", "TE/MA", "--lexicon", "mine", "--json"))
    assert solved["lexicon"] == "mine"
    assert {word["word"] for word in solved["words"]} == {"tea", "team", "meat"}
    assert document(run("lexicon", "remove", "mine", "--json")) == {"name": "mine", "removed": True}
    gone = run("solve", "TE/MA", "--lexicon", "mine")
    assert gone.exit_code == ExitCode.UNUSABLE_FILE


def test_people_are_told_the_kind_and_what_was_left_out(run: Run) -> None:
    added = run("lexicon", "add", "novel", write("novel.txt", NOVEL))
    assert added.exit_code == 0
    assert "as text: running text" in added.stderr
    assert "novel  " in added.stdout
    assert "only at the beginning of sentences" in added.stdout
    assert "with a capital: a name" in added.stdout
    assert "Bennet" in added.stdout
    shown = run("lexicon", "info", "novel").stdout
    assert "unknown, not given" in shown
    assert "apple-pie" in shown


def test_every_word_of_a_novel_counts_but_names(run: Run) -> None:
    run("lexicon", "add", "novel", write("novel.txt", NOVEL))
    solved = document(run("solve", "TEAM/BNIS/LCOD", "--lexicon", "novel", "--json"))
    found = {word["word"] for word in solved["words"]}
    assert {"tea", "team"} <= found
    assert "bennet" not in lexicons.load("novel")
    assert {"day", "old", "mind", "near", "outside"} - set(lexicons.load("novel").words) == {
        "old",
        "outside",
    }


def test_a_hunspell_pair_gives_all_its_forms(run: Run) -> None:
    write("xx.dic", "2\nwork/S\nParis/S\n")
    write("xx.aff", "SFX S Y 1\nSFX S 0 s .\n")
    added = run("lexicon", "add", "forms", "xx.dic", "--json")
    assert "as hunspell" in added.stderr
    assert document(added)["words"] == 2
    assert lexicons.load("forms").words == ("work", "works")


def test_the_kind_can_be_given(run: Run) -> None:
    file = write("mine.txt", "ice cream\ntea\n")
    assert document(run("lexicon", "add", "a", file, "--json"))["words"] == 1
    assert document(run("lexicon", "add", "b", file, "--as", "text", "--json"))["words"] == 3
    assert run("lexicon", "add", "c", file, "--as", "poem").exit_code == ExitCode.WRONG_USE


def test_accents_are_folded_to_the_faces_of_the_cubes(run: Run) -> None:
    file = write("mine.txt", "año\nárbol\n")
    added = document(run("lexicon", "add", "es", file, "--cubes", "spanish_5x5", "--json"))
    assert added["keeps"] == "ñ"
    assert lexicons.load("es").words == ("arbol", "año")
    assert "but for ñ" in run("lexicon", "info", "es").stdout
    solved = document(run("solve", "AÑO/LBR/OAÁ", "--lexicon", "es", "--json"))
    assert "año" in {word["word"] for word in solved["words"]}


def test_many_names_are_met_with_a_hint_at_german_nouns(run: Run) -> None:
    file = write("mine.txt", "Haus\nBaum\nlaufen\n")
    assert "--keep-capitals" in run("lexicon", "add", "a", file).stderr
    kept = run("lexicon", "add", "b", file, "--keep-capitals", "--json")
    assert document(kept)["words"] == 3
    assert "--keep-capitals" not in kept.stderr


def test_a_plain_file_tells_what_was_left_out_as_well(run: Run) -> None:
    file = write("mine.txt", "tea\nThames\n")
    shown = document(run("lexicon", "info", file, "--json"))
    assert shown["left_out"] == [{"reason": "name", "count": 1, "examples": ["Thames"]}]
    assert not Path("data").exists()


@pytest.mark.parametrize("file", ["", "~nobody-of-this-name/list"])
def test_no_file_is_told_as_such(run: Run, file: str) -> None:
    result = run("lexicon", "add", "mine", file)
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert "no word list is named" in result.stderr or "no home folder" in result.stderr


def test_a_taken_name_needs_replace(run: Run) -> None:
    run("lexicon", "add", "mine", write("a.txt", "tea\n"))
    refused = run("lexicon", "add", "mine", write("b.txt", "eat\n"), "--json")
    assert refused.exit_code == ExitCode.WRONG_USE
    assert document(refused)["error"]["kind"] == "lexicon_exists"
    assert run("lexicon", "add", "mine", "b.txt", "--replace").exit_code == 0
    assert lexicons.load("mine").words == ("eat",)


@pytest.mark.parametrize(
    ("make", "args", "code", "hint"),
    [
        (None, (), ExitCode.UNUSABLE_FILE, "cannot be read"),
        (b"", (), ExitCode.UNUSABLE_FILE, "no words"),
        (b"1\n2\n", (), ExitCode.UNUSABLE_FILE, "no words"),
        (
            "thé\n".encode("latin-1"),
            (),
            ExitCode.UNUSABLE_FILE,
            "-t UTF-8 mine.txt > mine.txt.utf8",
        ),
        ("tea\n".encode("utf-16"), (), ExitCode.UNUSABLE_FILE, "iconv"),
        (bytes(range(256)), (), ExitCode.UNUSABLE_FILE, "no text"),
        (b"tea\n", ("--as", "hunspell"), ExitCode.UNUSABLE_FILE, "mine.txt is neither a .dic"),
        (b"tea\n", ("--cubes", "wooden"), ExitCode.WRONG_USE, "classic_4x4"),
    ],
)
def test_unusable_files_end_with_message_advice_and_code(
    run: Run, make: bytes | None, args: tuple[str, ...], code: ExitCode, hint: str
) -> None:
    if make is not None:
        Path("mine.txt").write_bytes(make)
    result = run("lexicon", "add", "mine", "mine.txt", *args, "--json")
    assert result.exit_code == code
    assert hint in result.stderr
    assert "→" in result.stderr
    assert document(result)["error"]["advice"]
    assert [each["name"] for each in documents(run("lexicon", "list", "--json"))] == ["enable"]


@pytest.mark.parametrize("name", ["../x", "Mine", "enable", "a b"])
def test_names_that_are_none_are_wrong_use(run: Run, name: str) -> None:
    result = run("lexicon", "add", name, write("a.txt", "tea\n"), "--json")
    assert result.exit_code == ExitCode.WRONG_USE
    assert document(result)["error"]["kind"] == "lexicon_name"


def test_a_damaged_list_does_not_hide_the_others(run: Run) -> None:
    for name in ("a", "b"):
        run("lexicon", "add", name, write("a.txt", "tea\n"))
    Path("data/wordtray/lexicons/a.words").write_bytes(b"{")
    result = run("lexicon", "list", "--json")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    enable, damaged, sound = documents(result)
    assert (enable["name"], sound["name"]) == ("enable", "b")
    assert damaged["name"] == "a"
    assert "lexicon remove a" in damaged["error"]["advice"]
    assert run("lexicon", "remove", "a").exit_code == 0


def test_no_place_to_keep_a_list_is_a_storage_fault(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write("a.txt", "tea\n")
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/nowhere")
    result = run("lexicon", "add", "mine", file, "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT
    assert document(result)["error"]["kind"] == "storage"
    assert run("lexicon", "list").exit_code == 0
    assert run("solve", "TE/#A", "--lexicon", file).exit_code == 0


def start(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "firmware_host", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )


def test_a_full_disk_is_a_storage_fault_and_leaves_nothing(run: Run) -> None:
    rng = random.Random(1)
    words = {"".join(rng.choices("aeiortsl", k=12)) for _ in range(20_000)}
    write("big.txt", "\n".join(sorted(words)))
    program = f'"{sys.executable}" -m firmware_host lexicon add big big.txt'
    limited = subprocess.run(  # a file of 100 KiB at most, which is as good as a full disk
        ["/bin/bash", "-c", f"ulimit -f 100; {program}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert limited.returncode == ExitCode.STORAGE_FAULT, limited.stderr
    assert "Traceback" not in limited.stderr
    assert list(Path("data/wordtray/lexicons").iterdir()) == []
    assert run("lexicon", "add", "big", "big.txt").exit_code == 0


@pytest.mark.usefixtures("run")
def test_two_commands_at_once_do_no_harm() -> None:
    write("a.txt", "tea\n")
    write("b.txt", "eat\n")
    both = [start("lexicon", "add", "mine", file) for file in ("a.txt", "b.txt")]
    for each in both:
        each.communicate(timeout=60)
    assert sorted(each.returncode for each in both) == [ExitCode.DONE, ExitCode.WRONG_USE]
    assert lexicons.load("mine").words in (("tea",), ("eat",))
    assert [path.name for path in Path("data/wordtray/lexicons").iterdir()] == ["mine.words"]


@pytest.mark.parametrize("command", ["add", "list", "info", "remove"])
def test_each_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run("lexicon", command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout


@pytest.mark.parametrize(("slow_s", "shown"), [(-1.0, True), (60.0, False)])
def test_progress_is_shown_only_where_it_takes_long(
    slow_s: float,
    shown: bool,  # noqa: FBT001 - a parameter
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("firmware_host.cli.lexicon._SLOW_S", slow_s)
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    with shown_if_slow(Output(json=False, out=screen, log=screen)) as told:
        told(5, 10)
        told(10, 10)
    assert isinstance(screen.file, io.StringIO)
    assert ("Compiling" in screen.file.getvalue()) is shown


def by_hand(board: Board, lexicon: Lexicon) -> set[str]:
    """Every word that lies on the board, each looked for by itself."""
    shown = set("".join(map(letters, board)))
    likely = (word for word in lexicon.words if len(word) > 2 and shown.issuperset(word))
    return {word for word in likely if find_path(board, word)}


@pytest.mark.parametrize(
    ("file", "edition"),
    [
        ("/usr/share/dict/french", "french_4x4"),
        ("/usr/share/dict/italian", "italian_4x4"),
        ("/usr/share/dict/italian", "italian_5x5"),
        ("/usr/share/dict/spanish", "spanish_5x5"),
        pytest.param("/usr/share/hunspell/fr.dic", "french_4x4", marks=pytest.mark.slow),
        pytest.param("/usr/share/hunspell/it_IT.dic", "italian_5x5", marks=pytest.mark.slow),
        pytest.param("/usr/share/hunspell/es_ES.dic", "spanish_5x5", marks=pytest.mark.slow),
        pytest.param("/usr/share/hunspell/cs_CZ.dic", "czech_4x4", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("run")
def test_lists_of_debian_work_with_the_cubes_of_their_language(file: str, edition: str) -> None:
    if not Path(file).is_file():
        pytest.skip(f"{file} is not installed")
    cubes = cube_set(edition)
    faces = {face for cube in cubes.cubes for face in cube}
    folding = Folding.for_faces(faces)
    wishes = Wishes(folding=folding)
    word_sources.add("words", open_source(Path(file)), wishes, lambda _done, _of: None)
    lexicon = lexicons.load("words")
    assert len(lexicon) > 80_000
    rng = random.Random(edition)
    boards = [cubes.roll(rng) for _ in range(3)]
    found = [{word.word for word in solve(each, lexicon, game_for(each)).words} for each in boards]
    expected = [by_hand(each, lexicon) for each in boards]
    least = game_for(boards[0]).min_length
    assert found == [{word for word in words if len(word) >= least} for words in expected]
    assert any(found)


@pytest.mark.parametrize(
    "file",
    [
        "/usr/share/dict/ngerman",
        pytest.param("/usr/share/hunspell/de_DE.dic", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("run")
def test_german_words_and_nouns_are_found_on_a_board_with_umlauts(file: str) -> None:
    if not Path(file).is_file():
        pytest.skip(f"{file} is not installed")
    board = Board.parse("BÄUM/REES/NRHC/ÖETI")
    folding = Folding.for_faces(board)
    wishes = Wishes(folding=folding, keep_capitals=True)
    word_sources.add("words", open_source(Path(file)), wishes, lambda _done, _of: None)
    lexicon = lexicons.load("words")
    found = {word.word for word in solve(board, lexicon, game_for(board)).words}
    assert found == by_hand(board, lexicon)
    assert "bär" in found
    assert "füße" not in lexicon
    assert "fusse" in lexicon
