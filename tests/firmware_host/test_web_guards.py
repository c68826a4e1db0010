"""Who may do what, and what is refused: origins, names, sizes, guesses, floods."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware_host.rounds import MOST_LINES, WordWritten
from firmware_host.store.errors import StorageError
from firmware_host.web import access
from firmware_host.web.guards import FILES, LARGEST_BODY, LARGEST_PICTURE
from firmware_host.web.limits import MOST_KEPT, BackOff, Buckets, Rate
from firmware_host.web.sessions import (
    COOKIE,
    LASTS_S,
    MOST_ENDED,
    Ended,
    EndedSessions,
    Role,
    Sessions,
)
from hardware.clock import ManualClock
from tests.firmware_host.web_site import PINS, Browser, Desk, application, make_desk

ROLES = ("nobody", "display", "player", "referee", "owner")

TABLE: dict[tuple[str, str], str] = {
    ("GET", "/api/state"): " dpro",
    ("GET", "/api/session"): "ndpro",
    ("POST", "/api/session"): "ndpro",
    ("DELETE", "/api/session"): "ndpro",
    ("POST", "/api/players"): "ndpro",
    ("DELETE", "/api/players/{name}"): "   ro",
    ("POST", "/api/round/extra-time"): " d ro",
    ("POST", "/api/round/{act}"): " d ro",
    ("POST", "/api/words"): "  p  ",
    ("DELETE", "/api/words/{id_}"): "  p  ",
    ("POST", "/api/list"): "  p  ",
    ("POST", "/api/paper"): "  pro",
    ("GET", "/api/cells"): " d ro",
    ("GET", "/api/cells/{row}/{col}.png"): " d ro",
    ("POST", "/api/cells/{row}/{col}"): " d ro",
    ("PUT", "/api/cells/{row}/{col}"): "   ro",
    ("GET", "/api/review"): "   ro",
    ("GET", "/api/review/{id_}.png"): "   ro",
    ("POST", "/api/review/{id_}"): "   ro",
    ("GET", "/api/decisions"): "   ro",
    ("POST", "/api/decisions"): "   ro",
    ("POST", "/api/challenges"): "   ro",
    ("PUT", "/api/challenges/clock"): "   ro",
    ("DELETE", "/api/challenges/clock"): "   ro",
    ("GET", "/api/lexicon"): "   ro",
    ("PUT", "/api/lexicon"): "   ro",
    ("GET", "/api/result"): " dpro",
    ("GET", "/api/result/words"): " dpro",
    ("GET", "/api/dictionary/{word}"): " dpro",
    ("GET", "/api/statistics"): " d ro",
    ("GET", "/api/fairness"): " d ro",
    ("GET", "/api/log"): "   ro",
    ("GET", "/api/texts/faults"): " dpro",
    ("GET", "/api/upkeep"): "    o",
    ("POST", "/api/upkeep"): "    o",
    ("DELETE", "/api/upkeep"): "    o",
    ("GET", "/api/upkeep/frame.jpg"): "    o",
    ("GET", "/api/upkeep/calibration"): "    o",
    ("GET", "/api/service"): "    o",
    ("POST", "/api/service/restart"): "    o",
    ("GET", "/api/update"): "    o",
    ("PUT", "/api/update"): "    o",
    ("DELETE", "/api/update"): "    o",
    ("POST", "/api/restore"): "    o",
    ("GET", "/api/devices"): "   ro",
    ("GET", "/api/photo"): "   ro",
    ("GET", "/api/doctor"): "    o",
    ("GET", "/api/settings"): "    o",
    ("PUT", "/api/settings"): "    o",
    ("POST", "/api/settings/check"): "    o",
    ("GET", "/api/backup"): "    o",
    ("POST", "/api/display-link"): "   ro",
}
"""Who is let in at each route, by the first letters of the roles."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


