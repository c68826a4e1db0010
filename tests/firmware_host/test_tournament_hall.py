"""The pages of a hall: what the feed tells, whom it tells it, and that nothing can be changed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host import tournaments
from firmware_host.errors import CommandError
from firmware_host.tournament_notice import LONGEST, Notice, announce, announced
from firmware_host.tournament_wall.app import Hall, hall_app
from firmware_host.tournament_wall.feed import feed
from firmware_host.web.render import Pages
from firmware_host.web.texts import read_catalogues
from scoring.lexicon import builtin_lexicon
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan, Prize

BOARD, SECRET = "IETC/HQuPE/SEYH/TOER", "TEAM/RSLO/HIND/GUPE"
SALT = "0f" * 16
PAGES = Pages(read_catalogues())


def event() -> Log:
    """Two tables of two; one of them has its points of the first board of two."""
    plan = Plan.agree(
        "Spring", "enable", builtin_lexicon().digest, seats=2, rounds=2, boards=2,
        prizes=[Prize("Cup")],
    )  # fmt: skip
    promised = commitment(BoardPlace("Spring", 1, 2, 0), SECRET, SALT)
    place = {"round": 1, "board": 1}
    return Log.new(plan).play(
        5.0,
        *({"type": "enrol", "player": name} for name in ("ann", "bob", "cy", "dee")),
        {"type": "enrol", "player": "eve", "shown": "Eve B."},
        {
            "type": "draw", "round": 1, "division": "main", "method": "manual",
            "tables": [["ann", "bob"], ["cy", "dee"]], "byes": ["eve"],
        },
        {"type": "board", **place, "table": 0, "shown": BOARD},
        {"type": "commit", "round": 1, "board": 2, "table": 0, "hash": promised},
        {
            "type": "scores", **place, "table": 1, "entered": True,
            "scores": {"ann": {"points": 7}, "bob": {"points": 3}},
        },
    )  # fmt: skip


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hall:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tournaments.create("spring", event())
    return Hall("spring", lambda: 100.0, PAGES, lambda: "http://192.0.2.7:8090/me")


class Client:
    """Asks the pages, as anybody in the hall may."""

    def __init__(self, hall: Hall) -> None:
        self._app = hall_app(hall, {"localhost"})

    def get(self, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401 - as of httpx
        return self.request("GET", path, **more)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as one:
                return await one.request(method, path, **more)

        return asyncio.run(ask())


@pytest.fixture
def client(hall: Hall) -> Client:
    return Client(hall)


class TestTheFeed:
    def test_it_tells_tables_and_standings(self) -> None:
        told = feed(event(), None, 100.0)
        assert told["now"] == 100.0
        assert told["round"]["tables"][0] == {
            "table": 1, "players": ["ann", "bob"], "complete": False,
        }  # fmt: skip
        assert told["round"]["byes"] == ["Eve B."]
        ranked = told["standings"]["main"]
        assert (ranked[0]["name"], ranked[0]["rank"]) == ("ann", 1)
        assert set(told["criteria"]) <= set(ranked[0])
        assert [each["winners"] for each in told["prizes"]]

    def test_a_board_that_is_only_promised_is_not_in_it(self) -> None:
        text = str(feed(event(), None, 100.0))
        assert BOARD in text
        assert SECRET not in text
        assert SALT not in text

    def test_before_anything_was_drawn(self) -> None:
        told = feed(Log.new(event().plan), Notice("Welcome"), 1.0)
        assert told["round"] is None
        assert told["prizes"] == []
        assert told["notice"] == {"text": "Welcome", "until": None}


class TestAnnouncements:
    @pytest.mark.usefixtures("hall")
    def test_they_are_put_up_and_taken_down(self) -> None:
        assert announced("spring") is None
        announce("spring", Notice(" Lunch ", 50.0))
        assert announced("spring") == Notice("Lunch", 50.0)
        announce("spring", None)
        announce("spring", None)
        assert announced("spring") is None

    @pytest.mark.usefixtures("hall")
    def test_what_cannot_be_one_is_refused(self) -> None:
        for text in ("", "  ", "x" * (LONGEST + 1)):
            with pytest.raises(CommandError):
                announce("spring", Notice(text))
        with pytest.raises(CommandError):
            announce("autumn", Notice("Lunch"))

    @pytest.mark.usefixtures("hall")
    def test_a_damaged_file_is_none(self) -> None:
        tournaments.beside("spring", "notice").write_bytes(b"{")
        assert announced("spring") is None


class TestThePages:
    def test_each_is_there_in_each_language(self, client: Client) -> None:
        for path in ("/", "/me", "/overlay"):
            for language in ("en", "de", "fr", "es", "it"):
                answer = client.get(path, params={"lang": language})
                assert answer.status_code == 200
                assert f'lang="{language}"' in answer.text
                assert "default-src 'none'" in answer.headers["content-security-policy"]

    def test_the_wall_has_the_address_for_phones(self, client: Client) -> None:
        assert "192.0.2.7:8090" in client.get("/").text

    def test_the_feed_is_sent_again_only_when_something_changed(self, client: Client) -> None:
        first = client.get("/api/live")
        assert first.headers["access-control-allow-origin"] == "*"
        again = {"if-none-match": first.headers["etag"]}
        assert client.get("/api/live", headers=again).status_code == 304
        announce("spring", Notice("Lunch"))
        told = client.get("/api/live", headers=again)
        assert told.json()["notice"]["text"] == "Lunch"
        assert client.get("/api/live", headers={"if-none-match": told.headers["etag"]}).content == (
            b""
        )

    def test_what_a_command_enters_is_there_at_once(self, client: Client) -> None:
        before = client.get("/api/live").json()
        with tournaments.opened("spring", 10.0) as opened:
            opened.play({"type": "enrol", "player": "flo"})
        after = client.get("/api/live").json()
        assert after["entries"] == before["entries"] + 1

    def test_an_event_that_cannot_be_read_is_told(self, client: Client, tmp_path: Path) -> None:
        file = tmp_path / "wordtray/tournaments/spring.tournament"
        whole = file.read_bytes()
        file.write_bytes(whole.replace(b"ann", b"amm"))
        assert client.get("/api/live").status_code == 503
        file.write_bytes(whole)
        assert client.get("/api/live").status_code == 200

    def test_nothing_can_be_changed(self, client: Client) -> None:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            answer = client.request(method, "/api/live", headers={"origin": "http://localhost"})
            assert answer.status_code == 405

    def test_another_name_is_refused(self, client: Client) -> None:
        assert client.get("/", headers={"host": "evil.example"}).status_code == 421
