"""The one call from a photo to the pieces of writing on the pages in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import NoPageError, NoWritingError
from vision.paper.direction import Recognise, directions, upright
from vision.paper.flatten import darkness, whitened
from vision.paper.lines import find_lines
from vision.paper.order import Page, in_order
from vision.paper.page import FlatPage, Sheet, darkest, find_sheets, flatten, turned
from vision.paper.reading import WordImage
from vision.paper.rules import without_rules
from vision.paper.strikes import Marks, marks_on, usual_of
from vision.paper.strokes import Strokes, find_strokes
from vision.paper.words import Word, find_words_of

Grey = NDArray[np.uint8]
Floats = NDArray[np.float64]

_MARGIN = 0.2  # bodies of white around a word
_LEVEL = 0.01  # rise of a line to its length that needs no turning
_STEEPEST = 0.3
_LOW, _NARROW, _SHORT = 0.5, 0.45, 1.3  # bodies: marks that are no words are lower or narrower
_SMALL = 0.75  # bodies that a mark is wide and tall, at most
_PAPER = 0.88  # share of a page that must be bare paper
_DARK = 40  # grey levels: what is no darker than paper by that is bare
_LONE = 0.8  # share of words that are single letters: no list of words
_FEW = 4  # words of which that is said


def find_words(photo: NDArray[np.uint8], recognise: Recognise | None = None) -> tuple[Page, ...]:
    """The words of every page in a photo.

    Args:
        photo: (height, width, 3), uint8, RGB; at least 100 pixels a side. A page that nearly fills
            it is read best.
        recognise: tells how well word pictures read; with it pages that lie upside down, and those
            of which the ink does not say whether they are turned by a quarter, are set upright.
            Without it pages are taken as the photo shows them.

    Returns:
        The pages that have writing, from the upper left to the lower right of the photo.

    Raises:
        NoPageError: what the photo shows is no paper.
        NoWritingError: there is paper, but no words are on it.
    """
    grey = darkest(photo)
    found = [_read(grey, sheet, recognise) for sheet in find_sheets(photo)]
    papers = [page for page in found if page is not None]
    if not papers:
        raise NoPageError(
            "no sheet of paper is seen in the photo: it shows too little that is light and bare",
            "Photograph the whole page from above, so that it fills most of the photo, in even "
            "light; on a table as light as the page lay it on something darker.",
        )
    written = tuple(page for page in papers if page.words and not _are_lone(page.words))
    if not written:
        raise NoWritingError(
            "there is paper in the photo, but no written words were found on it",
            "Photograph the written side from nearer by, in focus; faint pencil needs more light.",
        )
    return written


def _read(grey: Grey, sheet: Sheet, recognise: Recognise | None) -> Page | None:
    """The page of a sheet; None where it is no paper."""
    level = flatten(grey, sheet)
    bare, spread = _bare(level)
    if not _is_paper(bare, level.paper):
        return None
    strokes = find_strokes(bare, spread)
    ways = directions(strokes) if strokes else (0.0,)
    pages = [
        _turned(grey, sheet, level, degrees) if degrees else _page(sheet, level, bare, strokes)
        for degrees in (ways if recognise else ways[:1])
    ]
    readable = [page for page in pages if page.words]
    return upright(readable, recognise) if recognise and readable else pages[0]


def _bare(page: FlatPage) -> tuple[Grey, float]:
    """A page in even light without rules, as darkness, and the spread of its paper's."""
    dark, spread = darkness(page.grey, page.paper)
    return without_rules(dark, spread), spread


def _is_paper(dark: Grey, paper: Grey) -> bool:
    some, inside = dark[::4, ::4], paper[::4, ::4] > 0
    return bool(inside.any() and (some[inside] < _DARK).mean() > _PAPER)


def _turned(grey: Grey, sheet: Sheet, level: FlatPage, degrees: float) -> Page:
    page = turned(grey, sheet, level, degrees)
    bare, spread = _bare(page)
    return _page(sheet, page, bare, find_strokes(bare, spread))


