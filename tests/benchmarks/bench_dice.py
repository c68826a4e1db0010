"""Dice in real photos as taken and altered, and rendered: throws exact, asked, silently wrong.

Run: ``.venv/bin/python tests/benchmarks/bench_dice.py [ALTERATION ...]``; ``rendered`` and
``beside_tray`` are alterations too. The evaluation photos must lie at ``../shared/data/dice``.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from scoring.board import Board
from vision.dice.read import read_dice
from vision.dice.reading import DiceReading
from vision.errors import NoDiceError
from vision.photo import load_reduced
from vision.render.dice import ThrowOptions, render_dice, render_dice_by_tray
from vision.render.tray import PhotoOptions

DICE = Path(__file__).parents[3] / "shared" / "data" / "dice"
RENDERED = 60

Photo = NDArray[np.uint8]
Throw = tuple[Photo, tuple[int, ...]]
"""A photo and its pips, sorted."""


@dataclass(frozen=True)
class Trial:
    """What one reading came to."""

    exact: bool
    asked: bool
    dice: int
    seconds: float


def turned(photo: Photo) -> Photo:
    """By 20 degrees, in a frame that grows with it."""
    height, width = photo.shape[:2]
    turn = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), 20, 1), np.float64)
    cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
    size = (int(height * sin + width * cos), int(height * cos + width * sin))
    turn[:, 2] += (np.array(size) - (width, height)) / 2
    return np.asarray(cv2.warpAffine(photo, turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def dark(photo: Photo) -> Photo:
    """A quarter of the light, with noise."""
    noise = np.random.default_rng(1).normal(0, 4, photo.shape)
    return np.clip(photo * 0.25 + noise, 0, 255).astype(np.uint8)


def bright(photo: Photo) -> Photo:
    """Overexposed by two thirds of a stop."""
    return np.asarray(cv2.convertScaleAbs(photo, alpha=1.6), np.uint8)


def gradient(photo: Photo) -> Photo:
    """Dark on the left, bright on the right."""
    slope = np.linspace(0.3, 1.2, photo.shape[1])[None, :, None]
    return np.clip(photo * slope, 0, 255).astype(np.uint8)


def blurred(photo: Photo) -> Photo:
    """Out of focus by a quarter percent of the longer side."""
    sigma = 0.0025 * max(photo.shape)
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma), np.uint8)


def scaled(factor: float) -> Callable[[Photo], Photo]:
    """A smaller photo."""

    def alter(photo: Photo) -> Photo:
        small = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    return alter


def grey(photo: Photo) -> Photo:
    """Without colour."""
    return np.repeat(cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2).astype(np.uint8)


ALTERATIONS: dict[str, Callable[[Photo], Photo]] = {
    "as_taken": lambda photo: photo,
    "turned_20": turned,
    "turned_90": lambda photo: np.ascontiguousarray(np.rot90(photo)),
    "dark": dark,
    "bright": bright,
    "gradient": gradient,
    "blurred": blurred,
    "half": scaled(0.5),
    "third": scaled(0.3),
    "grey": grey,
}


def real() -> Iterator[Throw]:
    """The evaluation photos."""
    for entry in json.loads((DICE / "dice.json").read_text("utf-8")):
        yield load_reduced(DICE / entry["file"]).pixels, tuple(entry["pips"])


def rendered() -> Iterator[Throw]:
    """Throws of one to six dice of any kind, to 35 degrees from above."""
    options = ThrowOptions(max_tilt=35.0, variety=0.5)
    for seed in range(RENDERED):
        rng = np.random.default_rng(10_000 + seed)
        pips = rng.integers(1, 7, rng.integers(1, 7)).tolist()
        yield render_dice(pips, rng, options).photo, tuple(sorted(pips))


def beside_tray() -> Iterator[Throw]:
    """Two dice beside a tray of letters."""
    options = PhotoOptions(size=(1600, 1200), share=(0.45, 0.55), variety=0.3, max_tilt=15.0)
    board = Board.parse("IETC/HQuPE/SEYH/TOER")
    for seed in range(RENDERED // 2):
        rng = np.random.default_rng(20_000 + seed)
        pips = rng.integers(1, 7, 2).tolist()
        yield render_dice_by_tray(board, pips, rng, options).photo, tuple(sorted(pips))


SETS: dict[str, Callable[[], Iterable[Throw]]] = {"rendered": rendered, "beside_tray": beside_tray}


def trial(photo: Photo, pips: tuple[int, ...]) -> Trial:
    """Read one photo."""
    start = time.process_time()
    reading = _read(photo)
    seconds = time.process_time() - start
    if reading is None:
        return Trial(exact=False, asked=True, dice=0, seconds=seconds)
    return Trial(reading.pips == pips, reading.doubtful, len(reading.dice), seconds)


def _read(photo: Photo) -> DiceReading | None:
    try:
        return read_dice(photo)
    except NoDiceError:
        return None


def trials(name: str) -> Iterator[Trial]:
    """All readings under an alteration, or of a set."""
    if name in SETS:
        yield from (trial(*throw) for throw in SETS[name]())
    else:
        yield from (trial(ALTERATIONS[name](photo), pips) for photo, pips in real())


def main(names: Sequence[str]) -> None:
    """Print a row for each alteration."""
    cv2.setNumThreads(1)
    table = Table("photos", "read", "exact", "and sure", "asked", "silent", "s median", "s worst")
    for name in names or [*ALTERATIONS, *SETS]:
        done = list(trials(name))
        seconds = [one.seconds for one in done]
        counts = (
            len(done),
            sum(one.exact for one in done),
            sum(one.exact and not one.asked for one in done),
            sum(one.asked for one in done),
            sum(not one.exact and not one.asked for one in done),
        )
        times = (f"{np.median(seconds):.2f}", f"{max(seconds):.2f}")
        table.add_row(name, *map(str, counts), *times)
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
