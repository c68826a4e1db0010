"""Rendered photos of what is no tray: how many are taken for one, by kind, and seconds a photo.

Run: ``.venv/bin/python tests/benchmarks/negatives.py [PHOTOS]``; 510 photos if not given. Beside
them as many hard rendered trays, of 3×3 to 6×6, at any turn and some with all letters upright, tell
what the caution costs.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from scoring.board import Board
from scoring.cubes import cube_sets
from vision.errors import NoTrayError
from vision.faces import FaceClassifier
from vision.reading import TrayReading
from vision.render.negatives import NEGATIVES, render_negative
from vision.render.tray import PhotoOptions, render_tray
from vision.training.report.trials import quarter_turns, turned
from vision.tray import read_trays

SIZES = ((1600, 1200), (1000, 750))
SMALL_SIDE = 3


@dataclass(frozen=True)
class Outcome:
    """What came of one photo.

    Attributes:
        readings: of the trays that were seen.
        board: what the photo shows, or None for no tray.
        seconds: of the processor.
    """

    readings: tuple[TrayReading, ...]
    board: Board | None
    seconds: float


def outcome(photo: NDArray[np.uint8], board: Board | None, classifier: FaceClassifier) -> Outcome:
    """Read one photo."""
    start = time.process_time()
    try:
        readings = read_trays(photo, classifier)
    except NoTrayError:
        readings = ()
    return Outcome(readings, board, time.process_time() - start)


def some_board(seed: int) -> Board:
    """A roll of any set; each fifth one a corner of it, of three rows and columns."""
    sets = cube_sets()
    board = sets[seed % len(sets)].roll(random.Random(seed))
    if seed % 5:
        return board
    return Board.from_faces(row[:SMALL_SIDE] for row in board.faces[:SMALL_SIDE])


def tray_photo(seed: int) -> tuple[str, NDArray[np.uint8], Board]:
    """A hard photo of a tray; in each fourth all letters are upright."""
    board, rng = some_board(seed), np.random.default_rng((9, seed))
    options = PhotoOptions(
        size=SIZES[seed % 2],
        max_tilt=45,
        max_yaw=45,
        share=(0.2, 0.95),
        variety=float(rng.uniform(0, 1)),
    )
    upright = seed % 4 == 0
    turns = np.zeros((board.rows, board.cols)) if upright else None
    kind = f"tray {board.rows}×{board.cols}{', letters upright' if upright else ''}"
    return kind, render_tray(board, rng, options, turns=turns).photo, board


def main(photos: int) -> None:
    """Print both tables."""
    cv2.setNumThreads(1)
    console, classifier = Console(width=100), FaceClassifier()
    outcomes: defaultdict[str, list[Outcome]] = defaultdict(list)
    kinds = list(NEGATIVES)
    for seed in track(range(photos), "Reading", console=Console(stderr=True)):
        number, kind = divmod(seed, len(kinds))
        rng = np.random.default_rng((kind, number))
        photo = render_negative(kinds[kind], rng, SIZES[number % 2])
        outcomes[kinds[kind]].append(outcome(photo, None, classifier))
        name, photo, board = tray_photo(seed)
        outcomes[name].append(outcome(photo, board, classifier))
    console.print(negatives_table(outcomes))
    console.print(trays_table(outcomes))


def negatives_table(outcomes: dict[str, list[Outcome]]) -> Table:
    """A line a kind of what is no tray, and one for all."""
    table = Table("no tray", "photos", "taken for a tray", "doubtful cells", "s, median", "max")
    chosen = {kind: outcomes[kind] for kind in NEGATIVES if kind in outcomes}
    everything = [one for several in chosen.values() for one in several]
    for kind, several in [*chosen.items(), ("all", everything)]:
        taken = [one.readings[0] for one in several if one.readings]
        doubts = " ".join(f"{len(reading.doubtful)}/{len(reading.board)}" for reading in taken)
        seconds = [one.seconds for one in several]
        row = (kind, str(len(several)), str(len(taken)), doubts if kind != "all" else "")
        table.add_row(*row, f"{np.median(seconds):.2f}", f"{max(seconds):.2f}")
    return table


def trays_table(outcomes: dict[str, list[Outcome]]) -> Table:
    """A line a kind of tray, and one for all."""
    table = Table(
        "tray", "photos", "found", "exact", "silent", "asked", "false", "s, median", "max"
    )
    chosen = {kind: outcomes[kind] for kind in sorted(outcomes) if kind not in NEGATIVES}
    everything = [one for several in chosen.values() for one in several]
    for kind, several in [*chosen.items(), ("all", everything)]:
        counts = np.sum([counted(one) for one in several], axis=0)
        seconds = [one.seconds for one in several]
        row = (kind, str(len(several)), *map(str, counts))
        table.add_row(*row, f"{np.median(seconds):.2f}", f"{max(seconds):.2f}")
    return table


def counted(one: Outcome) -> tuple[int, int, int, int, int]:
    """Found, exact, wrong without a doubt, found with doubts, trays that are not there."""
    board = one.board
    if board is None or not one.readings:
        return 0, 0, 0, 0, 0
    reading, *others = one.readings
    # turned by 45° either way, a board may come out a quarter turn round
    turns = quarter_turns(board, reading.board)
    if turns is None:
        return 0, 0, int(not reading.doubtful), 0, 1 + len(others)
    truth = turned(board, turns)
    wrong = [cell for cell in truth.cells if truth[cell] != reading.board[cell]]
    silent = sum(cell not in reading.doubtful for cell in wrong)
    return 1, int(not wrong), silent, int(bool(reading.doubtful)), len(others)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30 * len(NEGATIVES))
