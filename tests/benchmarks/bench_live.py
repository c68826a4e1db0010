"""Frames a second of a watched tray, on one core, at 640 × 480: at rest, pushed, tumbling.

Run: ``.venv/bin/python tests/benchmarks/bench_live.py``. Processor time is measured, and beside it
that of rectifying the tray once in the same run: their ratio holds on a busy machine too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from scoring.cubes import cube_set
from vision.faces import FaceClassifier
from vision.flatness import FlatnessNet
from vision.live import Live, LiveReader
from vision.rectify import board_to_photo, rectified
from vision.render.tray import PhotoOptions, RenderedTray, photograph, render_tray

EDITIONS = {4: "classic_4x4", 5: "big_2012_5x5", 6: "super_big_2012_6x6"}
FRAME_S = 1 / 25
OPTIONS = PhotoOptions(size=(640, 480), variety=0.1, max_tilt=15, share=(0.7, 0.9))

Frame = NDArray[np.uint8]


@dataclass
class Timed:
    """A reader fed with frames, and the processor seconds of each."""

    reader: LiveReader
    state: Live = field(default_factory=Live)
    now: float = 0.0
    seconds: list[float] = field(default_factory=list)

    def show(self, frames: Iterator[Frame]) -> list[float]:
        """Seconds of these frames."""
        taken = []
        for frame in frames:
            start = time.process_time()
            self.state = self.reader.step(self.state, frame, self.now)
            taken.append(time.process_time() - start)
            self.now += FRAME_S
        return taken


def noisy(frame: Frame, rng: np.random.Generator) -> Frame:
    """With the noise of a sensor."""
    noise = 2.5 * rng.standard_normal(frame.shape, np.float32)
    return (frame + noise).clip(0, 255).astype(np.uint8)


def at_rest(shot: RenderedTray, rng: np.random.Generator) -> Iterator[Frame]:
    """Six seconds."""
    return (noisy(shot.photo, rng) for _ in range(150))


def pushed(shot: RenderedTray, rng: np.random.Generator) -> Iterator[Frame]:
    """To and fro by three pixels a frame."""
    for step in range(100):
        shift = np.array([[1, 0, 30 * np.sin(step / 10)], [0, 1, 20 * np.sin(step / 7)]])
        moved = cv2.warpAffine(shot.photo, shift, (640, 480), borderMode=cv2.BORDER_REFLECT)
        yield noisy(moved.astype(np.uint8), rng)


def tumbling(shot: RenderedTray) -> Iterator[Frame]:
    """Other cubes in each frame."""
    for step in range(40):
        roll = cube_set(EDITIONS[shot.board.rows]).roll(random.Random(step))
        yield photograph(roll, shot.scene, np.random.default_rng(step)).photo


def rectifying(shot: RenderedTray, side: int) -> float:
    """Processor seconds of rectifying a tray once."""
    homography = board_to_photo(shot.corners_px, side, side)
    start = time.process_time()
    for _ in range(50):
        rectified(shot.photo, homography, side, side)
    return (time.process_time() - start) / 50


def main() -> None:
    """Print a line a size and a motion."""
    cv2.setNumThreads(1)
    table = Table("tray", "frames", "frames/s", "mean, ms", "95 %, ms", "worst, ms", "× rectify")
    classifier, flatness = FaceClassifier(), FlatnessNet.load()
    for side, edition in EDITIONS.items():
        rng = np.random.default_rng(side)
        shot = render_tray(cube_set(edition).roll(random.Random(side)), rng, OPTIONS)
        unit = rectifying(shot, side)
        timed = Timed(LiveReader(classifier, flatness))
        parts = {
            "found": timed.show(iter([shot.photo])),
            "at rest": timed.show(at_rest(shot, rng)),
            "pushed": timed.show(pushed(shot, rng)),
            "tumbling": timed.show(tumbling(shot)),
            "at rest again": timed.show(at_rest(shot, rng)),
        }
        for name, seconds in parts.items():
            mean = float(np.mean(seconds))
            figures = (mean, float(np.percentile(seconds, 95)), max(seconds))
            table.add_row(
                f"{side}×{side}",
                name,
                f"{1 / mean:.0f}",
                *(f"{1000 * figure:.1f}" for figure in figures),
                f"{mean / unit:.1f}",
            )
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
