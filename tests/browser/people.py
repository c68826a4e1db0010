"""Who sits at a table that is served: phones that have joined, and the desk behind its PIN."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from tests.browser.conftest import PATIENCE_MS, Table, Visit

_STANDS = re.compile("Lay the cubes flat|Which letter|Ready")


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


def hand_in(phone: Page) -> None:
    """Hand the list in, once the time is up."""
    phone.get_by_test_id("hand-in").click()
    phone.get_by_test_id("hand-in-yes").click()


def entered(
    visit: Visit,
    table: Table,
    role: str = "referee",
    size: str = "large",
    language: str = "en-GB",
) -> Page:
    """The page of a role, behind its PIN."""
    page = visit(table.url + {"owner": "maintenance"}.get(role, role), size, language)
    page.get_by_test_id("pin").fill(table.pins[role])
    page.get_by_test_id("pin-enter").click()
    expect(page.get_by_test_id("view-desk")).to_be_visible()
    return page


def open_part(desk: Page, part: str) -> None:
    """Turn to a part of the referee's desk."""
    desk.get_by_test_id(f"tab-{part}").click()
    expect(desk.locator(f"#part-{part}")).to_be_visible()


def state_of(page: Page) -> dict[str, Any]:
    """The state as the page may see it."""
    found: dict[str, Any] = page.evaluate("fetch('/api/state').then(answer => answer.json())")
    return found


def words_on(faces: list[list[str]]) -> list[str]:
    """Words that the board gives, the longest first."""
    found = solve(Board.from_faces(faces), builtin_lexicon(), game("boggle"))
    return sorted((one.word for one in found.words), key=lambda word: (-len(word), word))


def shake_until_asked(desk: Page) -> None:
    """Shake, lay by hand, and shake again where a reading saw that no cube was cocked."""
    phase = desk.get_by_test_id("phase")
    desk.get_by_test_id("act-press").click()
    for _ in range(12):
        expect(phase).to_have_text(_STANDS, timeout=4 * PATIENCE_MS)
        shown = phase.text_content() or ""
        if "Which" in shown:
            return
        if "Ready" in shown:
            desk.get_by_test_id("act-reroll").click()
            desk.get_by_test_id("sure-yes").click()
        else:
            desk.get_by_test_id("act-press").click()
        expect(phase).not_to_have_text(shown)
    pytest.fail("no cube was asked about")
