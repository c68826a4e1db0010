"""Follow a tray from frame to frame, cheaply, once it has been located.

A frame is rectified as if the tray had not moved, and compared with the sheet that was rectified
when the tray was located: points that stand out there are looked for nearby, and the map that most
of them agree on moves the corners along. The comparison is always with that first sheet, so errors
do not add up; points on cubes that have been turned since, or that a hand hides, are outvoted.
Where so many cubes move that little can be agreed on, a rim that looks as before tells that the
tray lies still.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Homography, apply
from vision.rectify import CELL_PX, MARGIN, rectified

MOST_POINTS = 120
_FEWEST_POINTS = 16
_LEAST_AGREEMENT = 0.4  # of the points that were found again
_SURE = 0.6  # of all points: from here on a map is good to a hundredth of a cell
_WINDOW = (15, 15)
_LEVELS = 3
_RETURN_PX = 1.0  # a point looked for forth and back ends this near to where it was
_OUTLIER_PX = 2.5
_STILL = 0.01  # cells; corners that seem to have moved by less have not: that is noise
_FARTHEST = 1.5  # cells that a corner moves between two frames, at most
_SAME_RIM = 0.8  # correlation
_SAMPLE = 2  # every second pixel of the rim is compared


@dataclass(frozen=True, eq=False)
class Track:
    """A tray that is followed.

    Attributes:
        homography: from board coordinates to pixels of the latest frame.
        rows: rows of the board.
        cols: columns of the board.
        sheet: what it looks like in the latest frame, as of `vision.rectify.rectified`.
        moved: cells by which a corner has moved since the frame before, at most.
        anchor: (height, width), grey, the sheet when it was located.
        points: (n, 1, 2), float32, what stands out in the anchor.
    """

    homography: Homography
    rows: int
    cols: int
    sheet: NDArray[np.uint8]
    moved: float
    anchor: NDArray[np.uint8]
    points: NDArray[np.float32]


def anchored(frame: NDArray[np.uint8], homography: Homography, rows: int, cols: int) -> Track:
    """Begin to follow a tray that was located in a frame.

    Args:
        frame: (height, width, 3), RGB.
        homography: from board coordinates to its pixels.
        rows: rows of the board.
        cols: columns of the board.
    """
    sheet = rectified(frame, homography, rows, cols)
    grey = _grey(sheet)
    return Track(homography, rows, cols, sheet, 0.0, grey, _points(grey))


def follow(track: Track, frame: NDArray[np.uint8]) -> Track | None:
    """The tray in the next frame, or None where it is lost.

    Args:
        track: as of the frame before, or of one not long ago.
        frame: (height, width, 3), RGB, of the same camera.
    """
    sheet = rectified(frame, track.homography, track.rows, track.cols)
    grey = _grey(sheet)
    shift, sure = _shift(track, grey)
    if not sure and _same_rim(track, grey):
        shift = np.eye(3)
    if shift is None or (moved := _farthest(shift, track)) > _FARTHEST:
        return None
    if moved < _STILL:
        return replace(track, sheet=sheet, moved=0.0)
    homography = track.homography @ shift
    sheet = rectified(frame, homography, track.rows, track.cols)
    return replace(track, homography=homography / homography[2, 2], sheet=sheet, moved=moved)


def renewed(track: Track) -> Track:
    """The same tray, from now on compared with what it looks like in the latest frame."""
    grey = _grey(track.sheet)
    return replace(track, anchor=grey, points=_points(grey))


def _grey(sheet: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return cv2.cvtColor(sheet, cv2.COLOR_RGB2GRAY).astype(np.uint8)


def _points(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Half of the points on the cubes, half around them: (n, 1, 2)."""
    rim = _rim_mask(grey.shape)
    halves = [_outstanding(grey, mask.astype(np.uint8)) for mask in (rim, 255 - rim)]
    return np.concatenate(halves)


def _outstanding(grey: NDArray[np.uint8], mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    found: Any = cv2.goodFeaturesToTrack(grey, MOST_POINTS // 2, 0.02, CELL_PX / 5, mask=mask)
    return np.asarray(np.zeros((0, 1, 2)) if found is None else found, np.float32)  # or None


def _rim_mask(shape: tuple[int, ...]) -> NDArray[np.uint8]:
    mask = np.full(shape[:2], 255, np.uint8)
    edge = round(MARGIN * CELL_PX)
    mask[edge:-edge, edge:-edge] = 0
    return mask


def _shift(track: Track, grey: NDArray[np.uint8]) -> tuple[Homography | None, bool]:
    """How the board lies on a sheet that was rectified as if it lay as before, and if that is sure.

    In cells; None where no map is agreed on.
    """
    if len(track.points) < _FEWEST_POINTS:
        return None, False
    forth, seen, _ = _flow(track.anchor, grey, track.points)
    back, seen_back, _ = _flow(grey, track.anchor, forth)
    away = np.abs(back - track.points).max(axis=(1, 2))
    found = (seen & seen_back)[:, 0].astype(bool) & (away < _RETURN_PX)
    if found.sum() < _FEWEST_POINTS:
        return None, False
    places = track.points[found], forth[found]
    sheet_shift, agreeing = cv2.findHomography(*places, cv2.RANSAC, _OUTLIER_PX)
    if sheet_shift is None or agreeing.mean() < _LEAST_AGREEMENT:
        return None, False
    to_sheet = np.array(
        [[CELL_PX, 0, MARGIN * CELL_PX - 0.5], [0, CELL_PX, MARGIN * CELL_PX - 0.5], [0, 0, 1]]
    )
    shift = np.linalg.inv(to_sheet) @ sheet_shift @ to_sheet
    return np.asarray(shift, np.float64), bool(agreeing.sum() >= _SURE * len(track.points))


def _flow(
    before: NDArray[np.uint8], after: NDArray[np.uint8], points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]:
    found = cv2.calcOpticalFlowPyrLK(
        before, after, points, points.copy(), winSize=_WINDOW, maxLevel=_LEVELS
    )
    places, seen, error = found
    return places.astype(np.float32), seen.astype(np.uint8), np.asarray(error, np.float32)


def _farthest(shift: Homography, track: Track) -> float:
    """Cells by which it moves a corner of the board, at most."""
    ends = [[0, 0], [track.cols, 0], [track.cols, track.rows], [0, track.rows]]
    corners = np.array(ends, np.float64)
    return float(np.hypot(*(apply(shift, corners) - corners).T).max())


def _same_rim(track: Track, grey: NDArray[np.uint8]) -> bool:
    rim = _rim_mask(grey.shape).astype(bool)
    samples = [picture[rim][::_SAMPLE].astype(np.float64) for picture in (track.anchor, grey)]
    spreads = [float(sample.std()) for sample in samples]
    if min(spreads) < 1:
        return False
    product = np.mean((samples[0] - samples[0].mean()) * (samples[1] - samples[1].mean()))
    return float(product) / (spreads[0] * spreads[1]) > _SAME_RIM
