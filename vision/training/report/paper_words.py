"""Handwritten words, each read on boards that hold it, with itself in the lexicon and without."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.lexicon import builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.ppocr import PpOcr
from vision.paper.reading import WordImage
from vision.paper.recut import recut
from vision.training.report.failures import Failure, Part
from vision.training.report.page import Table
from vision.training.word_boards import best_on_board, board_with, without

LISTS = ("words.json", "words_caps_composite.json")
KINDS = {"iam": "joined and print, scans", "breta": "joined, photos", "caps": "capitals, composed"}
JOINED = ("iam", "breta")
BOARDS = 2
_CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

_TEXT = """\
Words of other people, each on two boards of 4 × 4 under ENABLE: with the written word in the
lexicon / taken out of it and of the board's words. *Of the board's words*: the written one is the
likeliest of those that the board gives. Shares of all words, in percent."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One reading of one word on one board.

    Attributes:
        kind: of `KINDS`.
        known: the word is in the lexicon.
        written: what it is, capitals.
        read: what was read, capitals.
        accepted: nobody is asked.
        credited: what was read is a word of the board.
        best: the written word is the likeliest of the board's words.
        first_three: the written word is among the three readings.
        picture: (height, width), grey.
        seconds: of the processor.
    """

    kind: str
    known: bool
    written: str
    read: str
    accepted: bool
    credited: bool
    best: bool
    first_three: bool
    picture: NDArray[np.uint8]
    seconds: float

    @property
    def right(self) -> bool:
        """Whether what is written was read."""
        return self.read == self.written

    @property
    def wrong(self) -> bool:
        """Whether another word was taken unasked."""
        return self.accepted and not self.right

    @property
    def false_credit(self) -> bool:
        """Whether it was one that scores."""
        return self.wrong and self.credited


def trials(recogniser: PpOcr, folder: Path, seed: int = 3) -> Iterator[Trial]:
    """Readings of all words of a folder of handwriting; the seed is of the boards."""
    lexicon = builtin_lexicon()
    candidates = Candidates.of(lexicon.words, recogniser.alphabet)
    rng = np.random.default_rng(seed)
    entries = [it for name in LISTS for it in json.loads((folder / name).read_text("utf-8"))]
    for entry in entries:
        loaded = cv2.imread(str(folder / entry["file"]), cv2.IMREAD_GRAYSCALE)
        picture, word = np.asarray(loaded, np.uint8), entry["text"].lower()
        first, second = recogniser.looks([picture, recut(picture)])
        for _ in range(BOARDS):
            board = board_with(word, rng)
            found = {one.word for one in solve(board, lexicon, game("boggle")).words}
            lacking = without(candidates, word.upper())
            for some, words in ((candidates, found | {word}), (lacking, found - {word})):
                kind = entry["group"].split(":")[0]
                on_board = some.on(board, words)
                best = best_on_board(first, second, on_board) == word.upper()
                yield _trial(kind, word, picture, on_board, recogniser, best=best)


def _trial(
    kind: str,
    word: str,
    picture: NDArray[np.uint8],
    on_board: Candidates,
    recogniser: PpOcr,
    *,
    best: bool,
) -> Trial:
    start = time.process_time()
    (reading,) = read_words([WordImage(picture, _CORNERS, 0)], recogniser, on_board)
    seconds = time.process_time() - start
    written = word.upper()
    return Trial(
        kind=kind,
        known=written in on_board.board_words,
        written=written,
        read=reading.text,
        accepted=not reading.doubtful,
        credited=reading.text in on_board.board_words,
        best=best,
        first_three=written in [it for it, _ in reading.alternatives],
        picture=picture,
        seconds=seconds,
    )


def part(tried: Sequence[Trial]) -> Part:
    """The part of the report."""
    return Part("words", table(tried), tuple(_failures(tried)))


def table(tried: Sequence[Trial]) -> Table:
    """A line a kind of words."""
    header = (
        "words", "of the board's words", "read", "among three", "accepted", "accepted wrong",
        "false credit",
    )  # fmt: skip
    rows = tuple(_row(KINDS[kind], [it for it in tried if it.kind == kind]) for kind in KINDS)
    return Table("Single words", f"{_TEXT}\n\n{summary(tried)}", header, rows)


def _row(name: str, tried: Sequence[Trial]) -> tuple[str, ...]:
    known = [it for it in tried if it.known]
    rest = [it for it in tried if not it.known]
    return (
        f"{name} ({len(known) // BOARDS})",
        percent([it.best for it in known]),
        *(
            f"{percent([bool(getattr(it, of)) for it in known])} / "
            f"{percent([bool(getattr(it, of)) for it in rest])}"
            for of in ("right", "first_three", "accepted", "wrong", "false_credit")
        ),
    )


def summary(tried: Sequence[Trial]) -> str:
    """What counts most, of all words together."""
    accepted = [it for it in tried if it.accepted]
    joined = [it.accepted for it in tried if it.kind in JOINED and it.known]
    capitals = [it.accepted for it in tried if it.kind not in JOINED and it.known]
    return (
        f"All, half of them taken out: accepted wrong {percent([it.wrong for it in tried])} "
        f"of all, {percent([not it.right for it in accepted])} of the accepted; "
        f"false credit {percent([it.false_credit for it in tried])} of all, "
        f"{percent([it.false_credit for it in tried if not it.known])} of those taken out. "
        f"Accepted of those in the lexicon: joined {percent(joined)}, "
        f"capitals {percent(capitals)}. A word takes "
        f"{1000 * np.mean([it.seconds for it in tried]):.0f} ms of the processor."
    )


def percent(values: Sequence[bool]) -> str:
    """Their share."""
    return f"{100 * float(np.mean(values)):.2f}" if values else "–"


def _failures(tried: Sequence[Trial]) -> Iterator[Failure]:
    """Each word once for each thing that it was taken for, or that it was not told from."""
    seen: set[tuple[str, str, bool]] = set()
    for one in tried:
        if not one.wrong and (one.best or not one.known):
            continue
        what = (one.written, one.read, one.wrong)
        if what not in seen:
            seen.add(what)
            outcome = "taken" if one.wrong else "asked, another word of the board is likelier"
            yield Failure(f"{one.kind}: {one.written} read as {one.read}, {outcome}", one.picture)
