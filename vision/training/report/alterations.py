"""What may befall a photo: alterations that keep, or know, what the tray shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import MISSING, Board
from vision.rectify import board_to_photo

Photo = NDArray[np.uint8]
"""(height, width, 3), RGB."""

Floats = NDArray[np.float64]

TABLE_COLOUR = (120, 95, 70)
_HOLE_COLOUR = (35, 30, 28)
_CUBE = 0.92
"""Side of a cube that is taken out, cells."""


@dataclass(frozen=True)
class Shown:
    """A photo and its truth.

    Attributes:
        photo: (height, width, 3), RGB.
        board: what its tray shows.
        corners: (4, 2), of the cube area: upper left, upper right, lower right, lower left; pixels.
    """

    photo: Photo
    board: Board
    corners: Floats


Alteration = Callable[[Shown], Shown]


def unaltered(shown: Shown) -> Shown:
    """As taken."""
    return shown


def lit(left: float, right: float) -> Alteration:
    """Darker by these factors, evenly or from one side to the other."""

    def alter(shown: Shown) -> Shown:
        slope = np.linspace(left, right, shown.photo.shape[1])[None, :, None]
        return _with(shown, (shown.photo * slope).astype(np.uint8))

    return alter


def shadowed(light: float) -> Alteration:
    """A shadow with a sharp slanting edge through the middle of the tray; its light as a factor."""

    def alter(shown: Shown) -> Shown:
        height, width = shown.photo.shape[:2]
        x, y = shown.corners.mean(axis=0)
        across, down = np.meshgrid(np.arange(width) - x, np.arange(height) - y)
        edge = np.where(across + 0.4 * down > 0, light, 1.0).astype(np.float32)
        shade = cv2.GaussianBlur(edge, (0, 0), max(width, height) / 400)
        return _with(shown, (shown.photo * shade[..., None]).astype(np.uint8))

    return alter


def turned(degrees: float) -> Alteration:
    """Turned counter-clockwise in a frame that grows with it."""

    def alter(shown: Shown) -> Shown:
        height, width = shown.photo.shape[:2]
        turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1), [0, 0, 1]])
        ends = _moved(np.array([[0, 0], [width, 0], [width, height], [0, height]], float), turn)
        low = ends.min(axis=0)
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
        new_width, new_height = np.ceil(np.ptp(ends, axis=0) - 1e-6).astype(int).tolist()
        return _warped(shown, shift @ turn, (new_width, new_height))

    return alter


def shrunk(factor: float) -> Alteration:
    """Smaller in a frame of the same size, off its middle."""

    def alter(shown: Shown) -> Shown:
        height, width = shown.photo.shape[:2]
        small = cv2.resize(shown.photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        canvas = np.full_like(shown.photo, TABLE_COLOUR)
        top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 3
        canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
        return Shown(canvas, shown.board, shown.corners * factor + np.array([left, top]))

    return alter


def leaning(share: float, *, aside: bool = False) -> Alteration:
    """Seen aslant: the upper edge of the photo shorter, or the right one, by twice the share."""

    def alter(shown: Shown) -> Shown:
        height, width = shown.photo.shape[:2]
        x, y = share * width, share * height
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        back = [[x, y], [width - x, y], [width, height], [0, height]]
        away = [[0, 0], [width - x, y], [width - x, height - y], [0, height]]
        seen = np.array(away if aside else back, np.float32)
        lean = cv2.getPerspectiveTransform(flat, seen)
        return _warped(shown, lean.astype(np.float64), (width, height))

    return alter


def blurred(share: float) -> Alteration:
    """Out of focus: the deviation of the blur as a share of the board's side."""

    def alter(shown: Shown) -> Shown:
        corners = shown.corners
        side = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
        return _with(shown, cv2.GaussianBlur(shown.photo, (0, 0), float(share * side)))

    return alter


def robbed(cubes: int, seed: int = 1) -> Alteration:
    """So many cubes painted over with the dark floor of a tray."""

    def alter(shown: Shown) -> Shown:
        board, photo = shown.board, shown.photo.copy()
        to_photo = board_to_photo([(x, y) for x, y in shown.corners], board.rows, board.cols)
        faces = [list(row) for row in board.faces]
        rng = np.random.default_rng(seed)
        for place in rng.permutation(len(board))[:cubes]:
            row, col = board.cells[int(place)]
            faces[row][col] = MISSING
            ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _CUBE / 2
            hole = _moved(ends + np.array([col + 0.5, row + 0.5]), to_photo)
            cv2.fillConvexPoly(photo, hole.round().astype(np.int32), _HOLE_COLOUR, cv2.LINE_AA)
        return Shown(photo, Board.from_faces(faces), shown.corners)

    return alter


ALTERATIONS: dict[str, Alteration] = {
    "dark: a quarter of the light": lit(0.25, 0.25),
    "light from one side": lit(0.15, 1.0),
    "a sharp shadow": shadowed(0.35),
    "turned by 20°": turned(20),
    "turned by 45°": turned(45),
    "tray × 0.4": shrunk(0.4),
    "tray × 0.2": shrunk(0.2),
    "strong perspective": leaning(0.22),
    "the same, aside": leaning(0.22, aside=True),
    "blurred by 1 % of the board": blurred(0.01),
    "two cubes missing": robbed(2),
}
"""The alterations by what people call them."""


def _with(shown: Shown, photo: NDArray[np.generic]) -> Shown:
    return Shown(photo.astype(np.uint8, copy=False), shown.board, shown.corners)


def _moved(points: Floats, homography: Floats) -> Floats:
    moved = cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)
    return np.asarray(moved[0], np.float64)


def _warped(shown: Shown, homography: Floats, size: tuple[int, int]) -> Shown:
    """Moved, with a table around it."""
    photo = cv2.warpPerspective(
        shown.photo, homography, size, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE_COLOUR
    )
    return Shown(photo.astype(np.uint8), shown.board, _moved(shown.corners, homography))
