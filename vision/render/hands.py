"""A hand that reaches into the picture: fingers over the cubes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Camera, Floats
from vision.render.lens import Photo
from vision.render.styles import Colour

_SKINS: tuple[Colour, ...] = (
    (236, 196, 172), (224, 172, 140), (198, 142, 108), (154, 104, 74), (104, 68, 48),
    (240, 208, 190),
)  # fmt: skip
_HEIGHT = 1.5  # cells above the floor
_SHADOW = 0.45  # share of the light that it takes at most
_FINGER_WIDTH = (0.7, 1.1)  # cells of 16 mm
_FINGER_LENGTH = 4.4  # widths
_WIDEST_LINE = 2_000  # pixels: OpenCV draws none wider than 32,767
_PROBES = np.linspace(-0.3, 0.3, 7)  # places of a print, in cells


@dataclass(frozen=True)
class Finger:
    """One finger; places (x, y) and lengths in cells.

    Attributes:
        root: where it leaves the hand.
        joint: where it bends.
        tip: its end.
        width: of it.
    """

    root: tuple[float, float]
    joint: tuple[float, float]
    tip: tuple[float, float]
    width: float


@dataclass(frozen=True)
class Hand:
    """A hand over the tray.

    Attributes:
        skin: its colour.
        fingers: one or more.
        palm: middle (x, y) of the palm, in cells.
        elbow: where the arm ends, outside of the picture as a rule.
        palm_width: of the palm, in cells.
    """

    skin: Colour
    fingers: tuple[Finger, ...]
    palm: tuple[float, float]
    elbow: tuple[float, float]
    palm_width: float


def random_hand(rng: np.random.Generator, cells: tuple[int, int]) -> Hand:
    """A hand that reaches over an edge of a board of so many (columns, rows)."""
    angle = rng.uniform(0, 2 * np.pi)
    back = np.array([np.cos(angle), np.sin(angle)])
    aside = np.array([-back[1], back[0]])
    half = np.array(cells) / 2
    edge = float(np.min(half / np.maximum(np.abs(back), 1e-9)))
    width = rng.uniform(*_FINGER_WIDTH)
    target = half + back * (edge + rng.uniform(-2.0, 0.8)) + aside * rng.normal(0, 0.25 * edge)
    palm = target + back * _FINGER_LENGTH * width
    count = int(rng.choice([1, 2, 4]))
    spread = (np.arange(count) - (count - 1) / 2) * 1.1 * width
    fingers = tuple(
        _random_finger(target + aside * offset, palm + aside * offset, width, rng)
        for offset in spread
    )
    red, green, blue = np.multiply(_SKINS[rng.integers(len(_SKINS))], rng.uniform(0.85, 1.05))
    middle, elbow = palm + 1.5 * width * back, palm + 14 * width * back
    return Hand((red, green, blue), fingers, _place(middle), _place(elbow), 4.6 * width)


def _place(point: Floats) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def paint_hand(photo: Photo, camera: Camera, hand: Hand) -> NDArray[np.bool_]:
    """Paint a hand and its shadow.

    Returns:
        Where it is (height, width).
    """
    mask = np.zeros(photo.shape[:2], np.uint8)
    _fill(mask, camera, hand, _HEIGHT)
    shadow = np.zeros_like(mask)
    _fill(shadow, camera, hand, 0.8)
    pitch = camera.pose.pitch_px
    soft = cv2.GaussianBlur(np.roll(shadow, round(0.3 * pitch), (0, 1)), (0, 0), 0.25 * pitch)
    photo[:] = (photo * (1 - _SHADOW / 255 * soft[..., None].astype(np.float32))).astype(np.uint8)
    inside = mask > 0
    photo[inside] = _shaded(mask, hand, pitch)[inside]
    return np.asarray(inside, np.bool_)


def covered_shares(covered: NDArray[np.bool_], camera: Camera, middles: Floats) -> Floats:
    """Share (n,) of each print around the middles (n, 3) of lids that lies under a mask."""
    x, y = (one.ravel() for one in np.meshgrid(_PROBES, _PROBES))
    probes = np.column_stack([x, y, 0 * x])
    places = camera.project(middles[:, None] + probes).astype(int)
    height, width = covered.shape
    inside = ((places >= 0) & (places < (width, height))).all(axis=2)
    column, row = np.clip(places, 0, (width - 1, height - 1)).transpose(2, 0, 1)
    return np.asarray((covered[row, column] & inside).mean(axis=1), np.float64)


def _random_finger(tip: Floats, root: Floats, width: float, rng: np.random.Generator) -> Finger:
    tip = tip + rng.normal(0, 0.5 * width, 2)
    joint = tip + 0.35 * (root - tip) + rng.normal(0, 0.25 * width, 2)
    thick = float(width * rng.uniform(0.85, 1.1))
    return Finger(_place(root), _place(joint), _place(tip), thick)


def _fill(mask: NDArray[np.uint8], camera: Camera, hand: Hand, height: float) -> None:
    """Fill its outline as seen at a height, in cells."""
    for finger in hand.fingers:
        places = _seen(camera, [finger.root, finger.joint, finger.tip], height)
        thick = min(_WIDEST_LINE, max(1, round(finger.width * camera.pose.pitch_px)))
        for start, end in pairwise(places):
            cv2.line(mask, start.tolist(), end.tolist(), 255, thick, cv2.LINE_8)
        cv2.circle(mask, places[-1].tolist(), thick // 2, 255, -1)
    palm, elbow = _seen(camera, [hand.palm, hand.elbow], height).tolist()
    broad = max(2, round(hand.palm_width * camera.pose.pitch_px))
    cv2.circle(mask, palm, broad // 2, 255, -1)
    cv2.line(mask, palm, elbow, 255, min(_WIDEST_LINE, 3 * broad // 4), cv2.LINE_8)


def _seen(camera: Camera, places: list[tuple[float, float]], height: float) -> NDArray[np.int64]:
    """Pixels (n, 2) of places at a height; far outside of the photo they are kept within reach."""
    points = np.column_stack([np.array(places), np.full(len(places), -height)])
    return np.asarray(np.clip(camera.project(points), -20_000, 20_000), np.int64)


def _shaded(mask: NDArray[np.uint8], hand: Hand, pitch: float) -> Photo:
    """Skin that is round: light along the middle, darker and redder to the sides."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    radius = 0.5 * pitch * hand.fingers[0].width
    level = np.clip(depth / max(radius, 1.0), 0, 1)
    round_light = 0.5 + 0.5 * np.sqrt(1 - (1 - level) ** 2)[..., None]
    skin = np.array(hand.skin) * round_light ** np.array([0.8, 1.1, 1.2])
    return np.asarray(np.clip(skin, 0, 255), np.uint8)
