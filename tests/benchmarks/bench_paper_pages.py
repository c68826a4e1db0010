"""Words of real and rendered pages: gaps and boxes right, crossed out words told, time, memory.

Run: ``.venv/bin/python tests/benchmarks/bench_paper_pages.py [real] [strikes] [rendered] [words]
[printed] [time]``; all six without arguments. The evaluation pages must lie at
``../shared/data/handwriting``. What is printed is read by both engines, in the fonts of the system.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from firmware_host.printed_words import PrintedWords
from firmware_host.tesseract import TesseractError
from scoring.lexicon import builtin_lexicon
from vision.errors import VisionError
from vision.paper.find import find_words
from vision.paper.ppocr import ENGLISH, PpOcr, RecogniserError
from vision.paper.recogniser import Recogniser
from vision.render.page_photo import PageShot, PageView, photograph
from vision.render.written_page import (
    Layout,
    Paper,
    Script,
    WrittenPage,
    random_page_style,
    write_page,
)
from vision.training.report.failures import Part
from vision.training.report.paper_pages import composed as composed_pages
from vision.training.report.paper_pages import gaps, match
from vision.training.report.paper_pages import printed as printed_lists
from vision.training.report.paper_pages import strikes as crossed_words

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

TYPED = 12  # pages of print


def real_pages(console: Console) -> None:
    """Gaps and strikes of the evaluation pages."""
    _print(gaps(HANDWRITING), console)


def strikes(console: Console) -> None:
    """Real words as they are, and crossed out in every way."""
    _print(crossed_words(HANDWRITING), console)


def _print(part: Part, console: Console) -> None:
    console.print(part.table.markdown(), markup=False, highlight=False, soft_wrap=True)
    for failure in part.failures:
        console.print(failure.told, markup=False, highlight=False)


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
        place = match(shot.to_photo(word.corners).astype(np.float32), boxes)
        told = place is not None and found[place].struck >= 0.5
        result["right"] += place is not None
        result["crossed"] += word.crossing is not None
        result["crossed told" if word.crossing else "plain told"] += told
        taken.add(place)
    result["extra"] = len(boxes) - len(taken - {None})
    return result


def composed(console: Console) -> None:
    """Words of the composed pages as they are read: under the word list, and on a board each."""
    _print(composed_pages(PpOcr(ENGLISH), builtin_lexicon(), HANDWRITING), console)


def printed(console: Console) -> None:
    """Words of typed lists, photographed: what each engine reads, with the words known and not."""
    engines: dict[str, Recogniser] = {}
    for name, make in (("the net", PpOcr), ("Tesseract", PrintedWords)):
        try:
            engines[name] = make(ENGLISH)
        except (RecogniserError, TesseractError) as error:
            console.print(f"left out: {error}. {error.advice}")
    _print(printed_lists(engines, builtin_lexicon(), TYPED), console)


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
