"""The review at the desk: its routes, for two referees at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host import tournaments
from firmware_host.station.base import Base, open_base
from firmware_host.station.review import LEASE_S, Picture, Review
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournament_office.app import office_app
from firmware_host.tournament_office.office import COOKIE, Office
from firmware_host.tournament_office.opening import opened
from firmware_host.web.sessions import Role
from hardware.clock import ManualClock
from scoring.lexicon import builtin_lexicon
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from tests.firmware_host.review_fakes import collecting, confirming, questions, word


class Desk:
    """A desk with a station's database, and time that passes as the test has it."""

    def __init__(self, office: Office, clock: ManualClock) -> None:
        self.office, self.clock = office, clock
        self._app = office_app(office, {"localhost"})

    def sign_in(self, name: str) -> Client:
        sessions = self.office.sessions
        return Client(self, sessions.written(sessions.new(Role.REFEREE, name)))


class Client:
    """A referee at a page of their own; without a cookie anybody."""

    def __init__(self, desk: Desk, cookie: str) -> None:
        self._desk, self._cookie = desk, cookie

    def __call__(self, method: str, path: str, body: object = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._desk._app)
            more: dict[str, Any] = {} if body is None else {"json": body}
            cookies = {COOKIE: self._cookie} if self._cookie else {}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://localhost", cookies=cookies
            ) as one:
                return await one.request(method, f"/api{path}", **more)

        return asyncio.run(ask())


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    with open_base(f"sqlite:{tmp_path / 'station.db'}", "spring") as made:
        yield made


