"""Photos of what is no tray, but has rows and columns as a tray has: for tests and measurements.

Most things are drawn flat, `CELL_PX` pixels a cell, and laid on a table; keys are solids on a case.
Camera, light and lens are those of the trays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.render.camera import Camera, Pose
from vision.render.canvas import Solid, fill_solid, stamp
from vision.render.lens import Light, Photo, captured, lit, random_lens, random_light
from vision.render.mesh import rounded_cube
from vision.render.sheets import lay, plane_of
from vision.render.styles import Colour
from vision.render.surroundings import paint_table
from vision.render.textures import random_table, smooth_noise
from vision.render.typefaces import shipped_typefaces

CELL_PX = 64

_LETTERS = "EEEEAAAIIOONNRRTTLSSUDGBCMPFHVWYKJXQZ"
_DIGITS = "0123456789"
_PAPERS: tuple[Colour, ...] = (
    (252, 252, 250), (240, 234, 220), (246, 238, 200), (228, 236, 244), (216, 216, 214),
)  # fmt: skip
_INKS: tuple[Colour, ...] = ((16, 16, 18), (40, 40, 60), (20, 50, 120), (130, 24, 30))
_CASES: tuple[Colour, ...] = ((28, 28, 32), (60, 62, 66), (140, 142, 146), (205, 205, 205))
_CAPS: tuple[Colour, ...] = ((236, 234, 226), (212, 212, 210), (245, 245, 245), (44, 44, 48))
_SHELLS: tuple[Colour, ...] = ((236, 218, 196), (226, 186, 150), (250, 248, 244))


@dataclass(frozen=True)
class _Key:
    """A key: its middle and size in cells, and what stands on it."""

    x: float
    y: float
    width: float
    text: str


@dataclass(frozen=True)
class _Thing:
    """What lies on the table.

    Attributes:
        sheet: (rows · CELL_PX, cols · CELL_PX, 3), uint8, RGB.
        keys: that stand on the sheet.
    """

    sheet: Photo
    keys: tuple[_Key, ...] = ()


class _Page:
    """A page of rows and columns under a pen."""

    def __init__(self, rows: int, cols: int, rng: np.random.Generator) -> None:
        self.rows, self.cols = rows, cols
        self.paper = _PAPERS[rng.integers(len(_PAPERS))]
        self.ink = _INKS[rng.integers(len(_INKS))]
        self._image = Image.new("RGB", (cols * CELL_PX, rows * CELL_PX), _rgb(self.paper))
        self._draw = ImageDraw.Draw(self._image)
        self._typeface = shipped_typefaces().pick(rng).path

    @property
    def cells(self) -> Iterable[tuple[int, int]]:
        return ((row, col) for row in range(self.rows) for col in range(self.cols))

    def thing(self) -> _Thing:
        return _Thing(np.array(self._image))

    def fill(self, row: float, col: float, size: float, colour: Colour) -> None:
        """A square around the middle of a cell."""
        self._draw.rectangle(self._around(row, col, size), fill=_rgb(colour))

    def disc(self, row: float, col: float, size: float, colour: Colour) -> None:
        self._draw.ellipse(self._around(row, col, size), fill=_rgb(colour))

    def bar(self, row: float, col: float, size: tuple[float, float], colour: Colour) -> None:
        """A rectangle (height, width) from its upper left corner, in cells."""
        left, top = col * CELL_PX, row * CELL_PX
        box = (left, top, left + size[1] * CELL_PX, top + size[0] * CELL_PX)
        self._draw.rectangle(box, fill=_rgb(colour))

    def rule(self, width: float, every: int = 1) -> None:
        """Lines between every so many cells, of a width in cells."""
        for row in range(0, self.rows + 1, every):
            self.bar(row - width / 2, 0, (width, self.cols), self.ink)
        for col in range(0, self.cols + 1, every):
            self.bar(0, col - width / 2, (self.rows, width), self.ink)

    def write(
        self, row: int, col: int, text: str, size: float, at: tuple[float, float] = (0.5, 0.5)
    ) -> None:
        """Write in a cell, around a place (x, y) in it."""
        font = ImageFont.truetype(self._typeface, max(6, round(size * CELL_PX)))
        place = ((col + at[0]) * CELL_PX, (row + at[1]) * CELL_PX)
        self._draw.text(place, text, _rgb(self.ink), font, "mm")

    def _around(self, row: float, col: float, size: float) -> tuple[float, float, float, float]:
        x, y, half = (col + 0.5) * CELL_PX, (row + 0.5) * CELL_PX, size * CELL_PX / 2
        return x - half, y - half, x + half, y + half


def render_negative(kind: str, rng: np.random.Generator, size: tuple[int, int]) -> Photo:
    """A photo of something of a kind.

    Args:
        kind: one of `NEGATIVES`.
        rng: decides everything; the same seed gives the same photo.
        size: (width, height), pixels.

    Returns:
        (height, width, 3), uint8, RGB.
    """
    thing = NEGATIVES[kind](rng)
    rows, cols = (side / CELL_PX for side in thing.sheet.shape[:2])
    variety = rng.uniform(0.1, 0.6)
    light = random_light(rng, variety)
    camera = _framed(rows, cols, rng, size)
    photo = paint_table(size, camera, random_table(rng), rng)
    lay(photo, camera, thing.sheet, CELL_PX)
    _paint_keys(photo, camera, thing.keys, light, rng)
    lens = random_lens(rng, camera.pose.pitch_px, variety)
    return captured(lit(photo, light), lens, rng)


def _framed(rows: float, cols: float, rng: np.random.Generator, size: tuple[int, int]) -> Camera:
    """A camera that sees all or the most of a sheet, from anywhere above."""
    pose = Pose(
        tilt=rng.uniform(0, 35),
        azimuth=rng.uniform(0, 360),
        yaw=float(rng.choice([rng.uniform(-6, 6), rng.uniform(-45, 45)])),
        distance=rng.uniform(1.8, 4.0) * max(rows, cols),
        pitch_px=1.0,
        centre_px=(0.0, 0.0),
    )
    target = (cols / 2, rows / 2, 0.0)
    seen = Camera(pose, target).project(plane_of(rows, cols))
    scale = rng.uniform(0.35, 1.1) * float(np.min(np.array(size) / np.ptp(seen, axis=0)))
    x, y = (np.array(size) * rng.uniform(0.42, 0.58, 2)).tolist()
    return Camera(replace(pose, pitch_px=scale, centre_px=(x, y)), target)


def _paint_keys(
    photo: Photo,
    camera: Camera,
    keys: tuple[_Key, ...],
    light: Light,
    rng: np.random.Generator,
) -> None:
    """Paint keys of one make, in place."""
    body = _CAPS[rng.integers(len(_CAPS))]
    ink = np.array((235.0, 235.0, 235.0) if sum(body) < 300 else (30.0, 30.0, 34.0))
    height, edge = rng.uniform(0.15, 0.5), rng.uniform(0.8, 0.94)
    size, path = rng.uniform(0.3, 0.55), shipped_typefaces().pick(rng).path
    place = np.array([0.0, 0.0] if rng.random() < 0.5 else [-0.12, -0.12])
    mesh = rounded_cube(round(rng.uniform(0.06, 0.5), 2), 0.05, 4)
    for key in sorted(keys, key=lambda key: -float(camera.depth(np.array([key.x, key.y, 0.0])))):
        axes = np.diag([key.width - 1 + edge, edge, height])
        middle = np.array([key.x, key.y, -height / 2])
        fill_solid(photo, camera, Solid.of(mesh, body, light, axes, middle))
        mask = _text_mask(key.text, path)
        half = np.array(mask.shape[::-1]) / mask.shape[0] * size / 2
        half *= min(1.0, 0.4 * key.width / half[0])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [key.x, key.y] + place
        stamp(photo, mask, camera.project(np.column_stack([flat, np.full(4, -height)])), ink)


def _text_mask(text: str, path: str) -> Photo:
    font = ImageFont.truetype(path, 48)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(text))
    image = Image.new("L", (max(1, right - left) + 4, max(1, bottom - top) + 4))
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, 255, font)
    return np.array(image)


def _rgb(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(part) for part in colour)
    return red, green, blue


def _any(rng: np.random.Generator, signs: str) -> str:
    return signs[rng.integers(len(signs))]


def _letter_grid(rng: np.random.Generator) -> _Thing:
    """A few rows of printed letters, ruled or not, with a margin of paper or none."""
    side, margin = int(rng.integers(3, 7)), int(rng.integers(2))
    page = _Page(side + 2 * margin, side + 2 * margin, rng)
    width = float(rng.choice([0.0, rng.uniform(0.015, 0.08)]))
    for row in range(margin, margin + side):
        for col in range(margin, margin + side):
            if width:
                page.fill(row, col, 1 + width, page.ink)
                page.fill(row, col, 1 - width, page.paper)
            page.write(row, col, _any(rng, _LETTERS), 0.75)
    return page.thing()


def _crossword(rng: np.random.Generator) -> _Thing:
    """White and black squares, small numbers, letters in some or all."""
    side, solved = int(rng.integers(4, 14)), rng.choice([0.0, 0.5, 1.0])
    page = _Page(side, side, rng)
    for number, (row, col) in enumerate(page.cells):
        if rng.random() < 0.2:
            page.fill(row, col, 1.0, page.ink)
            continue
        if rng.random() < 0.4:
            page.write(row, col, str(number), 0.25, (0.17, 0.17))
        if rng.random() < solved:
            page.write(row, col, _any(rng, _LETTERS), 0.6)
    page.rule(rng.uniform(0.02, 0.06))
    return page.thing()


def _word_search(rng: np.random.Generator) -> _Thing:
    """Many rows of printed letters without lines."""
    side = int(rng.integers(7, 15))
    page = _Page(side, side, rng)
    for row, col in page.cells:
        page.write(row, col, _any(rng, _LETTERS), 0.6)
    return page.thing()


def _sudoku(rng: np.random.Generator) -> _Thing:
    """Digits in nine by nine, or four by four."""
    block = int(rng.choice([2, 3, 3]))
    page = _Page(block**2, block**2, rng)
    given = rng.uniform(0.35, 1.0)
    for row, col in page.cells:
        if rng.random() < given:
            page.write(row, col, str(rng.integers(1, block**2 + 1)), 0.65)
    page.rule(0.025)
    page.rule(0.07, block)
    return page.thing()


def _digits(rng: np.random.Generator) -> _Thing:
    """A sheet of single digits, as children learn them."""
    page = _Page(int(rng.integers(3, 7)), int(rng.integers(3, 7)), rng)
    width = float(rng.choice([0.0, 0.03]))
    for row, col in page.cells:
        page.write(row, col, _any(rng, _DIGITS), 0.75)
    if width:
        page.rule(width)
    return page.thing()


def _bingo(rng: np.random.Generator) -> _Thing:
    """Five columns of numbers under a word of five letters."""
    page = _Page(6, 5, rng)
    for row, col in page.cells:
        text = "BINGO"[col] if row == 0 else str(15 * col + rng.integers(1, 16))
        page.write(row, col, text, 0.75 if row == 0 else 0.5)
    page.rule(rng.uniform(0.03, 0.08))
    return page.thing()


def _calendar(rng: np.random.Generator) -> _Thing:
    """A month: weekdays over numbered boxes, ruled or apart."""
    page = _Page(6, 7, rng)
    centred, apart = rng.random() < 0.5, rng.random() < 0.4
    for number, (row, col) in enumerate(page.cells):
        if row == 0:
            page.write(row, col, "MTWTFSS"[col], 0.4)
            continue
        if apart:
            page.fill(row, col, 0.96, page.ink)
            page.fill(row, col, 0.88, page.paper)
        place = (0.5, 0.5) if centred else (0.25, 0.25)
        page.write(row, col, str((number - 7) % 31 + 1), 0.5 if centred else 0.32, place)
    if not apart:
        page.rule(0.03)
    return page.thing()


def _newspaper(rng: np.random.Generator) -> _Thing:
    """Columns of lines, headlines and pictures."""
    page = _Page(12, 9, rng)
    for row, col in page.cells:
        if row % 6 == 0 and col % 3 == 0:
            for letter in range(int(rng.integers(4, 7))):
                page.write(row, col, _any(rng, _LETTERS), 0.55, (0.25 + 0.45 * letter, 0.5))
        elif rng.random() < 0.08:
            page.fill(row, col, 0.9, (120, 118, 116))
        elif row % 6:
            for line in range(3):
                text = "".join(_any(rng, _LETTERS.lower()) for _ in range(6))
                page.write(row, col, text, 0.22, (0.5, 0.2 + 0.3 * line))
    return page.thing()


def _chessboard(rng: np.random.Generator) -> _Thing:
    """Light and dark squares, with pieces from above."""
    page = _Page(8, 8, rng)
    for row, col in page.cells:
        if (row + col) % 2:
            page.fill(row, col, 1.0, page.ink)
        if rng.random() < 0.3:
            page.disc(row, col, rng.uniform(0.5, 0.75), _CAPS[rng.integers(len(_CAPS))])
    return page.thing()


def _tiles(rng: np.random.Generator) -> _Thing:
    """A tiled wall, some tiles with an ornament."""
    page = _Page(int(rng.integers(4, 9)), int(rng.integers(4, 9)), rng)
    motif, share = _any(rng, "✻XOIH+"), rng.choice([0.0, 0.3, 1.0])
    for row, col in page.cells:
        page.fill(row, col, 1.0, page.ink)
        page.fill(row, col, rng.uniform(0.9, 0.94), page.paper)
        if rng.random() < share:
            page.write(row, col, motif, 0.7)
    return page.thing()


def _windows(rng: np.random.Generator) -> _Thing:
    """A house front: dark windows with a cross of light bars, some lit."""
    page = _Page(int(rng.integers(4, 8)), int(rng.integers(4, 8)), rng)
    lit_share = rng.uniform(0.0, 0.8)
    for row, col in page.cells:
        is_lit = rng.random() < lit_share
        page.fill(row, col, 0.7, (250, 236, 190) if is_lit else page.ink)
        page.bar(row + 0.15, col + 0.47, (0.7, 0.06), page.paper)
        page.bar(row + 0.4, col + 0.15, (0.06, 0.7), page.paper)
    return page.thing()


def _shelf(rng: np.random.Generator) -> _Thing:
    """Compartments with books on end, a vase, or nothing."""
    page = _Page(int(rng.integers(3, 6)), int(rng.integers(3, 6)), rng)
    for row, col in page.cells:
        page.fill(row, col, 0.9, (70, 60, 52))
        for book in range(int(rng.integers(0, 7))):
            height = rng.uniform(0.5, 0.85)
            red, green, blue = rng.uniform(60, 230, 3).tolist()
            place = row + 0.95 - height, col + 0.08 + 0.12 * book
            page.bar(*place, (height, 0.1), (red, green, blue))
    return page.thing()


def _egg_box(rng: np.random.Generator) -> _Thing:
    """Cups of grey board with eggs in some, lit from one side."""
    return _hollows(rng, (150, 142, 132), float(rng.uniform(0.4, 1.0)))


def _muffin_tin(rng: np.random.Generator) -> _Thing:
    """Round hollows in a dark tin."""
    return _hollows(rng, _CASES[rng.integers(3)], 0.0)


def _hollows(rng: np.random.Generator, board: Colour, full: float) -> _Thing:
    page = _Page(int(rng.integers(3, 7)), int(rng.integers(3, 7)), rng)
    page.bar(0, 0, (page.rows, page.cols), board)
    shell = _SHELLS[rng.integers(len(_SHELLS))]
    lean = rng.uniform(-0.06, 0.06, 2)
    for row, col in page.cells:
        egg = rng.random() < full
        for ring in np.linspace(0, 1, 7):
            deep = 0.85 - 0.45 * ring
            light = 0.75 + 0.25 * ring if egg else 0.75 - 0.35 * ring
            red, green, blue = (light * part for part in (shell if egg else board))
            page.disc(row + ring * lean[0], col + ring * lean[1], deep, (red, green, blue))
    return page.thing()


def _keyboard(rng: np.random.Generator) -> _Thing:
    """Rows of keys, each a little to the right of the one above, or straight below each other."""
    stagger = float(rng.choice([0.0, 0.25, 0.35]))
    rows = ["1234567890", "QWERTYUIOP", "ASDFGHJKL;", "ZXCVBNM,./"][int(rng.integers(2)) :]
    keys = [
        _Key(1 + col + stagger * row, 1.0 + row, 1.0, sign)
        for row, signs in enumerate(rows)
        for col, sign in enumerate(signs)
    ]
    keys.append(_Key(5.0, 1.0 + len(rows), 5.0, " "))
    return _Thing(_case(rng, len(rows) + 2, 12), tuple(keys))


def _keypad(rng: np.random.Generator) -> _Thing:
    """A pad of digits: a telephone's, a calculator's, a number block."""
    layouts = ("123/456/789/*0#", "123A/456B/789C/*0#D", "789÷/456×/123-/0.=+", "789/456/123")
    rows = layouts[rng.integers(len(layouts))].split("/")
    keys = [
        _Key(1 + col, 1.0 + row, 1.0, sign)
        for row, signs in enumerate(rows)
        for col, sign in enumerate(signs)
    ]
    return _Thing(_case(rng, len(rows) + 1, len(rows[0]) + 1), tuple(keys))


def _button_panel(rng: np.random.Generator) -> _Thing:
    """Buttons with a word, a sign or a floor on each."""
    rows, cols = (int(side) for side in rng.integers(3, 7, 2))
    words = ("ON", "OFF", "▲", "▼", "SET", "MODE", "+", "-", "OK", "◀", "▶", "F1", "12", "7", "EG")
    keys = [
        _Key(1.0 + col, 1.0 + row, 1.0, words[rng.integers(len(words))])
        for row in range(rows)
        for col in range(cols)
    ]
    return _Thing(_case(rng, rows + 1, cols + 1), tuple(keys))


def _case(rng: np.random.Generator, rows: int, cols: int) -> Photo:
    """The even face of a device, a little dirty."""
    shape = (rows * CELL_PX, cols * CELL_PX)
    shade = 0.9 + 0.2 * smooth_noise(rng, shape, (4, 4))[..., None]
    colour = np.array(_CASES[rng.integers(len(_CASES))])
    return np.asarray(np.clip(colour * shade, 0, 255), np.uint8)


NEGATIVES: dict[str, Callable[[np.random.Generator], _Thing]] = {
    "letter grid": _letter_grid,
    "crossword": _crossword,
    "word search": _word_search,
    "sudoku": _sudoku,
    "digits": _digits,
    "bingo card": _bingo,
    "calendar": _calendar,
    "newspaper": _newspaper,
    "chessboard": _chessboard,
    "tiles": _tiles,
    "windows": _windows,
    "shelf": _shelf,
    "egg box": _egg_box,
    "muffin tin": _muffin_tin,
    "keyboard": _keyboard,
    "keypad": _keypad,
    "button panel": _button_panel,
}
"""What may look like a tray, by name."""
