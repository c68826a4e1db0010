"""Files of a tournament: archives, pages, certificates; what is told of rounds that lack scores."""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest

from firmware_host import tournaments
from firmware_host.errors import ExitCode
from tests.end_to_end.conftest import Run, document, refusal
from tests.end_to_end.test_tournament import BOARD, OTHER, cup, played, results, write


@pytest.fixture
def with_pictures(run: Run) -> Run:
    """An event whose board and one of whose lists were photographed, a second board promised."""
    tables = cup(run, "--boards", "2")["round"]["tables"]
    Path("pictures").mkdir()
    write("pictures/tray.JPG", "a tray")
    write("pictures/list.jpg", "a list")
    document(run("tournament", "board", "cup", BOARD, "--photo", "pictures/tray.JPG", "--json"))
    file = results("r.json", **dict.fromkeys(functools.reduce(operator.iadd, tables, []), "hey"))
    photo = ("--photo", f"{tables[0][0]}=pictures/list.jpg")
    document(run("tournament", "enter", "cup", file, *photo, "--json"))
    document(run("tournament", "promise", "cup", "--board", "2", "--given", OTHER, "--json"))
    return run


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Links(HTMLParser):
    """What a page leads to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in {"href", "src"} and value]


class TestArchive:
    def test_it_is_checked_with_its_pictures(self, with_pictures: Run) -> None:
        run = with_pictures
        args = ("tournament", "archive", "cup", "cup.zip", "--json")
        made = document(run(*args, "--photos", "pictures"))
        assert made["photos"] == {"found": 2, "missing": []}
        proof = document(run("tournament", "verify", "cup.zip", "--json"))
        assert proof["holds"]
        assert proof["photos"] == {"found": 2, "missing": []}

    def test_pictures_that_are_missing_are_told(self, with_pictures: Run) -> None:
        run = with_pictures
        made = run("tournament", "archive", "cup", "cup.zip", "--json")
        missing = document(made, ExitCode.DOUBTFUL)["photos"]["missing"]
        assert missing == sorted([digest("a tray"), digest("a list")])
        assert "--photos" in made.stderr
        proof = run("tournament", "verify", "cup.zip", "--json")
        assert document(proof, ExitCode.UNUSABLE_FILE)["photos"]["missing"] == missing

    def test_a_changed_picture_is_found(self, with_pictures: Run) -> None:
        run = with_pictures
        document(run("tournament", "archive", "cup", "cup.zip", "--photos", "pictures", "--json"))
        with zipfile.ZipFile("cup.zip") as whole, zipfile.ZipFile("forged.zip", "w") as forged:
            for name in whole.namelist():
                data = whole.read(name)
                forged.writestr(name, b"another" if name.startswith("pictures/") else data)
        proof = run("tournament", "verify", "forged.zip", "--json")
        assert len(document(proof, ExitCode.UNUSABLE_FILE)["photos"]["missing"]) == 2

    def test_boards_to_come_are_in_it_only_when_asked_for(self, with_pictures: Run) -> None:
        run = with_pictures
        photos = ("--photos", "pictures", "--json")
        document(run("tournament", "archive", "cup", "open.zip", *photos))
        document(run("tournament", "archive", "cup", "all.zip", "--secrets", *photos))
        for file, there in (("open.zip", False), ("all.zip", True)):
            with zipfile.ZipFile(file) as archive:
                held = b"".join(map(archive.read, archive.namelist()))
            assert (OTHER.encode() in held) is there

    def test_an_event_goes_on_where_it_was_brought_back(self, with_pictures: Run) -> None:
        run = with_pictures
        args = ("--secrets", "--photos", "pictures", "--json")
        document(run("tournament", "archive", "cup", "cup.zip", *args))
        back = ("tournament", "restore", "cup.zip", "--as", "again", "--photos", "found", "--json")
        state = document(run(*back))
        assert (state["head"], state["photos"]) == (tournaments.load("cup").last_hash, 2)
        assert {path.name for path in Path("found").iterdir()} == {
            f"{digest('a tray')}.jpg",
            f"{digest('a list')}.jpg",
        }
        shown = document(run("tournament", "board", "again", "--board", "2", "--json"))
        assert shown["round"]["boards"][1]["shown"] == OTHER
        kept = Path("data/wordtray/tournaments/again.promises")
        assert kept.stat().st_mode & 0o077 == 0

    def test_an_export_is_brought_back_too(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        document(run("tournament", "restore", "cup.json", "--as", "again", "--json"))
        assert tournaments.load("again") == tournaments.load("cup")

    def test_only_pictures_of_the_event_are_unpacked(self, with_pictures: Run) -> None:
        run = with_pictures
        document(run("tournament", "archive", "cup", "cup.zip", "--photos", "pictures", "--json"))
        with zipfile.ZipFile("cup.zip", "a") as archive:
            archive.writestr("pictures/" + "0" * 64 + ".html", "<script>")
            archive.writestr(f"pictures/{digest('a list')}.{'x' * 250}", "a list")
        args = ("--as", "again", "--photos", "found", "--json")
        assert document(run("tournament", "restore", "cup.zip", *args))["photos"] == 2
        assert len(list(Path("found").iterdir())) == 2

    def test_damaged_promises_are_not_brought_back(self, with_pictures: Run) -> None:
        run = with_pictures
        args = ("--secrets", "--photos", "pictures", "--json")
        document(run("tournament", "archive", "cup", "cup.zip", *args))
        with zipfile.ZipFile("cup.zip") as whole, zipfile.ZipFile("forged.zip", "w") as forged:
            for name in whole.namelist():
                forged.writestr(name, b"{" if name == "promises.jsonl" else whole.read(name))
        back = ("tournament", "restore", "forged.zip", "--as", "again", "--json")
        assert refusal(run(*back), ExitCode.UNUSABLE_FILE)["kind"] == "event_file"
        assert tournaments.names() == ("cup",)

    def test_the_same_event_gives_the_same_bytes(self, run: Run) -> None:
        played(run)
        for name in ("a.zip", "b.zip"):
            document(run("tournament", "archive", "cup", name, "--json"))
        assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()

    def test_what_is_no_archive_is_refused(self, run: Run) -> None:
        played(run)
        write("empty.zip", "")
        write("text.zip", "no archive")
        with zipfile.ZipFile("other.zip", "w") as archive:
            archive.writestr("a.txt", "b")
        with zipfile.ZipFile("forged.zip", "w") as archive:
            archive.writestr("event.json", "{}")
        for file in ("empty.zip", "text.zip", "other.zip", "forged.zip", "absent.zip"):
            args = ("tournament", "restore", file, "--as", "again", "--json")
            assert refusal(run(*args), ExitCode.UNUSABLE_FILE)["kind"] == "event_file", file
        assert tournaments.names() == ("cup",)

    def test_a_changed_event_is_not_brought_back(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        write("cup.json", Path("cup.json").read_text("utf-8").replace("peyote", "peyotes", 1))
        args = ("tournament", "restore", "cup.json", "--as", "again", "--json")
        assert refusal(run(*args), ExitCode.UNUSABLE_FILE)["kind"] == "event_file"

    def test_nothing_is_replaced(self, run: Run) -> None:
        played(run)
        args = ("tournament", "archive", "cup", "cup.zip", "--json")
        document(run(*args))
        assert refusal(run(*args))["kind"] == "export_exists"
        assert refusal(run("tournament", "archive", "cup", "c.tar", "--json"))["kind"] == (
            "export_kind"
        )
        back = ("tournament", "restore", "cup.zip", "--as", "cup", "--json")
        assert refusal(run(*back))["kind"] == "event_exists"


class TestSite:
    def test_every_link_leads_to_a_page_of_the_folder(self, with_pictures: Run) -> None:
        document(with_pictures("tournament", "site", "cup", "pages", "--json"))
        pages = sorted(Path("pages").glob("*.html"))
        assert len(pages) == 1 + 1 + 4
        for page in pages:
            text = page.read_text("utf-8")
            assert "<script" not in text
            for link in Links(text).found:
                assert (Path("pages") / link).is_file(), (page, link)

    def test_it_shows_what_is_open_and_nothing_else(self, with_pictures: Run) -> None:
        document(with_pictures("tournament", "site", "cup", "pages", "--json"))
        held = b"".join(path.read_bytes() for path in Path("pages").iterdir())
        assert BOARD.encode() in held
        assert OTHER.encode() not in held
        first = Path("pages/round-1.html").read_text("utf-8")
        assert "It is promised, and not shown yet." in first
        assert digest("a tray") in first
        assert "Round 1 still lacks" in Path("pages/index.html").read_text("utf-8")

    def test_its_export_is_proved(self, run: Run) -> None:
        played(run)
        document(run("tournament", "site", "cup", "pages", "--json"))
        assert document(run("tournament", "verify", "pages/event.json", "--json"))["holds"]

    def test_names_are_text(self, run: Run) -> None:
        cup(run, players="<b>ann</b> bob cy dee")
        document(run("tournament", "site", "cup", "pages", "--json"))
        assert "<b>" not in Path("pages/index.html").read_text("utf-8")

    def test_it_is_brought_up_to_date_and_no_other_folder_is_touched(self, run: Run) -> None:
        cup(run)
        args = ("tournament", "site", "cup", "pages", "--json")
        document(run(*args))
        document(run("tournament", "add", "cup", "--player", "eve", "--json"))
        document(run(*args))
        assert "eve" in Path("pages/index.html").read_text("utf-8")
        Path("own").mkdir()
        write("own/index.html", "mine")
        error = refusal(run("tournament", "site", "cup", "own", "--json"))
        assert error["kind"] == "export_exists"
        assert Path("own/index.html").read_text("utf-8") == "mine"
        write("own/event.json", '{"my": "own"}')
        assert refusal(run("tournament", "site", "cup", "own", "--json"))["kind"] == (
            "export_exists"
        )
        Path("empty").mkdir()
        document(run("tournament", "site", "cup", "empty", "--json"))


class TestCertificates:
    def test_a_page_for_each_prize(self, run: Run) -> None:
        cup(run, "--prize", "Cup=1", "--prize", "Second=2")
        file = write("p.csv", "player,points\nann,12\nbob,3\ncy,4\ndee,0\n")
        document(run("tournament", "enter", "cup", file, "--json"))
        texts = self.pages(run)
        assert len(texts) == 2
        assert all(part in texts[0] for part in ("Cup", "ann", "rank 1"))
        assert "cy" in texts[1] or "bob" in texts[1]

    def test_without_prizes_the_first_three(self, run: Run) -> None:
        played(run)
        assert next(re.findall(r"Place \d", text) for text in self.pages(run)) == ["Place 1"]

    def test_in_the_middle_of_an_event_each_page_says_so(self, run: Run) -> None:
        played(run)
        assert all("not over" not in text for text in self.pages(run))
        Path("c.pdf").unlink()
        document(run("tournament", "undo", "cup", "18", "--why", "wrong", "--json"))
        args = ("tournament", "export", "cup", "-o", "c.pdf", "--what", "certificates")
        assert "the event is not over: round" in " ".join(run(*args).stderr.split())
        text = pypdfium2.PdfDocument("c.pdf")[0].get_textpage().get_text_range()
        assert "the event is not over" in text

    def test_a_long_name_keeps_to_the_page(self, run: Run) -> None:
        long = "W" * 40
        cup(run, players=f"{long} bob cy dee")
        file = write("p.csv", f"player,points\n{long},12\nbob,3\ncy,4\ndee,0\n")
        document(run("tournament", "enter", "cup", file, "--json"))
        self.pages(run)
        page = pypdfium2.PdfDocument("c.pdf")[0]
        text = page.get_textpage()
        boxes = [text.get_charbox(each) for each in range(text.count_chars())]
        assert min(box[0] for box in boxes) > 28
        assert max(box[2] for box in boxes) < page.get_width() - 28

    def test_before_anything_was_played_there_are_none(self, run: Run) -> None:
        cup(run)
        args = ("tournament", "export", "cup", "-o", "c.pdf", "--what", "certificates", "--json")
        assert refusal(run(*args))["kind"] == "export_kind"

    @staticmethod
    def pages(run: Run) -> list[str]:
        args = ("tournament", "export", "cup", "-o", "c.pdf", "--what", "certificates", "--json")
        document(run(*args))
        return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument("c.pdf")]


class TestWhatIsLacking:
    def test_a_score_that_was_taken_back_is_missed_everywhere(self, run: Run) -> None:
        cup(run, "--rounds", "3")
        for number in (1, 2):
            if number == 2:
                document(run("tournament", "pair", "cup", "--json"))
            file = write("p.csv", "player,points\nann,4\nbob,3\ncy,2\ndee,1\n")
            document(run("tournament", "enter", "cup", file, "--json"))
        log = document(run("tournament", "log", "cup", "--json"))["entries"]
        first = next(each["seq"] for each in log if each["event"]["type"] == "scores")
        document(run("tournament", "undo", "cup", str(first), "--why", "mixed up", "--json"))
        missing = document(run("tournament", "standings", "cup", "--json"))["missing"]
        assert [(each["round"], each["board"]) for each in missing] == [(1, 1)]
        assert "Missing in round 1" in run("tournament", "standings", "cup").stdout
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        assert document(run("tournament", "verify", "cup.json", "--json"))["missing"] == 1
        assert "not in yet" in run("tournament", "verify", "cup.json").stdout

    def test_standings_after_a_round_that_was_not_drawn(self, run: Run) -> None:
        cup(run)
        error = refusal(run("tournament", "standings", "cup", "--after", "99", "--json"))
        assert (error["kind"], error["advice"]) == ("round", "Give 0 to 1.")

    def test_a_bye_asked_for_after_the_draw(self, run: Run) -> None:
        cup(run)
        told = run("tournament", "bye", "cup", "ann", "1")
        assert "Draw again: ann has asked for a bye" in told.stdout
        for args in (("pair", "cup", "--start"), ("board", "cup", BOARD)):
            error = refusal(run("tournament", *args, "--json"))
            assert error["kind"] == "left_out"
        drawn = document(run("tournament", "pair", "cup", "--json"))["round"]
        assert drawn["unsettled"] == []
        assert document(run("tournament", "board", "cup", BOARD, "--json"))["round"]["started"]

    def test_a_score_that_the_log_takes_back_is_missing_and_no_forgery(self, run: Run) -> None:
        played(run)
        log = document(run("tournament", "log", "cup", "--json"))["entries"]
        last = [each["seq"] for each in log if each["event"]["type"] == "scores"][-1]
        document(run("tournament", "undo", "cup", str(last), "--why", "wrong", "--json"))
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        proof = document(run("tournament", "verify", "cup.json", "--json"))
        assert (proof["holds"], proof["missing"]) == (True, 1)

    def test_what_nothing_proves_is_found(self, run: Run) -> None:
        played(run)
        document(run("tournament", "export", "cup", "-o", "cup.json", "--json"))
        event = json.loads(Path("cup.json").read_text("utf-8"))
        event["winner"] = "dee"
        event["log"][0]["note"] = "by dee"
        event["results"]["best"] = "dee"
        write("forged.json", json.dumps(event))
        proof = document(
            run("tournament", "verify", "forged.json", "--json"), ExitCode.UNUSABLE_FILE
        )
        assert [each["kind"] for each in proof["findings"]] == ["form", "form", "results"]


class TestPromisesThatAreLost:
    def test_the_way_out_is_told(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "promise", "cup", "--given", BOARD, "--json"))
        Path("data/wordtray/tournaments/cup.promises").unlink()
        given = refusal(run("tournament", "board", "cup", OTHER, "--json"))
        error = refusal(run("tournament", "board", "cup", "--json"))
        assert (given["kind"], error["kind"]) == ("no_board", "no_board")
        entry = re.search(r"undo cup (\d+)", error["advice"])
        assert entry is not None
        document(run("tournament", "undo", "cup", entry[1], "--why", "lost", "--json"))
        assert document(run("tournament", "board", "cup", OTHER, "--json"))["round"]["started"]

    def test_the_promised_board_may_be_given(self, run: Run) -> None:
        cup(run)
        document(run("tournament", "promise", "cup", "--given", BOARD, "--json"))
        assert refusal(run("tournament", "board", "cup", OTHER, "--json"))["kind"] == "no_board"
        document(run("tournament", "board", "cup", BOARD, "--json"))
        assert tournaments.load("cup").state.rounds[0].boards[1, 0].salt is not None


class TestJudging:
    def test_one_verdict_for_a_play(self, run: Run) -> None:
        cup(run)
        args = ("tournament", "judge", "cup", "hey", "yeh", "qqq", "--json")
        assert document(run(*args)) == {
            "event": "cup", "good": False, "words": ["hey", "yeh", "qqq"],
        }  # fmt: skip
        each = document(run(*args, "--each"))
        assert each["words"] == {"hey": True, "yeh": True, "qqq": False}
        assert "qqq: no good" in run("tournament", "judge", "cup", "qqq", "--each").stdout
        assert "qqq" not in run("tournament", "judge", "cup", "hey", "qqq").stdout

    def test_it_changes_nothing(self, run: Run) -> None:
        cup(run)
        before = tournaments.load("cup")
        document(run("tournament", "judge", "cup", "hey", "--json"))
        assert tournaments.load("cup") == before


class TestRefusals:
    def test_photos_of_lists(self, run: Run) -> None:
        tables = cup(run)["round"]["tables"]
        document(run("tournament", "board", "cup", BOARD, "--json"))
        write("list.jpg", "a list")
        file = results("r.json", **dict.fromkeys(tables[0], "hey"))
        for photo, kind in (("list.jpg", "photo"), (f"{tables[1][0]}=list.jpg", "unknown_player")):
            args = ("tournament", "enter", "cup", file, "--photo", photo, "--json")
            assert refusal(run(*args))["kind"] == kind

    def test_a_player_in_two_files(self, run: Run) -> None:
        tables = cup(run)["round"]["tables"]
        files = [results(name, **dict.fromkeys(tables[0], "hey")) for name in ("a.json", "b.json")]
        assert refusal(run("tournament", "enter", "cup", *files, "--json"))["kind"] == "twice"

    def test_a_table_of_which_somebody_has_no_list(self, run: Run) -> None:
        tables = cup(run)["round"]["tables"]
        file = results("r.json", **{tables[0][0]: "hey"})
        error = refusal(run("tournament", "enter", "cup", file, "--json"))
        assert error["kind"] == "list_missing"
        assert tables[0][1] in error["message"]

    def test_lengths_that_are_no_numbers(self, run: Run) -> None:
        cup(run)
        file = write("p.csv", "player,points,lengths\nann,12,five\nbob,0,\ncy,0,\ndee,0,\n")
        result = run("tournament", "enter", "cup", file, "--json")
        assert refusal(result, ExitCode.UNUSABLE_FILE)["kind"] == "results"

    def test_pages_of_what_is_no_page(self, run: Run) -> None:
        cup(run)
        args = ("tournament", "export", "cup", "-o", "x.csv", "--what", "certificates", "--json")
        assert refusal(run(*args))["kind"] == "export_kind"

    def test_a_prize_twice(self, run: Run) -> None:
        prize = ("--prize", "Cup=1")
        args = ("tournament", "new", "cup", *prize, *prize, "--json")
        assert refusal(run(*args))["kind"] == "plan"

    def test_advice_fits_the_command(self, run: Run) -> None:
        cup(run)
        error = refusal(run("tournament", "promise", "cup", "--given", "ABC", "--json"))
        assert "--size" not in error["advice"]
        error = refusal(run("tournament", "board", "cup", BOARD, "--board", "9", "--json"))
        assert error["advice"] == "Give 1."

    def test_no_event_at_all(self, run: Run) -> None:
        assert "There is no event so far." in run("tournament", "list").stderr


class TestAnnouncing:
    def test_text_and_countdown(self, run: Run) -> None:
        cup(run)
        told = document(run("tournament", "announce", "cup", "Lunch", "--minutes", "30", "--json"))
        assert told["text"] == "Lunch"
        assert told["until"] > 1800
        assert "Announced: Tea" in run("tournament", "announce", "cup", "Tea").stdout
        assert "Taken down." in run("tournament", "announce", "cup", "--none").stdout

    def test_nothing_and_both_are_refused(self, run: Run) -> None:
        cup(run)
        for args in ((), ("Lunch", "--none"), ("x" * 201,)):
            assert refusal(run("tournament", "announce", "cup", *args, "--json"))["kind"] == (
                "notice"
            )
