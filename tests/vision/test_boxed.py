"""Words in letter boxes, from the probabilities of each box."""

from __future__ import annotations

import numpy as np
import pytest

from vision.letters_net import LABELS
from vision.paper.boxed import BoxedWord, read_word
from vision.paper.reading import Doubt, WordImage

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 3.0), (0.0, 3.0))


def _boxed(
    boxes: list[dict[str, float]], *, cancelled: float = 0.0, struck: float = 0.0
) -> BoxedWord:
    """Boxes with the probabilities of some labels; the others share what is left."""
    rows = []
    for box in boxes:
        rest = (1 - sum(box.values())) / (len(LABELS) - len(box))
        rows.append([np.log(max(box.get(label, rest), 1e-9)) for label in LABELS])
    picture = WordImage(np.zeros((4, 9), np.uint8), QUAD, 6, struck, len(boxes), cancelled)
    return BoxedWord(picture, np.array(rows))


def test_the_likeliest_letters_are_read_with_their_probability() -> None:
    word = read_word(_boxed([{"C": 0.99}, {"A": 0.99}, {"T": 0.99}]))
    assert (word.text, word.doubtful, word.struck, word.line) == ("CAT", False, False, 6)
    assert word.confidence == pytest.approx(0.99**3)
    assert word.quad_px == QUAD


def test_a_box_that_may_be_two_letters_makes_its_word_doubtful() -> None:
    word = read_word(_boxed([{"C": 0.99}, {"U": 0.6, "V": 0.38}, {"T": 0.99}]))
    assert word.doubtful
    assert [text for text, _ in word.alternatives[:2]] == ["CUT", "CVT"]
    assert len(word.alternatives) == 3
    assert word.alternatives[1][1] == pytest.approx(0.99 * 0.38 * 0.99)


@pytest.mark.parametrize("label", ["?", "."])
def test_what_is_no_letter_makes_its_word_doubtful(label: str) -> None:
    assert read_word(_boxed([{"C": 0.999}, {label: 0.999}, {"T": 0.999}])).doubtful


def test_a_trace_behind_a_word_makes_it_doubtful_but_is_no_letter_of_it() -> None:
    word = read_word(_boxed([{"C": 0.999}, {"A": 0.999}, {".": 0.7, "T": 0.29}]))
    assert (word.text, word.doubtful) == ("CA", True)


@pytest.mark.parametrize(
    ("cancelled", "struck", "counts"),
    [(0.0, 0.0, "yes"), (1.0, 0.0, "no"), (0.0, 1.0, "no"), (0.4, 0.0, "ask"), (0.0, 0.6, "ask")],
)
def test_a_word_counts_unless_it_is_cancelled_or_crossed_out(
    cancelled: float, struck: float, counts: str
) -> None:
    word = read_word(_boxed([{"A": 0.999}, {"S": 0.999}], cancelled=cancelled, struck=struck))
    assert word.doubtful == (counts == "ask")
    assert counts == "ask" or word.struck == (counts == "no")


@pytest.mark.parametrize(
    ("cancelled", "struck", "doubts"),
    [(0.4, 0.0, {Doubt.CIRCLE}), (0.0, 0.6, {Doubt.CROSSED_OUT}), (0.0, 0.0, set())],
)
def test_why_a_word_is_asked_about_is_told(
    cancelled: float, struck: float, doubts: set[Doubt]
) -> None:
    word = read_word(_boxed([{"A": 0.999}, {"S": 0.999}], cancelled=cancelled, struck=struck))
    assert {*word.doubts} == doubts
    assert not word.struck  # beside a circle that is not filled, a doubtful stroke is too little
    unclear = read_word(_boxed([{"A": 0.6}, {"S": 0.999}], cancelled=cancelled, struck=struck))
    assert {*unclear.doubts} == {*doubts, Doubt.UNCLEAR}


def test_candidates_are_weighed_by_their_letters_and_their_length() -> None:
    boxed = _boxed([{"C": 0.9, "G": 0.05}, {"A": 0.9}, {".": 0.5, "R": 0.45}])
    of = boxed.log_probability_of
    assert of("CAR") == pytest.approx(np.log(0.9 * 0.9 * 0.45))
    assert of("GAR") == pytest.approx(np.log(0.05 * 0.9 * 0.45))
    assert of("CA") == pytest.approx(np.log(0.9 * 0.9 * 0.5), abs=1e-3)
    assert of("CARS") == -np.inf
