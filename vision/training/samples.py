"""Training crops: scenes of every kind, cut by the product's own rectification.

What the net learns from is what reading will show it: whole neighbourhoods with side faces, rim
and table, cut at corners that are off as a locator's are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Board, Cell, Face
from vision.reading import Point
from vision.rectify import CROP_PX, board_to_photo, cut_cells
from vision.render.camera import Camera, Floats, Pose
from vision.render.cubes import FLAT, random_postures
from vision.render.hands import random_hand
from vision.render.lens import Photo, captured, lit, random_lens, random_light
from vision.render.scene import Scene, Shot, paint
from vision.render.styles import CubeStyle, random_cube, random_tray
from vision.render.textures import random_table
from vision.render.typefaces import Typefaces
from vision.training.labels import FOREIGN, LABELS, foreign_face, label_of, symmetry
from vision.training.odd import NONE_ODD, Odd, made_odd
from vision.training.plain import mere_lines, plain_print

_SIDES = (3, 4, 4, 4, 5)
_PAINTED_PITCH_PX = 40.0  # smaller scenes are painted at this pitch and shrunk: cleaner edges
_RING_CROPS = 4  # crops of a scene that show no cell of the board
_FOREIGN_SHARE = 0.05  # of the faces
_BLANK_SHARE = 0.03  # of the faces
_LONE = 0.5  # prints on a plain ground that go with a scene, on average
_LINES = 0.15  # crops of mere lines that go with a scene, on average
_OFF_GRID = 0.06  # share of scenes cut between the cells
_BUSY = 0.3  # share of scenes on a table with checks, print or squares
_UPSET_TILT = 30.0  # cocked cubes are seen from no lower than this
_UPSET_CUBES = 0.1  # share of the cubes of such a scene
_ILLEGIBLE = 0.35  # share of a print hidden, from which none can say
_NEARLY_LEVEL, _TIPPED = 18.0, 26.0  # degrees of lean; between, none can say
_GONE = 0.95  # of a print hidden: what is seen is no cube
_REACHES = ((0.72, 0.05), (0.94, 0.1), (1.0, 0.18))  # how far off a locator is, by chance
_CAPITAL_PAIRS = frozenset({"Fg", "Bc"})  # met in capitals for the most part


@dataclass(frozen=True)
class Mix:
    """What samples are drawn.

    Attributes:
        pitches_px: least and largest pitch of the cells in the photo.
        hand: share of scenes with a hand.
        still_legible: share of a print up to which it may be hidden and is still to be read;
            between that and what nobody can read, none can say.
        common: how often N is met, in times of a letter.
        rare: how often an accented letter is met, in times of a plain one.
        odd: shares of odd cubes.
        upset: share of scenes with cocked cubes.
        beside: cells beside cubes that stand up are shown, as far as these do not hide them.
        marred: share of the crops that something is painted over (`vision.training.marred`).
    """

    pitches_px: tuple[float, float] = (13.0, 72.0)
    hand: float = 0.06
    still_legible: float = 0.08
    common: float = 1.0
    rare: float = 0.3
    odd: Odd = NONE_ODD
    upset: float = 0.1
    beside: bool = False
    marred: float = 0.0

    def share(self, face: Face) -> float:
        """How often a face is met: Ñ as often beside N as any accented letter beside its own."""
        return (1.0 if face.isascii() else self.rare) * (self.common if face in "NÑ" else 1.0)


ORDINARY = Mix()
"""What the net learns that looks at every cell."""

DOUBTFUL = Mix(
    pitches_px=(20.0, 90.0),
    hand=0.16,
    still_legible=0.22,
    common=2.5,
    odd=Odd(light=0.15, glossy=0.25, marked=0.15),
    upset=0.15,
    beside=True,
    marred=0.3,
)
"""What the net learns that looks at doubtful cells: fewer of them are such as nobody could read."""


@dataclass(frozen=True)
class Samples:
    """Crops with their truth.

    Attributes:
        crops: (n, CROP_PX, CROP_PX, 3), uint8, RGB.
        labels: (n,), indices of `LABELS`, or `FOREIGN`.
        turns: (n,), degrees counter-clockwise from upright.
        symmetries: (n,), how many turns of the print look alike: 1, 2, or 0 for all.
    """

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    turns: NDArray[np.float32]
    symmetries: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def joined(cls, parts: list[Samples]) -> Samples:
        """All samples of several parts, in their order."""
        return cls(
            np.concatenate([part.crops for part in parts]),
            np.concatenate([part.labels for part in parts]),
            np.concatenate([part.turns for part in parts]),
            np.concatenate([part.symmetries for part in parts]),
        )

    def picked(self, chosen: NDArray[np.int64] | slice) -> Samples:
        """Some of the samples."""
        return Samples(
            self.crops[chosen], self.labels[chosen], self.turns[chosen], self.symmetries[chosen]
        )


def draw_samples(
    seed: tuple[int, ...], count: int, typefaces: Typefaces, mix: Mix = ORDINARY
) -> Samples:
    """Samples of as many random scenes as it takes; the same seed gives the same samples."""
    rng = np.random.default_rng(seed)
    parts: list[Samples] = []
    while sum(map(len, parts)) < count:
        parts.append(draw_scene(rng, typefaces, mix))
    return Samples.joined(parts).picked(slice(count))


def draw_scene(rng: np.random.Generator, typefaces: Typefaces, mix: Mix = ORDINARY) -> Samples:
    """The samples of one random scene."""
    board = _random_board(rng, mix)
    scene, pitch = _random_scene(board, rng, typefaces, mix)
    turns = _random_turns(board, rng)
    shot = paint(board, scene, turns, rng)
    photo, shrink = _at_pitch(shot.photo, pitch / scene.pose.pitch_px)
    photo = captured(lit(photo, scene.light), scene.lens, rng)
    off_grid = rng.random() < _OFF_GRID
    homography = _located(shot.corners_px * shrink, board, rng, off_grid=off_grid)
    cells = cut_cells(photo, homography, board.rows, board.cols)
    if off_grid:
        return _nothing(cells[1:-1, 1:-1][:-1, :-1].reshape(-1, *cells.shape[2:])[:_RING_CROPS])
    faces = _faces(cells, board, scene, shot).picked(_judged(board, scene, shot, mix))
    nothing = np.concatenate([_ring(cells, rng), mere_lines(rng.poisson(_LINES), rng)])
    return Samples.joined([faces, _nothing(nothing), _plain_prints(scene, rng)])


def _random_board(rng: np.random.Generator, mix: Mix) -> Board:
    rows, cols = rng.choice(_SIDES, 2)
    faces = [label for label in LABELS if label != MISSING]
    shares = np.array([mix.share(label) for label in faces])
    chosen = rng.choice(faces, (rows, cols), p=shares / shares.sum()).astype(object)
    chance = rng.random((rows, cols))
    chosen[chance < _BLANK_SHARE] = BLANK
    foreign = rng.random((rows, cols)) < _FOREIGN_SHARE
    chosen[foreign] = [foreign_face(rng) for _ in range(int(foreign.sum()))]
    chosen[chance > 1 - (0.3 if rng.random() < 0.1 else 0.04)] = MISSING
    return Board.from_faces(chosen.tolist())


def _random_turns(board: Board, rng: np.random.Generator) -> Floats:
    shape = (board.rows, board.cols)
    if rng.random() < 0.25:
        return rng.uniform(0, 360, shape)
    return 90.0 * rng.integers(4, size=shape) + rng.normal(0, 2, shape)


def _random_scene(
    board: Board, rng: np.random.Generator, typefaces: Typefaces, mix: Mix
) -> tuple[Scene, float]:
    """A scene as it is to be painted, and the pitch that its photo is to have."""
    pitch = float(np.exp(rng.uniform(*np.log(mix.pitches_px))))
    tray = random_tray(rng, 1.0)
    pose, size = _framed(board, tray.edge, max(pitch, _PAINTED_PITCH_PX), rng)
    light, lens = random_light(rng, 1.0), random_lens(rng, pitch, 1.0)
    cubes = tuple(
        replace(cube, capitals=bool(rng.random() < 0.7)) if face in _CAPITAL_PAIRS else cube
        for face, cube in zip(board, _random_cubes(board, rng, typefaces, mix.odd), strict=True)
    )
    upset = _UPSET_CUBES if rng.random() < mix.upset and pose.tilt < _UPSET_TILT else 0.0
    postures = random_postures(board, rng, cocked=upset, stacked=upset / 3)
    hand = random_hand(rng, (board.cols, board.rows)) if rng.random() < mix.hand else None
    table = random_table(rng, _BUSY)
    scene = Scene(size, pose, tray, cubes, table, light, lens, postures, hand=hand)
    return scene, pitch


def _random_cubes(
    board: Board, rng: np.random.Generator, typefaces: Typefaces, odd: Odd
) -> tuple[CubeStyle, ...]:
    """One set of cubes, or a medley: of prints alone, or of everything."""
    manner = rng.random()
    first = _random_cube(rng, typefaces, odd)
    if manner < 0.4:
        return tuple(_more_worn(first, rng) for _ in range(len(board)))
    cubes = tuple(_random_cube(rng, typefaces, odd) for _ in range(len(board)))
    if manner > 0.6:
        return cubes
    return tuple(replace(cube, body=first.body, ink=first.ink) for cube in cubes)


def _random_cube(rng: np.random.Generator, typefaces: Typefaces, odd: Odd) -> CubeStyle:
    cube = random_cube(rng, typefaces, 1.0)
    return cube if odd == NONE_ODD else made_odd(cube, odd, rng.spawn(1)[0])


def _more_worn(style: CubeStyle, rng: np.random.Generator) -> CubeStyle:
    if rng.random() > 0.15:
        return style
    return replace(style, fading=rng.uniform(0.2, 0.8), speckle=rng.uniform(0, 1))


def _framed(
    board: Board, edge: float, pitch: float, rng: np.random.Generator
) -> tuple[Pose, tuple[int, int]]:
    """A pose at any turn and tilt, and a photo that ends near the board or well outside of it."""
    pose = Pose(
        tilt=float(48 * rng.random() ** 1.4),
        azimuth=rng.uniform(0, 360),
        yaw=rng.uniform(0, 360),
        distance=rng.uniform(1.5, 5.0) * max(board.rows, board.cols),
        pitch_px=pitch,
        centre_px=(0.0, 0.0),
    )
    cols, rows = board.cols, board.rows
    corners = [[0, 0, -edge], [cols, 0, -edge], [cols, rows, -edge], [0, rows, -edge]]
    seen = Camera(pose, (cols / 2, rows / 2, -edge)).project(np.array(corners, np.float64))
    margins = pitch * rng.uniform(-0.05, 1.7, 4)
    low, high = seen.min(axis=0) - margins[:2], seen.max(axis=0) + margins[2:]
    width, height = np.ceil(high - low).astype(int).tolist()
    return replace(pose, centre_px=(-float(low[0]), -float(low[1]))), (width, height)


def _at_pitch(photo: Photo, scale: float) -> tuple[Photo, Floats]:
    """The photo shrunk, and the factors (2,) on x and y that this took."""
    height, width = photo.shape[:2]
    if scale >= 1:
        return photo, np.ones(2)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(photo, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return small, np.array(size) / [width, height]


def _located(corners: Floats, board: Board, rng: np.random.Generator, *, off_grid: bool) -> Floats:
    """Homography of corners that are off as a locator's are: shifted, scaled, turned, bent."""
    square = np.array([[0, 0], [board.cols, 0], [board.cols, board.rows], [0, board.rows]], float)
    chance = rng.random()
    reach = next(reach for share, reach in _REACHES if chance < share)
    middle = square.mean(axis=0)
    turn, scale = rng.normal(0, 0.2 * reach), 1 + rng.normal(0, 0.2 * reach)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
    moved = (square - middle) @ spin + middle + rng.normal(0, 0.7 * reach, 2)
    moved += rng.normal(0, 0.5 * reach, (4, 2))
    if off_grid:
        moved += np.array([(0.5, 0), (0, 0.5), (0.5, 0.5)])[rng.integers(3)]
    exact = board_to_photo(_points(corners), board.rows, board.cols)
    seen = cv2.perspectiveTransform(moved[:, None], exact)[:, 0]
    return board_to_photo(_points(np.asarray(seen, np.float64)), board.rows, board.cols)


