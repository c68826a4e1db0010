"""Flat things that lie in the plane of the table: their corners, and how they are painted."""

from __future__ import annotations

import cv2
import numpy as np

from vision.render.camera import Camera, Floats
from vision.render.lens import Photo
from vision.scaling import shrunk


def plane_of(rows: float, cols: float) -> Floats:
    """Corners (4, 3) in the world of a sheet of so many cells."""
    return np.array([[0, 0, 0], [cols, 0, 0], [cols, rows, 0], [0, rows, 0]], np.float64)


def lay(photo: Photo, camera: Camera, sheet: Photo, cell_px: float, fineness: float = 1.5) -> None:
    """Paint a sheet with its upper left corner at the origin of the world, in place.

    Args:
        photo: (height, width, 3), RGB.
        camera: over the sheet.
        sheet: (height, width, 3), RGB.
        cell_px: pixels of the sheet that a cell of the world takes.
        fineness: pixels of the sheet to one of the photo, at most, where the sheet is nearest.
    """
    height, width = sheet.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    plane = plane_of(height / cell_px, width / cell_px)
    warp = cv2.getPerspectiveTransform(corners, camera.project(plane).astype(np.float32))
    # seen from afar, lines thinner than a pixel must not break up
    shrink = min(1.0, fineness * camera.pose.pitch_px / cell_px)
    small = shrunk(sheet, shrink)
    warp = warp @ np.diag([width / small.shape[1], height / small.shape[0], 1.0])
    area = photo.shape[1::-1]
    seen = cv2.warpPerspective(small, warp, area)
    cover = cv2.warpPerspective(np.ones(small.shape[:2], np.float32), warp, area)[..., None]
    photo[:] = (photo * (1 - cover) + seen * cover).astype(np.uint8)
