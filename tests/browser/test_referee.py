"""The referee's desk and the owner's maintenance in a browser, over a table that is served."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.board import Board
from scoring.paths import find_path
from tests.browser.conftest import PATIENCE_MS, SIZES, Serve, Table, Visit, scrolls, violations
from tests.browser.people import (
    entered,
    joined,
    open_part,
    shake_until_asked,
    state_of,
    words_on,
)

TIMER_S = 30
PARTS = ("table", "doubts", "lists", "challenges", "log", "camera", "devices")
POST = """([path, body]) => fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
}).then(answer => answer.status)"""


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    """One that asks about a cube of its first shake; else another seed does."""
    return serve("--seed", "37", "--timer", str(TIMER_S))


@pytest.fixture(scope="module")
def quiet_table(serve: Serve) -> Table:
    """One at which nothing happens."""
    return serve("--seed", "7")


def test_wrong_pins_cost_time_which_is_told(quiet_table: Table, visit: Visit) -> None:
    page = visit(quiet_table.url + "referee", "phone")
    problem = page.get_by_test_id("pin-problem")
    for _ in range(4):
        page.get_by_test_id("pin").fill("no")
        page.get_by_test_id("pin-enter").click()
        expect(problem).to_have_text("That is not the PIN.")
        expect(page.get_by_test_id("pin")).to_have_value("")
    page.get_by_test_id("pin").fill("no")
    page.get_by_test_id("pin-enter").click()
    expect(problem).to_contain_text("wait")
    expect(page.get_by_test_id("pin-enter")).to_be_disabled()
    expect(page.get_by_test_id("pin-enter")).to_be_enabled()
    for digit in quiet_table.pins["referee"]:
        page.get_by_role("button", name=digit, exact=True).click()
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("view-desk")).to_be_visible()


@pytest.mark.parametrize("size", [(180, 370), (320, 256)])  # twice on a phone; WCAG 1.4.10
def test_where_all_is_large_the_whole_desk_scrolls(
    quiet_table: Table, visit: Visit, size: tuple[int, int]
) -> None:
    page = entered(visit, quiet_table)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_part(page, "devices")
    part = page.locator("#part-devices")
    assert part.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    link = part.get_by_role("link", name="Maintenance")
    link.scroll_into_view_if_needed()
    expect(link).to_be_in_viewport()
    assert scrolls(page)[0] == 0
    assert violations(page) == []


@pytest.mark.parametrize("size", SIZES)
def test_every_part_is_accessible_and_as_wide_as_its_window(
    quiet_table: Table, visit: Visit, size: str
) -> None:
    page = entered(visit, quiet_table, size=size)
    for part in PARTS:
        open_part(page, part)
        assert violations(page) == []
        assert scrolls(page)[0] == 0
    page.get_by_test_id("open-help").click()
    assert violations(page) == []


def test_keys_lead_through_the_desk_and_can_be_switched_off(
    quiet_table: Table, visit: Visit
) -> None:
    page = entered(visit, quiet_table)
    expect(page.locator("#part-table")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("no-doubts")).to_be_visible()
    expect(page.get_by_test_id("tab-doubts")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_test_id("help")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_test_id("open-settings").click()
    page.locator("[data-choice=keys] button[value=off]").click()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_test_id("help")).to_be_hidden()


def test_a_round_at_the_desk(table: Table, visit: Visit) -> None:
    page = entered(visit, table)
    ada, ben = joined(visit, table, "ada"), joined(visit, table, "ben")
    expect(page.get_by_test_id("players").get_by_role("listitem")).to_have_count(2)

    settle_the_cube(page)
    open_part(page, "camera")
    expect(page.get_by_test_id("camera-note")).to_contain_text("no photo to be shown")
    expect(page.get_by_test_id("photo")).to_be_hidden()

    page.get_by_test_id("act-press").click()
    expect(page.get_by_test_id("phase")).to_have_text("Find words")
    best, second, *_ = words_on(state_of(page)["round"]["board"]["faces"])
    for phone, words in ((ada, (best, "zzyzx")), (ben, (second,))):
        for number, word in enumerate(words):
            sent = {"id": f"w{number}", "text": word}
            assert phone.evaluate(POST, ["/api/words", sent]) == 200
    stop_and_go_on(page)
    expect(page.get_by_test_id("photo")).to_be_visible()
    challenge(page, best)

    expect(page.get_by_test_id("act-close_lists")).to_be_visible(timeout=2 * PATIENCE_MS)
    page.get_by_test_id("act-close_lists").click()
    page.get_by_test_id("sure-yes").click()
    strike_and_undo(page, best)
    look_into_the_log(page)


def test_a_challenge_has_a_clock_and_what_was_decided_is_taken_back(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--timer", "5")
    page = entered(visit, table)
    phone = joined(visit, table, "ada")
    page.get_by_test_id("act-press").click()
    expect(page.get_by_test_id("phase")).to_have_text("Ready?", timeout=3 * PATIENCE_MS)
    page.get_by_test_id("act-press").click()
    expect(page.get_by_test_id("act-close_lists")).to_be_visible(timeout=2 * PATIENCE_MS)
    page.get_by_test_id("act-close_lists").click()
    page.get_by_test_id("sure-yes").click()
    expect(page.get_by_test_id("undo-line")).to_contain_text("lists closed: ada")
    open_part(page, "challenges")
    page.get_by_test_id("challenge-seconds").fill("2")
    page.get_by_test_id("challenge-begin").click()
    expect(page.locator("body")).to_contain_text("Seconds: 5 to 600 are possible.")
    page.get_by_test_id("challenge-seconds").fill("5")
    page.get_by_test_id("challenge-begin").click()
    clock = page.get_by_test_id("challenge-clock")
    expect(clock).to_be_visible()
    assert state_of(phone)["round"]["challenge"]["total_s"] == 5.0
    expect(clock).to_have_text("Challenge: time is up")
    assert violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert scrolls(page)[0] == 0
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.get_by_text("Word by word").first.click()
    page.get_by_test_id("challenged").fill("zzyzx")
    page.get_by_test_id("judge").click()
    expect(clock).to_be_hidden()
    undo = page.get_by_test_id("undo-line")
    expect(undo).to_contain_text("challenge: zzyzx – does not stand")
    page.get_by_test_id("undo").click()
    expect(undo).to_contain_text("lists closed: ada")
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("act-close_lists")).to_be_visible()
    open_part(page, "log")
    kinds = page.get_by_test_id("entries")
    for kind in ("challenge_begun", "challenge_judged", "lists_reopened"):
        expect(kinds.locator(f"[data-kind={kind}]")).to_contain_text("referee")
    open_part(page, "table")
    expect(page.get_by_test_id("lexicon")).to_be_disabled()
    page.get_by_test_id("act-close_lists").click()
    page.get_by_test_id("sure-yes").click()
    page.get_by_test_id("lexicon-choose").click()
    expect(page.get_by_test_id("polite")).to_contain_text("proves the words of the rounds to come")


def settle_the_cube(page: Page) -> None:
    """Settle what is asked about by keys alone."""
    shake_until_asked(page)
    expect(page.get_by_test_id("doubt")).to_be_visible()
    expect(page.get_by_test_id("crop")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("2")
    expect(page.get_by_test_id("offer").nth(1)).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("typed").fill("55")
    page.keyboard.press("Enter")
    expect(page.locator("#typed-problem")).to_contain_text("A face is")
    page.get_by_test_id("typed").fill("")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("phase")).to_have_text("Ready?")


def stop_and_go_on(page: Page) -> None:
    page.keyboard.press(" ")
    expect(page.get_by_test_id("act-resume")).to_be_visible()
    page.keyboard.press("+")
    expect(page.get_by_test_id("left")).to_have_text(re.compile(r"0:[3-5]\d|1:00"))
    page.keyboard.press(" ")
    expect(page.get_by_test_id("act-pause")).to_be_visible()


def challenge(page: Page, good: str) -> None:
    """Of a set nothing is told but whether it stands, and only when it was confirmed."""
    open_part(page, "challenges")
    page.get_by_test_id("challenged").fill(f"{good} zzyzx")
    page.get_by_test_id("judge").click()
    expect(page.locator("#challenge-problem")).to_contain_text("must confirm")
    page.get_by_test_id("agreed").check()
    page.get_by_test_id("judge").click()
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("The play does not stand")
    assert "zzyzx" not in (verdict.text_content() or "")
    page.get_by_text("Word by word").first.click()
    expect(verdict).to_be_hidden()
    page.get_by_test_id("judge").click()
    expect(verdict.get_by_role("listitem")).to_have_count(2)
    expect(verdict).to_contain_text("is not in the word list")
    assert violations(page) == []


def strike_and_undo(page: Page, word: str) -> None:
    open_part(page, "lists")
    mine = page.locator(f".judged[data-word='{word}']")
    expect(mine).to_have_attribute("data-verdict", "scored")
    page.keyboard.press("ArrowDown")
    expect(mine).to_be_focused()
    page.keyboard.press("-")
    expect(mine).to_have_attribute("data-verdict", "struck")
    expect(page.get_by_test_id("undo-line")).to_contain_text(f"{word} is struck")
    expect(page.get_by_test_id("undo-line")).to_contain_text("referee")
    assert violations(page) == []
    page.keyboard.press("Control+z")
    expect(mine).to_have_attribute("data-verdict", "scored")
    expect(page.get_by_test_id("undo-line")).to_contain_text("lists closed")
    expect(page.get_by_test_id("undo-line")).to_contain_text(f"Taken back: {word} is struck")


def look_into_the_log(page: Page) -> None:
    open_part(page, "log")
    entries = page.get_by_test_id("entries")
    expect(entries.locator("[data-kind=challenge_judged]").first).to_contain_text("zzyzx")
    undone = entries.locator("[data-kind=decision_undone]")
    expect(undone).to_contain_text("referee")
    expect(undone).to_contain_text("is struck from every list")
    expect(entries.locator("[data-kind=tray_read]")).to_have_count(0)
    page.get_by_test_id("log-filter").fill("struck")
    expect(entries.locator("tr")).to_have_count(2)  # and its undoing
    page.get_by_test_id("log-filter").fill("")
    page.locator("#log-people").uncheck()
    expect(entries.locator("[data-kind=tray_read]")).not_to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_the_owner_has_doctor_settings_and_backups(
    quiet_table: Table, visit: Visit, size: str
) -> None:
    page = entered(visit, quiet_table, "owner", size)
    text = page.get_by_test_id("settings-text")
    expect(text).not_to_have_value("")
    text.fill("[web]\nport = 70000\n")
    expect(page.get_by_test_id("settings-problems")).to_contain_text("port")
    expect(page.get_by_test_id("save")).to_be_disabled()
    assert violations(page) == []
    assert scrolls(page)[0] == 0
    page.get_by_test_id("settings-reset").click()
    expect(page.get_by_test_id("settings-problems")).to_be_empty()


def test_the_doctor_is_asked_and_a_backup_loaded(quiet_table: Table, visit: Visit) -> None:
    page = entered(visit, quiet_table, "owner")
    page.get_by_test_id("examine").click()
    expect(page.get_by_test_id("findings")).to_contain_text("lexicon")
    assert violations(page) == []
    with page.expect_download() as loading:
        page.get_by_test_id("backup").click()
    assert loading.value.failure() is None
    assert loading.value.suggested_filename == "wordtray-backup.zip"


def test_the_referees_pin_opens_no_maintenance(quiet_table: Table, visit: Visit) -> None:
    page = visit(quiet_table.url + "maintenance")
    page.get_by_test_id("pin").fill(quiet_table.pins["referee"])
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("pin-problem")).to_contain_text("owner")
    expect(page.get_by_test_id("view-desk")).to_be_hidden()


def test_a_cube_that_was_misread_is_corrected_with_a_reason_and_every_list_follows(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--timer", "20")
    page, phone = entered(visit, table), joined(visit, table, "ada")
    page.get_by_test_id("act-press").click()
    expect(page.get_by_test_id("phase")).to_have_text("Ready?", timeout=3 * PATIENCE_MS)
    expect(page.get_by_test_id("board").get_by_role("button")).to_have_count(0)
    page.get_by_test_id("act-press").click()
    expect(page.get_by_test_id("board").get_by_role("button")).to_have_count(16)
    page.get_by_test_id("act-pause").click()
    expect(page.locator("#part-table")).to_contain_text("in a pause; you do")
    expect(page.get_by_test_id("board").get_by_role("button")).to_have_count(16)
    expect(phone.get_by_test_id("board")).to_be_hidden()
    page.get_by_test_id("act-resume").click()
    faces = state_of(page)["round"]["board"]["faces"]
    board = Board.from_faces(faces)
    word = next(one for one in words_on(faces) if (0, 0) in (find_path(board, one) or ()))
    assert phone.evaluate(POST, ["/api/words", {"id": "w1", "text": word}]) == 200
    expect(page.get_by_test_id("act-close_lists")).to_be_visible(timeout=2 * PATIENCE_MS)
    page.get_by_test_id("act-close_lists").click()
    page.get_by_test_id("sure-yes").click()
    expect(phone.get_by_test_id("word").first).to_have_attribute("data-verdict", "scored")

    page.get_by_test_id("board").get_by_role("button").first.click()
    expect(page.get_by_test_id("correct-face")).to_be_focused()
    page.get_by_test_id("correct-face").fill("q")
    page.keyboard.press("Enter")
    expect(page.locator("#correct-problem")).to_contain_text("how you know")
    assert violations(page) == []
    page.get_by_test_id("correct-why").fill("worn")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("undo-line")).to_contain_text(f"{faces[0][0]} → Q (1, 1): worn")
    expect(page.get_by_test_id("correct")).to_be_hidden()
    expect(phone.get_by_test_id("word").first).to_have_attribute("data-verdict", "not_on_board")
    open_part(page, "log")
    entry = page.get_by_test_id("entries").locator("[data-kind=cell_corrected]")
    expect(entry).to_contain_text("Row 1, column 1")
    page.get_by_test_id("undo").click()
    expect(phone.get_by_test_id("word").first).to_have_attribute("data-verdict", "scored")
