"""The photo of the tray: the referee sees it when all may see the letters, and not before."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from firmware_host.web.sessions import Role
from tests.firmware_host.web_site import Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


def test_the_referee_sees_the_photo_while_the_sand_runs(desk: Desk) -> None:
    desk.play()
    answer = desk.signed_in(Role.REFEREE).get("/api/photo")
    assert answer.headers["content-type"] == "image/jpeg"
    assert Image.open(io.BytesIO(answer.content)).size == (100, 100)


def test_there_is_no_photo_before_the_shake(desk: Desk) -> None:
    assert desk.signed_in(Role.REFEREE).get("/api/photo").status_code == 404


def test_a_board_that_players_may_not_see_is_not_shown_by_its_photo(desk: Desk) -> None:
    referee = desk.signed_in(Role.REFEREE)
    referee.post("/api/round/press")
    assert referee.state()["round"]["phase"] == "ready"
    hidden = referee.get("/api/photo")
    assert (hidden.status_code, hidden.json()["type"]) == (409, "hidden")
    referee.post("/api/round/press")
    assert referee.get("/api/photo").status_code == 200
    referee.post("/api/round/pause")  # hides the letters from players, not from who settles things
    assert referee.get("/api/photo").status_code == 200


def test_players_and_the_display_get_no_photo(desk: Desk) -> None:
    ada = desk.player("ada")
    desk.play()
    assert ada.get("/api/photo").status_code == 403
    assert desk.display().get("/api/photo").status_code == 403
    assert desk.browser().get("/api/photo").status_code == 401


def test_a_photo_that_is_gone_is_told(desk: Desk) -> None:
    desk.play()
    desk.owner.photo.unlink()
    gone = desk.signed_in(Role.REFEREE).get("/api/photo")
    assert (gone.status_code, gone.json()["type"]) == (404, "photo")