def _page(sheet: Sheet, flat: FlatPage, dark: Grey, strokes: Strokes | None) -> Page:
    outlined = sheet.outline_px is not None
    if strokes is None:
        return in_order((), sheet.corners_px, outlined=outlined)
    rows = find_words_of(strokes, find_lines(strokes))
    picture = whitened(dark)
    cut = [
        _cut(word, number, flat, picture, strokes)
        for number, words in enumerate(rows)
        for word in words
        if not _is_mark(word, strokes.body)
    ]
    usual = usual_of([marks for _, marks in cut])
    images = [replace(image, struck=marks.struck(usual)) for image, marks in cut]
    return in_order(images, sheet.corners_px, outlined=outlined)


def _is_mark(word: Word, body: float) -> bool:
    """Whether it is a stop, a dash or another mark that is no word."""
    left, top, right, low = word.box
    width, height = (right - left) / body, (low - top) / body
    return height < _LOW or (width < _NARROW and height < _SHORT) or max(width, height) < _SMALL


def _are_lone(words: Sequence[WordImage]) -> bool:
    """Whether nearly all are single letters, as on the cubes of a tray."""
    lone = sum(word.picture.shape[1] < 1.25 * word.picture.shape[0] for word in words)
    return len(words) >= _FEW and lone > _LONE * len(words)


def _cut(
    word: Word, line: int, flat: FlatPage, picture: Grey, strokes: Strokes
) -> tuple[WordImage, Marks]:
    """The word alone, level, with a margin, and what may tell that it is crossed out."""
    left, top, _, _ = word.box
    ink = _ink(word)
    turn = _turn(word)
    y, x = np.nonzero(ink)
    places = (np.column_stack([x + left, y + top]) + 0.5) @ turn.T
    margin = 0.5 + _MARGIN * strokes.body
    (x0, y0), (x1, y1) = places.min(axis=0) - margin, places.max(axis=0) + margin
    wide, tall = max(1, round(x1 - x0)), max(1, round(y1 - y0))
    corners = np.array([[x0, y0], [x0 + wide, y0], [x0 + wide, y0 + tall], [x0, y0 + tall]])
    to_word = np.column_stack([turn, -corners[0] + turn @ (left, top)])
    alone = _alone(word, ink, picture, strokes)
    seen = _warped(alone, to_word, (wide, tall), 255)
    middle, _ = cv2.threshold(seen, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    others = tuple(_cut(it, line, flat, picture, strokes)[0].picture for it in word.otherwise)
    quad = flat.quad(corners @ turn)
    return WordImage(seen, quad, line, otherwise=others), marks_on(seen < middle)


def _turn(word: Word) -> Floats:
    """Rotation (2, 2) that makes the line level at the word."""
    left, _, right, _ = word.box
    ends = word.line.at(np.array([left, right], np.float64))
    rise = float(np.clip((ends[1] - ends[0]) / max(right - left, 1), -_STEEPEST, _STEEPEST))
    angle = np.arctan(rise) if abs(rise) > _LEVEL else 0.0
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _ink(word: Word) -> NDArray[np.bool_]:
    """Mask (height, width) of the word within its box."""
    left, top, right, low = word.box
    ink = np.zeros((low - top, right - left), np.bool_)
    for part in word.parts:
        tall, wide = part.mask.shape
        ink[part.top - top : part.top - top + tall, part.left - left : part.left - left + wide] |= (
            part.mask
        )
    return ink


def _alone(word: Word, ink: NDArray[np.bool_], picture: Grey, strokes: Strokes) -> Grey:
    """The picture of the word's box with what is not its own ink painted white."""
    left, top, right, low = word.box
    window = picture[top:low, left:right].copy()
    foreign = (strokes.labels[top:low, left:right] > 0) & ~ink
    near = cv2.dilate(foreign.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    window[near & ~ink] = 255
    return window


def _warped(picture: Grey, to_word: Floats, size: tuple[int, int], border: int) -> Grey:
    """A window of the page moved and turned into the picture of the word."""
    # places count from the edges of pixels, OpenCV from their middles
    move = to_word.copy()
    move[:, 2] += move[:, :2] @ (0.5, 0.5) - 0.5
    seen = cv2.warpAffine(
        picture,
        move,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(border,),
    )
    return seen.astype(np.uint8)
