"""The one call from a photo to the readings of the trays in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scoring.board import MISSING, Face
from scoring.cubes import CubeSet, Shortage, cube_sets
from vision.confirm import Classifier, ScoredTray, confirm
from vision.decode import Decoded, decode
from vision.errors import NoTrayError, WrongCubesError
from vision.evidence import may_show_cubes, shows_cubes
from vision.lattice import Homography, apply
from vision.locate import SIDES, Finder, LocatedTray, ways_by
from vision.reading import FaceReading, TrayReading
from vision.search import search
from vision.shortage import find_shortage

DOUBT = 0.99
"""A cell whose face is less probable than this is shown to a person."""

LEAST_LOOKS = 0.98
"""What a face must have by its looks alone, accents aside: a cube set makes nothing sure that does
not look so, but whether it has an Ñ at all it knows better than a mark that may be a shadow."""

STRANGE_DOUBT = 0.9949
"""What stands for `DOUBT` where the faces are of no known set and it is asked whether they are
those of cubes at all: other print, keys and signs look nearly sure."""

CLEAR, UNCLEAR_DOUBT = 0.9, 0.999
"""Clearness of a tray, the mean probability that a cell shows some letter, below which the second
figure stands for `DOUBT`: in poor light or off its place, what looks sure is wrong more often."""

UNREAD, BESIDE_DOUBT = 0.4, 0.9999
"""Probability of a face below which its cell tells hardly anything, and what stands for `DOUBT` in
the cells around it: a hand that lies over the one may reach over them."""

_FACE = 0.7
"""Side of the square in a cell's middle that must lie in the photo, cells: it holds the print."""

_BEYOND = 0.8
"""How far beyond an edge of the board the photo must go to show that no cubes lie there, cells."""

_ALTERNATIVES = 3


def read_trays(
    photo: NDArray[np.uint8], classifier: FindingClassifier, cube_set: CubeSet | None = None
) -> tuple[TrayReading, ...]:
    """Read the trays in a photo, wherever they lie and however they are turned, largest first.

    A board's up is the photo's up: of four quarter turns the one is taken whose rows run most
    nearly from left to right.

    Args:
        photo: (height, width, 3), RGB, upright.
        classifier: tells the faces, a `vision.faces.FaceClassifier`.
        cube_set: the edition in the trays, or None to find it out. A tray of another size beside
            the largest is read without it.

    Raises:
        NoTrayError: no board of 3×3 to 6×6 cubes is seen.
        WrongCubesError: the largest tray that is seen is not of the size of ``cube_set``.
    """
    return tuple(found.reading for found in find_trays(photo, classifier, cube_set))


def read_tray(
    photo: NDArray[np.uint8], classifier: FindingClassifier, cube_set: CubeSet | None = None
) -> TrayReading:
    """Read the largest tray in a photo; everything else is as for `read_trays`."""
    return read_trays(photo, classifier, cube_set)[0]


class FindingClassifier(Classifier, Protocol):
    """Tells faces, and where there may be some; see `vision.faces.FaceClassifier`."""

    @property
    def finder(self) -> Finder:
        """Finds cells, whatever their cubes show."""
        ...


@dataclass(frozen=True)
class FoundTray:
    """A tray in a photo.

    Attributes:
        scored: where it lies, and what each cell looks like.
        reading: of it.
    """

    scored: ScoredTray
    reading: TrayReading


