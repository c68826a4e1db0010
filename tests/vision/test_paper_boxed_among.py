"""Words in boxes where it is known which words there are, and which can score."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from vision.letters_net import LABELS
from vision.paper.boxed import BoxedWord, read_word
from vision.paper.boxed_among import KnownWords, read_word_among
from vision.paper.reading import Doubt, WordImage, WordReading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def boxes(*seen: Mapping[str, float], struck: float = 0.0, cancelled: float = 0.0) -> BoxedWord:
    chances = np.full((len(seen), len(LABELS)), 1e-9)
    for row, letters in zip(chances, seen, strict=True):
        for letter, chance in letters.items():
            row[LABELS.index(letter)] = chance
    picture = WordImage(np.full((9, 9), 255, np.uint8), QUAD, 0, struck, len(seen), cancelled)
    return BoxedWord(picture, np.log(chances))


def sure(text: str) -> list[Mapping[str, float]]:
    return [{letter: 0.995} for letter in text]


CEIE = [*sure("CE"), {"I": 0.995, "T": 0.0008}, *sure("E")]


NO_WORD_LIST = ()


def test_a_misread_letter_is_asked_about_and_the_reading_stays() -> None:
    word = boxes(*CEIE)
    assert not read_word(word).doubtful
    reading = read_word_among(word, KnownWords.of(NO_WORD_LIST, ["CETE", "CEPE"]))
    assert (reading.text, reading.doubtful) == ("CEIE", True)
    (first, second, _) = reading.alternatives
    assert (first[0], second[0]) == ("CEIE", "CETE")
    assert first[1] > 0.99
    assert second[1] < 0.01


@pytest.mark.parametrize("scoring", [[], ["CEPE"], ["CEIE", "CETE"], ["CEIES", "CEIEXX"]])
def test_what_is_plain_is_not_asked_about(scoring: list[str]) -> None:
    reading = read_word_among(boxes(*CEIE), KnownWords.of(NO_WORD_LIST, scoring))
    assert (reading.text, reading.doubtful) == ("CEIE", False)


def test_a_crossed_out_word_is_left_alone() -> None:
    word = boxes(*CEIE, struck=1.0)
    assert read_word_among(word, KnownWords.of(["cete"], ["CETE"])) == read_word(word)


WORDS = ["cat", "cot", "cots", "dogs", "été"]


def read(*seen: Mapping[str, float], struck: float = 0.0) -> WordReading:
    return read_word_among(boxes(*seen, struck=struck), KnownWords.of(WORDS))


def test_letters_that_make_one_word_alone_need_not_be_sure() -> None:
    word = ({"D": 0.8, "O": 0.15}, {"O": 0.5, "D": 0.4}, {"G": 0.6, "C": 0.3}, {"S": 0.9})
    assert read_word(boxes(*word)).doubtful
    reading = read(*word)
    assert (reading.text, reading.doubtful) == ("DOGS", False)
    assert reading.confidence == reading.alternatives[0][1] > 0.99


def test_two_words_that_fit_alike_are_asked_about() -> None:
    reading = read(*sure("C"), {"A": 0.6, "O": 0.35}, *sure("T"))
    assert (reading.text, reading.doubtful) == ("CAT", True)
    assert [text for text, _ in reading.alternatives[:2]] == ["CAT", "COT"]
    assert sum(share for _, share in reading.alternatives) <= 1


def test_what_is_rather_no_word_is_not_taken_for_one() -> None:
    reading = read(*sure("D"), {"U": 0.7, "O": 0.25}, *sure("GS"))
    assert reading.doubtful
    assert {"DOGS", "DUGS"} <= dict(reading.alternatives).keys()
    plainer = read(*sure("D"), {"U": 0.96, "O": 0.02}, *sure("GS"))
    assert (plainer.text, plainer.doubtful) == ("DUGS", True)


def test_what_is_plainly_no_word_stays_what_it_is() -> None:
    reading = read(*sure("DXGS"))
    assert (reading.text, reading.doubtful) == ("DXGS", False)


def test_what_is_no_letter_is_asked_about() -> None:
    assert read(*sure("C"), {"A": 0.1, "?": 0.85}, *sure("T")).doubtful
    assert not read(*sure("C"), {"A": 0.5, "?": 0.4}, *sure("T")).doubtful


def test_two_boxes_that_hold_perhaps_no_letter_are_asked_about() -> None:
    assert read({"C": 0.8, "?": 0.12}, {"A": 0.8, "?": 0.12}, *sure("T")).doubtful


def test_a_box_at_the_end_may_be_bare() -> None:
    reading = read(*sure("COT"), {"S": 0.05, ".": 0.94})
    assert (reading.text, reading.doubtful) == ("COT", True)
    assert reading.alternatives[1][0] == "COTS"
    sure_of_it = read(*sure("COT"), {"S": 0.0005, ".": 0.98})
    assert (sure_of_it.text, sure_of_it.doubtful) == ("COT", False)


def test_whether_it_is_crossed_out_is_still_asked() -> None:
    assert not read(*sure("CAT")).doubtful
    assert read(*sure("CAT"), struck=0.5).doubtful


@pytest.mark.parametrize(
    ("struck", "cancelled", "doubts"),
    [
        (0.0, 0.0, ()),
        (0.5, 0.0, (Doubt.CROSSED_OUT,)),
        (0.0, 0.4, (Doubt.CIRCLE,)),
        (0.5, 0.6, (Doubt.CROSSED_OUT, Doubt.CIRCLE)),
        (0.9, 0.0, ()),
    ],
)
def test_a_word_that_is_taken_loses_the_doubt_about_its_letters_alone(
    struck: float, cancelled: float, doubts: tuple[Doubt, ...]
) -> None:
    word = boxes(*sure("DO"), {"G": 0.9}, *sure("S"), struck=struck, cancelled=cancelled)
    before, reading = read_word(word), read_word_among(word, KnownWords.of(WORDS))
    assert before.doubts == (doubts if struck == 0.9 else (*doubts, Doubt.UNCLEAR))
    assert (reading.text, reading.struck) == ("DOGS", before.struck)
    assert (reading.doubts, reading.doubtful) == (doubts, bool(doubts))


def test_a_word_that_is_not_taken_has_both_doubts() -> None:
    word = boxes(*sure("C"), {"A": 0.6, "O": 0.35}, *sure("T"), struck=0.5)
    doubts = read_word_among(word, KnownWords.of(WORDS)).doubts
    assert doubts == (Doubt.CROSSED_OUT, Doubt.UNCLEAR)
    assert read(*sure("C"), {"A": 0.6, "O": 0.35}, *sure("T")).doubts == (Doubt.UNCLEAR,)


def test_a_word_that_may_be_cancelled_is_read_under_the_list_too() -> None:
    word = boxes(*sure("DO"), {"C": 0.5, "G": 0.45}, *sure("S"), cancelled=0.6)
    reading = read_word_among(word, KnownWords.of(WORDS))
    assert (reading.text, reading.struck, reading.doubts) == ("DOGS", True, (Doubt.CIRCLE,))


def test_words_that_boxes_cannot_spell_are_left_out() -> None:
    known = KnownWords.of(WORDS, ["DOGS"])
    assert "DOGS" in known
    assert "COTS" in known
    assert "ÉTÉ" not in known
    assert known.words[3] == ("CAT", "COT")
    assert known.scoring == {"DOGS"}
