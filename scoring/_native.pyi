from collections.abc import Callable, Mapping

from scoring.board import Cell, Face
from scoring.solution import FoundWord

MOST_CELLS: int
MOST_NODES: int

Rows = tuple[tuple[Face, ...], ...]
Worth = tuple[int | None, ...]

def kernels() -> list[str]: ...
def find_path(faces: tuple[str, ...], cols: int, word: str) -> tuple[int, ...] | None: ...

class Solved:
    @property
    def points(self) -> int: ...
    @property
    def count(self) -> int: ...
    def words(self, type: type[FoundWord], cells: tuple[Cell, ...]) -> tuple[FoundWord, ...]: ...

class Engine:
    def __init__(
        self,
        masks: memoryview,
        firsts: memoryview,
        letters_of: Callable[[Face], str],
        bits: Mapping[str, int],
        kernel: str,
    ) -> None: ...
    def solve(self, rows: Rows, worth: Worth) -> Solved: ...
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
