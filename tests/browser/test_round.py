"""A whole round by three phones, a display and a referee, with all that happens meanwhile."""

from __future__ import annotations

import json
import re
from itertools import permutations

import pytest
from playwright.sync_api import Page, expect

from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.paths import can_make
from tests.browser.conftest import PATIENCE_MS, Serve, Table, Visit, violations
from tests.browser.people import (
    entered,
    hand_in,
    joined,
    open_part,
    shake_until_asked,
    state_of,
    words_on,
    write,
)

TIMER_S = 45
PLAYERS = ("Ada", "Ben", "Cléo")


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    """One that asks about a cube of its first shake; else another seed does."""
    return serve("--seed", "37", "--timer", str(TIMER_S))


def no_word(faces: list[list[str]]) -> str:
    """Letters that lie on the board in a row, and are in no word list."""
    board, lexicon = Board.from_faces(faces), builtin_lexicon()  # which takes long to be made
    letters = {face.lower() for line in faces for face in line if face.isalpha()}
    tried = ("".join(chosen) for chosen in permutations(sorted(letters), 4))
    return next(word for word in tried if word not in lexicon and can_make(board, word))


def verdicts(page: Page) -> dict[str, dict[str, str]]:
    """The verdicts of a result, as a page that may see all of it is told."""
    return {
        player["name"]: {word["word"]: word["verdict"] for word in player["words"]}
        for player in state_of(page)["round"]["result"]["players"]
    }


def all_see(phones: list[Page], display: Page, word: str, verdict: str) -> None:
    """Everybody's page follows what the referee decides."""
    for page in (*phones, display):
        lines = page.get_by_test_id("view-result").get_by_test_id("word")
        shown = lines.filter(has_text=re.compile(rf"^\s*{word}", re.IGNORECASE)).first
        expect(shown).to_have_attribute("data-verdict", verdict)


def settle_the_cube(desk: Page) -> None:
    """The referee says what lies there, by keys."""
    shake_until_asked(desk)
    expect(desk.get_by_test_id("crop")).to_be_visible()
    desk.keyboard.press("e")
    desk.keyboard.press("Enter")
    expect(desk.get_by_test_id("phase")).to_have_text("Ready?")


def rule(desk: Page, word: str, key: str, verdict: str) -> None:
    """The referee rules on a word of the lists, by a key."""
    mine = desk.locator(f".judged[data-word='{word}']").first
    mine.focus()
    desk.keyboard.press(key)
    expect(mine).to_have_attribute("data-verdict", verdict)


def challenge(desk: Page, word: str) -> None:
    """Somebody challenges a word: the word list decides, and what falls is taken off."""
    open_part(desk, "challenges")
    desk.get_by_text("Word by word").first.click()
    desk.get_by_test_id("challenged").fill(word)
    desk.get_by_test_id("judge").click()
    verdict = desk.get_by_test_id("verdict")
    expect(verdict).to_contain_text("is not in the word list")
    verdict.get_by_role("button", name=re.compile("Take it off")).click()
    expect(desk.get_by_test_id("undo-line")).to_contain_text("was challenged")
    open_part(desk, "lists")


def test_a_round_survives_a_reload_a_lost_connection_and_a_pulled_plug(
    table: Table, visit: Visit
) -> None:
    display, desk = visit(table.url, "large"), entered(visit, table)
    ada, ben, cleo = phones = [joined(visit, table, name) for name in PLAYERS]
    expect(display.get_by_test_id("guests").get_by_role("listitem")).to_have_count(3)

    settle_the_cube(desk)
    expect(display.get_by_test_id("turn")).to_be_visible()
    assert state_of(display)["round"]["board"] is None
    assert state_of(ada)["round"]["board"] is None
    display.get_by_test_id("turn").click()
    expect(ada.get_by_test_id("word-input")).to_be_visible()
    desk.keyboard.press("+")
    expect(desk.get_by_test_id("left")).to_have_text(re.compile(r"1:\d\d|0:[45]\d"))

    faces = state_of(display)["round"]["board"]["faces"]
    first, second, third, *rest = words_on(faces)
    made_up = no_word(faces)
    write(ada, first, second)
    write(ben, second, "zzyzx", made_up)
    expect(ada.get_by_test_id("mine").get_by_role("listitem")).to_have_count(2)
    assert "you" not in json.dumps(state_of(ben)["round"])
    assert first not in json.dumps(state_of(ben))

    ada.reload()
    expect(ada.get_by_test_id("mine").get_by_role("listitem")).to_have_count(2)

    ben.context.set_offline(offline=True)
    write(ben, third)
    expect(ben.get_by_test_id("unsent")).to_be_visible()
    table.kill()
    write(cleo, rest[0])
    table.start()
    ben.context.set_offline(offline=False)
    expect(ben.get_by_test_id("unsent")).to_be_hidden()
    expect(cleo.get_by_test_id("unsent")).to_be_hidden()

    for phone in phones:
        expect(phone.get_by_test_id("hand-in")).to_be_visible(timeout=2 * PATIENCE_MS)
        hand_in(phone)
    expect(display.get_by_test_id("view-result")).to_be_visible()
    assert verdicts(display) == {
        "Ada": {first: "scored", second: "shared"},
        "Ben": {
            second: "shared",
            "zzyzx": "not_on_board",
            made_up: "not_in_lexicon",
            third: "scored",
        },
        "Cléo": {rest[0]: "scored"},
    }
    for phone in (*phones, display):
        expect(phone.get_by_test_id("view-result")).to_be_visible()
        assert violations(phone) == []

    open_part(desk, "lists")
    rule(desk, first, "-", "struck")
    all_see(phones, display, first, "struck")
    desk.keyboard.press("Control+z")
    all_see(phones, display, first, "scored")
    rule(desk, made_up, "Enter", "scored")
    all_see(phones, display, made_up, "scored")
    challenge(desk, made_up)
    all_see(phones, display, made_up, "struck")
    desk.keyboard.press("Control+z")
    all_see(phones, display, made_up, "scored")


