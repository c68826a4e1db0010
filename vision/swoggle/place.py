"""Where on a grid a board lies: the colours of its squares tell, as far as they are no pattern."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import generic_filter

from vision.lattice import Floats, Homography
from vision.swoggle.grid import Grid
from vision.swoggle.printed import Ground, PrintedBoard

COLOURS: dict[Ground, tuple[float, float, float]] = {
    Ground.PLAIN: (1.0, 1.0, 1.0),
    Ground.BLACK: (0.1, 0.1, 0.1),
    Ground.ORANGE: (0.95, 0.62, 0.26),
    Ground.YELLOW: (0.97, 0.88, 0.33),
    Ground.RED: (0.87, 0.26, 0.28),
}
"""Colours of squares as shares of the light of the paper beside them, RGB."""

_NODE_PX = 12  # side of a square while its colour is looked at
_INNER = slice(2, _NODE_PX - 2)
_PAPER_REACH = 5  # squares a side whose middle light is that of the paper
_GROUND = 0.7  # share of a square that is darker than its ground, at most
_MOST = 0.4  # what a square of a wrong colour costs, at most
_OUTSIDE = 0.5  # what a square costs that lies beside the board
_PALEST = 0.35  # depth of the colours of a board, at least
_MORE = 12  # rows or columns by which a grid with a board in it may be larger
_LOOSE = 2  # squares beyond those found that a board may reach
_SAME = 0.012  # difference of costs that tells nothing
_LEAST_SPECIAL, _LEAST_PLAIN = 0.7, 0.8  # shares of squares of the right colour on a board
_LEAST_SEEN = 0.55  # share of the board that must be in the photo


@dataclass(frozen=True)
class Placement:
    """A way in which a board may lie in a photo.

    Attributes:
        homography: from board coordinates, as of `vision.rectify`, to photo pixels.
        cost: mean misfit of its colours.
    """

    homography: Homography
    cost: float


@dataclass(frozen=True)
class _Chart:
    """Colours of a lattice's squares.

    Attributes:
        lights: (rows, cols, 3), shares of the light of the paper; not a number out of the photo.
        found: (rows, cols), where a square was found.
        corner: row and column of the lattice that the first of them are.
    """

    lights: Floats
    found: NDArray[np.bool_]
    corner: tuple[int, int]


def placements(picture: NDArray[np.uint8], grid: Grid, board: PrintedBoard) -> list[Placement]:
    """The ways in which the board may lie on the grid that its colours cannot tell apart.

    Args:
        picture: (height, width, 3), RGB, in which the grid was found.
        grid: of squares.
        board: what is printed on it.

    Returns:
        One for each turn that fits, best first; none where no turn does, or where at one turn
        several places fit as well.
    """
    if _is_too_large(grid, board):
        return []
    chart = _chart(picture, grid, board)
    tried = [
        (cost, turn, corner)
        for turn in range(4)
        for corner, cost in _costs(chart, _expected(board, turn))
    ]
    best = min((cost for cost, *_ in tried), default=np.inf)
    fitting = sorted(one for one in tried if one[0] <= best + _SAME)
    turns = [turn for _, turn, _ in fitting]
    if len(set(turns)) < len(turns):
        return []
    return [
        Placement(_homography(grid, chart, board, turn, corner), cost)
        for cost, turn, corner in fitting
        if _agrees(chart, _expected(board, turn), corner)
    ]


def _is_too_large(grid: Grid, board: PrintedBoard) -> bool:
    low, high = _core(grid)
    return bool((high - low + 1 > max(board.rows, board.cols) + _MORE).any())


def _core(grid: Grid) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Least and largest row and column of the nodes, but for a few that lie apart."""
    low, high = np.quantile(np.array(list(grid.nodes)), (0.02, 0.98), axis=0).round()
    return low.astype(np.int64), high.astype(np.int64)


def _chart(picture: NDArray[np.uint8], grid: Grid, board: PrintedBoard) -> _Chart:
    nodes = np.array(sorted(grid.nodes))
    reach = max(board.rows, board.cols)
    core = _core(grid)
    span = core[1] - core[0] + 1
    more = np.maximum(0, reach - span) + _LOOSE
    low, high = core[0] - more, core[1] + more
    rows, cols = (high - low + 1).tolist()
    values, seen = _values(picture, grid.homography, (int(low[0]), int(low[1])), rows, cols)
    found = np.zeros((rows, cols), bool)
    inside = nodes[((nodes >= low) & (nodes <= high)).all(axis=1)] - low
    found[inside[:, 0], inside[:, 1]] = True
    paper = _paper(np.where((found & seen)[..., None], values, np.nan))
    lights = np.where(seen[..., None], values / np.maximum(paper, 1.0), np.nan)
    return _Chart(lights, found, (int(low[0]), int(low[1])))


