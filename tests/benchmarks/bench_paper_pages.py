"""Words of real and rendered pages: gaps and boxes right, crossed out words told, time, memory.

Run: ``.venv/bin/python tests/benchmarks/bench_paper_pages.py [real] [strikes] [rendered] [words]
[printed] [time]``; all six without arguments. The evaluation pages must lie at
``../shared/data/handwriting``. What is printed is read by both engines, in the fonts of the system.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from firmware_host.printed_words import PrintedWords
from firmware_host.tesseract import TesseractError
from scoring.lexicon import builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.errors import VisionError
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.find import find_words
from vision.paper.legible import legibilities
from vision.paper.order import Page
from vision.paper.ppocr import ENGLISH, PpOcr, RecogniserError
from vision.paper.printed import is_printed
from vision.paper.reading import WordImage, WordReading
from vision.paper.recogniser import Recogniser
from vision.paper.recut import recut
from vision.paper.strikes import Marks, Mask, marks_on, usual_of
from vision.render.crossings import CROSSINGS, Crossing
from vision.render.page_photo import PageShot, PageView, photograph
from vision.render.typed_page import random_print, type_page
from vision.render.written_page import (
    Layout,
    Paper,
    Script,
    WrittenPage,
    random_page_style,
    write_page,
)
from vision.training.strikes import crossed_out, ink_of
from vision.training.word_boards import best_on_board, board_with

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
SCRIPTS: tuple[Script, ...] = ("capitals", "print", "joined")
PAPERS: tuple[Paper, ...] = ("plain", "ruled", "squared")
TEXTS = [
    "tone", "notes", "stone", "ales", "late", "steal", "rate", "tear", "crate", "train", "rain",
    "line", "nail", "slate", "quiet", "query", "jumpy", "fizzy", "gypsy", "hello", "felt", "milk",
]  # fmt: skip
LAYOUTS: dict[str, Layout] = {
    "list": Layout(),
    "rows": Layout(),
    "columns": Layout(columns=3),
    "numbers": Layout(marks="numbers"),
    "bullets": Layout(marks="bullets"),
    "crossed": Layout(crossed={(2, 0): "line", (5, 0): "scribble", (9, 0): "line"}),
    "inserted": Layout(inserted={3: "rate", 8: "tear"}),
}
ROUNDS = 1  # pages of every script, paper and layout
BOARDS = 5  # on which each word of the composed pages is read
MOST_LOST = 0.5  # of a word's box may be white around it

TYPED = 12  # pages of print
FONTS = (
    "DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf", "LiberationSans-Regular.ttf",
    "LiberationSerif-Regular.ttf", "LiberationMono-Regular.ttf", "Carlito-Regular.ttf",
    "Caladea-Regular.ttf", "Inter-Regular.otf", "Lato-Regular.ttf", "Courier Prime.otf",
)  # fmt: skip

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


def real_pages(console: Console) -> None:
    """Gaps and strikes of the evaluation pages."""
    table = Table("page", "words", "written", "gaps wrong", "crossed", "told", "plain told", "s")
    totals: Counter[tuple[str, str]] = Counter()
    for name in ("pages_composite.json", "pages.json"):
        for entry in json.loads((HANDWRITING / name).read_text("utf-8")):
            if entry["kind"].startswith("scan"):
                continue  # running text: its stops stand apart as words in the transcript
            row = _real_page(entry, name, totals)
            table.add_row(entry["id"], *map(str, row))
    console.print(table)
    for kind in ("pages_composite.json", "pages.json"):
        right, wrong = totals[kind, "right"], totals[kind, "wrong"]
        console.print(f"{kind}: {right} of {right + wrong} gaps and ends right")


def _real_page(entry: dict[str, Any], name: str, totals: Counter[tuple[str, str]]) -> list[object]:
    photo = _loaded(HANDWRITING / str(entry["file"]))
    start = time.process_time()
    (page,) = find_words(photo)
    seconds = time.process_time() - start
    lines = [line.split() for line in entry["lines"]]
    crossed = entry.get("crossed", [])
    if crossed or name == "pages_composite.json":
        gaps = _list_gaps(page, sum(map(len, lines)) + len(crossed))
    else:
        gaps = _page_gaps(page, lines)
    totals[name, "right"] += gaps.right
    totals[name, "wrong"] += gaps.wrong
    struck = len(crossed) + sum(line.count("##") for line in lines)
    told = sum(word.struck >= 0.5 for word in page.words)
    written = sum(map(len, lines)) + len(crossed)
    found = min(told, struck)
    return [len(page.words), written, gaps.wrong, struck, found, told - found, round(seconds, 2)]


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


def strikes(console: Console) -> None:
    """Real words as they are, and crossed out in every way."""
    entries = json.loads((HANDWRITING / "words.json").read_text("utf-8"))
    entries += json.loads((HANDWRITING / "words_caps_composite.json").read_text("utf-8"))
    rng = np.random.default_rng(3)
    chosen = [entries[place] for place in rng.choice(len(entries), 400, replace=False).tolist()]
    words = [(entry["group"], _ink_of(HANDWRITING / entry["file"])) for entry in chosen]
    groups: dict[str, list[Marks]] = {}
    for group, ink in words:
        groups.setdefault(group, []).append(marks_on(ink))
    usual = {group: usual_of(marks) for group, marks in groups.items()}
    table = Table("real words", "hand", "n", "asked: 0.2", "0.5", "told: 0.8")
    for name, hand in HANDS.items():
        own = [(group, ink) for group, ink in words if hand(group)]
        for kind in (None, *CROSSINGS):
            struck = [_struck(ink, kind, usual[group], rng) for group, ink in own]
            shares = [f"{np.mean(np.array(struck) >= level):.1%}" for level in (0.2, 0.5, 0.8)]
            table.add_row(kind or "plain", name, str(len(own)), *shares)
    console.print(table)


HANDS: dict[str, Callable[[str], bool]] = {
    "capitals": lambda group: group == "caps",
    "joined": lambda group: group != "caps",
}


def _struck(ink: Mask, kind: Crossing | None, usual: Marks, rng: np.random.Generator) -> float:
    mask = crossed_out(ink, kind, usual.thickness, rng) if kind else ink
    return marks_on(mask).struck(usual)


def _ink_of(path: Path) -> Mask:
    return ink_of(np.ascontiguousarray(_loaded(path).min(axis=2)))


def rendered(console: Console) -> None:
    """Boxes of rendered pages of every script, paper and layout."""
    totals: dict[str, Counter[str]] = {}
    for names, page, shot in _cases():
        result = _judged(page, shot)
        for name in (*names, "all"):
            totals.setdefault(name, Counter()).update(result)
    table = Table("rendered", "words", "box right", "not written", "crossed told", "plain told")
    for name, counts in totals.items():
        share = f"{counts['right'] / counts['words']:.1%}"
        crossed = f"{counts['crossed told']} of {counts['crossed']}"
        table.add_row(
            name, str(counts["words"]), share, str(counts["extra"]), crossed,
            str(counts["plain told"]),
        )  # fmt: skip
    console.print(table)


def _cases() -> Iterator[tuple[tuple[str, ...], WrittenPage, PageShot]]:
    for seed in range(ROUNDS):
        for script in SCRIPTS:
            for paper in PAPERS:
                for layout in LAYOUTS:
                    rng = np.random.default_rng([seed, len(script), len(paper), len(layout)])
                    page = _written(script, paper, layout, rng)
                    view = PageView(hardness=float(rng.uniform(0.1, 0.8)))
                    yield (script, paper, layout), page, photograph(page.pixels, rng, view=view)


def _written(script: Script, paper: Paper, layout: str, rng: np.random.Generator) -> WrittenPage:
    style = random_page_style(rng, script, paper, lines=24 if layout == "rows" else 16)
    across = 5 if layout == "rows" else 1
    count = 36 if layout == "columns" else 14
    lines = [
        [TEXTS[place] for place in rng.integers(len(TEXTS), size=across)] for _ in range(count)
    ]
    return write_page(lines, style, rng, LAYOUTS[layout])


def _judged(page: WrittenPage, shot: PageShot) -> Counter[str]:
    try:
        found = [word for each in find_words(shot.photo) for word in each.words]
    except VisionError:
        found = []
    boxes = [np.array(word.quad_px, np.float32) for word in found]
    result = Counter({"words": len(page.words)})
    taken = set()
    for word in page.words:
        place = _match(shot.to_photo(word.corners).astype(np.float32), boxes)
        told = place is not None and found[place].struck >= 0.5
        result["right"] += place is not None
        result["crossed"] += word.crossing is not None
        result["crossed told" if word.crossing else "plain told"] += told
        taken.add(place)
    result["extra"] = len(boxes) - len(taken - {None})
    return result


def _match(corners: NDArray[np.float32], boxes: Sequence[NDArray[np.float32]]) -> int | None:
    hull = cv2.convexHull(corners)
    for place, box in enumerate(boxes):
        common, _ = cv2.intersectConvexConvex(hull, cv2.convexHull(box))
        if common > 0.8 * cv2.contourArea(hull) and common > MOST_LOST * cv2.contourArea(box):
            return place
    return None


def composed(console: Console) -> None:
    """Words of the composed pages as they are read: under the word list, and each on boards."""
    recogniser = PpOcr(ENGLISH)
    lexicon = builtin_lexicon()
    known = Candidates.of(lexicon.words, ENGLISH)
    rng = np.random.default_rng(3)
    listed, boarded, best = Counter[str](), Counter[str](), 0
    for entry in json.loads((HANDWRITING / "pages_composite.json").read_text("utf-8")):
        photo = _loaded(HANDWRITING / str(entry["file"]))
        pages = find_words(photo, partial(legibilities, recogniser))
        plain = [word for page in pages for word in page.words if word.struck < 0.5]
        texts = [word for line in entry["lines"] for word in line.split()]
        readings = list(read_words(plain, recogniser, known))
        for place, text in _paired([one.text for one in readings], texts):
            if place is None:
                listed["missed"] += 1
                boarded["missed"] += BOARDS
                continue
            listed[_fate(text, readings[place])] += 1
            picture = plain[place].picture
            first, second = recogniser.looks([picture, recut(picture)])
            for _ in range(BOARDS):
                board = board_with(text, rng)
                words = {one.word for one in solve(board, lexicon, game("boggle")).words}
                on_board = known.on(board, words | {text})
                (reading,) = read_words([plain[place]], recogniser, on_board)
                boarded[_fate(text, reading)] += 1
                best += best_on_board(first, second, on_board) == text.upper()
    table = Table("composed pages", "words", "right", "right or asked", "silently wrong", "missed")
    for name, fates in (("word list", listed), ("boards", boarded)):
        right = fates["right"] + fates["right, asked"]
        shares = [f"{count / fates.total():.1%}" for count in (right, right + fates["asked"])]
        table.add_row(name, str(fates.total()), *shares, str(fates["silent"]), str(fates["missed"]))
    console.print(table)
    console.print(f"the likeliest of the board's words: {best / boarded.total():.1%}")


def _paired(read: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[int | None, str]]:
    """The place of each written word among those that were found, None where it was not."""
    upper = [text.upper() for text in texts]
    for _, i, end, j, stop in SequenceMatcher(None, read, upper, autojunk=False).get_opcodes():
        for offset, text in enumerate(texts[j:stop]):
            yield (i + offset if i + offset < end else None), text.lower()


def _fate(text: str, reading: WordReading) -> str:
    if reading.text == text.upper():
        return "right, asked" if reading.doubtful else "right"
    return "asked" if reading.doubtful else "silent"


def printed(console: Console) -> None:
    """Words of typed lists, photographed: what each engine reads, with the words known and not."""
    texts, images, told = _typed_words()
    console.print(f"{told} of {TYPED} pages of print are told from handwriting")
    words = builtin_lexicon().words
    known = Candidates.of(words, ENGLISH)
    unknown = Candidates.of(set(words) - {text.lower() for text in texts}, ENGLISH)
    table = Table(f"{len(images)} printed words", "known", "right", "asked", "silent", "credit")
    for name, make in (("net", PpOcr), ("Tesseract", PrintedWords)):
        try:
            engine: Recogniser = make(ENGLISH)
        except (RecogniserError, TesseractError) as error:
            console.print(f"left out: {error}. {error.advice}")
            continue
        for kind, candidates in (("yes", known), ("taken out", unknown)):
            readings = list(read_words(images, engine, candidates))
            table.add_row(name, kind, *_outcomes(texts, readings, candidates))
    console.print(table)


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


def _typed_words() -> tuple[list[str], list[WordImage], int]:
    """Words of typed pages with their pictures, and how many of the pages look printed."""
    fonts = [path for name in FONTS for path in sorted(Path("/usr/share/fonts").rglob(name))]
    words = builtin_lexicon().words
    texts, images, told = [], [], 0
    for number in range(TYPED):
        rng = np.random.default_rng([5, number])
        style = random_print(rng, [str(path) for path in fonts])
        cases = (str.lower, str.upper, str.title)
        lines = [[cases[number % 3](word)] for word in rng.choice(words, 30) if len(word) < 10]
        page = type_page(lines, style)
        size = (1800, 2400) if number % 2 else (1200, 1600)
        shot = photograph(page.pixels, rng, view=PageView(size, float(rng.uniform(0.1, 1.0))))
        found = [word for each in find_words(shot.photo) for word in each.words]
        told += is_printed([word.picture for word in found])
        boxes = [np.array(word.quad_px, np.float32) for word in found]
        for word in page.words:
            place = _match(shot.to_photo(word.corners).astype(np.float32), boxes)
            if place is not None:
                texts.append(word.text)
                images.append(found[place])
    return texts, images, told


def timed(console: Console) -> None:
    """Seconds on one core and memory for 40 words in a photo of 12 megapixels."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(5)
    style = random_page_style(rng, "print", "ruled")
    lines = [[TEXTS[place]] for place in rng.integers(len(TEXTS), size=40)]
    page = write_page(lines, style, rng, Layout(columns=2))
    large = cv2.resize(page.pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    view = PageView(size=(3024, 4032), hardness=0.4)
    photo = photograph(np.asarray(large, np.uint8), rng, view=view).photo
    seconds, count = [], 0
    for _ in range(5):
        start = time.process_time()
        count = sum(len(each.words) for each in find_words(photo))
        seconds.append(time.process_time() - start)
    console.print(f"{count} words, 12 megapixels: {np.median(seconds):.2f} s on one core")


def memory(console: Console) -> None:
    """Most memory of this process that finding words in 12 megapixels takes, libraries included."""
    photo = np.full((4032, 3024, 3), 90, np.uint8)
    photo[200:-200, 200:-200] = 240
    for row in range(24):
        cv2.putText(photo, "stone later", (400, 500 + 130 * row), 1, 6, (40, 40, 60), 8)
    find_words(photo)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"most memory, photo of 12 megapixels and libraries included: {peak:.0f} MB")


def _loaded(path: Path) -> Photo:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_BGR2RGB), np.uint8)


PARTS: dict[str, tuple[Callable[[Console], None], ...]] = {
    "real": (real_pages,),
    "strikes": (strikes,),
    "rendered": (rendered,),
    "words": (composed,),
    "printed": (printed,),
    "time": (memory, timed),
}


def main() -> None:
    """Print the figures of the parts that are named."""
    names = sys.argv[1:] or ["time", "real", "strikes", "rendered", "words", "printed"]
    console = Console()
    for name in names:
        for part in PARTS[name]:
            part(console)


if __name__ == "__main__":
    main()
