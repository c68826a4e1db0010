"""The measurements of the report, each a list of trials; several processes share the work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.board import MISSING, Board
from vision.annotate import annotate
from vision.dice.read import read_dice
from vision.errors import NoTrayError
from vision.faces import FaceClassifier
from vision.photo import load_photo, load_reduced
from vision.reading import TrayReading
from vision.render.negatives import render_negative
from vision.render.scene import Shot
from vision.render.scenes import random_scene, random_scene_and_prints
from vision.training.report.alterations import ALTERATIONS, Shown, unaltered
from vision.training.report.trials import Outcome, Trial, throw, trial
from vision.training.single_faces import (
    GroupFigures,
    face_verdicts,
    figures_by_group,
    single_faces,
)
from vision.tray import read_tray

Photo = NDArray[np.uint8]

MEGAPIXELS = 12
"""Of the photos as they are read: what phones and the camera of a Pi take."""

_JPEG_QUALITY = 92
LEAST_SEEN = 0.75
"""Share of a print's ink below which nobody can tell what it is: without a quarter of it E is F, O
is C and W is V. Set by looking at faces in the order of that share."""

_HIDDEN = 0.5  # share of an empty cell under a hand above which nobody can tell that it is empty
_FIRST_SEED = 8_000_000
"""Of rendered scenes: none of these seeds was used to train or to set a threshold."""

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class TrayPhoto:
    """A photo on the disk and its truth; see `Shown`."""

    path: Path
    board: Board
    corners: NDArray[np.float64]

    def shown(self) -> Shown:
        """The photo at its full size."""
        return Shown(load_photo(self.path), self.board, self.corners)


@dataclass(frozen=True)
class DicePhoto:
    """A photo of dice on the disk, and the pips that they show, sorted."""

    path: Path
    pips: tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """A rendered scene: its seed and how hard it is, 0 to 1."""

    seed: int
    difficulty: float


@dataclass(frozen=True)
class Negative:
    """A rendered picture without a tray: its seed and what it shows."""

    seed: int
    kind: str


def tray_photos(folder: Path) -> list[TrayPhoto]:
    """The photos that ``trays.json`` in the folder describes; none where it is missing."""
    manifest = folder / "trays.json"
    if not manifest.exists():
        return []
    return [
        TrayPhoto(
            folder / entry["file"],
            Board.from_faces(entry["grid"]),
            np.array(entry["corners_px"], np.float64),
        )
        for entry in json.loads(manifest.read_text("utf-8"))
    ]


def dice_photos(folder: Path) -> list[DicePhoto]:
    """The photos that ``dice.json`` in the folder describes; none where it is missing."""
    manifest = folder / "dice.json"
    if not manifest.exists():
        return []
    entries = json.loads(manifest.read_text("utf-8"))
    return [DicePhoto(folder / entry["file"], tuple(entry["pips"])) for entry in entries]


def scenes(count: int, difficulty: tuple[float, float]) -> list[Scene]:
    """So many scenes whose difficulty runs evenly from one figure to the other."""
    low, high = difficulty
    first = _FIRST_SEED + round(low * 1_000_000)
    return [
        Scene(first + number, low + (high - low) * number / max(1, count - 1))
        for number in range(count)
    ]


def try_photo(name: str | None, photo: TrayPhoto) -> Trial:
    """Read a photo of `MEGAPIXELS`, altered in a way of `ALTERATIONS` or, without a name, not."""
    _classifier()  # its loading is not timed
    shown = (ALTERATIONS[name] if name else unaltered)(photo.shown())
    with TemporaryDirectory() as folder:
        file = stored(shown.photo, Path(folder) / "photo.jpg")
        return trial(shown.board, lambda: _read(load_reduced(file).pixels))


def try_dice(photo: DicePhoto) -> Trial:
    """Read a photo of dice."""
    return throw(photo.pips, lambda: read_dice(load_reduced(photo.path).pixels))


def figures_of_faces(folder: Path) -> list[GroupFigures]:
    """Single faces that others cut out, at all turns; none where the folder is missing."""
    if not (folder / "faces.tsv").exists():
        return []
    return figures_by_group(face_verdicts(_classifier(), single_faces(folder)))


def try_scene(scene: Scene) -> Trial:
    """Read a rendered scene."""
    board, shot, seen = random_scene_and_prints(scene.seed, scene.difficulty)
    return trial(board, lambda: _read(shot.photo), untold(board, shot, seen))


def untold(board: Board, shot: Shot, seen: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which faces (rows, cols) of a scene nobody can tell.

    Print that is hidden by a hand or by other cubes, burnt out by glare, lost in haze or the dark;
    and cubes that are cocked or stacked: they show two faces or hide others, and by the rules none
    counts until they are laid flat.

    Args:
        board: what the cubes show.
        shot: the photo.
        seen: (rows, cols), the share of each print that is seen.
    """
    hidden = seen < LEAST_SEEN
    for cell in board.cells:
        if board[cell] == MISSING:
            hidden[cell] = shot.covered[cell] > _HIDDEN
        hidden[cell] |= cell in shot.cocked or cell in shot.stacked
    return hidden


def annotated(scene: Scene, width: int) -> Photo:
    """A rendered scene with what is read in it, so many pixels wide: (height, width, 3), RGB."""
    photo = random_scene(scene.seed, scene.difficulty)[1].photo
    with suppress(NoTrayError):
        photo = annotate(photo, _read(photo))
    size = width, round(photo.shape[0] * width / photo.shape[1])
    return np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)


def is_taken_for_tray(negative: Negative) -> bool:
    """Whether a tray is seen where there is none."""
    rng = np.random.default_rng((_FIRST_SEED, negative.seed))
    try:
        _read(render_negative(negative.kind, rng, (1600, 1200)))
    except NoTrayError:
        return False
    return True


def stored(photo: Photo, file: Path) -> Path:
    """Write a photo as a JPEG of `MEGAPIXELS`; gives the file."""
    scale = (MEGAPIXELS * 1e6 / (photo.shape[0] * photo.shape[1])) ** 0.5
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=method)
    Image.fromarray(sized.astype(np.uint8)).save(file, quality=_JPEG_QUALITY)
    return file


def in_processes(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int
) -> Iterator[Result]:
    """The results in the order of the tasks, worked out by several processes."""
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=partial(cv2.setNumThreads, 1)) as pool:
        yield from pool.map(work, tasks, chunksize=4)


def worst(trials: Sequence[Trial]) -> list[int]:
    """Places of the trials that went wrong, the worst kinds first."""
    order = (Outcome.SILENT, Outcome.ASKED, Outcome.REFUSED)
    bad = [place for place, each in enumerate(trials) if each.outcome in order]
    return sorted(bad, key=lambda place: order.index(trials[place].outcome))


@cache
def _classifier() -> FaceClassifier:
    return FaceClassifier()


def _read(photo: Photo) -> TrayReading:
    return read_tray(photo, _classifier())
