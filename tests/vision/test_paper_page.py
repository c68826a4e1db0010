"""Sheets of paper in photos, flattened, their light evened and their rules taken out."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.lattice import apply
from vision.paper.flatten import darkness, whitened
from vision.paper.page import darkest, find_sheets, flatten, turned
from vision.paper.rules import without_rules
from vision.render.page_photo import PageShot, PageView, photograph, photograph_pages, torn
from vision.render.textures import TableStyle

SIZE = (600, 800)
CORNERS = np.array([[0.0, 0], [700, 0], [700, 990], [0, 990]])
WHITE_TABLE = TableStyle("plain", (232.0, 232.0, 230.0), 0.5, 10.0)


def page() -> NDArray[np.uint8]:
    sheet = np.full((990, 700, 3), 246, np.uint8)
    for row in range(10):
        cv2.putText(sheet, "word list", (70, 100 + 85 * row), 1, 3.2, (40, 40, 70), 4)
    return sheet


def misplaced(shot: PageShot, corners: object) -> float:
    """How far the farthest corner lies from the true one, in sides of the photo."""
    gaps = np.asarray(corners, np.float64) - shot.to_photo(CORNERS)
    return float(np.linalg.norm(gaps, axis=1).max() / max(SIZE))


@pytest.mark.parametrize("seed", range(6))
def test_a_sheet_is_found_by_its_corners(seed: int) -> None:
    view = PageView(size=SIZE, hardness=seed / 8)
    shot = photograph(page(), np.random.default_rng(seed), view=view)
    (sheet,) = find_sheets(shot.photo)
    assert sheet.outline_px is not None
    assert misplaced(shot, sheet.corners_px) < 0.03


def test_a_sheet_is_found_on_a_table_as_white_as_it() -> None:
    view = PageView(size=SIZE, hardness=0.0, table=WHITE_TABLE)
    shot = photograph(page(), np.random.default_rng(3), view=view)
    (sheet,) = find_sheets(shot.photo)
    assert misplaced(shot, sheet.corners_px) < 0.03


def test_a_torn_sheet_ends_where_it_is_torn() -> None:
    rng = np.random.default_rng(5)
    pages = [(page(), torn(page(), rng))]
    shot = photograph_pages(pages, rng, PageView(size=SIZE, hardness=0.0))[0]
    (sheet,) = find_sheets(shot.photo)
    flat = flatten(darkest(shot.photo), sheet)
    x, y = apply(np.linalg.inv(flat.to_photo), shot.to_photo(np.array([[350.0, 500], [3, 3]]))).T
    rows, columns = np.rint(y).astype(int).clip(0), np.rint(x).astype(int).clip(0)
    assert flat.paper[rows, columns].tolist() == [255, 0]


def test_sheets_side_by_side_are_told_apart() -> None:
    whole = np.full((990, 700), 255, np.uint8)
    view = PageView(size=(900, 700), hardness=0.2)
    pages = [(page(), whole), (page(), whole)]
    shots = photograph_pages(pages, np.random.default_rng(14), view)
    sheets = find_sheets(shots[0].photo)
    assert len(sheets) == 2
    for shot, sheet in zip(shots, sheets, strict=True):
        assert misplaced(shot, sheet.corners_px) < 0.03


def test_a_scan_is_a_sheet_as_it_is() -> None:
    (sheet,) = find_sheets(page())
    assert sheet.outline_px is None
    assert np.array_equal(sheet.corners_px, CORNERS)
    flat = flatten(darkest(page()), sheet)
    assert np.array_equal(flat.grey, page().min(axis=2))


@pytest.mark.parametrize("degrees", [90.0, -12.0, 180.0])
def test_a_turned_page_shows_the_same_places(degrees: float) -> None:
    grey = darkest(page())
    (sheet,) = find_sheets(page())
    flat = turned(grey, sheet, flatten(grey, sheet), degrees)
    marks = np.argwhere(grey < 80)[::400]
    places = apply(np.linalg.inv(flat.to_photo), marks[:, ::-1] + 0.5)
    x, y = np.floor(places).astype(int).T
    assert np.median(flat.grey[y, x]) < 110


def test_the_light_is_even_across_the_edge_of_a_shadow() -> None:
    sheet = page().min(axis=2)
    light = cv2.GaussianBlur(np.where(np.arange(700) < 170, 1.0, 0.5)[None], (31, 1), 8)
    sheet = (sheet * light).astype(np.uint8)
    dark, _ = darkness(sheet, np.full_like(sheet, 255))
    blank = dark[:40]
    assert blank[:, 4:-4].max() < 20
    assert dark[:, :150].max() > 100
    assert dark[:, 190:].max() > 100
    assert whitened(dark)[:40].min() > 230


@pytest.mark.parametrize("spread", [2.0, 5.0, 10.0])
def test_the_noise_of_paper_is_told_whatever_is_on_it(spread: float) -> None:
    grain = np.random.default_rng(1).normal(0, spread, (990, 700))
    sheet = page().min(axis=2) * 0.8
    sheet[::20] -= 60
    grey = np.clip(sheet + grain, 0, 255).astype(np.uint8)
    _, noise = darkness(grey, np.full_like(grey, 255))
    assert 0.5 * spread < noise < 1.8 * spread


def test_what_is_no_paper_is_never_dark() -> None:
    sheet = page().min(axis=2)
    paper = np.full_like(sheet, 255)
    paper[:, :200] = 0
    dark, _ = darkness(sheet, paper)
    assert dark[:, :200].max() == 0
    assert dark[:, 200:].max() > 100


@pytest.mark.parametrize("slope", [0.0, 0.02, -0.03])
def test_rules_go_and_strokes_that_cross_them_stay(slope: float) -> None:
    dark = np.zeros((800, 600), np.uint8)
    for y in range(80, 760, 60):
        cv2.line(dark, (0, y), (599, round(y + 600 * slope)), (60,), 2, cv2.LINE_AA)
    ruled = dark.copy()
    for x in range(100, 500, 40):
        cv2.line(ruled, (x, 250), (x + 10, 330), (190,), 5, cv2.LINE_AA)
    left = without_rules(ruled, 1.0)
    strokes = np.zeros_like(dark)
    for x in range(100, 500, 40):
        cv2.line(strokes, (x, 250), (x + 10, 330), (255,), 3)
    assert left[cv2.dilate(strokes, np.ones((11, 11), np.uint8)) == 0].mean() < 0.1 * dark.mean()
    assert (left[strokes > 0] > 90).mean() > 0.97


def test_squares_go_both_ways() -> None:
    dark = np.zeros((800, 600), np.uint8)
    dark[40::50] = dark[:, 30::50] = 50
    assert without_rules(dark, 1.0).mean() < 0.05 * dark.mean()


def test_a_strike_is_too_short_for_a_rule() -> None:
    dark = np.zeros((800, 600), np.uint8)
    cv2.line(dark, (80, 300), (320, 306), (200,), 4)
    assert np.array_equal(without_rules(dark, 1.0), dark)
