"""The table's display: letters, words with their meanings, statistics, and a restart."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from firmware_host.dictionary import scowl, wordnet
from tests.browser.conftest import SIZES, Serve, Table, Visit, scrolls, violations
from tests.browser.people import joined, state_of, words_on

WRITTEN = 5
SEND = """words => Promise.all(words.map(text => fetch("/api/words", {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({id: crypto.getRandomValues(new Uint32Array(2)).join("-"), text}),
})))"""
"""Writes words as a phone does, but as fast as it can."""

PARTS = re.compile("(noun|verb|adjective|adverb).* [a-z]")


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7", "--timer", "15")


def play(display: Page, *phones: Page) -> None:
    """A round in which each phone writes words, and no two the same."""
    display.get_by_test_id("start").or_(display.get_by_test_id("again")).locator(
        "visible=true"
    ).click()
    display.get_by_test_id("turn").click()
    expect(display.get_by_test_id("pause")).to_be_visible()
    words = words_on(state_of(display)["round"]["board"]["faces"])
    for number, phone in enumerate(phones):
        phone.evaluate(SEND, words[number :: len(phones) + 1][:WRITTEN])
    display.get_by_test_id("close-lists").click()
    expect(display.get_by_test_id("view-result")).to_be_visible()


@pytest.mark.skipif(
    not (wordnet.FOLDER.is_dir() and scowl.FOLDER.is_dir()),
    reason="no dictionary (apt: wordnet-base scowl)",
)
def test_words_of_a_result_have_meanings_and_say_how_common_they_are_also_after_a_restart(
    table: Table, visit: Visit
) -> None:
    display, ada = visit(table.url, "large"), joined(visit, table, "Ada")
    play(display, ada)
    for page in (display, ada):
        expect(page.get_by_test_id("view-result")).to_be_visible()
        expect(page.get_by_test_id("missed")).to_contain_text("You could have found")
        missed = page.get_by_test_id("missed").get_by_role("button").first
        expect(missed.get_by_test_id("level")).to_be_visible()
        missed.click()
        expect(page.get_by_test_id("meaning")).to_have_text(PARTS)
        page.get_by_test_id("meaning").click()  # of no effect
        assert violations(page) == []
    points = state_of(display)["round"]["players"][0]["points"]
    table.kill()
    table.start()
    display.reload()
    ada.reload()
    for page in (display, ada):
        expect(page.get_by_test_id("view-result")).to_be_visible()
    assert state_of(display)["round"]["players"][0]["points"] == points


@pytest.mark.parametrize("size", SIZES)
def test_statistics_and_fairness_are_looked_at_between_rounds_by_buttons_and_keys(
    table: Table, visit: Visit, size: str
) -> None:
    display = visit(table.url, size)
    view = display.get_by_test_id("view-screen")
    display.get_by_test_id("open-screens").click()
    expect(display.get_by_test_id("told")).to_contain_text(re.compile("All rounds|No round has"))
    assert violations(display) == []
    assert scrolls(display) == (0, 0)
    display.keyboard.press("ArrowRight")
    expect(display.get_by_test_id("verdict")).to_contain_text("Too few shakes")
    assert violations(display) == []
    display.keyboard.press("Escape")
    expect(view).to_be_hidden()
    expect(display.get_by_test_id("open-screens")).to_be_focused()
    display.keyboard.press("ArrowLeft")
    expect(view).to_be_visible()
    display.get_by_test_id("screen-table").click()
    expect(view).to_be_hidden()


def test_a_click_into_the_result_takes_no_key_away(serve: Serve, visit: Visit) -> None:
    table = serve("--seed", "7", "--timer", "5")
    phone, display = joined(visit, table, "ada"), visit(table.url, "large")
    play(display, phone)
    result = display.get_by_test_id("view-result").get_by_test_id("lists")
    result.locator("[data-player]").first.click()
    display.keyboard.press("ArrowRight")
    expect(display.get_by_test_id("view-screen")).to_be_visible()
    display.keyboard.press("Escape")
    expect(result).to_be_visible()


def test_cubes_turn_over_as_they_are_read_and_again_when_the_sand_begins(
    table: Table, visit: Visit
) -> None:
    """They may, but the letters are not in the page before the start: neither seen nor hidden."""
    display = visit(table.url, "large")
    board = display.get_by_test_id("board")
    display.get_by_test_id("start").or_(display.get_by_test_id("again")).locator(
        "visible=true"
    ).click()
    expect(display.get_by_test_id("turn")).to_be_visible()
    expect(board.locator(".cube[data-settled][data-turning]")).to_have_count(16)
    assert board.locator(".letter").all_inner_texts() == [""] * 16
    display.emulate_media(reduced_motion="reduce")
    display.get_by_test_id("turn").click()
    expect(board.locator(".cube[data-turning]:not([data-face=hidden])")).to_have_count(16)
    assert (
        board.locator(".cube").last.evaluate("one => getComputedStyle(one).animationDelay") == "0s"
    )
    expect(
        display.get_by_test_id("view-result")
        .or_(display.get_by_test_id("close-lists"))
        .locator("visible=true")
    ).to_be_visible()


def test_cubes_are_seen_to_be_read_some_after_others_and_no_letter_with_them(
    serve: Serve, visit: Visit
) -> None:
    """While they come to rest: by frames of the camera, before the photo that counts is taken.

    The nets are loaded in the first shake: on a busy machine that takes as long as cubes roll.
    """
    table = serve("--seed", "7", "--timer", "5")
    display = visit(table.url, "large")
    display.get_by_test_id("start").click()
    display.get_by_test_id("give-up").click()
    display.get_by_test_id("give-up-yes").click()
    display.evaluate(WATCH_STREAM)
    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("phase")).to_have_text(re.compile("Ready|Which letter"))
    told = display.evaluate("window.told")
    settling = [one["count"] for one in told if one["phase"] == "settling"]
    assert any(count > 0 for count in settling)
    assert len(set(settling)) >= 2
    assert not any(one["letters"] for one in told)


@pytest.mark.parametrize("size", ["small", "large"])
def test_the_board_that_is_turned_lies_on_nothing_meanwhile(
    serve: Serve, visit: Visit, size: str
) -> None:
    display = visit(serve("--seed", "7", "--timer", "60").url, size)
    display.get_by_test_id("start").click()
    display.get_by_test_id("turn").click()
    expect(display.get_by_test_id("pause")).to_be_visible()
    assert display.evaluate(TURNED) <= 1


TURNED = """async () => {
  const [tray, glass] = [".board-side .tray", ".glass"].map(one => document.querySelector(one));
  document.querySelector("[data-testid=turn-left]").click();
  let over = 0;
  for (const end = performance.now() + 900; performance.now() < end; ) {
    await new Promise(requestAnimationFrame);
    const [one, other] = [tray, glass].map(each => each.getBoundingClientRect());
    over = Math.max(over, one.right - other.left);
  }
  return over;
}"""
"""Pixels by which the board reaches over the hourglass, at most, while it is turned."""

WATCH_STREAM = """() => {
  window.told = [];
  const socket = new WebSocket(location.href.replace("http", "ws") + "api/stream");
  socket.onmessage = ({ data }) => {
    const { round } = JSON.parse(data).state;
    const count = (round.cells_read ?? []).flat().filter(Boolean).length;
    window.told.push({ phase: round.phase, count, letters: round.board !== null });
  };
}"""


def test_a_camera_that_hangs_is_told_before_it_is_a_fault(serve: Serve, visit: Visit) -> None:
    table = serve("--seed", "7", "--fault", "camera-hangs@1x3")
    display, phone = visit(table.url, "small"), joined(visit, table, "Ada")
    display.get_by_test_id("start").click()
    for page in (display, phone):
        slow = page.get_by_test_id("slow")
        expect(slow).to_contain_text("the camera")
        expect(slow).to_contain_text("it gave no picture in 6 s")
        expect(slow).to_contain_text("Unplug the camera")
    expect(display.get_by_test_id("fault")).to_be_hidden()
    assert scrolls(display) == (0, 0)
    assert violations(display) == []
    expect(display.get_by_test_id("turn")).to_be_visible()
