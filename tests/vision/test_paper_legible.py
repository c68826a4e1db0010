"""What is no list of words: texts, drawings, other scripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import IllegibleError, ProseError
from vision.paper.legible import check_is_list, legibilities, legibility
from vision.paper.reading import WordReading
from vision.paper.recogniser import Look

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def words(texts: list[str], per_line: int, confidence: float = 0.9) -> list[WordReading]:
    return [
        WordReading(
            text,
            confidence,
            (),
            struck=False,
            doubtful=False,
            quad_px=QUAD,
            line=place // per_line,
        )
        for place, text in enumerate(texts)
    ]


def test_a_text_is_no_list() -> None:
    with pytest.raises(ProseError, match="stand in long lines"):
        check_is_list(words(["IT", "IS", "KNOWN"] * 20, 8))


def test_a_text_whose_words_cannot_be_parted_is_no_list_either() -> None:
    with pytest.raises(ProseError):
        check_is_list(words(["ITWASSOLATEINTHEDAY", "WEHADTOGOONBYTHELIGHT", "OFALAMP"] * 2, 1))
    check_is_list(words(["ANTIDISESTABLISHMENT", "TEA", "SEA", "QUEST"], 1))


def test_words_in_rows_are_a_list_and_so_are_400() -> None:
    check_is_list(words(["QUEST", "TEA", "PESTO"] * 20, 8))
    check_is_list(words(["IT", "IS", "TEA"] * 4, 6))
    check_is_list(words(["TEA", "QUEST"] * 200, 2))


@pytest.mark.parametrize(("text", "confidence"), [("", 0.0), ("XQ", 0.1)])
def test_what_hardly_reads_is_a_drawing_or_another_script(text: str, confidence: float) -> None:
    with pytest.raises(IllegibleError):
        check_is_list(words([text] * 8, 1, confidence) + words(["TEA"], 1))
    check_is_list(words([text] * 2, 1, confidence) + words(["TEA"], 1))
    check_is_list(words([text] * 4, 1, confidence) + words(["TEA"] * 6, 1))


def test_a_single_guess_is_no_list() -> None:
    with pytest.raises(IllegibleError):
        check_is_list(words(["ON"], 1, 0.03))
    check_is_list(words(["ON"], 1, 0.1))


def test_single_letters_are_as_good_as_not_read() -> None:
    with pytest.raises(IllegibleError):
        check_is_list(words(["C", "R", "C", "TEA"], 1))


def test_a_page_without_two_letters_in_a_row_is_none_however_few_its_marks_are() -> None:
    with pytest.raises(IllegibleError):
        check_is_list(words([""], 1, 0.0))
    with pytest.raises(IllegibleError):
        check_is_list(words(["O"], 1))
    check_is_list([])


def test_a_sign_that_is_no_letter_outweighs_no_plain_letters() -> None:
    def seen(*chances: float) -> Look:
        rest = [[(1 - chance) / 26] + [(1 - chance) / 26] * 25 + [chance] for chance in chances]
        return Look(np.log(np.array(rest)), 8.0)

    numbered, over = seen(0.0401, 0.999, 0.999, 0.999), seen(0.7, 0.6, 0.8, 0.7)
    assert legibility(numbered) > legibility(over)


def test_sure_letters_read_well_and_none_at_all_worst() -> None:
    def seen(chance: float) -> Look:
        return Look(np.log(np.array([[0.9, 0.1], [1 - chance, chance]])), 8.0)

    assert legibility(seen(0.99)) > legibility(seen(0.6)) > legibility(seen(0.01))

    class Knowing:
        alphabet = "A"

        def looks(self, pictures: Sequence[NDArray[np.uint8]]) -> list[Look]:
            return [seen(float(picture[0, 0]) / 100) for picture in pictures]

    pictures = [np.full((2, 2), chance, np.uint8) for chance in (99, 60)]
    assert legibilities(Knowing(), pictures) == [legibility(seen(0.99)), legibility(seen(0.6))]
