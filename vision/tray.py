"""The one call from a photo of a tray to its reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scoring.board import MISSING, Face
from scoring.cubes import CubeSet, cube_sets
from vision.confirm import Classifier, ScoredTray, confirm
from vision.decode import Decoded, decode
from vision.errors import NoTrayError, WrongCubesError
from vision.lattice import Homography, apply
from vision.locate import LocatedTray, locate
from vision.reading import FaceReading, TrayReading

DOUBT = 0.97
"""A cell whose face is less probable than this is shown to a person."""

_FACE = 0.7
"""Side of the square in a cell's middle that must lie in the photo, cells: it holds the print."""

_MOST_CANDIDATES = 6
_ALTERNATIVES = 3


def read_tray(
    photo: NDArray[np.uint8], classifier: Classifier, cube_set: CubeSet | None = None
) -> TrayReading:
    """Read the tray in a photo, wherever it lies and however it is turned.

    The board's up is the photo's up: of four quarter turns the one is taken whose rows run most
    nearly from left to right.

    Args:
        photo: (height, width, 3), RGB, upright.
        classifier: tells the faces, a `vision.faces.FaceClassifier`.
        cube_set: the edition in the tray, or None to find it out.

    Raises:
        NoTrayError: no board of 4×4, 5×5 or 6×6 cubes is seen.
        WrongCubesError: the tray that is seen has more cells than ``cube_set`` has cubes.
    """
    return decoded_tray(find_tray(photo, classifier), classifier.labels, photo.shape, cube_set)


def decoded_tray(
    scored: ScoredTray, labels: Sequence[Face], shape: tuple[int, ...], cube_set: CubeSet | None
) -> TrayReading:
    """The reading of a tray whose cells have been looked at.

    Args:
        scored: the tray and what its cells look like.
        labels: the faces that the columns of its scores stand for.
        shape: (height, width, …) of the photo; cells that it cuts off are doubtful.
        cube_set: the edition in the tray, or None to find it out.

    Raises:
        WrongCubesError: the tray has more cells than ``cube_set`` has cubes.
    """
    _check_enough(cube_set, scored.tray)
    decoded = decode(scored.log_probabilities, labels, _editions(scored.tray), cube_set)
    cells = _face_readings(scored, decoded, labels, shape)
    cols = scored.tray.cols
    return TrayReading(
        cells=tuple(tuple(cells[start : start + cols]) for start in range(0, len(cells), cols)),
        corners_px=scored.tray.corners,
        edition=decoded.edition,
    )


def find_tray(photo: NDArray[np.uint8], classifier: Classifier) -> ScoredTray:
    """The tray in a photo and what its cells look like.

    Raises:
        NoTrayError: no board of 4×4, 5×5 or 6×6 cubes is seen.
    """
    for candidate in islice(locate(photo), _MOST_CANDIDATES):
        scored = confirm(photo, candidate, classifier)
        if scored is not None:
            return scored
    raise NoTrayError(
        "no tray of 4×4, 5×5 or 6×6 cubes was found in the photo",
        "Take the photo from above in even light, with all cubes in view and dark space around.",
    )


def _check_enough(cube_set: CubeSet | None, tray: LocatedTray) -> None:
    if cube_set is not None and len(cube_set.cubes) < tray.rows * tray.cols:
        raise WrongCubesError(
            f"the photo shows {tray.rows}×{tray.cols} cubes, but {cube_set.name} has "
            f"{len(cube_set.cubes)}",
            "Name the edition in the photo, or none to have it found out.",
        )


def _editions(tray: LocatedTray) -> list[CubeSet]:
    return [cubes for cubes in cube_sets() if (cubes.rows, cubes.cols) == (tray.rows, tray.cols)]


def _face_readings(
    scored: ScoredTray, decoded: Decoded, labels: Sequence[Face], shape: tuple[int, ...]
) -> list[FaceReading]:
    tray = scored.tray
    turns = (scored.turns + row_turns(tray.homography, tray.rows, tray.cols)) % 360
    readings = []
    for face, look, probabilities, turn, whole in zip(
        decoded.faces,
        scored.log_probabilities.argmax(axis=1),
        decoded.probabilities,
        turns,
        _in_photo(scored.tray, shape),
        strict=True,
    ):
        best = np.argsort(-probabilities, kind="stable")[:_ALTERNATIVES]
        confidence = min(1.0, float(probabilities[labels.index(face)]))
        alternatives = tuple((labels[label], float(probabilities[label])) for label in best)
        unsure = face != labels[look] or _is_doubtful(face, confidence, decoded.edition)
        doubtful = unsure or not whole
        readings.append(FaceReading(face, confidence, float(turn), alternatives, doubtful))
    return readings


def _is_doubtful(face: Face, confidence: float, edition: str | None) -> bool:
    """Whether a face must be confirmed even where joint reading and looks agree.

    A missing cube always must: it is rare, and a hand or glare over a cube looks like one. An
    accented letter must where no edition is known to have it: marks below a letter that lies upside
    down look the same.
    """
    foreign = edition is None and not face.isascii()
    return confidence < DOUBT or face == MISSING or foreign


def _in_photo(tray: LocatedTray, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether the print of each cell lies in a photo of this (height, width, …): (cells,)."""
    ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _FACE / 2
    places = apply(tray.homography, (_middles(tray.rows, tray.cols)[:, None] + ends).reshape(-1, 2))
    inside = (places >= 0).all(axis=1) & (places <= (shape[1], shape[0])).all(axis=1)
    return np.asarray(inside.reshape(-1, len(ends)).all(axis=1), np.bool_)


def row_turns(homography: Homography, rows: int, cols: int) -> NDArray[np.float64]:
    """Turn of each cell's row in the photo, degrees counter-clockwise, row by row: (cells,)."""
    middles = _middles(rows, cols)
    right = np.array([0.4, 0.0])
    along = apply(homography, middles + right) - apply(homography, middles - right)
    return np.asarray(np.degrees(np.arctan2(-along[:, 1], along[:, 0])), np.float64)


def _middles(rows: int, cols: int) -> NDArray[np.float64]:
    """Board coordinates of the middles of all cells, row by row: (cells, 2)."""
    right, down = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    return np.column_stack([right.ravel(), down.ravel()])
