"""What becomes of a photo whose truth is known."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.dice.reading import DiceReading
from vision.errors import NoDiceError, NoTrayError
from vision.reading import TrayReading
from vision.training.reliability import Bin, reliability


class Outcome(StrEnum):
    """How a reading ended, from the best on."""

    EXACT = "exact"
    """Every face that can be told is right, whether asked or not; all others right or asked."""
    ASKED = "asked"
    """Wrong faces, and a person was asked about each of them."""
    REFUSED = "refused"
    """No tray was found."""
    SILENT = "silent"
    """A wrong face, or a tray of another size, that nobody was asked about."""


@dataclass(frozen=True)
class ReadFace:
    """A face that was read.

    Attributes:
        confidence: its probability, 0–1.
        right: whether it is.
        doubtful: whether a person was asked about it.
    """

    confidence: float
    right: bool
    doubtful: bool = False


@dataclass(frozen=True)
class Trial:
    """One reading beside its truth.

    Attributes:
        outcome: how it ended.
        faces: how many there are to read.
        wrong: how many were read wrong; all of them where the size is wrong.
        silent: how many of these nobody was asked about.
        doubtful: how many faces were asked about.
        untold: how many faces nobody could tell.
        excused: how many of these were read wrong, and asked about: that is right.
        read: every face that can be told, where the size is right.
        seconds: of the processor.
    """

    outcome: Outcome
    faces: int
    wrong: int = 0
    silent: int = 0
    doubtful: int = 0
    untold: int = 0
    excused: int = 0
    read: tuple[ReadFace, ...] = ()
    seconds: float = 0.0


def trial(
    board: Board, read: Callable[[], TrayReading], untold: NDArray[np.bool_] | None = None
) -> Trial:
    """Read a board, which may lie in any quarter turn; `NoTrayError` is a refusal.

    Args:
        board: the truth.
        read: the reading of its photo.
        untold: (rows, cols), faces that nobody can tell: any will do there, if it is asked about;
            none if not given.
    """
    start = time.process_time()
    try:
        reading = read()
    except NoTrayError:
        seconds = time.process_time() - start
        return Trial(Outcome.REFUSED, len(board), seconds=seconds)
    seconds = time.process_time() - start
    if untold is None:
        untold = np.zeros((board.rows, board.cols), np.bool_)
    return _judged(reading, board, untold, seconds)


def _judged(reading: TrayReading, board: Board, untold: NDArray[np.bool_], seconds: float) -> Trial:
    seen, doubtful = reading.board, set(reading.doubtful)
    turns = quarter_turns(board, seen)
    if turns is None:
        sure = len(seen) - len(doubtful)
        outcome = Outcome.SILENT if sure else Outcome.ASKED
        return Trial(outcome, len(board), len(board), sure, len(doubtful), seconds=seconds)
    truth, untold = turned(board, turns), np.rot90(untold, turns)
    asked = {cell for cell in doubtful if untold[cell]}
    right = {cell: truth[cell] == seen[cell] or cell in asked for cell in truth.cells}
    wrong = [cell for cell in truth.cells if not right[cell]]
    excused = sum(truth[cell] != seen[cell] for cell in asked)
    silent = sum(cell not in doubtful for cell in wrong)
    outcome = Outcome.SILENT if silent else Outcome.ASKED if wrong else Outcome.EXACT
    read = tuple(
        ReadFace(reading.cells[row][col].confidence, right[row, col], (row, col) in doubtful)
        for row, col in truth.cells
        if (row, col) not in asked
    )
    return Trial(
        outcome,
        len(board),
        len(wrong),
        silent,
        len(doubtful),
        int(untold.sum()),
        excused,
        read,
        seconds,
    )


def quarter_turns(board: Board, seen: Board) -> int | None:
    """Quarter turns, as of `turned`, that make a board most like what was seen.

    None where the size differs.
    """
    turns = [turned(board, count) for count in range(4)]
    fitting = [
        count
        for count, turn in enumerate(turns)
        if (turn.rows, turn.cols) == (seen.rows, seen.cols)
    ]
    return max(
        fitting,
        key=lambda count: sum(a == b for a, b in zip(turns[count], seen, strict=True)),
        default=None,
    )


def turned(board: Board, count: int) -> Board:
    """A board after so many quarter turns counter-clockwise."""
    return Board.from_faces(np.rot90(np.array(board.faces, object), count).tolist())


def throw(pips: Sequence[int], read: Callable[[], DiceReading]) -> Trial:
    """Read dice that show these pips, sorted; `NoDiceError` is a refusal."""
    start = time.process_time()
    try:
        reading = read()
    except NoDiceError:
        return Trial(Outcome.REFUSED, len(pips), seconds=time.process_time() - start)
    seconds = time.process_time() - start
    wrong = len(pips) - (Counter(pips) & Counter(reading.pips)).total()
    wrong = max(wrong, len(reading.pips) - len(pips))
    doubtful = len(reading.unread_px) + sum(die.doubtful for die in reading.dice)
    silent = 0 if reading.doubtful else wrong
    outcome = Outcome.SILENT if silent else Outcome.ASKED if wrong else Outcome.EXACT
    return Trial(outcome, len(pips), wrong, silent, doubtful, seconds=seconds)


@dataclass(frozen=True)
class Tally:
    """What several trials came to; at least one."""

    trials: Sequence[Trial]

    def count(self, *outcomes: Outcome) -> int:
        """How many ended in one of these ways."""
        return sum(trial.outcome in outcomes for trial in self.trials)

    @cached_property
    def faces(self) -> int:
        """Faces in all."""
        return sum(trial.faces for trial in self.trials)

    @cached_property
    def silent(self) -> int:
        """Faces wrong without a question."""
        return sum(trial.silent for trial in self.trials)

    @cached_property
    def doubtful(self) -> int:
        """Faces asked about."""
        return sum(trial.doubtful for trial in self.trials)

    @cached_property
    def untold(self) -> int:
        """Faces that nobody could tell."""
        return sum(trial.untold for trial in self.trials)

    @cached_property
    def excused(self) -> int:
        """Those of them that were read wrong, and asked about."""
        return sum(trial.excused for trial in self.trials)

    @cached_property
    def median_seconds(self) -> float:
        """Processor seconds of the middle one."""
        return float(np.median([trial.seconds for trial in self.trials]))

    @cached_property
    def most_seconds(self) -> float:
        """Processor seconds of the slowest."""
        return max(trial.seconds for trial in self.trials)


def bins_of(trials: Sequence[Trial]) -> tuple[Bin, ...]:
    """How often faces are right that were read with such a probability."""
    faces = [face for trial in trials for face in trial.read]
    confidences = np.array([face.confidence for face in faces], np.float64)
    return reliability(confidences, np.array([face.right for face in faces], np.bool_))


def asked_below(trials: Sequence[Trial], threshold: float) -> tuple[int, int]:
    """How many faces would be asked about, and how many silently wrong, with a stricter threshold.

    What is asked for other reasons, such as a missing cube, stays so.
    """
    faces = [face for trial in trials for face in trial.read]
    sure = [face for face in faces if face.confidence >= threshold and not face.doubtful]
    return len(faces) - len(sure), sum(not face.right for face in sure)
