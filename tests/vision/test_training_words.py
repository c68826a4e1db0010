"""Written words and boards for the fit of readings, and the fit itself on little of both."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from scoring.paths import can_make
from vision.paper.decode import judgement_of
from vision.paper.ppocr import PpOcr, RecogniserError
from vision.render.typefaces import shipped_typefaces
from vision.training.word_boards import board_with
from vision.training.words import app
from vision.training.written_words import draw_word

FONT = Path(shipped_typefaces().faces[0].path)


@pytest.mark.parametrize("word", ["quit", "tea", "squared", "aqua"])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_holds_its_word(word: str, seed: int) -> None:
    board = board_with(word, np.random.default_rng(seed))
    assert (board.rows, board.cols) == (4, 4)
    assert can_make(board, word)


def test_a_word_longer_than_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="no room"):
        board_with("a" * 17, np.random.default_rng(1))


def test_a_drawn_word_is_ink_on_paper_with_a_margin() -> None:
    picture = draw_word("males", FONT, 1.0, np.random.default_rng(1))
    assert picture is not None
    assert picture.dtype == np.uint8
    assert picture.shape[1] > picture.shape[0]
    paper, ink = np.percentile(picture, (90, 1))
    assert paper - ink > 60
    assert picture[0].mean() > paper - 15


def test_words_differ_by_their_seeds_alone() -> None:
    first, again, other = (
        draw_word("males", FONT, 1.0, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first is not None
    assert again is not None
    assert other is not None
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_font_without_the_letters_draws_nothing() -> None:
    assert draw_word(" ", FONT, 1.0, np.random.default_rng(1)) is None


def test_the_fit_needs_fonts(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert result.exit_code == 2
    assert "no font below" in result.output


def test_the_fit_writes_a_judgement(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    try:
        PpOcr()
    except RecogniserError as error:
        pytest.skip(f"{error}. {error.advice}")
    out = tmp_path / "words.json"
    fonts = FONT.parent
    result = CliRunner().invoke(app, [str(fonts), "--words", "12", "--out", str(out)])
    assert result.exit_code == 0, result.output
    told = judgement_of(out.read_text("utf-8"))
    assert len(told.scoring) == len(told.other) == 8
    assert "--words 12" in json.loads(out.read_text("utf-8"))["command"]
