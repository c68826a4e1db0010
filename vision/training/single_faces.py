"""Measures the classifier on single faces that others cut out: binarised or grey pictures.

The pictures are shown to the net as reading would show it the cells: print dark on a light cube,
as high as on a cube in its cell. Those of one set show the letter alone, cut off at its edges and
so without the line that tells M from W and N from Z when they are turned: there either of the two
counts as right, and so do Q and Qu, whose labels are not kept apart.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import MISSING, Face
from vision.faces import FaceClassifier
from vision.rectify import CROP_PX

NOT_A_FACE = "NOT_A_FACE"
"""Label of a picture that shows no face."""

_UNREADABLE = "?"
_PRINT_SHARE = 0.5  # of a crop that a letter is high, as on a cube in its cell
_TWINS = ({"M", "W"}, {"N", "Z"}, {"Q", "Qu"})
_SURE = 0.9


@dataclass(frozen=True)
class Manner:
    """How the pictures of one set were made.

    Attributes:
        inverted: the print is light, the cube dark.
        tight: the letter fills the picture, its mark is cut off.
    """

    inverted: bool
    tight: bool

    @property
    def turns(self) -> tuple[int, ...]:
        """Degrees at which a picture is shown: any where its ground is plain, else quarters."""
        return tuple(range(0, 360, 30 if self.tight else 90))


MANNERS = {
    "mvanmidd_binary": Manner(inverted=True, tight=False),
    "jordan_binary63": Manner(inverted=True, tight=True),
    "photo_cells_colour": Manner(inverted=False, tight=False),
}
"""The sets, by the name of their folder."""


@dataclass(frozen=True)
class SingleFace:
    """A picture with its truth.

    Attributes:
        name: of its file.
        group: name of its set.
        face: what it shows, or `NOT_A_FACE`.
        crops: (turns, CROP_PX, CROP_PX, 3), uint8, RGB: the picture at each turn.
    """

    name: str
    group: str
    face: Face
    crops: NDArray[np.uint8]


@dataclass(frozen=True)
class FaceVerdict:
    """How a picture is read at its turns.

    Attributes:
        picture: the picture.
        read: what is read at each turn.
        probabilities: (turns,), of what is read, 0–1.
    """

    picture: SingleFace
    read: tuple[Face, ...]
    probabilities: NDArray[np.float64]

    @property
    def right(self) -> NDArray[np.bool_]:
        """At which turns it is right: (turns,). No face is right as no cube, and unsure."""
        face, tight = self.picture.face, MANNERS[self.picture.group].tight
        if face == NOT_A_FACE:
            return np.array([one == MISSING for one in self.read]) | (self.probabilities <= _SURE)
        return np.array([_is_same(face, one, tight=tight) for one in self.read])

    @property
    def surely_wrong(self) -> NDArray[np.bool_]:
        """At which turns it is wrong with a probability above 0.9: (turns,)."""
        return np.asarray(~self.right & (self.probabilities > _SURE), np.bool_)


@dataclass(frozen=True)
class GroupFigures:
    """How well the pictures of a set are read.

    Attributes:
        group: its name.
        pictures: how many.
        right: share of pictures and turns read right.
        sure: share read with a probability above 0.9.
        surely_wrong: share read wrong with one.
        wrong: what was taken for what, the most frequent first.
    """

    group: str
    pictures: int
    right: float
    sure: float
    surely_wrong: float
    wrong: tuple[tuple[Face, Face, int], ...]


def single_faces(folder: Path) -> Iterator[SingleFace]:
    """The pictures that ``faces.tsv`` in the folder names, but those that none can read.

    It has the columns ``file`` and ``label``; a file lies in the folder of its set.
    """
    with (folder / "faces.tsv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["label"] == _UNREADABLE:
                continue
            group = row["file"].split("/")[0]
            stored = cv2.imread(str(folder / row["file"]), cv2.IMREAD_GRAYSCALE)
            crops = _turned(np.asarray(stored, np.uint8), MANNERS[group])
            yield SingleFace(row["file"], group, row["label"], crops)


def face_verdicts(
    classifier: FaceClassifier, pictures: Iterable[SingleFace]
) -> Iterator[FaceVerdict]:
    """How each picture is read."""
    for picture in pictures:
        scores = classifier.classify(picture.crops).log_probabilities
        read = tuple(classifier.labels[number] for number in scores.argmax(axis=1))
        yield FaceVerdict(picture, read, np.exp(scores.max(axis=1)))


def figures_by_group(verdicts: Iterable[FaceVerdict]) -> list[GroupFigures]:
    """Figures of each set, and of its pictures without a face apart from those with one."""
    groups: dict[str, list[FaceVerdict]] = {}
    for one in verdicts:
        suffix = ", no face" if one.picture.face == NOT_A_FACE else ""
        groups.setdefault(one.picture.group + suffix, []).append(one)
    return [_figures(group, members) for group, members in sorted(groups.items())]


def _figures(group: str, members: list[FaceVerdict]) -> GroupFigures:
    right = np.concatenate([one.right for one in members])
    sure = np.concatenate([one.probabilities for one in members]) > _SURE
    pairs = [
        (one.picture.face, read)
        for one in members
        for read, is_right in zip(one.read, one.right, strict=True)
        if not is_right
    ]
    counted = sorted({(*pair, pairs.count(pair)) for pair in pairs}, key=lambda pair: -pair[2])
    return GroupFigures(
        group,
        len(members),
        float(right.mean()),
        float(sure.mean()),
        float((~right & sure).mean()),
        tuple(counted),
    )


def _is_same(face: Face, read: Face, *, tight: bool) -> bool:
    return face == read or (tight and any({face, read} <= twins for twins in _TWINS))


def _turned(picture: NDArray[np.uint8], manner: Manner) -> NDArray[np.uint8]:
    """The picture as a cell, at each of its turns: (turns, CROP_PX, CROP_PX, 3)."""
    ground = 255 - picture if manner.inverted else picture
    side = round(_PRINT_SHARE * CROP_PX) if manner.tight else CROP_PX
    small = cv2.resize(ground, (side, side), interpolation=cv2.INTER_AREA)
    edge = CROP_PX - side // 2
    border = cv2.BORDER_CONSTANT if manner.tight else cv2.BORDER_REPLICATE
    wide = cv2.copyMakeBorder(small, edge, edge, edge, edge, border, value=255)
    turned = [_cut(wide.astype(np.uint8), degrees) for degrees in manner.turns]
    return np.repeat(np.stack(turned)[..., None], 3, axis=3)


def _cut(wide: NDArray[np.uint8], degrees: float) -> NDArray[np.uint8]:
    """The middle (CROP_PX, CROP_PX) of a picture turned counter-clockwise."""
    middle = (wide.shape[1] - 1) / 2, (wide.shape[0] - 1) / 2
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    turned = cv2.warpAffine(wide, turn, wide.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    start = (len(wide) - CROP_PX) // 2
    return turned[start : start + CROP_PX, start : start + CROP_PX].astype(np.uint8)