def browsers(desk: Desk) -> dict[str, Browser]:
    return {
        "nobody": desk.browser(),
        "display": desk.display(),
        "player": desk.player("ada"),
        "referee": desk.signed_in(Role.REFEREE),
        "owner": desk.signed_in(Role.OWNER),
    }


def operations() -> set[tuple[str, str]]:
    return {
        (method.upper(), path)
        for path, methods in application().openapi()["paths"].items()
        for method in methods
    }


def asked(browser: Browser, method: str, path: str) -> int:
    """The code of a request that is of the right form, or near it."""
    for name, value in (("{name}", "eve"), ("{act}", "pause"), ("{id_}", "0-0"), ("{row}", "0")):
        path = path.replace(name, value)
    path = path.replace("{col}", "0")
    if path == "/api/paper":
        return browser.send_paper(b"").status_code
    if path in FILES and method in {"PUT", "POST"}:
        kind = {"content-type": "application/octet-stream"}
        return browser.ask(method, path, content=b"no release", headers=kind).status_code
    body = None if method in {"GET", "DELETE"} else EXAMPLES.get(path, {})
    return browser.ask(method, path, json=body).status_code


EXAMPLES: dict[str, dict[str, Any]] = {
    "/api/round/extra-time": {"seconds": 1},
    "/api/words": {"id": "1", "text": "hey"},
    "/api/list": {"id": "1"},
    "/api/cells/0/0": {"face": "A"},
    "/api/review/0-0": {"text": "hey"},
    "/api/decisions": {"kind": "undo"},
    "/api/challenges": {"words": ["hey"]},
    "/api/lexicon": {"name": "no-such-list"},
    "/api/upkeep": {"work": "look"},
    "/api/settings": {"text": ""},
    "/api/settings/check": {"text": ""},
}


def test_every_route_stands_in_the_table_of_roles() -> None:
    assert operations() == set(TABLE)


def test_each_role_is_let_in_where_it_may_and_nowhere_else(desk: Desk) -> None:
    who = browsers(desk)
    heavy = {("GET", "/api/doctor"), ("GET", "/api/backup"), ("GET", "/api/log")}
    last = ("DELETE", "/api/session")  # it ends what the others need
    for method, path in sorted(TABLE, key=lambda one: one == last):
        may = TABLE[method, path]
        for role, browser in who.items():
            if (method, path) in heavy and role[0] in may:
                continue  # tested where they do something
            code = asked(browser, method, path)
            let_in = code not in {401, 403}
            assert let_in == (role[0] in may), f"{method} {path} by {role}: {code}"
            assert code < 500, f"{method} {path} by {role}: {code}"
            if role == "nobody" and not let_in:
                assert code == 401


def test_every_route_has_examples_for_what_it_takes_and_gives() -> None:
    document = application().openapi()
    schemas = document["components"]["schemas"]

    def has_example(schema: dict[str, Any]) -> bool:
        if "$ref" in schema:
            return has_example(schemas[schema["$ref"].rsplit("/", 1)[1]])
        inner = schema.get("items", schema)
        return "examples" in schema or (inner is not schema and has_example(inner))

    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            contents = [operation.get("requestBody", {}).get("content", {})]
            contents += [
                one.get("content", {})
                for code, one in operation["responses"].items()
                if code[0] == "2"
            ]
            for kind, content in (item for one in contents for item in one.items()):
                if kind == "application/json" and path != "/api/result":
                    assert has_example(content["schema"]), f"{method} {path}"


def test_what_is_of_the_wrong_form_is_told_as_every_problem_is() -> None:
    assert "HTTPValidationError" not in json.dumps(application().openapi()["paths"])


