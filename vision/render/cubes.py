"""Cubes in their cells, and the prints on their faces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scoring.board import BLANK, MISSING, Board, Cell, Face
from vision.render.camera import Camera, Floats
from vision.render.canvas import Solid, fill_solid, shade, stamp
from vision.render.finishes import GLOSS, Coat, over_print, under_print
from vision.render.glyphs import Mask, print_mask
from vision.render.lens import Light, Photo
from vision.render.mesh import rounded_cube
from vision.render.styles import CubeStyle, TrayStyle
from vision.render.textures import smooth_noise

_SIDE_FACES: tuple[Face, ...] = (*"ABCDEFGHIJKLMNOPRSTUVWXYZ", "Qu")
_SIDE_NORMALS = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], np.float64)
_UP = np.array([0, 0, -1.0])
_CAP_SIZES = (24, 48, 96, 192)  # pixels; prints are set at the next larger and warped down
_WIDEST, _TALLEST = 0.86, 0.88  # of a print, in edges of the cube
_SMALLEST_SIDE_PX = 5  # a side seen narrower shows no print
_MAX_SWAY = 25.0
_LEAST_LEAN, _MOST_LEAN = 12.0, 40.0  # degrees of a cocked cube
_LEVEL = 0.995  # cosine of a lean: nearer to upright a cube stands on its whole foot
_STEPS, _MOST_STEPS = ((48, 2), (80, 4)), 8  # of a rounding, below a pitch in pixels
_OFF_CENTRE = 0.035  # of a print on its side, in edges
_LID = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_JOINED = np.abs(_CORNERS[:, None] - _CORNERS).sum(axis=2) == 1  # (8, 8): by an edge of the cube

Stamp = tuple[Mask, Floats, Floats]
"""A mask, its corners in the photo (4, 2), and its ink (3,)."""


@dataclass(frozen=True)
class Posture:
    """How a cube lies that does not lie flat in its cell.

    Attributes:
        lean: degrees from level.
        towards: degrees, where its lid looks, from x towards y.
        lift: of its lowest corner above the floor, in edges; 1 on top of another cube.
    """

    lean: float = 0.0
    towards: float = 0.0
    lift: float = 0.0

    @property
    def is_stacked(self) -> bool:
        """Whether another cube lies below."""
        return self.lift >= 1


FLAT = Posture()


@dataclass(frozen=True)
class Cube:
    """A cube in its place.

    Attributes:
        cell: (row, column).
        face: what its lid shows.
        style: its looks.
        centre: (3,), in the world.
        axes: (3, 3), its x, y and z axis as columns.
        edge: its length, in cells.
        turn: degrees of its print on its lid, counter-clockwise.
        sway: degrees of the cube itself, counter-clockwise.
    """

    cell: Cell
    face: Face
    style: CubeStyle
    centre: Floats
    axes: Floats
    edge: float
    turn: float
    sway: float

    @property
    def foot(self) -> Floats:
        """Corners (4, 3) of the face that it stands on."""
        return self.side(_LID, -_UP)

    def side(self, plane: Floats, normal: Floats) -> Floats:
        """Points (n, 2) of a side, right and down as seen from outside, in the world (n, 3)."""
        return np.asarray(self.centre + (on_side(plane, normal) * self.edge) @ self.axes.T)

    def above(self, height: float) -> Floats:
        """Corners (n, 3), n ≥ 1, of what of it is higher than that above the floor."""
        corners = self.centre + (_CORNERS * self.edge) @ self.axes.T
        rises = -corners[:, 2] - height
        low, high = np.nonzero((rises[:, None] <= 0) & (rises > 0) & _JOINED)
        shares = (rises[low] / (rises[low] - rises[high]))[:, None]
        crossed = corners[low] + shares * (corners[high] - corners[low])
        return np.concatenate([corners[rises > 0], crossed])


@dataclass(frozen=True)
class _Print:
    """What is printed on the side with a normal (3,), and in what light (1 the lid's)."""

    face: Face
    turn: float
    normal: Floats
    brightness: float


def random_postures(
    board: Board, rng: np.random.Generator, *, cocked: float, stacked: float
) -> dict[Cell, Posture]:
    """Postures of the cubes of a board that do not lie flat.

    Args:
        board: its missing cubes do not lie at all.
        rng: source of chance.
        cocked: share of the cubes that are tilted, 0–1.
        stacked: share that lie on another cube, 0–1.
    """
    chances = rng.random(len(board))
    postures = {}
    for cell, chance in zip(board.cells, chances, strict=True):
        if board[cell] == MISSING or chance >= cocked + stacked:
            continue
        lean, towards, lift = rng.uniform((_LEAST_LEAN, 0, 0), (_MOST_LEAN, 360, 0.2)).tolist()
        postures[cell] = Posture(lean, towards, lift) if chance < cocked else Posture(lift=1.0)
    return postures


def placed(
    board: Board,
    styles: Sequence[CubeStyle],
    tray: TrayStyle,
    turns: Floats,
    rng: np.random.Generator,
    *,
    postures: Mapping[Cell, Posture],
) -> list[Cube]:
    """The cubes of a board, each a little off and askew in its cell.

    Args:
        board: what the cubes show; missing ones are left out.
        styles: one for each cell, row by row.
        tray: how tidily they lie.
        turns: (rows, cols), degrees of each print on its cube.
        rng: source of chance.
        postures: of the cubes that do not lie flat.
    """
    slack = 0.7 * (1 - tray.edge)
    cubes = []
    for (row, col), style in zip(board.cells, styles, strict=True):
        if board[row, col] == MISSING:
            continue
        sway = float(np.clip(rng.normal(0, tray.sway), -_MAX_SWAY, _MAX_SWAY))
        drift = np.clip(rng.normal(0, tray.drift, 2), -slack, slack)
        posture = postures.get((row, col), FLAT)
        axes = _leaning(posture) @ _axes(sway, rng.normal(0, 0.8, 2))
        height = tray.edge * (_reach(axes) + posture.lift)
        centre = np.array([col + 0.5 + drift[0], row + 0.5 + drift[1], -height])
        turn = float(turns[row, col])
        cubes.append(Cube((row, col), board[row, col], style, centre, axes, tray.edge, turn, sway))
    return cubes


def supports(
    cubes: Sequence[Cube], postures: Mapping[Cell, Posture], rng: np.random.Generator
) -> list[Cube]:
    """The cubes below those that are stacked, which may show any face."""
    return [
        replace(
            cube,
            face=_SIDE_FACES[rng.integers(len(_SIDE_FACES))],
            centre=np.array([cube.cell[1] + 0.5, cube.cell[0] + 0.5, -cube.edge / 2]),
            axes=_axes(rng.normal(0, 3), rng.normal(0, 0.8, 2)),
            turn=90.0 * rng.integers(4),
        )
        for cube in cubes
        if postures.get(cube.cell, FLAT).is_stacked
    ]


def paint_cube(
    photo: Photo,
    camera: Camera,
    cube: Cube,
    light: Light,
    rng: np.random.Generator,
    *,
    printed: bool = True,
) -> None:
    """Paint a cube with the prints on its visible sides and, if it is printed, on its lid."""
    steps = next((few for pitch, few in _STEPS if camera.pose.pitch_px < pitch), _MOST_STEPS)
    mesh = rounded_cube(round(cube.style.corner, 2), round(cube.style.bevel, 2), steps)
    fill_solid(
        photo,
        camera,
        Solid.of(
            mesh,
            cube.style.body,
            light,
            cube.axes * cube.edge,
            cube.centre,
            gloss=GLOSS[cube.style.finish],
        ),
    )
    below = under_print(cube.style, rng)
    for normal in _SIDE_NORMALS:
        if _seen_px(camera, cube, normal) > _SMALLEST_SIDE_PX:
            brightness = float(shade(cube.axes @ normal, light))
            _stamp_coats(photo, camera, cube, below, (normal, 0.75 * brightness))
            stamp(photo, *_side_print(cube, normal, brightness, camera, rng))
    brightness = float(shade(cube.axes @ _UP, light))
    _stamp_coats(photo, camera, cube, below, (_UP, brightness))
    lid = _print(cube, _Print(cube.face, cube.turn, _UP, brightness), camera, rng)
    for one in _engraved(lid, cube, light, camera) if printed else ():
        stamp(photo, *one)
    _stamp_coats(photo, camera, cube, over_print(cube.style, rng), (_UP, 1.0))


def _stamp_coats(
    photo: Photo, camera: Camera, cube: Cube, coats: Sequence[Coat], side: tuple[Floats, float]
) -> None:
    """Stamp coats on the side of a cube that a normal and a brightness tell."""
    normal, brightness = side
    for mask, ink in coats:
        stamp(photo, mask, camera.project(cube.side(_LID, normal)), ink * brightness)


def _engraved(lid: Stamp, cube: Cube, light: Light, camera: Camera) -> Iterator[Stamp]:
    """The print, before it the lit and the dark edge of its groove where it is sunk in."""
    mask, quad, ink = lid
    if cube.style.engraved:
        middle = np.append(light.direction[:2], 0.0) * cube.style.engraved * cube.edge
        shift = np.diff(camera.project(np.array([cube.centre, cube.centre + middle])), axis=0)
        body = np.array(cube.style.body)
        yield mask, quad - shift, np.minimum(1.12 * body + 10, 255)
        yield mask, quad + shift, 0.55 * body
    yield mask, quad, ink


def _axes(sway: float, lean: Floats) -> Floats:
    """Axes of a cube turned counter-clockwise as seen from above and tilted, both in degrees."""
    turn = np.radians(sway)
    x, y = np.radians(lean)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([[cos, sin, x], [-sin, cos, y], [-x, -y, 1.0]])


def _leaning(posture: Posture) -> Floats:
    """Rotation (3, 3) of a cube that leans."""
    towards, lean = np.radians([posture.towards, posture.lean])
    axis = lean * np.array([np.sin(towards), -np.cos(towards), 0.0])
    return np.asarray(cv2.Rodrigues(axis)[0], np.float64)


def _reach(axes: Floats) -> float:
    """How far a cube of edge 1 reaches below its middle."""
    return float(np.abs(axes[2]).sum() / 2) if abs(axes[2, 2]) < _LEVEL else 0.5


def _seen_px(camera: Camera, cube: Cube, normal: Floats) -> float:
    """How wide the camera sees a side of a cube, in pixels; negative from behind."""
    facing = cube.axes @ normal
    towards = camera.position - (cube.centre + facing * cube.edge / 2)
    share = float(facing @ towards / np.linalg.norm(towards))
    return share * cube.edge * camera.pose.pitch_px


def _side_print(
    cube: Cube, normal: Floats, brightness: float, camera: Camera, rng: np.random.Generator
) -> Stamp:
    """Any face on a side of a cube, in the light that falls there."""
    face = _SIDE_FACES[rng.integers(len(_SIDE_FACES))]
    brightness *= rng.uniform(0.6, 0.9)
    return _print(cube, _Print(face, 90.0 * rng.integers(4), normal, brightness), camera, rng)


def _print(cube: Cube, what: _Print, camera: Camera, rng: np.random.Generator) -> Stamp:
    """What is printed on a side."""
    style = cube.style
    height_px = style.cap_height * cube.edge * camera.pose.pitch_px
    cap_px = next((size for size in _CAP_SIZES if size >= height_px), _CAP_SIZES[-1])
    mask = print_mask(what.face, style, cap_px)
    outline = _print_outline(mask, cap_px, style, is_blank=what.face == BLANK)
    plane = _turned(outline, what.turn) + rng.uniform(-_OFF_CENTRE, _OFF_CENTRE, 2)
    ink = np.array(style.blank_ink if what.face == BLANK else style.ink) * what.brightness
    return _worn(mask, style, rng), camera.project(cube.side(plane, what.normal)), ink


def _print_outline(mask: Mask, cap_px: int, style: CubeStyle, *, is_blank: bool) -> Floats:
    """Corners (4, 2) of an upright print around the middle of its side, in edges."""
    size = np.array(mask.shape[::-1]) / cap_px
    if is_blank:
        size = size * style.blank_size
    else:
        size = size * style.cap_height * [style.stretch, 1.0]
        size = size * min(1.0, _WIDEST / size[0], _TALLEST / size[1])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    return np.asarray(corners + np.outer(corners[:, 1], [style.shear, 0.0]))


def _turned(points: Floats, degrees: float) -> Floats:
    """Points (n, 2), x right and y down, turned counter-clockwise."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[cos, -sin], [sin, cos]]))


def on_side(points: Floats, normal: Floats) -> Floats:
    """Points (n, 2) of a side, right and down as seen from outside, in the cube (n, 3)."""
    if normal[2]:
        right, down = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    else:
        right, down = np.array([normal[1], -normal[0], 0]), np.array([0, 0, 1.0])
    return np.asarray(0.5 * normal + np.outer(points[:, 0], right) + np.outer(points[:, 1], down))


def _worn(mask: Mask, style: CubeStyle, rng: np.random.Generator) -> Mask:
    """The mask with its ink faded, in spots where the style says so."""
    if style.fading <= 0:
        return mask
    left = 1 - style.fading
    if style.speckle <= 0:
        return np.asarray(mask * left, np.uint8)
    knots = int(rng.integers(3, 7))
    sheet = smooth_noise(rng, (mask.shape[0], mask.shape[1]), (knots, knots))
    sheet = np.clip((sheet - rng.uniform(0.2, 0.6)) * 3 + 0.5, 0, 1)
    spots = rng.random(mask.shape, np.float32) > style.speckle * 0.5
    return np.asarray(mask * (left + (1 - left) * sheet * spots), np.uint8)
