"""Releases that are looked through, and a service that begins anew or in safe mode."""

from __future__ import annotations

import asyncio
import hashlib
import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host import safe_mode, updates
from firmware_host.errors import CommandError
from firmware_host.restart import Restart
from firmware_host.rounds import Phase, RoundState
from firmware_host.store.backup import back_up
from firmware_host.store.log import open_log
from firmware_host.systemd import Notifier
from firmware_host.web.sessions import Role
from tests.firmware_host.web_site import Browser, Desk, make_desk

OCTETS = {"content-type": "application/octet-stream"}


def release(
    version: str = "99.0", name: str = "wordtray", *, more: str = "", lacks: str = ""
) -> bytes:
    """A release with little in it."""
    data, top = io.BytesIO(), f"wordtray-{version}"
    files = {
        f"{top}/pyproject.toml": f'[project]\nname = "{name}"\nversion = "{version}"\n',
        f"{top}/systemd/install.sh": "",
        f"{top}/firmware_host/__init__.py": "",
        **({more: "x"} if more else {}),
    }
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path, text in files.items():
            if path != f"{top}/{lacks}":
                member = tarfile.TarInfo(path)
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


class TestReleases:
    def test_one_is_known_by_its_version_and_digest(self, tmp_path: Path) -> None:
        file, data = tmp_path / "release", release()
        file.write_bytes(data)
        found = updates.looked_through(file)
        assert (found.version, found.is_newer, found.size) == ("99.0", True, len(data))
        assert found.sha256 == hashlib.sha256(data).hexdigest()
        assert found.command.endswith(f"install.sh --update {found.sha256}")

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            (b"", "no release"),
            (b"no archive at all", "no release"),
            (release()[:-40], "no release"),
            (release(name="other"), "'other'"),
            (release(lacks="systemd/install.sh"), "lacks systemd/install.sh"),
            (release(more="/etc/passwd"), "does not belong"),
            (release(more="wordtray-99.0/../../x"), "does not belong"),
            (release(more="elsewhere/x"), "one folder"),
        ],
    )
    def test_what_is_none_is_told(self, tmp_path: Path, data: bytes, told: str) -> None:
        file = tmp_path / "release"
        file.write_bytes(data)
        with pytest.raises(CommandError, match=told):
            updates.looked_through(file)

    def test_an_older_one_is_none_that_is_newer(self, tmp_path: Path) -> None:
        file = tmp_path / "release"
        file.write_bytes(release("0.0.1"))
        assert not updates.looked_through(file).is_newer

    def test_the_folder_in_use_is_that_of_the_installer(self, tmp_path: Path) -> None:
        place = tmp_path / "0.1.0+1a2b3c4d"
        (place / "venv").mkdir(parents=True)
        assert updates.in_use(place / "venv") == ""
        (place / "complete").touch()
        assert updates.in_use(place / "venv") == "0.1.0+1a2b3c4d"


