"""Handwritten words, real ones, read under a board's lexicon: right, asked, silently wrong.

Run: ``.venv/bin/python tests/benchmarks/bench_paper_words.py [SEED]``; the seed is of the boards.
The evaluation words must lie at ``../shared/data/handwriting``; each is laid on some boards and
read with itself in the lexicon and with itself taken out.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from scoring.lexicon import builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.ppocr import PpOcr, RecogniserError
from vision.paper.reading import WordImage
from vision.paper.recut import recut
from vision.training.word_boards import best_on_board, board_with, without

HANDWRITING = Path(__file__).parents[3] / "shared" / "data" / "handwriting"
LISTS = ("words.json", "words_caps_composite.json")
KINDS = {"iam": "joined and print, scans", "breta": "joined, photos", "caps": "capitals, composed"}
JOINED = ("iam", "breta")
BOARDS = 2
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@dataclass(frozen=True)
class Trial:
    """One reading of one word on one board."""

    kind: str
    known: bool
    right: bool
    accepted: bool
    credited: bool
    best_on_board: bool
    first_three: bool


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
    seconds: list[float] = []
    trials = list(_trials(recogniser, seed, seconds))
    console.print(_table(trials))
    console.print(_total(trials))
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"{1000 * np.mean(seconds):.1f} ms of processor a word; {megabytes:.0f} MB")
    return 0


def _trials(recogniser: PpOcr, seed: int, seconds: list[float]) -> Iterator[Trial]:
    lexicon = builtin_lexicon()
    candidates = Candidates.of(lexicon.words, recogniser.alphabet)
    rng = np.random.default_rng(seed)
    entries = [it for name in LISTS for it in json.loads((HANDWRITING / name).read_text("utf-8"))]
    for entry in track(entries, "reading", console=Console(stderr=True)):
        picture = cv2.imread(str(HANDWRITING / entry["file"]), cv2.IMREAD_GRAYSCALE)
        word = entry["text"].lower()
        image = WordImage(np.asarray(picture, np.uint8), CORNERS, 0)
        first, second = recogniser.looks([image.picture, recut(image.picture)])
        for _ in range(BOARDS):
            board = board_with(word, rng)
            found = {one.word for one in solve(board, lexicon, game("boggle")).words}
            lacking = without(candidates, word.upper())
            for some, words in ((candidates, found | {word}), (lacking, found - {word})):
                on_board = some.on(board, words)
                start = time.process_time()
                (reading,) = read_words([image], recogniser, on_board)
                seconds.append(time.process_time() - start)
                credited = reading.text in on_board.board_words
                scoring = [it for it, _ in reading.alternatives]
                yield Trial(
                    kind=entry["group"].split(":")[0],
                    known=words >= {word},
                    right=reading.text == word.upper(),
                    accepted=not reading.doubtful,
                    credited=credited,
                    best_on_board=best_on_board(first, second, on_board) == word.upper(),
                    first_three=word.upper() in scoring,
                )


def _table(trials: Sequence[Trial]) -> Table:
    table = Table(title="% of words; the written word in the lexicon | taken out of it")
    for name in ("words", "of the board's words", "read", "among three", "accepted",
                 "accepted wrong", "false credit"):  # fmt: skip
        table.add_column(name, justify="left" if name == "words" else "right")
    for kind, name in KINDS.items():
        known = [it for it in trials if it.kind == kind and it.known]
        unknown = [it for it in trials if it.kind == kind and not it.known]
        table.add_row(
            f"{name} ({len(known) // BOARDS})",
            _percent([it.best_on_board for it in known]),
            _both([it.right for it in known], [it.right for it in unknown]),
            _both([it.first_three for it in known], [it.first_three for it in unknown]),
            _both([it.accepted for it in known], [it.accepted for it in unknown]),
            _both([_wrong(it) for it in known], [_wrong(it) for it in unknown]),
            _both([_false_credit(it) for it in known], [_false_credit(it) for it in unknown]),
        )
    return table


def _total(trials: Sequence[Trial]) -> str:
    accepted = [it for it in trials if it.accepted]
    joined = [it.accepted for it in trials if it.kind in JOINED and it.known]
    capitals = [it.accepted for it in trials if it.kind not in JOINED and it.known]
    return (
        f"All, half of them taken out: accepted wrong {_percent([_wrong(it) for it in trials])} "
        f"of all, {_percent([not it.right for it in accepted])} of the accepted; "
        f"false credit {_percent([_false_credit(it) for it in trials])} of all, "
        f"{_percent([_false_credit(it) for it in trials if not it.known])} of those taken out. "
        f"Accepted of those in the lexicon: joined {_percent(joined)}, "
        f"capitals {_percent(capitals)}."
    )


def _wrong(trial: Trial) -> bool:
    return trial.accepted and not trial.right


def _false_credit(trial: Trial) -> bool:
    return _wrong(trial) and trial.credited


def _both(known: Sequence[bool], unknown: Sequence[bool]) -> str:
    return f"{_percent(known)} | {_percent(unknown)}"


def _percent(values: Sequence[bool]) -> str:
    return f"{100 * float(np.mean(values)):.2f}" if values else "–"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
