from collections.abc import Callable, Mapping
from typing import TypeAlias

from scoring.board import Cell, Face
from scoring.solution import FoundWord

MOST_CELLS: int

Rows: TypeAlias = tuple[tuple[Face, ...], ...]
Worth: TypeAlias = tuple[int | None, ...]

def kernels() -> list[str]: ...
def find_path(faces: tuple[str, ...], cols: int, word: str) -> tuple[int, ...] | None: ...

class Solved:
    @property
    def points(self) -> int: ...
    @property
    def count(self) -> int: ...
    def words(self, kind: type[FoundWord], cells: tuple[Cell, ...]) -> tuple[FoundWord, ...]: ...

class Engine:
    def __init__(
        self,
        masks: memoryview,
        firsts: memoryview,
        letters_of: Callable[[Face], str],
        bits: Mapping[str, int],
        kernel: str,
    ) -> None: ...
    @property
    def most_cells(self) -> int: ...
    def solve(self, rows: Rows, worth: Worth) -> Solved | None: ...
    def scores(self, boards: list[Rows], worth: Worth, threads: int) -> list[int]: ...
    def roll_scores(
        self,
        faces: list[Face],
        numbers: memoryview,
        rows: int,
        cols: int,
        worth: Worth,
        threads: int,
    ) -> list[int]: ...
