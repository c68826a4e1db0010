"""The referee's desk: doubtful cubes, words on paper, rulings, the log, settings, backups."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from firmware_host import lexicons
from firmware_host.doctor import Finding, Grade
from firmware_host.keeper import Keeper
from firmware_host.pages import PagePicture
from firmware_host.rounds import CellConfirmed, ChallengeJudged, PlayerJoined, WordWritten
from firmware_host.store.log import Setup, open_log
from firmware_host.web.routes import machine
from firmware_host.web.sessions import Role
from firmware_host.web.uploads import MOST_WAITING
from tests.firmware_host.web_site import Browser, Desk, Reader, make_desk
from vision.errors import NoWritingError


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


@pytest.fixture
def referee(desk: Desk) -> Browser:
    return desk.signed_in(Role.REFEREE)


@pytest.fixture
def ada(desk: Desk) -> Browser:
    """A player, after a round in which she wrote two words."""
    browser = desk.player("ada")
    desk.play()
    for id_, text in (("1", "seto"), ("2", "zebra")):
        browser.post("/api/words", {"id": id_, "text": text})
    desk.end()
    return browser


def points(desk: Desk) -> dict[str, int | None]:
    return {one["name"]: one["points"] for one in desk.display().state()["round"]["players"]}


def ada_wrote_and_a_cube_was_corrected(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    ada.post("/api/words", {"id": "1", "text": "seto"})
    misread = {"face": "X", "why": "worn"}
    desk.signed_in(Role.REFEREE).ask("PUT", "/api/cells/3/0", json=misread)


def jpeg(seed: int = 1) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (200, 300, 3), np.uint8)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "JPEG")
    return data.getvalue()


class TestCells:
    @pytest.fixture(autouse=True)
    def asked(self, desk: Desk) -> None:
        desk.owner.doubtful = [(0, 0), (1, 1)]
        desk.display().post("/api/round/press")

    def test_doubtful_cubes_are_shown_and_settled(self, desk: Desk, referee: Browser) -> None:
        cells = referee.get("/api/cells").json()
        assert [[one["row"], one["col"], one["face"]] for one in cells] == [
            [0, 0, None],
            [1, 1, None],
        ]
        assert cells[0]["alternatives"][0] == {"face": "I", "probability": 0.6}
        assert referee.post("/api/cells/1/1", {"face": "Qu"}).json()[1]["face"] == "Qu"
        assert desk.display().post("/api/cells/0/0", {"face": "I"}).status_code == 200
        assert desk.display().state()["round"]["phase"] == "ready"

    def test_what_is_no_face_or_not_asked_is_told(self, referee: Browser) -> None:
        assert referee.post("/api/cells/1/1", {"face": "?"}).status_code == 409
        assert referee.post("/api/cells/3/3", {"face": "A"}).status_code == 409
        assert referee.post("/api/cells/16/0", {"face": "A"}).status_code == 422

    def test_a_cube_has_a_picture_and_one_that_is_not_asked_about_has_none(
        self, desk: Desk, referee: Browser
    ) -> None:
        """The picture of any other cube would tell a letter of the board."""
        answer = desk.display().get("/api/cells/1/1.png")
        assert Image.open(io.BytesIO(answer.content)).size == (192, 192)
        assert referee.get("/api/cells/3/3.png").status_code == 404
        assert referee.get("/api/cells/9/9.png").status_code == 404

    def test_once_all_may_see_the_board_the_referee_may_look_at_every_cube(
        self, desk: Desk, referee: Browser
    ) -> None:
        for _ in range(2):
            desk.display().post("/api/round/hold")
        assert referee.get("/api/cells/3/3.png").status_code == 404
        desk.display().post("/api/round/press")
        assert referee.get("/api/cells/3/3.png").status_code == 200
        assert desk.display().get("/api/cells/3/3.png").status_code == 404


class TestPaper:
    def test_a_photographed_list_comes_behind_what_was_typed(
        self, desk: Desk, ada: Browser
    ) -> None:
        read = ada.send_paper(jpeg()).json()
        assert [(one["text"], one["doubtful"]) for one in read] == [("hey", False), ("toe", True)]
        ada.post("/api/list", {"id": "l"})
        words = desk.display().state()["round"]["result"]["players"][0]["words"]
        assert [(one["word"], one["verdict"]) for one in words] == [
            ("seto", "scored"),
            ("zebra", "not_on_board"),
            ("hey", "scored"),
            ("toe", "doubtful"),
        ]

    def test_the_picture_of_anothers_list_tells_nothing_of_that_list(
        self, desk: Desk, ada: Browser
    ) -> None:
        ada.send_paper(jpeg())
        ben = desk.player("ben")
        assert {word["player"] for word in ben.send_paper(jpeg()).json()} == {"ben"}

    def test_the_same_picture_again_changes_nothing(self, desk: Desk, ada: Browser) -> None:
        first, again = ada.send_paper(jpeg()), ada.send_paper(jpeg())
        assert (again.status_code, again.json()) == (201, first.json())
        assert len(desk.owner.state.scans) == 1
        assert ada.send_paper(jpeg(2)).json()[0]["id"] == "1-0"

    def test_what_is_kept_is_another_picture_than_what_was_sent(
        self, desk: Desk, ada: Browser
    ) -> None:
        ada.send_paper(jpeg())
        kept = desk.owner.state.scans[0].photo
        assert kept.name.startswith("list-")
        assert kept.read_bytes() != jpeg()

    def test_what_is_refused_leaves_no_photo_that_would_look_like_a_loss(
        self, ada: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def blank(_self: Reader, page: PagePicture) -> object:
            raise NoWritingError(f"{page.name}: no words are on it", "Photograph the other side.")

        ada.send_paper(jpeg())
        assert len(list(tmp_path.rglob("list-*.jpg"))) == 1
        monkeypatch.setattr(Reader, "read", blank)
        answer = ada.send_paper(jpeg(2))
        assert (answer.status_code, answer.json()["type"]) == (422, "no_writing")
        assert answer.json()["detail"] == "the picture: no words are on it"
        assert len(list(tmp_path.rglob("list-*.jpg"))) == 1

    def test_it_is_refused_while_the_sand_runs(self, desk: Desk) -> None:
        ben = desk.player("ben")
        desk.play()
        assert ben.send_paper(jpeg()).status_code == 409

    def test_it_counts_after_the_result_too(self, desk: Desk, ada: Browser) -> None:
        ada.post("/api/list", {"id": "l"})
        before = points(desk)["ada"]
        assert ada.send_paper(jpeg()).status_code == 201
        assert points(desk)["ada"] == (before or 0) + 1

    def test_the_referee_brings_the_list_of_somebody_on_paper(
        self, desk: Desk, referee: Browser
    ) -> None:
        desk.play()
        desk.end()
        assert referee.send_paper(jpeg()).status_code == 422
        assert referee.send_paper(jpeg(), "a=b").status_code == 422
        assert referee.send_paper(jpeg(), "kim").status_code == 201
        assert desk.display().state()["round"]["result"]["winners"] == ["kim"]

    def test_doubtful_words_are_looked_through(
        self, desk: Desk, ada: Browser, referee: Browser
    ) -> None:
        ada.send_paper(jpeg())
        ada.post("/api/list", {"id": "l"})
        before = points(desk)["ada"] or 0
        first = referee.get("/api/review").json()[0]
        assert (first["id"], first["doubtful"], first["said"]) == ("0-1", True, None)
        picture = referee.get(first["crop_url"])
        assert Image.open(io.BytesIO(picture.content)).format == "PNG"
        said = referee.post("/api/review/0-1", {"text": "Toe"}).json()["said"]
        assert (said["text"], said["by"]) == ("toe", "referee")
        assert points(desk)["ada"] == before + 1
        referee.post("/api/review/0-1", {"struck": True})
        assert points(desk)["ada"] == before

    @pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": "two words"}, {"text": 1}])
    def test_what_is_no_word_is_not_said(
        self, ada: Browser, referee: Browser, body: dict[str, Any]
    ) -> None:
        ada.send_paper(jpeg())
        assert referee.post("/api/review/0-1", body).status_code == 422
        assert referee.post("/api/review/7-1", {"text": "toe"}).status_code == 404

    def test_only_so_many_pictures_wait(self, desk: Desk, ada: Browser) -> None:
        desk.site.uploads._waiting = MOST_WAITING
        answer = ada.send_paper(jpeg())
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")


class TestRulings:
    @pytest.fixture(autouse=True)
    def over(self, ada: Browser) -> None:
        ada.post("/api/list", {"id": "l"})

    def test_a_word_is_struck_and_taken_back(self, desk: Desk, referee: Browser) -> None:
        before = points(desk)
        asked = {"kind": "strike", "word": "SETO"}
        (told,) = referee.post("/api/decisions", asked).json()
        assert (told["kind"], told["word"], told["by"]) == ("struck", "seto", "referee")
        assert points(desk) == {"ada": 0}
        assert referee.post("/api/decisions", {"kind": "undo"}).json() == []
        assert points(desk) == before
        assert referee.post("/api/decisions", {"kind": "undo"}).status_code == 409

    def test_a_word_that_the_list_lacks_is_allowed(self, desk: Desk, referee: Browser) -> None:
        ben = desk.player("ben")
        desk.play()
        ben.post("/api/words", {"id": "1", "text": "htes"})
        ben.post("/api/words", {"id": "2", "text": "tehy"})
        desk.end()
        desk.display().post("/api/round/close_lists")
        verdicts = {one["word"]: one["verdict"] for one in words_of(desk, "ben")}
        on_board = next(word for word, verdict in verdicts.items() if verdict == "not_in_lexicon")
        referee.post("/api/decisions", {"kind": "allow", "word": on_board})
        assert {one["word"]: one["verdict"] for one in words_of(desk, "ben")}[on_board] == "scored"

    def test_the_last_decision_about_a_word_holds(self, desk: Desk, referee: Browser) -> None:
        for kind in ("strike", "allow"):
            referee.post("/api/decisions", {"kind": kind, "word": "seto"})
        assert points(desk)["ada"]
        listed = [one["kind"] for one in referee.get("/api/decisions").json()]
        assert listed == ["allowed", "struck"]

    @pytest.mark.parametrize("body", [{}, {"kind": "strike"}, {"kind": "strike", "word": "a b"}])
    def test_what_decides_nothing_is_told(self, referee: Browser, body: dict[str, Any]) -> None:
        assert referee.post("/api/decisions", body).status_code == 422

    def test_nothing_is_decided_while_the_sand_runs(self, desk: Desk, referee: Browser) -> None:
        desk.play()
        asked = {"kind": "strike", "word": "seto"}
        assert referee.post("/api/decisions", asked).status_code == 409

    def test_a_set_is_answered_as_one_and_each_word_where_that_is_asked(
        self, referee: Browser
    ) -> None:
        words = {"words": ["seto", "zebra"]}
        told = referee.post("/api/challenges", words).json()
        assert told == {"good": False, "words": None, "logged": True}
        each = referee.post("/api/challenges", words | {"mode": "each"}).json()["words"]
        assert [(one["good"], one["on_board"]) for one in each] == [(True, True), (False, False)]
        assert referee.post("/api/challenges", {"words": []}).status_code == 422


class TestCorrections:
    """Row 4 is TOER: with another first letter there is no seto."""

    def correct(self, browser: Browser, cell: str = "3/0", **more: str) -> httpx.Response:
        misread = {"face": "X", "why": "it is worn"}
        return browser.ask("PUT", f"/api/cells/{cell}", json=misread | more)

    def test_every_list_follows_and_so_does_the_board_of_all_pages(
        self, desk: Desk, ada: Browser, referee: Browser
    ) -> None:
        ada.post("/api/list", {"id": "l"})
        before = points(desk)
        assert self.correct(referee).json() == {"row": 3, "col": 0, "was": "T", "face": "X"}
        shown = ada.state()["round"]
        assert shown["board"]["faces"][3][0] == "X"
        assert points(desk) != before
        verdicts = {one["word"]: one["verdict"] for one in words_of(desk, "ada")}
        assert verdicts["seto"] == "not_on_board"
        (decision,) = referee.get("/api/decisions").json()
        assert (decision["kind"], decision["by"]) == ("corrected", "referee")
        assert decision["word"] == "T → X (4, 1): it is worn"
        referee.post("/api/decisions", {"kind": "undo"})
        assert (points(desk), ada.state()["round"]["board"]["faces"][3][0]) == (before, "T")

    def test_it_is_the_referees_alone(self, desk: Desk, ada: Browser) -> None:
        assert [self.correct(one).status_code for one in (ada, desk.display())] == [403, 403]

    def test_in_a_pause_the_referee_alone_sees_the_board_and_corrects_it(
        self, desk: Desk, referee: Browser
    ) -> None:
        ada = desk.player("ada")
        desk.play()
        desk.display().post("/api/round/pause")
        seen = [one.state()["round"]["board"] for one in (ada, desk.display())]
        assert seen == [None, None]
        assert referee.get("/api/state?as=display").json()["round"]["board"] is None
        assert referee.state()["round"]["board"]["faces"][3][0] == "T"
        assert referee.get("/api/cells/3/0.png").status_code == 200
        assert desk.display().get("/api/cells/3/0.png").status_code == 404
        assert self.correct(referee).status_code == 200
        assert referee.state()["round"]["board"]["faces"][3][0] == "X"
        referee.post("/api/decisions", {"kind": "undo"})
        assert referee.state()["round"]["board"]["faces"][3][0] == "T"

    def test_a_board_that_was_given_says_so(self, desk: Desk, referee: Browser) -> None:
        desk.play()
        assert referee.state()["round"]["prescribed"] is False
        desk.owner.state = desk.site.hub.state = replace(desk.owner.state, reading=None)
        desk.site.hub.edition += 1
        assert referee.state()["round"]["prescribed"] is True
        answer = self.correct(referee)
        assert (answer.status_code, answer.json()["type"]) == (409, "prescribed")

    def test_what_corrects_nothing_is_told(self, desk: Desk, referee: Browser) -> None:
        assert self.correct(referee, face="T").status_code == 409
        assert self.correct(referee, face="?").status_code == 409
        assert self.correct(referee, why="").status_code == 422
        assert self.correct(referee, why=" \n").status_code == 422
        desk.play()
        nowhere = self.correct(referee, "9/9")
        assert (nowhere.status_code, "no cube" in nowhere.json()["detail"]) == (404, True)
        desk.display().post("/api/round/cancel")
        desk.display().post("/api/round/press")
        answer = self.correct(referee)
        assert (answer.status_code, answer.json()["type"]) == (409, "no_board")


class TestChallenges:
    def test_its_clock_is_shown_to_all_and_ends_with_the_verdict(
        self, desk: Desk, referee: Browser, ada: Browser
    ) -> None:
        assert referee.ask("PUT", "/api/challenges/clock", json={}).json() == {
            "left_s": 60.0,
            "total_s": 60.0,
            "by": "referee",
        }
        desk.clock.sleep(61.0)
        assert ada.state()["round"]["challenge"]["left_s"] == 0.0
        referee.post("/api/challenges", {"words": ["seto"], "mode": "each"})
        assert ada.state()["round"]["challenge"] is None
        (told,) = referee.get("/api/decisions").json()
        assert (told["kind"], told["word"], told["undoable"]) == ("challenge_stands", "seto", True)
        assert referee.post("/api/decisions", {"kind": "undo"}).json() == []

    @pytest.mark.usefixtures("ada")
    def test_a_clock_that_runs_is_not_begun_anew(self, desk: Desk, referee: Browser) -> None:
        first = referee.ask("PUT", "/api/challenges/clock", json={"seconds": 60})
        again = referee.ask("PUT", "/api/challenges/clock", json={"seconds": 600})
        assert (first.status_code, again.status_code) == (200, 409)
        assert again.json()["type"] == "clock_runs"
        assert desk.display().state()["round"]["challenge"]["total_s"] == 60.0

    @pytest.mark.usefixtures("ada")
    def test_a_clock_is_withdrawn_and_none_cannot_be(self, referee: Browser) -> None:
        referee.ask("PUT", "/api/challenges/clock", json={"seconds": 5})
        assert referee.ask("DELETE", "/api/challenges/clock").status_code == 204
        assert referee.ask("DELETE", "/api/challenges/clock").status_code == 409

    @pytest.mark.usefixtures("ada")
    def test_of_a_set_the_log_does_not_tell_which_word_is_bad(
        self, desk: Desk, referee: Browser
    ) -> None:
        referee.post("/api/challenges", {"words": ["seto", "zebra"]})
        judged = desk.owner.happened[-1]
        assert isinstance(judged, ChallengeJudged)
        assert (judged.good, judged.bad) == (False, ())
        referee.post("/api/challenges", {"words": ["seto", "zebra"], "mode": "each"})
        assert desk.owner.state.rulings[-1] == replace(
            judged, each=True, bad=("zebra",), at=desk.clock.monotonic()
        )

    def test_without_a_round_words_are_looked_up_and_nothing_is_logged(
        self, referee: Browser
    ) -> None:
        assert referee.ask("PUT", "/api/challenges/clock", json={}).status_code == 409
        answer = referee.post("/api/challenges", {"words": ["seto"]}).json()
        assert answer == {"good": True, "words": None, "logged": False}


class TestUndo:
    def test_cubes_time_and_closed_lists_are_taken_back(self, desk: Desk, referee: Browser) -> None:
        desk.owner.doubtful = [(0, 0)]
        desk.player("ada")
        desk.display().post("/api/round/press")
        referee.post("/api/cells/0/0", {"face": "I"})
        referee.post("/api/decisions", {"kind": "undo"})
        assert desk.display().state()["round"]["phase"] == "confirming"
        referee.post("/api/cells/0/0", {"face": "I"})
        desk.display().post("/api/round/press")
        referee.post("/api/round/extra-time", {"seconds": 20})
        assert desk.display().state()["round"]["timer"]["left_s"] == 80.0
        referee.post("/api/decisions", {"kind": "undo"})
        assert desk.display().state()["round"]["timer"]["left_s"] == 60.0
        desk.end()
        referee.post("/api/round/close_lists")
        assert desk.display().state()["round"]["phase"] == "finished"
        referee.post("/api/decisions", {"kind": "undo"})
        assert desk.display().state()["round"]["phase"] == "collecting"

    def test_two_referees_take_nothing_back_that_they_have_not_seen(
        self, desk: Desk, ada: Browser, referee: Browser
    ) -> None:
        ada.post("/api/list", {"id": "l"})
        other = desk.signed_in(Role.REFEREE)
        referee.post("/api/decisions", {"kind": "strike", "word": "seto"})
        other.post("/api/decisions", {"kind": "strike", "word": "sett"})
        answer = referee.post("/api/decisions", {"kind": "undo", "number": 0})
        assert (answer.status_code, answer.json()["type"]) == (409, "decided_since")
        left = referee.post("/api/decisions", {"kind": "undo", "number": 1}).json()
        assert [one["word"] for one in left] == ["seto"]
        referee.post("/api/decisions", {"kind": "undo", "number": 0})
        answer = referee.post("/api/decisions", {"kind": "undo"})
        assert (answer.status_code, answer.json()["type"]) == (409, "nothing_to_undo")

    def test_what_had_its_effect_says_so(self, desk: Desk, referee: Browser) -> None:
        desk.owner.doubtful = [(0, 0)]
        desk.display().post("/api/round/press")
        referee.post("/api/cells/0/0", {"face": "I"})
        desk.display().post("/api/round/press")
        (told,) = referee.get("/api/decisions").json()
        assert (told["kind"], told["word"], told["undoable"]) == ("cell", "I (1, 1)", False)
        answer = referee.post("/api/decisions", {"kind": "undo"})
        assert (answer.status_code, answer.json()["type"]) == (409, "cannot_undo")


class TestWordLists:
    @pytest.fixture(autouse=True)
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lexicons, "names", lambda: ("enable", "short"))

    def test_one_is_chosen_for_the_rounds_to_come(self, desk: Desk, referee: Browser) -> None:
        told = referee.get("/api/lexicon").json()
        assert told == {"names": ["tiny", "enable", "short"], "current": "tiny", "next": "tiny"}
        assert referee.ask("PUT", "/api/lexicon", json={"name": "short"}).status_code == 200
        state = desk.player("ada").state()
        assert (state["table"]["lexicon"], state["round"]["lexicon"]) == ("short", "short")

    def test_not_while_a_round_is_on(self, desk: Desk, referee: Browser) -> None:
        desk.play()
        answer = referee.ask("PUT", "/api/lexicon", json={"name": "short"})
        assert (answer.status_code, answer.json()["type"]) == (409, "not_now")

    def test_a_result_is_scored_anew_on_request_alone(
        self, desk: Desk, ada: Browser, referee: Browser
    ) -> None:
        ada.post("/api/list", {"id": "l"})
        before = points(desk)["ada"]
        told = referee.ask("PUT", "/api/lexicon", json={"name": "short"}).json()
        assert (told["current"], told["next"], points(desk)["ada"]) == ("tiny", "short", before)
        referee.ask("PUT", "/api/lexicon", json={"name": "short", "rescore": True})
        assert points(desk)["ada"] == 0
        referee.ask("PUT", "/api/lexicon", json={"name": "tiny", "rescore": True})
        assert points(desk)["ada"] == before

    def test_one_that_is_not_there_is_told(self, referee: Browser) -> None:
        assert referee.ask("PUT", "/api/lexicon", json={"name": "none"}).status_code == 404


def words_of(desk: Desk, name: str) -> list[dict[str, Any]]:
    players = desk.display().get("/api/result").json()["players"]
    found: list[dict[str, Any]] = next(one["words"] for one in players if one["name"] == name)
    return found


class TestMachine:
    def test_the_log_tells_who_and_when_and_no_word_of_a_round_in_play(
        self, desk: Desk, referee: Browser
    ) -> None:
        plan = desk.owner.state.plan
        setup = Setup(plan, "serve", True, "new_4x4", "enable")  # noqa: FBT003
        place = desk.site.machine.place
        with open_log(place) as log, Keeper(log, setup) as keeper:
            keeper.record(PlayerJoined("ada", "key"))
            keeper.record(WordWritten("ada", "quey", 1.0, "1"))
            told = referee.get("/api/log").json()
            assert [one["kind"] for one in told] == ["begun", "player_joined", "word_written"]
            assert (told[2]["who"], told[2]["data"]) == ("ada", None)
            desk.display().post("/api/round/press")
            desk.display().post("/api/round/cancel")
            assert referee.get("/api/log?since=2").json()[0]["data"]["text"] == "quey"

    def test_the_log_tells_no_letter_of_a_board_that_was_given_up_hidden(
        self, desk: Desk, referee: Browser
    ) -> None:
        setup = Setup(desk.owner.state.plan, "serve", True, "new_4x4", "enable")  # noqa: FBT003
        with open_log(desk.site.machine.place) as log, Keeper(log, setup) as keeper:
            keeper.record(PlayerJoined("ada", "key"))
            keeper.record(CellConfirmed((0, 0), "A"))
            desk.display().post("/api/round/press")
            desk.display().post("/api/round/cancel")
            told = referee.get("/api/log").json()
            assert (told[-1]["kind"], told[-1]["data"]) == ("cell_confirmed", None)

    def test_the_log_tells_no_letter_that_lies_as_a_tile_in_play(self, desk: Desk) -> None:
        setup = Setup(desk.owner.state.plan, "serve", True, "new_4x4", "enable")  # noqa: FBT003
        with open_log(desk.site.machine.place) as log, Keeper(log, setup) as keeper:
            keeper.record(PlayerJoined("ada", "key"))
            keeper.record(CellConfirmed((0, 0), "A"))
            desk.site = replace(desk.site, round_number=lambda: keeper.number + 1)
            assert desk.signed_in(Role.REFEREE).get("/api/log").json()[-1]["data"] is not None
            desk.site = replace(desk.site, dealt=lambda: {keeper.number})
            assert desk.signed_in(Role.REFEREE).get("/api/log").json()[-1]["data"] is None

    def test_the_log_tells_which_decision_was_taken_back(self, desk: Desk) -> None:
        setup = Setup(desk.owner.state.plan, "serve", True, "new_4x4", "enable")  # noqa: FBT003
        with open_log(desk.site.machine.place) as log, Keeper(log, setup) as keeper:
            ada_wrote_and_a_cube_was_corrected(desk)
            desk.signed_in(Role.REFEREE).post("/api/decisions", {"kind": "undo"})
            for event in desk.owner.happened:
                keeper.record(event)
            desk.site = replace(desk.site, round_number=lambda: keeper.number + 1)
            referee = desk.signed_in(Role.REFEREE)
            undone = [one["undone"] for one in referee.get("/api/log").json()]
            assert undone[-1]["word"] == "T → X (4, 1): worn"
            assert undone[:-1] == [None] * (len(undone) - 1)
            desk.site = replace(desk.site, dealt=lambda: {keeper.number})
            told = desk.signed_in(Role.REFEREE).get("/api/log").json()
            assert told[-1]["undone"] is None

    def test_devices_are_told_with_what_is_wrong(self, referee: Browser) -> None:
        told = referee.get("/api/devices").json()
        assert told["devices"] == [{"name": "shaker", "simulated": True}]
        assert (told["doing"], told["fault"]) == ("", None)

    def test_a_backup_is_read_back_by_anybody(self, desk: Desk) -> None:
        with open_log(desk.site.machine.place):
            pass
        answer = desk.signed_in(Role.OWNER).get("/api/backup")
        assert "wordtray-backup.zip" in answer.headers["content-disposition"]
        names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert "manifest.json" in names
        assert not any("web.json" in name for name in names)

    def test_the_doctor_looks_at_the_machine(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        finding = Finding("log", Grade.WARN, "it is cut", "Restore a backup.")
        monkeypatch.setattr(machine, "examine", lambda **_: iter([finding]))
        found = desk.signed_in(Role.OWNER).get("/api/doctor").json()
        assert found == [finding.as_json()]


class TestSettings:
    @pytest.fixture
    def file(self, desk: Desk, tmp_path: Path) -> Path:
        file = tmp_path / "wordtray.toml"
        desk.site = replace(desk.site, machine=replace(desk.site.machine, settings_file=file))
        return file

    def test_settings_are_shown_checked_and_written(self, desk: Desk, file: Path) -> None:
        owner = desk.signed_in(Role.OWNER)
        shown = owner.get("/api/settings").json()
        assert shown["file"] == str(file)
        assert "[web]" in shown["text"]
        assert (
            owner.ask("PUT", "/api/settings", json={"text": "[web]\nport = 81"}).status_code == 200
        )
        assert "port = 81" in owner.get("/api/settings").json()["text"]
        noted = "# my port\n[web]\nport = 82  # not 81"
        owner.ask("PUT", "/api/settings", json={"text": noted})
        assert owner.get("/api/settings").json()["text"] == noted
        assert file.read_text() == noted
        assert file.with_name("wordtray.toml.before").read_text() == "[web]\nport = 81"

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[web]\nport = 70000", "[web] port"),
            ("[web", "no TOML"),
            ("[nothing]", "no such section"),
        ],
    )
    def test_what_is_not_sound_is_told_and_not_written(
        self, desk: Desk, file: Path, text: str, told: str
    ) -> None:
        owner = desk.signed_in(Role.OWNER)
        assert told in owner.post("/api/settings/check", {"text": text}).json()["problems"][0]
        answer = owner.ask("PUT", "/api/settings", json={"text": text})
        assert (answer.status_code, answer.json()["type"]) == (422, "settings")
        assert not file.exists()

    def test_own_wording_is_looked_at_before_the_service_would_end_by_it(
        self, desk: Desk, file: Path, tmp_path: Path
    ) -> None:
        owner = desk.signed_in(Role.OWNER)
        text = f'[web]\ntexts = "{tmp_path}/words"\n'
        (problem,) = owner.post("/api/settings/check", {"text": text}).json()["problems"]
        assert problem.startswith("[web] texts: there is no folder")
        assert owner.ask("PUT", "/api/settings", json={"text": text}).status_code == 422
        assert not file.exists()
        (tmp_path / "words").mkdir()
        (tmp_path / "words" / "de.toml").write_text('[display]\nnothing = "x"\n')
        assert "nothing" in owner.post("/api/settings/check", {"text": text}).json()["problems"][0]
        (tmp_path / "words" / "de.toml").write_text('[display]\nstart = "Los"\n')
        assert owner.post("/api/settings/check", {"text": text}).json()["problems"] == []

    def test_a_simulated_tray_has_none(self, desk: Desk) -> None:
        owner = desk.signed_in(Role.OWNER)
        assert owner.ask("PUT", "/api/settings", json={"text": ""}).status_code == 409


def test_pages_are_served_in_the_language_of_who_asks(desk: Desk) -> None:
    browser = desk.display()
    assert 'lang="en"' in browser.get("/").text
    german = browser.get("/?lang=de")
    assert 'lang="de"' in german.text
    assert 'lang="de"' in browser.get("/").text
    assert browser.get("/layout").status_code == 404


def test_a_phone_finds_the_games_on_a_screen(desk: Desk) -> None:
    page = desk.display().get("/play").text
    assert 'href="/touch"' in page
    assert 'href="/swoggle"' in page


def test_another_language_leaves_a_page_where_it_is(desk: Desk) -> None:
    browser = desk.display()
    page = browser.get("/touch?match=monday&lang=fr").text
    assert 'href="?match=monday&amp;lang=de"' in page
    assert 'href="?lang=de"' in browser.get("/touch?lang=fr").text
