"""Make the stored distributions: a million rolls of every English cube set.

Each set is rolled from the same seed and scored with the built-in word list and the game of its
tray. Takes two minutes or so with the native engine. Run from the repository::

    python tools/make_distributions.py
"""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np

from scoring.cubes import cube_set
from scoring.distributions import FILE, measure
from scoring.lexicon import Lexicon, builtin_file, builtin_lexicon
from scoring.rolls import roll_batches
from scoring.rules import game_for_cells

SETS = (
    "classic_4x4",
    "new_4x4",
    "big_1979_5x5",
    "big_challenge_5x5",
    "deluxe_master_5x5",
    "big_2012_5x5",
    "super_big_2012_6x6",
)
ROLLS = 1_000_000
BATCH = 16_384
SEED = 1
FOLDER = Path(__file__).resolve().parent.parent / "scoring" / "data"


def measured(name: str, lexicon: Lexicon) -> dict[str, Any]:
    """The entry of one set."""
    edition = cube_set(name)
    game = game_for_cells(edition.rows * edition.cols)
    batches = roll_batches(edition, ROLLS, np.random.default_rng(SEED), BATCH)
    found = measure(batches, lexicon, game)
    print(f"{name}: {found.points.mean:.2f} points, {found.words.mean:.2f} words on average")
    return {"game": game.name, "points": found.points.times, "words": found.words.times}


def main() -> None:
    """Write ``distributions.json``: how often 0, 1, 2 … points and words came up."""
    lexicon = builtin_lexicon()
    content = {
        "made_by": "tools/make_distributions.py",
        "rolls": ROLLS,
        "seed": SEED,
        "word_list": {
            "name": lexicon.name,
            "source": lexicon.source,
            "words": len(lexicon),
            "sha256": hashlib.sha256(lzma.decompress(builtin_file())).hexdigest(),
        },
        "sets": {name: measured(name, lexicon) for name in SETS},
    }
    text = json.dumps(content, separators=(",", ":")).replace('},"', '},\n"')
    (FOLDER / FILE).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
