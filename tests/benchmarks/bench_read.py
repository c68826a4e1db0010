"""Real photos as taken and altered: boards exact, silent errors, doubts, and seconds by stage.

Run: ``.venv/bin/python tests/benchmarks/bench_read.py [ALTERATION ...]``. The evaluation photos
must lie at ``../shared/data/trays``. Each photo is brought to 12 megapixels and stored as a JPEG
before it is read; the seconds are those of one processor from the file to the letters.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console
from rich.table import Table

from scoring.board import Board
from scoring.cubes import cube_sets
from vision.confirm import confirm
from vision.decode import decode
from vision.errors import NoTrayError
from vision.faces import FaceClassifier
from vision.locate import GOOD_SCORE, WAYS, LocatedTray, locate
from vision.photo import load_photo, load_reduced
from vision.rectify import cut_cells
from vision.tray import read_trays

TRAYS = Path(__file__).parents[3] / "shared" / "data" / "trays"
TABLE_COLOUR = (120, 95, 70)
MEGAPIXELS = 12
JPEG_QUALITY = 92

Photo = NDArray[np.uint8]
Corners = NDArray[np.float64]
Alteration = Callable[[Photo, Corners], Photo]


@dataclass(frozen=True)
class Trial:
    """What one reading came to."""

    exact: bool
    wrong: int
    silent: int
    doubtful: int
    others: int
    seconds: float


def as_taken(photo: Photo, _: Corners) -> Photo:
    """Unaltered."""
    return photo


def turned(degrees: float) -> Alteration:
    """Turned in a frame that grows with it."""

    def alter(photo: Photo, _: Corners) -> Photo:
        height, width = photo.shape[:2]
        turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1), [0, 0, 1]])
        ends = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
        moved = cv2.perspectiveTransform(ends, turn)[0]
        shift = np.array([[1, 0, -moved[:, 0].min()], [0, 1, -moved[:, 1].min()], [0, 0, 1]])
        new_width, new_height = np.ceil(np.ptp(moved, axis=0)).astype(int).tolist()
        return warped(photo, shift @ turn, (new_width, new_height))

    return alter


def scaled(factor: float) -> Alteration:
    """Smaller in a frame of the same size."""

    def alter(photo: Photo, _: Corners) -> Photo:
        height, width = photo.shape[:2]
        small = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        canvas = np.full_like(photo, TABLE_COLOUR)
        top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 3
        canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
        return canvas

    return alter


def leaning(share: float, *, sideways: bool) -> Alteration:
    """Seen aslant: one edge of the photo shorter by twice the share."""

    def alter(photo: Photo, _: Corners) -> Photo:
        height, width = photo.shape[:2]
        x, y = share * width, share * height
        seen = (
            [[0, 0], [width - x, y], [width - x, height - y], [0, height]]
            if sideways
            else [[x, y], [width - x, y], [width, height], [0, height]]
        )
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        lean = cv2.getPerspectiveTransform(flat, np.array(seen, np.float32))
        return warped(photo, lean.astype(np.float64), (width, height))

    return alter


def darkened(left: float, right: float) -> Alteration:
    """Darker, evenly or from one side to the other."""

    def alter(photo: Photo, _: Corners) -> Photo:
        slope = np.linspace(left, right, photo.shape[1])[None, :, None]
        return (photo * slope).astype(np.uint8)

    return alter


def blurred(share: float) -> Alteration:
    """Out of focus: the deviation of the blur as a share of the board's side."""

    def alter(photo: Photo, corners: Corners) -> Photo:
        side = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
        return cv2.GaussianBlur(photo, (0, 0), float(share * side)).astype(np.uint8)

    return alter


def warped(photo: Photo, homography: NDArray[np.float64], size: tuple[int, int]) -> Photo:
    """Moved, with a table around it."""
    return cv2.warpPerspective(
        photo, homography, size, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE_COLOUR
    ).astype(np.uint8)


ALTERATIONS: dict[str, Alteration] = {
    "as taken": as_taken,
    "turned 20°": turned(20),
    "turned 45°": turned(45),
    "a quarter light": darkened(0.25, 0.25),
    "gradient": darkened(0.15, 1.0),
    "tray × 0.4": scaled(0.4),
    "tray × 0.2": scaled(0.2),
    "leaning back": leaning(0.22, sideways=False),
    "leaning aside": leaning(0.22, sideways=True),
    "blur, 1 % of the board": blurred(0.01),
}


