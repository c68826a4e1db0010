"""A handwritten page from its photo to its points, read by the net that is installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from vision.render.page_photo import PageView, photograph
from vision.render.written_page import random_page_style, write_page

BOARD = "TEAM/RSLO/HIND/GUPE"
WORDS = ["TEAM", "HIND", "SLIP", "TEEM"]  # the last one is not on the board

Run = Callable[..., Result]


def save_page(file: Path) -> None:
    rng = np.random.default_rng(5)
    style = random_page_style(rng, "capitals", "ruled", 12)
    plain = replace(style, hand=replace(style.hand, ink=(20, 20, 60), line=0.06), spacing=0.12)
    page = write_page([[word] for word in WORDS], plain, rng)
    shot = photograph(page.pixels, rng, view=PageView((900, 1200), 0.2))
    Image.fromarray(shot.photo).save(file)


@pytest.mark.usefixtures("handwriting_is_read")
def test_a_photo_of_handwriting_becomes_words_and_points(run: Run, tmp_path: Path) -> None:
    save_page(tmp_path / "page.png")
    scanned = run("scan", "page.png", "--board", BOARD, "--json")
    found = json.loads(scanned.stdout)
    assert [word["text"] for word in found["words"]] == [word.lower() for word in WORDS]
    assert found["read_by"] == "hand"
    assert not any(word["doubtful"] for word in found["words"][:3])

    scored = run("score", BOARD, "--list", "ann=page.png", "--json")
    (ann,) = json.loads(scored.stdout)["players"]
    assert [word["verdict"] for word in ann["words"][:3]] == ["scored"] * 3
    assert ann["words"][3]["verdict"] in {"not_on_board", "doubtful"}
    assert ann["points"] == 3
    assert scanned.exit_code == scored.exit_code == 4 * found["words"][3]["doubtful"]
