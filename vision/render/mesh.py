"""Solids of a tray as polygon meshes: rounded cubes, the frame, the walls between the cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Floats

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Mesh:
    """A solid of quadrilaterals, with one convex polygon as its lid.

    Attributes:
        vertices: (v, 3).
        quads: (q, 4), indices of vertices, clockwise as seen from outside.
        normals: (q, 3), unit vectors that point outside.
        depths: (q,), 0 at the lid to 1 at the foot: lower parts get less light.
        lid: indices of the vertices around the lid; empty where there is none.
    """

    vertices: Floats
    quads: Indices
    normals: Floats
    depths: Floats
    lid: Indices


@lru_cache(maxsize=64)
def rounded_cube(corner: float, bevel: float, steps: int) -> Mesh:
    """A cube of edge 1 around the origin, its lid at z = -½, rounded above but not at its foot.

    Args:
        corner: radius of the corners as seen from above, `bevel` to ½.
        bevel: radius of the edges of the lid.
        steps: pieces that a rounding is made of.
    """
    rise = np.linspace(np.pi / 2, 0, steps + 1)
    outlines = [
        _outline(0.5 - corner, 0.5 - corner, corner - bevel + bevel * np.cos(angle), steps)
        for angle in rise
    ]
    heights = list(0.5 - bevel + bevel * np.sin(rise))
    feet = np.linspace(0.5 - bevel, -0.5, steps + 1)[1:]
    outlines += [outlines[-1]] * len(feet)
    mesh = _swept(outlines, [*heights, *feet])
    return Mesh(mesh.vertices, mesh.quads, mesh.normals, mesh.depths, np.arange(len(outlines[0])))


@lru_cache(maxsize=64)
def frame(
    cells: tuple[int, int], *, gap: float, width: float, height: float, corner: float
) -> Mesh:
    """The rim around the cells: up its outer side, over the top, down its inner side.

    Args:
        cells: columns and rows.
        gap: cells between the outermost cells and the rim.
        width: of the rim, in cells.
        height: of the rim above the floor, in cells.
        corner: radius of the inner corners, in cells.
    """
    profile = [(1.0, -0.12), (0.97, 0.8), (0.8, 1.0), (0.3, 1.0), (0.1, 0.85), (0.0, 0.0)]
    middle = np.array(cells) / 2
    half_x, half_y = middle + gap - corner
    outlines = [_outline(half_x, half_y, corner + width * out, 4) + middle for out, _ in profile]
    mesh = _swept(outlines, [height * level for _, level in profile])
    return Mesh(mesh.vertices, mesh.quads, -mesh.normals, mesh.depths * 0, mesh.lid)


@lru_cache(maxsize=1)
def unit_box() -> Mesh:
    """A box of edge 1 on the floor, its lid at z = -1, its middle above the origin."""
    outline = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    mesh = _swept([outline, outline], [1.0, 0.0])
    return Mesh(mesh.vertices, mesh.quads, mesh.normals, mesh.depths, np.arange(4))


def _outline(half_x: float, half_y: float, radius: float, steps: int) -> Floats:
    """A rounded rectangle (4 · (steps + 1), 2), clockwise as seen in the photo."""
    angles = np.add.outer(np.arange(4) * np.pi / 2, np.linspace(0, np.pi / 2, steps + 1))
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * [half_x, half_y]
    arcs = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius
    return np.asarray((corners[:, None] + arcs).reshape(-1, 2))


def _swept(outlines: Sequence[Floats], heights: Sequence[float]) -> Mesh:
    """Bands of quadrilaterals between outlines of one length at their heights."""
    rings, points = len(outlines), len(outlines[0])
    levels = np.repeat(-np.asarray(heights, np.float64), points)
    vertices = np.column_stack([np.concatenate(outlines), levels])
    here = np.arange(points)
    following = np.roll(here, -1)
    band = np.column_stack([here, following, following + points, here + points])
    quads = np.concatenate([band + ring * points for ring in range(rings - 1)])
    drop = np.asarray(heights[0], np.float64) - np.asarray(heights, np.float64)
    depths = np.repeat((drop[:-1] + drop[1:]) / 2 / max(float(drop[-1]), 1e-9), points)
    return Mesh(vertices, quads, _normals(vertices[quads]), depths, np.empty(0, np.int64))


def _normals(corners: Floats) -> Floats:
    """Unit normals (q, 3) of quadrilaterals (q, 4, 3), by their diagonals."""
    cross = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    return np.asarray(cross / np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-12))
