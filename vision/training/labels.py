"""What the classifier tells apart, and which prints look alike when they are turned."""

from __future__ import annotations

import numpy as np

from scoring.board import BLANK, MISSING, Face

LABELS: tuple[Face, ...] = (
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    *("An", "Ch", "Er", "He", "In", "Qu", "Th", "Fg", "Bc"),
    *("Ä", "Ñ", "Ö", "Å", "É", "Ü", "Č"),
    BLANK,
    MISSING,
)
"""Every face of every cube set, and pairs and accented letters of foreign sets."""

FOREIGN = -1
"""Label of a face of no known set: the net is to learn that it does not know it."""

_FOREIGN_LETTERS = "ÆÇÐØÞŁ"
_ROUND = frozenset("OX")
_POINT_SYMMETRIC = frozenset("HINSZ")


def label_of(face: Face) -> int:
    """Index in `LABELS`, or `FOREIGN`."""
    return LABELS.index(face) if face in LABELS else FOREIGN


def foreign_face(rng: np.random.Generator) -> Face:
    """A face of no known set: two letters, or a letter of another alphabet."""
    if rng.random() < 0.2:
        return _FOREIGN_LETTERS[rng.integers(len(_FOREIGN_LETTERS))]
    first, second = rng.integers(26, size=2).tolist()
    face = chr(ord("A") + first) + chr(ord("a") + second)
    return foreign_face(rng) if face in LABELS else face


def symmetry(face: Face, *, marked: bool) -> int:
    """How many turns of a print look alike: 1, 2 (a half turn), or 0 where no turn is told.

    Args:
        face: the face printed.
        marked: a line marks its foot.
    """
    if face in (BLANK, MISSING) or label_of(face) == FOREIGN:
        return 0
    if marked:
        return 1
    if face in _ROUND:
        return 0
    return 2 if face in _POINT_SYMMETRIC else 1
