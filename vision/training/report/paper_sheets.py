"""Word sheets of boxes, rendered, filled by rendered or real hands, photographed, and read.

Words are read under the built-in list; each once more with itself taken out of the list, so that
what is taken then is taken for another word: a false credit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.lexicon import Lexicon
from vision.errors import VisionError
from vision.paper.boxed import BoxedWord
from vision.paper.boxed_among import KnownWords, read_word_among
from vision.paper.letters import BoxLetters
from vision.paper.reading import WordReading
from vision.paper.sheet import Form, Label, layout_of
from vision.paper.sheet_reader import SheetReading, read_sheets
from vision.render.handwriting import random_hand_of_writer
from vision.render.page_photo import PageView, photograph
from vision.render.word_sheet import (
    PrintedSheet,
    Written,
    fill_circle,
    print_sheet,
    write_words,
    writing_places,
)
from vision.training.real_capitals import RealLetter, real_letters
from vision.training.report.failures import Failure, Part
from vision.training.report.page import Table

FORMS = (Form("A4"), Form("A5"), Form("Letter"), Form("A4", columns=3))
HARDNESS = (0.2, 1.0)
_CANCELLED = 0.04  # of the words
_SIZES = (0.55, 0.85)  # heights of real letters, in boxes
_WIDEST = 0.9
_LONG_SIDE = {"A4": 2400, "Letter": 2400, "A5": 1900}  # pixels of the photo

_TEXT = """\
Sheets of boxes (A4, A5, Letter, two and three columns, one in five printed grey), photographed by
the renderer: up to 32° aslant, folded, curled, any way up, in shadow, dim or blurred; no board is
known. *Taken out*: with the word taken out of the list another one is taken."""
_SETS = {
    "real": "photographed capitals of other people, each word of many hands and pens",
    "tidy": "tidy rendered hands",
    "hands": "rendered hands of every kind",
}

Photo = NDArray[np.uint8]
Writer = Callable[[PrintedSheet, Written, np.random.Generator], PrintedSheet]


@dataclass(frozen=True)
class Page:
    """A photo with its truth."""

    photo: Photo
    label: Label
    words: Mapping[int, str]
    cancelled: frozenset[int]


@dataclass
class Counts:
    """Words by what became of them."""

    pages: int = 0
    unread: int = 0
    unnamed: int = 0
    words: int = 0
    right: int = 0
    asked: int = 0
    lost: int = 0
    silent: int = 0
    credits: int = 0
    bent: int = 0
    invented: int = 0
    seconds: list[float] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def writers(handwriting: Path) -> dict[str, Writer]:
    """Who fills the sheets; real hands where letters of them are in the folder."""
    rendered: dict[str, Writer] = {
        "tidy": partial(_rendered_hand, variety=0.1),
        "hands": partial(_rendered_hand, variety=0.5),
    }
    if not (handwriting / "letters.json").exists():
        return rendered
    by_sign: dict[str, list[RealLetter]] = {}
    for letter in real_letters(handwriting):
        by_sign.setdefault(letter.text, []).append(letter)
    return {"real": partial(_real_hand, letters=by_sign), **rendered}


def _rendered_hand(
    sheet: PrintedSheet, written: Written, rng: np.random.Generator, variety: float
) -> PrintedSheet:
    """The sheet, written on by one rendered hand."""
    return write_words(sheet, written, random_hand_of_writer(rng, variety), rng)


def _real_hand(
    sheet: PrintedSheet,
    written: Written,
    rng: np.random.Generator,
    letters: Mapping[str, Sequence[RealLetter]],
) -> PrintedSheet:
    """The sheet with photographed letters in its boxes, all of about one height."""
    pixels = sheet.pixels.astype(np.float32)
    size = rng.uniform(*_SIZES)
    for row, word in written.words.items():
        for place, sign in zip(writing_places(sheet.layout, row), word, strict=False):
            ink = letters[sign][int(rng.integers(len(letters[sign])))].ink
            high, wide = place.height * sheet.px_per_mm, place.width * sheet.px_per_mm
            zoom = min(size * high / ink.shape[0], _WIDEST * wide / ink.shape[1])
            drawn = cv2.resize(ink, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
            x, y = np.array(place.middle) * sheet.px_per_mm + rng.normal(0, 0.04, 2) * wide
            top, left = round(y - drawn.shape[0] / 2), round(x - drawn.shape[1] / 2)
            pixels[top : top + drawn.shape[0], left : left + drawn.shape[1]] *= drawn[..., None]
    taken = np.clip(pixels, 0, 255).astype(np.uint8)
    done = PrintedSheet(sheet.layout, taken, sheet.px_per_mm)
    for row in written.cancelled:
        fill_circle(done, row, random_hand_of_writer(rng, 0.3), rng)
    return done


def pages(
    writer: Writer, lexicon: Lexicon, count: int, hardness: tuple[float, float] = HARDNESS
) -> Iterator[Page]:
    """Photos of filled sheets, each of a seed of its own."""
    words = lexicon.words
    for number in range(count):
        rng = np.random.default_rng((20_26, number))
        form = FORMS[number % len(FORMS)]
        layout = layout_of(form)
        label = Label(f"Player {number}", f"Round {number % 7}", 1 + number % 2, 2)
        most = len(layout.rows[0].boxes)
        fitting = [word.upper() for word in rng.choice(words, 200) if 3 <= len(word) <= most]
        rows = rng.permutation(len(layout.rows))[: rng.integers(15, len(layout.rows) + 1)] + 1
        chosen = {int(row): fitting[k % len(fitting)] for k, row in enumerate(rows)}
        cancelled = frozenset(row for row in chosen if rng.random() < _CANCELLED)
        sheet = print_sheet(form, label, grey=number % 5 == 4)
        done = writer(sheet, Written(chosen, cancelled), rng)
        long = _LONG_SIDE[form.size]
        turn = float(rng.choice([0, 0, 90, 180, 270]))
        size = (long, long * 3 // 4) if turn in {90, 270} else (long * 3 // 4, long)
        view = PageView(size, rng.uniform(*hardness), turn)
        yield Page(photograph(done.pixels, rng, view=view).photo, label, chosen, cancelled)


def counted(photos: Iterable[Page], known: KnownWords, letters: BoxLetters) -> Counts:
    """Read pages and add them up."""
    counts = Counts()
    for page in photos:
        _count_page(counts, page, known, letters)
    return counts


def _count_page(counts: Counts, page: Page, known: KnownWords, letters: BoxLetters) -> None:
    counts.pages += 1
    counts.words += len(page.words)
    start = time.process_time()
    try:
        sheets = read_sheets(page.photo, letters)
    except VisionError as error:
        counts.unread += 1
        counts.asked += len(page.words)
        counts.failures.append(Failure(f"page {counts.pages}: {error}"))
        return
    counts.seconds.append(time.process_time() - start)
    sheet = sheets[0]
    counts.unnamed += sheet.label is None
    if sheet.label is not None and (sheet.label.player, sheet.label.round) != (
        page.label.player, page.label.round,
    ):  # fmt: skip
        counts.failures.append(Failure(f"page {counts.pages}: named {sheet.label}"))
        counts.silent += len(page.words)
        return
    _count_words(counts, page, sheet, known)


def _count_words(counts: Counts, page: Page, sheet: SheetReading, known: KnownWords) -> None:
    seen = {word.picture.line + 1: word for word in sheet.boxed}
    read = {row: read_word_among(word, known) for row, word in seen.items()}
    counts.bent += sum(
        _is_bent(seen[row], text, known) for row, text in page.words.items() if row in seen
    )
    for row, text in page.words.items():
        if row in sheet.lost:
            counts.lost += 1
        elif row in read:
            failure = _count_word(counts, text, read[row], known, struck=row in page.cancelled)
            if failure:
                told = f"page {counts.pages} row {row}: {failure}"
                counts.failures.append(Failure(told, seen[row].picture.picture))
        else:
            counts.silent += 1
            counts.failures.append(Failure(f"page {counts.pages} row {row}: {text} not seen"))
    for row, word in read.items():
        if row not in page.words and not word.doubtful:
            counts.invented += 1
            told = f"page {counts.pages} row {row}: {word.text} invented"
            counts.failures.append(Failure(told, seen[row].picture.picture))


def _count_word(
    counts: Counts, text: str, word: WordReading, known: KnownWords, *, struck: bool
) -> str:
    """Count a word; what is silently wrong about it."""
    if word.doubtful:
        counts.asked += 1
        return ""
    if word.struck == struck and (struck or word.text == text):
        counts.right += 1
        return ""
    credit = not word.struck and word.text in known
    counts.silent += 1
    counts.credits += credit
    what = f"{text} read {word.text} ({word.confidence:.3f})"
    return f"{what}{', cancelled' * struck}{', a false credit' * credit}"


def _is_bent(word: BoxedWord, text: str, known: KnownWords) -> bool:
    """Whether a word is taken for another one of the list, were it none itself."""
    letters = dict(known.letters)
    place = known.words[len(text)].index(text)
    others = known.words[len(text)][:place] + known.words[len(text)][place + 1 :]
    letters[len(text)] = np.delete(letters[len(text)], place, axis=0)
    lacking = KnownWords({**known.words, len(text): others}, letters, known.scoring)
    reading = read_word_among(word, lacking)
    return not reading.doubtful and not reading.struck and reading.text in lacking


def table(counts: Mapping[str, Counts]) -> Table:
    """A line a set of sheets."""
    header = (
        "set", "pages", "unread", "unnamed", "words", "right", "asked", "lost", "silently wrong",
        "false credits", "taken out: credits", "invented", "s a page", "slowest",
    )  # fmt: skip
    rows = tuple((name, *_cells(each)) for name, each in counts.items())
    return Table("Printed sheets", _TEXT, header, rows)


def part(name: str, counts: Counts) -> Part:
    """The part of the report about a set of sheets."""
    figures = replace(table({name: counts}), title=f"Printed sheets: {_SETS[name]}")
    return Part(f"sheets-{name}", figures, tuple(counts.failures), ours=name != "real")


def _cells(counts: Counts) -> Iterator[str]:
    yield from map(str, (counts.pages, counts.unread, counts.unnamed, counts.words))
    for share in (counts.right, counts.asked, counts.lost):
        yield f"{share / max(counts.words, 1):.2%}"
    yield from map(str, (counts.silent, counts.credits, counts.bent, counts.invented))
    seconds = counts.seconds or [0.0]
    yield f"{np.median(seconds):.2f}"
    yield f"{max(seconds):.2f}"
