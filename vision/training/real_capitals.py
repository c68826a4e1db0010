"""Real handwriting to measure the reader of capitals on: photographed letters set on boards.

Nothing is trained on it. Each letter keeps its ink and its blur, but its own paper is taken away,
so that no edge of the cut-out shows; print, light and camera around it are rendered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.written_board import Sheet
from vision.swoggle.printed import Cell

_PAPER = 0.8  # share of a picture of a letter that is darker than its paper, at most
_SIZES = (0.5, 0.75)  # heights of letters on the board, in squares
_WIDEST = 0.85
_GRAIN = 0.2  # of the deepest ink: what is no deeper is paper
_INK = 0.4  # the same: what is as deep is of the letter, and so is what hangs together with it

Ink = NDArray[np.float32]
"""Light (height, width) that the paper keeps, 0–1."""


@dataclass(frozen=True)
class RealLetter:
    """A photographed capital.

    Attributes:
        text: which it is.
        ink: what it takes of the paper's light, cropped to the letter.
    """

    text: str
    ink: Ink


def real_letters(folder: Path) -> list[RealLetter]:
    """The letters of a folder with a ``letters.json``: ``[{"file", "text"}, …]``."""
    entries = json.loads((folder / "letters.json").read_text(encoding="utf-8"))
    return [RealLetter(entry["text"], _ink(folder / entry["file"])) for entry in entries]


def with_letters(
    sheet: Sheet, letters: Mapping[Cell, RealLetter], rng: np.random.Generator
) -> Sheet:
    """A sheet with photographed letters on it; all of one size, as somebody writes them."""
    pixels = sheet.pixels.astype(np.float32)
    size = rng.uniform(*_SIZES)
    for cell, letter in letters.items():
        height, width = letter.ink.shape
        zoom = min(size / height, _WIDEST / width) * sheet.pitch * rng.uniform(0.93, 1.07)
        ink = cv2.resize(letter.ink, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        x, y = np.array(sheet.middle(cell)) + rng.normal(0, 0.04, 2) * sheet.pitch
        top, left = round(y - ink.shape[0] / 2), round(x - ink.shape[1] / 2)
        pixels[top : top + ink.shape[0], left : left + ink.shape[1]] *= ink[..., None]
    return replace(sheet, pixels=np.clip(pixels, 0, 255).astype(np.uint8))


def _ink(file: Path) -> Ink:
    grey = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
    if grey is None:
        raise FileNotFoundError(file)
    paper = float(np.quantile(grey, _PAPER))
    kept = np.clip(grey.astype(np.float32) / paper, 0, 1)
    depth = (1 - kept) / max(1 - float(kept.min()), 0.01)
    kept = 1 - (1 - kept) * np.clip((depth - _GRAIN) / _GRAIN, 0, 1)
    deep = _with_pale_parts(depth)
    rows, cols = np.flatnonzero(deep.any(axis=1)), np.flatnonzero(deep.any(axis=0))
    margin = 2
    cropped = kept[
        max(0, rows[0] - margin) : rows[-1] + 1 + margin,
        max(0, cols[0] - margin) : cols[-1] + 1 + margin,
    ]
    return np.asarray(cropped, np.float32)


def _with_pale_parts(depth: Ink) -> NDArray[np.bool_]:
    """Where a letter is: strokes that are deep, and the paler ones that hang together with them."""
    _, marks = cv2.connectedComponents((depth > _GRAIN).astype(np.uint8), connectivity=8)
    deep = np.unique(marks[depth > _INK])
    return np.isin(marks, deep[deep > 0])
