"""Paints a scene from far to near and takes its photo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Board, Cell
from vision.render.camera import Camera, Floats, Pose
from vision.render.canvas import fill_solid
from vision.render.clutter import Thing, paint_clutter
from vision.render.cubes import Cube, Posture, paint_cube, placed, supports
from vision.render.hands import Hand, covered_shares, paint_hand
from vision.render.lens import Lens, Light, Photo, bent, bent_points, captured, lit
from vision.render.styles import CubeStyle, TrayStyle
from vision.render.surroundings import TABLE_DEPTH, paint_table, paint_tray
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
        postures: of the cubes that do not lie flat in their cells.
        clutter: what else lies on the table.
        hand: over the tray, or None.
    """

    size: tuple[int, int]
    pose: Pose
    tray: TrayStyle
    cubes: tuple[CubeStyle, ...]
    table: TableStyle
    light: Light
    lens: Lens
    postures: Mapping[Cell, Posture] = field(default_factory=dict)
    clutter: tuple[Thing, ...] = ()
    hand: Hand | None = None


@dataclass(frozen=True)
class Shot:
    """The photo of a scene, and the truth about it.

    Attributes:
        photo: (height, width, 3), uint8, RGB.
        corners_px: (4, 2), upper left, upper right, lower right and lower left corner of the cube
            area at the height of the cubes' lids.
        turns: (rows, cols), degrees in [0, 360), counter-clockwise from upright in the board's
            own coordinates, as `vision.rectify.cut_cells` shows it; 0 for a missing cube.
        cocked: cells whose cube is tilted; what it shows is the face that was up before.
        stacked: cells with a cube on top of another; what it shows is the upper one's face.
        covered: (rows, cols), the share of each print that a hand hides, 0–1.
        overhung: (rows, cols), the share that cubes hide which do not lie flat, 0–1; 0 for theirs.
    """

    photo: Photo
    corners_px: Floats
    turns: Floats
    cocked: frozenset[Cell]
    stacked: frozenset[Cell]
    covered: Floats
    overhung: Floats


def shoot(
    board: Board,
    scene: Scene,
    turns: Floats,
    rng: np.random.Generator,
    *,
    printed: bool = True,
) -> Shot:
    """Photograph a board.

    Args:
        board: what the cubes show.
        scene: style, place, light and camera.
        turns: (rows, cols), degrees by which each print is turned on its cube.
        rng: decides how the cubes lie, what their sides show, where print is worn, and the noise.
        printed: whether lids that lie flat carry their prints; all else is the same without them.
    """
    shot = paint(board, scene, turns, rng, printed=printed)
    photo = lit(bent(shot.photo, scene.lens), scene.light)
    return replace(
        shot,
        photo=captured(photo, scene.lens, rng),
        corners_px=bent_points(shot.corners_px, scene.size, scene.lens),
    )


def paint(
    board: Board,
    scene: Scene,
    turns: Floats,
    rng: np.random.Generator,
    *,
    printed: bool = True,
    flat_only: bool = False,
) -> Shot:
    """As `shoot`, before the light of the room and the lens: even light, no blur, no noise.

    Args:
        board: what the cubes show.
        scene: style, place and camera.
        turns: (rows, cols), degrees by which each print is turned on its cube.
        rng: as for `shoot`.
        printed: as for `shoot`.
        flat_only: leave out the cubes that do not lie flat; all else is the same without them.
    """
    camera = Camera(scene.pose, (board.cols / 2, board.rows / 2, -scene.tray.edge))
    cubes = placed(board, scene.cubes, scene.tray, turns, rng, postures=scene.postures)
    photo = paint_table(scene.size, camera, scene.table, rng)
    paint_clutter(photo, camera, scene.clutter, TABLE_DEPTH)
    feet = [cube.foot for cube in cubes]
    rim = paint_tray(photo, camera, scene.tray, scene.light, board=board, feet=feet, rng=rng)
    below = supports(cubes, scene.postures, rng)
    for cube in sorted([*below, *cubes], key=lambda cube: -_distance(cube, camera)):
        upset = cube.cell in scene.postures
        # what is left out is painted all the same, elsewhere: chance goes on alike
        sheet = photo.copy() if flat_only and upset else photo
        paint_cube(sheet, camera, cube, scene.light, rng, printed=printed or upset)
    if rim is not None:
        fill_solid(photo, camera, rim)
    hidden = np.zeros(photo.shape[:2], np.bool_)
    if scene.hand is not None:
        hidden = paint_hand(photo, camera, scene.hand)
    return Shot(
        photo,
        camera.project(_lids(board, scene.tray.edge)),
        _seen_turns(board, cubes),
        frozenset(cell for cell, one in scene.postures.items() if one.lean),
        frozenset(cell for cell, one in scene.postures.items() if one.is_stacked),
        _covered(board, hidden, camera, scene.tray.edge),
        _overhung(board, [cube for cube in cubes if cube.cell in scene.postures], camera, photo),
    )


def _covered(board: Board, hidden: NDArray[np.bool_], camera: Camera, height: float) -> Floats:
    """Share (rows, cols) of each print that is hidden."""
    cols, rows = np.meshgrid(np.arange(board.cols) + 0.5, np.arange(board.rows) + 0.5)
    middles = np.column_stack([cols.ravel(), rows.ravel(), np.full(cols.size, -height)])
    return covered_shares(hidden, camera, middles).reshape(board.rows, board.cols)


def _overhung(board: Board, upset: Sequence[Cube], camera: Camera, photo: Photo) -> Floats:
    """Share (rows, cols) of each print that is hidden by what of upset cubes is above the lids."""
    if not upset:
        return np.zeros((board.rows, board.cols))
    hidden = np.zeros(photo.shape[:2], np.uint8)
    for cube in upset:
        above = camera.project(cube.above(cube.edge)).astype(np.int32)
        cv2.fillConvexPoly(hidden, cv2.convexHull(above), 1)
    shares = _covered(board, hidden > 0, camera, upset[0].edge)
    for cube in upset:
        shares[cube.cell] = 0
    return shares


def _distance(cube: Cube, camera: Camera) -> float:
    return float(np.linalg.norm(cube.centre - camera.position))


def _lids(board: Board, height: float) -> Floats:
    """Corners (4, 3) of the cube area at a height above the floor."""
    cols, rows = board.cols, board.rows
    corners = [[0, 0], [cols, 0], [cols, rows], [0, rows]]
    return np.column_stack([np.array(corners, np.float64), np.full(4, -height)])


def _seen_turns(board: Board, cubes: Sequence[Cube]) -> Floats:
    """Turns (rows, cols) of the prints with those of their cubes."""
    turns = np.zeros((board.rows, board.cols))
    for cube in cubes:
        turns[cube.cell] = (cube.turn + cube.sway) % 360
    return turns
