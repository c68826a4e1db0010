"""What the built-in word list costs a fresh process; started by ``solver.py``, prints JSON.

A tiny list is searched first, so that the code is there and only the large list is measured: the
time to load its compiled form, and the memory that it, its engine and one search hold.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from firmware_host import lexicons
from scoring.cubes import cube_set
from scoring.lexicon import BUILT_IN, Lexicon
from scoring.rules import game
from scoring.solver import score_many


def memory() -> tuple[int, int]:
    """Bytes of this process now: resident in all, and of those its own alone."""
    sizes = {"Rss": 0, "Private_Clean": 0, "Private_Dirty": 0}
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]:
        name, size, *_ = line.split()
        if name[:-1] in sizes:
            sizes[name[:-1]] = int(size) * 1024
    return sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


def main() -> None:
    """Load, search one board, print."""
    rules, board = game("boggle"), cube_set("classic_4x4").roll(random.Random(1))
    score_many([board], Lexicon.from_words("tiny", ["tea"]), rules)
    resident, private = memory()
    start = time.perf_counter()
    lexicon = lexicons.load(BUILT_IN)
    seconds = time.perf_counter() - start
    score_many([board], lexicon, rules)
    resident_after, private_after = memory()
    figures = {
        "seconds": seconds,
        "resident": resident_after - resident,
        "private": private_after - private,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