class TestOrigins:
    @pytest.mark.parametrize(
        "headers",
        [
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"origin": "https://127.0.0.1:8080"},
            {"origin": "http://127.0.0.1:8081"},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ],
    )
    def test_another_site_changes_nothing(self, desk: Desk, headers: dict[str, str]) -> None:
        answer = desk.display().ask("POST", "/api/round/press", headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (403, "origin")
        assert desk.owner.happened == []

    @pytest.mark.parametrize(
        "headers", [{}, {"origin": "http://127.0.0.1:8080"}, {"sec-fetch-site": "same-origin"}]
    )
    def test_our_own_pages_and_programs_are_heard(
        self, desk: Desk, headers: dict[str, str]
    ) -> None:
        assert desk.display().ask("POST", "/api/round/press", headers=headers).status_code == 200

    @pytest.mark.parametrize(
        "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1; x", "", "localhost.evil"]
    )
    def test_a_name_that_is_led_here_is_not_ours(self, desk: Desk, host: str) -> None:
        """Else a page of that name would be of the same origin, and asks from this machine."""
        headers = {"host": host, "origin": f"http://{host}"}
        assert desk.display().ask("GET", "/api/state", headers=headers).status_code == 421
        assert desk.display().ask("POST", "/api/round/press", headers=headers).status_code == 421

    @pytest.mark.parametrize("host", ["tray.local", "localhost:8080", "[::1]:8080", "192.168.1.2"])
    def test_our_own_names_are(self, desk: Desk, host: str) -> None:
        answer = desk.display().ask("GET", "/api/state", headers={"host": host})
        assert answer.status_code == 200
        assert f"ws://{host}" in answer.headers["content-security-policy"]


def test_a_page_may_do_nothing_but_with_what_is_ours(desk: Desk) -> None:
    for path in ("/", "/api/state", "/static/base.css", "/no-such-page"):
        headers = desk.display().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_files_are_asked_for_again_and_not_sent_again(desk: Desk) -> None:
    browser = desk.browser()
    first = browser.get("/static/base.css")
    tag = {"if-none-match": first.headers["etag"]}
    assert first.headers["cache-control"] == "no-cache"
    assert browser.ask("GET", "/static/base.css", headers=tag).status_code == 304
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/none.css"):
        assert browser.get(path).status_code == 404


def test_scripts_and_sheets_go_out_compressed_and_what_may_hold_a_secret_does_not(
    desk: Desk,
) -> None:
    packed = {"accept-encoding": "gzip"}
    sheet = desk.browser().ask("GET", "/static/base.css", headers=packed)
    assert sheet.headers["content-encoding"] == "gzip"
    assert int(sheet.headers["content-length"]) < len(sheet.content) / 2
    again = packed | {"if-none-match": sheet.headers["etag"]}
    assert desk.browser().ask("GET", "/static/base.css", headers=again).status_code == 304
    for path in ("/", "/api/state", "/static/fonts/sans-bold.woff2"):
        answer = desk.display().ask("GET", path, headers=packed)
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers
    font = desk.display().get("/static/fonts/sans-bold.woff2")
    assert "max-age" in font.headers["cache-control"]


@pytest.mark.parametrize("path", ["/", "/join", "/play", "/referee", "/maintenance", "/help"])
def test_a_page_may_be_asked_for_its_head_alone(desk: Desk, path: str) -> None:
    head, whole = desk.display().ask("HEAD", path), desk.display().get(path)
    assert head.status_code == whole.status_code == 200
    assert head.headers["content-length"] == whole.headers["content-length"]


