"""Does each cube lie flat in its cell? Told by the edges that are seen in and around the cell.

Of a cube that is cocked one sees two sides and the edge between them, or a lid that is off and
narrow. A small net looks at the directions of all edges, on a coarse grid, from the eight sides
that a square can be looked at; it was trained on rendered trays alone (``docs/training.md``). What
is not seen for sure is called so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import WeightsError
from vision.rectify import CELL_PX, MARGIN

WINDOW_PX = 64
"""Side of the square around a cell that is looked at, pixels of a rectified sheet."""

GRID = 8
"""Squares a side of the coarse grid."""

DIRECTIONS = 8
"""Of edges, over half a turn."""

FEATURES = GRID * GRID * (DIRECTIONS + 1)
"""Numbers that tell of a cell: edges of each direction, and lightness, in each square."""

SURE_FACE = 0.9
"""A cube whose face is less probable than this is not called flat."""

FLAT, COCKED = 0.05, 0.75
"""Probabilities of being cocked up to and from which a cube is called flat or cocked."""

_CONTRAST = 110 / 255  # what the spread of a board's grey levels becomes
_LEAST_SPREAD = 10.0


class Pose(StrEnum):
    """How a cube lies."""

    FLAT = "flat"
    UNSURE = "unsure"
    COCKED = "cocked"


@dataclass(frozen=True, eq=False)
class FlatnessNet:
    """The net.

    Attributes:
        hidden: (FEATURES + 1, units), the weights of the hidden units, and their biases last.
        output: (units + 1,), the same of the output.
    """

    hidden: NDArray[np.float32]
    output: NDArray[np.float32]

    @classmethod
    def load(cls, weights: Path | None = None) -> FlatnessNet:
        """The shipped net, or another.

        Raises:
            WeightsError: the file is missing or damaged.
        """
        path = weights or Path(str(resources.files("vision.models") / "flatness.npz"))
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return cls(arrays["hidden"].astype(np.float32), arrays["output"].astype(np.float32))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise WeightsError(
                f"the weights that tell cocked cubes, {path}, cannot be read: {error}",
                "install wordtray again, or make the weights by python -m vision.training.flatness",
            ) from error

    def cocked(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probability (n,) of being cocked, of cells with features (n, FEATURES)."""
        views = features[:, SYMMETRIES]  # (n, 8, FEATURES)
        units = np.maximum(views @ self.hidden[:-1] + self.hidden[-1], 0)
        scores = (units @ self.output[:-1] + self.output[-1]).mean(axis=1)
        return np.asarray(1 / (1 + np.exp(-scores.astype(np.float64))), np.float64)

    def poses(
        self, sheet: NDArray[np.uint8], rows: int, cols: int, confidence: NDArray[np.float64]
    ) -> tuple[Pose, ...]:
        """How each cube lies, row by row.

        Args:
            sheet: the board with its ring, as of `vision.rectify.rectified`.
            rows: rows of the board.
            cols: columns of the board.
            confidence: (cells,), probability of the likeliest face of each; 0 where no cube lies,
                or not all of it is seen.
        """
        cocked = self.cocked(features_of(cell_windows(sheet, rows, cols)))
        worst = _is_worst_around(cocked, rows, cols)
        return tuple(
            _pose(float(share), float(sure), is_worst=bool(is_worst))
            for share, sure, is_worst in zip(cocked, confidence, worst, strict=True)
        )


def cell_windows(sheet: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.float32]:
    """Grey squares around the cells, row by row: (cells, WINDOW_PX, WINDOW_PX), about −0.5 to 0.5.

    Light and contrast are those of the board as a whole, so that a cube keeps what it has of them.
    """
    grey = cv2.cvtColor(sheet, cv2.COLOR_RGB2GRAY).astype(np.float32)
    edge = round(MARGIN * CELL_PX)
    board = grey[edge : edge + rows * CELL_PX, edge : edge + cols * CELL_PX]
    low, middle, high = np.percentile(board, [10, 50, 90])
    level = np.clip((grey - middle) / (high - low + _LEAST_SPREAD) * _CONTRAST, -0.5, 0.5)
    start = edge - (WINDOW_PX - CELL_PX) // 2
    windows = np.lib.stride_tricks.sliding_window_view(level, (WINDOW_PX, WINDOW_PX))
    chosen = windows[start::CELL_PX, start::CELL_PX][:rows, :cols]
    return np.ascontiguousarray(chosen.reshape(-1, WINDOW_PX, WINDOW_PX), np.float32)


def features_of(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the net is told of windows (n, WINDOW_PX, WINDOW_PX): (n, FEATURES)."""
    across, down = np.zeros_like(windows), np.zeros_like(windows)
    across[:, :, 1:-1] = windows[:, :, 2:] - windows[:, :, :-2]
    down[:, 1:-1] = windows[:, 2:] - windows[:, :-2]
    strength = np.hypot(across, down)
    place = np.asarray(np.arctan2(down, across) % np.pi / np.pi * DIRECTIONS, np.float32)
    edges = np.stack([_pooled(strength * _nearness(place, k)) for k in range(DIRECTIONS)], axis=-1)
    total = edges.sum(axis=(1, 2, 3), keepdims=True)
    known = np.concatenate([np.sqrt(40 * edges / (total + 1e-3)), _pooled(windows)[..., None]], -1)
    return np.asarray(known.reshape(len(windows), FEATURES), np.float32)


def _nearness(place: NDArray[np.float32], direction: int) -> NDArray[np.float32]:
    """How much an edge at a place on the circle of directions counts for one of them, 0–1."""
    away = np.abs((place - direction + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
    return np.asarray(np.maximum(1 - away, 0), np.float32)


def _pooled(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Means over the squares of the grid: (n, GRID, GRID)."""
    side = WINDOW_PX // GRID
    return np.asarray(values.reshape(-1, GRID, side, GRID, side).mean(axis=(2, 4)), np.float32)


def _symmetries() -> NDArray[np.int64]:
    """Which features become which when a cell is turned or mirrored: (8, FEATURES)."""
    places = np.arange(FEATURES).reshape(GRID, GRID, DIRECTIONS + 1)
    mirrored = places[:, ::-1, [*(-np.arange(DIRECTIONS) % DIRECTIONS), DIRECTIONS]]
    views = [_turned(start, quarters) for start in (places, mirrored) for quarters in range(4)]
    return np.array([view.ravel() for view in views])


def _turned(places: NDArray[np.int64], quarters: int) -> NDArray[np.int64]:
    """The grid turned, and with it the directions of the edges; not the lightness."""
    turned = np.rot90(places, quarters)
    edges = np.roll(turned[..., :DIRECTIONS], quarters * DIRECTIONS // 2, axis=-1)
    return np.concatenate([edges, turned[..., DIRECTIONS:]], axis=-1)


SYMMETRIES = _symmetries()
"""(8, FEATURES): ``features[SYMMETRIES[k]]`` are those of the cell looked at from the k-th side."""


def _pose(cocked: float, confidence: float, *, is_worst: bool) -> Pose:
    if cocked >= COCKED and is_worst and confidence > 0:
        return Pose.COCKED
    return Pose.FLAT if cocked <= FLAT and confidence >= SURE_FACE else Pose.UNSURE


def _is_worst_around(cocked: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.bool_]:
    """Whether no neighbour is worse: a cocked cube covers parts of those beside it, (cells,)."""
    grid = np.pad(cocked.reshape(rows, cols), 1, constant_values=-1.0)
    around = np.lib.stride_tricks.sliding_window_view(grid, (3, 3)).max(axis=(2, 3))
    return np.asarray(cocked >= around.ravel(), np.bool_)
