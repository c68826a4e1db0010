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

MOST_UNSURE = 0.5
"""Share of the cells from which unsure ones speak against a tray: digits and signs come out so."""

MOST_ALIKE = 0.5
"""Share of the cells that may show one and the same letter: a tiled wall has an O on each."""

MOST_UNSURE_UPRIGHT = 0.25
"""The share of unsure cells where all letters stand one way up, as on keys and in crosswords."""

ALIKE_TURNS = 0.97
"""Length of the mean of unit vectors along the letters from which they all stand one way up.

One in thousands of rolls lies so; a person may lay one."""

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
    if len(present) < (1 - MOST_MISSING) * len(cells):
        return False
    unsure = sum(cell.doubtful for cell in present) / len(present)
    if unsure >= MOST_UNSURE or _largest_share([cell.face for cell in present]) > MOST_ALIKE:
        return False
    one_way_up = _stand_one_way_up(cells, turns)
    return not one_way_up or (unsure < MOST_UNSURE_UPRIGHT and gaps >= LEAST_GAP)


def _largest_share(faces: Sequence[Face]) -> float:
    letters = Counter(face for face in faces if face != BLANK)
    return max(letters.values(), default=0) / len(faces)


def _stand_one_way_up(cells: Sequence[FaceReading], turns: Floats) -> bool:
    telling = [not cell.doubtful and cell.face not in _TURNLESS for cell in cells]
    units = np.exp(1j * np.radians(turns[telling]))
    return len(units) >= _FEWEST_TURNS and bool(np.abs(units.mean()) >= ALIKE_TURNS)
