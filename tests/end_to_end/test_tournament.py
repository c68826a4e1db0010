"""Tournaments from the command line: registration to prizes, corrections, exports, their proof."""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from typer.testing import Result

from firmware_host import tournaments
from firmware_host.cli import tournament
from firmware_host.errors import ExitCode
from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.solver import solve
from scoring.tournament.commitment import BoardPlace, commitment
from tests.end_to_end.conftest import Run, document, refusal

BOARD = "IETC/HQuPE/SEYH/TOER"
OTHER = "EITC/HQuPE/SEYH/TOER"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(1000, 100_000))
    monkeypatch.setattr(tournament, "now", lambda: float(next(moments)))


def cup(run: Run, *options: str, players: str = "ann bob cy dee") -> dict[str, Any]:
    """An event of pairs with its first round drawn."""
    args = ("--seats", "2", "--rounds", "2", "--boards", "1", *options, "--json")
    document(run("tournament", "new", "cup", *args))
    named = [part for name in players.split() for part in ("--player", name)]
    document(run("tournament", "add", "cup", *named, "--json"))
    return document(run("tournament", "pair", "cup", "--json"))


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def results(name: str, board: str = BOARD, **lists: str) -> str:
    """A document as `score --json` prints it."""
    players = [
        {"name": player, "words": [{"word": word} for word in words.split()]}
        for player, words in lists.items()
    ]
    return write(name, json.dumps({"board": board, "players": players}))


def played(run: Run) -> None:
    """The whole of a small event."""
    first = cup(run)["round"]["tables"]
    made = {"ann": "peyote hey", "bob": "hey toe", "cy": "toe", "dee": "yeti"}
    for number, tables in enumerate((first, None), 1):
        if tables is None:
            document(run("tournament", "pair", "cup", "--json"))
        document(run("tournament", "promise", "cup", "--given", BOARD, "--json"))
        document(run("tournament", "board", "cup", "--json"))
        file = results(f"r{number}.json", **made)
        document(run("tournament", "enter", "cup", file, "--json"))


def points(run: Run) -> dict[str, int]:
    found = document(run("tournament", "standings", "cup", "--json"))
    return {each["name"]: each["points"] for each in found["standings"]["main"]}


