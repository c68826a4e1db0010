"""The desk's sections for challenges, results, announcements and the log, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_host.station.base import open_base
from firmware_host.tournament_desk import with_scores
from scoring.lexicon import builtin_lexicon
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from tests.browser.conftest import SIZES, Visit, scrolls, violations
from tests.browser.desks import Served, served_desk

BOARD = "IETC/HQuPE/SEYH/TOER"
LISTS = {"Ann": "peyote hey", "Bob": "toe tye", "Cy": "toe", "Dee": "yeti"}
SIGN_IN = """([pin, name]) => fetch("/api/session", {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({pin, name}),
})"""
SECTIONS = ("challenges", "results", "notices", "log")


def event() -> Log:
    """A round of two tables, with all lists and their scores."""
    plan = Plan.agree("Spring Cup", "enable", builtin_lexicon().digest, seats=2, rounds=2, boards=1)
    tables, place = [["Ann", "Bob"], ["Cy", "Dee"]], {"round": 1, "board": 1}
    draw = {"type": "draw", "round": 1, "division": "main", "method": "manual", "tables": tables}
    log = Log.new(plan).play(
        1_800_000_000.0,
        *({"type": "enrol", "player": name} for name in LISTS),
        draw,
        {"type": "board", **place, "table": 0, "shown": BOARD},
    )
    lists = [
        {"type": "lists", **place, "table": n, "lists": {p: LISTS[p].split() for p in table}}
        for n, table in enumerate(tables, 1)
    ]
    return log.play(1_800_000_000.0, *with_scores(log.play(0.0, *lists), 1, 1, lists, None))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    """Address and PIN of a desk with a station's database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = f"sqlite:{tmp_path / 'station.db'}"
    with open_base(url, "spring"), served_desk(event(), url) as served:
        yield served


def referee(visit: Visit, desk: Served, name: str, size: str = "large") -> Page:
    """Somebody who works at the desk."""
    page = visit(desk.address, size)
    page.evaluate(SIGN_IN, [desk.pin, name])
    page.reload()
    return page


def section(page: Page, name: str) -> None:
    page.evaluate("name => location.hash = name", name)
    expect(page.get_by_test_id(f"section-{name}")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_every_section_at_every_size(desk: Served, visit: Visit, size: str, tmp_path: Path) -> None:
    page = referee(visit, desk, "Dee", size)
    for name in SECTIONS:
        section(page, name)
        if name == "results":
            expect(page.get_by_test_id("result-lists").get_by_text("peyote")).to_be_visible()
            expect(page.get_by_test_id("result-table").locator("option")).to_have_text(["1", "2"])
            page.get_by_test_id("correct-open").locator("summary").click()
        page.wait_for_load_state("networkidle" if name == "never" else "load")
        assert violations(page) == [], (name, size)
        assert scrolls(page)[0] == 0, (name, size)
        page.screenshot(path=tmp_path / f"{name}-{size}.png")


def test_a_challenge_has_one_clock_for_all_and_its_ruling_can_be_taken_back(
    desk: Served, visit: Visit
) -> None:
    ann, bo = referee(visit, desk, "Ann R."), referee(visit, desk, "Bo R.")
    for page in (ann, bo):
        section(page, "challenges")
    ann.get_by_test_id("challenge-of").fill("Bob")
    ann.get_by_test_id("challenge-by").fill("Ann")
    ann.get_by_test_id("challenge-words").fill("toe")
    ann.get_by_test_id("begin-clock").click()
    expect(bo.get_by_test_id("running")).to_contain_text("Ann challenges Bob; begun by Ann R.: toe")
    expect(bo.get_by_test_id("running").get_by_role("timer")).to_have_text(
        re.compile(r"0:5\d|1:00")
    )
    bo.get_by_test_id("take-challenge").click()
    bo.get_by_test_id("judge-each").click()
    expect(bo.get_by_test_id("verdict")).to_contain_text("is good")
    bo.get_by_test_id("challenge-by").fill("")
    bo.get_by_test_id("challenge-why").fill("written twice")
    bo.get_by_test_id("rule-preview").click()
    expect(bo.get_by_test_id("challenge-changes")).to_contain_text("nothing is entered yet")
    bo.get_by_test_id("rule").click()
    expect(bo.get_by_test_id("challenge-changes")).to_contain_text("This has changed")
    expect(ann.get_by_test_id("running").locator("li")).to_have_count(0)
    section(ann, "log")
    ruling = ann.locator("[data-type=reject]")
    expect(ruling).to_contain_text("Bo R.")
    expect(ruling).to_contain_text("written twice")
    ruling.get_by_test_id("take-back-entry").click()
    ann.get_by_test_id("undo-why").fill("it was once")
    ann.get_by_test_id("undo-enter").click()
    expect(ruling).to_have_attribute("data-gone", "true")
    expect(ann.locator("[data-type=undo]")).to_contain_text("Ann R.")


def test_a_list_is_corrected_and_the_standings_follow(desk: Served, visit: Visit) -> None:
    page = referee(visit, desk, "Dee")
    section(page, "results")
    page.get_by_test_id("correct-open").locator("summary").click()
    page.locator("[data-of=Bob]").fill("peyote\nhey\nyeti")
    page.get_by_test_id("correct-enter").click()
    expect(page.get_by_test_id("connection")).to_contain_text("say why")
    page.get_by_test_id("correct-why").fill("misread")
    page.get_by_test_id("correct-preview").click()
    expect(page.get_by_test_id("changes").locator("[data-player=Bob]")).to_contain_text("→")
    page.get_by_test_id("correct-enter").click()
    expect(page.get_by_test_id("changes")).to_contain_text("This has changed")
    expect(page.get_by_test_id("standings").locator("tbody tr").first).to_contain_text("Cy")
    page.get_by_test_id("standings").get_by_text("Ann", exact=True).click()
    expect(page.get_by_test_id("explained")).to_contain_text("round 1, table 1, against Bob")
    with page.expect_download() as saved:
        page.get_by_test_id("file-standings.csv").click()
    assert saved.value.suggested_filename == "spring-standings.csv"


def test_an_announcement_counts_down_in_the_hall_and_goes_to_the_tables(
    desk: Served, visit: Visit
) -> None:
    page = referee(visit, desk, "Dee")
    section(page, "notices")
    page.get_by_test_id("notice-text").fill("Round 2 begins")
    page.get_by_test_id("notice-minutes").fill("5")
    page.get_by_test_id("notice-at-tables").check()
    page.get_by_test_id("notice-up").click()
    expect(page.get_by_test_id("notice-now")).to_contain_text("Round 2 begins in 4:5")
    expect(page.get_by_test_id("notice-tables")).to_contain_text(
        "0 of 2 tables show it. Not yet: 1, 2."
    )
    page.get_by_test_id("notice-down").click()
    expect(page.get_by_test_id("notice-now")).to_be_hidden()
