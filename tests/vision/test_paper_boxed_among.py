"""Words in boxes where it is known what can score."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from vision.letters_net import LABELS
from vision.paper.boxed import BoxedWord, read_word
from vision.paper.boxed_among import read_word_among
from vision.paper.reading import WordImage

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def boxes(*seen: Mapping[str, float], struck: float = 0.0) -> BoxedWord:
    chances = np.full((len(seen), len(LABELS)), 1e-9)
    for row, letters in zip(chances, seen, strict=True):
        for letter, chance in letters.items():
            row[LABELS.index(letter)] = chance
    picture = WordImage(np.full((9, 9), 255, np.uint8), QUAD, 0, struck, len(seen), 0.0)
    return BoxedWord(picture, np.log(chances))


def sure(text: str) -> list[Mapping[str, float]]:
    return [{letter: 0.995} for letter in text]


CEIE = [*sure("CE"), {"I": 0.995, "T": 0.002}, *sure("E")]


def test_a_misread_letter_is_asked_about_and_the_reading_stays() -> None:
    word = boxes(*CEIE)
    assert not read_word(word).doubtful
    reading = read_word_among(word, ["CETE", "CEPE"])
    assert (reading.text, reading.doubtful) == ("CEIE", True)
    assert reading.alternatives[0][0] == "CEIE"
    assert "CETE" in dict(reading.alternatives)
    assert "CEPE" not in dict(reading.alternatives)


@pytest.mark.parametrize("scoring", [[], ["CEPE"], ["CEIE", "CETE"], ["CEIES", "CEIEXX"]])
def test_what_is_plain_is_not_asked_about(scoring: list[str]) -> None:
    word = boxes(*CEIE)
    assert read_word_among(word, scoring) == read_word(word)


def test_a_crossed_out_word_is_left_alone() -> None:
    word = boxes(*CEIE, struck=1.0)
    assert read_word_among(word, ["CETE"]) == read_word(word)
