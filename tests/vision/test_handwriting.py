"""Capitals drawn as by hand."""

from __future__ import annotations

import string
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.render.handwriting import (
    CAPITALS,
    OTHERS,
    Hand,
    random_hand_of_writer,
    scribble,
    strike,
    strokes_of,
    write,
)

TIDY = Hand(
    height=0.6, width=1.0, slant=0.0, turn=0.0, shake=0.0, bow=0.0, overshoot=0.0, line=0.08,
    ink=(20.0, 40.0, 120.0), cover=1.0, grain=0.0, soft=0.0, gaps=0.0,
)  # fmt: skip


def sheet() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((64, 64, 3), 250, np.uint8)


def test_there_are_shapes_of_every_capital_and_of_no_other_sign_twice() -> None:
    assert list(CAPITALS) == list(string.ascii_uppercase)
    assert not set(CAPITALS) & set(OTHERS)
    assert all(len(shapes) >= 4 for shapes in CAPITALS.values())


@given(st.sampled_from([*CAPITALS, *OTHERS]), st.integers(0, 2**32), st.floats(0, 1))
def test_a_letter_stays_about_its_square(sign: str, seed: int, variety: float) -> None:
    rng = np.random.default_rng(seed)
    lines = strokes_of(sign, random_hand_of_writer(rng, variety), rng)
    assert lines
    assert all(line.shape[1] == 2 and len(line) >= 2 for line in lines)
    assert max(np.abs(line).max() for line in lines) < 1.3


def test_a_tidy_letter_is_as_tall_as_the_hand_says() -> None:
    rng = np.random.default_rng(3)
    heights = [np.ptp(np.concatenate(strokes_of("H", TIDY, rng))[:, 1]) for _ in range(40)]
    assert np.mean(heights) == pytest.approx(0.6, abs=0.06)


def test_the_same_seed_writes_the_same() -> None:
    first, again = (strokes_of("B", TIDY, np.random.default_rng(5)) for _ in range(2))
    other = strokes_of("B", TIDY, np.random.default_rng(6))
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_a_pen_that_breaks_off_leaves_more_pieces() -> None:
    whole = strokes_of("S", TIDY, np.random.default_rng(5))
    broken = strokes_of("S", replace(TIDY, gaps=1.0), np.random.default_rng(5))
    assert (len(whole), len(broken)) == (1, 2)


def test_ink_takes_light_away_and_keeps_its_colour() -> None:
    paper, rng = sheet(), np.random.default_rng(1)
    write(paper, strokes_of("X", TIDY, rng), (32, 32), TIDY, rng, pitch=64)
    darkest = paper.reshape(-1, 3)[paper.sum(axis=2).argmin()].astype(int)
    assert darkest[2] > darkest[1] > darkest[0]
    assert (paper == 250).all(axis=2).mean() > 0.6


def test_soft_ink_has_more_shades() -> None:
    shades = []
    for soft in (0.0, 0.04):
        paper, rng = sheet(), np.random.default_rng(1)
        write(paper, strokes_of("O", TIDY, rng), (32, 32), replace(TIDY, soft=soft), rng, pitch=64)
        shades.append(len(np.unique(paper[..., 0])))
    assert shades[1] > shades[0]


@pytest.mark.parametrize("place", [(0.0, 0.0), (64.0, 30.0), (-40.0, 200.0)])
def test_what_lies_beyond_the_sheet_is_cut_off(place: tuple[float, float]) -> None:
    paper, rng = sheet(), np.random.default_rng(1)
    write(paper, scribble(TIDY, rng), place, TIDY, rng, pitch=64)
    assert paper.shape == (64, 64, 3)


def test_a_strike_crosses_the_letter() -> None:
    for seed in range(20):
        lines = strike(TIDY, np.random.default_rng(seed))
        assert all(np.ptp(line[:, 0]) > 0.25 and len(line) == 2 for line in lines)
