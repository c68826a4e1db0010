"""``wordtray scan`` and paper lists of ``wordtray score``: documents, review, record, errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from firmware_host.cli import app
from firmware_host.cli.crops import crop_lines
from firmware_host.rounds import (
    ButtonPressed,
    ListHandedIn,
    Plan,
    Scored,
    Settled,
    ShakeDone,
    Tick,
    TrayRead,
    WordDecided,
)
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.referee import score_round
from scoring.rules import game
from vision.paper.sheet import Form, Label
from vision.reading import FaceReading, TrayReading
from vision.render.handwriting import random_hand_of_writer
from vision.render.page_photo import PageView, photograph, photograph_pages
from vision.render.word_sheet import Written, print_sheet, write_words

BOARD = "TEAM/RSLO/HIND/GUPE"
ANNAS = {1: "TEAM", 2: "HIND", 3: "MALE", 4: "LEA"}
BOBS = {1: "TEAM", 2: "SLIP", 3: "ZZZ"}

Run = Callable[..., Result]


def sheet(words: dict[int, str], player: str, round_name: str = "Final", **more: Any) -> Any:  # noqa: ANN401
    hand = random_hand_of_writer(np.random.default_rng(4), 0.0)
    tidy = replace(hand, line=0.08, cover=0.95, grain=0.0, ink=(28, 36, 110), height=0.6)
    printed = print_sheet(Form("A5"), Label(player, round_name), 8.0)
    return write_words(printed, Written(words, **more), tidy, np.random.default_rng(3)).pixels


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with photos of filled sheets."""
    folder = tmp_path_factory.mktemp("paper")
    # Two letters of LEA are written over, so that it is doubtful; HIND is crossed out.
    anna = sheet(ANNAS, "Anna", again={(4, 0): "X", (4, 2): "X"}, crossed={2: "line"})
    bob = sheet(BOBS, "Bob")
    rng = np.random.default_rng(1)
    alone = photograph(anna, rng, view=PageView((1050, 1480), 0.0)).photo
    Image.fromarray(alone).save(folder / "anna.png")
    covered = [(page, np.full(page.shape[:2], 255, np.uint8)) for page in (anna, bob)]
    both = photograph_pages(covered, rng, PageView((2200, 1600), 0.0))[0].photo
    Image.fromarray(both).save(folder / "table.png")
    scan = [Image.fromarray(page) for page in (anna, bob)]
    scan[0].save(folder / "scan.pdf", save_all=True, append_images=scan[1:])
    Image.new("RGB", (800, 1100), (250, 250, 250)).save(folder / "empty.png")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, photos: Path) -> Run:
    monkeypatch.chdir(photos)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return lambda *args, typed="": CliRunner().invoke(app, list(args), input=typed)


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def words_of(document: dict[str, Any]) -> list[str]:
    return [word["text"] for word in document["words"]]


def test_a_sheet_is_a_document(run: Run) -> None:
    told = run("scan", "anna.png", "--board", BOARD, "--json")
    assert told.exit_code == 4, told.output
    (found,) = documents(told)
    assert (found["page"], found["player"], found["round"]) == ("anna.png", "Anna", "Final")
    assert found["sheet"] == {"number": 1, "of": 1}
    assert found["lost_rows"] == []
    first, second, _, last = found["words"]
    assert first["text"] == "team"
    assert (first["struck"], first["doubtful"]) == (False, False)
    assert first["confidence"] > 0.9
    assert len(first["box_px"]) == 4
    assert (second["struck"], second["doubtful"]) == (True, False)
    assert last["doubtful"]
    assert 1 <= len(last["alternatives"]) <= 3
    assert set(first["alternatives"][0]) == {"text", "probability"}


def test_people_see_a_table_with_doubts_and_crossed_out_words(run: Run) -> None:
    told = run("scan", "anna.png")
    assert told.exit_code == 4
    assert "Anna" in told.stdout
    assert "crossed out" in told.stdout
    assert "?" in told.stdout


def test_two_sheets_in_a_photo_and_pages_of_a_pdf_are_lists_of_their_own(run: Run) -> None:
    photo = documents(run("scan", "table.png", "--json"))
    assert {found["player"]: words_of(found)[0] for found in photo} == {
        "Anna": "team",
        "Bob": "team",
    }
    scan = documents(run("scan", "scan.pdf", "--json"))
    assert [(found["page"], found["player"]) for found in scan] == [
        ("scan.pdf#1", "Anna"),
        ("scan.pdf#2", "Bob"),
    ]


