"""Whole pages of paper: words parted, crossed out ones told, composed and printed lists read."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.lexicon import Lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.find import find_words
from vision.paper.legible import legibilities
from vision.paper.order import Page
from vision.paper.ppocr import ENGLISH
from vision.paper.printed import is_printed
from vision.paper.reading import WordImage, WordReading
from vision.paper.recogniser import Recogniser
from vision.paper.recut import recut
from vision.paper.strikes import Marks, Mask, marks_on, usual_of
from vision.render.crossings import CROSSINGS, Crossing
from vision.render.page_photo import PageView, photograph
from vision.render.typed_page import random_print, type_page
from vision.training.report.failures import Failure, Part
from vision.training.report.page import Table
from vision.training.strikes import crossed_out, ink_of
from vision.training.word_boards import best_on_board, board_with

_MOST_LOST = 0.5  # of a word's box may be white around it
_FONTS = (
    "DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf", "LiberationSans-Regular.ttf",
    "LiberationSerif-Regular.ttf", "LiberationMono-Regular.ttf", "Carlito-Regular.ttf",
    "Caladea-Regular.ttf", "Inter-Regular.otf", "Lato-Regular.ttf", "Courier Prime.otf",
)  # fmt: skip
_GAPS = """\
Photos of other people's pages, and pages composed of their words, without a reader and without
corners set by hand. *Gaps wrong*: words split, joined, lost or invented."""
_STRIKES = """\
Words of other people as they are, and crossed out by drawn strokes in every way. A word is asked
about from 0.2 on, and crossed out from 0.8 on."""
_COMPOSED = """\
The pages of `pages_composite.json`, from the photo to the word, none cut out by hand."""
_PRINTED = """\
Rendered lists in print, photographed; once more with the printed words taken out of the list."""
_UNDER = ("the word list", "boards")
BOARDS = 5
"""On which each word of the composed pages is read."""
_HANDS: dict[str, Callable[[str], bool]] = {
    "capitals": lambda group: group == "caps",
    "joined": lambda group: group != "caps",
}

Photo = NDArray[np.uint8]


@dataclass(frozen=True)
class Gaps:
    """How the words of a line were parted.

    Attributes:
        right: gaps between words that were found, and none more.
        wrong: words split, joined, lost or invented.
    """

    right: int
    wrong: int


def gaps(folder: Path) -> Part:
    """Words and strikes of the pages of a folder of handwriting."""
    header = ("page", "words", "written", "gaps wrong", "crossed out", "told", "plain told", "s")
    rows, failures = [], []
    totals: Counter[tuple[str, str]] = Counter()
    for name in ("pages_composite.json", "pages.json"):
        for entry in json.loads((folder / name).read_text("utf-8")):
            if entry["kind"].startswith("scan"):
                continue  # running text: its stops stand apart as words in the transcript
            row = _page_row(entry, name, folder, totals)
            rows.append((str(entry["id"]), *map(str, row)))
            if row[2] or row[3] != row[4] or row[5]:
                failures.append(Failure(_told_page(str(entry["id"]), row)))
    shares = [
        f"{name}: {totals[name, 'right']} of "
        f"{totals[name, 'right'] + totals[name, 'wrong']} gaps and ends right."
        for name in ("pages_composite.json", "pages.json")
    ]
    text = "\n".join([_GAPS, "", *shares])
    return Part("gaps", Table("Words of pages", text, header, tuple(rows)), tuple(failures))


def _told_page(name: str, row: Sequence[float]) -> str:
    return (
        f"{name}: {row[2]} words split, joined, lost or invented; {row[4]} of {row[3]} crossed out "
        f"told, {row[5]} plain ones taken for such"
    )


def _page_row(
    entry: Mapping[str, Any], name: str, folder: Path, totals: Counter[tuple[str, str]]
) -> list[float]:
    photo = _loaded(folder / str(entry["file"]))
    start = time.process_time()
    (page,) = find_words(photo)
    seconds = time.process_time() - start
    lines = [line.split() for line in entry["lines"]]
    crossed = entry.get("crossed", [])
    if crossed or name == "pages_composite.json":
        found = _list_gaps(page, sum(map(len, lines)) + len(crossed))
    else:
        found = _page_gaps(page, lines)
    totals[name, "right"] += found.right
    totals[name, "wrong"] += found.wrong
    struck = len(crossed) + sum(line.count("##") for line in lines)
    told = sum(word.struck >= 0.5 for word in page.words)
    written = sum(map(len, lines)) + len(crossed)
    right = min(told, struck)
    return [len(page.words), written, found.wrong, struck, right, told - right, round(seconds, 2)]


def _list_gaps(page: Page, written: int) -> Gaps:
    """Of a list with a word a line: as many words as were written."""
    wrong = abs(len(page.words) - written)
    return Gaps(written - wrong, wrong)


def _page_gaps(page: Page, lines: Sequence[Sequence[str]]) -> Gaps:
    """Of rows of words, line by line in their order."""
    found: dict[int, list[float]] = {}
    for word in page.words:
        (left, top), (right, low), *_ = word.quad_px
        found.setdefault(word.line, []).append(float(np.hypot(right - left, low - top)))
    rows = list(found.values())
    if len(rows) != len(lines):  # a line was broken or lost: the words are taken in one row
        rows = [[width for row in rows for width in row]]
        lines = [[word for line in lines for word in line]]
    each = [_line_gaps(widths, words) for widths, words in zip(rows, lines, strict=True)]
    return Gaps(sum(gap.right for gap in each), sum(gap.wrong for gap in each))


def _line_gaps(widths: Sequence[float], words: Sequence[str]) -> Gaps:
    """The cheapest way to take the widths for the words: each one, two joined or two of one."""
    letter = sum(widths) / max(1, sum(map(len, words)))
    lengths = [letter * len(word) for word in words]
    cost = np.full((len(widths) + 1, len(lengths) + 1), np.inf)
    faults = np.zeros(cost.shape, int)
    cost[0, 0] = 0
    steps = ((1, 1, 0), (2, 1, 1), (1, 2, 1), (1, 0, 1), (0, 1, 1))
    for i in range(len(widths) + 1):
        for j in range(len(lengths) + 1):
            for di, dj, fault in steps:
                if i < di or j < dj:
                    continue
                off = abs(sum(widths[i - di : i]) - sum(lengths[j - dj : j])) / letter
                total = cost[i - di, j - dj] + off + 3 * fault
                if total < cost[i, j]:
                    cost[i, j], faults[i, j] = total, faults[i - di, j - dj] + fault
    wrong = int(faults[-1, -1])
    return Gaps(len(words) - wrong, wrong)


def strikes(folder: Path, words: int = 400) -> Part:
    """Real words as they are, and crossed out in every way."""
    entries = json.loads((folder / "words.json").read_text("utf-8"))
    entries += json.loads((folder / "words_caps_composite.json").read_text("utf-8"))
    rng = np.random.default_rng(3)
    chosen = rng.choice(len(entries), min(words, len(entries)), replace=False).tolist()
    taken = [(entries[at]["group"], entries[at]["text"], entries[at]["file"]) for at in chosen]
    inks = [(group, text, _ink_of(folder / file)) for group, text, file in taken]
    groups: dict[str, list[Marks]] = {}
    for group, _, ink in inks:
        groups.setdefault(group, []).append(marks_on(ink))
    usual = {group: usual_of(marks) for group, marks in groups.items()}
    rows, failures = [], []
    for name, hand in _HANDS.items():
        own = [each for each in inks if hand(each[0])]
        for kind in (None, *CROSSINGS):
            struck = [_struck(ink, kind, usual[group], rng) for group, _, ink in own]
            shares = [f"{np.mean(np.array(struck) >= level):.1%}" for level in (0.2, 0.5, 0.8)]
            rows.append((kind or "plain", name, str(len(own)), *shares))
            failures += [
                Failure(f"{text}, {name}, {kind or 'plain'}: {odds:.2f}", _shown(ink))
                for (_, text, ink), odds in zip(own, struck, strict=True)
                if (odds < 0.2 if kind else odds >= 0.8)
            ]
    header = ("real words", "hand", "n", "asked: 0.2", "0.5", "told: 0.8")
    table = Table("Crossed out words", _STRIKES, header, tuple(rows))
    return Part("strikes", table, tuple(failures))


def _struck(ink: Mask, kind: Crossing | None, usual: Marks, rng: np.random.Generator) -> float:
    mask = crossed_out(ink, kind, usual.thickness, rng) if kind else ink
    return marks_on(mask).struck(usual)


def _shown(ink: Mask) -> Photo:
    return np.where(ink, np.uint8(0), np.uint8(255))


def _ink_of(path: Path) -> Mask:
    return ink_of(np.ascontiguousarray(_loaded(path).min(axis=2)))


@dataclass(frozen=True, eq=False)
class _Read:
    """A word of a composed page.

    Attributes:
        page: its name.
        text: what is written.
        picture: of the word; None where it was not found.
        listed: the reading under the word list; None where it was not found.
        boarded: and on each of `BOARDS` boards.
        best: on how many of them it is the likeliest of the board's words.
    """

    page: str
    text: str
    picture: Photo | None = None
    listed: WordReading | None = None
    boarded: tuple[WordReading | None, ...] = (None,) * BOARDS
    best: int = 0

    @property
    def readings(self) -> dict[str, tuple[WordReading | None, ...]]:
        """All of them, by what it was read under."""
        return dict(zip(_UNDER, ((self.listed,), self.boarded), strict=True))


def composed(recogniser: Recogniser, lexicon: Lexicon, folder: Path) -> Part:
    """Words of the composed pages as they are read: under the word list, and each on boards."""
    known = Candidates.of(lexicon.words, ENGLISH)
    rng = np.random.default_rng(3)
    entries = json.loads((folder / "pages_composite.json").read_text("utf-8"))
    start = time.process_time()
    read = [
        word
        for entry in entries
        for word in _composed_page(entry, folder, (recogniser, lexicon, known), rng)
    ]
    seconds = (time.process_time() - start) / len(entries)
    best = sum(word.best for word in read) / (len(read) * BOARDS)
    text = (
        f"{_COMPOSED} The likeliest of the board's words is the written one for {best:.1%}. A page "
        f"takes {seconds:.2f} s of the processor, both readings and the search of each board "
        "included."
    )
    header = ("under", "words", "right", "right or asked", "silently wrong", "missed")
    rows = tuple(
        (name, *_fates(Counter(_fate(w.text, one) for w in read for one in w.readings[name])))
        for name in _UNDER
    )
    failures = tuple(failure for word in read for failure in _composed_failures(word))
    return Part("composed", Table("Composed pages", text, header, rows), failures)


def _composed_page(
    entry: Mapping[str, Any],
    folder: Path,
    by: tuple[Recogniser, Lexicon, Candidates],
    rng: np.random.Generator,
) -> Iterator[_Read]:
    """The words of a page, in the order in which they are written."""
    recogniser, _, known = by
    photo, name = _loaded(folder / str(entry["file"])), str(entry["id"])
    pages = find_words(photo, partial(legibilities, recogniser))
    plain = [word for page in pages for word in page.words if word.struck < 0.5]
    readings = list(read_words(plain, recogniser, known))
    texts = [word for line in entry["lines"] for word in line.split()]
    for place, text in _paired([one.text for one in readings], texts):
        if place is None:
            yield _Read(name, text)
            continue
        picture = plain[place].picture
        first, second = recogniser.looks([picture, recut(picture)])
        boards = [_on_board(text, by, rng) for _ in range(BOARDS)]
        boarded = tuple(
            reading for on in boards for reading in read_words([plain[place]], recogniser, on)
        )
        best = sum(best_on_board(first, second, on) == text.upper() for on in boards)
        yield _Read(name, text, picture, readings[place], boarded, best)


def _on_board(
    text: str, by: tuple[Recogniser, Lexicon, Candidates], rng: np.random.Generator
) -> Candidates:
    """What may be written on a board that has the word."""
    _, lexicon, known = by
    board = board_with(text, rng)
    words = {one.word for one in solve(board, lexicon, game("boggle")).words}
    return known.on(board, words | {text})


def _composed_failures(word: _Read) -> Iterator[Failure]:
    if word.picture is None:
        yield Failure(f"{word.page}: {word.text} missed")
    for under, readings in word.readings.items():
        taken = {one.text for one in readings if one and _fate(word.text, one) == "silent"}
        for text in sorted(taken):
            told = f"{word.page}, under {under}: {word.text} read as {text.lower()}, taken"
            yield Failure(told, word.picture)


def _fates(counts: Counter[str]) -> tuple[str, ...]:
    right = counts["right"] + counts["right, asked"]
    shares = [f"{count / counts.total():.1%}" for count in (right, right + counts["asked"])]
    return str(counts.total()), *shares, str(counts["silent"]), str(counts["missed"])


def _paired(read: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[int | None, str]]:
    """The place of each written word among those that were found, None where it was not."""
    upper = [text.upper() for text in texts]
    for _, i, end, j, stop in SequenceMatcher(None, read, upper, autojunk=False).get_opcodes():
        for offset, text in enumerate(texts[j:stop]):
            yield (i + offset if i + offset < end else None), text.lower()


def _fate(text: str, reading: WordReading | None) -> str:
    if reading is None:
        return "missed"
    if reading.text == text.upper():
        return "right, asked" if reading.doubtful else "right"
    return "asked" if reading.doubtful else "silent"


def printed(engines: Mapping[str, Recogniser], lexicon: Lexicon, count: int) -> Part:
    """Words of typed lists, photographed: what each engine reads, with the words known and not.

    Args:
        engines: by name.
        lexicon: the word list.
        count: of pages.
    """
    texts, images, told = _typed_words(lexicon, count)
    known = Candidates.of(lexicon.words, ENGLISH)
    unknown = Candidates.of(set(lexicon.words) - {text.lower() for text in texts}, ENGLISH)
    rows, failures = [], []
    for name, engine in engines.items():
        for kind, candidates in (("in the list", known), ("taken out", unknown)):
            readings = list(read_words(images, engine, candidates))
            rows.append((name, kind, *_outcomes(texts, readings, candidates)))
            failures += [
                Failure(f"{name}, {kind}: {text} read as {one.text}, taken", image.picture)
                for text, one, image in zip(texts, readings, images, strict=True)
                if text.upper() != one.text and not one.doubtful
            ]
    text = f"{_PRINTED} {len(images)} words; {told} of {count} pages look printed."
    header = ("engine", "words", "right", "asked", "silently wrong", "of these words of the list")
    table = Table("Printed lists", text, header, tuple(rows))
    return Part("printed", table, tuple(failures), ours=True)


def _outcomes(
    texts: Sequence[str], readings: Sequence[WordReading], candidates: Candidates
) -> tuple[str, str, str, str]:
    """Shares right and asked, silent errors, and those that are words of the list."""
    right = [text.upper() == one.text for text, one in zip(texts, readings, strict=True)]
    asked = [one.doubtful for one in readings]
    silent = [
        one.text for one, fine in zip(readings, right, strict=True) if not fine and not one.doubtful
    ]
    credit = sum(text in candidates.lexicon for text in silent)
    return f"{np.mean(right):.1%}", f"{np.mean(asked):.1%}", str(len(silent)), str(credit)


def _typed_words(lexicon: Lexicon, count: int) -> tuple[list[str], list[WordImage], int]:
    """Words of typed pages with their pictures, and how many of the pages look printed."""
    fonts = [path for name in _FONTS for path in sorted(Path("/usr/share/fonts").rglob(name))]
    texts, images, told = [], [], 0
    for number in range(count):
        rng = np.random.default_rng([5, number])
        style = random_print(rng, [str(path) for path in fonts])
        cases = (str.lower, str.upper, str.title)
        chosen = rng.choice(lexicon.words, 30)
        page = type_page([[cases[number % 3](word)] for word in chosen if len(word) < 10], style)
        size = (1800, 2400) if number % 2 else (1200, 1600)
        shot = photograph(page.pixels, rng, view=PageView(size, float(rng.uniform(0.1, 1.0))))
        found = [word for each in find_words(shot.photo) for word in each.words]
        told += is_printed([word.picture for word in found])
        boxes = [np.array(word.quad_px, np.float32) for word in found]
        for word in page.words:
            place = match(shot.to_photo(word.corners).astype(np.float32), boxes)
            if place is not None:
                texts.append(word.text)
                images.append(found[place])
    return texts, images, told


def match(corners: NDArray[np.float32], boxes: Sequence[NDArray[np.float32]]) -> int | None:
    """Which of some boxes holds a word: four fifths of its own box, and not much besides."""
    hull = cv2.convexHull(corners)
    for place, box in enumerate(boxes):
        common, _ = cv2.intersectConvexConvex(hull, cv2.convexHull(box))
        if common > 0.8 * cv2.contourArea(hull) and common > _MOST_LOST * cv2.contourArea(box):
            return place
    return None


def _loaded(path: Path) -> Photo:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_BGR2RGB), np.uint8)