class TestAnEvent:
    def test_from_registration_to_a_proved_export(self, run: Run) -> None:
        played(run)
        assert document(run("tournament", "show", "cup", "--json"))["round"]["complete"]
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        proof = document(run("tournament", "verify", "cup.json", "--json"))
        assert (proof["holds"], proof["findings"]) == (True, [])
        assert (proof["proved"], proof["committed"], proof["entered"]) == (8, 2, 0)

    def test_people_are_told_the_same(self, run: Run) -> None:
        played(run)
        shown = run("tournament", "show", "cup")
        assert "All scores are in." in shown.stdout
        ranks = run("tournament", "standings", "cup")
        assert "rank" in ranks.stdout
        assert "ann" in ranks.stdout
        why = run("tournament", "standings", "cup", "--explain", "ann")
        assert "round 1, table" in why.stdout
        assert "points:" in why.stdout
        assert run("tournament", "log", "cup").stdout.count("\n") > 10
        assert "cup" in run("tournament", "list").stdout

    def test_a_promise_is_kept_secret_until_the_board_is_shown(self, run: Run) -> None:
        cup(run)
        promised = document(run("tournament", "promise", "cup", "--json"))
        kept = tournaments.promised("cup", "1.1")
        assert kept is not None
        board, salt = kept
        assert promised["hash"] == commitment(BoardPlace("cup", 1, 1, 0), board, salt)
        assert board not in json.dumps(promised)
        folder = Path("data/wordtray/tournaments")
        assert (folder / "cup.promises").stat().st_mode & 0o077 == 0
        assert board not in (folder / "cup.tournament").read_text("utf-8")
        shown = document(run("tournament", "board", "cup", "--json"))
        assert shown["round"]["boards"][0]["shown"] == board
        assert Board.parse(board).rows == 4

    def test_a_board_of_a_band_holds_so_many_points(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "promise", "cup", "--between", "120", "180", "--json"))
        kept = tournaments.promised("cup", "1.1")
        assert kept is not None
        board, plan = Board.parse(kept[0]), tournaments.load("cup").plan
        assert 120 <= solve(board, builtin_lexicon(), plan.game).points <= 180

    def test_a_band_of_which_no_board_comes_up_is_told(self, run: Run) -> None:
        cup(run)
        found = run("tournament", "promise", "cup", "--between", "90000", "90001", "--json")
        assert found.exit_code == 3
        assert "nearest" in found.stderr
        assert run("tournament", "promise", "cup", "--between", "9", "8").exit_code == 2
        assert tournaments.promised("cup", "1.1") is None

    def test_a_second_promise_needs_a_reason_and_replaces_nothing_before(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "promise", "cup", "--given", BOARD, "--json"))
        again = ("tournament", "promise", "cup", "--given", OTHER, "--json")
        assert refusal(run(*again))["kind"] == "no_reason"
        assert document(run("tournament", "board", "cup", "--json"))["round"]["started"]

    def test_files_of_players(self, run: Run) -> None:
        document(run("tournament", "new", "cup", "--division", "A", "--division", "B", "--json"))
        file = write("p.csv", "rating;name;division;team\n900;Änne;A;Red\n;Bo Lee;B;\n\n")
        assert document(run("tournament", "add", "cup", file, "--json"))["players"] == 2
        players = tournaments.load("cup").state.players
        assert (players["Änne"].rating, players["Änne"].team) == (900, "Red")
        assert players["Bo Lee"].division == "B"

    def test_a_line_that_the_event_refuses_is_named(self, run: Run) -> None:
        document(run("tournament", "new", "cup", "--json"))
        bad = {"kai\tus" * 9: "player", "ann": "enrolled"}
        for name, kind in bad.items():
            file = write("p.csv", f"name\nann\n{name}\n")
            error = refusal(run("tournament", "add", "cup", file, "--json"), ExitCode.UNUSABLE_FILE)
            assert (error["kind"], "line 3 of p.csv" in error["message"]) == (kind, True)
        assert not tournaments.load("cup").state.players

    def test_comings_and_goings(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "withdraw", "cup", "ann", "--json"))
        document(run("tournament", "suspend", "cup", "bob", "--why", "phone", "--json"))
        state = document(run("tournament", "return", "cup", "ann", "--json"))
        assert state["statuses"] == {"active": 3, "suspended": 1}
        document(run("tournament", "bye", "cup", "ann", "1", "--json"))
        drawn = document(run("tournament", "pair", "cup", "--json"))
        assert drawn["round"]["byes"] == ["ann"]

    def test_by_hand_what_is_odd_is_asked(self, run: Run) -> None:
        cup(run)
        file = results("r1.json", ann="hey", bob="toe", cy="toe", dee="yeti")
        document(run("tournament", "enter", "cup", file, "--json"))
        first = tournaments.load("cup").state.rounds[0].tables.values()
        again = write("t.csv", "\n".join(",".join(table) for table in first))
        found = document(
            run("tournament", "pair", "cup", "--tables", again, "--json"), ExitCode.DOUBTFUL
        )
        assert [each["kind"] for each in found["remarks"]] == ["again", "again"]
        told = run("tournament", "pair", "cup", "--tables", again)
        assert "have met before" in told.stdout

    def test_by_hand_of_several_divisions_one_is_named(self, run: Run) -> None:
        cup(run, "--division", "A", "--division", "B")
        file = write("t.csv", "ann,dee\nbob,cy\n")
        args = ("tournament", "pair", "cup", "--tables", file, "--json")
        assert refusal(run(*args))["kind"] == "division"
        drawn = document(run(*args, "--division", "A"))
        assert drawn["round"]["tables"] == [["ann", "dee"], ["bob", "cy"]]

    def test_starting_a_round_keeps_its_tables(self, run: Run) -> None:
        first = cup(run)["round"]["tables"]
        other = [[first[0][0], first[1][0]], [first[0][1], first[1][1]]]
        file = write("t.csv", "\n".join(",".join(table) for table in other))
        drawn = document(run("tournament", "pair", "cup", "--tables", file, "--json"))
        begun = document(run("tournament", "pair", "cup", "--start", "--json"))["round"]
        assert begun["started"]
        assert begun["tables"] == drawn["round"]["tables"] == other

    def test_tables_that_are_kept_are_not_entered_again(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "pair", "cup", "--start", "--json"))
        kinds = [entry.event["type"] for entry in tournaments.load("cup").entries]
        assert kinds[-2:] == ["draw", "start"]
        assert kinds.count("draw") == 1

    def test_a_round_of_byes_is_complete_once_it_has_started(self, run: Run) -> None:
        assert not cup(run, players="solo")["round"]["complete"]
        drawn = run("tournament", "show", "cup").stdout
        assert "Round 1, not started" in drawn
        assert "All scores are in." not in drawn
        begun = document(run("tournament", "pair", "cup", "--start", "--json"))
        assert begun["round"]["complete"]
        assert "All scores are in." in run("tournament", "show", "cup").stdout

    def test_a_round_does_not_start_by_tables_that_leave_somebody_out(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "add", "cup", "--player", "eve", "--player", "fay", "--json"))
        args = ("tournament", "pair", "cup", "--start", "--json")
        error = refusal(run(*args))
        assert error["kind"] == "left_out"
        assert error["advice"].endswith("wordtray tournament pair cup")
        document(run("tournament", "pair", "cup", "--json"))
        assert len(document(run(*args))["round"]["tables"]) == 3

    @pytest.mark.parametrize(
        "args",
        [("board", BOARD), ("promise",), ("enter", "r.json"), ("challenge", "hey", "--of", "ann")],
        ids=lambda args: args[0],
    )
    def test_where_no_tables_are_the_command_that_draws_them_is_told(
        self, run: Run, args: tuple[str, ...]
    ) -> None:
        document(run("tournament", "new", "cup", "--json"))
        results("r.json", ann="hey")
        command, *more = args
        error = refusal(run("tournament", command, "cup", *more, "--json"))
        assert error["advice"] == "Draw its tables: wordtray tournament pair cup"

    def test_somebody_unknown_cannot_be_absent(self, run: Run) -> None:
        cup(run)
        args = ("tournament", "pair", "cup", "--absent", "ann,bbo", "--json")
        error = refusal(run(*args))
        assert error["kind"] == "unknown_player"
        assert "bbo" in error["message"]

    def test_a_list_may_have_a_word_a_line_in_a_cell(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "board", "cup", BOARD, "--json"))
        file = write("p.csv", 'player,words\nann,"peyote\nhey"\nbob,toe\ncy,\ndee,yeti\n')
        document(run("tournament", "enter", "cup", file, "--json"))
        assert points(run)["ann"] == 4

    def test_points_are_entered_from_a_table(self, run: Run) -> None:
        cup(run)
        file = write("p.csv", "player,points,lengths\nann,12,5 3\nbob,-1,\ncy,4,\ndee,0,\n")
        document(run("tournament", "enter", "cup", file, "--json"))
        assert points(run) == {"ann": 12, "bob": -1, "cy": 4, "dee": 0}
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        proof = document(run("tournament", "verify", "cup.json", "--json"))
        assert (proof["proved"], proof["entered"]) == (0, 4)

    def test_only_what_stands_on_a_list_for_sure_is_entered(self, run: Run) -> None:
        first, second = cup(run)["round"]["tables"][0]
        words = [{"word": "toe", "verdict": "scored"}, {"word": "peyotes", "verdict": "struck"}]
        asked = {"word": "quest", "verdict": "doubtful", "reason": "read as quest 49%, guest 28%"}

        def entered(*words: dict[str, str]) -> Result:
            lists = [{"name": first, "words": words}, {"name": second, "words": []}]
            file = write("r.json", json.dumps({"board": BOARD, "players": lists}))
            return run("tournament", "enter", "cup", file, "--json")

        error = refusal(entered(*words, asked), ExitCode.UNUSABLE_FILE)
        assert error["kind"] == "results"
        assert "read as quest 49%" in error["message"]
        assert "--review" in error["advice"]
        document(entered(*words))
        assert points(run)[first] == 1

    def test_words_are_entered_from_a_table(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "board", "cup", BOARD, "--json"))
        file = write("p.csv", "player,words\nann,peyote hey\nbob,toe\ncy,\ndee,yeti\n")
        document(run("tournament", "enter", "cup", file, "--json"))
        assert points(run)["ann"] == 4

    def test_corrections_are_kept_beside_what_they_correct(self, run: Run) -> None:
        played(run)
        before = points(run)
        file = results("new.json", cy="peyote")
        args = ("tournament", "enter", "cup", file, "--round", "1", "--json")
        assert refusal(run(*args))["kind"] == "no_reason"
        document(run(*args, "--why", "misread"))
        after = points(run)
        assert after["cy"] == before["cy"] + 3
        log = document(run("tournament", "log", "cup", "--json"))["entries"]
        assert [entry["event"].get("why") for entry in log if "why" in entry["event"]]
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        assert document(run("tournament", "verify", "cup.json", "--json"))["holds"]

    def test_challenges_cost_what_was_agreed(self, run: Run) -> None:
        cup(run, "--penalty", "2")
        file = results("r1.json", ann="hey tye", bob="toe", cy="toe", dee="yeti")
        document(run("tournament", "enter", "cup", file, "--json"))
        before = points(run)["ann"]
        args = ("tournament", "challenge", "cup", "TYE", "--of", "ann", "--by", "dee", "--json")
        assert refusal(run(*args))["kind"] == "no_reason"
        document(run(*args, "--why", "heard late"))
        assert points(run)["ann"] <= before

    def test_what_is_no_adjustment_is_told_with_both_bounds(self, run: Run) -> None:
        played(run)
        for points_ in ("0", "-9999999"):
            args = ("tournament", "adjust", "cup", "ann", "--why", "x", "--json", "--", points_)
            error = refusal(run(*args))
            assert error["kind"] == "points"
            assert "or -1 to -" in error["advice"]

    def test_the_referee_adjusts_and_takes_back(self, run: Run) -> None:
        played(run)
        before = points(run)["ann"]
        args = ("tournament", "adjust", "cup", "ann", "--why", "late", "--json", "--", "-3")
        document(run(*args))
        assert points(run)["ann"] == before - 3
        entry = document(run("tournament", "log", "cup", "--json"))["entries"][-1]["seq"]
        document(run("tournament", "undo", "cup", str(entry), "--why", "in time", "--json"))
        assert points(run)["ann"] == before
        gone = document(run("tournament", "log", "cup", "--json"))["entries"]
        assert gone[-2]["taken_back"]

    def test_points_are_taken_as_the_help_says(self, run: Run) -> None:
        played(run)
        before = points(run)["ann"]
        document(run("tournament", "adjust", "cup", "ann", "-5", "--why", "late", "--json"))
        assert points(run)["ann"] == before - 5
        unknown = run("tournament", "adjust", "cup", "ann", "-5", "--wyh", "late")
        assert unknown.exit_code == ExitCode.WRONG_USE

    def test_a_promise_that_was_cut_off_spoils_no_other(self, run: Run) -> None:
        cup(run, "--boards", "2")
        document(run("tournament", "promise", "cup", "--given", BOARD, "--json"))
        file = Path("data/wordtray/tournaments/cup.promises")
        file.write_bytes(file.read_bytes() + b'{"board":"IETC/HQ\xc3')
        shown = document(run("tournament", "board", "cup", "--json"))
        assert shown["round"]["boards"][0]["shown"] == BOARD
        second = ("--board", "2", "--json")
        document(run("tournament", "promise", "cup", "--given", OTHER, *second))
        shown = document(run("tournament", "board", "cup", *second))
        assert shown["round"]["boards"][1]["shown"] == OTHER

    def test_damaged_promises_are_told(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "promise", "cup", "--json"))
        Path("data/wordtray/tournaments/cup.promises").write_bytes(b"\xff\xfe\n")
        result = run("tournament", "board", "cup", "--json")
        assert refusal(result, ExitCode.UNUSABLE_FILE)["kind"] == "event_file"

    def test_a_draw_of_nobody_is_refused(self, run: Run) -> None:
        document(run("tournament", "new", "cup", "--division", "A", "--division", "B", "--json"))
        args = ("tournament", "pair", "cup", "--json")
        assert refusal(run(*args))["kind"] == "players"
        document(run("tournament", "add", "cup", "--player", "ann", "--division", "A", "--json"))
        assert refusal(run(*args, "--division", "B"))["kind"] == "players"

    def test_a_round_is_drawn_when_the_one_before_is_complete(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "board", "cup", BOARD, "--json"))
        assert refusal(run("tournament", "pair", "cup", "--json"))["kind"] == "not_complete"

    def test_a_score_of_an_earlier_round_that_was_taken_back_is_missed(self, run: Run) -> None:
        cup(run, "--rounds", "3")
        for number in (1, 2):
            if number == 2:
                document(run("tournament", "pair", "cup", "--json"))
            file = write("p.csv", "player,points\nann,4\nbob,3\ncy,2\ndee,1\n")
            document(run("tournament", "enter", "cup", file, "--json"))
        log = document(run("tournament", "log", "cup", "--json"))["entries"]
        first = next(each["seq"] for each in log if each["event"]["type"] == "scores")
        document(run("tournament", "undo", "cup", str(first), "--why", "mixed up", "--json"))
        error = refusal(run("tournament", "pair", "cup", "--json"))
        assert error["kind"] == "not_complete"
        assert "round 1" in error["message"]
        assert "Missing in round 1: board 1 of table" in run("tournament", "show", "cup").stdout

    def test_names_are_the_same_however_they_are_composed(self, run: Run) -> None:
        cup(run, players="Zo\u00eb bob cy dee")
        file = results("r.json", Zoë="tye", bob="", cy="", dee="")
        document(run("tournament", "enter", "cup", file, "--json"))
        other = "Zoe\u0308"
        document(run("tournament", "standings", "cup", "--explain", other, "--json"))
        challenge = ("tournament", "challenge", "cup", "tye", "--why", "heard late", "--json")
        document(run(*challenge, "--of", other, "--by", "bob"))
        undone = run("tournament", "challenge", "cup", "tye", "--of", "bob", "--by", other)
        assert "sits at no table" not in undone.stderr

    def test_what_was_kept_survives_a_pulled_plug(self, run: Run) -> None:
        played(run)
        file = Path("data/wordtray/tournaments/cup.tournament")
        whole = file.read_bytes()
        file.write_bytes(whole + b'{"seq":')
        before = points(run)
        document(run("tournament", "withdraw", "cup", "dee", "--json"))
        assert points(run) == before
        assert b'{"seq":{"' not in file.read_bytes()

    def test_a_full_disk_changes_nothing(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        cup(run)
        file = Path("data/wordtray/tournaments/cup.tournament")
        before = file.read_bytes()

        def full(_descriptor: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            result = run("tournament", "withdraw", "cup", "ann", "--json")
        assert refusal(result, ExitCode.STORAGE_FAULT)["kind"] == "storage"
        assert file.read_bytes() == before


class TestExports:
    def test_pages_tell_what_their_font_lacks(self, run: Run) -> None:
        cup(run, players="ann 日本 cy dee")
        args = ("tournament", "export", "cup", "--json", "-o")
        assert "日本" in run(*args, "p.pdf").stderr
        assert not run(*args, "p.csv").stderr

    def test_pages_keep_to_their_margins(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "p.pdf", "--json"))
        page = pypdfium2.PdfDocument("p.pdf")[0]
        text = page.get_textpage()
        right = max(text.get_charbox(each)[2] for each in range(text.count_chars()))
        assert right < page.get_width() - 49

    def test_a_changed_export_is_found(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        text = Path("cup.json").read_text("utf-8").replace("peyote", "peyotes", 1)
        write("forged.json", text)
        proof = document(
            run("tournament", "verify", "forged.json", "--json"), ExitCode.UNUSABLE_FILE
        )
        assert not proof["holds"]
        assert "It does not hold." in run("tournament", "verify", "forged.json").stdout

    def test_hashes_and_pictures_prove_more(self, run: Run) -> None:
        cup(run)
        Path("pictures").mkdir()
        write("pictures/tray.jpg", "a tray")
        photo = ("--photo", "pictures/tray.jpg", "--json")
        head = document(run("tournament", "board", "cup", BOARD, *photo))["head"]
        digest = hashlib.sha256(b"a tray").hexdigest()
        assert tournaments.load("cup").state.rounds[0].boards[1, 0].photo == digest
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        args = ("tournament", "verify", "cup.json", "--published", head[:16], "--json")
        proof = document(run(*args, "--photos", "pictures"))
        assert proof["photos"] == {"found": 1, "missing": []}
        assert proof["covered"] == proof["entries"]
        assert "All of it holds." in run(*args[:-1]).stdout
        write("pictures/tray.jpg", "another tray")
        changed = document(run(*args, "--photos", "pictures"), ExitCode.UNUSABLE_FILE)
        assert changed["photos"]["missing"] == [digest]
        wrong = run("tournament", "verify", "cup.json", "--published", "0" * 16, "--json")
        assert document(wrong, ExitCode.UNUSABLE_FILE)["findings"][0]["kind"] == "published"

    def test_standings_as_a_table(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "cup.csv", "--json"))
        rows = list(csv.DictReader(Path("cup.csv").read_text("utf-8").splitlines()))
        assert rows[0]["rank"] == "1"
        assert {row["player"]: int(row["points"]) for row in rows} == points(run)

    @pytest.mark.parametrize("what", ["pairings", "standings", "scores"])
    def test_pages_to_put_up(self, run: Run, what: str) -> None:
        played(run)
        args = ("--what", what, "--json")
        head = document(run("tournament", "export", "cup", "-o", "cup.pdf", *args))["head"]
        pages = pypdfium2.PdfDocument("cup.pdf")
        text = "".join(page.get_textpage().get_text_range() for page in pages)
        assert "ann" in text
        assert head[:16] in text

    def test_no_file_is_replaced(self, run: Run) -> None:
        cup(run)
        write("cup.json", "mine")
        result = run("tournament", "export", "cup", "-o", "cup.json", "--json")
        assert refusal(result)["kind"] == "export_exists"
        for file, kind in (("cup.doc", "export_kind"), ("no/cup.json", "no_folder")):
            result = run("tournament", "export", "cup", "-o", file, "--json")
            assert refusal(result)["kind"] == kind
        result = run("tournament", "export", "cup", "-o", "x.pdf", "--what", "chess", "--json")
        assert refusal(result)["kind"] == "export_kind"


WRONG = [
    (["new", "Cup"], "event_name"),
    (["new", "b", "--seats", "1"], "plan"),
    (["new", "b", "--seats", "x"], "plan"),
    (["new", "b", "--method", "chess"], "plan"),
    (["new", "b", "--scope", "chess"], "plan"),
    (["new", "b", "--ranking", "chess"], "plan"),
    (["new", "b", "--prize", "Cup"], "plan"),
    (["new", "b", "--game", "chess"], "unknown_game"),
    (["new", "cup"], "event_exists"),
    (["add", "cup"], "players"),
    (["add", "cup", "--player", "ann"], "enrolled"),
    (["show", "none"], "unknown_event"),
    (["withdraw", "cup", "eve"], "unknown_player"),
    (["board", "cup"], "no_board"),
    (["board", "cup", "A/BC"], "board"),
    (["enter", "cup", "r.json", "--round", "2"], "round"),
    (["enter", "cup", "strange.csv"], "unknown_player"),
    (["standings", "cup", "--explain", "eve"], "unknown_player"),
    (["pair", "cup", "--division", "B"], "division"),
    (["undo", "cup", "99", "--why", "no"], "undo"),
    (["verify", "cup.json", "--photos", "none"], "no_folder"),
    (["hall", "cup", "--host", "192.0.2.1"], "host"),
]
UNUSABLE = [
    (["add", "cup", "none.csv"], "file"),
    (["add", "cup", "columns.csv"], "columns"),
    (["add", "cup", "rating.csv"], "players"),
    (["enter", "cup", "bad.json"], "results"),
    (["board", "cup", BOARD, "--photo", "empty.jpg"], "photo_missing"),
    (["enter", "cup", "r.json", "--photo", "ann=empty.jpg"], "photo_missing"),
    (["enter", "cup", "points.csv"], "results"),
    (["enter", "cup", "mixed.csv"], "results"),
    (["enter", "cup", "commas.csv"], "columns"),
    (["enter", "cup", "nobody.csv"], "columns"),
    (["enter", "cup", "columns_twice.csv"], "columns"),
    (["enter", "cup", "quote.csv"], "file"),
    (["enter", "cup", "twice.csv"], "results"),
    (["enter", "cup", "both.csv"], "results"),
    (["enter", "cup", "no_rows.csv"], "results"),
    (["enter", "cup", "no_players.json"], "results"),
    (["add", "cup", "comma_name.csv"], "columns"),
    (["pair", "cup", "--tables", "empty.csv"], "tables"),
    (["verify", "bad.json"], "event_file"),
    (["add", "cup", "latin.csv"], "file"),
]


class TestWrongUse:
    def test_what_is_wrong_is_said(self, run: Run) -> None:
        cup(run)
        results("r.json", ann="hey")
        write("strange.csv", "player,points\neve,1\n")
        run("tournament", "export", "cup", "-o", "cup.json")
        for args, kind in WRONG:
            assert refusal(run("tournament", *args, "--json"))["kind"] == kind, args

    def test_unusable_files_are_told(self, run: Run) -> None:
        cup(run)
        write("columns.csv", "who,points\n")
        write("rating.csv", "name,rating\neve,good\n")
        write("bad.json", "{")
        write("points.csv", "player,points\nann,many\n")
        write("mixed.csv", "player,points,words\nann,1,\nbob,,hey\n")
        write("commas.csv", "player,words\nann,hey,toe\n")
        write("nobody.csv", "player,words\n,hey\nann,\nbob,\n")
        write("columns_twice.csv", "player,points,points\nann,1,2\nbob,1,2\n")
        write("quote.csv", f'player,words\nann,"{"a " * 70_000}\n')
        write("twice.csv", "player,points\nann,1\nbob,2\nann,9\n")
        write("both.csv", "player,points,words\nann,1,hey\nbob,2,\n")
        write("no_rows.csv", "player,points\n")
        write("no_players.json", json.dumps({"board": BOARD, "players": []}))
        write("comma_name.csv", "name,rating\nLee, Bo,900\n")
        write("empty.csv", "\n")
        write("empty.jpg", "")
        Path("latin.csv").write_bytes("name\nÄnne\n".encode("latin-1"))
        for args, kind in UNUSABLE:
            result = run("tournament", *args, "--json")
            assert refusal(result, ExitCode.UNUSABLE_FILE)["kind"] == kind, args

    def test_lists_of_another_board_are_refused(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "board", "cup", BOARD, "--json"))
        file = results("r.json", OTHER, ann="hey")
        assert refusal(run("tournament", "enter", "cup", file, "--json"))["kind"] == "other_board"

    def test_an_event_that_was_cut_at_the_end_of_a_line_is_told(self, run: Run) -> None:
        cup(run)
        file = Path("data/wordtray/tournaments/cup.tournament")
        lines = file.read_text("utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:-1]), encoding="utf-8")
        error = refusal(run("tournament", "show", "cup", "--json"), ExitCode.UNUSABLE_FILE)
        assert "ends with entry 4, and had 5" in error["message"]
        assert "cup.head" in error["advice"]
        file.with_suffix(".head").unlink()
        assert document(run("tournament", "show", "cup", "--json"))["entries"] == 4

    @pytest.mark.parametrize("data", [b"", b"\xff\x00\x9f\n", b"{}\n"])
    def test_an_event_of_which_nothing_is_left_is_to_be_restored(
        self, run: Run, data: bytes
    ) -> None:
        cup(run)
        file = Path("data/wordtray/tournaments/cup.tournament")
        file.write_bytes(data)
        error = refusal(run("tournament", "show", "cup", "--json"), ExitCode.UNUSABLE_FILE)
        assert "cup.tournament" in error["message"]
        assert error["advice"] == "Restore its last export or archive."
        file.with_suffix(".head").unlink()
        error = refusal(run("tournament", "show", "cup", "--json"), ExitCode.UNUSABLE_FILE)
        assert "Restore" not in error["advice"]

    def test_another_event_in_its_place_is_told(self, run: Run) -> None:
        cup(run)
        folder = Path("data/wordtray/tournaments")
        document(run("tournament", "new", "other", "--json"))
        args = ("tournament", "add", "other", *(f"--player={each}" for each in "abcdefg"))
        document(run(*args, "--json"))
        (folder / "cup.tournament").write_bytes((folder / "other.tournament").read_bytes())
        error = refusal(run("tournament", "show", "cup", "--json"), ExitCode.UNUSABLE_FILE)
        assert "entry 5 is another one" in error["message"]
        (folder / "other.head").write_text("{")
        error = refusal(run("tournament", "show", "other", "--json"), ExitCode.UNUSABLE_FILE)
        assert "whether the event is whole cannot be told" in error["message"]

    def test_a_head_that_lags_behind_is_no_damage(self, run: Run) -> None:
        """As a pulled plug leaves it between an entry and its head."""
        cup(run)
        head = Path("data/wordtray/tournaments/cup.head")
        before = head.read_text()
        document(run("tournament", "withdraw", "cup", "ann", "--json"))
        after = head.read_text()
        head.write_text(before)
        document(run("tournament", "return", "cup", "ann", "--json"))
        assert after != head.read_text() != before

    def test_a_damaged_event_is_told_and_hides_no_other(self, run: Run) -> None:
        cup(run)
        folder = Path("data/wordtray/tournaments")
        text = (folder / "cup.tournament").read_text("utf-8")
        (folder / "bad.tournament").write_text(text.replace("ann", "eve"), encoding="utf-8")
        result = run("tournament", "show", "bad", "--json")
        assert refusal(result, ExitCode.UNUSABLE_FILE)["kind"] == "event_file"
        listed = run("tournament", "list", "--json")
        assert listed.exit_code == ExitCode.UNUSABLE_FILE
        assert {
            json.loads(line)["event"] for line in listed.stdout.splitlines() if "title" in line
        } == {"cup"}


class TestSimulation:
    def test_methods_are_compared_and_drawn(self, run: Run) -> None:
        sizes = ("--players", "8", "--rounds", "2", "--events", "2")
        args = ("tournament", "simulate", *sizes, "--methods", "swiss,random")
        found = document(run(*args, "--plot", "m.svg", "--json"))
        assert [each["method"] for each in found["methods"]] == ["swiss", "random"]
        assert all(len(each["correlations"]) == 2 for each in found["methods"])
        picture = Path("m.svg").read_text("utf-8")
        assert picture.count("<circle") == 4
        assert "random" in picture
        shown = run(*args)
        assert "correlation" in shown.stdout
        assert f"{found['methods'][0]['mean']:.3f}" in shown.stdout

    def test_an_event_is_kept_for_a_rehearsal(self, run: Run) -> None:
        args = ("--players", "6", "--rounds", "2", "--events", "1", "--methods", "swiss")
        troubles = ("--leaving", "0.1", "--absent", "0.1", "--misread", "0.5")
        document(run("tournament", "simulate", *args, *troubles, "--keep", "try", "--json"))
        assert document(run("tournament", "show", "try", "--json"))["players"] == 6
        document(run("tournament", "export", "try", "-o", "try.json", "--json"))
        assert document(run("tournament", "verify", "try.json", "--json"))["holds"]

    def test_what_cannot_be_simulated_is_refused(self, run: Run) -> None:
        for args in (["--methods", "manual"], ["--methods", "chess"], ["--seats", "1"]):
            assert refusal(run("tournament", "simulate", *args, "--json"))["kind"] == "plan"
        result = run("tournament", "simulate", "--seats", "2", "--methods", "balanced", "--json")
        assert refusal(result)["kind"] == "plan"
