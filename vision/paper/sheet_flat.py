"""A bent, folded or crumpled sheet laid flat: its own printed lines tell where each row went.

The homography of the marks is right for a flat sheet alone. So each row is looked for near where it
should be, strip by strip down the page, and the page is warped until all lines lie where they were
printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Homography, apply
from vision.paper.sheet import Rect, SheetLayout, lines_of
from vision.scaling import shrunk

PX_PER_MM = 6.0
"""Of a sheet that lies flat."""

_COARSE = 3.0  # pixels a millimetre while rows are looked for
_PAPER_MM = 4.0  # wider than a stroke of a pen: there is bare paper within it anywhere
_BARE = 0.86  # of the brightest nearby: what is as bright is bare paper
_DEEPEST = 0.45  # depth from which ink counts as print does, so that writing outweighs no line
_FAR, _ASIDE = 14.0, 2.6  # mm that a row may lie off down the page and across it
_FINE_REACH = 1.3  # the same, for pieces of rows once they are near
_STRIP = 46.0  # mm, width of strips, about
_PIECES = (18.0, 11.0)  # the same of pieces, one round after the other
_BEND = 2.1  # mm that the offset of a row may differ from that of the row before it
_STIFF = 0.02  # cost a millimetre of such a difference
_ANCHOR, _HELD, _NEAR = 0.02, 0.2, 4.0  # of an offset next to marks, and beyond so many mm
_ALONG = 0.02  # cost a millimetre of an offset across the page
_LIKE = 0.2  # likeness of a row to what is printed there, below which it is not believed
_SEEN = 0.4  # of the usual depth of a line: what is as deep is seen

Floats32 = NDArray[np.float32]
Offsets = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FlatSheet:
    """A sheet seen from straight above, `PX_PER_MM` pixels a millimetre.

    Attributes:
        layout: where everything is on it.
        depth: (height, width, 3), float32, red, green and blue: share of the paper's light that a
            pixel lacks, 0–1.
        to_photo: homography from millimetres to photo pixels, of the marks.
        bend: by how much more each place lies off.
        size: (width, height) of the photo, pixels.
    """

    layout: SheetLayout
    depth: Floats32
    to_photo: Homography
    bend: Bend
    size: tuple[int, int]

    @cached_property
    def lines(self) -> NDArray[np.bool_]:
        """Pixels (height, width) on which a line of a row or box, or a circle, is printed."""
        return _expected(self.layout, PX_PER_MM) > 0.3

    @cached_property
    def _lines_seen(self) -> NDArray[np.bool_]:
        """Pixels (height, width) near which something as deep as the printed lines is."""
        depth = np.ascontiguousarray(self.depth[..., 2])  # print is darkest in blue light
        usual = float(np.median(depth[self.lines]))
        near = cv2.dilate(depth, np.ones((3, 3), np.uint8))
        return np.asarray(near > max(_SEEN * usual, 0.04))

    def visible(self, rect: Rect) -> float:
        """Share of the printed lines in a part that is seen, 0–1; 1 where none is there."""
        part = _pixels(rect, PX_PER_MM)
        lines = self.lines[part]
        return float(self._lines_seen[part][lines].mean()) if lines.any() else 1.0

    def in_photo(self, places: Offsets) -> Offsets:
        """Photo pixels (n, 2) of places (n, 2) in millimetres."""
        return apply(self.to_photo, places + self.bend.at(places))


@dataclass(frozen=True, eq=False)
class Bend:
    """How far places lie off from where the marks say, in millimetres.

    Attributes:
        x: of the columns of ``offsets``, mm, rising.
        y: of its rows, mm, rising.
        offsets: (rows, columns, 2), to the right and down.
    """

    x: Offsets
    y: Offsets
    offsets: Offsets

    def at(self, places: Offsets) -> Offsets:
        """Offsets (n, 2) at places (n, 2), mm."""
        grid = self.sampled(np.unique(places[:, 0]), np.unique(places[:, 1]))
        col = np.searchsorted(np.unique(places[:, 0]), places[:, 0])
        row = np.searchsorted(np.unique(places[:, 1]), places[:, 1])
        return np.asarray(grid[row, col])

    def sampled(self, x: Offsets, y: Offsets) -> Offsets:
        """Offsets (y, x, 2) at all places of a grid; beyond its edges as at them."""
        down = np.array([[np.interp(y, self.y, line) for line in part.T] for part in self._parts])
        both = [[np.interp(x, self.x, line) for line in part.T] for part in down]
        return np.moveaxis(np.array(both), 0, -1)

    @property
    def _parts(self) -> Offsets:
        return np.moveaxis(self.offsets, -1, 0)

    def plus(self, other: Bend) -> Bend:
        """Both together, at the places of the other one."""
        return Bend(other.x, other.y, other.offsets + self.sampled(other.x, other.y))


def flattened(
    photo: NDArray[np.uint8], layout: SheetLayout, to_photo: Homography, seen: frozenset[int]
) -> FlatSheet:
    """A sheet of a photo, laid flat.

    Args:
        photo: (height, width, 3), RGB.
        layout: of the sheet.
        to_photo: homography from millimetres to photo pixels, as its marks tell.
        seen: the marks, as of `vision.paper.sheet_find.FoundSheet`.
    """
    photo_size = (photo.shape[1], photo.shape[0])
    picture, homography = _as_fine_as_needed(photo, layout, to_photo)
    expected = _expected(layout, _COARSE)
    level = Bend(np.array([0.0]), np.array([0.0]), np.zeros((1, 1, 2)))
    near = _depth(_warped(picture, layout, homography, level, _COARSE), _COARSE)
    bend = _tracked(_print_of(near), expected, layout, seen)
    for width in _PIECES:
        near = _depth(_warped(picture, layout, homography, bend, _COARSE), _COARSE)
        bend = bend.plus(_settled(_print_of(near), expected, layout, width))
    fine = _depth(_warped(picture, layout, homography, bend, PX_PER_MM), PX_PER_MM)
    return FlatSheet(layout, fine, to_photo, bend, photo_size)


def part_of(rect: Rect, margin: float = 0.0) -> tuple[slice, slice]:
    """Pixels (rows, columns) of a flat sheet that a rectangle and a margin around it take, mm."""
    grown = Rect(
        rect.x - margin, rect.y - margin, rect.width + 2 * margin, rect.height + 2 * margin
    )
    return _pixels(grown, PX_PER_MM)


def _as_fine_as_needed(
    photo: NDArray[np.uint8], layout: SheetLayout, to_photo: Homography
) -> tuple[NDArray[np.uint8], Homography]:
    """The photo shrunk where it is far finer than a flat sheet, and the homography to it."""
    page = Rect(0, 0, layout.page.width, layout.page.height)
    corners = apply(to_photo, np.array(page.corners))
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    lengths = np.array([page.height, page.width, page.height, page.width])
    scale = 1.2 * PX_PER_MM / float((sides / lengths).max())
    if scale >= 0.9:
        return photo, to_photo
    small = shrunk(photo, scale)
    zoom = small.shape[1] / photo.shape[1]
    shift = np.array([[zoom, 0, zoom / 2 - 0.5], [0, zoom, zoom / 2 - 0.5], [0, 0, 1]])
    return small, shift @ to_photo


def _warped(
    picture: NDArray[np.uint8], layout: SheetLayout, homography: Homography, bend: Bend, zoom: float
) -> NDArray[np.uint8]:
    """The page from straight above; what lies outside the picture is black."""
    width, height = round(layout.page.width * zoom), round(layout.page.height * zoom)
    step = 4.0  # mm between the places that are computed
    x = np.arange(0, layout.page.width + step, step)
    y = np.arange(0, layout.page.height + step, step)
    places = np.stack(np.meshgrid(x, y), axis=-1) + bend.sampled(x, y)
    sources = apply(homography, places.reshape(-1, 2)).reshape(*places.shape)
    spread = np.array([[zoom * step, 0, -0.5], [0, zoom * step, -0.5]])
    maps = [
        cv2.warpAffine(
            np.ascontiguousarray(sources[..., axis], np.float32), spread, (width, height),
            borderMode=cv2.BORDER_REPLICATE,
        )
        for axis in (0, 1)
    ]  # fmt: skip
    return np.asarray(cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)


def _depth(page: NDArray[np.uint8], zoom: float) -> Floats32:
    """Share (height, width, 3) of the paper's light that each pixel lacks, 0–1."""
    shrink = 2.0 / zoom  # the paper changes slowly
    soft = cv2.GaussianBlur(page, (0, 0), 0.12 * zoom)
    small = cv2.resize(soft, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    side = round(2.0 * _PAPER_MM) | 1
    brightest = cv2.dilate(small, np.ones((side, side), np.uint8))
    bare = (small > _BARE * cv2.blur(brightest, (side, side))).astype(np.float32)
    amount = cv2.blur(bare, (side, side))
    paper = cv2.blur(small * bare, (side, side)) / np.maximum(amount, 1e-3)
    paper = np.where(amount > 0.02, paper, brightest).astype(np.float32)
    whole = cv2.resize(paper, page.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    light = soft.astype(np.float32) / np.maximum(whole, 1)
    return np.asarray(np.clip(1 - light, 0, 1), np.float32)


def _print_of(depth: Floats32) -> Floats32:
    return np.asarray(np.minimum(depth[..., 2], _DEEPEST), np.float32)


def _expected(layout: SheetLayout, zoom: float) -> Floats32:
    """Where lines and circles are printed: (height, width), 0–1."""
    size = (round(layout.page.height * zoom), round(layout.page.width * zoom))
    drawn = np.zeros(size, np.uint8)
    fine = 16.0 * zoom
    for ends in lines_of(layout):
        start, end = ((round(fine * x - 8), round(fine * y - 8)) for x, y in ends)
        cv2.line(drawn, start, end, 255, 1, cv2.LINE_AA, 4)
    for row in layout.rows:
        middle = (round(fine * row.bubble[0] - 8), round(fine * row.bubble[1] - 8))
        cv2.circle(drawn, middle, round(fine * layout.bubble_radius), 255, 1, cv2.LINE_AA, 4)
    return np.asarray(drawn / 255, np.float32)


def _tracked(
    seen: Floats32, expected: Floats32, layout: SheetLayout, marks: frozenset[int]
) -> Bend:
    """Offsets of whole rows, strip by strip, each followed down the page."""
    strips = _spans(layout, _STRIP)
    lines = sorted({row.writing.y for row in layout.rows})
    reach = (_FAR, _ASIDE)
    columns = []
    for strip in strips:
        likeness = [_likeness(seen, expected, _around(strip, top, layout), reach) for top in lines]
        columns.append(_followed(np.array(likeness), marks))
    return _bend(strips, lines, layout, np.array(columns).swapaxes(0, 1))


def _settled(seen: Floats32, expected: Floats32, layout: SheetLayout, width: float) -> Bend:
    """What the pieces of rows are still off, once all are near."""
    pieces = _spans(layout, width)
    lines = sorted({row.writing.y for row in layout.rows})
    reach = (_FINE_REACH, _FINE_REACH)
    found = [
        [_best(_likeness(seen, expected, _around(piece, top, layout), reach)) for piece in pieces]
        for top in lines
    ]
    return _bend(pieces, lines, layout, np.array(found))


def _spans(layout: SheetLayout, width: float) -> list[tuple[float, float]]:
    """Left and right edges of the parts that the columns are seen in, about as wide as asked."""
    spans = []
    first_rows = {row.column: row for row in reversed(layout.rows)}
    for _, row in sorted(first_rows.items()):
        left, right = row.writing.x - 1, row.bubble[0] + layout.bubble_radius + 1
        count = max(1, round((right - left) / width))
        edges = np.linspace(left, right, count + 1).tolist()
        spans += list(pairwise(edges))
    return spans


def _around(span: tuple[float, float], top: float, layout: SheetLayout) -> Rect:
    return Rect(span[0], top - 0.7, span[1] - span[0], layout.pitch + 0.6)


def _likeness(
    seen: Floats32, expected: Floats32, rect: Rect, reach: tuple[float, float]
) -> Floats32:
    """How much a part of the page, moved down and across by up to so far, looks as printed there.

    Returns:
        (2 down + 1, 2 across + 1), -1–1, in pixels of the coarse page.
    """
    down, across = (round(_COARSE * far) for far in reach)
    rows, cols = _pixels(rect, _COARSE)
    template = expected[rows, cols]
    top, left = rows.start - down, cols.start - across
    bottom, right = rows.stop + down, cols.stop + across
    inside = seen[max(0, top) : bottom, max(0, left) : right]
    area = cv2.copyMakeBorder(
        inside, max(0, -top), max(0, bottom - seen.shape[0]), max(0, -left),
        max(0, right - seen.shape[1]), cv2.BORDER_CONSTANT,
    )  # fmt: skip
    found = cv2.matchTemplate(area, template, cv2.TM_CCOEFF_NORMED)
    finite = np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0).clip(-1, 1)
    # a plain line looks the same wherever it is moved along itself
    far = np.abs(np.arange(-across, across + 1)) / _COARSE
    return np.asarray(finite - _ALONG * far, np.float32)


def _best(likeness: Floats32) -> tuple[float, float, float]:
    """Offset across and down, mm, at which a part looks most as printed, and how much it does."""
    row, col = np.unravel_index(int(likeness.argmax()), likeness.shape)
    middle = np.array(likeness.shape) // 2
    x = col + _peak(likeness[row], int(col)) - middle[1]
    y = row + _peak(likeness[:, col], int(row)) - middle[0]
    return x / _COARSE, y / _COARSE, float(likeness[row, col])


def _peak(values: Floats32, place: int) -> float:
    """How far from a place of the highest value a parabola has its top."""
    if not 0 < place < len(values) - 1:
        return 0.0
    before, here, after = values[place - 1 : place + 2].tolist()
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float(0.5 * (before - after) / bend)


def _followed(likeness: Floats32, marks: frozenset[int]) -> Offsets:
    """Offsets of the rows of a strip and how much each looks as printed: the likeliest of all.

    Neighbours differ by little and the rows next to the marks lie hardly off (Viterbi's search):
    so no row is taken for its neighbour, which looks the same.

    Args:
        likeness: (rows, down, across), as of `_likeness`.
        marks: that were seen.

    Returns:
        (rows, 3): across and down, mm, and the likeness.
    """
    score = likeness.max(axis=2)
    count = score.shape[1]
    off = np.abs(np.arange(count) - count // 2) / _COARSE
    held = _ANCHOR * off + _HELD * np.maximum(off - _NEAR, 0)
    step = round(_BEND * _COARSE)
    anchored = {0: bool(marks & {0, 1}), len(score) - 1: bool(marks & {2, 3})}
    total = score[0] - held * anchored[0]
    came_from = []
    for row in range(1, len(score)):
        total, source = _stepped(total, step)
        came_from.append(source)
        total = total + score[row]
        if row == len(score) - 1:
            total = total - held * anchored[row]
    path = [int(total.argmax())]
    for source in reversed(came_from):
        path.append(int(source[path[-1]]))
    return np.array([_at(likeness[row], down) for row, down in enumerate(reversed(path))])


def _stepped(total: Floats32, step: int) -> tuple[Floats32, NDArray[np.int64]]:
    """The best total that each offset can be reached with from the row before, and from where."""
    padded = np.pad(total, step, constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * step + 1)
    cost = _STIFF * np.abs(np.arange(-step, step + 1)) / _COARSE
    reached = windows - cost
    best = reached.argmax(axis=1)
    places = np.arange(len(total)) + best - step
    return np.asarray(reached.max(axis=1), np.float32), places


def _at(likeness: Floats32, down: int) -> tuple[float, float, float]:
    across = int(likeness[down].argmax())
    middle = likeness.shape[0] // 2, likeness.shape[1] // 2
    x = across + _peak(likeness[down], across) - middle[1]
    y = down + _peak(likeness[:, across], down) - middle[0]
    return x / _COARSE, y / _COARSE, float(likeness[down, across])


def _bend(
    spans: list[tuple[float, float]], lines: list[float], layout: SheetLayout, found: Offsets
) -> Bend:
    """A smooth bend through offsets (lines, spans, 3), each believed as much as it looks right."""
    trust = np.clip(found[..., 2] - _LIKE, 0.001, None) ** 2
    kernel = np.array([0.25, 1.0, 0.25])
    summed = _blurred(found[..., :2] * trust[..., None], kernel)
    weight = _blurred(trust[..., None], kernel)
    x = np.array([(left + right) / 2 for left, right in spans])
    y = np.array(lines) + layout.pitch / 2
    return Bend(x, y, summed / weight)


def _blurred(values: Offsets, kernel: Offsets) -> Offsets:
    """Values (lines, spans, n) mixed with those of the lines above and below."""
    padded = np.pad(values, ((1, 1), (0, 0), (0, 0)))
    parts = [share * padded[place : place + len(values)] for place, share in enumerate(kernel)]
    return np.asarray(np.sum(parts, axis=0))


def _pixels(rect: Rect, zoom: float) -> tuple[slice, slice]:
    top, left = round(rect.y * zoom), round(rect.x * zoom)
    return (
        slice(max(0, top), top + round(rect.height * zoom)),
        slice(max(0, left), left + round(rect.width * zoom)),
    )
