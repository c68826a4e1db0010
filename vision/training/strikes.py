"""``python -m vision.training.strikes FONTS``: fits how it is weighed that a word is crossed out.

It draws words in handwriting fonts, a page by each writer, crosses each out in every way, and fits
a logistic regression: is it crossed out?
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from scoring.lexicon import builtin_lexicon
from vision.paper.strikes import Marks, Mask, marks_on, usual_of
from vision.render.crossings import CROSSINGS, Crossing, crossing_strokes
from vision.training.odds import fitted_odds
from vision.training.written_words import (
    given_fonts,
    random_word,
    random_writer,
    words_by_length,
)

_WORDS = 10  # of a page that is drawn
_SEEN = (1, 3, 8, 10, 10)  # of them, of which what is usual is known
_SHARE = 0.25  # of words that are crossed out, as the fit counts them: more are asked about
_MARGIN_PX = 12  # around a word, for strokes that reach beyond it
_LETTER = 0.7  # heights of a word that its capitals are high, in the middle
_PEN = 0.8  # of the strokes' thickness: that of a stroke which crosses out

app = typer.Typer(help="Fits how it is weighed that a word is crossed out.")
console = Console(stderr=True)


@dataclass(frozen=True)
class Example:
    """A word plain and crossed out.

    Attributes:
        plain: what may tell that it is crossed out, where it is not.
        crossed: the same for each way in which it is.
    """

    plain: Marks
    crossed: tuple[Marks, ...]


@app.command()
def fit(
    fonts: Annotated[Path, typer.Argument(help="Folder with handwriting fonts, below it too.")],
    *,
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("strikes.json"),
    pages: Annotated[int, typer.Option(help="Pages of ten words to draw.")] = 110,
    seed: Annotated[int, typer.Option(help="Of the words and how they are drawn.")] = 1,
) -> None:
    """Draw, cross out, fit, and write."""
    files = given_fonts(fonts)
    rng = np.random.default_rng(seed)
    cases = [case for page in _pages(files, pages, rng) for case in _cases(page, rng)]
    struck = np.array([struck for _, struck in cases])
    counts = np.where(struck, _SHARE / struck.mean(), (1 - _SHARE) / (1 - struck.mean()))
    odds = fitted_odds(np.array([features for features, _ in cases]), struck, counts)
    told = {
        "command": f"python -m vision.training.strikes FONTS --pages {pages} --seed {seed}",
        "fonts": len(files),
        "odds": [round(float(value), 4) for value in odds],
    }
    out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def ink_of(picture: NDArray[np.uint8]) -> Mask:
    """Where there is ink in a grey picture (height, width), with room around it."""
    middle, _ = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return np.pad(picture < middle, _MARGIN_PX)


def crossed_out(ink: Mask, kind: Crossing, thickness: float, rng: np.random.Generator) -> Mask:
    """A word (height, width) with the strokes that cross it out.

    Args:
        ink: of the word.
        kind: how it is crossed out.
        thickness: of its strokes, pixels.
        rng: of the strokes.
    """
    y, x = np.nonzero(ink)
    box = (float(x.min()), float(y.min()), float(x.max()), float(y.max()))
    mask = ink.astype(np.uint8)
    pen = max(1, round(_PEN * thickness))
    for stroke in crossing_strokes(kind, box, _LETTER * (box[3] - box[1]), rng):
        points = stroke.round().astype(np.int32)
        cv2.polylines(mask, [points], isClosed=False, color=(1,), thickness=pen)
    return mask > 0


def _pages(
    fonts: Sequence[Path], count: int, rng: np.random.Generator
) -> Iterator[Sequence[Example]]:
    by_length = words_by_length(builtin_lexicon().words)
    for _ in track(range(count), "drawing", console=console):
        writer = random_writer(fonts, rng)
        pictures = [writer.write(random_word(by_length, rng), rng) for _ in range(_WORDS)]
        yield [_example(ink_of(picture), rng) for picture in pictures if picture is not None]


def _example(ink: Mask, rng: np.random.Generator) -> Example:
    plain = marks_on(ink)
    masks = [crossed_out(ink, kind, plain.thickness, rng) for kind in CROSSINGS]
    return Example(plain, tuple(marks_on(mask) for mask in masks))


def _cases(
    page: Sequence[Example], rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.float64], bool]]:
    """What the odds depend on, of every word plain and crossed out, and which of both it is."""
    for place, example in enumerate(page):
        others = [other.plain for other in (*page[:place], *page[place + 1 :])]
        for marks in (example.plain, *example.crossed):
            seen = rng.permutation(len(others))[: int(rng.choice(_SEEN)) - 1].tolist()
            usual = usual_of([marks, *(others[at] for at in seen)])
            yield marks.features(usual), marks is not example.plain


if __name__ == "__main__":
    app()
