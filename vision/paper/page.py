"""Sheets of paper in a photo: where each lies, and how it looks from straight above.

A sheet is a light region whose outline is nearly a quadrilateral and along which it is lighter, or
less coloured, than what it lies on. Many levels of several channels are tried: no single one parts
paper from table in a shadow, under a lamp, on wood and on stone. Where no outline stands out the
picture itself is the page: a scan, a photo of a part of a page, paper on a table as white as it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import apply
from vision.paper.reading import Quad
from vision.scaling import shrunk

Grey = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SEARCH_PX = 640  # longer side of the picture in which sheets are looked for
_WRITING = 13  # pixels of it that writing is narrower than
_LEVELS = 12
_EDGES = (3.0, 5.0, 8.0, 14.0, 24.0)  # steps of brightness that may be the edge of paper
_EDGED = 0.85  # how much such an edge counts against one that paper is lighter than
_SMALLEST = 0.06  # of the picture
_WHOLE = 0.97  # of the picture: a region as large as that is no sheet on a table
_SOLID = 0.86  # share of its quadrilateral that a sheet fills: corners are torn off or folded
_STEP = 4  # pixels inside and outside of the outline at which it is compared
_LIGHTER = 5.0  # grey levels that paper is lighter than what it lies on, at least
_OUTLINED = 0.72  # share of the outline along which it is
_AS_GOOD, _LARGER = 0.75, 1.15  # of a sheet's score and area: another outline may be the whole
_SAME_CORNER = 12.0  # pixels within which two outlines have a corner in common
_SAME_TINT = 14.0  # levels of the third channel that paper in shadow differs from lit paper
_PIECE = 0.65  # score of a sheet that another outline takes in with its neighbour, at least
_COVERED = 0.8  # of that outline, that the sheets in it cover
_GAP = 1.0  # pixels of table between them beside their edges, at least
_BETWEEN = 99  # mark of that table
_NOTCH = 61  # pixels of the search picture: notches of an outline as narrow as that are closed
_SHORTEST = 200  # pixels of an outline
_PARENT = 3  # place of a contour's parent in the hierarchy of OpenCV
_SEEN = 0.4  # share of the outline that must lie within the picture
_CUT = 0.4  # of its score that an outline would lose which is all along the picture's edge
_SURE = 0.45  # score of a sheet, at least
_STRAYED = 0.04  # of an outline's length: corners further from its hull's are none
_BORDER = 3  # pixels from the picture's edge where an outline says nothing
_OF_LARGEST = 0.15  # share of the largest sheet that another one has, at least


@dataclass(frozen=True, eq=False)
class Sheet:
    """A sheet of paper in a photo.

    Attributes:
        corners_px: upper left, upper right, lower right and lower left, pixels of the photo.
        outline_px: (n, 2), pixels of the photo: what of it is there; None for the whole photo.
    """

    corners_px: Quad
    outline_px: Floats | None = None


@dataclass(frozen=True, eq=False)
class FlatPage:
    """A sheet seen from straight above.

    Attributes:
        grey: (height, width), uint8, the darkest of red, green and blue: any ink is dark in it.
        paper: (height, width), uint8, 255 where there is paper.
        to_photo: homography (3, 3) from its pixels to those of the photo, both counted from their
            edges.
    """

    grey: Grey
    paper: Grey
    to_photo: Floats

    def quad(self, corners: Floats) -> Quad:
        """Where corners (4, 2) of the page lie in the photo."""
        first, second, third, fourth = ((x, y) for x, y in apply(self.to_photo, corners).tolist())
        return first, second, third, fourth


def find_sheets(photo: NDArray[np.uint8]) -> tuple[Sheet, ...]:
    """All sheets of a photo, from its upper left to its lower right; at least one.

    Args:
        photo: (height, width, 3), RGB.
    """
    scale = min(1.0, _SEARCH_PX / max(photo.shape[:2]))
    small = cv2.medianBlur(shrunk(photo, scale), 5).astype(np.uint8)
    scale = small.shape[1] / photo.shape[1]
    found = _apart(_candidates(small), small)
    outlines = [outline for outline in found if not _is_between_rules(outline, small)]
    if not outlines:
        height, width = photo.shape[:2]
        return (Sheet(((0, 0), (width, 0), (width, height), (0, height))),)
    size = (small.shape[1], small.shape[0])
    return tuple(_sheet(outline, size, scale) for outline in _in_order(outlines))


def _is_between_rules(outline: Floats, small: NDArray[np.uint8]) -> bool:
    """Whether it is a strip across the whole picture with the same paper beyond its ends.

    So printed rules part a page that fills the picture, as a scan does.
    """
    size = np.array([small.shape[1], small.shape[0]])
    ends = (outline.min(axis=0) <= _BORDER) & (outline.max(axis=0) >= size - 1 - _BORDER)
    if not ends.any():
        return False
    mask = np.zeros(small.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], (255,))
    inside, outside = (np.median(small[part], axis=0) for part in (mask > 0, mask == 0))
    return bool(np.abs(inside - outside).max() < _LIGHTER)


def darkest(photo: NDArray[np.uint8]) -> Grey:
    """The darkest (height, width) of red, green and blue of a photo."""
    red, green, blue = cv2.split(photo)
    return cv2.min(cv2.min(red, green), blue).astype(np.uint8)


def flatten(grey: Grey, sheet: Sheet, longest: int = 2400) -> FlatPage:
    """A sheet from straight above, its longer side at most so many pixels.

    Args:
        grey: the photo, as of `darkest`.
        sheet: of the photo.
        longest: pixels.
    """
    corners = np.array(sheet.corners_px, np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    scale = min(1.0, longest / max(width, height))
    wide, tall = max(1, round(width * scale)), max(1, round(height * scale))
    ends = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    to_photo = np.asarray(cv2.getPerspectiveTransform(ends, corners), np.float64)
    return _seen(grey, sheet, to_photo, (wide, tall))


def turned(grey: Grey, sheet: Sheet, page: FlatPage, degrees: float) -> FlatPage:
    """A page again, seen turned counter-clockwise by so many degrees.

    Args:
        grey: the photo, as of `darkest`.
        sheet: of the photo.
        page: the sheet flattened.
        degrees: by which it is turned.
    """
    height, width = page.grey.shape
    angle = np.radians(degrees)
    cos, sin = abs(np.cos(angle)), abs(np.sin(angle))
    wide, tall = round(width * cos + height * sin), round(width * sin + height * cos)
    around = np.array([[1, 0, -wide / 2], [0, 1, -tall / 2], [0, 0, 1]])
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    back = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]])
    return _seen(grey, sheet, page.to_photo @ back @ turn @ around, (wide, tall))


def _seen(grey: Grey, sheet: Sheet, to_photo: Floats, size: tuple[int, int]) -> FlatPage:
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    warp = np.linalg.inv(half) @ to_photo @ half
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return FlatPage(flat.astype(np.uint8), _paper(sheet, to_photo, size), to_photo)


def _paper(sheet: Sheet, to_photo: Floats, size: tuple[int, int]) -> Grey:
    """Where there is paper: within the outline and a little away from it."""
    wide, tall = size
    edge = max(3, max(size) // 160) * 2 + 1
    outline = sheet.outline_px
    if outline is None:
        edge, outline = 1, np.array(sheet.corners_px)
    paper = np.zeros((tall, wide), np.uint8)
    places = np.rint(apply(np.linalg.inv(to_photo), outline)).astype(np.int32)
    cv2.fillPoly(paper, [places], (255,))
    kernel = np.ones((edge, edge), np.uint8)
    return cv2.erode(paper, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=(0,)).astype(
        np.uint8
    )


def _sheet(outline: Floats, size: tuple[int, int], scale: float) -> Sheet:
    """A sheet of an outline in the small picture, without the notches that folds cut into it."""
    wide, tall = size
    mask = np.zeros((tall + 2 * _NOTCH, wide + 2 * _NOTCH), np.uint8)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32) + _NOTCH], (255,))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_NOTCH, _NOTCH))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = max(contours, key=cv2.contourArea)[:, 0].astype(np.float64) - _NOTCH
    return Sheet(_upright(_quadrilateral(outline) / scale), whole / scale)


def _candidates(small: NDArray[np.uint8]) -> list[tuple[float, Floats]]:
    """Outlines (n, 2) that may be of sheets, each with a score."""
    channels = [_without_writing(channel) for channel in _channels(small)]
    light = (outline for channel in channels for outline in _light_regions(channel))
    found = [(max(_lighter(outline, each) for each in channels), outline) for outline in light]
    found += [(_EDGED, outline) for outline in _smooth_regions(small)]
    size = (small.shape[1], small.shape[0])
    rated = [
        (share * _fit(outline) ** 5 * (1 - _CUT * (1 - _seen_in(outline, size).mean())), outline)
        for share, outline in found
        if share
    ]
    return [(score, outline) for score, outline in rated if score > _SURE]


def _channels(small: NDArray[np.uint8]) -> Iterable[Grey]:
    """Light and uncoloured, light at all, and uncoloured at any light."""
    least, most = small.min(axis=2), small.max(axis=2)
    yield least
    yield most
    yield (255.0 * least / np.maximum(most, 1)).astype(np.uint8)


def _without_writing(channel: Grey) -> Grey:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_WRITING, _WRITING))
    return cv2.morphologyEx(channel, cv2.MORPH_CLOSE, kernel).astype(np.uint8)


def _light_regions(channel: Grey) -> Iterable[Floats]:
    """Outlines of what is above some level."""
    low, high = np.percentile(channel[::4, ::4], [2, 98])
    for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
        _, mask = cv2.threshold(channel, float(level), 255, cv2.THRESH_BINARY)
        yield from _outlines(mask.astype(np.uint8))


def _smooth_regions(small: NDArray[np.uint8]) -> Iterable[Floats]:
    """Outlines of what an edge runs around: paper beside a table as light as it."""
    steps = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    for level in _EDGES:
        _, mask = cv2.threshold(steps, level, 255, cv2.THRESH_BINARY_INV)
        yield from _outlines(mask.astype(np.uint8))


def _outlines(mask: Grey) -> Iterable[Floats]:
    """Outer borders (n, 2) of regions of a sheet's size and shape."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    # all outer borders, also of paper in the hole of a table
    contours, families = cv2.findContours(opened, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for contour, family in zip(contours, families[0] if contours else (), strict=True):
        if family[_PARENT] >= 0 or len(contour) < _SHORTEST:
            continue
        area = cv2.contourArea(contour)
        hull = cv2.contourArea(cv2.convexHull(contour))
        if _SMALLEST * mask.size < area < _WHOLE * mask.size and area > _SOLID * hull:
            yield contour[:, 0].astype(np.float64)


def _lighter(outline: Floats, channel: Grey) -> float:
    """Share of an outline along which its inside is lighter, 0 where that is not enough."""
    step = max(1, len(outline) // 240)
    along = np.roll(outline, -_STEP, axis=0) - np.roll(outline, _STEP, axis=0)
    away = np.column_stack([along[:, 1], -along[:, 0]])[::step]
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    if cv2.contourArea(outline.astype(np.float32), oriented=True) < 0:
        away = -away
    middle = outline[::step]
    seen = _seen_in(middle, (channel.shape[1], channel.shape[0]))
    if seen.mean() < _SEEN:
        return 0.0
    inside, outside = (_at(channel, (middle + sign * _STEP * away)[seen]) for sign in (-1, 1))
    share = float(np.mean(inside - outside > _LIGHTER))
    return share if share >= _OUTLINED else 0.0


def _seen_in(points: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which points (n, 2) lie within a picture, not along its edge."""
    inside = (points > _BORDER) & (points < np.array(size) - 1 - _BORDER)
    return np.asarray(inside.all(axis=1))


def _at(channel: Grey, points: Floats) -> Floats:
    size = np.array(channel.shape[1::-1])
    x, y = np.clip(np.rint(points), 0, size - 1).astype(int).T
    return np.asarray(channel[y, x], np.float64)


def _apart(candidates: list[tuple[float, Floats]], small: NDArray[np.uint8]) -> list[Floats]:
    """The best of the outlines that lie over each other; small ones beside a large one go."""
    ranked = sorted(candidates, key=lambda each: -each[0])
    light, _, tint = _channels(small)
    sheets = [
        part
        for score, outline in _disjoint(ranked)
        for part in _pieces(_unshadowed(score, outline, ranked, tint), ranked, light, tint)
    ]
    largest = max((_area(outline) for outline in sheets), default=0.0)
    kept = [outline for outline in sheets if _area(outline) >= _OF_LARGEST * largest]
    return [outline for _, outline in _disjoint([(1.0, outline) for outline in kept])]


def _disjoint(ranked: Iterable[tuple[float, Floats]]) -> list[tuple[float, Floats]]:
    """Outlines that lie over no better one, best first."""
    chosen: list[tuple[float, Floats]] = []
    for score, outline in ranked:
        if not any(_overlap(outline, other) for _, other in chosen):
            chosen.append((score, outline))
    return chosen


def _unshadowed(
    score: float, outline: Floats, ranked: list[tuple[float, Floats]], tint: Grey
) -> Floats:
    """The outline, or a larger one that shares a side: a shadow's edge ended it too soon.

    What lies in shadow is of the tint of what is lit; a table seldom is of that of the paper.
    """
    corners, area = _quadrilateral(outline), _area(outline)
    for other_score, other in ranked:
        if other_score < _AS_GOOD * score or _area(other) < _LARGER * area:
            continue
        apart = np.linalg.norm(corners[:, None] - _quadrilateral(other), axis=2).min(axis=1)
        if (apart < _SAME_CORNER).sum() >= 2 and _are_of_one_tint(outline, other, tint):
            return other
    return outline


def _are_of_one_tint(outline: Floats, other: Floats, tint: Grey) -> bool:
    """Whether what a larger outline adds to one looks like what is in it."""
    areas = np.zeros(tint.shape, np.uint8)
    cv2.fillPoly(areas, [other.astype(np.int32)], (2,))
    cv2.fillPoly(areas, [outline.astype(np.int32)], (1,))
    if not (areas == 1).any() or not (areas == 2).any():
        return False
    inside, added = (float(np.median(tint[areas == part])) for part in (1, 2))
    return abs(inside - added) < _SAME_TINT


def _pieces(
    outline: Floats, ranked: list[tuple[float, Floats]], light: Grey, tint: Grey
) -> list[Floats]:
    """The outline, or those of sheets side by side that it runs around."""
    area = _area(outline)
    within = [
        (score, other)
        for score, other in ranked
        if score > _PIECE and 0.2 < _area(other) / area < 0.7 and _overlap(outline, other)
    ]
    pieces = [other for _, other in _disjoint(within)]
    if len(pieces) < 2 or sum(map(_area, pieces)) < _COVERED * area:
        return [outline]
    return pieces if _is_table_between(pieces, light, tint) else [outline]


def _is_table_between(pieces: list[Floats], light: Grey, tint: Grey) -> bool:
    """Whether what lies between sheets is darker than they, or of another tint: no shadow's edge.

    Args:
        pieces: outlines of what may be sheets.
        light: how light the photo is.
        tint: how uncoloured it is.
    """
    areas = np.zeros(light.shape, np.uint8)
    hull = cv2.convexHull(np.concatenate(pieces).astype(np.float32))[:, 0]
    cv2.fillPoly(areas, [hull.astype(np.int32)], (_BETWEEN,))
    for number, piece in enumerate(pieces, start=1):
        cv2.polylines(areas, [piece.astype(np.int32)], isClosed=True, color=(0,), thickness=7)
        cv2.fillPoly(areas, [piece.astype(np.int32)], (number,))
    if (areas == _BETWEEN).sum() < _GAP * np.sqrt(max(map(_area, pieces))):
        return False
    darkest_piece = min(float(np.median(light[areas == n + 1])) for n in range(len(pieces)))
    between = areas == _BETWEEN
    tints = [float(np.median(tint[each])) for each in (between, (areas > 0) & ~between)]
    darker = float(np.median(light[between])) < darkest_piece - _LIGHTER
    return bool(darker or abs(tints[0] - tints[1]) > _SAME_TINT)


def _overlap(first: Floats, second: Floats) -> bool:
    """Whether one outline's box has its middle in the other's box."""
    low, high = np.maximum(first.min(0), second.min(0)), np.minimum(first.max(0), second.max(0))
    common = np.prod(np.maximum(high - low, 0))
    smaller = min(np.prod(np.ptp(first, axis=0)), np.prod(np.ptp(second, axis=0)))
    return bool(common > 0.3 * smaller)


def _in_order(outlines: list[Floats]) -> list[Floats]:
    """Sheets as one reads: those beside each other from the left, then those below."""
    left = sorted(outlines, key=lambda outline: float(outline.min(0)[0]))
    return sorted(left, key=lambda outline: int(outline.mean(0)[1] > outlines[0].max(0)[1]))


def _fit(outline: Floats) -> float:
    """Share that an outline and its quadrilateral have in common of what either covers."""
    quad, hull = _quadrilateral(outline), cv2.convexHull(outline.astype(np.float32))
    common, _ = cv2.intersectConvexConvex(cv2.convexHull(quad.astype(np.float32)), hull)
    area = cv2.contourArea(hull)
    return common / (area + _area(quad) - common) * _area(outline) / area


def _quadrilateral(outline: Floats) -> Floats:
    """Corners (4, 2) of a quadrilateral along an outline, clockwise from its upper left.

    Straight lines through the middles of its sides leave out corners that are torn off.
    """
    rough = _rough(outline)
    lines = [
        _side(outline, start, end) for start, end in zip(rough, np.roll(rough, -1, 0), strict=True)
    ]
    crossings = np.cross(np.roll(lines, 1, axis=0), lines)
    if np.abs(crossings[:, 2]).min() < 1e-3:
        return rough
    corners = crossings[:, :2] / crossings[:, 2:]
    strayed = np.linalg.norm(corners - rough, axis=1).max()
    return rough if strayed > _STRAYED * len(outline) else _clockwise(corners)


def _rough(outline: Floats) -> Floats:
    """Corners (4, 2) of the hull, or of the narrowest rectangle around it."""
    hull = cv2.convexHull(outline.astype(np.float32))
    length = cv2.arcLength(hull, closed=True)
    for share in (0.01, 0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, share * length, closed=True)
        if len(corners) == 4:
            return _clockwise(corners[:, 0].astype(np.float64))
    return _clockwise(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64))


def _side(outline: Floats, start: Floats, end: Floats) -> Floats:
    """The line (3,), a x + b y + c = 0, along an outline between two corners."""
    length = max(float(np.linalg.norm(end - start)), 1.0)
    way = (end - start) / length
    along = (outline - start) @ way / length
    across = np.abs((outline - start) @ np.array([-way[1], way[0]]))
    near = outline[(along > 0.1) & (along < 0.9) & (across < 0.06 * length)]
    near = near[:: max(1, len(near) // 80)]
    if len(near) < 10:
        near = np.array([start, end])
    x, y, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([y, -x, x * py - y * px], np.float64)


def _clockwise(corners: Floats) -> Floats:
    away = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.asarray(np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0))


def _upright(corners: Floats) -> Quad:
    first, second, third, fourth = ((x, y) for x, y in corners.tolist())
    return first, second, third, fourth


def _area(outline: Floats) -> float:
    return max(1.0, float(cv2.contourArea(outline.astype(np.float32))))
