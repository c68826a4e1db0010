"""Photos to read: the evaluation photos, where they are at hand, and rendered trays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scoring.board import Board
from vision.faces import FaceClassifier
from vision.lattice import apply
from vision.locate import LocatedTray
from vision.reading import Point
from vision.rectify import board_to_photo

TRAYS = Path(__file__).parents[3] / "shared" / "data" / "trays"


RealPhoto = tuple[Path, Board, tuple[Point, ...]]
"""An evaluation photo, what a person saw in it, and corners set by hand."""


@pytest.fixture(scope="session")
def real_photos() -> list[RealPhoto]:
    manifest = TRAYS / "trays.json"
    if not manifest.exists():
        pytest.skip(f"the evaluation photos are not at {TRAYS}")
    return [
        (
            TRAYS / entry["file"],
            Board.from_faces(entry["grid"]),
            tuple((x, y) for x, y in entry["corners_px"]),
        )
        for entry in json.loads(manifest.read_text("utf-8"))
    ]


@pytest.fixture(scope="session")
def classifier() -> FaceClassifier:
    return FaceClassifier()


Misplacement = Callable[[LocatedTray, tuple[Point, ...]], float]


@pytest.fixture(scope="session")
def misplacement() -> Misplacement:
    """How far a located tray's cell middles lie from the true ones, in cells, at any quarter turn.

    Infinite where the size is another.
    """

    def measure(tray: LocatedTray, corners: tuple[Point, ...]) -> float:
        side = tray.rows
        grid = np.array([(x, y) for y in range(side) for x in range(side)]) + 0.5
        places = apply(tray.homography, grid)
        on_board = apply(np.linalg.inv(board_to_photo(corners, side, side)), places)
        away = on_board - side / 2
        turns = [np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), k) for k in range(4)]
        return min(float(np.hypot(*(away - (grid - side / 2) @ turn).T).max()) for turn in turns)

    return measure
