"""Whole random scenes by difficulty, with their truth: for tests and for measuring accuracy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from scoring.board import MISSING, Board
from scoring.cubes import all_faces, cube_sets
from vision.render.camera import Floats
from vision.render.legible import prints_seen
from vision.render.scene import Scene, Shot, shoot
from vision.render.tray import PhotoOptions, random_setting
from vision.render.typefaces import Typefaces, shipped_typefaces

EASY, MEDIUM, HARD = 0.1, 0.5, 0.9
"""Difficulties that have a name: a tray lit well from above; a tray on a table as people take it;
whatever a person can still read."""

SIDES = (4, 5, 6)
"""Rows and columns of the boards."""

_UNKNOWN_SETS = 0.2  # share of boards whose faces are of no known set, at the most difficult


def random_scene(
    seed: int | Sequence[int],
    difficulty: float,
    *,
    sides: Sequence[int] = SIDES,
    size: tuple[int, int] = (1600, 1200),
    typefaces: Typefaces | None = None,
) -> tuple[Board, Shot]:
    """A photo of a random tray; the same arguments give the same photo.

    The board's up is nearly the photo's up: it is turned by less than 40 degrees.

    Args:
        seed: decides everything.
        difficulty: 0 easy to 1 hard: tilt, turn, size in the photo, wear, light, blur, noise,
            table, things around, hands, missing, cocked and stacked cubes.
        sides: rows and columns to choose from; boards are square.
        size: (width, height) of the photo, pixels.
        typefaces: that prints are set in; the shipped ones if not given.

    Returns:
        What the cubes show, and the photo with the rest of its truth.

    Raises:
        ValueError: the difficulty is not within 0–1.

    Example:
        >>> board, shot = random_scene(7, EASY, sides=(4,), size=(400, 300))
        >>> board.rows, shot.photo.shape, shot.corners_px.shape
        (4, (300, 400, 3), (4, 2))
    """
    rng = np.random.default_rng(seed)
    board, scene, turns = _drawn(rng, difficulty, sides, size, typefaces)
    return board, shoot(board, scene, turns, rng)


def random_scene_and_prints(
    seed: int | Sequence[int],
    difficulty: float,
    *,
    sides: Sequence[int] = SIDES,
    size: tuple[int, int] = (1600, 1200),
) -> tuple[Board, Shot, Floats]:
    """As `random_scene`, in three times its time, with how much of each print is seen.

    Returns:
        What the cubes show, the photo, and of each cell (rows, cols) what
        `vision.render.legible.prints_seen` tells.
    """
    rng = np.random.default_rng(seed)
    board, scene, turns = _drawn(rng, difficulty, sides, size)
    before = deepcopy(rng)
    shot = shoot(board, scene, turns, rng)
    return board, shot, prints_seen(board, scene, turns, before, shot)


def _drawn(
    rng: np.random.Generator,
    difficulty: float,
    sides: Sequence[int],
    size: tuple[int, int],
    typefaces: Typefaces | None = None,
) -> tuple[Board, Scene, Floats]:
    """A board, its scene, and the turns of its prints."""
    if not 0 <= difficulty <= 1:
        raise ValueError(f"the difficulty is {difficulty}, not within 0 and 1")
    board = _random_board(rng, difficulty, int(rng.choice(sides)))
    options = _options(rng, difficulty, size)
    scene = random_setting(board, rng, options, typefaces or shipped_typefaces())
    turns = np.asarray(90.0 * rng.integers(4, size=(board.rows, board.cols)), np.float64)
    return board, scene, turns


def _random_board(rng: np.random.Generator, difficulty: float, side: int) -> Board:
    """A roll of an edition of this size, seldom of no edition, some cubes lost."""
    editions = [one for one in cube_sets() if one.rows == one.cols == side]
    if not editions or rng.random() < _UNKNOWN_SETS * difficulty:
        faces = rng.choice(sorted(all_faces()), (side, side)).astype(object)
    else:
        edition = editions[rng.integers(len(editions))]
        faces = np.array(edition.roll(random.Random(int(rng.integers(2**32)))).faces, object)
    lost = rng.random((side, side)) < (0.06 * difficulty if rng.random() < 0.3 else 0.0)
    faces[lost] = MISSING
    return Board.from_faces(faces.tolist())


def _options(rng: np.random.Generator, difficulty: float, size: tuple[int, int]) -> PhotoOptions:
    smallest = 0.7 - 0.45 * difficulty
    upset = rng.random() < 0.15 * difficulty
    return PhotoOptions(
        size=size,
        max_tilt=8 + 32 * difficulty,
        max_yaw=10 + 28 * difficulty,
        share=(smallest, 0.95),
        variety=difficulty,
        busy=0.3 * difficulty,
        clutter=round(4 * difficulty),
        hand=0.12 * difficulty,
        cocked=0.06 if upset else 0.0,
        stacked=0.03 if upset else 0.0,
    )
