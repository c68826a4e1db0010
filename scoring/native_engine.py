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


def find_path(board: Board, word: str) -> Path | None:
    """As of `scoring.paths.find_path`."""
    if len(board) > _native.MOST_CELLS:
        return first_path(board, word)
    found = _native.find_path(board.letters, board.cols, word)
    return None if found is None else tuple(board.cells[cell] for cell in found)


@dataclass(frozen=True)
class NativeEngine:
    """An `Engine` that needs some microseconds a board.

    Args:
        trie: the words.
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
        solved = self._native.solve(board.faces, game.points_by_length)
        if solved is None:
            return self._twin.solve(board, game)
        return Solution(solved.points, solved.count, partial(solved.words, FoundWord, board.cells))

    def scores(self, boards: Sequence[Board], game: Game, threads: int) -> list[int]:
        """As of `Engine.scores`."""
        if self._largest(boards) > self._native.most_cells:
            return [self.solve(board, game).points for board in boards]
        worth = game.points_by_length
        if isinstance(boards, Rolls):
            faces, numbers = list(boards.faces), memoryview(boards.numbers)
            return self._native.roll_scores(
                faces, numbers, boards.rows, boards.cols, worth, threads
            )
        return self._native.scores([board.faces for board in boards], worth, threads)

    @staticmethod
    def _largest(boards: Sequence[Board]) -> int:
        if isinstance(boards, Rolls):  # all of one size, and none of them made for the asking
            return boards.rows * boards.cols
        return max(map(len, boards), default=0)

    @cached_property
    def _native(self) -> _native.Engine:
        trie = self.trie
        return _native.Engine(trie.masks, trie.firsts, letters, trie.bits, self.kernel)

    @cached_property
    def _twin(self) -> PythonEngine:
        """For boards beyond 36 cells, or fewer with lists of more than four million nodes."""
        return PythonEngine(self.trie)
