"""Where the time of a reading goes: processor seconds of each stage, on one core.

Run: ``.venv/bin/python tests/benchmarks/bench_read.py``. The evaluation photos must lie at
``../shared/data/trays``; each is brought to 12 megapixels. How well they are read, as taken and
altered, and how long a whole reading takes tells ``python -m vision.training.report``.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from scoring.cubes import cube_sets
from vision.confirm import confirm
from vision.decode import decode
from vision.faces import FaceClassifier
from vision.locate import GOOD_SCORE, LocatedTray, locate, ways_by
from vision.photo import load_reduced
from vision.rectify import cut_cells
from vision.training.report.measure import stored, tray_photos

TRAYS = Path(__file__).parents[3] / "shared" / "data" / "trays"

Photo = NDArray[np.uint8]


def stages(file: Path, classifier: FaceClassifier) -> dict[str, float]:
    """Processor seconds of each stage of one reading that goes straight to its tray."""
    marks = [time.process_time()]
    photo = load_reduced(file).pixels
    marks.append(time.process_time())
    tray = first_plain(photo, classifier)
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


def first_plain(photo: Photo, classifier: FaceClassifier) -> LocatedTray:
    """The tray that is confirmed first."""
    ways = ways_by(classifier.finder, max(photo.shape))
    seen = (tray for way in ways for tray in locate(photo, way))
    return next(tray for tray in seen if tray.score >= GOOD_SCORE)


def main() -> None:
    """Print a line a stage."""
    cv2.setNumThreads(1)
    classifier = FaceClassifier()
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for photo in tray_photos(TRAYS):
            file = stored(photo.shown().photo, Path(folder) / "photo.jpg")
            for stage, took in stages(file, classifier).items():
                seconds[stage].append(took)
    table = Table("stage", "s, median", "s, most")
    for stage, times in seconds.items():
        table.add_row(stage, f"{np.median(times):.3f}", f"{max(times):.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
