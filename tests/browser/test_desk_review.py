"""The review at the desk in a real browser: two referees at once, by keys."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from firmware_host.station.base import Base, default_url, open_base
from firmware_host.station.orders import event_of
from firmware_host.station.review import Picture, Review
from firmware_host.station.wire import Answer, Outcome
from firmware_host.tournaments import beside
from tests.browser.conftest import Visit, scrolls, violations
from tests.browser.desks import Served, served_desk
from tests.firmware_host.review_fakes import collecting, confirming, questions, word


@dataclass
class Desk:
    """A desk that is served, with the base of its station."""

    served: Served
    base: Base

    def sign_in(self, visit: Visit, name: str, size: str = "large", language: str = "en") -> Page:
        page = visit(f"{self.served.address}?lang={language}#review", size)
        page.locator('[data-slot="who"]').fill(name)
        page.locator("#pin").fill(self.served.pin)
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("section-review")).to_be_visible()
        return page


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desk]:
    """At table 8 a cube is doubtful, at table 7 there are three words."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with served_desk() as served, open_base(default_url("spring"), "spring") as base:
        words = questions(*collecting(word("THEY", 0.7), word("TEE", 0.2), word("HEY", 0.5)))
        cube = tuple(replace(each, tray="8", table=8) for each in questions(*confirming((1, 0))))
        Review(base).ask({"7": words, "8": cube}, {"7": 1, "8": 1})
        Review(base).keep(
            Picture(each.id, each.tray, 1, jpeg(240, 72)) for each in (*words[:2], *cube)
        )
        yield Desk(served, base)


def jpeg(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (200, 220, 240)).save(buffer, "JPEG")
    return buffer.getvalue()


def test_two_referees_work_at_once_by_keys(desk: Desk, visit: Visit) -> None:
    bo = desk.sign_in(visit, "Bo")
    expect(bo.get_by_test_id("review-title")).to_have_text("Table 8: cube in row 2, column 1")
    ann = desk.sign_in(visit, "Ann")
    expect(ann.get_by_test_id("review-title")).to_have_text("Table 7: a word of ann")
    expect(ann.get_by_test_id("review-others")).to_contain_text("Bo is looking at it")
    expect(bo.get_by_test_id("review-others")).to_contain_text("Ann is looking at it")
    expect(ann.get_by_test_id("review-crop")).to_be_visible()
    assert violations(bo) == []

    bo.get_by_test_id("tab-review").focus()
    bo.keyboard.press("2")  # a cube is chosen,
    bo.keyboard.press("Enter")  # and taken
    expect(bo.get_by_test_id("review-title")).to_have_text("Table 7: a word of ann")
    expect(ann.get_by_test_id("review-others")).to_contain_text("says Bo")
    ann.get_by_test_id("section-review").focus()
    ann.keyboard.press("Enter")  # the first reading
    expect(ann.get_by_test_id("review-title")).to_be_focused()
    ann.keyboard.press("t")
    ann.keyboard.type("oe")
    ann.keyboard.press("Enter")
    expect(ann.get_by_test_id("review-calm")).to_be_visible()
    bo.keyboard.press("-")
    expect(bo.get_by_test_id("review-open")).to_have_text("Open: 0")

    said = [(each.tray, event_of(each.order, 0.0)) for each in desk.base.orders()]
    found = {
        (tray, getattr(event, "face", None) or getattr(event, "text", ""), event.by)
        for tray, event in said
        if hasattr(event, "by")
    }
    assert len(said) == 4
    assert {("8", "#", "Bo"), ("7", "tee", "Ann"), ("7", "toe", "Ann")} < found


def test_what_is_decided_is_told_and_taken_back(desk: Desk, visit: Visit) -> None:
    bo = desk.sign_in(visit, "Bo", "small")
    bo.get_by_test_id("review-offer").first.click()
    decided = bo.get_by_test_id("review-decided")
    expect(decided).to_contain_text("on its way")
    answered(desk.base, Outcome.DONE)
    undo = bo.get_by_test_id("review-undo")
    expect(undo).to_be_visible()
    undo.click()
    expect(decided).to_contain_text("asked to take it back")
    answered(desk.base, Outcome.REFUSED, "another decision came after it")
    expect(decided).to_contain_text("does not take it back: another decision came after it")


def answered(base: Base, outcome: Outcome, why: str = "") -> None:
    base.answer([Answer(each.order.id, outcome, why, 1.0) for each in base.orders()])


def test_one_that_its_table_settles_goes_by_itself(desk: Desk, visit: Visit) -> None:
    bo = desk.sign_in(visit, "Bo")
    expect(bo.get_by_test_id("review-title")).to_contain_text("Table 8")
    Review(desk.base).ask({"8": ()}, {"8": 1})
    expect(bo.get_by_test_id("review-title")).to_contain_text("Table 7")
    expect(bo.get_by_test_id("told")).to_contain_text("settled meanwhile")


def test_what_is_skipped_comes_last(desk: Desk, visit: Visit) -> None:
    bo = desk.sign_in(visit, "Bo")
    first = bo.get_by_test_id("review-title")
    expect(first).to_contain_text("Table 8")
    bo.get_by_test_id("section-review").focus()
    for _ in range(3):
        before = bo.get_by_test_id("review-offer").first.text_content() or ""
        bo.keyboard.press("ArrowDown")
        expect(bo.get_by_test_id("review-offer").first).not_to_have_text(before)
    expect(first).to_contain_text("Table 7")
    bo.keyboard.press("ArrowDown")
    expect(first).to_contain_text("Table 8")


def test_without_a_station_it_says_so(desk: Desk, visit: Visit) -> None:
    beside("spring", "station.db").unlink()
    bo = desk.sign_in(visit, "Bo")
    expect(bo.get_by_test_id("review-calm")).to_contain_text("No station is at work")


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("size", ["phone", "small"])
def test_it_fits(desk: Desk, visit: Visit, size: str, language: str) -> None:
    page = desk.sign_in(visit, "Bo", size, language)
    expect(page.get_by_test_id("review-question")).to_be_visible()
    assert scrolls(page)[0] == 0
    assert violations(page) == []
