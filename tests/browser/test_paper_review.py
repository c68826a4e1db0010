"""A list on paper over its whole way: photographed by a phone, asked about at the desk, counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from scoring.board import Board
from scoring.lexicon import builtin_lexicon
from scoring.paths import can_make
from tests.browser.conftest import PATIENCE_MS, Serve, Table, Visit, scrolls, violations
from tests.browser.people import entered, joined, open_part, state_of, words_on
from vision.paper.ppocr import PpOcr, RecogniserError
from vision.render.page_photo import PageView, photograph
from vision.render.written_page import random_page_style, write_page


@pytest.fixture(scope="module")
def _installed() -> None:
    try:
        PpOcr()
    except RecogniserError as error:
        pytest.skip(f"{error}. {error.advice}")


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7", "--timer", "10")


def near(words: list[str], faces: list[list[str]]) -> list[str]:
    """Words that differ by a letter from some that the board gives, and that it does not give."""
    board, lexicon = Board.from_faces(faces), builtin_lexicon()
    changed = (
        word[:place] + letter + word[place + 1 :]
        for word in words
        for place in range(len(word))
        for letter in "aeiou"
    )
    return [one for one in changed if one in lexicon and not can_make(board, one)]


def save_list(file: Path, words: list[str]) -> None:
    """A photo of a page on which they are written by hand."""
    rng = np.random.default_rng(5)
    style = random_page_style(rng, "capitals", "ruled", 12)
    plain = replace(style, hand=replace(style.hand, ink=(20, 20, 60), line=0.06), spacing=0.12)
    page = write_page([[word.upper()] for word in words], plain, rng)
    Image.fromarray(photograph(page.pixels, rng, view=PageView((900, 1200), 0.2)).photo).save(file)


def doubtful(page: Page) -> list[str]:
    """Words of the result that nobody has settled."""
    (ada,) = state_of(page)["round"]["result"]["players"]
    return [word["word"] for word in ada["words"] if word["verdict"] == "doubtful"]


@pytest.mark.usefixtures("_installed")
def test_words_on_paper_are_reviewed_by_keys_and_the_result_follows(
    table: Table, visit: Visit, tmp_path: Path
) -> None:
    display, desk, ada = visit(table.url), entered(visit, table), joined(visit, table, "ada")
    ada.evaluate("document.documentElement.style.fontSize = '200%'")  # as eyes may need it
    display.get_by_test_id("start").click()
    display.get_by_test_id("turn").click()
    expect(ada.get_by_test_id("word-input")).to_be_visible()
    faces = state_of(display)["round"]["board"]["faces"]
    words = words_on(faces)[:4]
    save_list(tmp_path / "list.png", [*words, *near(words_on(faces), faces)[:4]])
    expect(ada.get_by_test_id("view-result")).to_be_visible()  # what was not handed in is closed
    assert scrolls(ada)[0] == 0

    ada.get_by_test_id("photo").set_input_files(tmp_path / "list.png")
    expect(ada.get_by_test_id("photo-words").get_by_role("listitem")).not_to_have_count(
        0, timeout=3 * PATIENCE_MS
    )
    open_part(desk, "doubts")
    expect(desk.get_by_test_id("doubt")).to_be_visible()
    expect(desk.get_by_test_id("crop")).to_be_visible()
    assert violations(desk) == []
    before = doubtful(display)
    assert before

    desk.keyboard.press("1")
    expect(desk.get_by_test_id("undo-line")).to_contain_text("read as")
    assert len(doubtful(display)) == len(before) - 1
    desk.keyboard.press("Control+z")
    expect(desk.get_by_test_id("undo-line")).to_contain_text("Taken back: read as")
    expect(desk.get_by_test_id("undo")).to_be_hidden()
    assert doubtful(display) == before
    desk.keyboard.press("-")
    expect(desk.get_by_test_id("undo-line")).to_contain_text("is crossed out")
    assert len(doubtful(display)) == len(before) - 1
