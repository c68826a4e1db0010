"""A whole round by three phones and a display, with all that happens to phones meanwhile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from tests.browser.conftest import Serve, Table, Visit, violations

TIMER_S = 45
PLAYERS = ("Ada", "Ben", "Cléo")


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7", "--timer", str(TIMER_S))


def joined(visit: Visit, table: Table, name: str) -> Page:
    """A phone whose player has joined."""
    phone = visit(f"{table.url}join?code={table.code}")
    phone.get_by_test_id("name").fill(name)
    phone.get_by_test_id("join").click()
    phone.wait_for_url("**/play")
    return phone


def write(phone: Page, *words: str) -> None:
    """Write words as a thumb does: each closed by the key that sends it."""
    for word in words:
        phone.get_by_test_id("word-input").fill(word)
        phone.get_by_test_id("word-input").press("Enter")


def state_of(page: Page) -> dict[str, Any]:
    """The state as the page may see it."""
    found: dict[str, Any] = page.evaluate("fetch('/api/state').then(answer => answer.json())")
    return found


def words_of(board: list[list[str]]) -> list[str]:
    """Words that the board gives, the longest first."""
    solution = solve(Board.from_faces(board), builtin_lexicon(), game("boggle"))
    return sorted((found.word for found in solution.words), key=lambda word: (-len(word), word))


def test_a_round_survives_a_reload_a_lost_connection_and_a_pulled_plug(
    table: Table, visit: Visit
) -> None:
    display = visit(table.url, "large")
    ada, ben, cleo = phones = [joined(visit, table, name) for name in PLAYERS]
    expect(display.get_by_test_id("guests").get_by_role("listitem")).to_have_count(3)

    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("turn")).to_be_visible()
    assert state_of(display)["round"]["board"] is None
    assert state_of(ada)["round"]["board"] is None
    display.get_by_test_id("turn").click()
    expect(ada.get_by_test_id("word-input")).to_be_visible()

    first, second, third, *rest = words_of(state_of(display)["round"]["board"]["faces"])
    write(ada, first, second)
    write(ben, second, "zzyzx")
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
        phone.get_by_test_id("hand-in").click()
        phone.get_by_test_id("hand-in-yes").click()
    expect(display.get_by_test_id("view-result")).to_be_visible()
    result = state_of(display)["round"]["result"]
    verdicts = {
        player["name"]: {word["word"]: word["verdict"] for word in player["words"]}
        for player in result["players"]
    }
    assert verdicts == {
        "Ada": {first: "scored", second: "shared"},
        "Ben": {second: "shared", "zzyzx": "not_on_board", third: "scored"},
        "Cléo": {rest[0]: "scored"},
    }
    for phone in (*phones, display):
        expect(phone.get_by_test_id("view-result")).to_be_visible()
        assert violations(phone) == []
