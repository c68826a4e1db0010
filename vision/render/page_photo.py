"""Photos of written or printed pages that lie on a table: phone angles, folds, curl, shadows.

The world counts in centimetres of a page of A4; a page lies in the plane z = 0 but for its folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import apply
from vision.render.camera import Camera, Floats, Pose
from vision.render.lens import (
    Lens,
    Light,
    Photo,
    ShadowEdge,
    bent,
    bent_points,
    captured,
    lit,
    random_lens,
    random_light,
)
from vision.render.surroundings import cast_shadow, paint_table
from vision.render.textures import TableStyle, random_table
from vision.scaling import shrunk

LONG_SIDE = 29.7
"""Centimetres of a page's longer side, whatever its pixels."""

_THICKNESS = 0.15  # centimetres that the edge of a page stands above the table
_STEP_PX = 8  # of the photo between points where a page is looked up
_ROUNDS = 6  # of that search; each takes a bend's error down by more than ten
_APART = 1.5  # centimetres between two pages


@dataclass(frozen=True)
class Fold:
    """A ridge across a page.

    Attributes:
        along: 0 across the columns, 1 across the rows.
        place: of the crease, in sides of the page.
        height: of the crease above the table, centimetres.
        reach: centimetres from the crease to where the page lies flat.
    """

    along: int
    place: float
    height: float
    reach: float


@dataclass(frozen=True)
class Laid:
    """A page in its place on the table.

    Attributes:
        pixels: (height, width, 3), uint8, RGB.
        cover: (height, width), uint8: 255 where there is paper, 0 where it is torn off.
        place: (x, y) of its upper left corner, centimetres.
        turn: degrees by which it lies askew, clockwise.
        folds: of the page.
        curl: centimetres by which its sides rise.
    """

    pixels: Photo
    cover: NDArray[np.uint8]
    place: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    folds: tuple[Fold, ...] = ()
    curl: float = 0.0

    @property
    def pitch(self) -> float:
        """Pixels of the page to a centimetre."""
        return float(max(self.pixels.shape[:2])) / LONG_SIDE

    @property
    def size(self) -> Floats:
        """Width and height (2,), centimetres."""
        height, width = self.pixels.shape[:2]
        return np.array([width, height]) / self.pitch

    @property
    def corners(self) -> Floats:
        """Places (4, 2) of its corners on it, centimetres: clockwise from the upper left."""
        width, height = self.size
        return np.array([[0, 0], [width, 0], [width, height], [0, height]])

    def heights(self, points: Floats) -> Floats:
        """How high (…,) places (…, 2) of the page are above the table, centimetres."""
        ridges = [
            fold.height
            * np.clip(
                1
                - np.abs(points[..., fold.along] - fold.place * self.size[fold.along]) / fold.reach,
                0,
                1,
            )
            for fold in self.folds
        ]
        across = 2 * points[..., 0] / self.size[0] - 1
        return np.asarray(sum(ridges, self.curl * across**2))

    def in_world(self, points: Floats) -> Floats:
        """Places (…, 3) in the world of places (…, 2) on the page."""
        cos, sin = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        flat = points @ np.array([[cos, sin], [-sin, cos]]) + np.array(self.place)
        return np.concatenate([flat, -self.heights(points)[..., None]], axis=-1)


@dataclass(frozen=True, eq=False)
class PageShot:
    """A photo of a page, and where each of its points is seen.

    Attributes:
        photo: (height, width, 3), uint8, RGB.
        page: the page as it lies.
        camera: over it.
        lens: of the camera.
    """

    photo: Photo
    page: Laid
    camera: Camera
    lens: Lens

    def to_photo(self, points: Floats) -> Floats:
        """Pixels (…, 2) of the photo at which points (…, 2) of the page are seen.

        Args:
            points: x and y, pixels of the page's picture.
        """
        seen = self.camera.project(self.page.in_world(points / self.page.pitch))
        height, width = self.photo.shape[:2]
        return bent_points(seen, (width, height), self.lens)


@dataclass(frozen=True)
class PageView:
    """How pages are photographed.

    Attributes:
        size: (width, height) of the photo, pixels.
        hardness: 0 from straight above in even light, the page flat; 1 any angle, light, table
            and folds at which a person still reads without trouble.
        turn: degrees by which the photo is turned, clockwise; 180 shows the pages upside down.
        share: of the photo's sides that the pages take, at most; 1.05 cuts their edges off.
        table: what they lie on, or None for any.
    """

    size: tuple[int, int] = (1512, 2016)
    hardness: float = 0.5
    turn: float = 0.0
    share: float = 0.93
    table: TableStyle | None = None


