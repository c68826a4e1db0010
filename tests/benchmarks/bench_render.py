"""How many crops a second one core renders for training, and how long a whole scene takes.

Run: ``.venv/bin/python tests/benchmarks/bench_render.py [--fonts FOLDER]``. Time is that of the
processor, so that other work on the machine hardly counts. With the fonts of ``docs/training.md``
installed it renders as training does, else in the shipped typefaces.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import cv2
from rich.console import Console

from vision.render.scenes import EASY, HARD, MEDIUM, random_scene
from vision.render.typefaces import Typefaces, shipped_typefaces
from vision.training.fonts import FONT_FOLDER, FontsMissingError, training_typefaces
from vision.training.samples import draw_samples

CROPS, SCENES = 3000, 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, default=FONT_FOLDER)
    console = Console()
    cv2.setNumThreads(1)
    name, typefaces = _typefaces(parser.parse_args().fonts)
    draw_samples((0, 1), CROPS // 6, typefaces)  # fonts are read and prints set once
    seconds = _seconds(lambda: draw_samples((0, 2), CROPS, typefaces))
    console.print(f"crops for training in {name}: {CROPS / seconds:.0f} a second of one core")
    for difficulty in (EASY, MEDIUM, HARD):
        seconds = _seconds(lambda level=difficulty: _scenes(level))  # type: ignore[misc]
        each = 1000 * seconds / SCENES
        console.print(f"scenes of 1600×1200, difficulty {difficulty}: {each:.0f} ms each")


def _typefaces(folder: Path) -> tuple[str, Typefaces]:
    try:
        return "the fonts of training", training_typefaces(folder)
    except FontsMissingError:
        return "the shipped typefaces", shipped_typefaces()


def _scenes(difficulty: float) -> None:
    for seed in range(SCENES):
        random_scene(seed, difficulty)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