def _points(corners: Floats) -> list[Point]:
    return [(x, y) for x, y in corners.tolist()]


def _faces(cells: NDArray[np.uint8], board: Board, scene: Scene, shot: Shot) -> Samples:
    """The samples of the board's own cells."""
    labels = [_label(cell, board, scene, shot) for cell in board.cells]
    symmetries = [
        symmetry(face, marked=face in cube.mark.faces)
        for face, cube in zip(board, scene.cubes, strict=True)
    ]
    return Samples(
        cells[1:-1, 1:-1].reshape(-1, *cells.shape[2:]),
        np.array(labels, np.int64),
        shot.turns.reshape(-1).astype(np.float32),
        np.array(symmetries, np.uint8) * (np.array(labels) != FOREIGN),
    )


def _label(cell: Cell, board: Board, scene: Scene, shot: Shot) -> int:
    """What a cell is to be read as: a face half hidden or tipped over as none that is known."""
    hidden = shot.covered[cell]
    if hidden > _GONE:
        return LABELS.index(MISSING)
    lean = scene.postures.get(cell, FLAT).lean
    return FOREIGN if hidden > _ILLEGIBLE or lean > _TIPPED else label_of(board[cell])


def _judged(board: Board, scene: Scene, shot: Shot, mix: Mix) -> NDArray[np.int64]:
    """Places of the cells of which a person could say what they show, or that none could."""
    hidden = (shot.covered > mix.still_legible) & (shot.covered < _ILLEGIBLE)
    leans = [scene.postures.get(cell, FLAT).lean for cell in board.cells]
    unsure = hidden.reshape(-1) | [_NEARLY_LEVEL < lean < _TIPPED for lean in leans]
    for number, cell in enumerate(board.cells):
        unsure[number] |= cell in shot.stacked or _stands_beside(cell, scene, shot, mix)
    return np.flatnonzero(~unsure)


