"""From photos of pages to their words, rendered and real."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from vision.errors import NoPageError, NoWritingError
from vision.paper.direction import upside_down
from vision.paper.find import find_words
from vision.paper.order import Page
from vision.render.crossings import CROSSINGS, Crossing
from vision.render.page_photo import PageShot, PageView, photograph, photograph_pages, torn
from vision.render.tray import PhotoOptions, render_tray
from vision.render.written_page import (
    Layout,
    Paper,
    Script,
    WrittenPage,
    random_page_style,
    write_page,
)

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
VIEW = PageView(size=(1050, 1400), hardness=0.3)
TEXTS = [
    "tone", "notes", "stone", "ales", "late", "steal", "rate", "tear", "crate", "train", "rain",
    "line", "nail", "slate", "coat", "toast", "liner",
]  # fmt: skip

REAL = {"breta_page09", "breta_text3", "comp_02", "comp_09", "comp_11"}
"""Evaluation pages that a test reads; the benchmark reads all."""

Pictures = Sequence[NDArray[np.uint8]]


@lru_cache(maxsize=16)
def written(
    script: Script, paper: Paper, seed: int = 1, layout: str = "", rows: int = 1
) -> WrittenPage:
    """A page of twelve lines, each of so many words."""
    rng = np.random.default_rng(seed)
    texts = [TEXTS[place] for place in rng.integers(len(TEXTS), size=12 * rows)]
    texts = [text.upper() for text in texts] if script == "capitals" else texts
    lines = [texts[place * rows : (place + 1) * rows] for place in range(12)]
    style = random_page_style(rng, script, paper, lines=16)
    style = replace(style, hand=replace(style.hand, cover=max(style.hand.cover, 0.6)))
    return write_page(lines, style, rng, LAYOUTS[layout])


LAYOUTS: dict[str, Layout] = {
    "": Layout(),
    "columns": Layout(columns=2),
    "numbers": Layout(marks="numbers"),
    "bullets": Layout(marks="bullets"),
    "crossed": Layout(crossed={(2, 0): "line", (5, 0): "scribble", (9, 0): "line"}),
    "inserted": Layout(inserted={3: "rate", 8: "tear"}),
    **{kind: Layout(crossed=dict.fromkeys([(2, 0), (5, 0), (9, 0)], kind)) for kind in CROSSINGS},
}


def shot_of(page: WrittenPage, seed: int = 1, view: PageView = VIEW) -> PageShot:
    return photograph(page.pixels, np.random.default_rng(seed), view=view)


def matched(page: WrittenPage, shot: PageShot, found: Page) -> list[int | None]:
    """For each written word the one that was found in its place, and nowhere else."""
    boxes = [np.array(word.quad_px, np.float32) for word in found.words]
    return [_match(shot.to_photo(word.corners).astype(np.float32), boxes) for word in page.words]


def _match(corners: NDArray[np.float32], boxes: list[NDArray[np.float32]]) -> int | None:
    for place, box in enumerate(boxes):
        common, _ = cv2.intersectConvexConvex(cv2.convexHull(corners), cv2.convexHull(box))
        if common > 0.8 * cv2.contourArea(corners) and common > 0.4 * cv2.contourArea(box):
            return place
    return None


@pytest.mark.parametrize(
    ("script", "paper", "layout", "rows"),
    [
        ("capitals", "plain", "", 1),
        ("print", "ruled", "", 3),
        ("joined", "squared", "", 1),
        ("print", "plain", "columns", 1),
        ("capitals", "ruled", "bullets", 1),
        ("print", "squared", "numbers", 1),
        ("print", "ruled", "inserted", 1),
    ],
)
def test_the_words_of_a_page_are_found_in_their_order(
    script: Script, paper: Paper, layout: str, rows: int
) -> None:
    page = written(script, paper, layout=layout, rows=rows)
    shot = shot_of(page)
    (found,) = find_words(shot.photo)
    order = matched(page, shot, found)
    assert sorted(place for place in order if place is not None) == list(range(len(found.words)))
    assert len(found.words) == len(page.words)
    if layout != "inserted":
        assert order == list(range(len(order)))
        assert [word.line for word in found.words] == [place // rows for place in range(12 * rows)]
    assert len(found.numbers) == (12 if layout == "numbers" else 0)


def test_crossed_out_words_are_told() -> None:
    page = written("print", "ruled", seed=4, layout="crossed")
    (found,) = find_words(shot_of(page).photo)
    assert [word.struck > 0.5 for word in found.words] == [
        word.crossing is not None for word in page.words
    ]


@pytest.mark.parametrize("kind", ["cross", "slant", "half", "wave"])
@pytest.mark.parametrize("script", ["capitals", "print"])
def test_words_crossed_out_in_other_ways_are_at_least_asked_about(
    script: Script, kind: Crossing
) -> None:
    rows = (2, 5, 9)
    page = written(script, "ruled", seed=4, layout=kind)
    (found,) = find_words(shot_of(page).photo)
    assert len(found.words) == 12
    struck = [word.struck for word in found.words]
    assert min(struck[row] for row in rows) > 0.2
    assert max(struck[row] for row in range(12) if row not in rows) < 0.2


def test_pictures_are_dark_ink_on_white_without_rules() -> None:
    page = written("capitals", "ruled", seed=3)
    for word in find_words(shot_of(page).photo)[0].words:
        assert word.picture.dtype == np.uint8
        border = np.concatenate([word.picture[0], word.picture[-1]])
        assert np.median(border) > 245
        assert word.picture.min() < 160


def likeness(known: Page) -> Callable[[Pictures], list[float]]:
    """A reader who knows the pictures of a page the right way up."""
    small = [_small(word.picture) for word in known.words]

    def recognise(pictures: Pictures) -> list[float]:
        return [max(float((_small(each) * other).mean()) for other in small) for each in pictures]

    return recognise


def _small(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    shrunk = cv2.resize(picture, (64, 24), interpolation=cv2.INTER_AREA).astype(np.float64)
    away = shrunk - shrunk.mean()
    return np.asarray(away / max(float(away.std()), 1e-6))


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_a_reader_sets_a_turned_page_upright(turn: float) -> None:
    page = written("print", "plain", seed=6)
    upright = find_words(shot_of(page).photo)[0]
    view = PageView(size=(1200, 1200), hardness=0.2, turn=turn)
    shot = shot_of(page, seed=2, view=view)
    (found,) = find_words(shot.photo, likeness(upright))
    assert matched(page, shot, found) == list(range(12))
    along = np.subtract(found.words[0].quad_px[1], found.words[0].quad_px[0])
    assert abs((np.degrees(np.arctan2(along[1], along[0])) - turn + 180) % 360 - 180) < 15


def test_upside_down_and_back_is_the_same_page() -> None:
    page = find_words(shot_of(written("print", "squared", layout="numbers")).photo)[0]
    back = upside_down(upside_down(page))
    assert [word.quad_px for word in back.words] == [word.quad_px for word in page.words]
    assert len(back.numbers) == len(page.numbers)
    for word, other in zip(page.words, back.words, strict=True):
        assert np.array_equal(word.picture, other.picture)


def test_pages_side_by_side_are_read_each() -> None:
    pages = [written("capitals", "plain"), written("print", "ruled", rows=3)]
    rng = np.random.default_rng(14)
    covers = [np.full(page.pixels.shape[:2], 255, np.uint8) for page in pages]
    view = PageView(size=(2000, 1500), hardness=0.2)
    shots = photograph_pages(
        [(page.pixels, cover) for page, cover in zip(pages, covers, strict=True)], rng, view
    )
    found = find_words(shots[0].photo)
    assert [len(page.words) for page in found] == [12, 36]
    assert all(page.outlined for page in found)


def test_a_torn_page_gives_its_words() -> None:
    page = written("capitals", "plain")
    rng = np.random.default_rng(9)
    shot = photograph_pages([(page.pixels, torn(page.pixels, rng))], rng, VIEW)[0]
    (found,) = find_words(shot.photo)
    assert None not in matched(page, shot, found)


def test_a_scan_gives_its_words() -> None:
    page = written("print", "plain", rows=3)
    (found,) = find_words(page.pixels)
    assert not found.outlined
    assert len(found.words) == 36


@pytest.mark.parametrize("seed", range(3))
def test_rules_across_a_scan_do_not_part_it_into_sheets(seed: int) -> None:
    (found,) = find_words(written("print", "ruled", seed).pixels)
    assert not found.outlined
    assert len(found.words) == 12


def test_one_word_is_a_page() -> None:
    rng = np.random.default_rng(2)
    page = write_page([["stone"]], random_page_style(rng, "print", "plain"), rng)
    (found,) = find_words(shot_of(page).photo)
    assert matched(page, shot_of(page), found) == [0]


def test_four_hundred_words_are_found() -> None:
    rng = np.random.default_rng(3)
    style = replace(random_page_style(rng, "print", "plain", lines=50), letter=13.0)
    lines = [[TEXTS[place] for place in rng.integers(len(TEXTS), size=8)] for _ in range(48)]
    (found,) = find_words(write_page(lines, style, rng).pixels)
    assert abs(len(found.words) - 384) <= 6


def test_an_empty_page_has_no_writing() -> None:
    blank = np.full((1400, 1000, 3), 246, np.uint8)
    with pytest.raises(NoWritingError) as error:
        find_words(shot_of(WrittenPage(blank, ())).photo)
    assert error.value.advice
    with pytest.raises(NoWritingError):
        find_words(blank)


def test_a_drawing_is_no_writing() -> None:
    sheet = np.full((1400, 1000, 3), 246, np.uint8)
    cv2.circle(sheet, (500, 600), 340, (30, 30, 40), 6)
    cv2.line(sheet, (200, 1250), (900, 1100), (30, 30, 40), 6)
    with pytest.raises(NoWritingError):
        find_words(sheet)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_tray_is_no_page(seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = PhotoOptions(size=(1200, 900))
    with pytest.raises((NoPageError, NoWritingError)):
        find_words(render_tray(Board.parse("IETC/HQuPE/SEYH/TOER"), rng, options).photo)


def test_noise_and_darkness_are_no_page() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (800, 600, 3)).astype(np.uint8)
    for photo in (noise, np.zeros_like(noise)):
        with pytest.raises(NoPageError) as error:
            find_words(photo)
        assert error.value.advice


@pytest.mark.real_data
def test_the_words_of_real_pages_are_found() -> None:
    manifest = HANDWRITING / "pages.json"
    if not manifest.exists():
        pytest.skip(f"the evaluation pages are not at {HANDWRITING}")
    entries = json.loads(manifest.read_text("utf-8"))
    entries += json.loads((HANDWRITING / "pages_composite.json").read_text("utf-8"))
    for entry in entries:
        if entry["id"] not in REAL:
            continue
        photo = np.asarray(cv2.imread(str(HANDWRITING / entry["file"])), np.uint8)[..., ::-1]
        (found,) = find_words(np.ascontiguousarray(photo))
        texts = [text for line in entry["lines"] for text in line.split()]
        count = len(texts) + len(entry.get("crossed", []))
        assert abs(len(found.words) - count) <= max(1, round(0.01 * count))
        struck = len(entry.get("crossed", [])) + texts.count("##")
        assert sum(word.struck > 0.5 for word in found.words) >= struck
