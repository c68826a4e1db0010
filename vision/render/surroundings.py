"""What the cubes lie in and on: table, shadow, floor, walls, rim."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from scoring.board import MISSING, Board
from vision.render import mesh
from vision.render.camera import Camera, Floats
from vision.render.canvas import Solid, fill_polygon, fill_solid, stamp
from vision.render.lens import Light, Photo
from vision.render.styles import TrayStyle
from vision.render.textures import TableStyle, smooth_noise, texture

Size = tuple[float, float, float]
"""Extent along x and y, and height, in cells."""

TABLE_DEPTH = 0.1
"""Cells from the tray's floor down to the table."""

_RIM_GLOSS = 0.45
_SHADOW_REACH = 0.5  # of a cube's full shadow: neighbours and walls shorten it
_SHADOW_PX = 320  # a soft shadow is drawn at this width and enlarged


def paint_table(
    size: tuple[int, int], camera: Camera, style: TableStyle, rng: np.random.Generator
) -> Photo:
    """The table alone.

    Args:
        size: (width, height) of the photo.
        camera: over the tray.
        style: of the table.
        rng: draws its grain.
    """
    side = int(np.clip(0.8 * max(size), 64, 1024))
    reach = 2.2 * max(size) / camera.pose.pitch_px
    turn = np.radians(style.turn)
    along = np.array([np.cos(turn), np.sin(turn), 0]) * reach
    across = np.array([-np.sin(turn), np.cos(turn), 0]) * reach
    middle = np.array([camera.target[0], camera.target[1], TABLE_DEPTH])
    # a small piece of the plane is in front of the lens however oblique the view
    share = 0.5 / max(1.0, reach)
    piece = np.array([-along - across, along - across, along + across, across - along]) * share
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * share
    source = ((square + 1) * side / 2).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, camera.project(middle + piece).astype(np.float32))
    image = texture(style, rng, side)
    return cv2.warpPerspective(image, warp, size, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)


def paint_tray(
    photo: Photo,
    camera: Camera,
    tray: TrayStyle,
    light: Light,
    *,
    board: Board,
    feet: Sequence[Floats],
    rng: np.random.Generator,
) -> Solid | None:
    """Paint the tray without its cubes.

    Args:
        photo: of the table, painted over.
        camera: over the tray.
        tray: its style.
        light: on it.
        board: its size, and the cells without a cube.
        feet: the squares (4, 3) that the cubes stand on and throw their shadows from.
        rng: draws what the floor of empty cells reflects.

    Returns:
        The sides of the rim that may hide cubes, to be painted after them, or None.
    """
    _cast_shadow(photo, camera, board, tray, light)
    if tray.frame is None:
        return None
    floor = camera.project(_rectangle(board, tray.gap, 0.0))
    fill_polygon(photo, floor, np.array(tray.frame) * tray.floor)
    dark = np.array(tray.frame) * tray.floor * (0.3 + 0.4 * light.ambient)
    for foot in feet:
        _paint_shadow(photo, camera.project(_shadow(foot, tray.edge, light)), floor, dark)
    _paint_reflections(photo, camera, board, tray, rng)
    rim = _rim(board, tray, light)
    hides = _hides_cubes(rim, board, tray, camera)
    fill_solid(photo, camera, rim.only(~hides))
    _paint_walls(photo, camera, board, tray, light)
    return rim.only(hides) if hides.any() else None


def _shadow(foot: Floats, height: float, light: Light) -> Floats:
    """What a cube that stands on a foot (4, 3) hides from the light on the floor: (8, 3)."""
    away = light.direction[:2] / light.direction[2] * height * _SHADOW_REACH
    return np.concatenate([foot, foot + np.append(away, 0.0)])


def _paint_shadow(photo: Photo, points: Floats, floor: Floats, dark: Floats) -> None:
    """Fill the hull of points in the photo with a colour (3,), on the floor (4, 2) alone."""
    hull = cv2.convexHull(points.astype(np.float32))
    area, clipped = cv2.intersectConvexConvex(hull, floor.astype(np.float32))
    if area > 0:
        fill_polygon(photo, np.asarray(clipped[:, 0], np.float64), dark)


