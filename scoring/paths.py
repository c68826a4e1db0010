"""Paths of a single word across a board; no word list is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec

from scoring.board import FEWEST_CUBES, Board, Path


def paths(board: Board, word: str) -> Iterator[Path]:
    """Every path of the word, one after the other; a board may give a word millions.

    Args:
        board: where to look.
        word: small letters, NFC.

    Example:
        >>> sorted(paths(Board.parse("TE/EA"), "tea"))
        [((0, 0), (0, 1), (1, 1)), ((0, 0), (1, 0), (1, 1))]
    """
    faces = board.letters
    onward = _onward(board, faces, word)
    unfinished: list[tuple[tuple[int, ...], int]]
    unfinished = [((cell,), len(faces[cell])) for cell in onward[0]] if word else []
    while unfinished:
        path, spelt = unfinished.pop()
        if spelt < len(word):
            unfinished += [
                ((*path, cell), spelt + len(faces[cell]))
                for cell in board.neighbours[path[-1]]
                if cell in onward[spelt] and cell not in path
            ]
        elif len(path) >= FEWEST_CUBES:
            yield tuple(board.cells[cell] for cell in path)


def find_path(board: Board, word: str) -> Path | None:
    """A path of the word on the board, or None; any letters will do, no word list is asked.

    Args:
        board: where to look.
        word: small letters, NFC.
    """
    return _finder()(board, word)


def can_make(board: Board, word: str) -> bool:
    """Whether the board spells the word; the board is not solved for it.

    Example:
        >>> can_make(Board.parse("TE/EA"), "tea"), can_make(Board.parse("TE/EA"), "ate")
        (True, True)
    """
    return find_path(board, word) is not None


def first_path(board: Board, word: str) -> Path | None:
    """The same as `find_path` on any machine and board: the first of `paths`."""
    return next(paths(board, word), None)


@cache
def _finder() -> Callable[[Board, str], Path | None]:
    """The native search for a path, where it was built."""
    if find_spec("scoring._native") is None:
        return first_path
    from scoring import native_engine  # noqa: PLC0415

    return native_engine.find_path


def _onward(board: Board, faces: Sequence[str], word: str) -> list[set[int]]:
    """For each place in the word the cells that can spell the rest from there.

    Cubes may be used again here, so this says too much, but cheaply: it keeps the exact search from
    walking every path of a board of few letters.
    """
    shown = "".join(faces)
    if any(word.count(letter) > shown.count(letter) for letter in set(word)):
        return [set() for _ in word]
    onward: list[set[int]] = [set() for _ in word] + [set(range(len(faces)))]
    for start in reversed(range(len(word))):
        for cell, face in enumerate(faces):
            if face and word.startswith(face, start):
                rest = onward[start + len(face)]
                if not rest.isdisjoint(board.neighbours[cell]):
                    onward[start].add(cell)
    return onward