def test_a_page_that_fails_hides_no_other(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\n")
    told = run("scan", str(broken), "nothing.png", "anna.png", "--json")
    kinds = [found["error"]["kind"] if "error" in found else "" for found in documents(told)]
    assert kinds == ["pdf", "photo_missing", ""]
    assert told.exit_code == 6


def test_the_sheet_of_another_round_is_refused(run: Run) -> None:
    told = run("scan", "anna.png", "--round", "First", "--json")
    assert told.exit_code == 2
    assert documents(told)[0]["error"]["kind"] == "wrong_round"


def test_a_sheet_with_nothing_on_it_is_told_and_to_be_looked_at(run: Run, photos: Path) -> None:
    Image.fromarray(sheet({}, "Anna")).save(photos / "bare.png")
    told = run("scan", "bare.png", "--json")
    assert (told.exit_code, documents(told)[0]["words"]) == (4, [])
    assert "Nothing is written on it" in run("scan", "bare.png").stdout
    scored = run("score", BOARD, "--list", "bare.png")
    assert (scored.exit_code, "Anna: nothing is written on bare.png" in scored.stderr) == (4, True)


def test_sheets_of_two_rounds_are_not_scored_as_one(run: Run, photos: Path) -> None:
    Image.fromarray(sheet(BOBS, "Bob", "Semifinal")).save(photos / "semifinal.png")
    told = run("score", BOARD, "--list", "anna.png", "--list", "semifinal.png", "--json")
    (error,) = [found["error"] for found in documents(told)]
    assert (told.exit_code, error["kind"]) == (2, "wrong_round")
    assert "Anna is of round 'Final', that of Bob is of round 'Semifinal'" in error["message"]


def test_a_ring_around_a_circle_is_told_as_the_reason(run: Run, photos: Path) -> None:
    page = sheet({1: "TEAM", 2: "HIND"}, "Anna", ringed=frozenset({2}))
    Image.fromarray(page).save(photos / "ring.png")
    told = run("scan", "ring.png", "--board", BOARD, "--json")
    first, second = documents(told)[0]["words"]
    assert (first["doubtful"], first["doubts"]) == (False, [])
    assert (second["doubtful"], second["struck"]) == (True, False)
    assert second["doubts"] == ["circle"]
    assert "its circle may be filled" in " ".join(run("scan", "ring.png").stdout.split())
    asked = run("scan", "ring.png", "--board", BOARD, "--review", "--referee", "Jo", typed="2\n")
    assert asked.exit_code == 0
    assert "Its circle may be filled." in asked.stderr
    assert "2  hind, crossed out" in asked.stderr
    assert "crossed out; decided by Jo; read as hind" in " ".join(asked.stdout.split())


# ---- review ----------------------------------------------------------------------------------


def test_a_doubtful_word_is_shown_and_settled(run: Run) -> None:
    told = run(
        *("scan", "anna.png", "--board", BOARD, "--review", "--referee", "Jo", "--json"),
        typed="two words\n99\nlea\n",
    )
    assert told.exit_code == 0, told.output
    assert "more than one word" in told.stderr
    assert "no reading 99" in told.stderr
    assert "█" in told.stderr
    assert "in the result alone" in told.stderr
    last = documents(told)[0]["words"][3]
    assert (last["text"], last["doubtful"], last["struck"]) == ("lea", False, False)
    assert last["decided"]["by"] == "Jo"
    assert last["decided"]["changed"] in (True, False)
    assert last["decided"]["at"] > 1_700_000_000


@pytest.mark.parametrize("typed", ["-\n", "\n", "1\n"])
def test_a_key_takes_the_first_reading_or_strikes(run: Run, typed: str) -> None:
    before = documents(run("scan", "anna.png", "--json"))[0]["words"][3]
    told = run("scan", "anna.png", "--review", "--json", typed=typed)
    assert told.exit_code == 0
    last = documents(told)[0]["words"][3]
    assert (last["text"], last["struck"]) == (before["text"], typed == "-\n")
    assert last["decided"]["changed"] is None


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_what_is_left_stays_doubtful(run: Run, typed: str) -> None:
    told = run("scan", "anna.png", "--review", "--json", typed=typed)
    assert told.exit_code == 4
    last = documents(told)[0]["words"][3]
    assert last["doubtful"]
    assert "decided" not in last


def test_a_crop_is_as_wide_as_the_terminal_at_most() -> None:
    picture = np.full((40, 400), 255, np.uint8)
    picture[10:30, 20:380] = 0
    lines = list(crop_lines(picture, 60))
    assert max(map(len, lines)) <= 60
    assert any("█" * 40 in line for line in lines)
    assert set("".join(crop_lines(picture, 60, plain=True))) <= set(" '.#")


# ---- matches ---------------------------------------------------------------------------------


@pytest.fixture
def friday(run: Run) -> str:
    """A match whose round was played on the board of the sheets."""
    assert run("match", "new", "friday", "--players", "Anna,Bob,Cy").exit_code == 0
    assert run("match", "board", "friday", BOARD).exit_code == 0
    return "friday"


def ended(run: Run, name: str) -> dict[str, list[tuple[str, str]]]:
    (found,) = documents(run("match", "end-round", name, "--json"))
    return {
        player["name"]: [(word["word"], word["verdict"]) for word in player["words"]]
        for player in found["result"]["players"]
    }


def test_paper_is_handed_in_with_doubts_and_without_crossed_out_words(
    run: Run, friday: str, tmp_path: Path
) -> None:
    (tmp_path / "cy.txt").write_text("hind\nteam\n", encoding="utf-8")
    told = run("match", "hand-in", friday, "table.png", f"Cy={tmp_path / 'cy.txt'}", "--json")
    assert told.exit_code == 4, told.output
    assert documents(told)[0]["doubtful"] == {"Anna": [4]}
    words = ended(run, friday)
    assert words["Anna"][:2] == [("team", "shared"), ("male", "scored")]  # hind is crossed out
    assert words["Anna"][2][1] == "doubtful"
    assert words["Cy"] == [("hind", "scored"), ("team", "shared")]


def test_paper_may_be_settled_before_it_is_handed_in(run: Run, friday: str) -> None:
    told = run("match", "hand-in", friday, "table.png", "--review", "--json", typed="lea\n")
    assert told.exit_code == 0, told.output
    assert "in the result alone" not in told.stderr
    assert run("match", "hand-in", friday, "Cy=anna.png", "--json").exit_code == 4
    assert ("lea", "scored") in ended(run, friday)["Anna"]


def test_pages_are_handed_in_by_their_number_and_once(run: Run, friday: str) -> None:
    twice = run("match", "hand-in", friday, "Cy=scan.pdf#1", "scan.pdf", "--json")
    code, message = error_of(twice)
    assert (code, message) == (2, "scan.pdf is given twice")
    assert run("match", "hand-in", friday, "Cy=scan.pdf#2", "--json").exit_code == 0
    assert run("match", "hand-in", friday, "table.png", "--json").exit_code == 4
    assert [word for word, _ in ended(run, friday)["Cy"]] == ["team", "slip", "zzz"]


def test_a_bare_sheet_is_handed_in_and_to_be_looked_at(
    run: Run, friday: str, tmp_path: Path
) -> None:
    Image.fromarray(sheet({}, "Bob")).save(tmp_path / "bare.png")
    told = run("match", "hand-in", friday, str(tmp_path / "bare.png"))
    assert told.exit_code == 4, told.output
    assert "Bob: nothing is written on" in " ".join(told.stderr.split())


def test_a_list_of_nobody_in_the_match_is_refused(run: Run, friday: str) -> None:
    told = run("match", "hand-in", friday, "Dora=anna.png", "--json")
    assert told.exit_code == 2
    assert "Dora" in documents(told)[0]["error"]["message"]


# ---- the log of rounds -----------------------------------------------------------------------


def played(place: Place) -> None:
    """A finished round, recorded; only its lists are missing."""
    board, rules = Board.parse(BOARD), game("boggle")
    reading = TrayReading(
        tuple(
            tuple(FaceReading(face, 1.0, 0.0, ((face, 1.0),), doubtful=False) for face in row)
            for row in board.faces
        ),
        ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
        None,
    )
    result = score_round(board, {"Anna": ()}, builtin_lexicon(), rules)
    setup = Setup(Plan(rules, ("Anna",), 180.0), "play", True, "", "enable")  # noqa: FBT003
    with open_log(place) as log, log.begin(setup) as recorder:
        for event in (
            *(ButtonPressed(1.0), ShakeDone(), Settled(), TrayRead(reading, Path("photo-a.jpg"))),
            *(ButtonPressed(2.0), Tick(500.0), ListHandedIn("Anna", ()), Scored(result)),
        ):
            recorder.record(event)


@pytest.fixture
def kept(tmp_path: Path) -> Place:
    place = Place(tmp_path / "data" / "wordtray")
    played(place)
    return place


def numbered(tmp_path: Path) -> str:
    """A photo of a sheet of round 1, as the log calls it."""
    page = sheet(ANNAS, "Anna", "1", again={(4, 0): "X"})
    photo = photograph(page, np.random.default_rng(1), view=PageView((1050, 1480), 0.0)).photo
    Image.fromarray(photo).save(tmp_path / "one.png")
    return str(tmp_path / "one.png")


def test_decisions_of_a_round_of_the_log_are_recorded_there(
    run: Run, kept: Place, tmp_path: Path
) -> None:
    page = numbered(tmp_path)
    told = run("scan", page, "--round", "1", "--review", "--referee", "Jo", typed="lea\n")
    assert told.exit_code == 0, told.output
    assert "in the result alone" not in told.stderr
    with open_log(kept) as log:
        one = log.round(1)
        assert log.interrupted("play") is None  # the round stays over
        log.check()
    assert "Round 1 is scored anew: Anna" in told.stderr
    assert one.state.first_result is not None
    assert one.state.result is not None
    assert [player.points for player in one.state.first_result.players] == [0]
    (anna,) = one.state.result.players
    assert [word.word for word in anna.words] == ["team", "hind", "male", "lea"]
    assert anna.points > 0
    assert json.loads(run("log", "--json").stdout)["rescored"]
    assert "anew" in run("log").stdout
    (said,) = one.state.decisions
    assert isinstance(said, WordDecided)
    assert (said.player, said.text, said.struck, said.by) == ("Anna", "lea", False, "Jo")
    assert said.page == page
    assert one.state.phase == "finished"


def test_a_round_is_scored_anew_once_and_by_its_players_alone(
    run: Run, kept: Place, tmp_path: Path
) -> None:
    page = numbered(tmp_path)
    for _ in range(2):  # the second time nothing is new
        run("scan", page, "--round", "1", "--review", typed="lea\n")
    other = sheet({1: "TEAM"}, "Dora", "1")
    Image.fromarray(other).save(tmp_path / "dora.png")
    told = run("scan", str(tmp_path / "dora.png"), "--round", "1", "--review")
    assert "is of Dora: the round is not scored by it" in told.stderr
    with open_log(kept) as log:
        happened = [type(event).__name__ for _, event in log.round(1).events]
        assert happened.count("Rescored") == 1
        assert log.rounds()[0].ended


def test_score_has_the_round_scored_anew_as_well(run: Run, kept: Place, tmp_path: Path) -> None:
    page = numbered(tmp_path)
    (tmp_path / "dora.txt").write_text("male\n", encoding="utf-8")
    lists = ("--list", page, "--list", f"Dora={tmp_path / 'dora.txt'}")
    told = run("score", BOARD, *lists, "--round", "1", "--review", "--json", typed="lea\n")
    assert told.exit_code == 0, told.output
    assert "Dora is not in round 1: left out there" in told.stderr
    assert "Round 1 is scored anew: Anna" in told.stderr
    with open_log(kept) as log:
        one = log.round(1)
        log.check()
    assert one.state.result is not None
    (anna,) = one.state.result.players
    assert [word.word for word in anna.words] == ["team", "hind", "male", "lea"]
    (said,) = one.state.decisions
    assert (said.player, said.text) == ("Anna", "lea")


def test_a_typed_list_replaces_what_the_round_had(run: Run, kept: Place, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("team\n", encoding="utf-8")
    told = run("score", BOARD, "--list", f"ANNA={tmp_path / 'a.txt'}", "--round", "1", "--review")
    assert "Round 1 is scored anew: Anna 1" in told.stderr
    again = run("score", BOARD, "--list", f"Anna={tmp_path / 'a.txt'}", "--round", "1", "--review")
    assert "anew" not in again.stderr
    with open_log(kept) as log:
        assert [type(event).__name__ for _, event in log.round(1).events].count("Rescored") == 1


def test_a_round_of_the_log_with_another_board_is_another_round(
    run: Run, kept: Place, tmp_path: Path
) -> None:
    board = "IETC/HQuPE/SEYH/TOER"
    page = numbered(tmp_path)
    told = run("scan", page, "--round", "1", "--board", board, "--review", typed="lea\n")
    assert told.exit_code == 0
    assert "has another board" in told.stderr
    with open_log(kept) as log:
        assert log.round(1).state.decisions == ()


def test_a_round_in_play_is_not_reviewed(run: Run, tmp_path: Path) -> None:
    setup = Setup(Plan(game("boggle"), ("Anna",), 180.0), "play", True, "", "enable")  # noqa: FBT003
    with open_log(Place(tmp_path / "data" / "wordtray")) as log, log.begin(setup):
        pass
    told = run("scan", "anna.png", "--round", "1", "--json")
    assert told.exit_code == 2
    assert documents(told)[0]["error"]["kind"] == "round_open"


# ---- score -----------------------------------------------------------------------------------


def verdicts(player: dict[str, Any]) -> dict[str, str]:
    return {word["word"]: word["verdict"] for word in player["words"]}


def test_typed_and_paper_lists_are_scored_together(run: Run, tmp_path: Path) -> None:
    (tmp_path / "red.txt").write_text("male\nslip\n", encoding="utf-8")
    red = f"red={tmp_path / 'red.txt'}"
    told = run("score", BOARD, "--list", red, "--list", "table.png", "--json")
    assert told.exit_code == 4, told.output
    (found,) = documents(told)
    players = {player["name"]: player for player in found["players"]}
    assert set(players) == {"red", "Anna", "Bob"}
    anna = [word["verdict"] for word in players["Anna"]["words"]]
    assert anna == ["shared", "struck", "shared", "doubtful"]
    assert all(word["points"] == 0 for word in players["Anna"]["words"])
    assert verdicts(players["Bob"])["slip"] == "shared"
    assert "Anna, line 4" in told.stderr
    assert "decided" not in found


def test_doubtful_words_count_when_they_are_confirmed(run: Run) -> None:
    args = ("score", BOARD, "--list", "red=anna.png", "--review", "--referee", "Jo", "--json")
    told = run(*args, typed="lea\n")
    assert told.exit_code == 0, told.output
    assert "signed Anna: counted for red" in told.stderr
    (found,) = documents(told)
    (red,) = found["players"]
    assert red["name"] == "red"
    assert verdicts(red)["lea"] == "scored"
    (said,) = found["decided"]
    assert (said["player"], said["text"], said["by"]) == ("red", "lea", "Jo")


def error_of(result: Result) -> tuple[int, str]:
    return result.exit_code, documents(result)[0]["error"]["message"]


def test_whose_a_list_is_must_be_known_and_be_one(run: Run, tmp_path: Path) -> None:
    nameless = sheet({1: "TEAM"}, "")
    photo = photograph(nameless, np.random.default_rng(1), view=PageView((1050, 1480), 0.0)).photo
    file = tmp_path / "nameless.png"
    Image.fromarray(photo).save(file)
    code, message = error_of(run("score", BOARD, "--list", str(file), "--json"))
    assert (code, "whose list" in message) == (2, True)
    code, message = error_of(run("score", BOARD, "--list", "red=table.png", "--json"))
    assert (code, "lists of Anna and Bob" in message) == (2, True)
    twice = ("--list", "anna.png", "--list", "table.png")
    code, message = error_of(run("score", BOARD, *twice, "--json"))
    assert (code, "two pictures of sheet 1 of Anna" in message) == (2, True)


def test_a_page_of_a_pdf_is_named_by_its_number(run: Run) -> None:
    (found,) = documents(run("scan", "scan.pdf#2", "--json"))
    assert (found["page"], found["player"]) == ("scan.pdf#2", "Bob")
    told = run("score", BOARD, "--list", "red=scan.pdf#1", "--list", "blue=scan.pdf#2", "--json")
    assert [player["name"] for player in documents(told)[0]["players"]] == ["red", "blue"]
    assert "scan.pdf#2 is signed Bob: counted for blue" in told.stderr
    code, message = error_of(run("scan", "scan.pdf#3", "--json"))
    assert (code, message) == (2, "scan.pdf has no page 3: it has 2")


def test_the_page_that_is_signed_otherwise_is_named(run: Run, photos: Path) -> None:
    scans = [
        Image.fromarray(sheet({1: word}, name)) for word, name in (("SLIP", ""), ("HIND", "Bob"))
    ]
    scans[0].save(photos / "other.pdf", save_all=True, append_images=scans[1:])
    told = run("score", BOARD, "--list", "Ann=other.pdf")
    assert "other.pdf#2 is signed Bob: counted for Ann" in " ".join(told.stderr.split())
    assert "other.pdf#1 is signed" not in told.stderr


def numbered_sheets(photos: Path, *numbers: int) -> list[str]:
    """Arguments for sheets of three of Anna's, each with a word."""
    rng, hand = np.random.default_rng(3), random_hand_of_writer(np.random.default_rng(4), 0.0)
    args = []
    for number in numbers:
        printed = print_sheet(Form("A5"), Label("Anna", "Final", number, 3), 8.0)
        word = ("TEAM", "HIND", "MALE")[number - 1]
        page = write_words(printed, Written({1: word}), hand, rng).pixels
        Image.fromarray(page).save(photos / f"sheet-{number}.png")
        args += ["--list", f"sheet-{number}.png"]
    return args


def test_sheets_of_one_player_are_one_list_in_their_order_and_told(run: Run, photos: Path) -> None:
    told = run("score", BOARD, *numbered_sheets(photos, 2, 1), "--json")
    (player,) = documents(told)[0]["players"]
    assert [word["word"] for word in player["words"]] == ["team", "hind"]
    said = " ".join(told.stderr.split())
    assert "Anna: sheet-1.png (sheet 1 of 3) and sheet-2.png (sheet 2 of 3) are one list." in said
    assert "sheet 3 of 3 is not among the pages" in said


def test_a_photo_of_a_sheet_under_another_name_is_refused(run: Run, photos: Path) -> None:
    args = numbered_sheets(photos, 1)
    (photos / "again.png").write_bytes((photos / "sheet-1.png").read_bytes())
    code, message = error_of(run("score", BOARD, *args, "--list", "again.png", "--json"))
    assert (code, "two pictures of sheet 1 of Anna" in message) == (2, True)


def test_names_alike_but_for_capitals_are_one_player(run: Run, photos: Path) -> None:
    numbered_sheets(photos, 2)
    told = run("score", BOARD, *numbered_sheets(photos, 1), "--list", "anna=sheet-2.png", "--json")
    assert [player["name"] for player in documents(told)[0]["players"]] == ["Anna"]


def test_sheets_without_a_name_are_each_their_own(run: Run, photos: Path) -> None:
    for name, words in (("one", {1: "TEAM"}), ("two", {1: "HIND"})):
        Image.fromarray(sheet(words, "")).save(photos / f"{name}.png")
    told = run("score", BOARD, "--list", "Jo=one.png", "--list", "Jo=two.png", "--json")
    (player,) = documents(told)[0]["players"]
    assert [word["word"] for word in player["words"]] == ["team", "hind"]
    assert "Jo: one.png and two.png are one list." in " ".join(told.stderr.split())


@pytest.mark.parametrize(
    "given",
    [
        ("red=anna.png", "blue=anna.png"),
        ("red=anna.png", "red=./anna.png"),
        ("red=scan.pdf#1", "scan.pdf"),
    ],
)
def test_a_page_is_given_once(run: Run, given: tuple[str, str]) -> None:
    code, message = error_of(run("score", BOARD, "--list", given[0], "--list", given[1], "--json"))
    assert (code, "is given twice" in message) == (2, True)


def test_a_typed_list_needs_a_name_and_a_page_a_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "red.txt").write_text("meal\n", encoding="utf-8")
    typed = str(tmp_path / "red.txt")
    assert run("score", BOARD, "--list", typed).exit_code == 2
    twice = run("score", BOARD, "--list", f"Anna={typed}", "--list", "anna.png")
    assert (twice.exit_code, "two lists for 'Anna'" in twice.stderr) == (2, True)
    empty = run("score", BOARD, "--list", "red=empty.png")
    assert empty.exit_code == 3