@pytest.fixture
def desk(base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """The station has heard of doubtful words at table 7, and of a cube at table 8."""
    asked = questions(*collecting(word("THEY", 0.7), word("TEE", 0.2)))
    cube = [replace(each, tray="8") for each in questions(*confirming((1, 0)))]
    Review(base).ask({"7": asked, "8": cube}, {"7": 1, "8": 1})
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    plan = Plan.agree("Spring", "enable", builtin_lexicon().digest, seats=2, rounds=1, boards=1)
    tournaments.create("spring", Log.new(plan))
    office, _ = opened("spring", f"sqlite:{tmp_path / 'station.db'}")
    clock = ManualClock(office.clock())
    made = replace(office, clock=clock.monotonic)
    yield Desk(made, clock)
    made.branch.close()


@pytest.fixture
def bo(desk: Desk) -> Client:
    return desk.sign_in("Bo")


@pytest.fixture
def ann(desk: Desk) -> Client:
    return desk.sign_in("Ann")


def answered(base: Base, outcome: Outcome, why: str = "") -> None:
    """Every order is answered so."""
    base.answer([Answer(each.order.id, outcome, why, 1.0) for each in base.orders()])


def taken(client: Client, *skipped: str) -> dict[str, Any]:
    answer = client("POST", "/review/next", {"skipped": list(skipped)})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_each_referee_gets_another_question_cubes_first(bo: Client, ann: Client) -> None:
    one, two = taken(bo), taken(ann)
    assert (one["kind"], one["looker"], one["yours"]) == ("cell", "Bo", True)
    assert (two["kind"], two["player"], two["confidence"]) == ("word", "ann", 0.2)
    queue = ann("GET", "/review").json()
    assert queue["open"] == 3
    shown = [(each["looker"], each["yours"]) for each in queue["questions"]]
    assert shown == [("Bo", False), ("Ann", True), ("", False)]


def test_the_second_is_told_who_decided_what(bo: Client, ann: Client, base: Base) -> None:
    one = taken(bo)
    held = ann("POST", f"/review/{one['id']}", {"text": "N"})
    assert (held.status_code, held.json()["type"]) == (409, "review_held")
    assert "Bo is looking at it" in held.json()["detail"]
    said = bo("POST", f"/review/{one['id']}", {"text": "H"})
    assert (said.status_code, said.json()["by"], said.json()["outcome"]) == (200, "Bo", None)
    late = ann("POST", f"/review/{one['id']}", {"text": "N"})
    assert (late.status_code, late.json()["type"]) == (409, "review_decided")
    assert "Bo has decided: it is H" in late.json()["detail"]
    assert [each.tray for each in base.orders()] == ["8"]


def test_what_became_of_it_is_shown_and_it_is_taken_back(
    bo: Client, ann: Client, base: Base
) -> None:
    one = taken(bo)
    bo("POST", f"/review/{one['id']}", {"text": "H"})
    assert bo("POST", f"/review/{one['id']}/undo").status_code == 409
    answered(base, Outcome.DONE)
    assert ann("POST", f"/review/{one['id']}/undo").status_code == 202
    (decided,) = ann("GET", "/review").json()["decided"]
    assert (decided["said"]["outcome"], decided["undo"]) == ("done", "")
    answered(base, Outcome.REFUSED, "another came after it")
    (decided,) = ann("GET", "/review").json()["decided"]
    assert (decided["undo"], decided["undo_why"]) == ("refused", "another came after it")


def test_a_lease_is_renewed_ends_and_is_let_go(desk: Desk, bo: Client, ann: Client) -> None:
    one = taken(bo)
    desk.clock.sleep(LEASE_S - 1)
    assert bo("POST", f"/review/{one['id']}/claim").status_code == 200
    desk.clock.sleep(LEASE_S - 1)
    assert ann("POST", f"/review/{one['id']}/claim").status_code == 409
    desk.clock.sleep(2)
    assert ann("POST", f"/review/{one['id']}/claim").json()["looker"] == "Ann"
    assert ann("DELETE", "/review/claim").status_code == 204
    assert taken(bo)["id"] == one["id"]


def test_what_is_skipped_does_not_come_next(bo: Client) -> None:
    seen = [taken(bo)["id"]]
    seen.append(taken(bo, *seen)["id"])
    seen.append(taken(bo, *seen)["id"])
    assert len(set(seen)) == 3
    assert bo("POST", "/review/next", {"skipped": seen}).json() is None


@pytest.mark.parametrize("text", ["", "two words", "<b>", "x" * 65])
def test_what_is_no_word_is_refused(bo: Client, text: str) -> None:
    word_ = next(each for each in bo("GET", "/review").json()["questions"] if each["player"])
    assert bo("POST", f"/review/{word_['id']}", {"text": text}).status_code == 422


def test_a_picture_is_shown_where_there_is_one(bo: Client, base: Base) -> None:
    one = taken(bo)
    assert one["crop_url"] is None
    path = f"/review/{one['id']}.jpg"
    assert bo("GET", path).status_code == 404
    Review(base).keep([Picture(one["id"], "8", 1, b"a picture")])
    assert taken(bo)["crop_url"] == f"/api{path}"
    answer = bo("GET", path)
    assert (answer.content, answer.headers["content-type"]) == (b"a picture", "image/jpeg")


def test_the_state_counts_what_is_open_and_changes_with_it(bo: Client) -> None:
    before = bo("GET", "/desk").json()["review"]
    one = taken(bo)
    claimed = bo("GET", "/desk").json()["review"]
    bo("POST", f"/review/{one['id']}", {"text": "H"})
    decided = bo("GET", "/desk").json()["review"]
    assert [each["open"] for each in (before, claimed, decided)] == [3, 3, 2]
    assert len({each["tag"] for each in (before, claimed, decided)}) == 3


def test_nobody_else_sees_or_decides_anything(desk: Desk, bo: Client) -> None:
    nobody, id_ = Client(desk, ""), taken(bo)["id"]
    asked = [
        nobody("GET", "/review"),
        nobody("GET", f"/review/{id_}.jpg"),
        nobody("POST", "/review/next", {}),
        nobody("POST", f"/review/{id_}", {"text": "H"}),
        nobody("POST", f"/review/{id_}/claim"),
        nobody("POST", f"/review/{id_}/undo"),
        nobody("DELETE", "/review/claim"),
    ]
    assert {each.status_code for each in asked} == {401}


@pytest.mark.parametrize("id_", ["x", "7.1.word.0-0.zz", "7.1.word.0-0.0123456789ab%0a"])
def test_what_is_no_id_is_refused(bo: Client, id_: str) -> None:
    assert bo("POST", f"/review/{id_}", {"text": "they"}).status_code in {404, 422}


def test_one_that_is_open_no_more_is_told_of(bo: Client, base: Base) -> None:
    one = taken(bo)
    Review(base).ask({"8": ()}, {"8": 1})
    answer = bo("POST", f"/review/{one['id']}", {"text": "H"})
    assert (answer.status_code, answer.json()["type"]) == (409, "review_gone")


def test_without_a_station_nothing_is_open(desk: Desk, tmp_path: Path) -> None:
    office, _ = opened("spring", f"sqlite:{tmp_path / 'nowhere.db'}")
    alone = Desk(office, desk.clock).sign_in("Bo")
    assert alone("GET", "/desk").json()["review"] == {"open": 0, "tag": ""}
    assert alone("GET", "/review").json()["type"] == "no_station"
    assert not (tmp_path / "nowhere.db").exists()
