"""Photographed word sheets: rendered, written on by rendered hands, folded, covered, turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import NoSheetError, SheetCutOffError
from vision.paper.boxed_among import KnownWords, read_word_among
from vision.paper.letters import BoxLetters, glyph_of, without_accent
from vision.paper.reading import Doubt
from vision.paper.sheet import Form, Kind, Label, Rect, layout_of
from vision.paper.sheet_find import marks_in, sheets_of
from vision.paper.sheet_flat import flattened
from vision.paper.sheet_reader import SheetReading, read_sheets, traces
from vision.render.crossings import CROSSINGS, Crossing
from vision.render.handwriting import Hand, random_hand_of_writer
from vision.render.page_photo import PageShot, PageView, photograph, photograph_pages
from vision.render.word_sheet import (
    PrintedSheet,
    Written,
    cross_out,
    print_sheet,
    write_words,
    writing_places,
)

WORDS = {1: "BOARD", 2: "QUIZ", 3: "FLAMING", 5: "JOKES", 6: "WAX", 9: "CUPBOARD", 16: "TEA",
         17: "DOG", 20: "HIVE", 28: "RELAX", 32: "MINTY"}  # fmt: skip
A5 = Form("A5")
ANNA = Label("Zoë Łukasiewicz", "Final", 1, 2)
STRAIGHT = PageView((1050, 1480), 0.0)


@pytest.fixture(scope="module")
def letters() -> BoxLetters:
    return BoxLetters()


@pytest.fixture(scope="module")
def hand() -> Hand:
    """Tidy, a blue pen."""
    plain = random_hand_of_writer(np.random.default_rng(4), 0.0)
    return replace(plain, line=0.08, cover=0.95, grain=0.0, ink=(28, 36, 110), height=0.6)


def _sheet(written: Written, hand: Hand, form: Form = A5, label: Label = ANNA) -> PrintedSheet:
    return write_words(print_sheet(form, label, 8.0), written, hand, np.random.default_rng(3))


def _shot(sheet: PrintedSheet, seed: int = 1, view: PageView = STRAIGHT) -> PageShot:
    return photograph(sheet.pixels, np.random.default_rng(seed), view=view)


def _read(sheet: PrintedSheet, letters: BoxLetters, seed: int = 1) -> SheetReading:
    (reading,) = read_sheets(_shot(sheet, seed).photo, letters)
    return reading


def _check_words(reading: SheetReading, words: Mapping[int, str], least: float = 0.5) -> None:
    """All words are there and read right, so many surely, and none is surely another."""
    read = {word.line + 1: word for word in reading.words().words}
    assert read.keys() == words.keys() - set(reading.lost)
    sure = {row: word.text for row, word in read.items() if not word.doubtful}
    assert sure.items() <= words.items()
    assert len(sure) >= least * len(read)
    right = sum(word.text == words[row] for row, word in read.items())
    assert right >= 0.85 * len(read)


def test_a_sheet_is_read_with_its_player_and_round(letters: BoxLetters, hand: Hand) -> None:
    reading = _read(_sheet(Written(WORDS), hand), letters)
    assert reading.label == ANNA
    assert reading.lost == ()
    _check_words(reading, WORDS, 0.7)
    told = reading.words()
    assert (told.player, told.round) == ("Zoë Łukasiewicz", "Final")


@pytest.mark.parametrize(
    ("seed", "turn"), [(11, 0.0), (12, 90.0), (13, 180.0), (14, 270.0), (15, 0.0), (16, 180.0)]
)
def test_turned_folded_aslant_in_any_light(
    letters: BoxLetters, hand: Hand, seed: int, turn: float
) -> None:
    size = (1900, 1500) if turn in {90, 270} else (1500, 1900)
    shot = _shot(_sheet(Written(WORDS), hand), seed, PageView(size, 1.0, turn))
    (reading,) = read_sheets(shot.photo, letters)
    assert reading.label == ANNA
    _check_words(reading, WORDS, 0.3)


def test_a_sheet_by_a_printer_without_colours_is_read(letters: BoxLetters, hand: Hand) -> None:
    printed = print_sheet(A5, ANNA, 8.0, grey=True)
    sheet = write_words(printed, Written(WORDS), hand, np.random.default_rng(3))
    _check_words(_read(sheet, letters), WORDS)


def test_red_ink_is_seen_too(letters: BoxLetters, hand: Hand) -> None:
    reading = _read(_sheet(Written(WORDS), replace(hand, ink=(190, 30, 40))), letters)
    _check_words(reading, WORDS, 0.2)


def test_two_sheets_in_one_photo_are_told_apart(letters: BoxLetters, hand: Hand) -> None:
    other = {1: "OTHER", 4: "WORDS", 18: "HERE"}
    sheets = [
        _sheet(Written(WORDS), hand),
        _sheet(Written(other), hand, label=replace(ANNA, player="Bo")),
    ]
    pages = [(sheet.pixels, np.full(sheet.pixels.shape[:2], 255, np.uint8)) for sheet in sheets]
    shots = photograph_pages(pages, np.random.default_rng(5), PageView((2600, 1900), 0.4))
    found = {one.label.player: one for one in read_sheets(shots[0].photo, letters) if one.label}
    assert found.keys() == {"Zoë Łukasiewicz", "Bo"}
    _check_words(found["Zoë Łukasiewicz"], WORDS)
    _check_words(found["Bo"], other, 0.3)


def _covered(sheet: PrintedSheet, *places: Rect) -> PrintedSheet:
    """The sheet with something of the colour of skin on it."""
    pixels = sheet.pixels.copy()
    for place in places:
        top, left, bottom, right = (
            round(sheet.px_per_mm * side) for side in (place.y, place.x, place.bottom, place.right)
        )
        pixels[top:bottom, left:right] = (205, 160, 135)
    return replace(sheet, pixels=pixels)


def test_rows_under_something_are_told_and_not_read(letters: BoxLetters, hand: Hand) -> None:
    rows = layout_of(A5).rows
    hidden = Rect(rows[4].writing.x + 12, rows[4].writing.y + 0.5, 25, 15)
    reading = _read(_covered(_sheet(Written(WORDS), hand), hidden), letters)
    assert reading.lost == (5, 6)
    _check_words(reading, WORDS)


def test_two_marks_are_enough(letters: BoxLetters, hand: Hand) -> None:
    marks = layout_of(A5).marks
    sheet = _sheet(Written(WORDS), hand)
    for pair in ((0, 1), (0, 2), (2, 3), (1, 2)):
        reading = _read(_covered(sheet, *(marks[mark] for mark in pair)), letters)
        assert reading.lost == ()
        _check_words(reading, WORDS)


def test_with_one_mark_it_is_told_what_to_do(letters: BoxLetters, hand: Hand) -> None:
    sheet = _covered(_sheet(Written(WORDS), hand), *layout_of(A5).marks[1:])
    with pytest.raises(SheetCutOffError, match="only one"):
        _read(sheet, letters)


def test_without_its_code_a_sheet_is_nobodys(letters: BoxLetters, hand: Hand) -> None:
    reading = _read(_covered(_sheet(Written(WORDS), hand), layout_of(A5).code), letters)
    assert reading.label is None
    assert reading.words().player is None
    _check_words(reading, WORDS)


def test_with_fewer_rows_the_code_is_needed(letters: BoxLetters, hand: Hand) -> None:
    form = Form("A5", rows=4)
    sheet = _sheet(Written({1: "FOX", 7: "JUMP"}), hand, form)
    _check_words(_read(sheet, letters), {1: "FOX", 7: "JUMP"}, 0.5)
    with pytest.raises(SheetCutOffError, match="code"):
        _read(_covered(sheet, layout_of(form).code), letters)


@pytest.mark.parametrize("kind", ["blank", "noise", "prose"])
def test_what_is_no_sheet_is_told(letters: BoxLetters, kind: str) -> None:
    photo = np.full((900, 700, 3), 235, np.uint8)
    if kind == "noise":
        photo = np.random.default_rng(0).integers(0, 256, photo.shape, np.uint8)
    if kind == "prose":
        for line in range(20):
            at = (40, 60 + 40 * line)
            cv2.putText(photo, "the quick brown fox jumps", at, 0, 1.2, (30, 30, 30), 2)
    with pytest.raises(NoSheetError) as told:
        read_sheets(photo, letters)
    assert "wordtray sheet" in told.value.advice


def test_an_empty_sheet_has_no_words(letters: BoxLetters, hand: Hand) -> None:
    reading = _read(_sheet(Written(), hand), letters, seed=8)
    assert reading.boxed == ()
    assert reading.words().words == ()
    assert reading.lost == ()


def test_a_filled_circle_cancels_its_row(letters: BoxLetters, hand: Hand) -> None:
    sheet = _sheet(Written(WORDS, cancelled=frozenset({2, 20})), hand)
    words = _read(sheet, letters).words().words
    assert {word.line + 1 for word in words if word.struck} == {2, 20}
    assert not any(word.doubtful for word in words if word.struck)


def test_a_circle_half_filled_is_asked_about(letters: BoxLetters, hand: Hand) -> None:
    sheet = _sheet(Written(WORDS), hand)
    x, y = (round(sheet.px_per_mm * place) for place in sheet.layout.rows[0].bubble)
    sheet.pixels[y - 13 : y + 13, x - 13 : x - 1] = (30, 30, 40)
    words = {word.line + 1: word for word in _read(sheet, letters).words().words}
    assert words[1].doubtful


def test_a_circle_filled_by_a_pale_pen_is_asked_about(letters: BoxLetters, hand: Hand) -> None:
    sheet = _sheet(Written(WORDS), hand)
    x, y = (round(sheet.px_per_mm * place) for place in sheet.layout.rows[1].bubble)
    sheet.pixels[y - 14 : y + 14, x - 14 : x + 14] //= 10
    sheet.pixels[y - 14 : y + 14, x - 14 : x + 14] *= 9
    words = _read(sheet, letters).words().words
    assert {word.line + 1 for word in words if Doubt.CIRCLE in word.doubts} == {2}
    assert not any(word.struck for word in words)


def test_a_trace_beside_a_word_may_be_a_letter_that_failed() -> None:
    depths = np.array([[90.0, 80.0, 7.0, 3.0], [85.0, 3.0, 7.0, 6.0]])
    nothing, may_be = traces(depths, np.array([[1.0, 1.0, 0.2, 0.0], [1.0, 0.0, 0.2, 0.95]]))
    assert nothing.tolist() == [[False, False, False, True], [False, True, True, False]]
    assert may_be.tolist() == [[False, False, True, False], [False] * 4]


@pytest.mark.parametrize("kind", CROSSINGS)
def test_a_word_that_is_crossed_out_does_not_count_unasked(
    letters: BoxLetters, hand: Hand, kind: Crossing
) -> None:
    crossed = dict.fromkeys((1, 3, 9), kind)
    sheet = _sheet(Written(WORDS, crossed=crossed), hand)
    read = {word.line + 1: word for word in _read(sheet, letters).words().words}
    assert all(read[row].struck or read[row].doubtful for row in crossed)
    assert not any(read[row].struck for row in WORDS.keys() - crossed)


@pytest.mark.parametrize("kind", CROSSINGS)
def test_a_word_on_a_ruled_row_may_be_crossed_out(
    letters: BoxLetters, hand: Hand, kind: Crossing
) -> None:
    words = {1: "BOARD", 2: "QUIZ", 4: "RELAX", 5: "MINTY", 8: "CUPBOARD", 15: "FLAMING"}
    written = Written(words, crossed={2: kind, 5: kind})
    reading = _read(_sheet(written, hand, Form("A5", Kind.ROWS, 1)), letters, seed=7)
    struck = {word.line + 1: word.struck for word in reading.lines}
    assert min(struck[2], struck[5]) > (0.2 if kind in {"half", "wave"} else 0.8)
    assert max(struck[row] for row in words.keys() - {2, 5}) < 0.2


def test_what_is_written_over_or_scribbled_is_asked_about(letters: BoxLetters, hand: Hand) -> None:
    written = Written(WORDS, scribbled=frozenset({(1, 2)}), again={(3, 1): "B", (9, 4): "E"})
    read = {word.line + 1: word for word in _read(_sheet(written, hand), letters).words().words}
    assert read[1].doubtful
    assert read[3].doubtful
    assert read[9].doubtful


@pytest.mark.parametrize(
    ("above", "accented"),
    [
        ("", False),
        ("acute", True),
        ("dots", True),
        ("bar", False),  # of a T or an E, where the pen left a gap
    ],
)
def test_an_accent_is_told_from_a_letter_s_own_strokes(above: str, *, accented: bool) -> None:
    ink = np.zeros((58, 54), np.uint8)
    cv2.line(ink, (27, 24), (27, 48), (200,), 3)
    for y in (24, 36, 48):
        cv2.line(ink, (16, y), (38, y), (200,), 3)
    match above:
        case "acute":
            cv2.line(ink, (24, 18), (32, 12), (200,), 3)
        case "dots":
            for x in (20, 33):
                cv2.circle(ink, (x, 14), 2, (200,), -1)
        case "bar":
            cv2.line(ink, (14, 16), (40, 15), (200,), 3)
    bare = without_accent(ink, 7)
    assert (bare is not None) is accented
    if bare is not None:
        assert bare.any()
        assert not np.array_equal(bare, glyph_of(ink, 7))


def test_a_bar_that_the_pen_left_apart_makes_no_accent(letters: BoxLetters, hand: Hand) -> None:
    sheet = _sheet(Written({1: "FOUR", 2: "TEAM"}), hand)
    box = writing_places(sheet.layout, 2)[1]
    top, left = round(box.y * 8), round(box.x * 8)
    high, wide = round(box.height * 8), round(box.width * 8)
    part = sheet.pixels[top : top + high, left : left + wide]
    part[6:-6, 6:-6] = 255
    for x, y, end in ((0.25, 0.2, 0.7), (0.25, 0.5, 0.68), (0.25, 0.8, 0.7)):
        ends = ((round(x * wide), round(y * high)), (round(end * wide), round(y * high)))
        cv2.line(part, *ends, hand.ink, 4)
    stem = ((round(0.25 * wide), round(0.3 * high)), (round(0.25 * wide), round(0.8 * high)))
    cv2.line(part, *stem, hand.ink, 4)
    known = KnownWords.of(["FOUR", "TEAM"])
    _, team = (read_word_among(word, known) for word in _read(sheet, letters).boxed)
    assert (team.text, team.doubts) == ("TEAM", ())


@pytest.mark.parametrize("kind", CROSSINGS)
def test_a_pale_and_patchy_pen_crosses_out_as_well(
    letters: BoxLetters, hand: Hand, kind: Crossing
) -> None:
    sheet = _sheet(Written(WORDS), hand)
    pen = replace(hand, cover=0.4, grain=0.5, gaps=0.2, line=0.05)
    crossed = Written(WORDS, crossed=dict.fromkeys((1, 3, 9), kind))
    cross_out(sheet, crossed, pen, np.random.default_rng(8))
    known = KnownWords.of(WORDS.values())
    boxed = _read(sheet, letters).boxed
    read = {word.picture.line + 1: read_word_among(word, known) for word in boxed}
    assert all(read[row].struck or read[row].doubtful for row in (1, 3, 9))
    assert not all(word.doubtful for row, word in read.items() if row not in (1, 3, 9))


def test_pale_ink_between_letters_is_asked_about(letters: BoxLetters, hand: Hand) -> None:
    sheet = _sheet(Written(WORDS), hand)
    for box in sheet.layout.rows[0].boxes[:5]:
        x, y = (round(sheet.px_per_mm * it) for it in (box.right - 0.8, box.middle[1]))
        cv2.line(sheet.pixels, (x, y - 12), (x + 2, y + 12), (220, 220, 225), 2)
    doubts = {word.line + 1: word.doubts for word in _read(sheet, letters).words().words}
    assert Doubt.CROSSED_OUT in doubts[1]
    assert not any(Doubt.CROSSED_OUT in doubts[row] for row in (2, 9, 16, 17))


def test_an_accent_is_asked_about_whatever_words_there_are(letters: BoxLetters, hand: Hand) -> None:
    words = {1: "CAFE", 2: "TEAM"}
    sheet = _sheet(Written(words), replace(hand, height=0.42))
    box = writing_places(sheet.layout, 1)[3]
    ends = ((0.4, 0.13), (0.65, 0.04))
    low, high = (
        (round((box.x + x * box.width) * 8), round((box.y + y * box.height) * 8)) for x, y in ends
    )
    cv2.line(sheet.pixels, low, high, hand.ink, 4)
    known = KnownWords.of(words.values())
    cafe, team = (read_word_among(word, known) for word in _read(sheet, letters).boxed)
    assert (cafe.text, cafe.doubts) == ("CAFE", (Doubt.UNCLEAR,))
    assert (team.text, team.doubts) == ("TEAM", ())


@pytest.mark.parametrize("kind", CROSSINGS)
def test_no_list_makes_a_crossed_out_word_count(
    letters: BoxLetters, hand: Hand, kind: Crossing
) -> None:
    crossed = dict.fromkeys((1, 3, 9), kind)
    boxed = _read(_sheet(Written(WORDS, crossed=crossed), hand), letters).boxed
    known = KnownWords.of(WORDS.values())
    read = {word.picture.line + 1: read_word_among(word, known) for word in boxed}
    assert all(read[row].struck or read[row].doubtful for row in crossed)


def test_an_empty_box_between_letters_is_asked_about(letters: BoxLetters, hand: Hand) -> None:
    (word,) = _read(_sheet(Written({4: "DO GS"}), hand), letters).words().words
    assert word.doubtful


@pytest.mark.parametrize("kind", [Kind.BOXES, Kind.ROWS])
def test_a_ring_around_a_circle_is_asked_about(letters: BoxLetters, hand: Hand, kind: Kind) -> None:
    words = {1: "BOARD", 2: "QUIZ", 4: "RELAX", 5: "MINTY", 8: "CUPBOARD"}
    form = Form("A5", kind, 1)
    reading = _read(_sheet(Written(words, ringed=frozenset({2, 5})), hand, form), letters, seed=7)
    images = (*(word.picture for word in reading.boxed), *reading.lines)
    asked = {image.line + 1 for image in images if 0.2 < (image.cancelled or 0.0) < 0.5}
    assert asked == {2, 5}
    doubts = {word.line + 1: word.doubts for word in reading.words().words}
    assert all(Doubt.CIRCLE in doubts[row] for row in doubts.keys() & {2, 5})


def test_a_word_may_begin_in_any_box(letters: BoxLetters, hand: Hand) -> None:
    reading = _read(_sheet(Written({4: "  FLAG"}), hand), letters)
    assert [word.text for word in reading.words().words] == ["FLAG"]
    assert reading.boxed[0].picture.letters == 4


def test_words_on_ruled_rows_are_cut_out(letters: BoxLetters, hand: Hand) -> None:
    form = Form("A5", Kind.ROWS, 1)
    words = {1: "BOARD", 4: "QUIZ", 15: "FLAMING"}
    sheet = _sheet(Written(words, cancelled=frozenset({4})), hand, form)
    reading = _read(sheet, letters, seed=7)
    assert reading.boxed == ()
    assert [word.line + 1 for word in reading.lines] == [1, 4, 15]
    assert {word.line + 1 for word in reading.lines if (word.cancelled or 0) > 0.5} == {4}
    widths = [word.picture.shape[1] for word in reading.lines]
    assert widths[1] < widths[0] < widths[2]
    for word in reading.lines:
        assert word.picture.dtype == np.uint8
        assert np.median(word.picture) > 245  # the rules are gone
        assert word.picture.min() < 120


def test_the_place_of_a_word_is_told_in_pixels_of_the_photo(
    letters: BoxLetters, hand: Hand
) -> None:
    shot = _shot(_sheet(Written(WORDS), hand), 16, PageView((1500, 1900), 1.0, 180.0))
    (reading,) = read_sheets(shot.photo, letters)
    for word in reading.boxed:
        row = reading.layout.rows[word.picture.line]
        start = shot.to_photo(8.0 * np.array([row.boxes[0].corners[0]]))[0]
        assert np.hypot(*(start - np.array(word.picture.quad_px[0]))) < 6


@pytest.mark.parametrize("seed", [21, 22, 31])
def test_a_folded_page_is_laid_flat_to_half_a_millimetre(hand: Hand, seed: int) -> None:
    shot = _shot(_sheet(Written(WORDS), hand), seed, PageView((1500, 1900), 1.0))
    assert shot.page.folds
    (found,) = sheets_of(marks_in(shot.photo))
    layout = layout_of(found.form)
    flat = flattened(shot.photo, layout, found.to_photo, found.seen)
    places = np.array([box.middle for row in layout.rows for box in row.boxes])
    seen = shot.to_photo(8.0 * places)
    ends = shot.to_photo(8.0 * np.array([[20.0, 100.0], [120.0, 100.0]]))
    scale = float(np.linalg.norm(ends[1] - ends[0])) / 100
    off = np.linalg.norm(flat.in_photo(places) - seen, axis=1) / scale
    assert np.linalg.norm(flat.bend.offsets, axis=-1).max() > 0.8  # there was something to do
    assert np.quantile(off, 0.98) < 0.5
