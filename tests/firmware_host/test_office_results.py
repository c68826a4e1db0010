"""The desk's routes for challenges, corrections, the log, announcements and exports."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host import tournaments
from firmware_host.rounds import Announced
from firmware_host.station.orders import event_of
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournament_challenges import LASTS_S, Challenge, ChallengeFile, begun, ended
from firmware_host.tournament_desk import with_scores
from firmware_host.tournament_notice import Notice, announced
from firmware_host.tournament_office.office import Office
from firmware_host.tournament_office.routes_exports import FILES
from scoring.lexicon import builtin_lexicon
from scoring.match import RuleError
from scoring.tournament.document import event_document
from scoring.tournament.log import Log
from scoring.tournament.proof import verify
from tests.firmware_host.office import START, Desk, make_desk
from tests.firmware_host.office import event as enrolled

BOARD = "IETC/HQuPE/SEYH/TOER"
LISTS = {"ann": ["peyote", "hey"], "bob": ["toe", "tye"], "cy": ["toe"], "dee": ["yeti"]}
PLACE = {"round": 1, "board": 1}
AT_ONE = {**PLACE, "table": 1}


def event() -> Log:
    """A round of two tables with all lists, and its scores."""
    tables = [["ann", "bob"], ["cy", "dee"]]
    log = enrolled(*LISTS, rounds=2).play(
        5.0,
        {"type": "draw", "round": 1, "division": "main", "method": "manual", "tables": tables},
        {"type": "board", **PLACE, "table": 0, "shown": BOARD},
    )
    lists = [
        {"type": "lists", **PLACE, "table": n, "lists": {name: LISTS[name] for name in table}}
        for n, table in enumerate(tables, 1)
    ]
    return log.play(6.0, *with_scores(log.play(6.0, *lists), 1, 1, lists, None))


@dataclass
class Results:
    """A desk and what its referees ask of it."""

    desk: Desk

    @property
    def office(self) -> Office:
        return self.desk.office

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        who: str | None = "Dee",
        **more: Any,  # noqa: ANN401 - as of httpx
    ) -> httpx.Response:
        """What a referee asks; None has not signed in."""
        asking = self.desk.stranger() if who is None else self.desk.referee(who)
        return asking.ask(method, path, json=body, **more)

    def done(self, method: str, path: str, body: object = None, **more: Any) -> Any:  # noqa: ANN401
        """The document of what went well."""
        answer = self.ask(method, path, body, **more)
        assert answer.status_code in {200, 201, 204}, answer.text
        return answer.json() if answer.content else None

    def refused(self, path: str, body: object, status: int = 409) -> dict[str, Any]:
        """The problem of what did not; nothing was entered."""
        before = self.office.log.last_hash
        answer = self.ask("POST", path, body)
        assert answer.status_code == status, answer.text
        assert self.office.log.last_hash == before
        problem: dict[str, Any] = answer.json()
        assert problem["detail"]
        return problem

    @property
    def last(self) -> dict[str, Any]:
        """The last entry of the event."""
        return dict(self.office.log.entries[-1].event)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Results:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return Results(make_desk(event()))


@pytest.fixture
def station(desk: Results) -> Iterator[Results]:
    """A desk with a station."""
    desk.desk.station()
    yield desk
    desk.office.branch.close()


def proved(desk: Results) -> bool:
    """Whether the event holds."""
    return not verify(event_document(desk.office.log), builtin_lexicon()).findings


ROUTES = [
    ("GET", "/api/results/1/1/1"),
    ("POST", "/api/corrections/lists"),
    ("POST", "/api/corrections/scores"),
    ("POST", "/api/corrections/adjustments"),
    ("GET", "/api/log"),
    ("POST", "/api/log/1/undo"),
    ("POST", "/api/challenges"),
    ("DELETE", "/api/challenges/x"),
    ("POST", "/api/judgements"),
    ("POST", "/api/rulings"),
    ("POST", "/api/notices"),
    ("DELETE", "/api/notices"),
    ("GET", "/api/standings"),
    ("GET", "/api/exports/event.json"),
]


class TestWhoMay:
    @pytest.mark.parametrize(("method", "path"), ROUTES)
    def test_nobody_without_a_session(self, desk: Results, method: str, path: str) -> None:
        body: dict[str, Any] | None = {} if method == "POST" else None
        assert desk.ask(method, path, body, who=None).status_code == 401

    @pytest.mark.parametrize(("method", "path"), [route for route in ROUTES if route[0] != "GET"])
    def test_no_page_of_another_site(self, desk: Results, method: str, path: str) -> None:
        headers = {"origin": "http://elsewhere.example"}
        answer = desk.ask(method, path, {} if method == "POST" else None, headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (403, "origin")


class TestResults:
    def test_a_table_is_told_word_by_word(self, desk: Results) -> None:
        told = desk.done("GET", "/api/results/1/1/1")
        assert told["shown"] == BOARD
        ann, bob = told["players"]
        assert (ann["name"], ann["lines"]) == ("ann", ["peyote", "hey"])
        assert {word["word"]: word["verdict"] for word in bob["words"]} == {
            "toe": "scored", "tye": "not_on_board",
        }  # fmt: skip
        assert ann["points"] == sum(word["points"] for word in ann["words"])
        assert told["mark"] > 0

    @pytest.mark.parametrize("path", ["2/1/1", "1/2/1", "1/1/3"])
    def test_what_is_not_there_is_told(self, desk: Results, path: str) -> None:
        assert desk.ask("GET", f"/api/results/{path}").status_code == 409


class TestCorrections:
    def test_a_list_is_looked_at_first_and_then_replaced(self, desk: Results) -> None:
        mark = desk.done("GET", "/api/results/1/1/1")["mark"]
        asked = {**AT_ONE, "lists": {"bob": ["peyote", "yeti"]}, "why": "misread", "mark": mark}
        before = desk.office.log.last_hash
        shown = desk.done("POST", "/api/corrections/lists", {**asked, "preview": True})
        assert (shown["entered"], desk.office.log.last_hash) == (False, before)
        done = desk.done("POST", "/api/corrections/lists", asked)
        assert done == {**shown, "entered": True}
        ann = next(each for each in done["changes"] if each["name"] == "ann")
        assert ann["before"]["points"] > ann["after"]["points"]
        assert [why["round"] for why in ann["why"]] == [1]
        assert ann["why"][0]["before"] != ann["why"][0]["after"]
        assert (desk.last["type"], desk.last["noted_by"]) == ("scores", "Dee")
        assert proved(desk)

    def test_what_is_there_is_replaced_only_with_a_reason(self, desk: Results) -> None:
        asked = {**AT_ONE, "lists": {"bob": ["yeti"]}}
        for preview in (True, False):
            problem = desk.refused("/api/corrections/lists", {**asked, "preview": preview})
            assert problem["type"] == "no_reason"

    def test_who_looked_before_somebody_else_corrected_it_looks_again(self, desk: Results) -> None:
        mark = desk.done("GET", "/api/results/1/1/1")["mark"]
        asked = {**AT_ONE, "lists": {"bob": ["yeti"]}, "why": "misread", "mark": mark}
        desk.done("POST", "/api/corrections/lists", asked, who="Bo")
        problem = desk.refused("/api/corrections/lists", asked)
        assert problem["type"] == "changed_meanwhile"
        assert "Bo" in problem["detail"]
        of_two = {**PLACE, "table": 2, "lists": {"cy": ["yeti"]}, "why": "misread", "mark": 0}
        of_two["mark"] = desk.done("GET", "/api/results/1/1/2")["mark"]
        desk.done("POST", "/api/corrections/lists", of_two)

    def test_an_entry_that_was_taken_back_is_news_too(self, desk: Results) -> None:
        adjusted = {"round": 1, "player": "ann", "points": 1, "why": "x"}
        ruled = {**PLACE, "of": "bob", "by": "ann", "words": ["tye"], "why": "late"}
        desk.done("POST", "/api/corrections/adjustments", adjusted)
        before = desk.done("GET", "/api/results/1/1/1")["mark"]
        entry = desk.done("POST", "/api/rulings", ruled)["entries"][0]
        between = desk.done("GET", "/api/results/1/1/1")["mark"]
        desk.done("POST", f"/api/log/{entry}/undo", {"why": "wrong word"})
        assert before < between < desk.done("GET", "/api/results/1/1/1")["mark"]

    def test_a_table_of_its_own_tray_gets_its_board_and_lists_at_once(self, desk: Results) -> None:
        tables = [["ann", "cy"], ["bob", "dee"]]
        draw = {"type": "draw", "round": 2, "division": "main", "method": "manual"}
        with desk.office.event.opened(50.0) as opened:
            opened.play({**draw, "tables": tables})
        asked = {"round": 2, "board": 1, "table": 1, "lists": {"ann": ["hey"], "cy": []}}
        assert desk.refused("/api/corrections/lists", asked)["type"] == "no_board"
        desk.done("POST", "/api/corrections/lists", {**asked, "shown": BOARD})
        assert desk.done("GET", "/api/results/2/1/1")["players"][1]["points"] == 0
        assert proved(desk)

    def test_points_are_entered_for_a_table_without_lists(self, desk: Results) -> None:
        asked = {**AT_ONE, "points": {"ann": 7, "bob": 1}, "why": "lists were lost"}
        assert desk.refused("/api/corrections/scores", asked)["type"] == "lists_in"
        draw = {"type": "draw", "round": 2, "division": "main", "method": "manual"}
        with desk.office.event.opened(50.0) as opened:
            opened.play({**draw, "tables": [["ann", "cy"], ["bob", "dee"]]})
        asked = {"round": 2, "board": 1, "table": 2, "points": {"bob": 4, "dee": 9}}
        done = desk.done("POST", "/api/corrections/scores", asked)
        assert {each["name"] for each in done["changes"]} >= {"bob", "dee"}
        assert desk.done("GET", "/api/results/2/1/2")["entered"]
        short = {**asked, "points": {"bob": 4}, "why": "x"}
        assert desk.refused("/api/corrections/scores", short)["type"] == "score_missing"

    def test_an_adjustment_is_explained(self, desk: Results) -> None:
        asked = {"round": 1, "player": "cy", "points": -3, "why": "late"}
        done = desk.done("POST", "/api/corrections/adjustments", asked)
        (cy,) = [each for each in done["changes"] if each["name"] == "cy"]
        assert "-3 (late)" in cy["why"][0]["after"]
        for wrong in ({**asked, "points": 0}, {**asked, "why": " "}, {**asked, "player": "eve"}):
            desk.refused("/api/corrections/adjustments", wrong)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"lists": {}},
            {"lists": {"ann": "toe"}},
            {"lists": {"ann": ["x" * 500]}},
            {"round": 0},
            {"why": "x" * 5000},
        ],
    )
    def test_what_is_of_no_form_is_refused(self, desk: Results, wrong: dict[str, Any]) -> None:
        asked = {**AT_ONE, "lists": {"bob": ["yeti"]}, "why": "misread", **wrong}
        desk.refused("/api/corrections/lists", asked, 422)


class TestTheLog:
    def test_it_tells_who_when_and_why_the_last_one_first(self, desk: Results) -> None:
        asked = {"round": 1, "player": "cy", "points": -3, "why": "late"}
        desk.done("POST", "/api/corrections/adjustments", asked, who="Bo")
        told = desk.done("GET", "/api/log?count=2")
        last, before = told["entries"]
        assert (last["type"], last["who"], last["why"], last["at"]) == (
            "adjust", "Bo", "late", START,
        )  # fmt: skip
        assert last["about"] == {"round": 1, "player": "cy", "points": -3}
        assert (before["type"], before["players"]) == ("scores", ["cy", "dee"])
        rest = desk.done("GET", f"/api/log?before={before['seq']}&count=200")["entries"]
        assert [each["seq"] for each in rest] == list(range(before["seq"] - 1, 0, -1))
        assert told["count"] == last["seq"]
        assert "peyote" not in json.dumps(rest)

    def test_an_entry_is_taken_back_and_marked(self, desk: Results) -> None:
        asked = {"round": 1, "player": "cy", "points": -3, "why": "late"}
        (entry,) = desk.done("POST", "/api/corrections/adjustments", asked)["entries"]
        path = f"/api/log/{entry}/undo"
        shown = desk.done("POST", path, {"why": "was in time", "preview": True})
        assert [each["name"] for each in shown["changes"]]
        assert desk.office.log.entries[-1].seq == entry
        assert desk.done("POST", path, {"why": "was in time"}) == {**shown, "entered": True}
        undone, taken = desk.done("GET", "/api/log?count=2")["entries"]
        assert (undone["type"], undone["about"]) == ("undo", {"of": entry})
        assert (taken["seq"], taken["taken_back"]) == (entry, True)
        assert desk.refused(path, {"why": "again"})["type"] == "undo"
        assert desk.refused("/api/log/2/undo", {"why": "x"})["type"] == "undo"
        assert desk.refused("/api/log/999/undo", {"why": "x"})["type"] == "undo"
        assert desk.refused(path, {"why": " "})["type"] == "no_reason"

    def test_who_takes_a_ruling_back_gets_the_scores_of_before(self, desk: Results) -> None:
        before = desk.done("GET", "/api/results/1/1/1")["players"]
        ruled = {**PLACE, "of": "bob", "words": ["toe"], "why": "read twice"}
        done = desk.done("POST", "/api/rulings", ruled)
        assert desk.done("GET", "/api/results/1/1/1")["players"] != before
        desk.done("POST", f"/api/log/{done['entries'][0]}/undo", {"why": "it was one word"})
        assert desk.done("GET", "/api/results/1/1/1")["players"] == before
        assert proved(desk)


CHALLENGED = {**PLACE, "of": "bob", "by": "ann", "words": ["tye"]}


class TestChallenges:
    def test_a_clock_is_seen_by_all_and_withdrawn_by_any(self, desk: Results) -> None:
        begun_ = desk.done("POST", "/api/challenges", {**CHALLENGED, "seconds": 30})
        assert (begun_["table"], begun_["begun"], begun_["referee"]) == (1, START, "Dee")
        assert desk.done("GET", "/api/desk", who="Bo")["challenges"]["running"] == [begun_]
        problem = desk.refused("/api/challenges", CHALLENGED)
        assert problem["type"] == "challenge_runs"
        assert "Dee" in problem["detail"]
        desk.done("DELETE", f"/api/challenges/{begun_['id']}", who="Bo")
        assert desk.done("GET", "/api/desk")["challenges"]["running"] == []
        assert desk.ask("DELETE", f"/api/challenges/{begun_['id']}").status_code == 409

    def test_of_a_set_one_verdict_is_told_and_nothing_is_entered(self, desk: Results) -> None:
        before = desk.office.log.last_hash
        asked = {**PLACE, "of": "bob", "words": ["toe", "zzz"]}
        assert desk.done("POST", "/api/judgements", asked) == {"good": False, "words": None}
        told = desk.done("POST", "/api/judgements", {**asked, "mode": "each"})
        assert {each["word"]: each["good"] for each in told["words"]} == {
            "toe": True, "zzz": False,
        }  # fmt: skip
        off = desk.done("POST", "/api/judgements", {**asked, "words": ["quiz"], "mode": "each"})
        assert off["words"][0] | {"word": ""} == {
            "word": "", "good": False, "in_lexicon": True, "on_board": False,
        }  # fmt: skip
        assert desk.office.log.last_hash == before

    def test_a_ruling_is_shown_first_then_entered_and_ends_the_clock(self, desk: Results) -> None:
        clock = desk.done("POST", "/api/challenges", CHALLENGED)
        ruled = {**PLACE, "of": "bob", "words": ["toe"], "challenge": clock["id"], "why": "late"}
        shown = desk.done("POST", "/api/rulings", {**ruled, "preview": True})
        assert desk.done("GET", "/api/desk")["challenges"]["running"] == [clock]
        done = desk.done("POST", "/api/rulings", ruled)
        assert done == {**shown, "entered": True}
        assert desk.done("GET", "/api/desk")["challenges"]["running"] == []
        words = desk.done("GET", "/api/results/1/1/1")["players"][1]["words"]
        assert words[0]["verdict"] != "scored"
        assert desk.refused("/api/rulings", ruled)["type"] == "challenged"
        assert proved(desk)

    def test_a_ruling_stands_though_its_clock_was_withdrawn(self, desk: Results) -> None:
        ruled = {**CHALLENGED, "challenge": "gone", "why": "late"}
        assert desk.done("POST", "/api/rulings", ruled)["entered"]
        assert desk.done("GET", "/api/results/1/1/1")["calls"] == [
            {"word": "tye", "of": "bob", "by": "ann"}
        ]

    @pytest.mark.parametrize(
        ("path", "wrong", "status"),
        [
            ("challenges", {"of": "eve"}, 409),
            ("challenges", {"board": 2}, 409),
            ("challenges", {"seconds": 1}, 422),
            ("judgements", {"words": []}, 422),
            ("judgements", {"of": "eve"}, 409),
            ("rulings", {"words": ["zzz"], "why": "x"}, 409),
            ("rulings", {"by": "bob", "why": "x"}, 409),
            ("rulings", {}, 409),
        ],
    )
    def test_what_cannot_be_challenged_is_told(
        self, desk: Results, path: str, wrong: dict[str, Any], status: int
    ) -> None:
        desk.refused(f"/api/{path}", {**CHALLENGED, **wrong}, status)

    def test_a_desk_that_is_begun_anew_goes_on_with_the_clock(self, desk: Results) -> None:
        clock = desk.done("POST", "/api/challenges", CHALLENGED)
        assert [each.document for each in ChallengeFile("spring").running()] == [clock]
        (tournaments.beside("spring", "challenges")).write_text("[{]")
        assert ChallengeFile("spring").running() == ()

    def test_clocks_that_nobody_stopped_are_forgotten(self) -> None:
        first = Challenge("a", 1, 1, 1, "bob", "ann", (), 0.0, 60.0, "Dee")
        later = Challenge("b", 1, 1, 1, "ann", "bob", (), 61.0 + LASTS_S, 60.0, "Dee")
        assert begun((first,), later) == (later,)
        assert ended((first, later), "a") == (later,)
        with pytest.raises(RuleError, match="over"):
            ended((first,), "b")


class TestNotices:
    def test_the_hall_reads_it_until_it_is_taken_down(self, desk: Results) -> None:
        told = desk.done("POST", "/api/notices", {"text": " Lunch ", "minutes": 2})
        assert told == {"notice": {"text": "Lunch", "until": START + 120}, "tables": None}
        assert announced("spring") == Notice("Lunch", START + 120)
        assert desk.done("GET", "/api/desk")["notices"] == told
        assert desk.done("DELETE", "/api/notices")["notice"] is None

    def test_without_a_station_no_table_is_told_and_nothing_is_up(self, desk: Results) -> None:
        problem = desk.refused("/api/notices", {"text": "Lunch", "tables": []})
        assert problem["type"] == "no_station"
        assert announced("spring") is None

    def test_the_tables_are_told_with_the_moment(self, station: Results) -> None:
        told = station.done("POST", "/api/notices", {"text": "Soon", "minutes": 1, "tables": []})
        assert told["tables"] == {"given": 2, "done": 0, "behind": ["1", "2"]}
        given = station.office.base().orders()
        assert [event_of(each.order, 10.0) for each in given] == [
            Announced("Soon", START - 10, until=START + 50)
        ] * 2
        station.office.base().answer([Answer(given[0].order.id, Outcome.DONE, "", START)])
        tables = station.done("GET", "/api/desk")["notices"]["tables"]
        assert tables == {"given": 2, "done": 1, "behind": ["2"]}
        station.done("DELETE", "/api/notices")
        last = station.office.base().orders()[-1]
        assert event_of(last.order, 0.0) == Announced("", START)

    def test_to_one_table_alone(self, station: Results) -> None:
        station.done("POST", "/api/notices", {"text": "Hush", "hall": False, "tables": [2]})
        assert [each.tray for each in station.office.base().orders()] == ["2"]
        assert announced("spring") is None
        wrong = {"text": "Hush", "tables": [9]}
        assert station.refused("/api/notices", wrong)["type"] == "table"

    @pytest.mark.parametrize("wrong", [{"text": ""}, {"text": "x" * 201}, {"minutes": -1}])
    def test_what_is_no_announcement_is_refused(self, desk: Results, wrong: dict[str, Any]) -> None:
        desk.refused("/api/notices", {"text": "Lunch", **wrong}, 422)

    def test_only_signs_that_nobody_sees(self, desk: Results) -> None:
        assert desk.refused("/api/notices", {"text": "  "})["type"] == "notice"


class TestExports:
    def test_standings_with_how_a_rank_came_about(self, desk: Results) -> None:
        told = desk.done("GET", "/api/standings?explain=ann")
        assert told["standings"]["main"][0]["rank"] == 1
        assert any(line.startswith("round 1, table 1") for line in told["explained"])
        assert desk.done("GET", "/api/standings?after=0")["rounds"] == 0
        for wrong in ("after=5", "explain=eve"):
            assert desk.ask("GET", f"/api/standings?{wrong}").status_code == 409

    @pytest.mark.parametrize("file", FILES)
    def test_each_file_is_what_it_is_called(self, desk: Results, file: str) -> None:
        answer = desk.ask("GET", f"/api/exports/{file}")
        assert answer.status_code == 200, answer.text
        assert f'filename="spring-{file}"' in answer.headers["content-disposition"]
        match Path(file).suffix:
            case ".pdf":
                assert answer.content.startswith(b"%PDF")
            case ".csv":
                assert len(list(csv.DictReader(io.StringIO(answer.text)))) == 4
            case ".json":
                assert answer.json() == event_document(desk.office.log)
            case ".zip":
                with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                    assert "event.json" in archive.namelist()

    def test_what_is_not_there_is_told(self, desk: Results) -> None:
        assert desk.ask("GET", "/api/exports/passwd").status_code == 404
        files = desk.done("GET", "/api/desk")["exports"]["files"]
        assert set(files) == set(FILES)
