"""Tesseract as a recogniser of words: what it sees becomes steps, and print is read as it is."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from firmware_host.printed_words import PrintedWords
from firmware_host.tesseract import SeenLetter, Tesseract, TesseractError
from scoring.lexicon import builtin_lexicon
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.ppocr import ENGLISH
from vision.paper.reading import WordImage
from vision.paper.recogniser import Look
from vision.render.typefaces import shipped_typefaces

Grey = NDArray[np.uint8]
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
PAPER = np.full((24, 100), 255, np.uint8)  # is shown at twice the size


class Told(Tesseract):
    """A program that sees what it was told."""

    def check(self) -> None:
        """It is there."""

    def words(self, pictures: Sequence[Grey]) -> list[tuple[SeenLetter, ...]]:
        assert [picture.shape for picture in pictures] == [(48 + 120, 200 + 120)]
        return [LETTERS]


LETTERS = (
    SeenLetter("S", 0.9904, 60 + 20),
    SeenLetter("s", 0.9904, 60 + 22),
    SeenLetter("l", 0.93, 60 + 180, ("I", "t", "?")),
)


def look() -> Look:
    (seen,) = PrintedWords(ENGLISH, Told()).looks([PAPER])
    return seen


def test_letters_stand_in_the_steps_over_which_they_are_seen() -> None:
    seen = look()
    chances = np.exp(seen.log_probabilities)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    letters = np.flatnonzero(chances.argmax(axis=1))
    assert seen.step_px == 2
    assert letters.tolist() == [5, 7, 45]  # equal letters are kept apart
    assert [ENGLISH[chances[step].argmax() - 1] for step in letters] == ["S", "S", "L"]


def test_what_it_is_less_sure_of_may_be_another_letter() -> None:
    chances = np.exp(look().log_probabilities)
    sure, less = chances[5], chances[45]
    assert sure.max() > 0.9999
    assert 0.99 < less.max() < 0.999
    i, t, x = (1 + ENGLISH.index(letter) for letter in "ITX")
    assert less[i] > less[t] > 100 * less[x]


def test_without_pictures_nothing_is_asked() -> None:
    assert PrintedWords(ENGLISH, Told()).looks([]) == []


def test_a_missing_program_is_told_at_once() -> None:
    with pytest.raises(TesseractError, match="not installed"):
        PrintedWords(ENGLISH, Tesseract("/nowhere/tesseract"))


def printed(word: str) -> WordImage:
    font = ImageFont.truetype(shipped_typefaces().faces[0].path, 30)
    left, top, right, low = font.getbbox(word)
    picture = Image.new("L", (int(right - left) + 12, int(low - top) + 12), 255)
    ImageDraw.Draw(picture).text((6 - left, 6 - top), word, 20, font)
    return WordImage(np.asarray(picture, np.uint8), CORNERS, 0)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="the program tesseract is not installed")
def test_the_real_program_reads_what_is_printed_and_no_other_word() -> None:
    words = ["Quarter", "MEATBALL", "stone", "stoni", "recieve"]
    recogniser = PrintedWords(ENGLISH)
    known = Candidates.of(builtin_lexicon(), ENGLISH)
    readings = list(read_words([printed(word) for word in words], recogniser, known))
    assert [one.text for one in readings] == [word.upper() for word in words]
    assert [one.doubtful for one in readings[:3]] == [False] * 3
