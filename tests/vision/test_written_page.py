"""Rendered pages of words: what is written lies where they say."""

from __future__ import annotations

import numpy as np
import pytest

from vision.render.written_page import (
    Layout,
    Paper,
    Script,
    WrittenPage,
    random_page_style,
    write_page,
)

LINES = [["TONE", "STEAL"], ["RATE"], ["NOTES", "TEAR"]]


def page(script: Script, paper: Paper = "plain", seed: int = 1, **layout: object) -> WrittenPage:
    rng = np.random.default_rng(seed)
    style = random_page_style(rng, script, paper)
    return write_page(LINES, style, rng, Layout(**layout))  # type: ignore[arg-type]


def darkness(written: WrittenPage) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    grey = written.pixels.min(axis=2).astype(np.float64)
    return np.asarray(np.median(grey) - grey)


@pytest.mark.parametrize("script", ["capitals", "print", "joined"])
def test_all_ink_lies_in_the_boxes_of_the_words(script: Script) -> None:
    written = page(script)
    dark = darkness(written)
    for word in written.words:
        left, top, right, low = (round(side) for side in word.box)
        assert dark[top:low, left:right].max() > 40
        dark[top - 2 : low + 2, left - 2 : right + 2] = 0
    assert dark.max() < 40


def test_words_come_in_reading_order() -> None:
    written = page("print")
    assert [word.text for word in written.words] == [text for line in LINES for text in line]
    first, second = written.words[:2]
    assert first.box[2] < second.box[0]
    assert written.words[2].box[1] > first.box[3]


@pytest.mark.parametrize("kind", ["line", "scribble"])
def test_crossing_out_adds_ink_to_one_word(kind: str) -> None:
    plain, crossed = page("print"), page("print", crossed={(1, 0): kind})
    assert [word.crossing for word in crossed.words] == [None, None, kind, None, None]
    left, top, right, low = (round(side) for side in crossed.words[2].box)
    extra = (
        darkness(crossed)[top:low, left:right].sum() - darkness(plain)[top:low, left:right].sum()
    )
    assert extra > 0.05 * darkness(plain)[top:low, left:right].sum()


@pytest.mark.parametrize("paper", ["ruled", "squared"])
def test_rules_run_across_the_page(paper: Paper) -> None:
    dark = darkness(page("print", paper))
    rows = np.median(dark, axis=1)
    columns = np.median(dark, axis=0)
    assert (rows > 10).sum() > 10
    assert ((columns > 10).sum() > 10) == (paper == "squared")


def test_numbers_and_bullets_stand_before_the_words() -> None:
    bare, numbered = page("print"), page("print", marks="numbers")
    assert numbered.words[0].box[0] > bare.words[0].box[0] + 20
    assert darkness(numbered)[:, : int(numbered.words[0].box[0])].max() > 40


def test_inserted_words_are_small_and_above_the_next_line() -> None:
    written = page("print", inserted={0: "LATE"})
    before, small, after = written.words[1:4]
    assert small.text == "LATE"
    assert small.box[3] - small.box[1] < before.box[3] - before.box[1]
    assert small.box[3] < after.box[3]


def test_the_same_seed_writes_the_same_page() -> None:
    first, again, other = (page("joined", seed=seed).pixels for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
