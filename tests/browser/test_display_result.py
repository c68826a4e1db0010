"""The result at the display: leaf after leaf, all of it seen by people who only stand there."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import SIZES, Serve, Table, Visit, scrolls, violations

LIST = 24
"""Words of each player: more than any column holds."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FACES = [list("SGSI"), list("SATX"), list("EnHV"), list("ETUO")]
NAMES = ["Anna", "Benjamin", "Charlotte", "W" * 40, *(f"Friederike {n}" for n in range(4))]


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7")


def judged(word: str, verdict: str, points: int) -> dict[str, Any]:
    path = None if verdict == "not_on_board" else [[0, 0], [0, 1], [1, 1]]
    return {"word": word, "points": points, "verdict": verdict, "path": path, "reason": ""}


def word_of(*numbers: int) -> str:
    """A word of its own."""
    return "".join(LETTERS[number] for number in numbers) + "tes"


def a_result(count: int) -> dict[str, Any]:
    """Of so many players, each with a long list of which every third word does not count."""
    verdicts = ["scored", "scored", "not_on_board"]
    players = [
        {
            "name": name,
            "points": 50 - at,
            "words": [
                judged(word_of(at, number), verdicts[number % 3], 2 if number % 3 < 2 else 0)
                for number in range(LIST)
            ],
        }
        for at, name in enumerate(NAMES[:count])
    ]
    missed = [
        {"word": word_of(25, n), "points": 1, "path": [[2, 2], [2, 3], [3, 3]]} for n in range(10)
    ]
    return {
        "board": "/".join(map("".join, FACES)),
        "game": "boggle",
        "lexicon": "enable",
        "players": players,
        "winners": NAMES[:1],
        "possible": {"points": 200, "count": 150},
        "best_missed": missed,
    }


def shown_result(visit: Visit, table: Table, count: int, size: str) -> Page:
    """The display as it is after a round of so many players."""
    display = visit(f"{table.url}help", size)
    show_result(display, table, count)
    return display


def show_result(display: Page, table: Table, count: int) -> None:
    """Have a page be that display."""
    state = httpx.get(f"{table.url}api/state").json()
    board = {"rows": 4, "cols": 4, "faces": FACES}
    state["round"] |= {"phase": "finished", "board": board, "result": a_result(count), "number": 3}
    told = json.dumps({"seq": 10**6, "state": state})

    def tell(socket: WebSocketRoute) -> None:
        socket.send(told)

    display.clock.install()
    display.route_web_socket("**/api/stream*", tell)
    display.goto(table.url)
    expect(display.get_by_test_id("view-result")).to_be_visible()


SEEN = """() => {
  const lists = document.querySelector("[data-slot=lists]").getBoundingClientRect();
  return [...document.querySelectorAll("[data-slot=lists] li")].filter(line => {
    const box = line.getBoundingClientRect();
    return box.left >= lists.left - 1 && box.right <= lists.right + 1 && box.top >= lists.top - 1
      && box.bottom <= lists.bottom + 1 && box.bottom <= innerHeight;
  }).map(line => line.dataset.word ?? line.textContent);
}"""
"""Lines of the lists that are seen whole."""

ALL = """() => [...document.querySelectorAll("[data-slot=lists] li")]
  .map(line => line.dataset.word ?? line.textContent)"""


def leaves_of(display: Page) -> int:
    return int((display.get_by_test_id("leaf").text_content() or "").rpartition(" ")[2])


@pytest.mark.parametrize(
    ("count", "size"), [(2, "small"), (4, "small"), *((8, size) for size in SIZES)]
)
def test_every_word_of_a_result_is_seen_without_scrolling(
    table: Table, visit: Visit, count: int, size: str
) -> None:
    display = shown_result(visit, table, count, size)
    display.emulate_media(reduced_motion="reduce")
    display.get_by_test_id("tour").click()  # stand still
    seen: set[str] = set()
    first = set(display.evaluate(SEEN))
    for _ in range(leaves_of(display)):
        seen |= set(display.evaluate(SEEN))
        display.get_by_test_id("leaf-after").click()
    assert seen == set(display.evaluate(ALL))
    assert set(display.evaluate(SEEN)) == first  # the first follows the last
    assert scrolls(display) == (0, 0)
    ranks = display.get_by_test_id("rank")
    expect(ranks).to_have_count(count)
    expect(ranks.first).to_contain_text("Anna")
    assert violations(display) == []


