"""What the classifier tells apart, and which prints look alike when they are turned."""

from __future__ import annotations

from scoring.board import BLANK, MISSING, Face

LABELS: tuple[Face, ...] = (
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    *("An", "Ch", "Er", "He", "In", "Qu", "Th"),
    *("Ä", "Ñ", "Ö"),
    BLANK,
    MISSING,
)
"""Every face of every cube set, and the umlauts of foreign sets."""

_ROUND = frozenset({"O", "X", BLANK, MISSING})
_POINT_SYMMETRIC = frozenset("HINSZ")


def symmetry(face: Face, *, marked: bool) -> int:
    """How many turns of a print look alike: 1, 2 (a half turn), or 0 where no turn is told.

    Args:
        face: the face printed.
        marked: a line marks its foot.
    """
    if marked and face not in (BLANK, MISSING):
        return 1
    if face in _ROUND:
        return 0
    return 2 if face in _POINT_SYMMETRIC else 1
