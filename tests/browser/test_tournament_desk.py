"""The desk of a tournament in real browsers: from registration to the start, by two referees."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from firmware_host import tournaments
from firmware_host.cli import app
from firmware_host.errors import ExitCode
from firmware_host.station.base import Base
from scoring.tournament.log import Log
from tests.browser.conftest import MOST_BYTES, SIZES, Visit, scrolls, sent_bytes, violations
from tests.browser.desks import Served, served_desk, served_hall, station
from tests.browser.trays import trays_at_work

BOARD = "IETC/HQuPE/SEYH/TOER"
LISTS = {"Anna": ["peyote", "toy"], "Bert": ["hey"], "Cleo": ["toe"], "Dora": ["yet"]}

DECIDE = """id => fetch(`/api/review/${id}`, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({text: "peyote", struck: false}),
}).then(answer => answer.status)"""
"""Decides a question, as a page does that has not heard what the others do."""

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
    enrol("Eve")
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


@pytest.mark.parametrize("section", SECTIONS)
def test_it_is_small_as_it_comes_over_the_wire(desk: Served, visit: Visit, section: str) -> None:
    enrol("Anna", "Bert")
    page = visit(f"{desk.address}?lang=fr#{section}", "large")  # the longest texts
    page.get_by_test_id("who").fill("Bo")
    page.get_by_test_id("pin").fill(desk.pin)
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id(f"section-{section}")).not_to_be_empty()
    assert sent_bytes(page) <= MOST_BYTES


def test_a_section_that_could_not_be_loaded_is_loaded_later(desk: Served, visit: Visit) -> None:
    bo = enter(visit, desk, "Bo")
    bo.route("**/desk_log.js", lambda route: route.abort())
    open_section(bo, "log")
    expect(bo.get_by_test_id("connection")).to_contain_text("there is no connection")
    bo.unroute("**/desk_log.js")
    enrol("Anna")
    expect(bo.get_by_test_id("log")).to_contain_text("Anna")


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


def test_a_whole_event_by_two_referees_with_trays(
    desk: Served, visit: Visit, tmp_path: Path
) -> None:
    """From the registration to the files, over the station, its trays and the pages of the hall."""
    with trays_at_work(tmp_path, 2, LISTS) as base, served_hall() as hall:
        bo, cy, wall = enter(visit, desk, "Bo"), enter(visit, desk, "Cy"), visit(hall, "large")
        register(bo, tmp_path)
        draw_and_start(bo, cy)
        review(bo, cy)
        each_word_was_decided_once(base)
        standings = wall.get_by_test_id("view").locator("tbody tr")
        expect(standings.first).to_contain_text("Anna")
        correct(bo, cy)
        expect(standings.last).to_contain_text("Anna")
        challenge_and_take_back(bo, cy)
        files = download_all(cy, tmp_path)
        verifies(files["event.json"])
        verifies(files["archive.zip"], "--photos", str(tmp_path))  # those lie at the trays


def register(bo: Page, folder: Path) -> None:
    bo.get_by_test_id("enrol-name").fill("Anna")
    bo.get_by_test_id("enrol-send").click()
    expect(bo.get_by_test_id("players")).to_contain_text("Anna")
    file = folder / "more.csv"
    file.write_text("name\nBert\nCleo\nDora\n")
    bo.get_by_test_id("enrol-file").set_input_files(file)
    bo.get_by_test_id("enrol-file-keep").click()
    expect(bo.get_by_test_id("players").locator("li")).to_have_count(4)
    bo.get_by_test_id("all-here").click()
    bo.get_by_test_id("sure-yes").click()


def draw_and_start(bo: Page, cy: Page) -> None:
    """Both trays play the board that was promised; the monitor shows them."""
    open_section(bo, "rounds")
    bo.get_by_test_id("draw").click()
    bo.get_by_test_id("board-given").fill(BOARD)
    bo.get_by_test_id("promise").click()
    expect(bo.get_by_test_id("boards")).to_contain_text("promised, hash")
    bo.get_by_test_id("order-seat").click()
    expect(bo.get_by_test_id("orders")).to_contain_text("2 done")
    open_section(cy, "tables")
    expect(cy.get_by_test_id("tables").locator("li")).to_have_count(2)
    bo.get_by_test_id("order-seconds").fill("2")
    bo.get_by_test_id("order-promised").check()
    bo.get_by_test_id("order-start").click()
    expect(cy.get_by_test_id("tables")).to_contain_text("0:0")
    expect(bo.get_by_test_id("boards")).to_contain_text(BOARD)


def review(bo: Page, cy: Page) -> None:
    """Each has another word, and sees what the other looks at; one that is decided stays so."""
    for page in (bo, cy):
        open_section(page, "review")
        expect(page.get_by_test_id("review-title")).to_contain_text("a word of")
    expect(bo.get_by_test_id("review-others")).to_contain_text("Cy is looking at it")
    expect(cy.get_by_test_id("review-others")).to_contain_text("Bo is looking at it")
    expect(cy.get_by_test_id("review-crop")).to_be_visible()
    expect(bo.get_by_test_id("review-open")).to_have_text("Open: 4")

    source = bo.get_by_test_id("review-crop").get_attribute("src") or ""
    id_ = Path(source).stem
    assert cy.evaluate(DECIDE, id_) == 409
    for page, left in ((bo, 3), (cy, 2), (bo, 1), (cy, 0)):
        page.get_by_test_id("review-offer").first.click()
        for each in (bo, cy):
            expect(each.get_by_test_id("review-open")).to_have_text(f"Open: {left}")
    assert cy.evaluate(DECIDE, id_) == 409
    expect(bo.get_by_test_id("review-decided")).not_to_contain_text("on its way")
    open_section(bo, "results")
    expect(bo.get_by_test_id("standings").locator("tbody tr").first).to_contain_text("Anna")


def each_word_was_decided_once(base: Base) -> None:
    said = [
        json.loads(entry.data)
        for tray in ("1", "2")
        for entry in base.entries(tray, 1)
        if entry.kind == "scan_settled"
    ]
    assert sorted(each["text"].lower() for each in said) == ["hey", "peyote", "toe", "yet"]
    assert Counter(each["by"] for each in said) == {"Bo": 2, "Cy": 2}


def correct(bo: Page, cy: Page) -> None:
    """What one enters the other sees, with the standings that follow."""
    open_section(cy, "results")
    table = log().state.rounds[0].table_of["Anna"]
    bo.locator("#result-table").select_option(str(table))
    bo.get_by_test_id("result-show").click()
    bo.get_by_test_id("correct-open").locator("summary").click()
    bo.locator("[data-of=Anna]").fill("peyot")
    bo.get_by_test_id("correct-why").fill("misread")
    bo.get_by_test_id("correct-enter").click()
    expect(bo.get_by_test_id("changes")).to_contain_text("This has changed")
    for page in (bo, cy):
        expect(page.get_by_test_id("standings").locator("tbody tr").last).to_contain_text("Anna")


def challenge_and_take_back(bo: Page, cy: Page) -> None:
    """One begins the clock, the other rules, and the first takes that back."""
    for page in (bo, cy):
        open_section(page, "challenges")
    bo.get_by_test_id("challenge-of").fill("Dora")
    bo.get_by_test_id("challenge-words").fill("yet")
    bo.get_by_test_id("begin-clock").click()
    timer = cy.get_by_test_id("running").get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"0:\d\d|1:00"))
    cy.get_by_test_id("take-challenge").click()
    cy.get_by_test_id("judge-each").click()
    expect(cy.get_by_test_id("verdict")).to_contain_text("is good")
    before = points("Dora")
    cy.get_by_test_id("challenge-why").fill("not on paper")
    cy.get_by_test_id("rule").click()
    expect(cy.get_by_test_id("challenge-changes")).to_contain_text("This has changed")
    expect(bo.get_by_test_id("running").locator("li")).to_have_count(0)
    assert points("Dora") < before
    open_section(bo, "log")
    ruling = bo.locator("[data-type=reject]")
    expect(ruling).to_contain_text("Cy")
    ruling.get_by_test_id("take-back-entry").click()
    bo.get_by_test_id("undo-why").fill("it is there")
    bo.get_by_test_id("undo-enter").click()
    expect(ruling).to_have_attribute("data-gone", "true")
    assert points("Dora") == before


def points(player: str) -> int:
    played = log().state.rounds[0]
    return played.scores[1, played.table_of[player]][player].points


def download_all(page: Page, folder: Path) -> dict[str, Path]:
    """Every file that is offered, by its name: each is what its ending says."""
    open_section(page, "results")
    names = [
        each.get_attribute("data-testid") for each in page.locator("[data-testid^=file-]").all()
    ]
    saved: dict[str, Path] = {}
    for name in (each.removeprefix("file-") for each in names if each):
        with page.expect_download() as download:
            page.get_by_test_id(f"file-{name}").click()
        saved[name] = folder / name
        download.value.save_as(saved[name])
        assert download.value.suggested_filename == f"spring-{name}"
    kinds = Counter(file.suffix for file in saved.values())
    assert kinds == {".pdf": 5, ".csv": 3, ".json": 1, ".zip": 1}
    assert all(
        file.read_bytes().startswith(b"%PDF") for file in saved.values() if file.suffix == ".pdf"
    )
    assert "Anna" in saved["standings.csv"].read_text()
    assert zipfile.is_zipfile(saved["archive.zip"])
    return saved


def verifies(file: Path, *options: str) -> None:
    answer = CliRunner().invoke(app, ["tournament", "verify", str(file), "--json", *options])
    assert answer.exit_code == ExitCode.DONE, answer.output
