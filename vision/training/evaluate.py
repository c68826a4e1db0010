"""Measures the classifier on real photos whose corners were set by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Face
from vision.faces import FaceClassifier
from vision.rectify import board_to_photo, cut_cells


@dataclass(frozen=True)
class TrayPhoto:
    """A photo with its truth.

    Attributes:
        name: of its file.
        faces: row by row, ``_`` a missing cube.
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3), of the board and its ring.
    """

    name: str
    faces: tuple[tuple[Face, ...], ...]
    crops: NDArray[np.uint8]


@dataclass(frozen=True)
class Verdict:
    """How a cell was read.

    Attributes:
        photo: name of the photo.
        cell: (row, column).
        face: what the cube shows.
        read: what was read.
        probability: that the classifier gives what was read, 0–1.
    """

    photo: str
    cell: tuple[int, int]
    face: Face
    read: Face
    probability: float


def tray_photos(folder: Path) -> Iterator[TrayPhoto]:
    """The photos that ``trays.json`` in the folder describes.

    Each entry holds ``file``, ``rows``, ``cols``, ``grid`` (rows of faces) and ``corners_px`` of
    the cube area.
    """
    for entry in json.loads((folder / "trays.json").read_text(encoding="utf-8")):
        stored = np.asarray(cv2.imread(str(folder / entry["file"]), cv2.IMREAD_COLOR), np.uint8)
        photo = cv2.cvtColor(stored, cv2.COLOR_BGR2RGB).astype(np.uint8)
        rows, cols = entry["rows"], entry["cols"]
        homography = board_to_photo(entry["corners_px"], rows, cols)
        crops = cut_cells(photo, homography, rows, cols)
        yield TrayPhoto(entry["file"], tuple(map(tuple, entry["grid"])), crops)


def verdicts(classifier: FaceClassifier, photo: TrayPhoto) -> list[Verdict]:
    """How each cell of a photo's board is read."""
    board = photo.crops[1:-1, 1:-1]
    scores = classifier.classify(board.reshape(-1, *board.shape[2:])).log_probabilities
    cols = len(photo.faces[0])
    faces = [face for row in photo.faces for face in row]
    return [
        Verdict(
            photo.name,
            divmod(index, cols),
            face,
            classifier.labels[int(row.argmax())],
            float(np.exp(row.max())),
        )
        for index, (face, row) in enumerate(zip(faces, scores, strict=True))
    ]
