"""Which cube lies where, as far as the faces tell it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board import Face
from scoring.cubes import CubeSet

Floats = NDArray[np.float64]

_ROUNDS = 60  # of scaling rows and columns
_FOREIGN = 1e-6  # weight of a face that a cube does not have: one misread must not break a board


def face_shares(edition: CubeSet) -> tuple[tuple[Face, ...], Floats]:
    """The faces of a set, sorted, and the probability that each cube shows each: (cubes, faces)."""
    faces = tuple(sorted({face for cube in edition.cubes for face in cube}))
    shares = [[cube.count(face) / len(cube) for face in faces] for cube in edition.cubes]
    return faces, np.array(shares)


def encoded(boards: Sequence[Sequence[Face]], faces: Sequence[Face]) -> NDArray[np.int64]:
    """The place of each board's faces among those of the set, -1 for others: (boards, cells)."""
    places = {face: place for place, face in enumerate(faces)}
    return np.array([[places.get(face, -1) for face in board] for board in boards], np.int64)


def cubes_in_cells(boards: NDArray[np.int64], shares: Floats) -> Floats:
    """How probable it is that a cell holds a cube, for every board: (boards, cells, cubes).

    A layout of the cubes weighs as much as the product of the shares of the faces that it shows.
    The sum over all layouts is out of reach, so rows and columns are scaled until each sums to 1
    (Sinkhorn 1964), which comes near. It need not be exact: whoever uses it compares boards with
    boards, all of them looked at in the same way.

    Args:
        boards: (boards, cells), places of faces, -1 for one that is of no cube.
        shares: (cubes, faces), at least as many cubes as cells.
    """
    cells, cubes = boards.shape[1], len(shares)
    known = np.where(boards[..., None] >= 0, shares.T[boards], 0.0) + _FOREIGN
    left_over = np.ones((len(boards), cubes - cells, cubes))  # cubes that stayed in the box
    weights = np.concatenate([known, left_over], axis=1)
    for _ in range(_ROUNDS):
        weights /= weights.sum(axis=1, keepdims=True)
        weights /= weights.sum(axis=2, keepdims=True)
    return np.asarray(weights[:, :cells], np.float64)