def _stands_beside(cell: Cell, scene: Scene, shot: Shot, mix: Mix) -> bool:
    """Whether a cube beside it is cocked or stacked and may hide it."""
    if not any(max(abs(cell[0] - row), abs(cell[1] - col)) == 1 for row, col in scene.postures):
        return False
    return not mix.beside or cell in scene.postures or shot.overhung[cell] > mix.still_legible


def _ring(cells: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Some crops of the ring around the board."""
    inside = np.zeros(cells.shape[:2], bool)
    inside[1:-1, 1:-1] = True
    ring = cells[~inside]
    return ring[rng.permutation(len(ring))[:_RING_CROPS]]


def _plain_prints(scene: Scene, rng: np.random.Generator) -> Samples:
    """Samples of a print or two of the scene's cubes whose edges are lost in the light."""
    count = rng.poisson(_LONE)
    faces = rng.choice([label for label in LABELS if label not in (BLANK, MISSING)], count)
    cubes = [scene.cubes[number] for number in rng.integers(len(scene.cubes), size=count)]
    turns = rng.uniform(0, 360, count).astype(np.float32)
    crops = [plain_print(*each, rng) for each in zip(faces, cubes, turns, strict=True)]
    symmetries = [
        symmetry(face, marked=face in cube.mark.faces)
        for face, cube in zip(faces, cubes, strict=True)
    ]
    return Samples(
        np.array(crops, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3),
        np.array([LABELS.index(face) for face in faces], np.int64),
        turns,
        np.array(symmetries, np.uint8),
    )


def _nothing(crops: NDArray[np.uint8]) -> Samples:
    """Samples of crops that show no face."""
    count = len(crops)
    return Samples(
        crops,
        np.full(count, LABELS.index(MISSING), np.int64),
        np.zeros(count, np.float32),
        np.zeros(count, np.uint8),
    )
