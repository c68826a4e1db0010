"""The recogniser of words: its model and what is said without it, and rendered words read by it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.ppocr import ENGLISH, PpOcr, RecogniserError, _columns_of, installed_model
from vision.paper.reading import WordImage
from vision.render.typefaces import shipped_typefaces
from vision.training.word_boards import board_with, without
from vision.training.written_words import draw_word

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
INSTALL = "pip install --no-deps 'rapidocr==3.10"


@pytest.fixture(scope="module")
def recogniser() -> PpOcr:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    try:
        return PpOcr()
    except RecogniserError as error:
        pytest.skip(f"{error}. {error.advice}")


@cache
def words() -> Lexicon:
    return builtin_lexicon()


@pytest.fixture(scope="module")
def lexicon() -> Candidates:
    return Candidates.of(words().words, ENGLISH)


def on_a_board(lexicon: Candidates, word: str, seed: int = 1) -> Candidates:
    board = board_with(word, np.random.default_rng(seed))
    found = {one.word for one in solve(board, words(), game("boggle")).words}
    return lexicon.on(board, found | {word})


def drawn(text: str, seed: int = 1) -> NDArray[np.uint8]:
    font = Path(shipped_typefaces().faces[0].path)
    picture = draw_word(text, font, 0.5, np.random.default_rng(seed))
    assert picture is not None
    return picture


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    with pytest.raises(RecogniserError, match="rapidocr, not installed here") as caught:
        PpOcr()
    assert INSTALL in caught.value.advice


def test_a_package_without_the_model_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "rapidocr-3.10.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: rapidocr\nVersion: 3.10.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RecogniserError, match="has no file rapidocr/models"):
        installed_model()


def test_without_its_runtime_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(RecogniserError, match="onnxruntime, which cannot be used") as caught:
        PpOcr(model=tmp_path / "model.onnx")
    assert "pip install onnxruntime" in caught.value.advice


def test_a_damaged_model_is_told(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model = tmp_path / "model.onnx"
    model.write_bytes(b"no model")
    with pytest.raises(RecogniserError, match=r"model\.onnx cannot be read"):
        PpOcr(model=model)


def test_signs_count_as_the_letters_that_they_are() -> None:
    columns, starts = _columns_of(["", "1", "a", "A", "b", "ä", "é", "Ä", " "], "ABEÄ")
    runs = np.split(columns, starts[1:])
    assert [run.tolist() for run in runs] == [[0], [2, 3], [4], [6], [5, 7]]


def test_a_model_that_lacks_a_letter_is_refused() -> None:
    with pytest.raises(RecogniserError, match="does not know C"):
        _columns_of(["", "a", "b"], "ABC")


def test_steps_are_probabilities_of_blank_and_letters(recogniser: PpOcr) -> None:
    look = recogniser.look(drawn("signal"))
    chances = np.exp(look.log_probabilities)
    assert chances.shape[1] == 1 + len(recogniser.alphabet) == 27
    assert ((chances > 0) & (chances <= 1.001)).all()
    assert (chances.sum(axis=1) <= 1.001).all()


@pytest.mark.parametrize(
    "alter", [np.asarray, lambda it: it // 2 + 60, lambda it: cv2.resize(it, None, fx=0.4, fy=0.4)]
)
@pytest.mark.parametrize("text", ["quilted", "MALES", "Fjord"])
def test_rendered_words_are_read_and_accepted(
    recogniser: PpOcr,
    lexicon: Candidates,
    text: str,
    alter: Callable[[NDArray[np.uint8]], NDArray[np.uint8]],
) -> None:
    picture = np.asarray(alter(drawn(text)), np.uint8)
    candidates = on_a_board(lexicon, text.lower())
    (reading,) = read_words([WordImage(picture, CORNERS, 0)], recogniser, candidates)
    assert (reading.text, reading.doubtful) == (text.upper(), False)


@pytest.mark.parametrize("text", ["quiltted", "MLAES", "zorb"])
def test_rendered_misspellings_stay_what_they_are(
    recogniser: PpOcr, lexicon: Candidates, text: str
) -> None:
    candidates = on_a_board(lexicon, {"quiltted": "quilted", "MLAES": "males"}.get(text, "orb"))
    (reading,) = read_words([WordImage(drawn(text), CORNERS, 0)], recogniser, candidates)
    assert reading.text == text.upper()


@pytest.mark.parametrize("size", [(1, 1), (200, 4), (30, 2000)])
def test_pictures_without_a_word_are_no_error(
    recogniser: PpOcr, lexicon: Candidates, size: tuple[int, int]
) -> None:
    empty = WordImage(np.full(size, 250, np.uint8), CORNERS, 0)
    (reading,) = read_words([empty], recogniser, lexicon)
    assert reading.doubtful


@pytest.mark.real_data
def test_real_handwriting_is_read_with_the_lexicon_of_a_board(
    recogniser: PpOcr, lexicon: Candidates
) -> None:
    if not HANDWRITING.is_dir():
        pytest.skip(f"no words at {HANDWRITING}")
    entries = json.loads((HANDWRITING / "words.json").read_text("utf-8"))[::4]
    right, accepted, wrong = 0, 0, 0
    for entry in entries:
        picture = cv2.imread(str(HANDWRITING / entry["file"]), cv2.IMREAD_GRAYSCALE)
        word = entry["text"].upper()
        image = WordImage(np.asarray(picture, np.uint8), CORNERS, 0)
        candidates = on_a_board(lexicon, word.lower())
        (reading,) = read_words([image], recogniser, candidates)
        right += reading.text == word
        accepted += not reading.doubtful
        wrong += not reading.doubtful and reading.text != word
    assert right >= 0.8 * len(entries)
    assert accepted >= 0.5 * len(entries)
    assert wrong <= 0.02 * len(entries)


def test_words_are_taken_out_of_a_lexicon(lexicon: Candidates) -> None:
    lacking = without(lexicon, "TEAM")
    assert "TEAM" in lexicon.lexicon
    assert "TEAM" not in lacking.lexicon
    assert len(lacking.lexicon) == len(lexicon.lexicon) - 1
    assert without(lacking, "TEAM") is lacking
