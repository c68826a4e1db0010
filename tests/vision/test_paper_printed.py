"""Printed pages are told from written ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.paper.find import find_words
from vision.paper.printed import is_printed
from vision.render.page_photo import PageView, photograph
from vision.render.typed_page import Print, random_print, type_page
from vision.render.typefaces import shipped_typefaces
from vision.render.written_page import random_page_style, write_page

WORDS = ["tone", "Notes", "late", "steal", "rate", "quiet", "query", "jumpy", "gypsy", "milk"]
Pictures = list[NDArray[np.uint8]]


def pictures(pixels: NDArray[np.uint8], seed: int) -> Pictures:
    view = PageView((1200, 1600), 0.4)
    photo = photograph(pixels, np.random.default_rng(seed), view=view).photo
    return [word.picture for page in find_words(photo) for word in page.words]


@pytest.mark.parametrize("face", range(len(shipped_typefaces().faces)))
def test_print_is_known_in_any_typeface(face: int) -> None:
    style = Print(shipped_typefaces().faces[face].path, 26 + 4 * face, 60)
    found = pictures(type_page([[word] for word in WORDS], style).pixels, face)
    assert len(found) == len(WORDS)
    assert is_printed(found)


def test_capitals_by_hand_are_no_print() -> None:
    rng = np.random.default_rng(3)
    style = random_page_style(rng, "capitals", "plain", 14)
    page = write_page([[word.upper()] for word in WORDS], style, rng)
    assert not is_printed(pictures(page.pixels, 1))


def test_of_a_few_letters_nothing_is_said() -> None:
    style = random_print(np.random.default_rng(1))
    assert not is_printed(pictures(type_page([["tone"], ["milk"]], style).pixels, 1))
    assert not is_printed([])


def test_a_page_has_the_words_that_it_has_room_for() -> None:
    style = Print(shipped_typefaces().faces[0].path, 30, 300, columns=2)
    page = type_page([["one", "two"]] * 40, style)
    assert len(page.words) == 2 * 10
    assert {word.text for word in page.words} == {"one", "two"}
    first, second = page.words[:2]
    assert first.box[2] < second.box[0]
    assert page.words[-1].box[0] > style.paper[0] / 2