def test_a_phone_that_is_loaded_again_without_a_connection_has_its_page_and_no_old_state(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--timer", "60")
    ada = joined(visit, table, "ada")
    expect(ada.get_by_test_id("wait")).not_to_be_empty()
    ada.evaluate("navigator.serviceWorker.ready.then(() => true)")
    table.kill()
    ada.reload()
    expect(ada.get_by_test_id("connection")).to_have_text("No connection. Trying again…")
    expect(ada.get_by_test_id("wait")).to_contain_text("as soon as there is a connection")
    expect(ada.locator("h1").first).to_have_text("Your words")
    expect(ada.get_by_test_id("photo")).to_be_hidden()
    assert violations(ada) == []
    table.start()
    expect(ada.locator("h1").first).to_have_text("Hello ada!")
    expect(ada.get_by_test_id("wait")).to_contain_text("The round begins soon")


def test_a_phone_that_is_loaded_again_without_a_connection_shows_its_words_and_sends_them_once(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--timer", "170")
    ada, display = joined(visit, table, "ada"), visit(table.url, "large")
    ada.evaluate("navigator.serviceWorker.ready.then(() => true)")
    display.get_by_test_id("start").click()
    display.get_by_test_id("turn").click()
    write(ada, "sent")
    lines = ada.get_by_test_id("mine-word")
    expect(lines).to_have_attribute("data-state", "sent")
    table.kill()
    write(ada, "kept", "taken")
    for address in ("play", "join"):  # whoever has a seat is led to it
        ada.goto(table.url + address)
        ada.wait_for_url("**/play")
        expect(lines.locator(".text")).to_have_text(["taken", "kept", "sent"])
        expect(ada.get_by_test_id("away")).to_contain_text("as soon as there is a connection")
        expect(lines.locator(".state")).to_have_text(["not sent yet"] * 2)
        expect(ada.get_by_test_id("unsent")).to_contain_text("2 entries are not sent yet")
        assert violations(ada) == []
    table.start()
    expect(ada.get_by_test_id("word-input")).to_be_visible()
    expect(lines.and_(ada.locator("[data-state=sent]"))).to_have_count(3)
    expect(ada.get_by_test_id("unsent")).to_be_hidden()
    words = [word["text"] for word in state_of(ada)["you"]["words"]]
    assert words == ["sent", "kept", "taken"]


def test_who_has_not_joined_is_told_that_it_takes_a_connection(serve: Serve, visit: Visit) -> None:
    table = serve("--seed", "7")
    phone = visit(f"{table.url}join")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    expect(phone.get_by_test_id("away")).to_be_hidden()
    table.kill()
    phone.reload()
    expect(phone.get_by_test_id("away")).to_contain_text("nobody can join now")
    assert violations(phone) == []
    table.start()
    expect(phone.get_by_test_id("away")).to_be_hidden()


_CUT = """field => {
  const style = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `400 ${style.fontSize} ${style.fontFamily}`;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.max(0, pen.measureText(field.placeholder).width - room);
}"""
"""Pixels of what an empty field asks for that are cut off."""


def test_phones_lead_elsewhere_only_between_rounds_and_their_field_says_what_it_is_for(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--timer", "170")
    phone, display = joined(visit, table, "ada"), visit(table.url, "large")
    other = phone.get_by_test_id("touch")
    expect(other).to_be_visible()
    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("turn")).to_be_visible()
    expect(phone.get_by_test_id("wait")).to_contain_text("The cubes lie")
    expect(other).to_be_hidden()
    display.get_by_test_id("turn").click()
    field = phone.get_by_test_id("word-input")
    for language in ("en", "de", "fr", "es", "it"):
        phone.goto(f"{table.url}play?lang={language}")
        expect(field).to_be_visible()
        assert field.evaluate(_CUT) == 0
    display.get_by_test_id("pause").click()
    expect(field).to_be_hidden()
    expect(other).to_be_hidden()
