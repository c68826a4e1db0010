"""Filling polygons, solids and masks into a photo (height, width, 3), uint8, RGB, in place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Camera, Floats
from vision.render.lens import Light, Photo
from vision.render.mesh import Indices, Mesh
from vision.render.styles import Colour

_SUBPIXEL_BITS = 4
_FOOT_LIGHT = 0.5  # light at the foot of a solid, between its neighbours
_BRIGHTEST = 1.12  # of a side that faces the light, in light on the lid
_SHARPNESS = 24  # of a reflection on the roundings (Blinn 1977)


@dataclass(frozen=True)
class Solid:
    """A mesh in its place with its colours.

    Attributes:
        vertices: (v, 3), in the world.
        quads: (q, 4).
        normals: (q, 3), in the world.
        colours: (q, 3), 0–255.
        lid: indices of the vertices around the lid; may be empty.
        lid_colour: (3,).
        light: (3,), unit vector towards the light.
        gloss: 0–1, how brightly its roundings reflect the light.
    """

    vertices: Floats
    quads: Indices
    normals: Floats
    colours: Floats
    lid: Indices
    lid_colour: Floats
    light: Floats
    gloss: float

    @classmethod
    def of(
        cls,
        mesh: Mesh,
        colour: Colour,
        light: Light,
        axes: Floats | None = None,
        origin: Floats | None = None,
        *,
        gloss: float = 0.0,
    ) -> Solid:
        """A mesh turned by ``axes`` (3, 3) and moved to ``origin`` (3,), lit from the light."""
        axes = np.eye(3) if axes is None else axes
        origin = np.zeros(3) if origin is None else origin
        normals = mesh.normals @ axes.T
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        foot = 1 - (1 - _FOOT_LIGHT) * mesh.depths
        colours = np.array(colour) * (shade(normals, light) * foot)[:, None]
        return cls(
            mesh.vertices @ axes.T + origin,
            mesh.quads,
            normals,
            np.minimum(colours, 255),
            mesh.lid,
            np.minimum(np.array(colour) * shade(_up(axes), light), 255),
            light.direction,
            gloss,
        )

    def only(self, kept: NDArray[np.bool_]) -> Solid:
        """The solid with some of its quadrilaterals alone, without a lid."""
        return replace(
            self,
            quads=self.quads[kept],
            normals=self.normals[kept],
            colours=self.colours[kept],
            lid=self.lid[:0],
        )

    def reflecting(self, towards: Floats) -> Floats:
        """Colours (q, 3) with the light that they reflect in directions (q, 3) to the eye."""
        if not self.gloss:
            return self.colours
        middle = self.light + towards / np.linalg.norm(towards, axis=1, keepdims=True)
        middle /= np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-9)
        share = np.clip(np.einsum("ij,ij->i", middle, self.normals), 0, 1) ** _SHARPNESS
        return np.asarray(self.colours + (255 - self.colours) * self.gloss * share[:, None])


def _up(axes: Floats) -> Floats:
    """Unit vector (3,) that a lid looks along."""
    return np.asarray(-axes[:, 2] / np.linalg.norm(axes[:, 2]))


def shade(normals: Floats, light: Light) -> Floats:
    """Light (…,) on surfaces with the normals (…, 3), 1 on a level one (Lambert's law)."""
    towards = light.direction
    share = np.maximum(normals @ towards, 0) / -towards[2]
    return np.asarray(np.minimum(light.ambient + (1 - light.ambient) * share, _BRIGHTEST))


def fill_solid(photo: Photo, camera: Camera, solid: Solid) -> None:
    """Paint the sides that face the camera, far ones first, then the lid."""
    middles = solid.vertices[solid.quads].mean(axis=1)
    towards = camera.position - middles
    visible = np.flatnonzero(np.einsum("ij,ij->i", towards, solid.normals) > 0)
    order = visible[np.argsort(-camera.depth(middles[visible]), kind="stable")]
    points = _fixed_point(camera.project(solid.vertices))
    polygons, colours = points[solid.quads[order]], solid.reflecting(towards)[order].tolist()
    for polygon, colour in zip(polygons, colours, strict=True):
        cv2.fillConvexPoly(photo, polygon, colour, cv2.LINE_AA, _SUBPIXEL_BITS)
    if len(solid.lid):
        lid = points[solid.lid]
        cv2.fillConvexPoly(photo, lid, solid.lid_colour.tolist(), cv2.LINE_AA, _SUBPIXEL_BITS)


def fill_polygon(photo: NDArray[np.uint8], points: Floats, colour: Floats) -> None:
    """Fill a convex polygon (p, 2) of pixels."""
    cv2.fillConvexPoly(photo, _fixed_point(points), colour.tolist(), cv2.LINE_AA, _SUBPIXEL_BITS)


def stamp(photo: Photo, mask: NDArray[np.uint8], quad: Floats, ink: Floats) -> None:
    """Print a mask in an ink (3,) onto the quadrilateral (4, 2) that its corners are seen at."""
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, photo.shape[1::-1])
    width, height = (high - low).tolist()
    if width < 2 or height < 2:
        return
    tall, wide = mask.shape
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32) - 0.5
    target = (quad - 0.5 - low).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, target)
    cover = cv2.warpPerspective(mask, warp, (width, height)).astype(np.float32)[..., None] / 255
    patch = photo[low[1] : high[1], low[0] : high[0]]
    bright = np.minimum(ink, 255).astype(np.float32)
    patch[:] = (patch + cover * (bright - patch) + 0.5).astype(np.uint8)


def _fixed_point(points: Floats) -> NDArray[np.int32]:
    """OpenCV counts from the middle of the first pixel, and in parts of a pixel."""
    return np.rint((points - 0.5) * (1 << _SUBPIXEL_BITS)).astype(np.int32)
