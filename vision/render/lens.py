"""From a painted scene to a photo: light, haze, blur, noise, compression.

All work on arrays (height, width, 3), RGB.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.textures import Floats32

Photo = NDArray[np.uint8]

_BENDING_STEPS = 12  # of a contraction by a fifth at most: exact to far below a pixel
_PINCUSHION_SHARE = 0.2  # of the lenses that bend
_COARSE_PX = 96  # light changes slowly: its maps are computed at this width and enlarged


@dataclass(frozen=True)
class Glare:
    """A bright reflection; places and radii in widths of the photo.

    Attributes:
        x: of its middle.
        y: of its middle.
        radius: of the spot.
        strength: 0–1, the share of white in its middle.
    """

    x: float
    y: float
    radius: float
    strength: float


@dataclass(frozen=True)
class ShadowEdge:
    """A shadow that covers a side of the photo.

    Attributes:
        angle: degrees, direction into the shadow.
        offset: of its edge from the middle of the photo, in widths of the photo.
        softness: of the edge, in widths of the photo.
        strength: 0–1, the share of the light that is taken.
    """

    angle: float
    offset: float
    softness: float
    strength: float


@dataclass(frozen=True)
class Light:
    """The light on the scene.

    Attributes:
        azimuth: degrees, where it comes from on the table.
        height: degrees above the table.
        ambient: 0–1, the share that comes from everywhere.
        brightness: of the exposure, 1 as the colours say.
        cast: factors on red, green and blue.
        gradient: change of brightness across the photo, along the azimuth.
        haze: 0–1, the share of grey veil.
        shadow: a shadow's edge, or None.
        glares: reflections.
    """

    azimuth: float
    height: float
    ambient: float
    brightness: float
    cast: tuple[float, float, float]
    gradient: float
    haze: float
    shadow: ShadowEdge | None
    glares: tuple[Glare, ...]

    @cached_property
    def direction(self) -> NDArray[np.float64]:
        """Unit vector (3,) towards the light, in the world of `vision.render.camera`."""
        azimuth, height = np.radians([self.azimuth, self.height])
        flat = np.cos(height)
        return np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), -np.sin(height)])


@dataclass(frozen=True)
class Lens:
    """What the camera adds.

    Attributes:
        focus_px: standard deviation of the blur.
        motion_px: length of the smear.
        motion_angle: degrees, its direction.
        grain: standard deviation of the noise, grey levels.
        sharpening: strength of the halo that phones add.
        quality: of the JPEG, 1–100, or None for none.
        distortion: how much nearer to the middle the lens shows a corner of the photo than a
            pinhole would, as a share; a wide angle has up to 0.1, a long lens less than 0.
    """

    focus_px: float
    motion_px: float
    motion_angle: float
    grain: float
    sharpening: float
    quality: int | None
    distortion: float = 0.0


def random_light(rng: np.random.Generator, variety: float) -> Light:
    """Light of a room; `variety` 0 is good light, 1 any light in which a person still reads."""
    hard = variety * rng.random()
    warmth = rng.uniform(-1, 1) * (0.06 + 0.16 * variety)
    tint = rng.uniform(-0.08, 0.08) * variety
    dim = rng.random() < 0.15 * variety**2
    shadow = ShadowEdge(
        angle=rng.uniform(0, 360),
        offset=rng.uniform(-0.3, 0.3),
        softness=rng.uniform(0.005, 0.12),
        strength=rng.uniform(0.2, 0.6),
    )
    glares = rng.integers(1, 4) if rng.random() < 0.3 * variety**2 else 0
    plain = Light(
        azimuth=rng.uniform(0, 360),
        height=rng.uniform(35, 80),
        ambient=rng.uniform(0.3, 0.75),
        brightness=rng.uniform(0.15, 0.4) if dim else rng.uniform(0.9 - 0.4 * hard, 1.05),
        cast=(1 + warmth, 1 + tint, 1 - warmth),
        gradient=rng.uniform(0.0, 0.25 + 0.6 * hard),
        haze=rng.uniform(0.1, 0.5) if rng.random() < 0.15 * variety**2 else 0.0,
        shadow=shadow if rng.random() < 0.1 + 0.15 * variety else None,
        glares=tuple(_random_glare(rng) for _ in range(glares)),
    )
    # a stream of its own, so that a seed keeps the rest of its scene
    return _coloured(plain, rng.spawn(1)[0], variety)


def _coloured(light: Light, rng: np.random.Generator, variety: float) -> Light:
    """The light, perhaps of a coloured lamp."""
    if rng.random() >= 0.15 * variety**2:
        return light
    red, green, blue = np.multiply(light.cast, rng.uniform(0.6, 1.1, 3)).tolist()
    return replace(light, cast=(red, green, blue))


def random_lens(rng: np.random.Generator, pitch_px: float, variety: float) -> Lens:
    """A camera; blur and smear grow with the pitch of the cells, up to what still can be read."""
    blurred = rng.random() < 0.6 * variety
    smeared = rng.random() < 0.12 * variety
    return Lens(
        focus_px=pitch_px * (rng.uniform(0.005, 0.045) if blurred else 0.004),
        motion_px=pitch_px * rng.uniform(0.05, 0.16) if smeared else 0.0,
        motion_angle=rng.uniform(0, 180),
        grain=rng.uniform(0.5, 2.0 + 10.0 * variety * rng.random()),
        sharpening=rng.uniform(0.2, 1.2) if rng.random() < 0.25 else 0.0,
        quality=int(rng.integers(90 - int(62 * variety), 96)) if rng.random() < 0.6 else None,
        distortion=_random_distortion(rng.spawn(1)[0], variety),
    )


def _random_distortion(rng: np.random.Generator, variety: float) -> float:
    """As of a wide lens mostly, a barrel; half as much, as of a long one, a pincushion."""
    if rng.random() >= 0.6 * variety:
        return 0.0
    amount = float(rng.uniform(0.01, 0.08))
    return -amount / 2 if rng.random() < _PINCUSHION_SHARE else amount


def bent(photo: Photo, lens: Lens) -> Photo:
    """The photo as a lens with its distortion shows it."""
    if not lens.distortion:
        return photo
    height, width = photo.shape[:2]
    x = np.arange(width, dtype=np.float32)[None, :] - (width - 1) / 2
    y = np.arange(height, dtype=np.float32)[:, None] - (height - 1) / 2
    stretch = 1 + lens.distortion * (x**2 + y**2) / (width**2 + height**2) * 4
    sources = (x * stretch + (width - 1) / 2, y * stretch + (height - 1) / 2)
    shown = cv2.remap(photo, *sources, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return shown.astype(np.uint8)


def bent_points(
    points: NDArray[np.float64], size: tuple[int, int], lens: Lens
) -> NDArray[np.float64]:
    """Where `bent` shows points (…, 2) of a photo of a (width, height)."""
    straight = points - np.array(size) / 2
    shown = straight
    for _ in range(_BENDING_STEPS):
        radius = (shown**2).sum(axis=-1, keepdims=True) / (np.square(size).sum() / 4)
        shown = straight / (1 + lens.distortion * radius)
    return np.asarray(shown + np.array(size) / 2, np.float64)


def lit(photo: Photo, light: Light) -> Floats32:
    """The scene under its light, float32, 0–255 and beyond."""
    height, width = photo.shape[:2]
    x, y = _grid(height, width)
    gain = _enlarged(_gain(light, x, y), (height, width))
    scene = photo * (gain[..., None] * np.array(light.cast, np.float32) * light.brightness)
    for glare in light.glares:
        share = _enlarged(_spot(glare, x, y), (height, width))[..., None]
        scene += (250 - scene) * share
    return np.asarray(scene * (1 - light.haze) + 140 * light.haze, np.float32)


def captured(scene: Floats32, lens: Lens, rng: np.random.Generator) -> Photo:
    """The scene as the camera stores it, uint8."""
    if lens.focus_px > 0.2:
        scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), lens.focus_px), np.float32)
    if lens.motion_px > 1:
        scene = np.asarray(cv2.filter2D(scene, -1, _smear(lens)), np.float32)
    if lens.sharpening:
        scene = scene + lens.sharpening * (scene - cv2.GaussianBlur(scene, (0, 0), 1.2))
    if lens.grain:
        scene = scene + lens.grain * _grain(rng, scene.shape)
    photo = np.clip(scene, 0, 255).astype(np.uint8)
    return photo if lens.quality is None else _compressed(photo, lens.quality)


def _random_glare(rng: np.random.Generator) -> Glare:
    return Glare(
        x=rng.uniform(0.1, 0.9),
        y=rng.uniform(0.1, 0.9),
        radius=rng.uniform(0.03, 0.25),
        strength=rng.uniform(0.3, 0.85),
    )


def _grid(height: int, width: int) -> tuple[Floats32, Floats32]:
    """Coarse coordinates, in widths of the photo, (0, 0) its upper left corner."""
    tall = max(2, round(_COARSE_PX * height / width))
    x = np.linspace(0, 1, _COARSE_PX, dtype=np.float32)[None, :]
    y = np.linspace(0, height / width, tall, dtype=np.float32)[:, None]
    return x, y


def _gain(light: Light, x: Floats32, y: Floats32) -> Floats32:
    middle = float(y.max()) / 2
    angle = np.radians(light.azimuth)
    gain = 1 + light.gradient * (np.cos(angle) * (x - 0.5) + np.sin(angle) * (y - middle))
    if light.shadow is not None:
        edge = np.radians(light.shadow.angle)
        into = np.cos(edge) * (x - 0.5) + np.sin(edge) * (y - middle) - light.shadow.offset
        covered = 1 / (1 + np.exp(-np.clip(into / light.shadow.softness, -30, 30)))
        gain = gain * (1 - light.shadow.strength * covered)
    return np.asarray(gain, np.float32)


def _spot(glare: Glare, x: Floats32, y: Floats32) -> Floats32:
    distance = ((x - glare.x) ** 2 + (y - glare.y) ** 2) / glare.radius**2
    return np.asarray(glare.strength * np.exp(-distance), np.float32)


def _enlarged(coarse: Floats32, shape: tuple[int, int]) -> Floats32:
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _smear(lens: Lens) -> Floats32:
    """Kernel of a straight motion."""
    side = 2 * int(np.ceil(lens.motion_px / 2)) + 1
    middle, reach = side / 2, lens.motion_px / 2
    angle = np.radians(lens.motion_angle)
    step = np.array([np.cos(angle), np.sin(angle)]) * reach
    kernel = np.zeros((side, side), np.float32)
    ends = [
        (int(16 * (middle - 0.5 + s * step[0])), int(16 * (middle - 0.5 + s * step[1])))
        for s in (-1, 1)
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1.0), np.float32)


def _grain(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats32:
    """Noise of the sensor of spread 1, part of it common to the channels."""
    noise = rng.standard_normal(shape, np.float32)
    return np.asarray(0.8 * noise + 0.17 * noise.sum(axis=2, keepdims=True), np.float32)


def _compressed(photo: Photo, quality: int) -> Photo:
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    _, data = cv2.imencode(".jpg", cv2.cvtColor(photo, cv2.COLOR_RGB2BGR), flags)
    stored = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return cv2.cvtColor(stored, cv2.COLOR_BGR2RGB).astype(np.uint8)
