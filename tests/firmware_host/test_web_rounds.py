"""A round by phones: joining, words, lists, results, and who sees what of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host import rounds
from firmware_host.rounds import Phase
from firmware_host.web.editions import Edition
from firmware_host.web.sessions import Role, Session
from firmware_host.web.views import state_view
from tests.firmware_host.web_site import CODE, LOCAL, Browser, Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


def write(browser: Browser, id_: str, text: str, **more: float) -> int:
    return browser.post("/api/words", {"id": id_, "text": text, **more}).status_code


def test_a_round_from_joining_to_the_result(desk: Desk) -> None:
    ada, ben = desk.player("ada"), desk.player("ben")
    desk.play()
    assert [write(ada, "1", "hey"), write(ada, "2", "quey"), write(ben, "1", "hey")] == [200] * 3
    desk.end()
    assert ada.state()["round"]["phase"] == "collecting"
    for browser in (ada, ben):
        assert browser.post("/api/list", {"id": "l"}).json()["handed_in"]
    shown = desk.display().state()["round"]
    assert shown["phase"] == "finished"
    assert {one["name"]: one["points"] for one in shown["players"]} == {"ada": 1, "ben": 0}
    assert shown["result"]["winners"] == ["ada"]


def test_a_seat_of_a_tournament_is_that_of_whoever_joins_by_its_name_first(desk: Desk) -> None:
    seats = (rounds.Seat("e1", "ada"), rounds.Seat("e2", "ben", "key from another table"))
    desk.owner.post(rounds.TableAssigned("Spring", 1, 1, 7, seats))
    desk.player("ada")
    for name in ("ada", "ben"):
        answer = desk.browser().post("/api/players", {"name": name, "code": CODE})
        assert answer.status_code == 409


def test_a_word_that_is_sent_again_is_the_same_word(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    first = ada.post("/api/words", {"id": "1", "text": "hey"})
    again = ada.post("/api/words", {"id": "1", "text": "toe"})
    assert (again.status_code, again.json()) == (200, first.json())
    assert ada.state()["you"]["words"] == [
        {"id": "1", "text": "hey", "late": False, "on_board": None}
    ]


def test_a_word_that_was_taken_back_stays_so_when_it_comes_once_more(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    assert write(ada, "1", "hey") == 200
    assert ada.ask("DELETE", "/api/words/1").status_code == 204
    assert ada.ask("DELETE", "/api/words/1").status_code == 204
    assert write(ada, "1", "hey") == 200
    assert ada.state()["you"]["words"] == []
    assert ada.ask("DELETE", "/api/words/other").status_code == 404


@pytest.mark.parametrize("text", ["two words", "no1", "", "  ", "x" * 65, "<b>bold</b>", "a\nb"])
def test_what_is_no_word_by_its_form_is_refused(desk: Desk, text: str) -> None:
    ada = desk.player("ada")
    desk.play()
    assert write(ada, "1", text) == 422
    assert ada.state()["you"]["words"] == []


def test_no_word_is_taken_before_the_sand_runs(desk: Desk) -> None:
    ada = desk.player("ada")
    assert write(ada, "1", "hey") == 409


def test_a_word_that_was_kept_back_counts_if_it_was_written_in_time(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    at = desk.clock.monotonic()
    desk.end()
    assert write(ada, "1", "hey", written_at=at + 59.0) == 200
    assert write(ada, "2", "toe", written_at=at + 61.0) == 409
    assert write(ada, "3", "toe") == 409
    assert ada.state()["you"]["words"] == [
        {"id": "1", "text": "hey", "late": True, "on_board": None}
    ]


def test_a_word_that_comes_with_the_last_grain_is_not_lost(desk: Desk) -> None:
    """Nobody has ticked yet: the word itself is what ends the round."""
    ada = desk.player("ada")
    desk.play()
    at = desk.clock.monotonic()
    desk.clock.sleep(60.5)
    assert write(ada, "1", "hey", written_at=at + 59.0) == 200
    assert ada.state()["round"]["phase"] == "collecting"
    assert write(ada, "2", "toe", written_at=at + 60.2) == 409


def test_nobody_writes_in_a_pause_and_what_came_before_it_stands(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    assert write(ada, "1", "hey") == 200
    desk.display().post("/api/round/pause")
    refused = ada.post("/api/words", {"id": "2", "text": "toe"})
    assert (refused.status_code, refused.json()["type"]) == (409, "paused")
    erased = ada.ask("DELETE", "/api/words/1")
    assert (erased.status_code, erased.json()["type"]) == (409, "paused")
    assert write(ada, "1", "hey") == 200  # the same word once more
    desk.display().post("/api/round/resume")
    assert write(ada, "2", "toe") == 200
    assert [word["text"] for word in ada.state()["you"]["words"]] == ["hey", "toe"]


def test_a_fault_loses_no_word(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    desk.owner.post(rounds.DeviceFailed("lamp: dead", "Mend it.", desk.clock.monotonic()))
    assert write(ada, "1", "hey") == 200
    shown = ada.state()
    assert (shown["round"]["phase"], shown["you"]["words"][0]["text"]) == ("faulted", "hey")
    desk.end()
    assert write(ada, "2", "toe") == 200  # the sand stands meanwhile


def test_a_fault_after_the_time_takes_what_was_written_before(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    at = desk.clock.monotonic()
    desk.end()
    desk.owner.post(rounds.DeviceFailed("lamp: dead", "Mend it.", desk.clock.monotonic()))
    assert write(ada, "1", "hey", written_at=at + 1.0) == 200
    assert write(ada, "2", "toe", written_at=at + 90.0) == 409


def test_a_phone_that_went_away_does_not_keep_the_table(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    assert write(ada, "1", "hey") == 200
    over = desk.clock.monotonic() + 60.0
    assert desk.ticked(over) is Phase.COLLECTING
    assert desk.ticked(over + rounds.TYPED_S - 0.1) is Phase.COLLECTING
    assert desk.ticked(over + rounds.TYPED_S) is Phase.FINISHED
    assert [entry.word for entry in desk.owner.state.lists["ada"]] == ["hey"]


def test_who_writes_on_paper_is_given_longer(desk: Desk) -> None:
    desk.player("ada", on_paper=True)
    desk.play()
    over = desk.clock.monotonic() + 60.0
    for late in (0.0, rounds.TYPED_S, rounds.PAPER_S - 0.1):
        assert desk.ticked(over + late) is Phase.COLLECTING
    assert desk.ticked(over + rounds.PAPER_S) is Phase.FINISHED


def test_the_referee_closes_the_lists(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    write(ada, "1", "hey")
    desk.end()
    referee = desk.signed_in(Role.REFEREE)
    assert referee.post("/api/round/close_lists").json() == {"phase": "scoring"}
    assert referee.post("/api/round/close_lists").status_code == 409
    assert ada.state()["you"]["handed_in"]


def test_nobody_joined_is_nobody_awaited(desk: Desk) -> None:
    desk.play()
    desk.end()
    assert desk.owner.state.phase is Phase.FINISHED


def test_a_seat_lasts_into_the_next_round_and_ends_with_its_session(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    desk.end()
    ada.post("/api/list", {"id": "l"})
    desk.play()
    assert write(ada, "1", "hey") == 200
    assert desk.signed_in(Role.REFEREE).ask("DELETE", "/api/players/ada").status_code == 204
    assert ada.get("/api/state").status_code == 401
    desk.player("ada")
    assert ada.get("/api/state").status_code == 401  # the same name, and yet another's seat


class TestJoining:
    @pytest.mark.parametrize("name", ["ada", "ADA", " ada ", "ada\u200d", "ａｄａ", "\u3000ada"])
    def test_a_name_that_is_like_anothers_is_refused(self, desk: Desk, name: str) -> None:
        desk.player("ada")
        answer = desk.browser().post("/api/players", {"name": name, "code": CODE})
        assert answer.status_code in {409, 422}
        assert desk.owner.state.joined == ("ada",)

    @pytest.mark.parametrize("name", ["", " ", "x" * 41, "a=b", "a\u202eb", "\u200b", ".", ".."])
    def test_a_name_that_is_none_is_refused(self, desk: Desk, name: str) -> None:
        answer = desk.browser().post("/api/players", {"name": name, "code": CODE})
        assert answer.status_code == 422
        assert desk.owner.state.joined == ()

    def test_markup_is_a_name_like_any_other_and_comes_back_as_text(self, desk: Desk) -> None:
        name = "<img src=x onerror=alert(1)>".replace("=", "")
        desk.player(name)
        assert desk.display().state()["round"]["players"][0]["name"] == name

    def test_a_wrong_code_is_refused_and_soon_no_more_are_tried(self, desk: Desk) -> None:
        codes = [
            desk.browser().post("/api/players", {"name": "eve", "code": "AAAA"}).status_code
            for _ in range(6)
        ]
        assert (codes[0], codes[-1]) == (403, 429)
        desk.wall.sleep(3600.0)
        desk.player("eve")

    def test_the_code_may_be_typed_small(self, desk: Desk) -> None:
        answer = desk.browser().post("/api/players", {"name": "ada", "code": CODE.lower()})
        assert answer.status_code == 201

    def test_who_is_called_by_a_sign_of_addresses_leaves_as_well(self, desk: Desk) -> None:
        both = desk.player("a/b")
        assert both.ask("DELETE", "/api/players/a%2Fb").status_code == 204

    def test_who_takes_the_name_of_one_who_left_has_an_empty_list(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.player("ben")
        desk.play()
        assert write(ada, "1", "hey") == 200
        assert ada.ask("DELETE", "/api/players/ada").status_code == 204
        other = desk.player("ada")
        assert other.state()["you"]["words"] == []

    def test_a_player_who_signs_out_leaves_the_table(self, desk: Desk) -> None:
        """Nobody could come back to the seat, and its list would be awaited round after round."""
        ada = desk.player("ada")
        assert ada.ask("DELETE", "/api/session").status_code == 204
        assert desk.owner.state.joined == ()
        assert desk.player("ada").state()["you"]["name"] == "ada"

    def test_a_player_leaves_and_removes_nobody_else(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.player("ben")
        assert ada.ask("DELETE", "/api/players/ben").status_code == 403
        assert ada.ask("DELETE", "/api/players/ada").status_code == 204
        assert desk.owner.state.joined == ("ben",)


def test_a_device_that_is_tried_again_is_told_while_it_is_waited_for(desk: Desk) -> None:
    state = replace(desk.owner.state, phase=Phase.SETTLING)
    desk.owner.state = desk.site.hub.state = state
    hangs = rounds.DeviceFailed("camera: it gave no picture in 6 s", "Unplug it.", 1000.0, 2.0)
    desk.owner.post(hangs)
    shown = desk.display().state()["round"]
    assert (shown["phase"], shown["waits_for"]["advice"]) == ("settling", "Unplug it.")
    assert shown["waits_for"]["said"]["key"] == "fault.say.no_picture"
    desk.site.hub.works("camera")
    assert desk.display().state()["round"]["waits_for"] is None
    desk.owner.post(hangs)
    assert desk.display().state()["round"]["waits_for"] is not None
    desk.owner.post(rounds.Settled())
    assert desk.display().state()["round"]["waits_for"] is None


class TestSecrecy:
    def test_no_letter_of_the_board_is_told_before_the_sand_runs(self, desk: Desk) -> None:
        desk.owner.doubtful = [(0, 0)]
        ada = desk.player("ada")
        desk.display().post("/api/round/press")
        shown = ada.state()["round"]
        assert (shown["phase"], shown["board"], shown["question"]) == ("confirming", None, None)
        assert shown["cells_read"][0] == [False, True, True, True]
        question = desk.display().state()["round"]["question"]
        assert question["crop_url"] == "/api/cells/0/0.png"
        desk.display().post("/api/round/hold")
        shown = desk.display().state()["round"]
        assert (shown["phase"], shown["board"]) == ("ready", None)

    def test_nothing_of_another_list_is_told_before_the_end(self, desk: Desk) -> None:
        ada, ben = desk.player("ada"), desk.player("ben")
        desk.play()
        write(ada, "1", "quey")
        for other in (ben, desk.display(), desk.signed_in(Role.REFEREE)):
            assert "quey" not in other.get("/api/state").text
        found = {one["name"]: one["found"] for one in ben.state()["round"]["players"]}
        assert found == {"ada": 1, "ben": 0}

    def test_after_the_end_a_player_is_sent_their_own_words_and_may_ask_for_all(
        self, desk: Desk
    ) -> None:
        ada, ben = desk.player("ada"), desk.player("ben")
        desk.play()
        write(ada, "1", "quey")
        desk.end()
        desk.display().post("/api/round/close_lists")
        words = [len(one["words"]) for one in ben.state()["round"]["result"]["players"]]
        assert words == [0, 0]
        assert "quey" in ben.get("/api/result").text

    def test_the_code_is_for_those_who_sit_at_the_table(self, desk: Desk) -> None:
        assert desk.player("ada").state()["table"]["code"] is None
        assert desk.display().state()["table"]["code"] == CODE
        assert desk.signed_in(Role.REFEREE).state()["table"]["code"] == CODE

    def test_a_referee_may_see_what_the_table_sees_and_a_player_not(self, desk: Desk) -> None:
        as_display = desk.signed_in(Role.REFEREE).get("/api/state?as=display")
        assert as_display.json()["role"] == "display"
        assert desk.player("ada").get("/api/state?as=display").status_code == 403


class TestControls:
    def test_extra_time_is_granted(self, desk: Desk) -> None:
        desk.play()
        display = desk.display()
        assert display.post("/api/round/extra-time", {"seconds": 30}).status_code == 200
        assert display.state()["round"]["timer"]["total_s"] == 90.0

    @pytest.mark.parametrize("seconds", [0, -1, 121, "much", None])
    def test_too_much_extra_time_is_none(self, desk: Desk, seconds: object) -> None:
        desk.play()
        answer = desk.display().post("/api/round/extra-time", {"seconds": seconds})
        assert answer.status_code == 422

    def test_what_means_nothing_now_is_told(self, desk: Desk) -> None:
        for act in ("pause", "resume", "last_chance", "agree", "close_lists", "cancel", "reroll"):
            assert desk.display().post(f"/api/round/{act}").status_code == 409
        assert desk.display().post("/api/round/dance").status_code == 422

    def test_who_did_it_is_kept(self, desk: Desk) -> None:
        desk.owner.doubtful = [(0, 0)]
        display, referee = desk.display(), desk.signed_in(Role.REFEREE)
        display.post("/api/round/press")
        referee.post("/api/round/hold")
        display.post("/api/round/press")
        referee.post("/api/round/extra-time", {"seconds": 5})
        referee.post("/api/round/cancel")
        signed = [
            (type(event).__name__, event.by)
            for event in desk.owner.happened
            if isinstance(
                event,
                rounds.ButtonPressed | rounds.CellConfirmed | rounds.ExtraTime | rounds.Cancelled,
            )
        ]
        assert signed == [
            ("ButtonPressed", "display"),
            ("CellConfirmed", "referee"),
            ("ButtonPressed", "display"),
            ("ExtraTime", "referee"),
            ("Cancelled", "referee"),
        ]

    def test_a_pause_hides_the_board_and_goes_on(self, desk: Desk) -> None:
        desk.play()
        display = desk.display()
        assert display.post("/api/round/pause").json() == {"phase": "paused"}
        assert display.state()["round"]["board"] is None
        assert display.post("/api/round/resume").json() == {"phase": "running"}

    def test_an_owner_that_hangs_is_told_and_the_event_has_not_happened(self, desk: Desk) -> None:
        desk.owner.stuck = True
        answer = desk.display().post("/api/round/press")
        assert (answer.status_code, answer.json()["type"]) == (503, "busy")
        assert answer.headers["retry-after"] == "5"


def test_this_machine_is_the_display_and_no_other(desk: Desk) -> None:
    for local in (LOCAL, "::1", "::ffff:127.0.0.1"):
        assert desk.browser(local).get("/api/state").status_code == 200
    for strange in ("192.168.1.7", "fe80::1", "::ffff:10.0.0.1", "nonsense"):
        assert desk.browser(strange).get("/api/state").status_code == 401


def test_a_link_of_the_referee_makes_a_display(desk: Desk) -> None:
    link = desk.signed_in(Role.REFEREE).post("/api/display-link").json()["url"]
    tablet = desk.browser()
    assert tablet.get(link).headers["location"] == "/"
    assert tablet.state()["role"] == "display"
    assert tablet.post("/api/round/press").status_code == 200
    assert desk.browser().get("/?display=nonsense").status_code == 303


def test_what_the_stream_tells_is_what_the_state_is(desk: Desk) -> None:
    """It is written in pieces, so that what all share is written once."""
    ada, _ = desk.player("ada"), desk.player("ben, the 2nd".replace(",", ""))
    sessions = [Session(Role.DISPLAY, "", 1e12), Session(Role.REFEREE, "", 1e12)]
    sessions += [Session(Role.PLAYER, "", 1e12, name) for name in desk.owner.state.joined]

    def told() -> list[str]:
        scene = desk.site.scene()
        edition = Edition(scene)
        for session in sessions:
            message = json.loads(edition.message(session))
            assert message["seq"] == scene.seq
            assert message["state"] == state_view(scene, session).model_dump(mode="json")
        return [edition.message(session) for session in sessions]

    assert len(set(told())) == 4
    desk.play()
    write(ada, "1", "qu\u00e9y")
    told()
    desk.end()
    desk.display().post("/api/round/close_lists")
    assert all("winners" in message for message in told())


def marks(desk: Desk, *, allowed: bool) -> list[tuple[str, bool | None]]:
    """What a phone is told of words: one of the board, one that is no word, one from elsewhere."""
    desk.site = replace(desk.site, table=replace(desk.site.table, board_marks=allowed))
    ada = desk.player("ada")
    desk.play()
    for id_, text in (("1", "seto"), ("2", "otes"), ("3", "zebra")):
        assert write(ada, id_, text) == 200
    return [(word["text"], word["on_board"]) for word in ada.state()["you"]["words"]]


def test_phones_are_told_what_is_on_the_board_where_the_table_allows_it(desk: Desk) -> None:
    assert marks(desk, allowed=True) == [("seto", True), ("otes", True), ("zebra", False)]


def test_phones_are_told_nothing_of_the_board_else(desk: Desk) -> None:
    assert {mark for _, mark in marks(desk, allowed=False)} == {None}


def test_nothing_is_told_of_a_board_that_is_covered_in_a_pause(desk: Desk) -> None:
    marks(desk, allowed=True)
    desk.display().post("/api/round/pause")
    state = desk.display().state()
    assert state["round"]["board"] is None
    assert desk.site.scene().mark("seto") is None
