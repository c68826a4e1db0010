"""Things that lie about on a table: paper, pens, coins, cups, a telephone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Camera, Floats
from vision.render.canvas import fill_polygon
from vision.render.lens import Photo
from vision.render.styles import Colour

ThingKind = Literal["paper", "pen", "disc", "slab"]

_KINDS: tuple[ThingKind, ...] = ("paper", "pen", "pen", "disc", "slab")
_SIZES: dict[ThingKind, tuple[tuple[float, float], tuple[float, float]]] = {
    "paper": ((4.0, 9.0), (5.0, 13.0)),
    "pen": ((0.35, 0.6), (7.0, 10.0)),
    "disc": ((1.2, 5.0), (1.0, 1.0)),
    "slab": ((3.5, 5.5), (6.0, 10.0)),
}
_COLOURS: dict[ThingKind, tuple[Colour, ...]] = {
    "paper": ((246, 246, 242), (250, 240, 200), (228, 232, 240)),
    "pen": ((30, 60, 150), (20, 20, 24), (200, 40, 40), (240, 190, 60), (180, 180, 184)),
    "disc": ((240, 240, 238), (176, 122, 64), (192, 194, 198), (60, 80, 70), (160, 60, 50)),
    "slab": ((18, 18, 22), (70, 74, 82), (150, 40, 46), (34, 60, 110)),
}
_ROUND = np.linspace(0, 2 * np.pi, 40, endpoint=False)
_LINE_GAP = 0.55  # cells between the lines of a written sheet


@dataclass(frozen=True)
class Thing:
    """A flat thing on the table; lengths in cells.

    Attributes:
        kind: what it is.
        colour: of it.
        place: (x, y) of its middle.
        size: (width, length); the width alone is the diameter of a disc.
        turn: degrees.
    """

    kind: ThingKind
    colour: Colour
    place: tuple[float, float]
    size: tuple[float, float]
    turn: float


def random_clutter(
    rng: np.random.Generator, cells: tuple[int, int], most: int
) -> tuple[Thing, ...]:
    """Up to so many things around a board of (columns, rows)."""
    return tuple(_random_thing(rng, cells) for _ in range(rng.integers(most + 1)))


def paint_clutter(photo: Photo, camera: Camera, things: tuple[Thing, ...], depth: float) -> None:
    """Paint things that lie on a table at a depth below the tray's floor."""
    for thing in things:
        outline = _outline(thing)
        shadow = _seen(camera, outline + 0.12, depth)
        body = _seen(camera, outline, depth - 0.1)
        if (np.abs(body) < max(photo.shape) * 8).all():
            _darken(photo, shadow)
            fill_polygon(photo, body, np.array(thing.colour))
            _paint_inside(photo, camera, thing, depth)


def _random_thing(rng: np.random.Generator, cells: tuple[int, int]) -> Thing:
    """A thing beside the tray: its middle is further off than it is long."""
    kind = _KINDS[rng.integers(len(_KINDS))]
    size = tuple(float(rng.uniform(*span)) for span in _SIZES[kind])
    angle = rng.uniform(0, 2 * np.pi)
    away = 0.72 * max(cells) + 0.8 + 0.55 * max(size) + rng.uniform(0, 6)
    x, y = np.array(cells) / 2 + away * np.array([np.cos(angle), np.sin(angle)])
    palette = _COLOURS[kind]
    colour = palette[rng.integers(len(palette))]
    return Thing(kind, colour, (float(x), float(y)), (size[0], size[1]), rng.uniform(0, 180))


def _outline(thing: Thing, share: float = 1.0) -> Floats:
    """Corners (n, 2) on the table."""
    if thing.kind == "disc":
        circle = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])
        return circle * thing.size[0] / 2 * share + thing.place
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(thing.size) / 2 * share
    return np.asarray(corners @ _spin(thing.turn) + thing.place, np.float64)


def _spin(degrees: float) -> Floats:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, sin], [-sin, cos]])


def _paint_inside(photo: Photo, camera: Camera, thing: Thing, depth: float) -> None:
    """The inside of a cup, the screen of a telephone, the lines on a sheet."""
    colour = np.array(thing.colour)
    if thing.kind in ("disc", "slab"):
        inner = _seen(camera, _outline(thing, 0.86), depth - 0.1)
        fill_polygon(photo, inner, np.clip(colour * 0.7 + 14, 0, 255))
    if thing.kind == "paper":
        width, length = thing.size
        rows = np.arange(-length / 2 + 1, length / 2 - 0.5, _LINE_GAP)
        for row in rows:
            line = np.array([[-0.4 * width, row], [0.36 * width, row]])
            ends = _seen(camera, line @ _spin(thing.turn) + thing.place, depth - 0.1)
            start, end = ends.astype(int).tolist()
            cv2.line(photo, start, end, (110, 116, 140), 1, cv2.LINE_AA)


def _seen(camera: Camera, places: Floats, depth: float) -> Floats:
    return camera.project(np.column_stack([places, np.full(len(places), depth)]))


def _darken(photo: Photo, polygon: Floats) -> None:
    """Halve the light inside a polygon."""
    low = np.clip(np.floor(polygon.min(axis=0)).astype(int) - 2, 0, photo.shape[1::-1])
    high = np.clip(np.ceil(polygon.max(axis=0)).astype(int) + 2, 0, photo.shape[1::-1])
    width, height = (high - low).tolist()
    if width < 1 or height < 1:
        return
    cover: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    fill_polygon(cover, polygon - low, np.array([255.0]))
    patch = photo[low[1] : high[1], low[0] : high[0]]
    patch[:] = (patch * (1 - cover[..., None].astype(np.float32) / 510)).astype(np.uint8)
