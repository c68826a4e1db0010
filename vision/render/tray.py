"""Photos of trays that never were: for the simulated camera, for tests, for pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.reading import Point
from vision.render.camera import Camera, Floats, Pose
from vision.render.clutter import random_clutter
from vision.render.cubes import random_postures
from vision.render.hands import random_hand
from vision.render.lens import random_lens, random_light
from vision.render.scene import Scene, shoot
from vision.render.styles import TrayStyle, random_cube, random_tray
from vision.render.textures import random_table
from vision.render.typefaces import Typefaces, shipped_typefaces


@dataclass(frozen=True)
class PhotoOptions:
    """How a photo is taken.

    Attributes:
        size: (width, height), pixels.
        max_tilt: degrees from straight above, at most.
        max_yaw: degrees that the board is turned in the photo to either side, at most.
        share: least and largest share of the photo's shorter side that the tray takes.
        variety: 0 a tray in good order and good light, to 1 any tray in any light.
        busy: chance of a table with checks, print or squares, 0–1.
        clutter: things that lie on the table, at most.
        hand: chance of a hand over the tray, 0–1.
        cocked: share of the cubes that are tilted, 0–1.
        stacked: share of the cubes that lie on another, 0–1.
    """

    size: tuple[int, int] = (1600, 1200)
    max_tilt: float = 25.0
    max_yaw: float = 20.0
    share: tuple[float, float] = (0.55, 0.85)
    variety: float = 0.3
    busy: float = 0.0
    clutter: int = 0
    hand: float = 0.0
    cocked: float = 0.0
    stacked: float = 0.0


@dataclass(frozen=True)
class RenderedTray:
    """A rendered photo with its truth.

    Attributes:
        board: what the cubes show.
        photo: (height, width, 3), uint8, RGB.
        corners_px: corners of the cube area at the height of the cubes' lids: upper left, upper
            right, lower right, lower left of the board, as `vision.rectify.board_to_photo` takes
            them.
        turns: degrees in [0, 360) of each print, row by row, counter-clockwise from upright as
            seen with the board upright; 0 for a missing cube.
        scene: how it was taken, to take further photos of the same tray by `photograph`.
    """

    board: Board
    photo: NDArray[np.uint8]
    corners_px: tuple[Point, Point, Point, Point]
    turns: tuple[tuple[float, ...], ...]
    scene: Scene


def render_tray(
    board: Board,
    rng: np.random.Generator,
    options: PhotoOptions | None = None,
    *,
    turns: Floats | None = None,
) -> RenderedTray:
    """A photo of a board in a tray of random looks, from a random place, in random light.

    Args:
        board: what the cubes show.
        rng: decides everything; the same seed gives the same photo.
        options: limits of chance.
        turns: (rows, cols), degrees by which each print is turned on its cube, counter-clockwise;
            any quarter turn where it is not given.

    Example:
        >>> import numpy as np
        >>> from scoring.board import Board
        >>> shot = render_tray(Board.parse("IETC/HQuPE/SEYH/TOER"), np.random.default_rng(1))
        >>> shot.photo.shape
        (1200, 1600, 3)
    """
    scene = random_setting(board, rng, options or PhotoOptions(), shipped_typefaces())
    return photograph(board, scene, rng, turns=turns)


def photograph(
    board: Board, scene: Scene, rng: np.random.Generator, *, turns: Floats | None = None
) -> RenderedTray:
    """A photo of a board in a known scene; a board of the scene's size with other faces will do.

    Args:
        board: what the cubes show.
        scene: style, place, light and camera, as of an earlier photo.
        rng: decides how the cubes lie, and the noise.
        turns: as for `render_tray`.
    """
    any_quarter = 90.0 * rng.integers(4, size=(board.rows, board.cols))
    given = any_quarter if turns is None else turns
    shot = shoot(board, scene, np.asarray(given, np.float64), rng)
    upper_left, upper_right, lower_right, lower_left = ((x, y) for x, y in shot.corners_px.tolist())
    return RenderedTray(
        board,
        shot.photo,
        (upper_left, upper_right, lower_right, lower_left),
        tuple(tuple(row) for row in shot.turns.tolist()),
        scene,
    )


def random_setting(
    board: Board, rng: np.random.Generator, options: PhotoOptions, typefaces: Typefaces
) -> Scene:
    """A tray of one set of cubes, wholly inside the photo, and what is around it."""
    tray = random_tray(rng, options.variety)
    pose = _framed(board, tray, _random_pose(board, rng, options), rng, options)
    cells = (board.cols, board.rows)
    return Scene(
        size=options.size,
        pose=pose,
        tray=tray,
        cubes=(random_cube(rng, typefaces, options.variety),) * len(board),
        table=random_table(rng, options.busy),
        light=random_light(rng, options.variety),
        lens=random_lens(rng, pose.pitch_px, options.variety),
        postures=random_postures(board, rng, cocked=options.cocked, stacked=options.stacked),
        clutter=random_clutter(rng, cells, options.clutter),
        hand=random_hand(rng, cells) if rng.random() < options.hand else None,
    )


def _random_pose(board: Board, rng: np.random.Generator, options: PhotoOptions) -> Pose:
    """A pose of unit scale around the origin of the photo."""
    return Pose(
        tilt=rng.uniform(0, options.max_tilt),
        azimuth=rng.uniform(0, 360),
        yaw=rng.uniform(-options.max_yaw, options.max_yaw),
        distance=rng.uniform(2.2, 5.0) * max(board.rows, board.cols),
        pitch_px=1.0,
        centre_px=(0.0, 0.0),
    )


def _framed(
    board: Board, tray: TrayStyle, pose: Pose, rng: np.random.Generator, options: PhotoOptions
) -> Pose:
    """The pose scaled and moved so that the tray lies anywhere, but wholly in the photo."""
    size = np.array(options.size, np.float64)
    low, high = _extent(board, tray, pose)
    scale = rng.uniform(*options.share) * float(np.min(size / (high - low)))
    room = size - scale * (high - low)
    middle = rng.uniform(0.1, 0.9, 2) * room - scale * low
    return replace(pose, pitch_px=scale, centre_px=(float(middle[0]), float(middle[1])))


def _extent(board: Board, tray: TrayStyle, pose: Pose) -> tuple[Floats, Floats]:
    """Least and largest x and y that the tray takes in the photo."""
    outer = tray.gap + tray.rim_width
    x, y = (-outer, board.cols + outer), (-outer, board.rows + outer)
    heights = (0.0, -tray.edge)
    points = np.array([[i, j, k] for i in x for j in y for k in heights], np.float64)
    seen = Camera(pose, (board.cols / 2, board.rows / 2, -tray.edge)).project(points)
    return seen.min(axis=0), seen.max(axis=0)