class TestRestart:
    def test_it_ends_and_begins_with_the_same_options(self) -> None:
        ended: list[bool] = []
        restart = Restart(lambda: ended.append(True))
        restart.port = 81
        restart.ask(safe=True)
        assert (restart.asked, ended) == (True, [True])
        given = ["wordtray", "serve", "--new-pin", "--port=0", "--seed", "7"]
        once = restart.command(given)
        assert once == ["wordtray", "serve", "--seed", "7", "--port", "81", "--safe"]
        restart.safe = False
        assert restart.command(once) == ["wordtray", "serve", "--seed", "7", "--port", "81"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


@pytest.fixture
def owner(desk: Desk) -> Browser:
    return desk.signed_in(Role.OWNER)


def made_safe(desk: Desk) -> None:
    fault = (safe_mode.MESSAGE, safe_mode.ADVICE)
    state = RoundState(desk.owner.state.plan, Phase.FAULTED, fault=fault)
    nothing = safe_mode.NoTray(state)
    machine = replace(desk.site.machine, safe=True)
    desk.site = replace(desk.site, owner=nothing, machine=machine)
    desk.site.hub.state = state


class TestPages:
    def test_a_release_waits_until_it_is_put_away(self, owner: Browser) -> None:
        assert owner.get("/api/update").json() == {"release": None}
        answer = owner.ask("PUT", "/api/update", content=release(), headers=OCTETS)
        assert (answer.status_code, answer.json()["newer"]) == (200, True)
        assert owner.get("/api/update").json() == {"release": answer.json()}
        bad = owner.ask("PUT", "/api/update", content=b"nothing", headers=OCTETS)
        assert (bad.status_code, bad.json()["type"]) == (422, "release")
        assert owner.get("/api/update").json() == {"release": answer.json()}
        assert owner.ask("DELETE", "/api/update").status_code == 204
        assert owner.get("/api/update").json() == {"release": None}

    def test_a_file_of_nobody_is_not_even_taken(self, desk: Desk) -> None:
        answer = desk.browser().ask("PUT", "/api/update", content=release(), headers=OCTETS)
        assert answer.status_code == 401
        assert not updates.place(desk.site.machine.place.data).exists()

    def test_the_service_tells_what_was_refused(self, desk: Desk, owner: Browser) -> None:
        before = owner.get("/api/service").json()["refused"].get("origin", 0)
        desk.display().ask("POST", "/api/round/press", headers={"origin": "http://evil.example"})
        told = owner.get("/api/service").json()
        assert (told["safe"], told["why"], told["refused"]["origin"]) == (False, None, before + 1)

    def test_it_restarts_where_it_can(self, desk: Desk, owner: Browser) -> None:
        assert owner.post("/api/service/restart", {"safe": True}).status_code == 409
        asked: list[bool] = []
        desk.site = replace(desk.site, machine=replace(desk.site.machine, restart=asked.append))
        owner = desk.signed_in(Role.OWNER)
        assert owner.post("/api/service/restart", {"safe": True}).status_code == 204
        assert asked == [True]

    def test_in_safe_mode_nothing_is_done_to_a_round_and_all_say_why(self, desk: Desk) -> None:
        made_safe(desk)
        display, owner = desk.display(), desk.signed_in(Role.OWNER)
        fault = display.state()["round"]["fault"]
        assert fault["message"] == safe_mode.MESSAGE
        assert fault["said"]["key"] == "fault.say.safe_mode"
        answer = display.post("/api/round/press")
        assert (answer.status_code, answer.json()["type"]) == (409, "safe_mode")
        assert owner.get("/api/service").json()["why"]["message"] == safe_mode.MESSAGE
        assert owner.get("/api/upkeep").status_code == 409

    def test_a_backup_is_brought_back_in_safe_mode_alone(
        self, desk: Desk, owner: Browser, tmp_path: Path
    ) -> None:
        with open_log(desk.site.machine.place) as log:
            back_up(log, tmp_path / "backup.zip")
        data = (tmp_path / "backup.zip").read_bytes()
        answer = owner.ask("POST", "/api/restore", content=data, headers=OCTETS)
        assert (answer.status_code, answer.json()["type"]) == (409, "not_safe")
        made_safe(desk)
        owner = desk.signed_in(Role.OWNER)
        answer = owner.ask("POST", "/api/restore", content=data, headers=OCTETS)
        assert (answer.status_code, answer.json()["rounds"]) == (200, 0)
        bad = owner.ask("POST", "/api/restore", content=b"no backup", headers=OCTETS)
        assert (bad.status_code, bad.json()["type"]) == (422, "backup")
        assert bad.json()["detail"].startswith("the file is no backup")

    @pytest.mark.parametrize("page", ["/touch", "/swoggle"])
    def test_in_safe_mode_no_match_looks_as_if_it_could_be_played(
        self, desk: Desk, page: str
    ) -> None:
        assert 'data-testid="begin"' in desk.display().get(page).text
        made_safe(desk)
        answer = desk.display().get(page)
        assert answer.status_code == 503
        assert "safe mode" in answer.text
        assert 'data-testid="begin"' not in answer.text


def test_settings_that_are_not_sound_are_no_end_of_safe_mode(tmp_path: Path) -> None:
    file = tmp_path / "wordtray.toml"
    file.write_text("[web]\nport = 70000\n")
    settings, found, why = safe_mode.settings_of(file)
    assert (settings.web.port, found) == (8080, file)
    assert "port" in why


def test_own_wording_that_is_not_there_is_left_out_in_safe_mode_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "wordtray.toml"
    file.write_text(f'[web]\nport = 8123\ntexts = "{tmp_path}/nowhere"\n')
    settings, _, why = safe_mode.settings_of(file)
    assert (settings.web.port, settings.web.texts) == (8123, None)
    assert "nowhere" in why


def test_safe_mode_tells_systemd_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Notifier, "_send", lambda _self, message: said.append(message))
    waits = iter([False, True])
    safe_mode.wait_for_end(Notifier(), lambda _: next(waits), begins_anew=lambda: True)
    assert [message.partition("=")[0] for message in said] == ["READY", "WATCHDOG", "RELOADING"]
