"""Tells the cubes of a photographed tray that do not lie flat: the net with its shipped weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.devices import Photo
from scoring.board import MISSING, Cell
from vision.flatness import FlatnessNet, Pose
from vision.reading import FaceReading, TrayReading
from vision.rectify import board_to_photo, rectified


@dataclass(frozen=True)
class FlatnessJudge:
    """A `firmware_host.tray.Judge`; only cubes that are seen to be cocked are named.

    Args:
        net: tells cocked cubes.
    """

    net: FlatnessNet

    def __call__(self, photo: Photo, reading: TrayReading) -> tuple[Cell, ...]:
        """Cells whose cubes lean or lie on another, row by row.

        Args:
            photo: (height, width, 3), uint8, RGB.
            reading: what was read in it.
        """
        board = reading.board
        homography = board_to_photo(reading.corners_px, board.rows, board.cols)
        sheet = rectified(photo, homography, board.rows, board.cols)
        sure = np.array([_confidence(cell) for row in reading.cells for cell in row])
        poses = self.net.poses(sheet, board.rows, board.cols, sure)
        pairs = zip(board.cells, poses, strict=True)
        return tuple(cell for cell, pose in pairs if pose is Pose.COCKED)


def _confidence(cell: FaceReading) -> float:
    return 0.0 if cell.face == MISSING else cell.confidence
