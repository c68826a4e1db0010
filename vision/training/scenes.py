"""Reads whole rendered scenes and counts what is wrong and not asked: silent errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.board import Board, Face
from vision.errors import VisionError
from vision.faces import FaceClassifier
from vision.reading import TrayReading
from vision.render.scenes import random_scene
from vision.tray import read_tray


@dataclass(frozen=True)
class CellOutcome:
    """How one cell of a scene was read.

    Attributes:
        face: what its cube shows.
        read: what was read.
        confidence: of what was read, 0–1.
        doubtful: whether it is asked.
    """

    face: Face
    read: Face
    confidence: float
    doubtful: bool


@dataclass(frozen=True)
class SceneOutcome:
    """How a scene was read.

    Attributes:
        seed: of the scene.
        difficulty: of the scene, 0–1.
        located: a tray of the board's size was found; else there are no cells.
        refused: the reading said that there is no tray.
        cells: row by row.
    """

    seed: int
    difficulty: float
    located: bool
    refused: bool
    cells: tuple[CellOutcome, ...]

    @property
    def exact(self) -> bool:
        """Whether the board was found and each cell read right."""
        return self.located and all(one.read == one.face for one in self.cells)

    @property
    def silent(self) -> tuple[CellOutcome, ...]:
        """The cells that were read wrong without being asked."""
        return tuple(one for one in self.cells if one.read != one.face and not one.doubtful)


@dataclass(frozen=True)
class SceneFigures:
    """How well scenes were read.

    Attributes:
        scenes: how many.
        exact: share of boards read exactly.
        settled: share of boards that are exact once the doubtful cells are asked.
        refused: share in which no tray was seen.
        misplaced: share in which a tray of another size was seen.
        faces: of the trays found.
        silent: of these faces, how many were wrong and not asked.
        asked: share of these faces.
    """

    scenes: int
    exact: float
    settled: float
    refused: float
    misplaced: float
    faces: int
    silent: int
    asked: float


def read_scenes(
    classifier: FaceClassifier, seeds: Iterable[int], difficulties: Sequence[float]
) -> Iterator[SceneOutcome]:
    """Read random scenes, one a seed, the difficulties taken in turns."""
    for number, seed in enumerate(seeds):
        difficulty = difficulties[number % len(difficulties)]
        board, shot = random_scene(seed, difficulty)
        try:
            reading = read_tray(shot.photo, classifier)
        except VisionError:
            yield SceneOutcome(seed, difficulty, located=False, refused=True, cells=())
            continue
        yield _outcome(seed, difficulty, board, reading)


def figures_of_scenes(outcomes: Sequence[SceneOutcome], doubt: float = 0.0) -> SceneFigures:
    """Figures of some scenes.

    Args:
        outcomes: at least one.
        doubt: a confidence below which a face is asked, beside those asked anyway.
    """
    cells = [one for outcome in outcomes for one in outcome.cells]
    count = len(outcomes)

    def asked(one: CellOutcome) -> bool:
        return one.doubtful or one.confidence < doubt

    settled = [
        outcome.located and all(one.read == one.face or asked(one) for one in outcome.cells)
        for outcome in outcomes
    ]
    return SceneFigures(
        scenes=count,
        exact=sum(one.exact for one in outcomes) / count,
        settled=sum(settled) / count,
        refused=sum(one.refused for one in outcomes) / count,
        misplaced=sum(not one.located and not one.refused for one in outcomes) / count,
        faces=len(cells),
        silent=sum(one.read != one.face and not asked(one) for one in cells),
        asked=sum(map(asked, cells)) / max(1, len(cells)),
    )


def _outcome(seed: int, difficulty: float, board: Board, reading: TrayReading) -> SceneOutcome:
    if [len(row) for row in reading.cells] != [board.cols] * board.rows:
        return SceneOutcome(seed, difficulty, located=False, refused=False, cells=())
    read = [one for row in reading.cells for one in row]
    cells = tuple(
        CellOutcome(face, one.face, one.confidence, one.doubtful)
        for face, one in zip(board, read, strict=True)
    )
    return SceneOutcome(seed, difficulty, located=True, refused=False, cells=cells)
