"""Printed word sheets anywhere in a photo, by the marks at their corners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Floats, Homography, apply
from vision.paper.sheet import MARK_SET, Form, Label, SheetLayout, form_of_mark, label_of, layout_of
from vision.scaling import shrunk

_LONGEST_PX = 2200  # longer side of the picture in which marks are looked for
_MOST_ALIKE = 5  # marks of one corner of one form in a photo
_MISFIT = 0.3  # of marks that are taken for one sheet's, in sides of a mark
_FEWEST = 2  # marks of a sheet
_CODE_PX_PER_MM = 14.0
_CODE_MARGIN = 1.6  # mm
_DIRT = np.ones((3, 3), np.uint8)
_MODULES = (25, 29, 33, 37, 41, 45)  # a side of codes of all lengths that sheets have
_QUIET, _MODULE_PX = 4, 6


@dataclass(frozen=True)
class Mark:
    """A mark that was seen: number and corners (4, 2), photo pixels."""

    number: int
    corners: Floats

    @property
    def side(self) -> float:
        """Its mean, photo pixels."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).mean())


@dataclass(frozen=True, eq=False)
class FoundSheet:
    """A sheet in a photo.

    Attributes:
        form: as its marks tell; its rows are None where only the code tells them.
        to_photo: homography from millimetres of the page to photo pixels, a pixel's middle at
            whole numbers.
        seen: which marks were seen, 0 to 3 as of `SheetLayout.marks`.
    """

    form: Form
    to_photo: Homography
    seen: frozenset[int]


def sheets_of(marks: Sequence[Mark]) -> list[FoundSheet]:
    """The sheets to which marks in a photo belong, the largest first.

    Args:
        marks: that were seen in it; two of a sheet at least tell of it.
    """
    sheets: list[tuple[float, FoundSheet]] = []
    for first in sorted({mark.number // 4 * 4 for mark in marks}):
        alike = [mark for mark in marks if first <= mark.number < first + 4]
        sheets += _joined(alike)
    return [sheet for _, sheet in sorted(sheets, key=lambda one: -one[0])]


def read_code(photo: NDArray[np.uint8], sheet: FoundSheet) -> tuple[Form, Label] | None:
    """What the code of a sheet says, or None where it cannot be read.

    Args:
        photo: (height, width, 3), RGB.
        sheet: that was found in it.
    """
    place = layout_of(sheet.form).code
    zoom = _CODE_PX_PER_MM
    shift = np.array(
        [[1 / zoom, 0, place.x - _CODE_MARGIN], [0, 1 / zoom, place.y - _CODE_MARGIN], [0, 0, 1]]
    )
    side = round((place.width + 2 * _CODE_MARGIN) * zoom)
    cut = cv2.warpPerspective(
        photo, sheet.to_photo @ shift, (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    grey = cv2.GaussianBlur(cv2.cvtColor(cut, cv2.COLOR_RGB2GRAY), (0, 0), 1.0)
    return _of_modules(np.asarray(grey, np.uint8)) or _told(
        lambda: cv2.QRCodeDetector().detectAndDecode(grey)[0]
    )


def _of_modules(grey: NDArray[np.uint8]) -> tuple[Form, Label] | None:
    """What a code says that fills a cut-out but for a margin.

    It is drawn anew, clean, for each number of modules that it may have: OpenCV does not find its
    way through all codes in photos, though they are plain to see.
    """
    _, dark = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    left, top, wide, high = cv2.boundingRect(cv2.morphologyEx(dark, cv2.MORPH_OPEN, _DIRT))
    square = dark[top : top + high, left : left + wide]
    for modules in _MODULES if min(wide, high) > 0.6 * grey.shape[0] else ():
        black = cv2.resize(square, (modules, modules), interpolation=cv2.INTER_AREA) > 127
        if told := _told(partial(_decoded, black)):
            return told
    return None


def _decoded(black: NDArray[np.bool_]) -> str:
    """The text of a code of black modules; empty where they are none."""
    white = np.where(np.pad(black, _QUIET), 0, 255)
    drawn = np.kron(white, np.ones((_MODULE_PX, _MODULE_PX))).astype(np.uint8)
    start, end = _QUIET * _MODULE_PX, (_QUIET + len(black)) * _MODULE_PX - 1
    corners = np.array([[[start, start], [end, start], [end, end], [start, end]]], np.float32)
    text, _ = cv2.QRCodeDetector().decode(drawn, corners)
    return text


def _told(decode: Callable[[], str]) -> tuple[Form, Label] | None:
    try:
        return label_of(decode())
    except (cv2.error, UnicodeDecodeError):  # a code that is half covered may hurt the decoder
        return None


def marks_in(photo: NDArray[np.uint8]) -> list[Mark]:
    """The marks of sheets that are seen in a photo (height, width, 3), RGB."""
    scale = min(1.0, _LONGEST_PX / max(photo.shape[:2]))
    grey = cv2.cvtColor(shrunk(photo, scale), cv2.COLOR_RGB2GRAY)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.02
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARK_SET)), parameters
    )
    corners, numbers, _ = detector.detectMarkers(grey)
    if not len(corners):  # then there are no numbers either
        return []
    zoom = np.array(photo.shape[1::-1]) / np.array(grey.shape[::-1])
    seen = zip(numbers.ravel().tolist(), corners, strict=True)
    marks = (
        Mark(int(number), (quad[0].astype(np.float64) + 0.5) * zoom - 0.5) for number, quad in seen
    )
    return [mark for mark in marks if form_of_mark(mark.number) is not None]


def _joined(marks: list[Mark]) -> list[tuple[float, FoundSheet]]:
    """Sheets of marks of one form, each with the side of its marks; no mark is taken twice."""
    fits = sorted(_fits(marks), key=lambda fit: (-len(fit[0]), fit[1]))
    taken: set[int] = set()
    sheets = []
    for chosen, _, sheet in fits:
        own = {id(mark) for mark in chosen}
        if not own & taken:
            taken |= own
            sheets.append((float(np.mean([mark.side for mark in chosen])), sheet))
    return sheets


def _fits(marks: list[Mark]) -> Iterator[tuple[list[Mark], float, FoundSheet]]:
    """Marks that may be those of one sheet, how badly they fit it, and the sheet."""
    by_corner: list[list[Mark | None]] = [
        [None, *[mark for mark in marks if mark.number % 4 == corner][:_MOST_ALIKE]]
        for corner in range(4)
    ]
    for choice in product(*by_corner):
        chosen = [mark for mark in choice if mark is not None]
        if len(chosen) < _FEWEST:
            continue
        told = form_of_mark(chosen[0].number)
        if told is None:
            continue
        layout = layout_of(told[0])
        homography, misfit = _fitted(layout, chosen)
        if homography is not None and misfit < _MISFIT:
            form = layout.form if told[2] else told[0]
            corners = frozenset(mark.number % 4 for mark in chosen)
            yield chosen, misfit, FoundSheet(form, homography, corners)


def _fitted(layout: SheetLayout, marks: list[Mark]) -> tuple[Homography | None, float]:
    places = np.array([layout.marks[mark.number % 4].corners for mark in marks]).reshape(-1, 2)
    seen = np.concatenate([mark.corners for mark in marks])
    found, _ = cv2.findHomography(places, seen)
    homography = np.asarray(found, np.float64)
    if homography.shape != (3, 3):  # there is none
        return None, np.inf
    error = float(np.sqrt(((apply(homography, places) - seen) ** 2).sum(axis=1).mean()))
    return homography, error / float(np.mean([mark.side for mark in marks]))