class TestSessions:
    def test_a_pin_gives_its_role_and_the_end_of_the_session_takes_it(self, desk: Desk) -> None:
        browser = desk.browser()
        assert browser.post("/api/session", {"pin": PINS[Role.OWNER]}).json()["role"] == "owner"
        kept = browser.cookies[COOKIE]
        assert browser.get("/api/settings").status_code == 200
        assert browser.ask("DELETE", "/api/session").status_code == 204
        assert COOKIE not in browser.cookies
        browser.cookies.set(COOKIE, kept)  # as of somebody who has copied it
        assert browser.get("/api/settings").status_code == 401

    def test_wrong_pins_make_wait_ever_longer_and_the_right_one_then_too(self, desk: Desk) -> None:
        browser = desk.browser()
        codes = [browser.post("/api/session", {"pin": f"{n}"}).status_code for n in range(5)]
        assert codes == [403, 403, 403, 403, 429]
        answer = browser.post("/api/session", {"pin": PINS[Role.REFEREE]})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
        desk.wall.sleep(2.0)
        assert browser.post("/api/session", {"pin": PINS[Role.REFEREE]}).status_code == 200

    def test_many_who_guess_together_wait_as_well(self, desk: Desk) -> None:
        for _ in range(40):
            assert desk.site.all_guesses.wait_s("") == 0.0
        assert desk.browser().post("/api/session", {"pin": "0"}).status_code == 429

    def test_a_session_ends_by_itself(self, desk: Desk) -> None:
        referee = desk.signed_in(Role.REFEREE)
        desk.wall.sleep(LASTS_S[Role.REFEREE] - 1)
        assert referee.get("/api/decisions").status_code == 200
        desk.wall.sleep(2)
        assert referee.get("/api/decisions").status_code == 401

    def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(self, desk: Desk) -> None:
        answer = desk.browser().post("/api/session", {"pin": PINS[Role.REFEREE]})
        said = answer.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=strict" in said

    @pytest.mark.parametrize("cookie", ["", "x", "WyJvd25lciJd.x", "a" * 5000])
    def test_what_is_no_session_of_ours_is_none(self, desk: Desk, cookie: str) -> None:
        browser = desk.browser()
        browser.cookies.set(COOKIE, cookie)
        assert browser.get("/api/state").status_code == 401

    def test_another_secret_makes_other_sessions(self) -> None:
        ours, other = (Sessions(secret, lambda: 0.0) for secret in ("one", "two"))
        assert ours.read(other.written(other.new(Role.OWNER))) is None
        assert ours.read(ours.written(ours.new(Role.OWNER))) is not None


class TestEnded:
    def test_a_session_that_was_ended_stays_so_after_a_restart(self, tmp_path: Path) -> None:
        before = Sessions("secret", lambda: 0.0, access.ended_sessions(tmp_path))
        gone, stays = before.new(Role.OWNER), before.new(Role.OWNER)
        before.end(gone)
        after = Sessions("secret", lambda: 0.0, access.ended_sessions(tmp_path))
        assert after.read(before.written(gone)) is None
        assert after.read(before.written(stays)) == stays
        file = tmp_path / access.ENDED_FILE
        assert file.stat().st_mode & 0o777 == 0o600
        assert gone.id not in file.read_text()

    def test_so_many_are_remembered_those_of_players_the_least_long(self) -> None:
        kept: list[EndedSessions] = []
        sessions = Sessions("secret", lambda: 0.0, Ended(keep=kept.append))
        referee = sessions.new(Role.REFEREE)
        sessions.end(referee)
        for _ in range(MOST_ENDED + 5):
            sessions.end(sessions.new(Role.PLAYER))
        assert len(kept[-1]) == MOST_ENDED
        assert not sessions.lasts(referee)

    def test_those_that_are_over_by_themselves_are_forgotten(self) -> None:
        clock, kept = ManualClock(), list[EndedSessions]()
        sessions = Sessions("secret", clock.monotonic, Ended(keep=kept.append))
        sessions.end(sessions.new(Role.OWNER))
        clock.sleep(LASTS_S[Role.OWNER] + 1)
        sessions.end(sessions.new(Role.OWNER))
        assert len(kept[-1]) == 1

    @pytest.mark.parametrize(
        ("fault", "advice"), [(errno.ENOSPC, "disk is full"), (errno.EACCES, "who may read")]
    )
    def test_pins_that_cannot_be_kept_are_told_with_what_to_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int, advice: str
    ) -> None:
        def refuse(_descriptor: int) -> None:
            raise OSError(fault, os.strerror(fault))

        monkeypatch.setattr(os, "fsync", refuse)
        with pytest.raises(StorageError, match=os.strerror(fault)) as told:
            access.opened(tmp_path)
        assert advice in told.value.advice

    def test_what_cannot_be_read_or_kept_is_told(self, tmp_path: Path) -> None:
        (tmp_path / access.ENDED_FILE).write_text("[]")
        with pytest.raises(StorageError, match="cannot be used"):
            access.ended_sessions(tmp_path)
        ended = Sessions("s", lambda: 0.0, Ended(keep=access.ended_sessions(tmp_path / "x")._keep))
        (tmp_path / "x").write_text("in the way of the folder")
        session = ended.new(Role.OWNER)
        with pytest.raises(StorageError, match="cannot be written"):
            ended.end(session)
        assert not ended.lasts(session)


