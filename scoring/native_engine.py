"""The engine in C++, where the installation could compile it: see ``scoring/native/search.h``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from scoring import _native
from scoring.board import Board, Path, letters
from scoring.paths import first_path
from scoring.python_engine import PythonEngine
from scoring.rolls import Rolls
from scoring.rules.game import Game
from scoring.solution import FoundWord, Solution
from scoring.trie import Trie

kernels = _native.kernels
"""Names of the forms of the search that this processor can run, the fastest first."""


def can_search(trie: Trie) -> bool:
    """Whether the trie is small enough: 4,194,304 nodes, some ten times the built-in list."""
    return len(trie.masks) <= _native.MOST_NODES


def find_path(board: Board, word: str) -> Path | None:
    """As of `scoring.paths.find_path`."""
    if not _fits(board):
        return first_path(board, word)
    found = _native.find_path(board.letters, board.cols, word)
    return None if found is None else tuple(board.cells[cell] for cell in found)


@dataclass(frozen=True)
class NativeEngine:
    """An `Engine` that needs some microseconds a board.

    Args:
        trie: the words; `can_search` must hold.
        kernel: one of `kernels`.
    """

    trie: Trie
    kernel: str

    @property
    def name(self) -> str:
        """As of `Engine.name`."""
        return f"native {self.kernel}"

    def solve(self, board: Board, game: Game) -> Solution:
        """As of `Engine.solve`."""
        if not _fits(board):
            return self._twin.solve(board, game)
        solved = self._native.solve(board.faces, game.points_by_length)
        return Solution(solved.points, solved.count, partial(solved.words, FoundWord, board.cells))

    def scores(self, boards: Sequence[Board], game: Game, threads: int) -> list[int]:
        """As of `Engine.scores`."""
        if not _all_fit(boards):
            return [self.solve(board, game).points for board in boards]
        worth = game.points_by_length
        if isinstance(boards, Rolls):
            faces, numbers = list(boards.faces), memoryview(boards.numbers)
            return self._native.roll_scores(
                faces, numbers, boards.rows, boards.cols, worth, threads
            )
        return self._native.scores([board.faces for board in boards], worth, threads)

    @cached_property
    def _native(self) -> _native.Engine:
        trie = self.trie
        return _native.Engine(trie.masks, trie.firsts, letters, trie.bits, self.kernel)

    @cached_property
    def _twin(self) -> PythonEngine:
        """For boards of more cells than a state of the native search has room for."""
        return PythonEngine(self.trie)


def _all_fit(boards: Sequence[Board]) -> bool:
    if isinstance(boards, Rolls):  # all of one size, and none of them made for the asking
        return boards.rows * boards.cols <= _native.MOST_CELLS
    return all(map(_fits, boards))


def _fits(board: Board) -> bool:
    return len(board) <= _native.MOST_CELLS
