"""The pages of a hall, as they are served, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from firmware_host import tournaments
from firmware_host.tournament_notice import Notice, announce
from scoring.lexicon import builtin_lexicon
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from tests.browser.conftest import SIZES, Visit, scrolls, violations
from tests.browser.desks import served_hall

PLAYERS = [f"player {number}" for number in range(1, 41)]
NOW = 1_000_000.0


def drawn() -> Log:
    """Forty players at ten tables."""
    digest = builtin_lexicon().digest
    plan = Plan.agree("Spring Cup", "enable", digest, seats=4, rounds=3, boards=1)
    tables = [PLAYERS[first : first + 4] for first in range(0, 40, 4)]
    draw = {"type": "draw", "round": 1, "division": "main", "method": "manual", "tables": tables}
    return Log.new(plan).play(5.0, *({"type": "enrol", "player": p} for p in PLAYERS), draw)


def played(table: int) -> dict[str, object]:
    """The points of a table."""
    names = PLAYERS[4 * table - 4 : 4 * table]
    scores = {name: {"points": 10 * table + seat} for seat, name in enumerate(names)}
    place = {"round": 1, "board": 1, "table": table}
    return {"type": "scores", **place, "scores": scores, "entered": True}


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tournaments.create("spring", drawn())
    with served_hall(lambda: NOW) as address:
        yield address


def enter(*tables: int) -> None:
    with tournaments.opened("spring", 10.0) as event:
        event.play(*map(played, tables))


def test_every_page_at_every_size(hall: str, visit: Visit) -> None:
    enter(1, 2)
    announce("spring", Notice("Round 2 begins", NOW + 90))
    for name in ("", "me", "overlay"):
        for size in SIZES:
            page = visit(hall + name, size)
            expect(page.get_by_test_id("notice")).to_contain_text("Round 2 begins in 1:")
            assert violations(page) == [], (name, size)
            assert scrolls(page)[0] == 0, (name, size)


def test_the_wall_shows_seats_until_all_tables_are_in(hall: str, visit: Visit) -> None:
    wall = visit(hall, "large")
    view = wall.get_by_test_id("view")
    expect(view).to_contain_text("Round 1: who sits where")
    expect(view.locator("li", has_text="player 40")).to_contain_text("Table 10")
    enter(*range(1, 11))
    expect(view).to_contain_text("Standings after round 1")
    expect(view.locator("tbody tr").first).to_contain_text("player 40")
    expect(wall.get_by_test_id("stand")).to_contain_text("10 of 10 tables are in")
    assert scrolls(wall) == (0, 0)
    assert view.evaluate("one => one.scrollHeight <= one.clientHeight")


def test_the_pages_of_the_wall_can_be_held(hall: str, visit: Visit) -> None:
    wall = visit(hall, "small")
    button = wall.get_by_test_id("turn")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text("Go on")


def test_a_player_finds_table_and_result(hall: str, visit: Visit) -> None:
    phone = visit(f"{hall}me")
    phone.get_by_test_id("name").fill("nobody")
    phone.get_by_test_id("show").click()
    expect(phone.get_by_test_id("problem")).to_have_text("Nobody of this name is enrolled.")
    phone.get_by_test_id("name").fill("Player 7")
    phone.get_by_test_id("show").click()
    expect(phone.get_by_test_id("my-table")).to_have_text("Table 2")
    enter(2)
    expect(phone.get_by_test_id("mine")).to_contain_text("Round 1: 22 points")
    assert violations(phone) == []
    phone.reload()
    expect(phone.get_by_test_id("my-table")).to_have_text("Table 2")
    phone.get_by_test_id("other").click()
    expect(phone.get_by_test_id("choose")).to_be_visible()


def test_the_overlay_lies_on_nothing(hall: str, visit: Visit) -> None:
    enter(1)
    overlay = visit(f"{hall}overlay?rows=3", "large")
    expect(overlay.locator("tbody tr")).to_have_count(3)
    ground = overlay.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"
