"""Pages of paper from files to lists: printed sheets, free paper, and whatever else people give."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from firmware_host.errors import CommandError
from firmware_host.pages import PAGE_SIDE, PagePicture, pages_in
from firmware_host.paper import PaperReader, ScannedList, alphabet_of
from firmware_host.paper_entries import entries_of
from firmware_host.tesseract import TesseractError
from firmware_host.writing import ReadBy, Writing
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.rules import game
from vision.errors import (
    IllegibleError,
    NoPageError,
    NoWritingError,
    PhotoError,
    ProseError,
    TrayNotPaperError,
    WrongRoundError,
)
from vision.paper.ppocr import ENGLISH, RecogniserError
from vision.paper.reading import Doubt, WordReading
from vision.paper.recogniser import Look
from vision.paper.sheet import Form, Kind, Label
from vision.photo import Photo
from vision.render.handwriting import Hand, random_hand_of_writer
from vision.render.page_photo import PageView, photograph, photograph_pages
from vision.render.tray import render_tray
from vision.render.typed_page import Print, type_page
from vision.render.typefaces import shipped_typefaces
from vision.render.word_sheet import Written, print_sheet, write_words
from vision.render.written_page import PageStyle, random_page_style, write_page

BOARD = Board.parse("TEAM/RSLO/HIND/GUPE")
LEXICON = Lexicon.from_words("few", ["tea", "team", "hind", "sea", "lea", "meal", "zoo", "it"])
VIEW = PageView((1050, 1480), 0.0)
Pixels = NDArray[np.uint8]


class Sees:
    """A recogniser that sees one word wherever it looks; none where that is empty."""

    def __init__(self, word: str, alphabet: str = ENGLISH) -> None:
        self.alphabet = alphabet
        self._word = word

    def looks(self, pictures: Sequence[Pixels]) -> list[Look]:
        return [self._look(picture) for picture in pictures]

    def _look(self, picture: Pixels) -> Look:
        chances = np.full((2 * len(self._word) + 1, 1 + len(self.alphabet)), 1e-7)
        for place, letter in enumerate(self._word):
            chances[2 * place + 1, 1 + self.alphabet.index(letter)] = 0.999
        chances[:, 0] = 1 - chances[:, 1:].sum(axis=1)
        return Look(np.log(chances), picture.shape[1] / len(chances))


def reader(word: str = "TEAM", board: Board | None = BOARD) -> PaperReader:
    return PaperReader(LEXICON, board, game("boggle"), lambda letters: Sees(word, letters))


def read(pixels: Pixels, word: str = "TEAM", **more: str) -> tuple[ScannedList, ...]:
    return reader(word).read(PagePicture("page.jpg", Photo(pixels, 2.0)), **more)


@pytest.fixture(scope="module")
def hand() -> Hand:
    plain = random_hand_of_writer(np.random.default_rng(4), 0.0)
    return replace(plain, line=0.08, cover=0.95, grain=0.0, ink=(28, 36, 110), height=0.6)


def sheet(written: Written, hand: Hand, label: Label, kind: Kind = Kind.BOXES) -> Pixels:
    printed = print_sheet(Form("A5", kind), label, 8.0)
    return write_words(printed, written, hand, np.random.default_rng(3)).pixels


def shot(page: Pixels, seed: int = 1) -> Pixels:
    return photograph(page, np.random.default_rng(seed), view=VIEW).photo


def style(lines: int = 16) -> PageStyle:
    rng = np.random.default_rng(5)
    plain = random_page_style(rng, "capitals", "plain", lines)
    return replace(plain, hand=replace(plain.hand, ink=(20, 20, 60), line=0.06), spacing=0.12)


def written(lines: Sequence[Sequence[str]], count: int = 16) -> Pixels:
    return write_page(lines, style(count), np.random.default_rng(2)).pixels


def texts(words: Sequence[WordReading]) -> list[str]:
    return [word.text for word in words]


# ---- printed sheets --------------------------------------------------------------------------


def test_a_sheet_of_boxes_needs_no_recogniser(hand: Hand) -> None:
    def none(_letters: str) -> Sees:
        raise AssertionError("it was asked for")

    label = Label("Zoë", "Final", 2, 3)
    words = Written({1: "TEAM", 2: "HIND", 4: "MEAL"}, crossed={2: "line"})
    page = PagePicture("a.jpg", Photo(shot(sheet(words, hand, label)), 1.0))
    (one,) = PaperReader(LEXICON, BOARD, game("boggle"), none).read(page, "final")
    assert (one.page, one.reading.player, one.reading.round) == ("a.jpg", "Zoë", "Final")
    assert one.sheet is not None
    assert (one.sheet.number, one.sheet.of, one.printed) == (2, 3, True)
    assert texts(one.reading.words)[0::2] == ["TEAM", "MEAL"]
    assert [word.struck for word in one.reading.words] == [False, True, False]
    assert len(one.crops) == 3


def test_a_ruled_sheet_is_read_by_the_recogniser_and_its_circles_cancel(hand: Hand) -> None:
    words = Written({1: "TEAM", 3: "TEAM"}, cancelled=frozenset({3}))
    pixels = shot(sheet(words, hand, Label("Anna", "1"), Kind.ROWS))
    (one,) = read(pixels)
    assert texts(one.reading.words) == ["TEAM", "TEAM"]
    assert [word.struck for word in one.reading.words] == [False, True]
    assert one.reading.player == "Anna"


def test_the_sheet_of_another_round_is_refused(hand: Hand) -> None:
    pixels = shot(
        sheet(
            Written(
                {1: "TEAM"},
            ),
            hand,
            Label("Anna", "Round 1"),
        )
    )
    with pytest.raises(WrongRoundError, match="of Anna is of round 'Round 1', not of 'Round 2'"):
        read(pixels, round_name="Round 2")


def test_two_players_sheets_in_one_photo_are_two_lists(hand: Hand) -> None:
    pages = [
        sheet(Written({1: word}), hand, Label(name, "1"))
        for name, word in (("Anna", "TEAM"), ("Bob", "HIND"))
    ]
    covered = [(page, np.full(page.shape[:2], 255, np.uint8)) for page in pages]
    view = PageView((2200, 1600), 0.0)
    photo = photograph_pages(covered, np.random.default_rng(1), view)[0].photo
    found = {one.reading.player: texts(one.reading.words) for one in read(photo)}
    assert found == {"Anna": ["TEAM"], "Bob": ["HIND"]}


# ---- free paper ------------------------------------------------------------------------------


def test_free_paper_is_read_word_by_word_in_pixels_of_the_whole_photo() -> None:
    pixels = shot(written([["TEAM"], ["MEAL"], ["HIND"]]))
    (one,) = read(pixels)
    assert texts(one.reading.words) == ["TEAM"] * 3
    assert (one.reading.player, one.sheet, one.printed) == (None, None, False)
    (other,) = reader().read(PagePicture("page.jpg", Photo(pixels, 1.0)))
    twice, once = (
        np.array([word.quad_px for word in found.reading.words]) for found in (one, other)
    )
    np.testing.assert_allclose(twice, 2 * once)


def test_a_head_line_is_the_name_and_no_word() -> None:
    lines = [["ANNA"], [], *([["MEAL"]] * 6)]
    (one,) = read(shot(written(lines)), "ANNA")
    assert one.reading.player == "Anna"
    assert len(one.reading.words) == len(one.crops) == 6


def test_a_short_list_with_numbers_close_to_its_words_is_the_right_way_up() -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    words = ["quest", "toe", "hey", "seer", "oyer"]
    page = np.full((1300, 1000, 3), 255, np.uint8)
    picture = Image.fromarray(page)
    font = ImageFont.truetype(shipped_typefaces().faces[0].path, 48)
    for number, word in enumerate(words, 1):
        ImageDraw.Draw(picture).text((110, 110 * number), f"{number} {word}", (20, 20, 60), font)
    try:
        reader = PaperReader(Lexicon.from_words("five", words), BOARD, game("boggle"))
        (one,) = reader.read(PagePicture("page.jpg", Photo(np.asarray(picture, np.uint8), 1.0)))
    except RecogniserError as error:
        pytest.skip(f"{error}. {error.advice}")
    heights = [word.quad_px[0][1] for word in one.reading.words]
    assert heights == sorted(heights)
    assert heights[0] < 250


def test_one_word_is_a_list() -> None:
    (one,) = read(shot(written([["TEAM"]])))
    assert texts(one.reading.words) == ["TEAM"]


def test_four_hundred_words_are_a_list() -> None:
    lines = [["TEAM", "MEAL", "HIND", "LEA", "SEA", "TEA", "ZOO", "TEAM"]] * 50
    small = replace(style(50), letter=15.0, spacing=0.1)
    pixels = write_page(lines, small, np.random.default_rng(2)).pixels
    large = cv2.resize(pixels, None, fx=1.5, fy=1.5).astype(np.uint8)
    view = PageView((1500, 2000), 0.0)
    (one,) = read(photograph(large, np.random.default_rng(1), view=view).photo)
    assert 360 <= len(one.reading.words) <= 440


# ---- printed lists ---------------------------------------------------------------------------


def not_installed(_letters: str) -> Sees:
    raise RecogniserError("it is not installed", "Install it.")


def no_tesseract(_letters: str) -> Sees:
    raise TesseractError("it is not installed", "Install it.")


def typed() -> Pixels:
    words = [["Team"], ["hind"], ["meal"], ["lea"], ["sea"], ["tea"], ["Zoo"], ["meal"], ["hinds"]]
    return shot(type_page(words, Print(shipped_typefaces().faces[0].path, 36, 80)).pixels)


def read_print(
    pixels: Pixels,
    writing: Writing = Writing.AUTO,
    hand: Callable[[str], Sees] = not_installed,
    tesseract: Callable[[str], Sees] = lambda letters: Sees("MEAL", letters),
) -> ScannedList:
    reader = PaperReader(
        LEXICON, BOARD, game("boggle"), hand, writing=writing, make_printed=tesseract
    )
    (one,) = reader.read(PagePicture("page.jpg", Photo(pixels, 1.0)))
    return one


def test_tesseract_reads_what_is_said_to_be_printed() -> None:
    one = read_print(shot(written([["TEAM"], ["LEA"]])), Writing.PRINTED)
    assert texts(one.reading.words) == ["MEAL", "MEAL"]
    assert one.read_by is ReadBy.TESSERACT


def test_print_is_read_like_handwriting_where_that_can_be_read() -> None:
    one = read_print(typed(), hand=lambda letters: Sees("TEAM", letters), tesseract=no_tesseract)
    assert texts(one.reading.words) == ["TEAM"] * 9
    assert one.read_by is ReadBy.HAND


def test_tesseract_reads_print_where_handwriting_cannot_be_read() -> None:
    one = read_print(typed())
    assert texts(one.reading.words) == ["MEAL"] * 9
    assert one.read_by is ReadBy.TESSERACT


@pytest.mark.parametrize(
    ("pixels", "more"),
    [
        (lambda: shot(written([["TEAM"], ["MEAL"], ["HIND"]] * 3)), {}),
        (typed, {"writing": Writing.HAND}),
        (typed, {"tesseract": no_tesseract}),
    ],
    ids=["by hand", "said to be by hand", "no Tesseract"],
)
def test_what_nothing_installed_reads_names_what_reads_handwriting(
    pixels: Callable[[], Pixels], more: dict[str, Any]
) -> None:
    with pytest.raises(RecogniserError):
        read_print(pixels(), **more)


def test_who_asks_for_tesseract_is_told_that_it_is_not_there() -> None:
    with pytest.raises(TesseractError):
        read_print(typed(), Writing.PRINTED, tesseract=no_tesseract)


# ---- what is no list -------------------------------------------------------------------------


def test_an_empty_page_says_so() -> None:
    with pytest.raises(NoWritingError):
        read(shot(written([])))


def test_a_text_is_told_from_a_list() -> None:
    with pytest.raises(ProseError, match="a text rather than a list"):
        read(shot(written([["IT", "IS", "IN", "AN", "ODD", "WAY"]] * 9)), "IT")


def test_another_script_is_not_guessed_at() -> None:
    with pytest.raises(IllegibleError):
        read(shot(written([["TEAM"]] * 8)), "")


def test_a_drawing_is_no_list() -> None:
    picture = Image.fromarray(written([]))
    draw = ImageDraw.Draw(picture)
    for size in (150, 260, 390):
        draw.ellipse(
            (600 - size, 700 - size, 600 + size, 700 + size), outline=(20, 20, 60), width=7
        )
    draw.line((150, 1300, 600, 200, 1100, 1350, 150, 1300), (20, 20, 60), 7)
    with pytest.raises((NoWritingError, IllegibleError)):
        read(shot(np.asarray(picture, np.uint8)), "")


def test_a_photo_of_the_tray_is_told_as_one() -> None:
    with pytest.raises(TrayNotPaperError, match="shows a tray"):
        read(render_tray(Board.parse("IETC/HQuPE/SEYH/TOER"), np.random.default_rng(3)).photo)


def test_a_table_without_paper_is_told() -> None:
    noise = np.random.default_rng(0).integers(0, 90, (320, 240, 3))
    with pytest.raises((NoPageError, NoWritingError)):
        read(noise.astype(np.uint8))


# ---- files -----------------------------------------------------------------------------------


def test_a_pdf_has_its_pages_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "scans.PDF"
    pictures = [Image.new("RGB", (420, 594), colour) for colour in ((200, 30, 30), (30, 30, 200))]
    pictures[0].save(file, save_all=True, append_images=pictures[1:])
    pages = list(pages_in(file))
    assert [page.name for page in pages] == [f"{file}#1", f"{file}#2"]
    for page, (red, blue) in zip(pages, ((200, 30), (30, 200)), strict=True):
        assert abs(max(page.photo.pixels.shape) - PAGE_SIDE) <= 1
        middle = page.photo.pixels[1000, 800].tolist()
        np.testing.assert_allclose(middle, (red, 30, blue), atol=4)


def test_a_page_of_a_pdf_is_named_by_its_file_alone_and_known_by_its_content(
    tmp_path: Path,
) -> None:
    file = tmp_path / "scan.jpg"
    Image.new("L", (420, 594), 220).save(file, "PDF")
    (page,) = pages_in(file)
    assert page.name == str(file)
    assert page.photo.pixels.shape[2] == 3


def test_a_broken_pdf_is_told(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.new("L", (420, 594), 220).save(buffer, "PDF")
    file = tmp_path / "scan.pdf"
    for data in (buffer.getvalue()[:300], b"%PDF-1.7\n", b"%PDF-" + bytes(2000)):
        file.write_bytes(data)
        with pytest.raises(CommandError) as caught:
            list(pages_in(file))
        assert caught.value.complaint.kind == "pdf"


def test_a_large_photo_is_made_smaller_and_keeps_its_places(tmp_path: Path) -> None:
    file = tmp_path / "large.png"
    Image.new("RGB", (7200, 400)).save(file)
    (page,) = pages_in(file)
    assert page.photo.pixels.shape == (200, 3600, 3)
    assert page.photo.scale == pytest.approx(2)


def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    file = tmp_path / "list.jpg"
    file.write_text("team\n", encoding="utf-8")
    for given in (file, tmp_path / "nothing.pdf", tmp_path):
        with pytest.raises(PhotoError):
            list(pages_in(given))


# ---- for the referee -------------------------------------------------------------------------


def test_the_letters_of_the_lexicon_are_told_apart() -> None:
    assert alphabet_of(LEXICON) == ENGLISH
    assert set(alphabet_of(Lexicon.from_words("de", ["über", "maß"]))) == {*ENGLISH, "Ü"}


def test_lines_for_the_referee_are_numbered_and_doubts_are_no_words() -> None:
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sure = WordReading(
        "TEAM", 0.99, (("TEAM", 0.99),), struck=False, doubtful=False, quad_px=quad, line=0
    )
    unsure = replace(sure, confidence=0.6, alternatives=(("TEAM", 0.6), ("TEAS", 0.3)))
    words = [
        sure,
        replace(sure, struck=True),
        replace(unsure, doubtful=True),
        replace(unsure, doubtful=True, doubts=(Doubt.CIRCLE, Doubt.UNCLEAR)),
        replace(sure, text="", alternatives=(), doubtful=True),
    ]
    found = [
        (entry.line_number, entry.text, entry.word, entry.problem, entry.struck)
        for entry in entries_of(words)
    ]
    asked = "read as team 60%, teas 30%"
    assert found == [
        (1, "team", "team", None, False),
        (2, "team", "team", None, True),
        (3, "team", None, asked, False),
        (4, "team", None, f"{asked}; its circle may be filled", False),
        (5, "?", None, "nothing could be read here", False),
    ]