def find_trays(
    photo: NDArray[np.uint8], classifier: FindingClassifier, cube_set: CubeSet | None = None
) -> tuple[FoundTray, ...]:
    """As `read_trays`, with what each cell looks like for itself."""
    known: list[ScoredTray] = []

    def judge(tray: LocatedTray) -> tuple[LocatedTray, FoundTray] | None:
        judged = _judged(photo, tray, classifier, cube_set, known)
        known.extend([judged[1].scored] if judged else [])
        return judged

    ways = ways_by(classifier.finder, max(photo.shape))
    found = search(photo, ways, judge, lambda tray: tray.scored.letters)
    if not found:
        raise NoTrayError(
            "no tray of 3×3 to 6×6 cubes was found in the photo",
            "Take the photo from above in even light, with all cubes in view and dark space "
            "around.",
        )
    _check_size(cube_set, found[0].scored.tray)
    return tuple(found)


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
        WrongCubesError: the tray is not of the size of ``cube_set``.
    """
    _check_size(cube_set, scored.tray)
    decoded = _decoded(scored, labels, cube_set)
    cells = _face_readings(scored, decoded, labels)
    return _reading(scored, cells, decoded, shape, _shortage(scored, labels, decoded, cube_set))


def _judged(
    photo: NDArray[np.uint8],
    candidate: LocatedTray,
    classifier: Classifier,
    cube_set: CubeSet | None,
    known: Sequence[ScoredTray],
) -> tuple[LocatedTray, FoundTray] | None:
    """A candidate's tray at its true place, or None where it shows no cubes.

    None as well where one that is known lies there and is as clear: it would be kept anyway.
    """

    def is_worth(first: ScoredTray) -> bool:
        if any(one.letters >= first.letters and one.tray.overlaps(first.tray) for one in known):
            return False
        looks, labels = first.log_probabilities, classifier.labels
        return may_show_cubes(looks, labels, first.turns, first.gaps)

    scored = confirm(photo, candidate, classifier, is_worth)
    if scored is None:
        return None
    given = cube_set if _is_of_size(cube_set, scored.tray) else None
    decoded = _decoded(scored, classifier.labels, given)
    cells = _face_readings(scored, decoded, classifier.labels)
    seen = cells if decoded.edition else _asked_below(cells, STRANGE_DOUBT)
    if not shows_cubes(seen, scored.turns, scored.gaps):
        return None
    shortage = _shortage(scored, classifier.labels, decoded, given)
    reading = _reading(scored, cells, decoded, photo.shape, shortage)
    return scored.tray, FoundTray(scored, reading)


def _decoded(scored: ScoredTray, labels: Sequence[Face], given: CubeSet | None) -> Decoded:
    return decode(scored.log_probabilities, labels, _editions(scored.tray), given)


def _shortage(
    scored: ScoredTray, labels: Sequence[Face], decoded: Decoded, given: CubeSet | None
) -> Shortage | None:
    return find_shortage(scored.log_probabilities, labels, _editions(scored.tray), decoded, given)


def _reading(
    scored: ScoredTray,
    cells: list[FaceReading],
    decoded: Decoded,
    shape: tuple[int, ...],
    shortage: Shortage | None,
) -> TrayReading:
    tray = scored.tray
    cut_off = scored.may_go_on or _may_go_on(tray, shape)
    if scored.letters < CLEAR:
        cells = _asked_below(cells, UNCLEAR_DOUBT)
    cells = _asked_beside_unread(cells, tray)
    cells = _doubted_at_the_edge(cells, tray, shape, cut_off=cut_off)
    starts = range(0, len(cells), tray.cols)
    rows = tuple(tuple(cells[start : start + tray.cols]) for start in starts)
    edition, editions = decoded.edition, decoded.editions
    return TrayReading(rows, tray.corners, edition, cut_off, editions, shortage)


def _is_of_size(cube_set: CubeSet | None, tray: LocatedTray) -> bool:
    return cube_set is not None and (cube_set.rows, cube_set.cols) == (tray.rows, tray.cols)


def _check_size(cube_set: CubeSet | None, tray: LocatedTray) -> None:
    if cube_set is not None and not _is_of_size(cube_set, tray):
        raise WrongCubesError(
            f"the picture shows {tray.rows}×{tray.cols} cubes, but {cube_set.name} is for "
            f"{cube_set.rows}×{cube_set.cols}",
            "Name the cube set of this tray, or none to have it found out; if the tray is larger "
            "than it was taken for, show all of it.",
        )


def _editions(tray: LocatedTray) -> list[CubeSet]:
    return [cubes for cubes in cube_sets() if (cubes.rows, cubes.cols) == (tray.rows, tray.cols)]


def _face_readings(
    scored: ScoredTray, decoded: Decoded, labels: Sequence[Face]
) -> list[FaceReading]:
    tray = scored.tray
    turns = (scored.turns + row_turns(tray.homography, tray.rows, tray.cols)) % 360
    bare = np.array([_bare(label) for label in labels])
    readings = []
    for face, looks, probabilities, turn in zip(
        decoded.faces,
        scored.log_probabilities,
        decoded.probabilities,
        turns,
        strict=True,
    ):
        best = np.argsort(-probabilities, kind="stable")[:_ALTERNATIVES]
        confidence = min(1.0, float(probabilities[labels.index(face)]))
        alternatives = tuple((labels[label], float(probabilities[label])) for label in best)
        unlike = float(np.exp(looks[bare == _bare(face)]).sum()) < LEAST_LOOKS
        doubtful = unlike or _is_doubtful(face, confidence, decoded.edition)
        readings.append(FaceReading(face, confidence, float(turn), alternatives, doubtful))
    return readings


def _bare(face: Face) -> str:
    """A face without its accents."""
    parts = unicodedata.normalize("NFD", face)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _is_doubtful(face: Face, confidence: float, edition: str | None) -> bool:
    """Whether a face must be confirmed even where it looks like it.

    A missing cube always must: it is rare, and a hand or glare over a cube looks like one. An
    accented letter must where no edition is known to have it: marks below a letter that lies upside
    down look the same.
    """
    foreign = edition is None and not face.isascii()
    return confidence < DOUBT or face == MISSING or foreign


def _asked_below(cells: Sequence[FaceReading], probability: float) -> list[FaceReading]:
    """The readings, doubtful also where they are less probable than that."""
    return [
        replace(cell, doubtful=cell.doubtful or cell.confidence < probability) for cell in cells
    ]


def _asked_beside_unread(cells: Sequence[FaceReading], tray: LocatedTray) -> list[FaceReading]:
    """The readings, doubtful also beside one that tells hardly anything, if not quite sure."""
    sure = np.array([cell.confidence for cell in cells]).reshape(tray.rows, tray.cols)
    around = sliding_window_view(np.pad(sure, 1, constant_values=1.0), (3, 3)).min(axis=(2, 3))
    limits = np.where(around < UNREAD, BESIDE_DOUBT, 0.0).ravel()
    return [
        replace(cell, doubtful=cell.doubtful or cell.confidence < limit)
        for cell, limit in zip(cells, limits.tolist(), strict=True)
    ]


def _doubted_at_the_edge(
    cells: Sequence[FaceReading], tray: LocatedTray, shape: tuple[int, ...], *, cut_off: bool
) -> list[FaceReading]:
    """The readings, doubtful where a photo of this (height, width, …) may have cut the tray off."""
    if cut_off:
        return [replace(cell, doubtful=True) for cell in cells]
    whole = _in_photo(tray, _middles(tray.rows, tray.cols), shape)
    return [
        replace(cell, doubtful=cell.doubtful or not seen)
        for cell, seen in zip(cells, whole, strict=True)
    ]


def _may_go_on(tray: LocatedTray, shape: tuple[int, ...]) -> bool:
    """Whether the board may be a corner of a larger one, the rest of which is out of the photo.

    That is so where the photo ends beyond two neighbouring edges of the board. One that fills its
    photo to all sides is whole: but for the smallest, which would be a poor photo of a larger one.
    """
    middles = _middles(tray.rows, tray.cols).reshape(tray.rows, tray.cols, 2)
    up, left = np.array([0, _BEYOND]), np.array([_BEYOND, 0])
    beyond = [middles[0] - up, middles[:, -1] + left, middles[-1] + up, middles[:, 0] - left]
    ends = [not _in_photo(tray, places, shape).any() for places in beyond]
    cornered = any(one and other for one, other in zip(ends, [*ends[1:], ends[0]], strict=True))
    return cornered and (not all(ends) or tray.rows == min(SIDES))


def _in_photo(
    tray: LocatedTray, middles: NDArray[np.float64], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Whether a print at each place (n, 2) of the board lies in the photo: (n,)."""
    ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _FACE / 2
    places = apply(tray.homography, (middles[:, None] + ends).reshape(-1, 2))
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
