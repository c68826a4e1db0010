"""What was found and read on a page, with its doubts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.reading import Point

Quad = tuple[Point, Point, Point, Point]
"""Upper left, upper right, lower right, lower left as the writing is read; pixels of the photo."""


@dataclass(frozen=True, eq=False)
class WordImage:
    """A written word, cut out of a page.

    Attributes:
        picture: (height, width), uint8, grey: ink dark, paper about 255, rules taken out, the
            writing upright and level.
        quad_px: where it is in the photo.
        line: number of its line on the page, from 0 at the top, column by column.
        struck: probability that it is crossed out, 0–1.
        letters: the letter boxes that it fills on a boxed sheet, or None on free paper.
        cancelled: probability that the circle of its row is filled, 0–1; None where it has none.
        otherwise: other pictures of a word that touches another line: cut from it in other ways.
    """

    picture: NDArray[np.uint8]
    quad_px: Quad
    line: int
    struck: float = 0.0
    letters: int | None = None
    cancelled: float | None = None
    otherwise: tuple[NDArray[np.uint8], ...] = ()


class Doubt(StrEnum):
    """Why a person must confirm a word."""

    UNCLEAR = "it may be read in several ways"
    CROSSED_OUT = "it may be crossed out"
    CIRCLE = "its circle may be filled"


@dataclass(frozen=True)
class WordReading:
    """A word as it was read.

    Attributes:
        text: what is written, folded to capitals; never bent into a word that scores.
        confidence: calibrated probability of ``text``, 0–1.
        alternatives: the most probable readings with their probabilities, best first, three at
            most.
        struck: it is crossed out; where that is not sure the word is doubtful.
        doubtful: a person must confirm this word before it counts.
        quad_px: where it is in the photo.
        line: number of its line on the page, from 0.
        doubts: why it must be confirmed, if so.
    """

    text: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    struck: bool
    doubtful: bool
    quad_px: Quad
    line: int
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True)
class WordListReading:
    """A page as it was read.

    Attributes:
        words: in the order in which they are written, the crossed out ones included.
        player: whose list it is, by the sheet's code or the head line; None where unknown.
        round: which round it belongs to, by the sheet's code; None where unknown.
        lost: rows of a sheet that could not be seen, from 1.
    """

    words: tuple[WordReading, ...]
    player: str | None = None
    round: str | None = None
    lost: tuple[int, ...] = ()
