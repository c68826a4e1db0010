"""Handwritten words, real ones, read under a board's lexicon: right, asked, silently wrong.

Run: ``.venv/bin/python tests/benchmarks/bench_paper_words.py [SEED]``; the seed is of the boards.
The evaluation words must lie at ``../shared/data/handwriting``; each is laid on some boards and
read with itself in the lexicon and with itself taken out.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

from vision.paper.ppocr import PpOcr, RecogniserError
from vision.training.report.paper_words import table, trials

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"


def main(seed: int = 3) -> int:
    """Read all, print the figures."""
    console = Console(width=110)
    if not HANDWRITING.is_dir():
        console.print(f"left out: no words at {HANDWRITING}")
        return 0
    try:
        recogniser = PpOcr()
    except RecogniserError as error:
        console.print(f"left out: {error}. {error.advice}")
        return 0
    told = Console(stderr=True)
    tried = list(track(trials(recogniser, HANDWRITING, seed), "reading", console=told))
    console.print(table(tried).markdown(), markup=False, highlight=False, soft_wrap=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"{megabytes:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
