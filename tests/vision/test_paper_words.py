"""Ink, lines and words of an even page, what is crossed out, and the order of reading."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.paper.cuts import cuts
from vision.paper.direction import directions
from vision.paper.lines import find_lines
from vision.paper.order import in_order
from vision.paper.reading import Quad, WordImage
from vision.paper.strikes import marks_on, usual_of
from vision.paper.strokes import Strokes, find_strokes
from vision.paper.words import find_words_of, gap_threshold
from vision.render.crossings import Crossing
from vision.training.strikes import crossed_out

Text = Sequence[tuple[str, int, int]]
CORNERS: Quad = ((0, 0), (100, 0), (100, 100), (0, 100))


def dark(texts: Text, size: tuple[int, int] = (900, 700)) -> NDArray[np.uint8]:
    """A page in even light with texts, each from its left end on its base line."""
    page = np.zeros(size, np.uint8)
    for text, x, y in texts:
        cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (200,), 3, cv2.LINE_AA)
    return page


def strokes_of(page: NDArray[np.uint8]) -> Strokes:
    found = find_strokes(page, 2.0)
    assert found is not None
    return found


def words(texts: Text, size: tuple[int, int] = (900, 700)) -> list[list[tuple[int, ...]]]:
    """Boxes of the words, line by line from the top."""
    strokes = strokes_of(dark(texts, size))
    rows = find_words_of(strokes, find_lines(strokes))
    return sorted(([word.box for word in row] for row in rows if row), key=lambda row: row[0][1])


LIST: Text = [("stone", 60, 100), ("gypsy", 70, 170), ("late", 50, 240), ("bundle", 60, 310)]


def test_dust_and_paper_are_no_ink() -> None:
    page = np.zeros((900, 700), np.uint8)
    assert find_strokes(page, 2.0) is None
    page[100, 100] = page[300, 400] = 220
    assert find_strokes(page, 2.0) is None


def test_a_pale_thick_shade_is_no_stroke() -> None:
    page = dark(LIST)
    shade = np.zeros_like(page)
    cv2.ellipse(shade, (500, 600), (40, 100), 20, 0, 360, (95,), -1)
    page = np.maximum(page, cv2.GaussianBlur(shade, (0, 0), 9).astype(np.uint8))
    assert strokes_of(page).boxes[:, 1].max() < 400


def test_what_is_left_of_a_rule_is_no_stroke() -> None:
    page = dark(LIST)
    page[500:503, 100:600] = 190
    assert (strokes_of(page).boxes[:, 1] < 400).all()


def test_every_line_of_a_list_is_a_line() -> None:
    rows = words(LIST)
    assert [len(row) for row in rows] == [1, 1, 1, 1]
    for (_, x, y), ((left, top, _, low),) in zip(LIST, rows, strict=True):
        assert abs(left - x) < 8
        assert top < y - 15 < y - 5 < low


def test_lines_may_rise_and_stand_unlike_in_columns() -> None:
    left = [("stone", 40, 100 + 80 * row) for row in range(5)]
    right = [("tear", 400, 140 + 80 * row) for row in range(5)]
    assert sorted(len(row) for row in words(left + right)) in ([1] * 10, [2] * 5)
    rising = [("rate", 40 + 150 * place, 200 - 9 * place) for place in range(4)]
    rows = words([*rising, *((t, x, y + 90) for t, x, y in rising)])
    assert [len(row) for row in rows] == [4, 4]


def test_words_that_touch_those_below_are_cut_apart() -> None:
    texts: Text = [("gjpy", 60, 100), ("hlkd", 62, 144)]
    rows = words([*texts, ("stone", 60, 260)])
    assert [len(row) for row in rows] == [1, 1, 1]
    assert rows[0][0][3] < 130
    assert rows[1][0][1] > 90


def test_a_stroke_across_a_cut_may_be_of_either_line() -> None:
    piece = np.zeros((60, 60), np.bool_)
    piece[10:14] = piece[50:54] = True  # two lines, and a stroke from the one to the other
    piece[14:50, 30:34] = True
    (upper, *_), (lower, *_) = ways = list(cuts(piece, [0, 30, 60]))
    assert not (upper & lower).any()
    assert ((upper | lower) == piece).all()
    below, above = ([way[number] for way in ways] for number in (1, 2))
    assert [int(mask[:, 31].sum()) for mask in below] == [4, 40]
    assert [int(mask[:, 31].sum()) for mask in above] == [40, 4]
    assert [len(ways) for ways in cuts(piece, [0, 60])] == [1]


def test_words_that_touch_can_be_cut_in_three_ways() -> None:
    page = dark([("stone", 60, 100), ("late", 62, 160), ("stone", 60, 260)])
    cv2.line(page, (110, 96), (110, 150), (200,), 3)
    strokes = strokes_of(page)
    found = [word for row in find_words_of(strokes, find_lines(strokes)) for word in row]
    assert sorted(len(word.otherwise) for word in found) == [0, 2, 2]


def test_a_single_letter_that_hangs_into_the_next_line_stays_on_its_own() -> None:
    texts: Text = [("pa", 60, 100), ("y", 104, 100), ("f", 112, 144), ("un", 131, 144)]
    strokes = strokes_of(np.maximum(dark([*texts, ("stone", 60, 260)]), _bridge()))
    above, below, _ = sorted(
        ([word.box for word in row] for row in find_words_of(strokes, find_lines(strokes)) if row),
        key=lambda row: row[0][1],
    )
    assert len(above) == len(below) == 1
    assert above[0][2] > 119  # the y is with its word


def _bridge() -> NDArray[np.uint8]:
    """The tail of the y, as far as into the f below it."""
    page = np.zeros((900, 700), np.uint8)
    cv2.line(page, (114, 105), (120, 125), (200,), 3)
    return page


def test_a_word_inserted_between_lines_is_one_of_its_own() -> None:
    rows = words([("stone", 60, 100), ("late", 260, 150), ("tear", 60, 200)])
    assert [len(row) for row in rows] == [1, 1, 1]


@given(
    st.lists(st.floats(1, 12), min_size=12, max_size=80),
    st.lists(st.floats(45, 120), min_size=8, max_size=40),
)
def test_gaps_of_two_heaps_are_parted(within: list[float], between: list[float]) -> None:
    threshold = gap_threshold(np.array(within + between), 30.0)
    assert max(within) < threshold < min(between)


def test_without_gaps_between_words_the_usual_threshold_holds() -> None:
    assert 12 < gap_threshold(np.empty(0), 30.0) < 60
    assert gap_threshold(np.full(40, 9.0), 30.0) > 12


def ink(text: str) -> NDArray[np.bool_]:
    return dark([(text, 20, 60)], (90, 60 + 24 * len(text))) > 90


def struck(mask: NDArray[np.bool_], text: str) -> float:
    """As on a page of such words."""
    return marks_on(mask).struck(usual_of([marks_on(ink(text))]))


@pytest.mark.parametrize("text", ["stone", "gypsy", "little", "LATE", "FIZZY", "moon", "tee"])
def test_plain_words_are_not_crossed_out(text: str) -> None:
    assert struck(ink(text), text) < 0.1


@pytest.mark.parametrize("text", ["stone", "gypsy", "little", "LATE", "FIZZY", "moon"])
@pytest.mark.parametrize("rise", [-0.08, 0.0, 0.1])
def test_a_line_through_a_word_crosses_it_out(text: str, rise: float) -> None:
    mask = ink(text).astype(np.uint8)
    width = mask.shape[1]
    ends = ((8, round(48 + rise * width / 2)), (width - 8, round(48 - rise * width / 2)))
    cv2.line(mask, *ends, (1,), 3)
    assert struck(mask > 0, text) > 0.9


@pytest.mark.parametrize("text", ["stone", "little", "LATE", "moon"])
def test_a_scribble_crosses_a_word_out(text: str) -> None:
    mask = ink(text).astype(np.uint8)
    x = np.arange(14, mask.shape[1] - 14, 6)
    y = np.where(np.arange(x.size) % 2, 34, 62)
    points = np.column_stack([x, y]).astype(np.int32)
    cv2.polylines(mask, [points], isClosed=False, color=(1,), thickness=3)
    assert struck(mask > 0, text) > 0.7


@pytest.mark.parametrize("text", ["stone", "SLATE", "little", "LATE"])
@pytest.mark.parametrize("kind", ["cross", "slant"])
def test_a_cross_or_a_slanted_line_crosses_a_word_out(text: str, kind: Crossing) -> None:
    assert min(_chances(text, kind)) > 0.8


@pytest.mark.parametrize("text", ["stone", "SLATE", "little", "LATE"])
@pytest.mark.parametrize("kind", ["half", "wave"])
def test_half_a_line_or_a_wave_is_asked_about(text: str, kind: Crossing) -> None:
    assert sorted(_chances(text, kind))[1] > 0.2  # one in four may pass for letters' own strokes


def test_a_bar_as_long_as_a_short_word_may_be_a_letters_own() -> None:
    mask = ink("by").astype(np.uint8)
    left, right = (int(it) for it in np.flatnonzero(mask.any(axis=0))[[0, -1]])
    within, across = mask.copy(), mask.copy()
    cv2.line(within, (left, 46), (right, 46), (1,), 3)
    cv2.line(across, (left - 12, 46), (right + 12, 46), (1,), 3)
    assert 0.2 < struck(within > 0, "by") < 0.5
    assert struck(across > 0, "by") > 0.8


def test_a_stroke_that_sticks_out_is_measured_at_both_ends() -> None:
    mask = np.zeros((40, 120), np.uint8)
    cv2.rectangle(mask, (30, 0), (80, 39), (1,), 2)
    cv2.line(mask, (20, 20), (100, 20), (1,), 2)
    marks = marks_on(mask > 0)
    assert 0.15 < marks.near < 0.3
    assert 0.4 < marks.far < 0.55
    assert marks.strands > 1.5


def _chances(text: str, kind: Crossing) -> list[float]:
    seeds = [np.random.default_rng(seed) for seed in range(4)]
    return [struck(crossed_out(ink(text), kind, 3, rng), text) for rng in seeds]


@pytest.mark.parametrize("text", ["stone", "LATE", "moon"])
def test_a_word_in_a_frame_is_asked_about(text: str) -> None:
    boxed, ringed = (ink(text).astype(np.uint8) for _ in range(2))
    height, width = boxed.shape
    cv2.rectangle(boxed, (8, 18), (width - 8, height - 14), (1,), 3)
    cv2.ellipse(ringed, (width // 2, 50), (width // 2 - 4, 36), 0, 0, 360, (1,), 3)
    for mask in (boxed, ringed):
        assert 0.2 < struck(mask > 0, text) < 0.5


def test_a_bar_in_a_narrow_word_is_asked_about() -> None:
    assert 0.4 < struck(ink("T"), "T") < 0.7


def test_nothing_is_not_crossed_out() -> None:
    nothing = marks_on(np.zeros((40, 90), np.bool_))
    assert nothing.struck(usual_of([])) < 0.01
    assert nothing.struck(usual_of([marks_on(ink("stone"))])) < 0.01


def test_ink_says_which_way_the_lines_run() -> None:
    rows: Text = [("stone rate tear", 40, 80 + 60 * row) for row in range(10)]
    page = dark(rows)
    assert directions(strokes_of(page)) == (0.0,)
    assert directions(strokes_of(np.rot90(page).copy())) == (90.0,)
    turn = np.asarray(cv2.getRotationMatrix2D((350, 450), -14, 1), np.float32)
    askew = cv2.warpAffine(page, turn, page.shape[::-1]).astype(np.uint8)
    (degrees,) = directions(strokes_of(askew))
    assert abs(degrees - 14) <= 2


def word(left: float, top: float, line: int, width: float = 90.0) -> WordImage:
    low, right = top + 30, left + width
    quad = ((left, top), (right, top), (right, low), (left, low))
    return WordImage(np.full((30, int(width)), 255, np.uint8), quad, line)


def places(found: Sequence[WordImage]) -> list[tuple[float, float, int]]:
    return [(*each.quad_px[0], each.line) for each in found]


def test_columns_are_read_one_after_the_other() -> None:
    grid = [word(200 * column, 60 * row, row) for row in range(4) for column in range(3)]
    page = in_order(grid, CORNERS, outlined=True)
    assert places(page.words) == [
        (200 * column, 60 * row, 4 * column + row) for column in range(3) for row in range(4)
    ]


def test_rows_of_words_are_no_columns() -> None:
    ragged = [
        word(150 * place + 67 * (row % 3), 60 * row, row) for row in range(6) for place in range(4)
    ]
    page = in_order(ragged, CORNERS, outlined=True)
    assert [each.line for each in page.words] == [row for row in range(6) for _ in range(4)]


def test_numbers_before_words_are_put_aside() -> None:
    lines = [(word(10, 60 * row, row, 30), word(90, 60 * row, row)) for row in range(5)]
    page = in_order([each for line in lines for each in line], CORNERS, outlined=True)
    assert places(page.words) == [(90, 60 * row, row) for row in range(5)]
    assert places(page.numbers) == [(10, 60 * row, row) for row in range(5)]


def test_short_words_among_others_are_no_numbers() -> None:
    lines = [
        [
            word(10 + 40 * row + 120 * place, 60 * row, row, 30 + 60 * (place > 0))
            for place in range(3)
        ]
        for row in range(6)
    ]
    page = in_order([each for line in lines for each in line], CORNERS, outlined=True)
    assert not page.numbers
    assert len(page.words) == 18


def test_an_empty_page_has_no_words() -> None:
    assert in_order((), CORNERS, outlined=False).words == ()