def _values(
    picture: NDArray[np.uint8], homography: Homography, low: tuple[int, int], rows: int, cols: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Grounds (rows, cols, 3) of squares, and which of them are in the picture."""
    zoom = np.array([[1 / _NODE_PX, 0, low[1]], [0, 1 / _NODE_PX, low[0]], [0, 0, 1]])
    size = (cols * _NODE_PX, rows * _NODE_PX)
    soft = np.dstack([cv2.GaussianBlur(picture, (0, 0), 1.0), np.full(picture.shape[:2], 255)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(soft.astype(np.uint8), homography @ zoom, size, flags=flags)
    parts = flat.reshape(rows, _NODE_PX, cols, _NODE_PX, 4).transpose(0, 2, 1, 3, 4)
    inner = parts[:, :, _INNER, _INNER].reshape(rows, cols, -1, 4)
    seen = (inner[..., 3] == 255).all(axis=2) & _is_ahead(homography, low, rows, cols)
    return np.quantile(inner[..., :3].astype(np.float64), _GROUND, axis=2), seen


def _is_ahead(
    homography: Homography, low: tuple[int, int], rows: int, cols: int
) -> NDArray[np.bool_]:
    """Which squares (rows, cols) lie on this side of the horizon, as their middle does."""
    x, y = np.arange(cols) + low[1] + 0.5, np.arange(rows) + low[0] + 0.5
    depths = homography[2, 0] * x[None, :] + homography[2, 1] * y[:, None] + homography[2, 2]
    return np.asarray(depths * depths[rows // 2, cols // 2] > 0)


def _paper(values: Floats) -> Floats:
    """Light of the paper (rows, cols, 3) around each square: most squares are plain."""
    around = np.stack(
        [
            generic_filter(
                values[..., channel], _median, _PAPER_REACH, mode="constant", cval=np.nan
            )
            for channel in range(3)
        ],
        axis=2,
    )
    usual = np.array([_median(values[..., channel].ravel()) for channel in range(3)])
    return np.where(np.isnan(around), usual, around)


def _median(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else np.nan


def _expected(board: PrintedBoard, turn: int) -> Floats:
    """Colours (rows, cols, 3) of the board after so many quarter turns."""
    colours = [[COLOURS[square.ground] for square in row] for row in board.squares]
    return np.rot90(np.array(colours), -turn)


def _costs(chart: _Chart, expected: Floats) -> Iterator[tuple[tuple[int, int], float]]:
    """Mean misfit of the board with its first square at each row and column of the chart."""
    rows, cols = expected.shape[:2]
    tall, wide = chart.lights.shape[:2]
    for row in range(tall - rows + 1):
        for col in range(wide - cols + 1):
            lights = chart.lights[row : row + rows, col : col + cols]
            seen = ~np.isnan(lights[..., 0])
            if seen.mean() < _LEAST_SEEN:
                continue
            shown = _veiled(expected, _depth(lights, expected))
            away = np.minimum(((lights - shown) ** 2).sum(axis=2), _MOST)
            within = chart.found[row : row + rows, col : col + cols].sum()
            beside = (chart.found.sum() - within) / expected[..., 0].size
            yield (row, col), float(away[seen].mean() + _OUTSIDE * beside)


def _agrees(chart: _Chart, expected: Floats, corner: tuple[int, int]) -> bool:
    """Whether most squares have the right colour, those in colours and the plain ones apart."""
    row, col = corner
    lights = chart.lights[row : row + expected.shape[0], col : col + expected.shape[1]]
    seen = ~np.isnan(lights[..., 0])
    depth = _depth(lights, expected)
    right = _kinds(lights, depth) == _kinds(expected, 1.0)
    plain = _kinds(expected, 1.0) == 0
    shares = [
        (right[seen & chosen].mean() if (seen & chosen).any() else 1.0)
        for chosen in (plain, ~plain)
    ]
    return bool(shares[0] >= _LEAST_PLAIN and shares[1] >= _LEAST_SPECIAL)


def _depth(lights: Floats, expected: Floats) -> float:
    """How deep the colours of a board are in this light: haze and reflections wash them out."""
    wanted = 1 - expected
    seen = ~np.isnan(lights)
    fit = float((wanted * (1 - lights))[seen].sum()) / max(float((wanted**2)[seen].sum()), 1e-9)
    return float(np.clip(fit, _PALEST, 1.1))


def _veiled(colours: Floats, depth: float) -> Floats:
    return 1 - depth * (1 - colours)


def _kinds(lights: Floats, depth: float) -> NDArray[np.int64]:
    """0 plain, 1 black, 2 in a colour."""
    known = _veiled(np.array(list(COLOURS.values())), depth)
    away = np.stack([((lights - colour) ** 2).sum(axis=2) for colour in known])
    return np.asarray(np.minimum(np.nan_to_num(away, nan=9.0).argmin(axis=0), 2), np.int64)


def _homography(
    grid: Grid, chart: _Chart, board: PrintedBoard, turn: int, corner: tuple[int, int]
) -> Homography:
    """From the board's own coordinates to pixels."""
    sides = (board.cols, board.rows) if turn % 2 == 0 else (board.rows, board.cols)
    move = np.eye(3)
    move[:2, 2] = chart.corner[1] + corner[1], chart.corner[0] + corner[0]
    width, height = sides
    homography = grid.homography @ move @ _turned(turn, width, height)
    return np.asarray(homography / homography[2, 2], np.float64)


def _turned(turn: int, width: int, height: int) -> Homography:
    """From the board to its place of that width and height after quarter turns clockwise."""
    return {
        0: np.eye(3),
        1: np.array([[0.0, -1.0, width], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        2: np.array([[-1.0, 0.0, width], [0.0, -1.0, height], [0.0, 0.0, 1.0]]),
        3: np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, height], [0.0, 0.0, 1.0]]),
    }[turn]
