"""``python -m vision.training.flatness``: trains the net that tells cocked cubes, on renders alone.

It needs neither torch nor fonts but those that the product ships; one core takes five minutes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from scoring.board import MISSING, Board
from scoring.cubes import cube_set
from vision.flatness import FEATURES, SYMMETRIES, FlatnessNet, cell_windows, features_of
from vision.rectify import board_to_photo, rectified
from vision.render.tray import PhotoOptions, RenderedTray, render_tray

_EDITIONS = {4: "classic_4x4", 5: "big_2012_5x5"}
_VARIETIES = (0.0, 0.2, 0.4, 0.7)
_OPTIONS = {
    "size": (640, 480),
    "max_tilt": 30.0,
    "share": (0.6, 0.95),
    "cocked": 0.14,
    "stacked": 0.03,
}
_GAPPY, _MISSING = 0.4, 0.15  # share of trays with cubes missing, and of the cells in them
_OFF = 0.045  # cells by which a located corner is off, standard deviation
_NEARLY_FLAT = 15.0  # degrees; a cube that leans less teaches nothing
_UNITS = 64
_BATCH = 512
_RATE, _DECAY = 2e-3, 0.1
_DROPPED = 0.1  # share of the features that a batch does not see
_SEED = 70_000  # of the first tray; every fifth tray is kept for the measurement

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Cells:
    """Cells with their truth.

    Attributes:
        features: (n, FEATURES).
        leans: (n,), degrees; infinite for a cube on another.
    """

    features: Floats
    leans: Floats

    def picked(self, chosen: NDArray[np.bool_]) -> Cells:
        """Those where ``chosen`` (n,) says so."""
        return Cells(self.features[chosen], self.leans[chosen])


def draw(numbers: Iterable[int]) -> Cells:
    """All cubes of the trays with these numbers."""
    trays = [_drawn(number) for number in numbers]
    return Cells(*(np.concatenate(column) for column in zip(*trays, strict=True)))


def _drawn(number: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(_SEED + number)
    side = 4 if number % 3 else 5
    board = _with_gaps(cube_set(_EDITIONS[side]).roll(random.Random(number)), rng)
    options = PhotoOptions(variety=float(rng.choice(_VARIETIES)), **_OPTIONS)  # type: ignore[arg-type]
    shot = render_tray(board, rng, options)
    features = features_of(cell_windows(_sheet(shot, side, rng), side, side))
    postures = [shot.scene.postures.get(cell) for cell in board.cells]
    leans = [
        0.0 if posture is None else np.inf if posture.is_stacked else posture.lean
        for posture in postures
    ]
    occupied = np.array([face != MISSING for face in board])
    return features[occupied], np.array(leans, np.float32)[occupied]


def _with_gaps(board: Board, rng: np.random.Generator) -> Board:
    """The board, often with some cubes missing: what is beside a gap looks otherwise."""
    share = _MISSING if rng.random() < _GAPPY else 0.0
    gaps = rng.random((board.rows, board.cols)) < share
    return Board.from_faces(np.where(gaps, MISSING, np.array(board.faces, object)).tolist())


def _sheet(shot: RenderedTray, side: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The tray rectified by corners that are as far off as a locator's."""
    corners = np.array(shot.corners_px)
    pitch = float(np.linalg.norm(corners[1] - corners[0])) / side
    near = corners + rng.normal(0, _OFF * pitch, (4, 2))
    homography = board_to_photo([(float(x), float(y)) for x, y in near], side, side)
    return rectified(shot.photo, homography, side, side)


