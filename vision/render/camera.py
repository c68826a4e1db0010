"""A pinhole camera over the tray.

The world counts in cells: x along the columns and y along the rows as in `vision.rectify`, z away
from the viewer, so that heights are negative and the floor of the tray is z = 0. A pixel's centre
lies half a pixel inside it, as in `vision.rectify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Where the camera stands and where the board lies in its photo.

    Attributes:
        tilt: degrees from straight above.
        azimuth: degrees, the direction on the table in which the camera stands, from x towards y.
        yaw: degrees by which the board is turned in the photo, counter-clockwise.
        distance: cells from the lens to the middle of the board.
        pitch_px: pixels a cell in the middle of the board.
        centre_px: where the middle of the board lies in the photo, (x, y).
    """

    tilt: float
    azimuth: float
    yaw: float
    distance: float
    pitch_px: float
    centre_px: tuple[float, float]


@dataclass(frozen=True)
class Camera:
    """A pose around a target, ready to project.

    Args:
        pose: where the camera stands.
        target: the point (x, y, z) that the camera turns around.
    """

    pose: Pose
    target: tuple[float, float, float]

    @cached_property
    def rotation(self) -> Floats:
        """Rotation (3, 3) from the world to the camera: right, down, forward."""
        azimuth, yaw = np.radians([self.pose.azimuth, self.pose.yaw])
        axis = np.radians(self.pose.tilt) * np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
        tilted = np.asarray(cv2.Rodrigues(axis)[0], np.float64).T
        cos, sin = np.cos(yaw), np.sin(yaw)
        roll = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
        return np.asarray(roll @ tilted, np.float64)

    @cached_property
    def position(self) -> Floats:
        """Place (3,) of the lens in the world."""
        return np.asarray(np.array(self.target) - self.pose.distance * self.rotation[2], np.float64)

    def depth(self, points: Floats) -> Floats:
        """Distance (…) along the line of sight of points (…, 3)."""
        return np.asarray((points - self.position) @ self.rotation[2])

    def project(self, points: Floats) -> Floats:
        """Pixels (…, 2) of points (…, 3)."""
        seen = (points - self.position) @ self.rotation.T
        focal = self.pose.pitch_px * self.pose.distance
        return np.asarray(focal * seen[..., :2] / seen[..., 2:] + np.array(self.pose.centre_px))