def photograph(
    page: Photo, rng: np.random.Generator, hardness: float = 0.5, view: PageView | None = None
) -> PageShot:
    """A photo of one page on a table.

    Args:
        page: (height, width, 3), uint8, RGB: the flat page, upright.
        rng: decides everything else; the same seed gives the same photo.
        hardness: as of `PageView`.
        view: how it is photographed; its hardness counts in place of the other.
    """
    return photograph_pages([(page, _whole(page))], rng, view or PageView(hardness=hardness))[0]


def photograph_pages(
    pages: Sequence[tuple[Photo, NDArray[np.uint8]]], rng: np.random.Generator, view: PageView
) -> tuple[PageShot, ...]:
    """One photo of pages side by side, with where each lies.

    Args:
        pages: pictures (height, width, 3), RGB, each with its cover (height, width), 255 where
            there is paper.
        rng: decides everything else.
        view: how they are photographed.
    """
    laid = _side_by_side(pages, rng, view.hardness)
    camera = _framed(laid, rng, view)
    light = _light(rng, view.hardness)
    photo = paint_table(view.size, camera, view.table or random_table(rng), rng)
    for page in laid:
        _paint(photo, camera, page, light)
    lens = random_lens(rng, 0.35 * camera.pose.pitch_px, 0.8 * view.hardness)
    lens = replace(lens, distortion=0.4 * lens.distortion)
    taken = captured(lit(bent(photo, lens), light), lens, rng)
    return tuple(PageShot(taken, page, camera, lens) for page in laid)


