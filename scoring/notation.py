"""How cells and paths are written: B1 is the second cube of the first row.

A path is its first cell and then an arrow a step, so that its direction is clear: ``B1→↘↓``. To be
typed, it may also be written cell by cell: ``B1 C1 D2 D3``.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scoring.board import Cell, Path

_ARROWS = {
    (-1, 0): "↑",
    (-1, 1): "↗",
    (0, 1): "→",
    (1, 1): "↘",
    (1, 0): "↓",
    (1, -1): "↙",
    (0, -1): "←",
    (-1, -1): "↖",
}
_STEPS = {arrow: step for step, arrow in _ARROWS.items()}
_SIGN = re.compile(rf"\s*(?:([A-Za-z])([1-9]\d?)|([{''.join(_STEPS)}]))\s*")


class PathError(ValueError):
    """The text is no path."""


def cell_name(cell: Cell) -> str:
    """``"B1"`` for row 0, column 1."""
    row, col = cell
    return f"{chr(ord('A') + col)}{row + 1}"


def path_text(path: Path | None) -> str:
    """``"B1→↘↓"``; empty for no path."""
    if not path:
        return ""
    steps = (_ARROWS[r1 - r0, c1 - c0] for (r0, c0), (r1, c1) in pairwise(path))
    return cell_name(path[0]) + "".join(steps)


def parse_path(text: str) -> Path:
    """The cells of a path, as `path_text` writes it or cell by cell.

    Whether they lie on a board and touch each other is not asked.

    Raises:
        PathError: anything else.

    Example:
        >>> parse_path("B1→↘") == parse_path("b1 C1 d2") == ((0, 1), (0, 2), (1, 3))
        True
    """
    cells: list[Cell] = []
    place = 0
    while place < len(text):
        sign = _SIGN.match(text, place)
        if sign is None or (sign[3] and not cells):
            raise PathError(f"{text[place:]!r} is no path: write it as B1→↘ or as B1 C1 D2")
        cells.append(_moved(cells[-1], sign[3]) if sign[3] else _named(sign[1], sign[2]))
        place = sign.end()
    return tuple(cells)


def _named(column: str, row: str) -> Cell:
    return int(row) - 1, ord(column.upper()) - ord("A")


def _moved(cell: Cell, arrow: str) -> Cell:
    down, right = _STEPS[arrow]
    return cell[0] + down, cell[1] + right