def fit(cells: Cells, rng: np.random.Generator, passes: int) -> FlatnessNet:
    """Train by Adam with decoupled decay; each batch looks at its cells from any side."""
    cells = cells.picked((cells.leans == 0) | (cells.leans >= _NEARLY_FLAT))
    truth = (cells.leans > 0).astype(np.float32)
    mean, spread = cells.features.mean(axis=0), cells.features.std(axis=0) + 0.02
    weights = _Weights.drawn(rng)
    steps = passes * (len(truth) // _BATCH)
    for step in range(steps):
        chosen = rng.integers(len(truth), size=_BATCH)
        sides = SYMMETRIES[rng.integers(len(SYMMETRIES), size=_BATCH)]
        seen = (np.take_along_axis(cells.features[chosen], sides, axis=1) - mean) / spread
        kept = rng.random(seen.shape) > _DROPPED
        weights.learn((seen * kept / (1 - _DROPPED)).astype(np.float32), truth[chosen], step, steps)
    return weights.net(mean, spread)


class _Weights:
    """What is learnt, with the running means of its gradients."""

    def __init__(self, arrays: list[Floats]) -> None:
        self._arrays = arrays
        self._means = [np.zeros_like(array) for array in arrays]
        self._squares = [np.zeros_like(array) for array in arrays]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> _Weights:
        hidden = rng.normal(0, FEATURES**-0.5, (FEATURES, _UNITS))
        output = rng.normal(0, 0.2, _UNITS)
        arrays = [hidden, np.zeros(_UNITS), output, np.zeros(1)]
        return cls([array.astype(np.float32) for array in arrays])

    def learn(self, seen: Floats, truth: Floats, step: int, steps: int) -> None:
        rate = _RATE * (1 - step / steps)
        for place, gradient in enumerate(self._gradients(seen, truth)):
            mean, square, array = self._means[place], self._squares[place], self._arrays[place]
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            size = np.sqrt(square / (1 - 0.99 ** (step + 1))) + 1e-7
            decay = _DECAY * array if place in {0, 2} else 0.0
            array -= rate * (mean / (1 - 0.9 ** (step + 1)) / size + decay)

    def _gradients(self, seen: Floats, truth: Floats) -> list[Floats]:
        """Of the logistic loss."""
        hidden, hidden_bias, output, output_bias = self._arrays
        units = np.maximum(seen @ hidden + hidden_bias, 0)
        said = 1 / (1 + np.exp(-(units @ output + output_bias)))
        away = (said - truth) / len(truth)
        back = np.outer(away, output) * (units > 0)
        return [seen.T @ back, back.sum(axis=0), units.T @ away, np.array([away.sum()])]

    def net(self, mean: Floats, spread: Floats) -> FlatnessNet:
        """The net on features as they are."""
        hidden, hidden_bias, output, output_bias = self._arrays
        scaled = hidden / spread[:, None]
        bias = hidden_bias - mean @ scaled
        return FlatnessNet(np.vstack([scaled, bias]), np.append(output, output_bias))


def figures(net: FlatnessNet, cells: Cells, flat: float, cocked: float) -> dict[str, float]:
    """Shares of cubes by lean that are called flat or cocked at these probabilities."""
    said = net.cocked(cells.features)
    kinds = {
        "flat": cells.leans == 0,
        "leaning by 15-20°": (cells.leans >= 15) & (cells.leans < 20),
        "leaning by 20-30°": (cells.leans >= 20) & (cells.leans < 30),
        "leaning by 30-40°": (cells.leans >= 30) & np.isfinite(cells.leans),
        "on another": np.isinf(cells.leans),
    }
    shares = {}
    for kind, chosen in kinds.items():
        if not chosen.any():
            continue
        shares[f"{kind}, called flat"] = round(float((said[chosen] <= flat).mean()), 4)
        shares[f"{kind}, called cocked"] = round(float((said[chosen] >= cocked).mean()), 4)
    return shares


def main(
    out: Annotated[Path, typer.Option(help="File of the weights.")] = Path("flatness.npz"),
    trays: Annotated[int, typer.Option(help="Rendered trays to draw.")] = 2400,
    passes: Annotated[int, typer.Option(help="How often a cell is seen.")] = 40,
) -> None:
    """Draw, train, measure and write."""
    from vision.flatness import COCKED, FLAT  # noqa: PLC0415 - constants of the measurement alone

    console = Console(stderr=True)
    kept = draw(track(range(0, trays, 5), "Drawing to measure", console=console))
    others = [number for number in range(trays) if number % 5]
    seen = draw(track(others, "Drawing to train", console=console))
    net = fit(seen, np.random.default_rng(1), passes)
    measured = figures(net, kept, FLAT, COCKED)
    made_by = " ".join(["python -m vision.training.flatness", *sys.argv[1:]])
    note = np.array(str({"made by": made_by, "on trays left out": measured}))
    np.savez_compressed(
        out, hidden=net.hidden.astype(np.float16), output=net.output.astype(np.float16), note=note
    )
    for kind, share in measured.items():
        console.print(f"{share:8.2%}  {kind}")


if __name__ == "__main__":
    typer.run(main)