def torn(page: Photo, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Cover (height, width) of a page whose lower part and a corner are torn off."""
    height, width = page.shape[:2]
    x = np.linspace(0, width, 40)
    ragged = np.cumsum(rng.normal(0, 0.006 * height, x.size))
    foot = height * rng.uniform(0.93, 0.97) + ragged - ragged.max()
    cut = rng.uniform(0.03, 0.06) * width
    outline = [(cut, 0.0), (width, 0.0), *zip(x[::-1], foot[::-1], strict=True), (0.0, cut)]
    cover = np.zeros((height, width), np.uint8)
    cv2.fillPoly(cover, [np.rint(outline).astype(np.int32)], (255,))
    return cover


def _whole(page: Photo) -> NDArray[np.uint8]:
    return np.full(page.shape[:2], 255, np.uint8)


def _side_by_side(
    pages: Sequence[tuple[Photo, NDArray[np.uint8]]], rng: np.random.Generator, hardness: float
) -> list[Laid]:
    laid: list[Laid] = []
    left = 0.0
    for pixels, cover in pages:
        flat = Laid(pixels, cover, (left, 0.0), rng.normal(0, 1.5) if len(pages) > 1 else 0.0)
        laid.append(_bent(flat, rng, hardness))
        left += float(flat.size[0]) + _APART
    return laid


def _bent(page: Laid, rng: np.random.Generator, hardness: float) -> Laid:
    """The page, perhaps with the folds of a letter and with sides that rise."""
    if rng.random() >= hardness:
        return page
    along = int(rng.integers(2))
    places = [0.5] if rng.random() < 0.5 else [1 / 3, 2 / 3]
    folds = [
        Fold(along, place, rng.uniform(0.1, 0.7) * hardness, rng.uniform(2.5, 6))
        for place in places
    ]
    return replace(page, folds=tuple(folds), curl=rng.uniform(0, 0.8) * hardness)


def _framed(laid: Sequence[Laid], rng: np.random.Generator, view: PageView) -> Camera:
    """A camera that sees the pages as large as the view says."""
    corners = np.concatenate([page.in_world(page.corners) for page in laid])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    pose = Pose(
        tilt=rng.uniform(0, 32) * view.hardness,
        azimuth=rng.uniform(0, 360),
        yaw=-view.turn + rng.normal(0, 5) * view.hardness,
        distance=rng.uniform(1.4, 2.5) * float(np.ptp(corners[:, :2], axis=0).max()),
        pitch_px=1.0,
        centre_px=(0.0, 0.0),
    )
    target = (float(middle[0]), float(middle[1]), 0.0)
    seen = Camera(pose, target).project(corners)
    size = np.array(view.size)
    share = view.share * (1 - rng.uniform(0, 0.2) * view.hardness)
    scale = share * float(np.min(size / np.ptp(seen, axis=0)))
    x, y = (size / 2 - scale * (seen.min(axis=0) + seen.max(axis=0)) / 2).tolist()
    return Camera(replace(pose, pitch_px=scale, centre_px=(x, y)), target)


def _light(rng: np.random.Generator, hardness: float) -> Light:
    """Light of a room, perhaps with the shadow of the telephone or of a hand."""
    light = replace(random_light(rng, 0.6 * hardness), glares=(), haze=0.0)
    light = replace(light, brightness=max(light.brightness, 0.55))
    if rng.random() >= 0.6 * hardness:
        return light
    shadow = ShadowEdge(
        rng.uniform(0, 360), rng.uniform(-0.3, 0.3), rng.uniform(0.01, 0.1), rng.uniform(0.2, 0.55)
    )
    return replace(light, shadow=shadow)


def _paint(photo: Photo, camera: Camera, page: Laid, light: Light) -> None:
    """Paint a page and its shadow, in place."""
    base = page.in_world(page.corners)
    if page.cover.all():
        cast_shadow(photo, camera, base * [1, 1, 0], _THICKNESS, light)
    page = _as_fine_as(page, camera)
    x, y = _looked_up(photo, camera, page)
    shade = _shade(page, light)[..., None]
    pixels = np.clip(page.pixels * shade, 0, 255).astype(np.uint8)
    seen = cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.remap(page.cover, x, y, cv2.INTER_LINEAR)[..., None].astype(np.float32) / 255
    photo[:] = (photo * (1 - cover) + seen * cover).astype(np.uint8)


def _as_fine_as(page: Laid, camera: Camera) -> Laid:
    """The page at the photo's scale: seen from afar, thin lines must not break up."""
    shrink = min(1.0, 1.3 * camera.pose.pitch_px / page.pitch)
    return replace(page, pixels=shrunk(page.pixels, shrink), cover=shrunk(page.cover, shrink))


def _looked_up(
    photo: Photo, camera: Camera, page: Laid
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pixels x and y (height, width) of the page that each of the photo shows.

    The page is first taken for flat, and what its height moves is taken off round by round.
    """
    height, width = photo.shape[:2]
    wide, tall = -(-width // _STEP_PX) + 1, -(-height // _STEP_PX) + 1
    grid = _STEP_PX * np.mgrid[:tall, :wide].reshape(2, -1)[::-1].T + 0.5
    flat = replace(page, folds=(), curl=0.0)
    ends = camera.project(flat.in_world(page.corners)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(ends, page.corners.astype(np.float32))
    back = np.asarray(warp, np.float64)
    start = apply(back, grid)
    places = start
    for _ in range(_ROUNDS):
        near = np.clip(places, -LONG_SIDE, 2 * LONG_SIDE)
        places = places - (apply(back, camera.project(page.in_world(near))) - start)
    maps = (places * page.pitch - 0.5).astype(np.float32).reshape(tall, wide, 2)
    area = (wide * _STEP_PX, tall * _STEP_PX)
    # enlarging keeps the middles of pixels in place: the first knot comes to half a step
    move = np.array([[_STEP_PX, 0, 0], [0, _STEP_PX, 0]], np.float32)
    fine = cv2.warpAffine(maps, move, area, flags=cv2.INTER_LINEAR)[:height, :width]
    return fine[..., 0].astype(np.float32), fine[..., 1].astype(np.float32)


def _shade(page: Laid, light: Light) -> NDArray[np.float32]:
    """Light (height, width) on the slopes of a page, 1 where it is level (Lambert's law)."""
    height, width = page.pixels.shape[:2]
    y, x = np.mgrid[0:height:8, 0:width:8]
    rises = page.heights(np.stack([x, y], axis=-1) / page.pitch)
    if min(rises.shape) < 2 or not (page.folds or page.curl):
        return np.ones((height, width), np.float32)
    down, across = np.gradient(rises, 8 / page.pitch)
    towards = light.direction
    slope = (across * towards[0] + down * towards[1]) / -towards[2]
    shade = np.clip(1 - (1 - light.ambient) * slope, 0.4, 1.25).astype(np.float32)
    return np.asarray(cv2.resize(shade, (width, height)), np.float32)
