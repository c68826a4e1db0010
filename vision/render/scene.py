"""Paints a scene from far to near and takes its photo."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.board import MISSING, Board
from vision.render.camera import Camera, Floats, Pose
from vision.render.canvas import fill_solid
from vision.render.cubes import Cube, paint_cube, placed
from vision.render.lens import Lens, Light, Photo, captured, lit
from vision.render.styles import CubeStyle, TrayStyle
from vision.render.surroundings import paint_table, paint_tray
from vision.render.textures import TableStyle


@dataclass(frozen=True)
class Scene:
    """Everything that decides a photo but the board and chance.

    Attributes:
        size: (width, height) of the photo, pixels.
        pose: where the camera stands.
        tray: its style.
        cubes: a style for each cell, row by row.
        table: what the tray lies on.
        light: on it all.
        lens: of the camera.
    """

    size: tuple[int, int]
    pose: Pose
    tray: TrayStyle
    cubes: tuple[CubeStyle, ...]
    table: TableStyle
    light: Light
    lens: Lens


@dataclass(frozen=True)
class Shot:
    """The photo of a scene, and the truth about it.

    Attributes:
        photo: (height, width, 3), uint8, RGB.
        corners_px: (4, 2), upper left, upper right, lower right and lower left corner of the cube
            area at the height of the cubes' lids.
        turns: (rows, cols), degrees in [0, 360), counter-clockwise from upright in the board's
            own coordinates, as `vision.rectify.cut_cells` shows it; 0 for a missing cube.
    """

    photo: Photo
    corners_px: Floats
    turns: Floats


def shoot(board: Board, scene: Scene, turns: Floats, rng: np.random.Generator) -> Shot:
    """Photograph a board.

    Args:
        board: what the cubes show.
        scene: style, place, light and camera.
        turns: (rows, cols), degrees by which each print is turned on its cube.
        rng: decides how the cubes lie, what their sides show, where print is worn, and the noise.
    """
    shot = paint(board, scene, turns, rng)
    return replace(shot, photo=captured(lit(shot.photo, scene.light), scene.lens, rng))


def paint(board: Board, scene: Scene, turns: Floats, rng: np.random.Generator) -> Shot:
    """As `shoot`, before the light of the room and the lens: even light, no blur, no noise."""
    camera = Camera(scene.pose, (board.cols / 2, board.rows / 2, -scene.tray.edge))
    cubes = placed(board, scene.cubes, scene.tray, turns, rng)
    photo = paint_table(scene.size, camera, scene.table, rng)
    feet = [cube.foot for cube in cubes]
    rim = paint_tray(photo, camera, scene.tray, scene.light, board=board, feet=feet, rng=rng)
    for cube in sorted(cubes, key=lambda cube: -_distance(cube, camera)):
        paint_cube(photo, camera, cube, scene.light, rng)
    if rim is not None:
        fill_solid(photo, camera, rim)
    return Shot(photo, camera.project(_lids(board, scene.tray.edge)), _seen_turns(board, cubes))


def _distance(cube: Cube, camera: Camera) -> float:
    return float(np.linalg.norm(cube.centre - camera.position))


def _lids(board: Board, height: float) -> Floats:
    """Corners (4, 3) of the cube area at a height above the floor."""
    cols, rows = board.cols, board.rows
    corners = [[0, 0], [cols, 0], [cols, rows], [0, rows]]
    return np.column_stack([np.array(corners, np.float64), np.full(4, -height)])


def _seen_turns(board: Board, cubes: list[Cube]) -> Floats:
    """Turns (rows, cols) of the prints with those of their cubes."""
    turns = np.zeros((board.rows, board.cols))
    occupied = [cell for cell in board.cells if board[cell] != MISSING]
    for cell, cube in zip(occupied, cubes, strict=True):
        turns[cell] = (cube.turn + cube.sway) % 360
    return turns