def _paint_reflections(
    photo: Photo, camera: Camera, board: Board, tray: TrayStyle, rng: np.random.Generator
) -> None:
    """Bright spots of the room on the floor of the cells without a cube."""
    if not tray.gloss or tray.frame is None:
        return
    for row, col in board.cells:
        if board[row, col] != MISSING:
            continue
        reach = rng.uniform(0.25, 0.45)
        left, right = col + 0.5 - reach, col + 0.5 + reach
        top, foot = row + 0.5 - reach, row + 0.5 + reach
        floor = np.array([[left, top, 0], [right, top, 0], [right, foot, 0], [left, foot, 0]])
        knots = int(rng.integers(2, 5))
        sheet = np.clip(smooth_noise(rng, (24, 24), (knots, knots)), 0, 1) * tray.gloss
        bright = np.array(tray.frame) * 0.4 + np.array([150, 150, 155]) * rng.uniform(0.5, 1.0)
        mask = np.asarray(255 * sheet, np.uint8)
        stamp(photo, mask, camera.project(floor), np.minimum(bright, 255))


def _rim(board: Board, tray: TrayStyle, light: Light) -> Solid:
    solid = mesh.frame(
        (board.cols, board.rows),
        gap=tray.gap,
        width=tray.rim_width,
        height=tray.rim_height,
        corner=tray.corner,
    )
    return Solid.of(solid, tray.frame or (0, 0, 0), light, gloss=_RIM_GLOSS)


def _hides_cubes(rim: Solid, board: Board, tray: TrayStyle, camera: Camera) -> mesh.Flags:
    """Which sides of the rim (q,) may hide cubes: those that the eye stands outside of."""
    middle = rim.vertices[rim.quads].mean(axis=1)[:, :2]
    size, eye = np.array([board.cols, board.rows]), camera.position[:2]
    before = (middle < 0) & (eye < -tray.gap)
    beyond = (middle > size) & (eye > size + tray.gap)
    return np.asarray((before | beyond).any(axis=1))


def _paint_walls(photo: Photo, camera: Camera, board: Board, tray: TrayStyle, light: Light) -> None:
    """Low walls between the cells, far ones first."""
    if not tray.wall_width or tray.frame is None:
        return
    for (x, y), size in _walls(board, tray):
        axes, origin = np.diag(size), np.array([x, y, 0.0])
        fill_solid(photo, camera, Solid.of(mesh.unit_box(), tray.frame, light, axes, origin))


def _walls(board: Board, tray: TrayStyle) -> list[tuple[tuple[float, float], Size]]:
    """Places and sizes of the walls along the rows and columns, then of the posts."""
    width, height = tray.wall_width, tray.wall_height
    cols, rows = board.cols, board.rows
    walls: list[tuple[tuple[float, float], Size]] = []
    walls += [((x, rows / 2), (width, rows, height)) for x in range(1, cols)]
    walls += [((cols / 2, y), (cols, width, height)) for y in range(1, rows)]
    if tray.posts:
        post = (2.2 * width, 2.2 * width, 1.3 * height)
        walls += [((x, y), post) for x in range(1, cols) for y in range(1, rows)]
    return walls


def _cast_shadow(photo: Photo, camera: Camera, board: Board, tray: TrayStyle, light: Light) -> None:
    """Darken the table where tray or cubes keep the light off it, softly."""
    outer = tray.gap + tray.rim_width if tray.frame else 0.0
    height = tray.rim_height if tray.frame else tray.edge
    base = _rectangle(board, outer, TABLE_DEPTH)
    away = np.append(light.direction[:2] / light.direction[2] * height, 0.0)
    points = camera.project(np.concatenate([base, base + away])).astype(np.float32)
    hull = np.asarray(cv2.convexHull(points)[:, 0], np.float64)
    scale = min(1.0, _SHADOW_PX / max(photo.shape))
    small = np.zeros([max(2, round(side * scale)) for side in photo.shape[:2]], np.uint8)
    fill_polygon(small, hull * scale, np.array([255.0]))
    soft = cv2.GaussianBlur(small, (0, 0), 1 + 0.1 * camera.pose.pitch_px * scale)
    cover = cv2.resize(soft, photo.shape[1::-1]).astype(np.float32)[..., None] / 255
    photo[:] = (photo * (1 - 0.75 * (1 - light.ambient) * cover)).astype(np.uint8)


def _rectangle(board: Board, margin: float, depth: float) -> Floats:
    """Corners (4, 3) of the board's rectangle widened by a margin, at a depth."""
    right, foot = board.cols + margin, board.rows + margin
    corners = [[-margin, -margin], [right, -margin], [right, foot], [-margin, foot]]
    return np.column_stack([np.array(corners), np.full(4, depth)])
