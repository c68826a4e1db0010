"""Search engines: a native one in C++ where it could be built, and its twin in pure Python.

Both walk the same trie and give the same answers, word for word; only the path shown for a word
with several may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Protocol

from scoring.board import Board
from scoring.python_engine import PythonEngine
from scoring.rules.game import Game
from scoring.solution import Solution
from scoring.trie import Trie


class Engine(Protocol):
    """Finds the words of a trie on boards."""

    @property
    def name(self) -> str:
        """What it runs on: ``"python"``, or ``"native"`` with the kind of processor it uses."""

    def solve(self, board: Board, game: Game) -> Solution:
        """Every word that counts in this game.

        Raises:
            SearchError: the board has too many ways, which takes many like cubes.
        """

    def scores(self, boards: Sequence[Board], game: Game, threads: int) -> list[int]:
        """The points of all words of each board, on so many threads where the engine has them.

        Raises:
            SearchError: as `solve`.
        """


def engines(trie: Trie) -> tuple[Engine, ...]:
    """All engines that this machine can use, the fastest first."""
    return (*_native_engines(trie), PythonEngine(trie))


def _native_engines(trie: Trie) -> tuple[Engine, ...]:
    if find_spec("scoring._native") is None:  # installed without a compiler
        return ()
    from scoring import native_engine  # noqa: PLC0415

    return tuple(native_engine.NativeEngine(trie, kernel) for kernel in native_engine.kernels())
