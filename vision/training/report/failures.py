"""What went wrong in a report about paper: told in words, with pictures where they may be shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.training.report.page import Table

_HIGH, _WIDE = 56, 300  # pixels of a picture on a contact sheet
_ACROSS = 3
_GAP = 6
_CAPTION = 16  # pixels below a picture for its number

Photo = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Failure:
    """A word or a page that was not read as it should be.

    Attributes:
        told: what was written, what was read, and whether anybody was asked.
        picture: (height, width), uint8, grey; None where there is none.
    """

    told: str
    picture: Photo | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A part of the report.

    Attributes:
        name: of its file of pictures.
        table: the figures.
        failures: all of them.
        ours: the pictures are of renders alone, so that they may be published; others show the
            writing of other people.
    """

    name: str
    table: Table
    failures: tuple[Failure, ...]
    ours: bool = False


def contact_sheet(failures: Iterable[Failure]) -> Photo | None:
    """Their pictures in rows of three (height, width), uint8, grey, on white; None without any.

    Each has the number that its failure has among all, from 1.
    """
    tiles = [
        _tile(one.picture, number)
        for number, one in enumerate(failures, 1)
        if one.picture is not None
    ]
    if not tiles:
        return None
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % _ACROSS)
    rows = [np.hstack(tiles[start : start + _ACROSS]) for start in range(0, len(tiles), _ACROSS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(picture: Photo, number: int) -> Photo:
    tile = np.full((_HIGH + _CAPTION + _GAP, _WIDE + _GAP), 255, np.uint8)
    zoom = min(_HIGH / picture.shape[0], _WIDE / picture.shape[1])
    size = (max(1, int(picture.shape[1] * zoom)), max(1, int(picture.shape[0] * zoom)))
    tile[: size[1], : size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    place = (0, _HIGH + _CAPTION - 3)
    cv2.putText(tile, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 0, 1, cv2.LINE_AA)
    return tile


def save_pictures(failures: Iterable[Failure], file: Path) -> bool:
    """Write a contact sheet in place of an earlier one; false where there are no pictures."""
    sheet = contact_sheet(failures)
    if sheet is None:
        file.unlink(missing_ok=True)
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet).save(file, optimize=True)
    return True