class TestAccess:
    def test_pins_are_made_once_and_nobody_else_may_read_what_is_kept(self, tmp_path: Path) -> None:
        first, pins = access.opened(tmp_path)
        again, none = access.opened(tmp_path)
        file = tmp_path / access.FILE
        assert (again, none) == (first, {})
        assert file.stat().st_mode & 0o777 == 0o600
        for role, pin in pins.items():
            assert pin not in file.read_text()
            assert first.role_of(pin) is role
        assert first.role_of("") is None

    def test_new_pins_end_what_was_before(self, tmp_path: Path) -> None:
        first, before = access.opened(tmp_path)
        second, pins = access.opened(tmp_path, anew=True)
        assert second.secret != first.secret
        assert set(pins) == {Role.REFEREE, Role.OWNER}
        assert pins != before

    def test_what_others_may_read_or_is_damaged_is_told(self, tmp_path: Path) -> None:
        access.opened(tmp_path)
        file = tmp_path / access.FILE
        file.chmod(0o644)
        with pytest.raises(StorageError, match="read by others"):
            access.opened(tmp_path)
        file.chmod(0o600)
        file.write_text("{}")
        with pytest.raises(StorageError, match="damaged"):
            access.opened(tmp_path)


class TestLimits:
    def test_a_bucket_is_emptied_and_fills_again(self) -> None:
        clock = ManualClock()
        buckets = Buckets(Rate(burst=2, per_s=0.5), clock.monotonic)
        assert [buckets.wait_s("a") for _ in range(3)] == [0.0, 0.0, 2.0]
        assert buckets.wait_s("b") == 0.0
        clock.sleep(2.0)
        assert [buckets.wait_s("a") for _ in range(2)] == [0.0, 2.0]

    def test_wrong_guesses_cost_ever_more_up_to_a_bound(self) -> None:
        clock = ManualClock()
        back_off = BackOff(clock.monotonic, free=1, first_s=1.0, longest_s=10.0)
        waits = []
        for _ in range(7):
            back_off.wrong("a")
            waits.append(back_off.wait_s("a"))
        assert waits == [0.0, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
        back_off.right("a")
        assert back_off.wait_s("a") == 0.0

    def test_what_is_remembered_is_bounded(self) -> None:
        buckets = Buckets(Rate(burst=1, per_s=1), lambda: 0.0)
        back_off = BackOff(lambda: 0.0)
        for number in range(MOST_KEPT + 10):
            buckets.wait_s(str(number))
            back_off.wrong(str(number))
        assert len(buckets._left) == len(back_off._wrong) == MOST_KEPT


class TestAbuse:
    def test_words_that_flood_are_slowed_and_a_list_has_an_end(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.play()

        def write(number: int) -> int:
            return ada.post("/api/words", {"id": f"w{number}", "text": "hey"}).status_code

        assert [write(number) for number in range(53)] == [200] * 50 + [429] * 3
        for number in range(60, MOST_LINES + 10):
            desk.owner.post(WordWritten("ada", "hey", 1000.0, f"w{number}"))
        desk.wall.sleep(10.0)
        assert [write(1), write(9999)] == [200, 409]
        assert len(desk.owner.state.lines["ada"]) == MOST_LINES

    def test_a_player_writes_on_no_other_list(self, desk: Desk) -> None:
        ada, ben = desk.player("ada"), desk.player("ben")
        desk.play()
        ada.post("/api/words", {"id": "1", "text": "hey", "player": "ben"})
        assert ben.ask("DELETE", "/api/words/1").status_code == 404
        assert desk.owner.state.drafts == {"ada": ("hey",)}

    def test_a_body_that_is_too_large_is_refused_before_it_is_read(self, desk: Desk) -> None:
        data = b" " * (LARGEST_BODY + 1)
        headers = {"content-type": "application/json"}
        answer = desk.display().ask("POST", "/api/players", content=data, headers=headers)
        assert answer.status_code == 413

    def test_nor_one_that_does_not_say_how_large_it_is(self, desk: Desk) -> None:
        sent = 0

        async def endless() -> Any:  # noqa: ANN401 - of chunks
            nonlocal sent
            while True:
                sent += 1
                yield b" " * 1024

        headers = {"content-type": "application/json"}
        answer = desk.display().ask("POST", "/api/players", content=endless(), headers=headers)
        assert answer.status_code == 413
        assert sent * 1024 < 3 * LARGEST_BODY

    def test_fifty_megabytes_of_picture_are_refused(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.play()
        desk.end()
        headers = {
            "content-type": "multipart/form-data; boundary=x",
            "content-length": str(2 * LARGEST_PICTURE),
        }
        assert ada.ask("POST", "/api/paper", content=b"", headers=headers).status_code == 413

    def test_a_picture_bomb_is_refused_by_its_head(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.play()
        desk.end()
        for side in (5_000, 30_000, 2**31 - 1):
            assert ada.send_paper(_bomb(side)).status_code == 413

    def test_what_is_told_of_a_picture_names_no_file_of_the_tray(self, desk: Desk) -> None:
        ada = desk.player("ada")
        desk.play()
        desk.end()
        small = io.BytesIO()
        Image.new("RGB", (3, 3)).save(small, "PNG")
        answer = ada.send_paper(small.getvalue())
        assert answer.status_code == 422
        assert "/" not in answer.json()["detail"]

    @pytest.mark.parametrize("data", [b"", b"x" * 100, b"\xff\xd8\xff\xe0", b"GIF89a", b"%PDF-1.4"])
    def test_what_is_no_picture_is_told(self, desk: Desk, data: bytes) -> None:
        ada = desk.player("ada")
        desk.play()
        desk.end()
        assert ada.send_paper(data).status_code == 422

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
    def test_a_body_of_another_kind_is_refused(self, desk: Desk, kind: str) -> None:
        answer = desk.display().ask(
            "POST", "/api/session", content=b'{"pin": "1"}', headers={"content-type": kind}
        )
        assert answer.status_code == 415

    @pytest.mark.parametrize("body", ["", "{", "[]", '{"pin": {"a": 1}}', '{"pin": null}'])
    def test_a_body_of_no_form_is_told(self, desk: Desk, body: str) -> None:
        headers = {"content-type": "application/json"}
        answer = desk.browser().ask("POST", "/api/session", content=body, headers=headers)
        assert answer.status_code in {415, 422}
        assert answer.headers["content-type"] == "application/problem+json"

    def test_every_problem_is_a_document(self, desk: Desk) -> None:
        for path in ("/api/none", "/api/state", "/none", "/api/words"):
            document = json.loads(desk.browser().get(path).text)
            assert set(document) == {"type", "title", "status", "detail", "advice"}


def _bomb(side: int) -> bytes:
    """A PNG that says it has sides so long, and has hardly a byte."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    packed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def test_the_bomb_is_a_picture_where_it_is_small() -> None:
    assert Image.open(io.BytesIO(_bomb(10))).size == (10, 10)
