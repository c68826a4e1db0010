"""Photos of a Swoggle board that was never written on: prints of many makes, hands and cameras."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.reading import Point
from vision.render.camera import Camera, Pose
from vision.render.handwriting import Hand, scribble, strike, strokes_of, write
from vision.render.lens import Photo, bent, bent_points, captured, lit, random_lens, random_light
from vision.render.sheets import lay, plane_of
from vision.render.styles import Colour
from vision.render.surroundings import paint_table
from vision.render.textures import random_table
from vision.render.typefaces import shipped_typefaces
from vision.swoggle.printed import Cell, Ground, PrintedBoard, PrintedSquare

SHEET_PX = 64
"""Pixels a square of a sheet."""

SCRIBBLE = "*"
"""A sign for a square that is filled with anything."""

_BLACK: Colour = (20, 20, 20)


@dataclass(frozen=True)
class BoardStyle:
    """How a board is printed; lengths in squares.

    Attributes:
        paper: colour around the squares.
        grounds: colours of the squares.
        line: colour of the lines.
        thickness: of the lines.
        frame: of the line around all squares.
        margin: paper around the squares.
        number: height of the numbers' typeface.
        corner: how far the middle of a number lies from the right and the upper edge.
        ink: colour of the numbers.
        typeface: path of its font.
        arm: length of the cross.
        bar: thickness of the cross.
        counted: rows and columns are numbered in the margin.
    """

    paper: Colour
    grounds: Mapping[Ground, Colour]
    line: Colour
    thickness: float
    frame: float
    margin: float
    number: float
    corner: tuple[float, float]
    ink: Colour
    typeface: str
    arm: float
    bar: float
    counted: bool


@dataclass(frozen=True)
class Sheet:
    """A flat board.

    Attributes:
        pixels: (height, width, 3), uint8, RGB.
        pitch: pixels a square.
        left: pixels from its left edge to the squares, as many as from its upper one.
    """

    pixels: Photo
    pitch: float
    left: float

    def middle(self, cell: Cell) -> Point:
        """Middle of a square, pixels."""
        row, col = cell
        return self.left + (col + 0.5) * self.pitch, self.left + (row + 0.5) * self.pitch


@dataclass(frozen=True)
class ViewOptions:
    """How a board is photographed.

    Attributes:
        size: (width, height), pixels.
        max_tilt: degrees from straight above, at most.
        yaw: least and largest turn of the board in the photo, degrees.
        share: least and largest share of the shorter side of the photo that the sheet takes; above
            1 some of it is cut off.
        shift: how far its middle may lie from that of the photo, in sides of the photo.
        variety: 0 good light on a plain table, to 1 any light in which a person still reads.
        busy: chance of a table with checks, print or squares, 0–1.
    """

    size: tuple[int, int] = (1600, 1200)
    max_tilt: float = 25.0
    yaw: tuple[float, float] = (-20.0, 20.0)
    share: tuple[float, float] = (0.75, 0.95)
    shift: float = 0.03
    variety: float = 0.3
    busy: float = 0.0


@dataclass(frozen=True)
class BoardShot:
    """A photo with its truth.

    Attributes:
        photo: (height, width, 3), uint8, RGB.
        corners_px: upper left, upper right, lower right, lower left of the squares.
    """

    photo: NDArray[np.uint8]
    corners_px: tuple[Point, Point, Point, Point]


def random_style(rng: np.random.Generator) -> BoardStyle:
    """A print of any make."""
    white = rng.uniform(238, 255)
    paper = (white, white - rng.uniform(0, 6), white - rng.uniform(0, 22))
    grey = rng.uniform(0, 150)
    ink, dark = rng.uniform(0, 120), rng.uniform(5, 50)
    return BoardStyle(
        paper=paper,
        grounds={
            Ground.PLAIN: _near(rng, (253, 253, 248), 4),
            Ground.BLACK: (dark, dark, dark),
            Ground.ORANGE: _near(rng, (243, 155, 60), 14),
            Ground.YELLOW: _near(rng, (246, 222, 80), 12),
            Ground.RED: _near(rng, (222, 66, 70), 16),
        },
        line=(grey, grey, grey * rng.uniform(0.85, 1)),
        thickness=rng.uniform(0.016, 0.04),
        frame=rng.choice([0.02, rng.uniform(0.03, 0.12)]),
        margin=rng.uniform(0.3, 1.4),
        number=rng.uniform(0.19, 0.32),
        corner=(rng.uniform(0.13, 0.2), rng.uniform(0.15, 0.22)),
        ink=(ink, ink, ink),
        typeface=shipped_typefaces().pick(rng).path,
        arm=rng.uniform(0.5, 0.95),
        bar=rng.uniform(0.06, 0.18),
        counted=bool(rng.random() < 0.5),
    )


def print_board(board: PrintedBoard, style: BoardStyle, pitch: int = SHEET_PX) -> Sheet:
    """A board before anything is written on it."""
    margin = style.margin * pitch
    size = [round(side * pitch + 2 * margin) for side in (board.cols, board.rows)]
    image = Image.new("RGB", (size[0], size[1]), _rgb(style.paper))
    draw = ImageDraw.Draw(image)
    sheet = Sheet(np.zeros(0, np.uint8), pitch, margin)
    for cell in board.cells:
        _print_square(draw, sheet.middle(cell), pitch, board[cell], style)
    _print_frame(draw, board, margin, pitch, style)
    if style.counted and style.margin > 0.5:
        _print_counts(draw, board, sheet, style)
    return replace(sheet, pixels=np.array(image))


def write_on(
    sheet: Sheet,
    signs: Mapping[Cell, str],
    hand: Hand,
    rng: np.random.Generator,
    struck: frozenset[Cell] = frozenset(),
) -> Sheet:
    """The sheet with signs written on it.

    Args:
        sheet: of any board.
        signs: of `vision.render.handwriting`, or `SCRIBBLE`, by square.
        hand: who writes.
        rng: decides where in its square each lies and what it looks like.
        struck: squares whose sign is struck out.
    """
    pixels = sheet.pixels.copy()
    for cell, sign in signs.items():
        strokes = scribble(hand, rng) if sign == SCRIBBLE else strokes_of(sign, hand, rng)
        strokes = strokes + (strike(hand, rng) if cell in struck else [])
        x, y = np.array(sheet.middle(cell)) + rng.normal(0, 0.045, 2) * sheet.pitch
        write(pixels, strokes, (float(x), float(y)), hand, rng, pitch=sheet.pitch)
    return replace(sheet, pixels=pixels)


def photograph_sheet(
    sheet: Sheet, board: PrintedBoard, rng: np.random.Generator, options: ViewOptions | None = None
) -> BoardShot:
    """A photo of a sheet that lies on a table.

    Args:
        sheet: of the board.
        board: how many squares it has.
        rng: decides everything; the same seed gives the same photo.
        options: limits of chance.
    """
    options = options or ViewOptions()
    light = random_light(rng, options.variety)
    camera = _framed(sheet, rng, options)
    photo = paint_table(options.size, camera, random_table(rng, options.busy), rng)
    lay(photo, camera, sheet.pixels, sheet.pitch, fineness=1.1)
    lens = random_lens(rng, camera.pose.pitch_px, options.variety)
    lens = replace(lens, distortion=0.5 * lens.distortion)
    taken = captured(lit(bent(photo, lens), light), lens, rng)
    margin = sheet.left / sheet.pitch
    ends = plane_of(board.rows, board.cols) + np.array([margin, margin, 0.0])
    seen = bent_points(camera.project(ends), options.size, lens)
    first, second, third, fourth = ((x, y) for x, y in seen.tolist())
    return BoardShot(taken, (first, second, third, fourth))


def _framed(sheet: Sheet, rng: np.random.Generator, options: ViewOptions) -> Camera:
    """A camera over the sheet, as the options say."""
    rows, cols = (side / sheet.pitch for side in sheet.pixels.shape[:2])
    pose = Pose(
        tilt=rng.uniform(0, options.max_tilt),
        azimuth=rng.uniform(0, 360),
        yaw=rng.uniform(*options.yaw),
        distance=rng.uniform(1.5, 3.5) * max(rows, cols),
        pitch_px=1.0,
        centre_px=(0.0, 0.0),
    )
    target = (cols / 2, rows / 2, 0.0)
    seen = Camera(pose, target).project(plane_of(rows, cols))
    size = np.array(options.size)
    scale = rng.uniform(*options.share) * float(np.min(size / np.ptp(seen, axis=0)))
    off = size * (0.5 + rng.uniform(-options.shift, options.shift, 2))
    x, y = (off - scale * (seen.min(axis=0) + seen.max(axis=0)) / 2).tolist()
    return Camera(replace(pose, pitch_px=scale, centre_px=(x, y)), target)


def _print_square(
    draw: ImageDraw.ImageDraw, middle: Point, pitch: float, square: PrintedSquare, style: BoardStyle
) -> None:
    (x, y), half = middle, pitch / 2
    width = max(1, round(style.thickness * pitch))
    box = (x - half, y - half, x + half, y + half)
    draw.rectangle(box, _rgb(style.grounds[square.ground]), _rgb(style.line), width)
    if square.cross:
        arm, bar = style.arm * half, style.bar * half
        draw.rectangle((x - arm, y - bar, x + arm, y + bar), _rgb(_BLACK))
        draw.rectangle((x - bar, y - arm, x + bar, y + arm), _rgb(_BLACK))
    if square.number:
        place = (x + half - style.corner[0] * pitch, y - half + style.corner[1] * pitch)
        font = ImageFont.truetype(style.typeface, max(4, round(style.number * pitch)))
        draw.text(place, square.number, _rgb(style.ink), font, "mm")


def _print_frame(
    draw: ImageDraw.ImageDraw, board: PrintedBoard, margin: float, pitch: float, style: BoardStyle
) -> None:
    width = max(1, round(style.frame * pitch))
    right, low = margin + board.cols * pitch, margin + board.rows * pitch
    box = (margin - width + 1, margin - width + 1, right + width - 1, low + width - 1)
    draw.rectangle(box, None, _rgb(style.line), width)


def _print_counts(
    draw: ImageDraw.ImageDraw, board: PrintedBoard, sheet: Sheet, style: BoardStyle
) -> None:
    font = ImageFont.truetype(style.typeface, round(0.3 * sheet.pitch))
    for col in range(board.cols):
        place = (sheet.middle((0, col))[0], sheet.left / 2)
        draw.text(place, str(col + 1), _rgb(style.ink), font, "mm")
    for row in range(board.rows):
        place = (sheet.left / 2, sheet.middle((row, 0))[1])
        draw.text(place, str(row + 1), _rgb(style.ink), font, "mm")


def _near(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    red, green, blue = np.clip(np.array(colour) + rng.normal(0, spread, 3), 0, 255).tolist()
    return red, green, blue


def _rgb(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(part) for part in colour)
    return red, green, blue
