"""The desk of a tournament in real browsers: from registration to the start, by two referees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_host import tournaments
from scoring.tournament.log import Log
from tests.browser.conftest import SIZES, Visit, scrolls, violations
from tests.browser.desks import Served, served_desk, station

SECTIONS = ("players", "rounds", "tables", "review", "challenges", "results", "notices", "log")


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with served_desk() as served:
        yield served


def enter(visit: Visit, desk: Served, name: str, size: str = "large") -> Page:
    """A page of somebody who has signed in."""
    page = visit(desk.address, size)
    page.get_by_test_id("who").fill(name)
    page.get_by_test_id("pin").fill(desk.pin)
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("title")).to_have_text("Spring Cup")
    return page


def open_section(page: Page, name: str) -> None:
    page.get_by_test_id(f"tab-{name}").click()
    expect(page.get_by_test_id(f"section-{name}")).to_be_visible()


def enrol(*names: str) -> None:
    with tournaments.opened("spring", 10.0) as event:
        event.play(*({"type": "enrol", "player": name} for name in names))


def log() -> Log:
    return tournaments.load("spring")


def test_from_registration_to_the_start(desk: Served, visit: Visit, tmp_path: Path) -> None:
    bo, cy = enter(visit, desk, "Bo"), enter(visit, desk, "Cy", "small")
    bo.get_by_test_id("enrol-name").fill("Anna")
    bo.get_by_test_id("enrol-rating").fill("1200")
    bo.get_by_test_id("enrol-send").click()
    expect(cy.get_by_test_id("players")).to_contain_text("Anna")

    file = tmp_path / "more.csv"
    file.write_text("name,rating\nBert,900\nCleo,1100\nDora,\nEmil,700\n")
    bo.get_by_test_id("enrol-file").set_input_files(file)
    expect(bo.get_by_test_id("enrol-file-told")).to_contain_text("4 players: Bert, Cleo, Dora")
    bo.get_by_test_id("enrol-file-keep").click()
    expect(cy.get_by_test_id("players").locator("li")).to_have_count(5)

    bo.get_by_role("button", name="Not here: Emil").click()
    bo.get_by_test_id("all-here").click()
    bo.get_by_test_id("sure-yes").click()
    counts = "4 are here, 1 are not, 0 have not been ticked off."
    expect(cy.get_by_test_id("checkin-counts")).to_have_text(counts)

    open_section(bo, "rounds")
    bo.get_by_test_id("draw").click()
    expect(bo.get_by_test_id("remarks")).to_have_text("Emil sits out and gets nothing.")
    open_section(cy, "rounds")
    expect(cy.get_by_test_id("seating")).to_contain_text("Table 2")
    cy.get_by_test_id("promise").click()
    expect(bo.get_by_test_id("boards")).to_contain_text("promised, hash")

    bo.get_by_test_id("start-round").click()
    expect(cy.get_by_test_id("stand")).to_have_text("Round 1 of 3 is being played.")
    noted = {entry.event["noted_by"] for entry in log().entries}
    assert noted == {"Bo", "Cy"}
    assert log().state.rounds[0].draws["main"].absent == ("Emil",)


def test_tables_are_changed_by_hand_and_a_slip_is_taken_back(desk: Served, visit: Visit) -> None:
    enrol("Anna", "Bert", "Cleo", "Dora")
    bo = enter(visit, desk, "Bo", "small")
    open_section(bo, "rounds")
    bo.get_by_test_id("draw").click()
    bo.get_by_test_id("by-hand-main").click()
    seating = bo.get_by_test_id("seating")
    one, two = (list(table) for table in log().state.rounds[0].draws["main"].tables)
    seating.get_by_role("button", name=one[0], exact=True).press("Enter")
    seating.get_by_role("button", name=two[0], exact=True).press("Enter")
    seating.get_by_role("button", name=two[1], exact=True).click()
    seating.get_by_role("button", name="To here: Bye").click()
    bo.get_by_test_id("hand-keep").click()
    expect(bo.get_by_test_id("told")).to_have_text("The tables are kept as you set them.")
    drawn = log().state.rounds[0].draws["main"]
    assert drawn.tables == ((two[0], one[1]),)
    assert set(drawn.byes) == {one[0], two[1]}
    bo.get_by_test_id("take-back").click()
    expect(bo.get_by_test_id("told")).to_have_text("Taken back; the log keeps both.")
    assert [list(each) for each in log().state.rounds[0].draws["main"].tables] == [one, two]


def test_what_another_referee_has_drawn_anew_is_not_written_over(
    desk: Served, visit: Visit
) -> None:
    enrol("Anna", "Bert", "Cleo", "Dora")
    bo, cy = (enter(visit, desk, name) for name in ("Bo", "Cy"))
    for page in (bo, cy):
        open_section(page, "rounds")
    bo.get_by_test_id("draw").click()
    bo.get_by_test_id("by-hand-main").click()
    expect(cy.get_by_test_id("seating")).to_contain_text("Table 2")
    cy.get_by_test_id("draw").click()
    expect(cy.get_by_test_id("told")).to_contain_text("drawn")
    entries = len(log().entries)
    bo.get_by_test_id("hand-keep").click()
    expect(bo.get_by_test_id("connection")).to_contain_text("Another referee has changed it")
    assert len(log().entries) == entries


def test_all_trays_start_at_one_moment_with_the_promised_board(desk: Served, visit: Visit) -> None:
    enrol("Anna", "Bert", "Cleo", "Dora")
    bo = enter(visit, desk, "Bo")
    open_section(bo, "rounds")
    expect(bo.get_by_test_id("draw")).to_have_text("Draw round 1")
    with station() as base:
        bo.get_by_test_id("draw").click()
        bo.get_by_test_id("promise").click()
        expect(bo.get_by_test_id("boards")).to_contain_text("promised, hash")
        bo.get_by_test_id("order-seat").click()
        expect(bo.get_by_test_id("orders")).to_contain_text("2 done")
        bo.get_by_test_id("order-seconds").fill("2")
        bo.get_by_test_id("order-promised").check()
        bo.get_by_test_id("order-start").click()
        expect(bo.get_by_test_id("stand")).to_have_text("Round 1 of 3 is being played.")
        shown = log().state.rounds[0].boards[1, 0].board
        expect(bo.get_by_test_id("boards")).to_contain_text(shown)
        starts = [each.order.at for each in base.orders() if each.order.at is not None]
        assert len(set(starts)) == 1
        bo.get_by_test_id("order-tables").fill("9")
        bo.get_by_test_id("order-time").click()
        expect(bo.get_by_test_id("connection")).to_contain_text("round 1 has no table 9")


def test_the_monitor_follows_the_tables(desk: Served, visit: Visit) -> None:
    bo = enter(visit, desk, "Bo", "small")
    open_section(bo, "tables")
    expect(bo.get_by_test_id("tables-none")).to_contain_text("No station is at work")
    table = {
        "tray": "1", "online": True, "simulated": False, "phase": "running", "round": 1,
        "board": 1, "table": 1, "players": ["Anna", "Bert"], "left_s": 61.0, "doubtful": [],
        "doubtful_words": 0, "fault": "", "trouble": "", "behind": 0, "taken": False,
        "order": "button_pressed: done", "seq": 3, "skew_s": 0.0, "skew_error_s": 0.0,
    }  # fmt: skip
    with station() as base:
        base.show({"1": json.dumps(table), "2": json.dumps(table | {"tray": "2"})})
        first = bo.get_by_test_id("tables").locator("li").first
        expect(first).to_contain_text("1:01")
        expect(first).to_contain_text("Start: done")
        base.show({"2": json.dumps(table | {"tray": "2", "online": False, "fault": "No light."})})
        bo.get_by_test_id("tables-filter").select_option("attention")
        expect(bo.get_by_test_id("tables").locator("li")).to_have_count(1)
        expect(bo.get_by_test_id("tables")).to_contain_text("No light.")
        expect(bo.locator("[data-count=tables]")).to_have_text("1")


def test_every_section_at_every_size(desk: Served, visit: Visit) -> None:
    enrol(*(f"player {number}" for number in range(1, 13)))
    for size in SIZES:
        page = enter(visit, desk, "Bo", size)
        for name in SECTIONS:
            open_section(page, name)
            assert violations(page) == [], (name, size)
            assert scrolls(page) == (0, 0), (name, size)
        open_section(page, "players")
        page.get_by_role("button", name="Change: player 1", exact=True).click()
        expect(page.get_by_test_id("person")).to_be_visible()
        assert violations(page) == [], size
        page.keyboard.press("Escape")
        open_section(page, "rounds")
        page.get_by_test_id("draw").click()
        expect(page.get_by_test_id("seating")).to_contain_text("Table 1")
        page.get_by_test_id("by-hand-main").click()
        assert violations(page) == [], size
        assert scrolls(page) == (0, 0), size


def test_the_door(desk: Served, visit: Visit) -> None:
    page = visit(desk.address)
    page.get_by_test_id("pin").fill("000000")
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("pin-problem")).to_have_text(
        "Enter your name first: it stands with all that you enter."
    )
    page.get_by_test_id("who").fill("Bo")
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("pin-problem")).to_have_text("That is not the PIN.")
    assert violations(page) == []
    page.get_by_test_id("pin").fill(desk.pin)
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("stand")).to_contain_text("Nothing is drawn yet")
    page.get_by_test_id("open-settings").click()
    expect(page.get_by_test_id("me")).to_have_text("You are Bo.")
    page.get_by_test_id("leave").click()
    expect(page.get_by_test_id("view-door")).to_be_visible()