def test_leaves_turn_by_themselves_until_somebody_stops_them(table: Table, visit: Visit) -> None:
    display = shown_result(visit, table, 4, "small")
    leaf = display.get_by_test_id("leaf")
    count = leaves_of(display)
    assert count > 2
    shown = set[str]()
    for _ in range(count * 5):
        shown.add(leaf.text_content() or "")
        display.clock.fast_forward(7000)
    assert shown == {f"Page {number} of {count}" for number in range(1, count + 1)}
    expect(display.locator("[data-picked]")).to_be_visible()
    display.get_by_test_id("tour").click()
    stands = leaf.text_content() or ""
    display.clock.fast_forward(60_000)
    expect(leaf).to_have_text(stands)


def test_keys_turn_leaves_and_a_leaf_follows_the_focus_and_a_tapped_cube(
    table: Table, visit: Visit
) -> None:
    display = shown_result(visit, table, 4, "small")
    display.emulate_media(reduced_motion="reduce")
    leaf = display.get_by_test_id("leaf")
    display.keyboard.press("PageDown")
    expect(display.get_by_test_id("tour")).to_have_attribute("aria-pressed", "false")
    expect(leaf).to_contain_text("Page 2")
    display.keyboard.press("PageUp")
    display.keyboard.press("PageUp")
    expect(leaf).to_have_text(f"Page {leaves_of(display)} of {leaves_of(display)}")
    word = display.locator(f"[data-word={word_of(1, 4)}]")
    word.locator("button").focus()
    assert word_of(1, 4) in display.evaluate(SEEN)
    display.get_by_test_id("result-board").get_by_role("button").last.click()
    expect(display.get_by_test_id("missed")).to_contain_text("Missed words through O")
    assert set(display.evaluate(SEEN)) >= {word_of(25, n) for n in range(5)}
    display.keyboard.press("ArrowRight")
    expect(display.get_by_test_id("view-screen")).to_be_visible()


def test_a_column_that_goes_on_says_whose_list_it_is(table: Table, visit: Visit) -> None:
    display = shown_result(visit, table, 2, "small")
    named = display.locator("[data-goes-on]")
    expect(named.first).to_have_attribute("data-goes-on", "Anna")
    assert named.count() >= 3


def test_a_column_of_a_card_of_two_lists_says_which_goes_on(table: Table, visit: Visit) -> None:
    display = visit(f"{table.url}help", "small")
    likely = [{"word": word_of(24, n), "points": 1, "path": [[0, 0], [0, 1]]} for n in range(10)]
    display.route(
        "**/api/result/words", lambda route: route.fulfill(json={"levels": {}, "likely": likely})
    )
    show_result(display, table, 2)
    missed = display.get_by_test_id("missed")
    expect(missed.locator("h3")).to_have_text("Best words missed")
    last = missed.locator("[data-goes-on]").last
    expect(last).to_have_attribute("data-goes-on", "Best words missed")


def test_a_finger_turns_a_leaf_and_never_leaves_off_between_two(table: Table, visit: Visit) -> None:
    display = shown_result(visit, table, 4, "small")
    display.get_by_test_id("tour").click()
    box = display.get_by_test_id("lists").bounding_box()
    assert box is not None
    finger = display.context.new_cdp_session(display)
    right, height = box["x"] + box["width"] - 40, box["y"] + box["height"] / 2
    for number, kind in enumerate(["touchStart", *["touchMove"] * 10]):
        point = {"x": right - 15 * number, "y": height}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(display.get_by_test_id("leaf")).to_contain_text("Page 2")
    display.wait_for_function(ON_A_LEAF)


ON_A_LEAF = """() => {
  const lists = document.querySelector("[data-slot=lists]");
  const leaf = lists.clientWidth + parseFloat(getComputedStyle(lists).columnGap);
  return Math.abs(lists.scrollLeft - leaf) < 2;
}"""
"""The second leaf is in sight, whole."""