def stored(photo: Photo, file: Path) -> None:
    """Write a photo as a JPEG of twelve megapixels."""
    scale = (MEGAPIXELS * 1e6 / (photo.shape[0] * photo.shape[1])) ** 0.5
    smooth = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=smooth)
    Image.fromarray(sized.astype(np.uint8)).save(file, quality=JPEG_QUALITY)


def trial(file: Path, board: Board, classifier: FaceClassifier) -> Trial | None:
    """Read one photo; None where no tray is found, or none of the size that it shows."""
    start = time.process_time()
    try:
        reading, *others = read_trays(load_reduced(file).pixels, classifier)
    except NoTrayError:
        return None
    seconds = time.process_time() - start
    if (reading.board.rows, reading.board.cols) != (board.rows, board.cols):
        return None
    truth = best_turn(board, reading.board)
    wrong = [cell for cell in truth.cells if truth[cell] != reading.board[cell]]
    silent = [cell for cell in wrong if cell not in reading.doubtful]
    doubtful = len(reading.doubtful)
    return Trial(not wrong, len(wrong), len(silent), doubtful, len(others), seconds)


def best_turn(board: Board, read: Board) -> Board:
    """The board as it lies in a turned photo."""
    faces = np.array(board.faces, object)
    turns = [Board.from_faces(np.rot90(faces, k).tolist()) for k in range(4)]
    return max(turns, key=lambda turn: sum(a == b for a, b in zip(turn, read, strict=True)))


def stages(file: Path, classifier: FaceClassifier) -> dict[str, float]:
    """Processor seconds of each stage of one reading that goes straight to its tray."""
    marks = [time.process_time()]
    photo = load_reduced(file).pixels
    marks.append(time.process_time())
    tray = first_plain(photo)
    marks.append(time.process_time())
    cut_cells(photo, tray.homography, tray.rows, tray.cols)
    marks.append(time.process_time())
    scored = confirm(photo, tray, classifier)
    marks.append(time.process_time())
    if scored is not None:
        editions = [cubes for cubes in cube_sets() if cubes.rows == scored.tray.rows]
        decode(scored.log_probabilities, classifier.labels, editions)
    marks.append(time.process_time())
    names = ("load reduced", "locate", "crop", "crop and classify", "decode")
    return dict(zip(names, np.diff(marks).tolist(), strict=True))


def first_plain(photo: Photo) -> LocatedTray:
    """The tray that is confirmed first."""
    seen = (tray for way in WAYS for tray in locate(photo, way))
    return next(tray for tray in seen if tray.score >= GOOD_SCORE)


def main(chosen: Sequence[str]) -> None:
    """Print both tables."""
    cv2.setNumThreads(1)
    console, classifier = Console(width=120), FaceClassifier()
    entries = json.loads((TRAYS / "trays.json").read_text("utf-8"))
    trials: defaultdict[str, list[Trial | None]] = defaultdict(list)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "photo.jpg"
        for entry in entries:
            board = Board.from_faces(entry["grid"])
            photo, corners = load_photo(TRAYS / entry["file"]), np.array(entry["corners_px"])
            for name in chosen or ALTERATIONS:
                stored(ALTERATIONS[name](photo, corners), file)
                trials[name].append(trial(file, board, classifier))
            stored(photo, file)
            for stage, took in stages(file, classifier).items():
                seconds[stage].append(took)
    console.print(readings_table(trials))
    console.print(seconds_table(seconds))


def readings_table(trials: dict[str, list[Trial | None]]) -> Table:
    """A line an alteration."""
    table = Table(
        "photos",
        "found",
        "exact",
        "faces wrong",
        "silent",
        "doubtful",
        "false trays",
        "s, median",
        "max",
    )
    everything = [result for results in trials.values() for result in results]
    for name, results in [*trials.items(), ("all", everything)]:
        found = [result for result in results if result is not None]
        sums: Counter[str] = Counter()
        for result in found:
            sums.update(
                exact=result.exact,
                wrong=result.wrong,
                silent=result.silent,
                doubtful=result.doubtful,
                others=result.others,
            )
        times = [result.seconds for result in found] or [0.0]
        counts = (sums[key] for key in ("exact", "wrong", "silent", "doubtful", "others"))
        table.add_row(
            name,
            f"{len(found)}/{len(results)}",
            *map(str, counts),
            f"{np.median(times):.2f}",
            f"{max(times):.2f}",
        )
    return table


def seconds_table(seconds: dict[str, list[float]]) -> Table:
    """A line a stage."""
    table = Table("stage, photo as taken", "s, median", "s, max")
    for stage, times in seconds.items():
        table.add_row(stage, f"{np.median(times):.3f}", f"{max(times):.3f}")
    return table


if __name__ == "__main__":
    main(sys.argv[1:])
