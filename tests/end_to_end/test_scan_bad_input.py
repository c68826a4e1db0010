"""What else than a list is given to ``wordtray scan``: one clear outcome for each, nothing guessed.

Sheets of another round and two players' sheets in one photo are in ``test_scan.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from typer.testing import Result

from firmware_host.errors import ExitCode
from scoring.board import Board
from tests.end_to_end.conftest import refusal
from vision.render.dice import render_dice
from vision.render.page_photo import PageView, photograph
from vision.render.tray import render_tray
from vision.render.typed_page import Print, type_page
from vision.render.typefaces import shipped_typefaces
from vision.render.written_page import PageStyle, random_page_style, write_page

Run = Callable[..., Result]
Pixels = NDArray[np.uint8]

pytestmark = pytest.mark.usefixtures("handwriting_is_read")

PROSE = (
    "it was so late in the day that we had to go on by the light of a lamp and as far as we saw "
    "there was no one to be met on the way to the house at the end of the lane where he is said "
    "to be at home with all of his cats and an old dog"
)
GREEK = "ΨΩΔΦ ΛΞΘΠ ΣΓΨΦ ΔΘΛΩ ΞΨΠΣ ΦΓΩΔ ΘΞΛΨ ΠΣΔΓ"


def style(lines: int) -> PageStyle:
    plain = random_page_style(np.random.default_rng(5), "capitals", "plain", lines)
    return replace(plain, hand=replace(plain.hand, ink=(20, 20, 60), line=0.06), spacing=0.12)


def shot(page: Pixels, size: tuple[int, int] = (1050, 1480)) -> Pixels:
    return photograph(page, np.random.default_rng(1), view=PageView(size, 0.0)).photo


def empty() -> Pixels:
    return shot(write_page([], style(16), np.random.default_rng(2)).pixels)


def prose() -> Pixels:
    words = PROSE.split()
    lines = [words[start : start + 8] for start in range(0, len(words), 8)]
    return shot(type_page(lines, Print(shipped_typefaces().faces[0].path, 30, 70)).pixels)


def drawing() -> Pixels:
    picture = Image.fromarray(write_page([], style(16), np.random.default_rng(2)).pixels)
    draw = ImageDraw.Draw(picture)
    for size in (150, 260, 390):
        box = (600 - size, 700 - size, 600 + size, 700 + size)
        draw.ellipse(box, outline=(20, 20, 60), width=7)
    draw.line((150, 1300, 600, 200, 1100, 1350, 150, 1300), (20, 20, 60), 7)
    return shot(np.asarray(picture, np.uint8))


def tray() -> Pixels:
    return render_tray(Board.parse("IETC/HQuPE/SEYH/TOER"), np.random.default_rng(3)).photo


def dice() -> Pixels:
    return render_dice([1, 4, 6, 2, 5], np.random.default_rng(3)).photo


@pytest.mark.parametrize(
    ("draw", "kinds"),
    [
        (empty, {"no_writing"}),
        (prose, {"prose"}),
        (drawing, {"no_writing", "illegible"}),
        (tray, {"tray_not_paper"}),
        (dice, {"no_page", "no_writing", "illegible"}),
    ],
)
def test_what_is_no_list_is_refused_with_what_it_is(
    run: Run, tmp_path: Path, draw: Callable[[], Pixels], kinds: set[str]
) -> None:
    Image.fromarray(draw()).save(tmp_path / "page.png")
    error = refusal(run("scan", "page.png", "--json"), ExitCode.NOTHING_FOUND)
    assert error["kind"] in kinds
    assert error["advice"][0].isupper()
    assert error["advice"].endswith(".")


def test_another_script_is_refused_or_asked_about_word_by_word(run: Run, tmp_path: Path) -> None:
    page = type_page(
        [[word] for word in GREEK.split()], Print(shipped_typefaces().faces[0].path, 36, 80)
    )
    Image.fromarray(shot(page.pixels)).save(tmp_path / "page.png")
    told = run("scan", "page.png", "--json")
    assert told.exit_code in {ExitCode.NOTHING_FOUND, ExitCode.DOUBTFUL}
    found = json.loads(told.stdout)
    if told.exit_code == ExitCode.NOTHING_FOUND:
        assert found["error"]["kind"] == "illegible"
    else:
        assert all(word["doubtful"] for word in found["words"])


def test_one_word_is_a_list(run: Run, tmp_path: Path) -> None:
    page = write_page([["TEAM"]], style(16), np.random.default_rng(2))
    Image.fromarray(shot(page.pixels)).save(tmp_path / "page.png")
    told = run("scan", "page.png", "--json")
    (word,) = json.loads(told.stdout)["words"]
    assert (word["text"], word["doubtful"], told.exit_code) == ("team", False, ExitCode.DONE)


def test_four_hundred_words_are_a_list(run: Run, tmp_path: Path) -> None:
    texts = ["TEAM", "MEAL", "HIND", "LEAN", "SEAT", "TEAR", "ZOOM", "MITE"]
    small = replace(style(50), letter=15.0, spacing=0.1)
    page = write_page([texts] * 50, small, np.random.default_rng(2)).pixels
    large = np.asarray(cv2.resize(page, None, fx=1.5, fy=1.5), np.uint8)
    Image.fromarray(shot(large, (1500, 2000))).save(tmp_path / "page.png")
    told = run("scan", "page.png", "--json")
    assert told.exit_code in {ExitCode.DONE, ExitCode.DOUBTFUL}
    words = json.loads(told.stdout)["words"]
    assert 360 <= len(words) <= 440
    sure = [word["text"].upper() for word in words if not word["doubtful"]]
    assert set(sure) <= set(texts)
    assert len(sure) > 200
