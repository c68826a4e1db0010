"""Written boards of Swoggle: letters right, asked and silently wrong, rendered and real hands.

Run: ``.venv/bin/python tests/benchmarks/bench_swoggle.py [SET ...]``. The sets of real letters need
``../shared/data/handwriting``; their boards, light and camera are rendered.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from firmware_host.swoggle_camera import printed_board
from scoring.swoggle.board import builtin_layout
from vision.errors import NoSwoggleBoardError
from vision.render.handwriting import CAPITALS, random_hand_of_writer
from vision.render.written_board import (
    Sheet,
    ViewOptions,
    photograph_sheet,
    print_board,
    random_style,
    write_on,
)
from vision.swoggle.capitals import CapitalClassifier
from vision.swoggle.printed import Cell
from vision.swoggle.read import read_board
from vision.swoggle.reading import EMPTY, BoardReading
from vision.training.real_capitals import RealLetter, real_letters, with_letters

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
BOARD = printed_board(builtin_layout())
BOARDS = 10
WRITTEN = 0.35  # of the squares, at most

Signs = Mapping[Cell, str]
Photo = NDArray[np.uint8]
Written = tuple[Photo, Signs]

GOOD = ViewOptions(size=(2000, 1500), max_tilt=20.0, share=(0.8, 0.98), variety=0.2)
ANY = replace(GOOD, max_tilt=40.0, yaw=(-180.0, 180.0), share=(0.65, 0.98), variety=0.6, busy=0.3)
VIEWS = {
    "good": GOOD,
    "any": ANY,
    "hard": replace(ANY, max_tilt=45.0, variety=1.0, busy=0.6),
    "small": replace(ANY, size=(1600, 1200), share=(0.4, 0.55), variety=0.3),
    "cut off": replace(GOOD, share=(1.05, 1.2), shift=0.1),
}
HANDS = {"good": 0.2, "any": 0.6, "hard": 1.0, "small": 0.3, "cut off": 0.3}


@dataclass
class Tally:
    """What the readings of a set came to."""

    boards: int = 0
    missed: int = 0
    letters: int = 0
    right: int = 0
    letters_asked: int = 0
    empty: int = 0
    empty_asked: int = 0
    silent: int = 0
    boards_silent: int = 0

    def add(self, reading: BoardReading, signs: Signs) -> None:
        """Count a reading whose truth is known."""
        squares = reading.squares.items()
        self.letters += len(signs)
        self.empty += len(squares) - len(signs)
        self.right += sum(square.sign == signs[cell] for cell, square in squares if cell in signs)
        self.letters_asked += sum(cell in signs for cell in reading.doubtful)
        self.empty_asked += sum(cell not in signs for cell in reading.doubtful)
        silent = sum(
            square.sign != signs.get(cell, EMPTY) and not square.doubtful
            for cell, square in squares
        )
        self.silent += silent
        self.boards_silent += silent > 0


def chosen_cells(rng: np.random.Generator) -> list[Cell]:
    """Squares that are written on; the cross is one of them, as the rules have it."""
    free = [cell for cell in BOARD.open if not BOARD[cell].cross]
    count = int(rng.uniform(0.05, WRITTEN) * len(free))
    crosses = [cell for cell in BOARD.open if BOARD[cell].cross]
    return [*crosses, *(free[place] for place in rng.permutation(len(free))[:count])]


def rendered(kind: str) -> Iterator[Written]:
    """Boards with rendered letters."""
    for seed in range(BOARDS):
        rng = np.random.default_rng((40_000, seed))
        signs = {cell: list(CAPITALS)[rng.integers(26)] for cell in chosen_cells(rng)}
        hand = random_hand_of_writer(rng, HANDS[kind])
        yield (
            taken(write_on(print_board(BOARD, random_style(rng)), signs, hand, rng), rng, kind),
            signs,
        )


def real(kind: str, letters: Sequence[RealLetter]) -> Iterator[Written]:
    """Boards with photographed letters, the cross left free; each letter comes about once."""
    for seed in range(BOARDS):
        rng = np.random.default_rng((50_000, seed))
        cells = [cell for cell in chosen_cells(rng) if not BOARD[cell].cross]
        written = {cell: letters[int(rng.integers(len(letters)))] for cell in cells}
        sheet = with_letters(print_board(BOARD, random_style(rng)), written, rng)
        yield taken(sheet, rng, kind), {cell: letter.text for cell, letter in written.items()}


def taken(sheet: Sheet, rng: np.random.Generator, kind: str) -> Photo:
    """A photo of a sheet."""
    return photograph_sheet(sheet, BOARD, rng, VIEWS[kind]).photo


def sets() -> dict[str, Callable[[], Iterator[Written]]]:
    """All sets that can be read here."""
    found: dict[str, Callable[[], Iterator[Written]]] = {
        kind: partial(rendered, kind) for kind in VIEWS
    }
    if (HANDWRITING / "letters.json").exists():
        letters = real_letters(HANDWRITING)
        found |= {f"real hands, {kind}": partial(real, kind, letters) for kind in ("good", "any")}
    return found


def main(names: Sequence[str]) -> None:
    """Print a row for each set."""
    cv2.setNumThreads(1)
    classifier = CapitalClassifier()
    table = Table(
        "set", "boards", "not found", "letters", "right", "asked", "empty", "asked",
        "silent", "in boards", "s median", "s worst",
    )  # fmt: skip
    for name, photos in sets().items():
        if names and name not in names:
            continue
        tally, seconds = Tally(), []
        for photo, signs in track(photos(), name, BOARDS, console=Console(stderr=True)):
            start = time.process_time()
            reading = _read(photo, classifier)
            seconds.append(time.process_time() - start)
            tally.boards += 1
            if reading is None:
                tally.missed += 1
            else:
                tally.add(reading, signs)
        times = (f"{np.median(seconds):.2f}", f"{max(seconds):.2f}")
        counts = (
            tally.boards, tally.missed, tally.letters, f"{tally.right / tally.letters:.1%}",
            f"{tally.letters_asked / tally.letters:.1%}", tally.empty,
            f"{tally.empty_asked / tally.empty:.2%}", tally.silent, tally.boards_silent,
        )  # fmt: skip
        table.add_row(name, *map(str, counts), *times)
    Console(width=140).print(table)


def _read(photo: Photo, classifier: CapitalClassifier) -> BoardReading | None:
    try:
        return read_board(photo, BOARD, classifier)
    except NoSwoggleBoardError:
        return None


if __name__ == "__main__":
    main(sys.argv[1:])
