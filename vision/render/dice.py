"""Photos of thrown dice that never were, alone on a table or beside a tray of letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.reading import Point
from vision.render.camera import Camera, Floats, Pose
from vision.render.canvas import Solid, fill_solid, shade, stamp
from vision.render.cubes import on_side
from vision.render.glyphs import Mask
from vision.render.lens import Light, Photo, captured, lit, random_lens, random_light
from vision.render.mesh import rounded_cube
from vision.render.scene import paint
from vision.render.styles import Colour
from vision.render.surroundings import TABLE_DEPTH, cast_shadow, paint_table
from vision.render.textures import random_table
from vision.render.tray import PhotoOptions, random_setting
from vision.render.typefaces import shipped_typefaces

_COLOURS: tuple[tuple[Colour, Colour], ...] = (
    ((244, 240, 226), (18, 18, 20)), ((250, 250, 250), (30, 30, 34)),
    ((236, 224, 196), (60, 34, 20)), ((176, 18, 24), (250, 250, 248)),
    ((200, 40, 30), (245, 240, 230)), ((24, 60, 150), (248, 248, 248)),
    ((22, 110, 60), (244, 244, 240)), ((24, 24, 28), (240, 240, 240)),
    ((250, 210, 60), (20, 20, 20)), ((240, 240, 240), (190, 24, 28)),
    ((90, 40, 120), (240, 200, 90)), ((214, 176, 128), (40, 24, 16)),
)  # fmt: skip
"""Bodies and their pips."""

_SPOTS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0)),
}
_OPPOSITE = 7
_NORMALS = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], np.float64)
_UP = np.array([0, 0, -1.0])
_DISC_PX = 64
_LEAST_GAP = 1.5  # edges between the middles of two dice
_TRIES = 200
_BESIDE = 1.3  # edges from the rim of a tray to the middle of a die
_SMALLEST_SIDE_PX = 3
_GLINT, _GLINT_AT = 0.25, (0.12, -0.12)  # size and place of a reflection, in pips


@dataclass(frozen=True)
class DiceStyle:
    """One kind of dice; lengths in edges.

    Attributes:
        body: its colour.
        ink: colour of the pips.
        pip: diameter of a pip.
        reach: of the outer pips from the middle of their side, along both axes.
        corner: radius of the corners from above.
        bevel: radius of the upper edges.
        glint: 0–1, how brightly the pips reflect.
    """

    body: Colour
    ink: Colour
    pip: float
    reach: float
    corner: float
    bevel: float
    glint: float


@dataclass(frozen=True)
class ThrowOptions:
    """How a throw is photographed.

    Attributes:
        size: (width, height), pixels.
        max_tilt: degrees from straight above, at most.
        edge: least and largest length of an edge, in shorter sides of the photo.
        variety: 0 good light and order, to 1 any in which a person still reads.
    """

    size: tuple[int, int] = (960, 720)
    max_tilt: float = 20.0
    edge: tuple[float, float] = (0.08, 0.16)
    variety: float = 0.3


@dataclass(frozen=True)
class RenderedDice:
    """A rendered photo with its truth.

    Attributes:
        pips: of each die, 1–6, in the order given.
        photo: (height, width, 3), uint8, RGB.
        middles_px: of the tops.
        edge_px: length of an edge in the middle of the photo.
    """

    pips: tuple[int, ...]
    photo: NDArray[np.uint8]
    middles_px: tuple[Point, ...]
    edge_px: float


@dataclass(frozen=True)
class _View:
    """What dice are painted into, and how they are seen."""

    photo: Photo
    camera: Camera
    light: Light
    style: DiceStyle


@dataclass(frozen=True)
class _Die:
    """A die that lies somewhere: its middle (3,), its axes (3, 3), what its sides show."""

    centre: Floats
    axes: Floats
    edge: float
    top: int
    sides: tuple[int, ...]

    @property
    def foot(self) -> Floats:
        square = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) * self.edge / 2
        return np.asarray(self.centre + square @ self.axes.T)


def random_style(rng: np.random.Generator, variety: float = 0.3) -> DiceStyle:
    """Dice of any set."""
    body, ink = _COLOURS[rng.integers(len(_COLOURS))]
    corner = rng.uniform(0.06, 0.3)
    return DiceStyle(
        body=body,
        ink=ink,
        pip=rng.uniform(0.16, 0.23),
        reach=rng.uniform(0.22, 0.28),
        corner=corner,
        bevel=min(corner, rng.uniform(0.04, 0.14)),
        glint=rng.uniform(0.0, 0.8) * variety,
    )


def render_dice(
    pips: Sequence[int],
    rng: np.random.Generator,
    options: ThrowOptions | None = None,
    style: DiceStyle | None = None,
) -> RenderedDice:
    """A photo of thrown dice of one kind on a table.

    Args:
        pips: what the dice show, 1–6 each.
        rng: decides everything else; the same seed gives the same photo.
        options: limits of chance.
        style: of the dice, or None for any.

    Example:
        >>> import numpy as np
        >>> shot = render_dice((3, 5), np.random.default_rng(1))
        >>> shot.photo.shape
        (720, 960, 3)
    """
    options = options or ThrowOptions()
    pitch = rng.uniform(*options.edge) * min(options.size)
    camera = Camera(_pose(rng, options, pitch), (0.0, 0.0, -1.0))
    light = random_light(rng, options.variety)
    photo = paint_table(options.size, camera, random_table(rng), rng)
    room = np.array(options.size) / pitch / 2 - 1.2
    places = _scattered(len(pips), lambda: rng.uniform(-room, room))
    style = style or random_style(rng, options.variety)
    dice = [_thrown(top, place, 1.0, rng) for top, place in zip(pips, places, strict=True)]
    _paint_dice(_View(photo, camera, light, style), dice)
    taken = captured(lit(photo, light), random_lens(rng, pitch, options.variety), rng)
    return RenderedDice(tuple(pips), taken, _middles(camera, dice), pitch)


def render_dice_by_tray(
    board: Board,
    pips: Sequence[int],
    rng: np.random.Generator,
    options: PhotoOptions | None = None,
    style: DiceStyle | None = None,
) -> RenderedDice:
    """A photo of a letter tray with dice beside it, as `vision.render.tray.render_tray` takes it.

    Args:
        board: what the cubes of the tray show.
        pips: what the dice show.
        rng: decides everything else.
        options: limits of chance; leave the dice room beside the tray.
        style: of the dice, or None for any.
    """
    options = options or PhotoOptions(share=(0.5, 0.6))
    scene = random_setting(board, rng, options, shipped_typefaces())
    turns = np.float64(90) * rng.integers(4, size=(board.rows, board.cols))
    photo = paint(board, scene, turns, rng).photo
    camera = Camera(scene.pose, (board.cols / 2, board.rows / 2, -scene.tray.edge))
    outer = scene.tray.gap + scene.tray.rim_width + _BESIDE * scene.tray.edge

    def beside() -> Floats:
        return _beside(board, outer, camera, options.size, rng)

    places = _scattered(len(pips), beside)
    style = style or random_style(rng, options.variety)
    edge = scene.tray.edge
    dice = [_thrown(top, place, edge, rng) for top, place in zip(pips, places, strict=True)]
    _paint_dice(_View(photo, camera, scene.light, style), dice)
    taken = captured(lit(photo, scene.light), scene.lens, rng)
    return RenderedDice(tuple(pips), taken, _middles(camera, dice), edge * scene.pose.pitch_px)


def _pose(rng: np.random.Generator, options: ThrowOptions, pitch: float) -> Pose:
    """A camera that stands below the photo: what is upright in the room is upright in it."""
    width, height = options.size
    yaw = rng.uniform(-15, 15)
    return Pose(
        tilt=rng.uniform(0, options.max_tilt),
        azimuth=90.0 + yaw,
        yaw=yaw,
        distance=rng.uniform(1.2, 2.5) * max(options.size) / pitch,
        pitch_px=pitch,
        centre_px=(width / 2, height / 2),
    )


def _scattered(count: int, draw: Callable[[], Floats]) -> list[Floats]:
    """Places (2,) that `draw` gives, apart from each other."""
    places: list[Floats] = []
    for _ in range(_TRIES):
        if len(places) == count:
            break
        place = draw()
        if all(np.hypot(*(place - other)) > _LEAST_GAP for other in places):
            places.append(place)
    return places


def _beside(
    board: Board, outer: float, camera: Camera, size: tuple[int, int], rng: np.random.Generator
) -> Floats:
    """A place beside a tray that is wholly in the photo."""
    for _ in range(_TRIES):
        place = rng.uniform([-4.0, -4.0], [board.cols + 4.0, board.rows + 4.0])
        is_off = ((place < -outer) | (place > np.array([board.cols, board.rows]) + outer)).any()
        seen = camera.project(np.append(place, -0.5))
        margin = 1.1 * camera.pose.pitch_px
        if is_off and (seen > margin).all() and (seen < np.array(size) - margin).all():
            return np.asarray(place)
    raise ValueError("no room for dice beside the tray")


def _thrown(top: int, place: Floats, edge: float, rng: np.random.Generator) -> _Die:
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    axes = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
    around = [value for value in range(1, 7) if value not in {top, _OPPOSITE - top}]
    first, second = around[0], around[1]
    sides = (first, second, _OPPOSITE - first, _OPPOSITE - second)
    return _Die(np.append(place, TABLE_DEPTH - edge / 2), axes, edge, top, sides)


def _paint_dice(view: _View, dice: Sequence[_Die]) -> None:
    """Shadows first, then the dice, far ones before near ones."""
    for die in dice:
        cast_shadow(view.photo, view.camera, die.foot, die.edge, view.light)
    for die in sorted(dice, key=lambda die: -float(view.camera.depth(die.centre))):
        _paint_die(view, die)


def _paint_die(view: _View, die: _Die) -> None:
    style, camera = view.style, view.camera
    mesh = rounded_cube(round(style.corner, 2), round(style.bevel, 2), 4)
    solid = Solid.of(mesh, style.body, view.light, die.axes * die.edge, die.centre)
    fill_solid(view.photo, camera, solid)
    for normal, value in (*zip(_NORMALS, die.sides, strict=True), (_UP, die.top)):
        facing = die.axes @ normal
        towards = camera.position - (die.centre + facing * die.edge / 2)
        share = float(facing @ towards / np.linalg.norm(towards))
        if share * die.edge * camera.pose.pitch_px > _SMALLEST_SIDE_PX:
            _paint_pips(view, die, value, normal)


def _paint_pips(view: _View, die: _Die, value: int, normal: Floats) -> None:
    style = view.style
    brightness = 1.0 if normal[2] else float(shade(die.axes @ normal, view.light))
    ink = np.minimum(np.array(style.ink) * brightness, 255)
    glint = ink + style.glint * (250.0 - ink)
    for spot in np.array(_SPOTS[value]) * style.reach:
        stamp(view.photo, _DISC, _square(view.camera, die, normal, spot, style.pip), ink)
        if style.glint:
            place = spot + np.array(_GLINT_AT) * style.pip
            square = _square(view.camera, die, normal, place, _GLINT * style.pip)
            stamp(view.photo, _DISC, square, glint)


def _square(camera: Camera, die: _Die, normal: Floats, spot: Floats, size: float) -> Floats:
    """Where the square around a spot (2,) of a side is seen: (4, 2)."""
    corners = spot + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    plane = on_side(corners, normal)
    return camera.project(die.centre + (plane * die.edge) @ die.axes.T)


def _disc() -> Mask:
    mask = np.zeros((_DISC_PX, _DISC_PX), np.uint8)
    middle = (_DISC_PX // 2, _DISC_PX // 2)
    cv2.circle(mask, middle, _DISC_PX // 2 - 1, 255, cv2.FILLED, cv2.LINE_AA)
    return mask


_DISC = _disc()


def _middles(camera: Camera, dice: Sequence[_Die]) -> tuple[Point, ...]:
    tops = np.array([die.centre + _UP * die.edge / 2 for die in dice]).reshape(-1, 3)
    return tuple((float(x), float(y)) for x, y in camera.project(tops))
