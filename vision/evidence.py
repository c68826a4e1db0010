"""Whether what was read is cubes: print, keys and numbers in rows give boards too, but odd ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scoring.board import BLANK, MISSING, Face
from vision.gaps import LEAST_GAP
from vision.lattice import Floats
from vision.reading import FaceReading

MOST_MISSING = 0.3
"""Share of the cells that may be without a cube: a crossword has more black squares."""

MOST_HIDDEN = 0.5
"""The same where the letters lie as thrown cubes do, with holes between them: a hand hides some."""

MOST_UNSURE = 0.5
"""Share of the cells from which unsure ones speak against a tray: digits and signs come out so."""

LEAST_THROWN = 5.0
"""What the turns must speak for cubes where so many cells are unsure; by chance it is 1 or less.

Of 14 rendered trays that were so unsure and read without a mistake none had less than 6; a keypad
had 4.2.
"""

SURELY_THROWN = 6.0
"""The same where there are no holes between the cells."""

MOST_ALIKE = 0.5
"""Share of the cells that may show one and the same letter: a tiled wall has an O on each."""

MOST_UNSURE_ALIGNED = 0.25
"""The share of unsure cells where all letters stand one way up, as on keys and in crosswords, or
upside down: 3, 6 and 7 are read as E, G and L that way."""

FIRST_DOUBT = 0.9
"""Probability of a face, by the first look at it, below which it is unsure; a second look may find
many surer."""

ALIKE_TURNS = 0.97
"""Length of the mean of unit vectors along the letters from which they all stand one way up.

One in thousands of rolls lies so; a person may lay one."""

ALIKE_AXES = 0.85
"""The same of doubled turns, from which they all stand one way up or upside down."""

_FEWEST_AXES = 8
_ROUND = frozenset({*"OX", BLANK, MISSING})
_FEWEST_TURNS = 3  # sure letters that must tell their turn
_TURNLESS = frozenset({*"OXHINSZ", BLANK, MISSING})  # they look alike at two turns or at all


def shows_cubes(cells: Sequence[FaceReading], turns: Floats, gaps: float) -> bool:
    """Whether readings are those of cubes.

    Args:
        cells: of a board, row by row; doubtful are those that do not look like one face.
        turns: (cells,), degrees of the prints in their cells.
        gaps: as of `vision.gaps.gap_length`.
    """
    present = [cell for cell in cells if cell.face != MISSING]
    missing = 1 - len(present) / len(cells)
    if missing > MOST_MISSING and not (missing <= MOST_HIDDEN and _lie_thrown(cells, turns, gaps)):
        return False
    unsure = sum(cell.doubtful for cell in present) / len(present)
    if _largest_share([cell.face for cell in present]) > MOST_ALIKE:
        return False
    if unsure >= MOST_UNSURE:
        return _lie_thrown(cells, turns, gaps)
    if unsure >= MOST_UNSURE_ALIGNED and _stand_on_one_axis(cells, turns):
        return False
    return gaps >= LEAST_GAP or not _stand_one_way_up(cells, turns)


def may_show_cubes(logs: Floats, labels: Sequence[Face], turns: Floats, gaps: float) -> bool:
    """Whether a first look at cells speaks for cubes, so that a second one is worth its time.

    Args:
        logs: (cells, labels), logarithms of probabilities.
        labels: the faces that the columns stand for.
        turns: (cells,), degrees of the prints in their cells.
        gaps: as of `vision.gaps.gap_length`.
    """
    sureness = np.exp(logs.max(axis=1)).tolist()
    cells = [
        FaceReading(labels[label], sure, turn, (), doubtful=sure < FIRST_DOUBT)
        for label, sure, turn in zip(logs.argmax(axis=1), sureness, turns.tolist(), strict=True)
    ]
    return shows_cubes(cells, turns, gaps)


def _largest_share(faces: Sequence[Face]) -> float:
    letters = Counter(face for face in faces if face != BLANK)
    return max(letters.values(), default=0) / len(faces)


def _stand_one_way_up(cells: Sequence[FaceReading], turns: Floats) -> bool:
    telling = [not cell.doubtful and cell.face not in _TURNLESS for cell in cells]
    return sum(telling) >= _FEWEST_TURNS and _concentration(turns[telling]) >= ALIKE_TURNS


def _stand_on_one_axis(cells: Sequence[FaceReading], turns: Floats) -> bool:
    """Whether all letters stand one way up, or that way and upside down."""
    if _stand_one_way_up(cells, turns):
        return True
    telling = [not cell.doubtful and cell.face not in _ROUND for cell in cells]
    return sum(telling) >= _FEWEST_AXES and _concentration(2 * turns[telling]) >= ALIKE_AXES


def _lie_thrown(cells: Sequence[FaceReading], turns: Floats, gaps: float) -> bool:
    """Whether the turns speak for thrown cubes, all the more where there are no holes between."""
    return _thrownness(cells, turns) >= (LEAST_THROWN if gaps >= LEAST_GAP else SURELY_THROWN)


def _thrownness(cells: Sequence[FaceReading], turns: Floats) -> float:
    """How much the turns speak for thrown cubes: by quarter turns, and not all one way up.

    It is Rayleigh's statistic of fourfold turns less that of turns and doubled turns: 1 by chance.
    """
    weights = np.array([cell.confidence * (cell.face not in _ROUND) for cell in cells])
    angles = np.exp(1j * np.radians(turns))
    once, twice, quarters = (np.abs((weights * angles**power).sum()) ** 2 for power in (1, 2, 4))
    return float((quarters - max(once, twice)) / max((weights**2).sum(), 1e-9))


def _concentration(degrees: Floats) -> float:
    """Length of the mean of unit vectors at these angles."""
    return float(np.abs(np.exp(1j * np.radians(degrees)).mean()))
