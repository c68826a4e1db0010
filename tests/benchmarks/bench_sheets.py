"""Photographed word sheets: words right, asked and silently wrong, rendered and real hands.

Run: ``.venv/bin/python tests/benchmarks/bench_sheets.py [--pages N] [SET ...]``. The set ``real``
needs ``../shared/data/handwriting``; its letters are real, sheet, light and camera are rendered.
"""

from __future__ import annotations

import argparse
import resource
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import track

from scoring.lexicon import builtin_lexicon
from vision.paper.boxed_among import KnownWords
from vision.paper.letters import BoxLetters
from vision.training.report.paper_sheets import HARDNESS, counted, pages, table, writers

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
PAGES = 200


def main() -> None:
    """Measure the sets that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--hardness", type=float, nargs=2, default=HARDNESS)
    parser.add_argument("--failures", action="store_true")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    console = Console()
    lexicon, letters = builtin_lexicon(), BoxLetters()
    known = KnownWords.of(lexicon)
    hands = writers(HANDWRITING)
    if "real" not in hands:
        console.print(f"real letters are not at {HANDWRITING}: their set is left out")
    found = {}
    for name in asked.sets or hands:
        photos = pages(hands[name], lexicon, asked.pages, tuple(asked.hardness))
        shown = track(photos, name, asked.pages, console=Console(stderr=True))
        found[name] = counted(shown, known, letters)
        if asked.failures:
            console.print("\n".join(one.told for one in found[name].failures))
    console.print(table(found).markdown(), markup=False, highlight=False, soft_wrap=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"largest memory, rendering included: {peak:.0f} MB")


if __name__ == "__main__":
    main()
