"""A board on paper beside what is known to stand on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from vision.swoggle.printed import Cell
from vision.swoggle.reading import EMPTY, OTHER, SURE, BoardReading, Doubt, SquareReading

_KEPT = 0.95  # how probable it is, before looking, that a square is as it is known
_WIPED = 0.02  # that it is empty instead, or that something else stands there
_CAPITALS = 26

_WEIGHABLE = frozenset({Doubt.UNCLEAR, Doubt.NO_CAPITAL})


class Verdict(StrEnum):
    """How a square of the paper compares."""

    AGREES = "agrees"
    MISSING = "missing"
    OTHER = "other"
    EXTRA = "extra"
    ASKED = "asked"


@dataclass(frozen=True)
class Comparison:
    """One square beside what is known.

    Attributes:
        known: the capital that is known to stand there, or None.
        read: what was read.
        verdict: whether they agree; ``ASKED`` where a person must look.
    """

    known: str | None
    read: SquareReading
    verdict: Verdict


def compare(reading: BoardReading, known: Mapping[Cell, str]) -> dict[Cell, Comparison]:
    """Each square of a reading beside what is known, row by row.

    What is read for sure stands. Where several readings are possible, what is known is evidence:
    it decides if it is sure enough then. What cannot be seen is asked.

    Args:
        reading: of the paper.
        known: capitals that should stand there, by square; all others should be empty.
    """
    return {
        cell: Comparison(known.get(cell), square, _verdict(square, known.get(cell)))
        for cell, square in reading.squares.items()
    }


def _verdict(square: SquareReading, known: str | None) -> Verdict:
    if square.doubtful:
        weighable = _WEIGHABLE.issuperset(square.doubts)
        agrees = weighable and probability_of(square, known) >= SURE
        return Verdict.AGREES if agrees else Verdict.ASKED
    if square.sign == (known or EMPTY):
        return Verdict.AGREES
    if known is None:
        return Verdict.EXTRA
    return Verdict.MISSING if square.sign == EMPTY else Verdict.OTHER


def probability_of(square: SquareReading, known: str | None) -> float:
    """How probable it is that a square is as it is known, given the photo as well (Bayes)."""
    prior = {sign: _prior(sign, known) for sign, _ in square.shares}
    weighed = {sign: share * prior[sign] for sign, share in square.shares}
    return weighed.get(known or EMPTY, 0.0) / max(sum(weighed.values()), 1e-300)


def _prior(sign: str, known: str | None) -> float:
    if sign == (known or EMPTY):
        return _KEPT
    if sign in {EMPTY, OTHER}:
        return _WIPED
    return (1 - _KEPT - _WIPED) / _CAPITALS
