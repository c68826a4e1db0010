"""What shakes show: one row of numbers for each shake, and for each two that follow one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board import Face
from scoring.cubes import CubeSet
from scoring.fairness.identity import cubes_in_cells, encoded, face_shares

Floats = NDArray[np.float64]

_BATCH = 500  # boards at a time: 36 × 36 numbers each


@dataclass(frozen=True, eq=False)
class Evidence:
    """What some shakes in a row show of the cubes.

    Attributes:
        shows: (shakes, cubes, faces), how probable it is that a cube shows a face.
        repeats: (shakes - 1,), cubes that show the same face as in the shake before, expected.
        stays: (shakes - 1,), cubes that lie in the same cell as in the shake before, expected.
    """

    shows: Floats
    repeats: Floats
    stays: Floats

    def __len__(self) -> int:
        """Number of shakes."""
        return len(self.shows)


def evidence_of(boards: Sequence[Sequence[Face]], edition: CubeSet) -> Evidence:
    """What the boards of shakes in a row show.

    Args:
        boards: the faces of each, cell by cell; as many as the set's tray has.
        edition: the cubes in the tray.
    """
    faces, shares = face_shares(edition)
    codes = encoded(boards, faces)
    held = np.concatenate([cubes_in_cells(part, shares) for part in _parts(codes)])
    return from_places(held, codes, len(faces))


def from_places(held: Floats, codes: NDArray[np.int64], faces: int) -> Evidence:
    """The same where it is known, or known how probable, which cube each cell holds.

    Args:
        held: (shakes, cells, cubes), probability that a cell holds a cube.
        codes: (shakes, cells), places of the faces, -1 for one that is of no cube.
        faces: how many faces the set has.
    """
    up = np.arange(faces) == codes[..., None]  # (shakes, cells, faces)
    shows = np.einsum("scq,scf->sqf", held, up.astype(np.float64), optimize=True)
    return Evidence(
        shows,
        repeats=np.einsum("sqf,sqf->s", shows[1:], shows[:-1]),
        stays=np.einsum("scq,scq->s", held[1:], held[:-1]),
    )


@dataclass(frozen=True, eq=False)
class FairShakes:
    """Made-up shakes of a fair shaker, and what would show if one could see the cubes themselves.

    Attributes:
        seen: what the boards show.
        true: what really happened.
    """

    seen: Evidence
    true: Evidence


def fair_shakes(edition: CubeSet, count: int, rng: np.random.Generator) -> FairShakes:
    """So many shakes of a tray whose cubes fall anywhere and on any face."""
    faces, shares = face_shares(edition)
    cells = edition.rows * edition.cols
    cubes = len(shares)
    order = rng.permuted(np.tile(np.arange(cubes), (count, 1)), axis=1)[:, :cells]
    rolled = rng.random((count, cells, 1)) > np.cumsum(shares, axis=1)[order]
    codes = np.minimum(rolled.sum(axis=2), len(faces) - 1).astype(np.int64)
    held = np.concatenate([cubes_in_cells(part, shares) for part in _parts(codes)])
    certain = (np.arange(cubes) == order[..., None]).astype(np.float64)
    return FairShakes(from_places(held, codes, len(faces)), from_places(certain, codes, len(faces)))


def _parts(codes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    yield from (codes[start : start + _BATCH] for start in range(0, len(codes), _BATCH))
