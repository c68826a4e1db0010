"""Photos with the places of all cells in them: what the cell finder learns from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cell_finder import LONG_SIDE
from vision.lattice import Homography, apply, step_lengths
from vision.rectify import board_to_photo
from vision.render.camera import Floats
from vision.render.negatives import NEGATIVES, render_negative
from vision.render.scenes import random_scene
from vision.render.typefaces import Typefaces
from vision.scaling import shrunk

BLOCK = 200
"""Photos that are drawn and kept together."""

_SIDES = (3, 4, 4, 5, 6, 6)
_SHAPES = ((4, 3), (4, 3), (3, 4), (16, 9), (9, 16), (1, 1))  # width to height
_SIZES_PX = (640, 1100)  # of the longer side, before it is shrunk to what the net is shown
_NEGATIVES = 0.12  # share of photos that show no tray
_EASIEST = 0.15  # difficulty


@dataclass(frozen=True)
class CellPhoto:
    """A photo and its cells.

    Attributes:
        photo: (height, width, 3), uint8, RGB, at most `LONG_SIDE` pixels long.
        cells: (n, 3), float32: x, y of the middle of each cell at the height of the lids, and the
            length of a step to the next, all in pixels. Missing and hidden cubes have theirs too.
    """

    photo: NDArray[np.uint8]
    cells: NDArray[np.float32]


def draw_photo(seed: tuple[int, ...], typefaces: Typefaces) -> CellPhoto:
    """A photo of a random tray, or of something that is none; the same seed gives the same one."""
    rng = np.random.default_rng(seed)
    size = _random_size(rng)
    if rng.random() < _NEGATIVES:
        kind = str(rng.choice(list(NEGATIVES)))
        return shrunk_to_net(render_negative(kind, rng, size), np.zeros((0, 3)))
    difficulty = rng.uniform(_EASIEST, 1.0)
    scene_seed = (*seed, int(rng.integers(2**32)))
    board, shot = random_scene(scene_seed, difficulty, sides=_SIDES, size=size, typefaces=typefaces)
    corners = [(x, y) for x, y in shot.corners_px.tolist()]
    homography = board_to_photo(corners, board.rows, board.cols)
    return shrunk_to_net(shot.photo, cells_of(homography, board.rows, board.cols))


def cells_of(homography: Homography, rows: int, cols: int) -> Floats:
    """Middle and size of each cell of a board, (cells, 3), pixels of the photo."""
    x, y = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    places = np.column_stack([x.ravel(), y.ravel()])
    return np.column_stack([apply(homography, places), step_lengths(homography, places)])


def shrunk_to_net(photo: NDArray[np.uint8], cells: Floats) -> CellPhoto:
    """A photo and its cells at the size that the net is shown."""
    scale = min(1.0, LONG_SIDE / max(photo.shape[:2]))
    return CellPhoto(shrunk(photo, scale), np.asarray(cells * scale, np.float32))


def _random_size(rng: np.random.Generator) -> tuple[int, int]:
    shape = np.array(_SHAPES[rng.integers(len(_SHAPES))])
    width, height = np.round(shape * rng.uniform(*_SIZES_PX) / shape.max()).astype(int).tolist()
    return width, height


def store_photos(folder: Path, block: int, seed: int, typefaces: Typefaces) -> None:
    """Draw a block of photos into a folder, unless it lies there already."""
    path = folder / f"{block:04d}.npz"
    if path.exists():
        return
    first = seed + block * BLOCK
    photos = [draw_photo((number,), typefaces) for number in range(first, first + BLOCK)]
    np.save(_pixels_of(path), np.concatenate([each.photo.ravel() for each in photos]))
    np.savez(
        path,
        sizes=np.array([each.photo.shape[:2] for each in photos]),
        counts=np.array([len(each.cells) for each in photos]),
        cells=np.concatenate([each.cells for each in photos]),
    )


class StoredPhotos:
    """The photos of a folder, as `store_photos` has drawn them; they stay on the disk.

    Args:
        folder: of the blocks.
    """

    def __init__(self, folder: Path) -> None:
        self._blocks = [_Block(path) for path in sorted(folder.glob("*.npz"))]

    def __len__(self) -> int:
        return BLOCK * len(self._blocks)

    def __getitem__(self, number: int) -> CellPhoto:
        block, place = divmod(number, BLOCK)
        return self._blocks[block].photo(place)


class _Block:
    """A block of stored photos."""

    def __init__(self, path: Path) -> None:
        self._pixels = np.load(_pixels_of(path), mmap_mode="r")
        with np.load(path) as stored:
            self._sizes, counts, cells = (stored[name] for name in ("sizes", "counts", "cells"))
        self._cells = np.split(cells, np.cumsum(counts)[:-1])
        self._starts = np.cumsum([0, *(3 * self._sizes.prod(axis=1))])

    def photo(self, place: int) -> CellPhoto:
        pixels = np.array(self._pixels[self._starts[place] : self._starts[place + 1]])
        return CellPhoto(pixels.reshape(*self._sizes[place], 3), self._cells[place])


def _pixels_of(path: Path) -> Path:
    return path.with_suffix(".photos.npy")
