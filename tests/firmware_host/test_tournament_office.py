"""The desk of a tournament: who may work there, and what several who do get of one another."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from firmware_host import tournaments
from firmware_host.files import locked
from firmware_host.station.base import default_url, open_base
from firmware_host.station.wire import Outcome
from firmware_host.store.errors import StorageError
from firmware_host.tournament_checkin import Roll, Tick
from firmware_host.tournament_office.office import COOKIE
from firmware_host.tournament_office.opening import opened
from firmware_host.tournament_office.pulse import SILENT_S, Pulse
from firmware_host.tournament_office.starts import LOOKS, NONE_STARTED
from firmware_host.web.sessions import LASTS_S, Role, Sessions
from scoring.tournament.log import EventError
from tests.firmware_host.office import (
    PIN,
    START,
    Desk,
    Referee,
    answer_all,
    event,
    make_desk,
    show_tables,
)

FOUR = ("ann", "bob", "cy", "dee")


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "wordtray/tournaments"


@pytest.fixture
def desk() -> Desk:
    return make_desk(event(*FOUR))


@pytest.fixture
def bo(desk: Desk) -> Referee:
    return desk.referee("Bo")


def drawn(desk: Desk) -> Referee:
    """Somebody at the desk, who has drawn the tables."""
    bo = desk.referee("Bo")
    bo.done("/api/round/draw")
    return bo


def names(bo: Referee) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in bo.get("/api/players").json()["players"]}


class TestTheDoor:
    def test_a_stranger_gets_the_page_and_nothing_of_the_desk(self, desk: Desk) -> None:
        stranger = desk.stranger()
        paths = desk.app.openapi()["paths"]
        asked = {(method.upper(), path) for path, methods in paths.items() for method in methods}
        open_to_all = {(method, "/api/session") for method in ("GET", "POST", "DELETE")}
        assert open_to_all < asked
        assert stranger.get("/").status_code == 200
        for method, path in sorted(asked - open_to_all):
            answer = stranger.ask(method, path)
            assert answer.status_code == 401, (method, path)

    def test_who_has_the_pin_and_a_name_works_here(self, desk: Desk) -> None:
        somebody = desk.stranger()
        assert somebody.get("/api/session").json()["role"] is None
        answer = somebody.post("/api/session", pin=PIN, name=" Bo ")
        assert (answer.json()["role"], answer.json()["name"]) == ("referee", "Bo")
        given = answer.headers["set-cookie"].lower()
        assert "httponly" in given
        assert "samesite=strict" in given
        assert somebody.state()["me"] == "Bo"

    def test_a_wrong_pin_and_no_name_are_refused_and_guesses_cost_time(self, desk: Desk) -> None:
        somebody = desk.stranger()
        assert somebody.refused("/api/session", pin="000000", name="Bo") == (403, "pin")
        assert somebody.refused("/api/session", pin=PIN, name="") == (422, "not_valid")
        assert somebody.refused("/api/session", pin=PIN, name="a=b") == (422, "name")
        for _ in range(3):
            somebody.post("/api/session", pin="000000", name="Bo")
        late = somebody.post("/api/session", pin=PIN, name="Bo")
        assert late.status_code == 429
        assert float(late.headers["retry-after"]) > 0

    def test_other_sites_and_other_names_are_refused(self, bo: Referee) -> None:
        foreign = {"origin": "http://evil.example"}
        answer = bo.ask("POST", "/api/round/draw", json={}, headers=foreign)
        assert (answer.status_code, answer.json()["type"]) == (403, "origin")
        assert bo.get("/api/desk", host="evil.example").status_code == 421

    def test_sessions_of_others_are_none_here(self, desk: Desk) -> None:
        tray = Sessions("another secret", desk.clock.monotonic)
        player = desk.office.sessions
        for cookie in (
            tray.written(tray.new(Role.REFEREE, "Bo")),
            player.written(player.new(Role.PLAYER, "ann")),
            "nonsense",
        ):
            somebody = desk.stranger()
            somebody.cookies[COOKIE] = cookie
            assert somebody.get("/api/desk").status_code == 401

    def test_who_signs_out_is_out_with_a_copied_cookie_too(self, bo: Referee) -> None:
        copied = dict(bo.cookies)
        assert bo.ask("DELETE", "/api/session").status_code == 204
        bo.cookies = copied
        assert bo.get("/api/desk").status_code == 401

    def test_a_session_ends_by_itself(self, desk: Desk, bo: Referee) -> None:
        desk.clock.sleep(LASTS_S[Role.REFEREE] + 1)
        assert bo.get("/api/desk").status_code == 401

    def test_the_page_is_there_in_each_language(self, desk: Desk) -> None:
        for language in ("en", "de", "fr", "es", "it"):
            answer = desk.stranger().get(f"/?lang={language}")
            assert answer.status_code == 200
            assert f'lang="{language}"' in answer.text
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "tournament desk spring --new-pin" in answer.text


class TestThePin:
    def test_it_is_made_once_and_kept_hashed(self, data: Path) -> None:
        tournaments.create("cup", event())
        first, pin = opened("cup", None)
        again, none = opened("cup", None)
        file = data / "cup.desk"
        assert pin is not None
        assert none is None
        assert first.access == again.access
        assert first.access.role_of(pin) is Role.REFEREE
        assert file.stat().st_mode & 0o777 == 0o600
        assert pin not in file.read_text()
        assert set(first.access.pins) == {Role.REFEREE}

    def test_a_new_one_ends_every_session(self) -> None:
        tournaments.create("cup", event())
        first, pin = opened("cup", None)
        second, other = opened("cup", None, new_pin=True)
        assert other not in {None, pin}
        session = first.sessions.new(Role.REFEREE, "Bo")
        assert second.sessions.read(first.sessions.written(session)) is None

    def test_what_others_may_read_is_told_with_what_to_do(self, data: Path) -> None:
        tournaments.create("cup", event())
        opened("cup", None)
        (data / "cup.desk").chmod(0o644)
        with pytest.raises(StorageError) as raised:
            opened("cup", None)
        assert "tournament desk cup --new-pin" in raised.value.advice


class TestTheState:
    def test_it_is_sent_again_only_when_something_changed(self, desk: Desk, bo: Referee) -> None:
        first = bo.get("/api/desk")
        tag = first.headers["etag"]
        desk.clock.sleep(30)
        assert bo.get("/api/desk", **{"if-none-match": tag}).status_code == 304
        with tournaments.opened("spring", 10.0) as opened_event:
            opened_event.play({"type": "enrol", "player": "eve"})
        after = bo.get("/api/desk", **{"if-none-match": tag})
        assert after.status_code == 200
        assert after.json()["event"]["players"] == 5
        assert after.json()["now"] == START + 30

    def test_without_a_station_the_rest_works(self, bo: Referee) -> None:
        state = bo.state()
        assert state["tables"] == {"station": False, "silent": False, "tables": []}
        assert state["rounds"]["orders"] == []
        bo.done("/api/round/draw")
        for path, more in (("seat", {}), ("start", {}), ("time", {"seconds": 9.0}), ("cancel", {})):
            assert bo.refused(f"/api/orders/{path}", **more) == (409, "no_station")

    def test_a_dead_database_is_told_and_the_rest_works(self, desk: Desk, data: Path) -> None:
        bo = drawn(desk)
        desk.station()
        (data / "spring.station.db").write_bytes(b"no database at all, but long enough" * 99)
        state = bo.state()
        assert "spring.station.db" in state["tables"]["trouble"]
        assert state["event"]["players"] == 4
        assert bo.refused("/api/orders/seat") == (503, "storage")
        bo.done("/api/players", player="eve")

    def test_a_database_of_another_tournament_is_told(self, desk: Desk, data: Path) -> None:
        tournaments.create("autumn", event())
        with open_base(default_url("autumn"), "autumn"):
            pass
        (data / "autumn.station.db").rename(data / "spring.station.db")
        answer = desk.referee().get("/api/desk")
        assert (answer.status_code, answer.json()["type"]) == (409, "database")

    def test_an_event_that_cannot_be_read_is_told(self, bo: Referee, data: Path) -> None:
        file = data / "spring.tournament"
        file.write_bytes(file.read_bytes().replace(b"ann", b"annn"))
        answer = bo.get("/api/desk")
        assert answer.json()["type"] == "event_file"
        assert not answer.is_success


class TestPlayers:
    def test_who_is_enrolled_is_there_and_it_says_who_did_it(self, desk: Desk, bo: Referee) -> None:
        told = bo.done("/api/players", player="Eve Lee", rating=1200, team="Reds")
        eve = names(bo)["Eve Lee"]
        assert (eve["rating"], eve["team"], eve["division"]) == (1200, "Reds", "main")
        entry = desk.log.entries[-1]
        assert (entry.seq, entry.event["noted_by"]) == (told["entry"], "Bo")

    def test_what_breaks_a_rule_is_refused(self, desk: Desk, bo: Referee) -> None:
        entries = len(desk.log.entries)
        assert bo.refused("/api/players", player="ANN") == (409, "enrolled")
        assert bo.refused("/api/players", player="eve", division="B") == (409, "division")
        assert bo.refused("/api/players", player="") == (422, "not_valid")
        assert bo.refused("/api/players/status", player="zoe", does="withdraw") == (
            409, "unknown_player",
        )  # fmt: skip
        assert bo.refused("/api/players/status", player="ann", does="suspend") == (409, "no_reason")
        assert bo.refused("/api/players/bye", player="ann", round=9) == (409, "round")
        assert len(desk.log.entries) == entries

    def test_only_what_is_given_is_changed(self, bo: Referee) -> None:
        bo.ask("PUT", "/api/players", json={"player": "ann", "rating": 900, "team": "Reds"})
        bo.ask("PUT", "/api/players", json={"player": "ann", "shown": "Ann of Kiel"})
        ann = names(bo)["ann"]
        assert (ann["rating"], ann["team"], ann["shown"]) == (900, "Reds", "Ann of Kiel")

    def test_players_leave_and_return(self, bo: Referee) -> None:
        bo.done("/api/players/status", player="ann", does="withdraw")
        bo.done("/api/players/status", player="bob", does="suspend", why="a phone")
        assert (names(bo)["ann"]["status"], names(bo)["bob"]["status"]) == (
            "withdrawn", "suspended",
        )  # fmt: skip
        bo.done("/api/players/status", player="ann", does="return")
        bo.done("/api/players/bye", player="ann", round=2)
        assert (names(bo)["ann"]["status"], names(bo)["ann"]["byes"]) == ("active", [2])

    def test_a_slip_is_taken_back(self, desk: Desk, bo: Referee) -> None:
        told = bo.done("/api/players", player="eve")
        undo = f"/api/log/{told['entry']}/undo"
        assert bo.refused(undo, why=" ") == (409, "no_reason")
        bo.done(undo, why="twice")
        assert "eve" not in names(bo)
        assert desk.log.entries[-1].event["noted_by"] == "Bo"
        assert bo.refused(undo, why="again") == (409, "undo")

    def test_what_others_rest_on_is_not_taken_back(self, desk: Desk) -> None:
        assert drawn(desk).refused("/api/log/1/undo", why="a slip") == (409, "undo")


class TestFilesOfPlayers:
    PATH = "/api/players/file"

    def send(self, bo: Referee, data: bytes, query: str = "") -> Any:  # noqa: ANN401 - JSON
        kind = {"content-type": "application/octet-stream"}
        return bo.ask("POST", f"{self.PATH}?name=list.csv&{query}", content=data, headers=kind)

    def test_one_is_looked_at_then_enrolled(self, bo: Referee) -> None:
        data = "name;rating;team\nEve;1200;Reds\n\nZoë;;\n".encode()
        seen = self.send(bo, data).json()
        assert [each["name"] for each in seen["players"]] == ["Eve", "Zoë"]
        assert not seen["kept"]
        assert "Eve" not in names(bo)
        assert self.send(bo, data, "keep=true").json()["kept"]
        assert names(bo)["Eve"]["rating"] == 1200

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            (b"name,rating\nEve,much\n", "players"),
            (b"name,elo\nEve,3\n", "columns"),
            (b"name\n", "players"),
            (b"name\nEve\nann\n", "enrolled"),
            (b"name\nE\xff\xfeve\n", "file"),
        ],
        ids=["no rating", "a strange column", "nobody", "somebody twice", "no text"],
    )
    def test_one_that_does_not_do_enrols_nobody(self, bo: Referee, text: bytes, kind: str) -> None:
        answer = self.send(bo, text, "keep=true")
        assert (answer.status_code, answer.json()["type"]) == (409, kind)
        assert set(names(bo)) == set(FOUR)

    def test_one_of_another_kind_or_too_large_is_refused(self, bo: Referee) -> None:
        assert bo.refused(self.PATH) == (415, "media_type")
        assert self.send(bo, b"name\n" + b"x" * 8_000_000).status_code == 413


class TestCheckIn:
    def test_who_is_not_there_sits_at_no_table(self, desk: Desk, bo: Referee) -> None:
        bo.done("/api/checkin", players=["ann"], here=False)
        bo.done("/api/checkin", players=["bob", "cy"], here=True)
        assert bo.state()["players"] | {"ticks": []} == {
            "here": 2, "absent": 1, "unknown": 1, "ticks": [],
        }  # fmt: skip
        assert names(bo)["ann"]["ticked_by"] == "Bo"
        told = bo.done("/api/round/draw")
        assert [each["kind"] for each in told["remarks"]] == ["absent"]
        assert desk.log.state.rounds[0].draws["main"].absent == ("ann",)

    def test_who_was_ticked_off_meanwhile_stays_so_where_all_others_are_there(
        self, bo: Referee
    ) -> None:
        bo.done("/api/checkin", players=["ann"], here=False)
        bo.done("/api/checkin", players=["ann", "bob"], here=True, again=False)
        assert [names(bo)[name]["here"] for name in ("ann", "bob")] == [False, True]

    def test_on_wish_who_was_not_ticked_off_does_neither(self, desk: Desk, bo: Referee) -> None:
        bo.done("/api/checkin", players=["bob", "cy"], here=True)
        bo.done("/api/round/draw", strict=True)
        assert desk.log.state.rounds[0].draws["main"].absent == ("ann", "dee")

    def test_tables_that_do_not_fit_who_is_there_do_not_start(self, desk: Desk) -> None:
        bo = drawn(desk)
        bo.done("/api/checkin", players=["ann"], here=False)
        assert "ann is not there, and sits at table" in bo.state()["rounds"]["unsettled"][0]
        assert bo.refused("/api/round/start") == (409, "left_out")
        bo.done("/api/round/draw")
        bo.done("/api/checkin", players=["ann"], here=True)
        assert bo.state()["rounds"]["unsettled"] == ["ann is there, and sits nowhere"]
        bo.done("/api/round/draw")
        bo.done("/api/round/start")

    def test_a_tick_is_taken_back_and_stands_through_rounds(self, desk: Desk, bo: Referee) -> None:
        bo.done("/api/checkin", players=["ann"], here=False)
        bo.done("/api/checkin", players=["ann"], here=None)
        assert names(bo)["ann"]["here"] is None
        assert Roll("spring").ticks() == {}
        bo.done("/api/checkin", players=["bob"], here=True)
        assert Roll("spring").ticks() == {
            "bob": Tick(here=True, by="Bo", at=desk.clock.monotonic())
        }

    def test_strangers_are_refused(self, bo: Referee) -> None:
        assert bo.refused("/api/checkin", players=["zoe"], here=True) == (409, "unknown_player")
        assert bo.refused("/api/checkin", players=[], here=True) == (422, "not_valid")

    @pytest.mark.parametrize("text", ["{", "[]", '{"ann": {"here": true}}', '{"ann": 3}'])
    def test_a_damaged_file_is_told(self, desk: Desk, data: Path, text: str) -> None:
        (data / "spring.checkin").write_text(text)
        with pytest.raises(EventError, match="who is there"):
            desk.office.roll.ticks()
        assert not desk.referee().get("/api/desk").is_success


class TestRounds:
    def test_tables_are_drawn_again_until_the_round_starts(self, desk: Desk) -> None:
        bo = drawn(desk)
        seen = bo.get("/api/round").json()
        assert (seen["next"], seen["round"]["started"]) == (1, False)
        assert seen["draws"][0]["entry"] == len(desk.log.entries)
        bo.done("/api/round/draw", method="random")
        told = bo.done("/api/round/start")
        assert desk.log.entries[told["entry"] - 1].event["type"] == "start"
        assert bo.refused("/api/round/draw") == (409, "not_complete")

    def test_the_next_needs_all_scores_of_the_one_before(self, desk: Desk) -> None:
        bo = drawn(desk)
        bo.done("/api/round/start")
        place = {"round": 1, "board": 1}
        with desk.office.event.opened(9.0) as opened_event:
            for table, players in desk.log.state.rounds[0].tables.items():
                scores = {name: {"points": len(name)} for name in players}
                opened_event.play(
                    {"type": "scores", **place, "table": table, "scores": scores, "entered": True}
                )
        bo.done("/api/round/draw")
        assert bo.get("/api/round").json()["next"] == 2

    def test_what_cannot_be_drawn_is_refused(self, bo: Referee) -> None:
        assert bo.refused("/api/round/start") == (409, "round")
        assert bo.refused("/api/round/draw", method="balanced") == (409, "plan")
        assert bo.refused("/api/round/draw", method="dice") == (422, "not_valid")
        assert bo.refused("/api/round/draw", division="B") == (409, "division")

    def test_where_nobody_is_enrolled_nothing_is_drawn(self) -> None:
        desk = make_desk(event(), "empty")
        assert desk.referee().refused("/api/round/draw") == (409, "players")

    def test_by_hand_it_is_told_what_is_odd_before_it_is_kept(self, desk: Desk) -> None:
        bo = drawn(desk)
        entry = len(desk.log.entries)
        tables = {"division": "main", "tables": [["ann", "bob", "cy"], ["dee"]], "over": entry}
        seen = bo.done("/api/round/tables", **tables)
        assert [each["kind"] for each in seen["remarks"]] == ["size"]
        assert len(desk.log.entries) == entry
        bo.done("/api/round/tables", **tables, keep=True)
        draw = desk.log.state.rounds[0].draws["main"]
        assert (draw.tables, draw.byes, draw.method) == (
            (("ann", "bob", "cy"),), ("dee",), "manual",
        )  # fmt: skip

    def test_by_hand_everybody_sits_once(self, desk: Desk) -> None:
        bo = drawn(desk)
        over = len(desk.log.entries)
        for tables, kind in (
            ([["ann", "bob"]], "left_out"),
            ([["ann", "bob"], ["cy", "dee"], ["ann"]], "twice"),
            ([["ann", "bob"], ["cy", "dee", "zoe"]], "unknown_player"),
        ):
            asked = {"division": "main", "tables": tables, "over": over}
            assert bo.refused("/api/round/tables", **asked) == (409, kind)

    def test_a_board_is_promised_and_shown(self, desk: Desk) -> None:
        bo = drawn(desk)
        told = bo.done("/api/round/promise")
        promised = bo.get("/api/round").json()["round"]["promised"]
        assert promised == [{"board": 1, "table": 0, "hash": told["hash"]}]
        assert bo.refused("/api/round/promise") == (409, "no_reason")
        bo.done("/api/round/promise", why="the first was seen")
        assert bo.refused("/api/round/board", given="IETC/HQuPE/SEYH/TOER") == (409, "no_board")
        bo.done("/api/round/board")
        played = desk.log.state.rounds[0]
        assert played.started
        assert desk.log.entries[-1].event["noted_by"] == "Bo"

    def test_a_given_board_is_shown(self, desk: Desk) -> None:
        bo = drawn(desk)
        assert bo.refused("/api/round/board") == (409, "no_board")
        assert bo.refused("/api/round/promise", given="IE/T") == (409, "board")
        assert bo.refused("/api/round/promise", between=[9, 8]) == (409, "band")
        assert bo.refused("/api/round/promise", between=[90_000, 90_001]) == (409, "band")
        assert bo.refused("/api/round/promise", cubes="none") == (409, "unknown_edition")
        bo.done("/api/round/promise", given="IETC/HQuPE/SEYH/TOER")
        bo.done("/api/round/board")
        shown = bo.get("/api/round").json()["round"]["boards"]
        assert shown == [{"board": 1, "table": 0, "shown": "IETC/HQuPE/SEYH/TOER"}]


class TestSeveralReferees:
    def test_each_entry_says_who(self, desk: Desk) -> None:
        bo, cy = desk.referee("Bo"), desk.referee("Cy R.")
        bo.done("/api/players", player="eve")
        cy.done("/api/players", player="flo")
        assert [each.event["noted_by"] for each in desk.log.entries[-2:]] == ["Bo", "Cy R."]

    def test_what_both_do_at_once_is_done_once(self, desk: Desk) -> None:
        referees = [desk.referee(name) for name in ("Bo", "Cy")]
        answers: list[int] = []
        ready = threading.Barrier(2)

        def enrol(referee: Referee) -> None:
            ready.wait()
            answers.append(referee.post("/api/players", player="eve").status_code)

        threads = [threading.Thread(target=enrol, args=(each,)) for each in referees]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers.count(201) == 1
        assert [each.event.get("player") for each in desk.log.entries].count("eve") == 1

    def test_tables_by_hand_are_not_kept_over_another_draw(self, desk: Desk) -> None:
        bo, cy = drawn(desk), desk.referee("Cy")
        seen = len(desk.log.entries)
        cy.done("/api/round/draw", method="random")
        tables = {"division": "main", "tables": [["ann", "bob"], ["cy", "dee"]]}
        assert bo.refused("/api/round/tables", **tables, over=seen, keep=True) == (409, "moved")
        bo.done("/api/round/tables", **tables, over=len(desk.log.entries), keep=True)

    def test_a_draw_of_what_has_changed_meanwhile_is_not_kept(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bo = desk.referee()
        ticks = desk.office.roll.ticks

        def meanwhile() -> Any:  # noqa: ANN401
            with tournaments.opened("spring", 10.0) as opened_event:
                opened_event.play({"type": "withdraw", "player": "ann"})
            return ticks()

        monkeypatch.setattr(desk.office.roll, "ticks", meanwhile)
        assert bo.refused("/api/round/draw") == (409, "moved")

    def test_while_another_program_continues_it_they_are_asked_to_wait(self, bo: Referee) -> None:
        with locked(tournaments.data_folder()):
            answer = bo.post("/api/players", player="eve")
            assert (answer.status_code, answer.json()["type"]) == (503, "busy")
            assert answer.headers["retry-after"] == "1"
            ticked = bo.post("/api/checkin", players=["ann"], here=True)
            assert (ticked.status_code, ticked.json()["type"]) == (503, "busy")
            assert bo.get("/api/desk").status_code == 200
        bo.done("/api/players", player="eve")

    def test_a_command_between_is_seen(self, desk: Desk, bo: Referee) -> None:
        with tournaments.opened("spring", 10.0) as opened_event:
            opened_event.play({"type": "enrol", "player": "eve"})
        bo.done("/api/players", player="flo")
        assert [each.event["player"] for each in desk.log.entries[-2:]] == ["eve", "flo"]


class TestOrders:
    def test_seats_go_to_the_tables_and_what_became_of_them_is_told(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        assert bo.done("/api/orders/seat")["trays"] == 2
        answer_all(base, Outcome.DONE, tray="1")
        answer_all(base, Outcome.REFUSED, "the lid is open", tray="2")
        told = bo.state()["rounds"]["orders"]
        assert told[0]["kind"] == "table_assigned"
        assert told[0]["count"] == {"done": 1, "refused": 1}
        assert told[0]["failed"] == [{"tray": "2", "why": "the lid is open"}]

    def test_orders_are_for_the_tables_that_are_named(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        bo.done("/api/orders/time", seconds=30.0, tables=[2])
        assert [each.tray for each in base.orders()] == ["2"]
        assert bo.refused("/api/orders/time", seconds=30.0, tables=[3]) == (409, "table")
        assert bo.refused("/api/orders/time", seconds=999.0) == (422, "not_valid")
        assert bo.refused("/api/orders/seat", board=2) == (409, "place")
        assert bo.refused("/api/orders/cancel") == (409, "table")
        assert bo.done("/api/orders/cancel", tables=[1])["trays"] == 1

    def test_a_start_is_of_one_moment(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        told = bo.done("/api/orders/start", seconds=20.0)
        assert {each.order.at for each in base.orders()} == {told["at"]} == {START + 20.0}
        assert desk.later.waiting == []

    def test_tables_that_are_not_right_do_not_start(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        bo.done("/api/checkin", players=["ann"], here=False)
        assert bo.refused("/api/orders/start") == (409, "left_out")
        bo.done("/api/players/status", player="ann", does="withdraw")
        assert bo.refused("/api/orders/start") == (409, "left_out")
        assert base.orders() == []

    def test_a_promised_board_is_shown_once_a_table_has_started(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        assert bo.refused("/api/orders/start", promised=True) == (409, "no_board")
        bo.done("/api/round/promise")
        bo.done("/api/orders/start", seconds=10.0, promised=True)
        assert desk.later.pass_by() > 10.0
        assert desk.log.state.rounds[0].boards == {}
        answer_all(base, Outcome.DONE, tray="2", kind="button_pressed")
        desk.later.pass_by()
        assert desk.log.state.rounds[0].boards
        assert desk.log.entries[-1].event["noted_by"] == "Bo"
        assert bo.state()["rounds"]["promise"] == ""
        assert desk.later.waiting == []

    def test_one_that_no_table_plays_stays_secret(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        bo.done("/api/round/promise")
        bo.done("/api/orders/start", promised=True)
        answer_all(base, Outcome.REFUSED, "the lid is open")
        for _ in range(LOOKS + 1):
            desk.later.pass_by()
        assert desk.later.waiting == []
        assert desk.log.state.rounds[0].boards == {}
        assert bo.state()["rounds"]["promise"] == NONE_STARTED

    def test_one_that_cannot_be_shown_is_told(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        bo.done("/api/round/promise")
        bo.done("/api/orders/start", promised=True)
        answer_all(base, Outcome.DONE)
        with locked(tournaments.data_folder()):
            desk.later.pass_by()
        assert "continued elsewhere" in bo.state()["rounds"]["promise"]

    def test_one_that_somebody_has_shown_is_not_shown_again(self, desk: Desk) -> None:
        bo, base = drawn(desk), desk.station()
        bo.done("/api/round/promise")
        bo.done("/api/orders/start", promised=True)
        answer_all(base, Outcome.DONE)
        bo.done("/api/round/board")
        entries = len(desk.log.entries)
        desk.later.pass_by()
        assert len(desk.log.entries) == entries


class TestTheMonitor:
    def test_it_shows_what_the_station_shows(self, desk: Desk, bo: Referee) -> None:
        base = desk.station()
        show_tables(base, t1={"tray": "1", "phase": "running", "left_s": 9.5})
        base.beat("spring", desk.clock.monotonic())
        told = bo.state()["tables"]
        assert told == {
            "station": True, "silent": False,
            "tables": [{"tray": "1", "phase": "running", "left_s": 9.5}],
        }  # fmt: skip

    def test_a_station_that_says_nothing_is_told_of(self, desk: Desk, bo: Referee) -> None:
        base = desk.station()
        assert bo.state()["tables"]["silent"]
        base.beat("spring", desk.clock.monotonic())
        assert not bo.state()["tables"]["silent"]
        desk.clock.sleep(SILENT_S)
        assert bo.state()["tables"]["silent"]
        base.beat("spring", desk.clock.monotonic())
        assert not bo.state()["tables"]["silent"]

    def test_the_clock_of_the_station_may_be_another(self) -> None:
        pulse = Pulse()
        assert pulse.is_silent(5.0, now=1000.0)
        assert not pulse.is_silent(7.0, now=1002.0)
        assert not pulse.is_silent(7.0, now=1002.0 + SILENT_S / 2)
        assert pulse.is_silent(7.0, now=1002.0 + SILENT_S)

    def test_a_database_is_never_made_by_looking(self, desk: Desk, bo: Referee) -> None:
        bo.state()
        assert not Path(default_url("spring").removeprefix("sqlite:")).exists()
        assert desk.office.branch.base() is None
