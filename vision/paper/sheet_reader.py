"""Photos and scans of printed word sheets → whose each is, and what its rows say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import NoSheetError, SheetCutOffError, VisionError
from vision.letters_net import LABELS
from vision.paper.boxed import SURE, BoxedWord, read_word
from vision.paper.letters import GLYPH_PX, BoxLetters, depth_of, glyph_of, without_accent
from vision.paper.reading import Quad, WordImage, WordListReading
from vision.paper.sheet import Label, Rect, RowPlace, SheetLayout, layout_of
from vision.paper.sheet_find import FoundSheet, marks_in, read_code, sheets_of
from vision.paper.sheet_flat import PX_PER_MM, FlatSheet, flattened, part_of
from vision.paper.strikes import Marks, marks_on, usual_of
from vision.reading import Point
from vision.swoggle.reading import EMPTY, OTHER

_MARGIN_PX = 7  # around a box, as the net was trained
_LINE_REACH = 7  # pixels, as wide as what may be a printed line
_LINE_DEPTH = 1.5  # of a printed line in red light: what is no deeper on it is the line
_GRAIN = 4.0  # spreads about its median that the depth of paper has at most
_MOST_GRAIN = 0.07
_SEEN = 0.5  # of the lines of a box or of a piece of a row, below which it counts as lost
_PIECE = 12.0  # mm of a ruled row that are looked at together
_INK = 0.16  # depth of what is written
_FILLED = (0.25, 0.6)  # share of a circle with ink: below it is open, above it is filled
_SHADE = 3  # of 255: if half of the middle of a circle is as dark it may be filled by a pale pen
_RING = (0.8, 2.0)  # radii of a circle between which a ring around it is looked for
_SIDES, _AROUND = 24, (0.65, 0.85)  # of a circle: with ink on fewer it is no ring, on more it is
_MEANT = 0.4  # probability that a ring cancels
_REACH = 3.0  # mm that a word on a ruled row may reach beyond it
_WRITTEN_MM2 = 0.7  # ink of a ruled row with a word
_STRIKE = (0.8, 0.92)  # share of a level line with ink: below no word is crossed out, above it is
_STRIKE_TILT = 0.12  # of such a line, at most
_NEXT = 0.8  # mm that ink reaches to both sides of where two boxes meet, to run on
_PALEST_LINE = 8  # of 255, of such ink: pale and patchy pens cross words out, too
_BLUR = 0.04  # of a word's ink: what is paler between its boxes may be blur
_STROKES, _ASIDE = 0.15, 9  # of a word's ink: as dark are its letters; pixels, of their blur
_FAINT_INK, _FAINT_SHARE = 8, 0.005  # of 255; of what is beside the letters: paper has less
_MAY_BE_STRUCK = 0.5  # probability that a word is crossed out with such ink
_PALE, _PALEST = 0.15, 12.0  # of the writing's depth, and of 255: what is paler is none
_LETTER_LIKE = (
    0.4,
    0.9,
)  # from which probability it is a letter all the same, beside writing or not
_BARE_DEPTH = 5.0  # of 255: paper beside writing is not as dark
_FAILED = np.log((0.1, 0.9))  # that what is darker there is a letter that failed, or nothing
_BARE = LABELS.index(EMPTY)
_NO_CAPITAL = np.where(np.arange(len(LABELS)) == LABELS.index(OTHER), 0.0, -np.inf)
_SAME = np.log(0.9)  # from which it is the same letter without what stands above it
_ACCENTED = np.log((0.1, 0.9))  # that a letter below an accent is a capital, or none: this is asked
_LEAST = np.log(1e-4)  # that a letter stands in a box: any may be drawn as badly as that
_NOTHING = np.where(np.arange(len(LABELS)) == _BARE, 0.0, -np.inf)


@dataclass(frozen=True, eq=False)
class SheetReading:
    """A word sheet as it was read.

    Attributes:
        layout: where everything is on it.
        label: whose it is, of which round and which of the player's sheets; None where its code
            could not be read.
        boxed: the words in its boxes, row by row; none on a ruled sheet.
        lines: the words on its ruled rows; none on a sheet of boxes.
        lost: rows of which too little is seen, from 1; words in them are not among the others.
        corners_px: of the page in the photo.
    """

    layout: SheetLayout
    label: Label | None
    boxed: tuple[BoxedWord, ...]
    lines: tuple[WordImage, ...]
    lost: tuple[int, ...]
    corners_px: Quad

    def words(self) -> WordListReading:
        """The words of a sheet of boxes, each box read for itself, without a word list."""
        words = tuple(read_word(word) for word in self.boxed)
        label = self.label or Label()
        return WordListReading(words, label.player or None, label.round or None, self.lost)


def read_sheets(
    photo: NDArray[np.uint8], letters: BoxLetters | None = None
) -> tuple[SheetReading, ...]:
    """All word sheets in a photo, the largest first.

    Args:
        photo: (height, width, 3), RGB, upright or not; about 2000 pixels for the longer side of a
            page read well.
        letters: the net that reads boxes, the shipped one if not given.

    Raises:
        NoSheetError: it shows no mark of a sheet.
        SheetCutOffError: it shows too little of one.
    """
    marks = marks_in(photo)
    found = sheets_of(marks)
    if not found:
        raise _missing(has_mark=bool(marks))
    reader = letters or BoxLetters()
    return tuple(_read(photo, sheet, reader) for sheet in found)


def _missing(*, has_mark: bool) -> VisionError:
    if has_mark:
        return SheetCutOffError(
            "a word sheet is in the photo, but only one of its four corner marks is seen",
            "Photograph the whole sheet, with nothing on its corners.",
        )
    return NoSheetError(
        "no word sheet of wordtray is seen in the photo",
        "Print sheets by wordtray sheet; photograph the whole page, sharp, with its corner marks.",
    )


def _read(photo: NDArray[np.uint8], sheet: FoundSheet, letters: BoxLetters) -> SheetReading:
    told = read_code(photo, sheet)
    form = told[0] if told else sheet.form
    if form.rows is None:
        raise SheetCutOffError(
            "the code of the word sheet cannot be read, and only it tells how many rows there are",
            "Photograph the sheet again, sharp, with nothing on the code in its head.",
        )
    layout = layout_of(form)
    flat = flattened(photo, layout, sheet.to_photo, sheet.seen)
    lost = frozenset(row.number for row in layout.rows if not _is_seen(flat, row))
    ink = ink_of(flat)
    rows = [row for row in layout.rows if row.number not in lost]
    page = Rect(0, 0, layout.page.width, layout.page.height)
    reading = SheetReading(
        layout, told[1] if told else None, (), (), tuple(sorted(lost)), _quad(flat, page)
    )
    if layout.rows[0].boxes:
        boxed = tuple(_boxed_words(flat, ink, rows, letters))
        return replace(reading, boxed=boxed)
    return replace(reading, lines=tuple(_ruled_words(flat, ink, rows)))


def ink_of(flat: FlatSheet) -> NDArray[np.uint8]:
    """What is written on a sheet (height, width): 0 paper or print, 255 black.

    Away from the printed lines any colour counts; on them red light alone, in which they are
    white, and what grey printers leave of them there is taken off.
    """
    red, green, _ = cv2.split(flat.depth)
    away = np.maximum(red, green)
    lines = flat.lines
    printed = _LINE_DEPTH * float(np.median(red[lines]))
    near = cv2.dilate(lines.astype(np.uint8), np.ones((_LINE_REACH, _LINE_REACH), np.uint8))
    grain = _grain(away[lines.shape[0] // 8 :: 3, ::3])
    ink = np.where(near > 0, red - printed, away) - grain
    return np.asarray(np.clip(ink * 255, 0, 255), np.uint8)


def _grain(depth: NDArray[np.float32]) -> float:
    """Depth that paper hardly has anywhere, of pixels of which most are paper."""
    middle = float(np.median(depth))
    spread = float(np.median(np.abs(depth - middle)))
    return min(middle + _GRAIN * spread, _MOST_GRAIN)


def _is_seen(flat: FlatSheet, row: RowPlace) -> bool:
    parts = row.boxes or tuple(_pieces(row.writing))
    return all(flat.visible(_with_lines(part)) >= _SEEN for part in parts)


def _with_lines(rect: Rect) -> Rect:
    return Rect(rect.x - 0.3, rect.y - 0.3, rect.width + 0.6, rect.height + 0.6)


def _pieces(rect: Rect) -> Iterator[Rect]:
    count = max(1, round(rect.width / _PIECE))
    width = rect.width / count
    return (Rect(rect.x + width * part, rect.y, width, rect.height) for part in range(count))


def _boxed_words(
    flat: FlatSheet, ink: NDArray[np.uint8], rows: list[RowPlace], letters: BoxLetters
) -> Iterator[BoxedWord]:
    """The words of all rows that have one."""
    for row, logs in zip(rows, _box_scores(ink, rows, letters), strict=True):
        filled = np.flatnonzero(logs[:, _BARE] < np.log(SURE))
        if (logs.argmax(axis=1) != _BARE).any():
            first, last = int(filled[0]), int(filled[-1])
            yield _boxed_word(flat, ink, row, (first, last), logs[first : last + 1])


def _box_scores(
    ink: NDArray[np.uint8], rows: list[RowPlace], letters: BoxLetters
) -> NDArray[np.float64]:
    """Logarithms (rows, boxes, labels) of the probabilities of what stands in each box.

    The net reads the boxes of a page in one go.
    """
    if not rows:
        return np.zeros((0, 0, len(LABELS)))
    parts = [[_part(ink, box) for box in row.boxes] for row in rows]
    glyphs = np.array([[_glyph(part) for part in row] for row in parts])
    written = glyphs.any(axis=(2, 3))
    scores = np.tile(_NOTHING, (*written.shape, 1))
    scores[written] = letters.classify(glyphs[written])
    likeness = np.exp(scores[..., :26].max(axis=2))
    accented = _are_accented(parts, scores, letters)
    scores[accented] = np.logaddexp(scores[accented] + _ACCENTED[0], _NO_CAPITAL + _ACCENTED[1])
    depths = np.array([[depth_of(ink[part_of(box)]) for box in row.boxes] for row in rows])
    trace, may_be = traces(depths, likeness)
    scores[trace] = _NOTHING
    scores[may_be] = np.logaddexp(scores[may_be] + _FAILED[0], _NOTHING + _FAILED[1])
    return scores


def _are_accented(
    parts: list[list[NDArray[np.uint8]]], scores: NDArray[np.float64], letters: BoxLetters
) -> NDArray[np.bool_]:
    """Boxes (rows, boxes) in which the letter is the same without something small above it."""
    bare = [[without_accent(part, _MARGIN_PX) for part in row] for row in parts]
    topped = np.array([[glyph is not None for glyph in row] for row in bare])
    if topped.any():
        alone = letters.classify(np.array([it for row in bare for it in row if it is not None]))
        best = scores[topped][:, :26].argmax(axis=1)
        topped[topped] = alone[np.arange(len(best)), best] >= _SAME
    return topped


def traces(
    depths: NDArray[np.float64], likeness: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Boxes (rows, boxes) in which nothing is written, and those in which that is not sure.

    What is far paler than the writing of the page is a trace of paper that is not quite even,
    unless it looks like a letter: beside writing a letter may have failed for want of ink, and must
    not be dropped unasked.

    Args:
        depths: how dark the boxes are, 0–255.
        likeness: probability of the likeliest letter of each.
    """
    pale = depths < max(_PALE * float(np.percentile(depths, 95)), _PALEST)
    beside = cv2.dilate((~pale).astype(np.uint8), np.ones((1, 3), np.uint8)) > 0
    trace = pale & (likeness < np.where(beside, *_LETTER_LIKE))
    may_be = trace & beside & (depths >= _BARE_DEPTH)
    return np.asarray(trace & ~may_be), np.asarray(may_be)


def _boxed_word(
    flat: FlatSheet,
    ink: NDArray[np.uint8],
    row: RowPlace,
    ends: tuple[int, int],
    logs: NDArray[np.float64],
) -> BoxedWord:
    first, last = row.boxes[ends[0]], row.boxes[ends[1]]
    place = Rect(first.x, first.y, last.right - first.x, first.height)
    count = ends[1] - ends[0] + 1
    struck = _struck(ink[part_of(place)]) if count > 1 else 0.0
    deepest = depth_of(ink[part_of(place)])
    faint = _has_faint_ink(ink[part_of(place, 1.0)], deepest)
    if faint or _runs_on(ink, row.boxes[ends[0] : ends[1] + 1], deepest):
        struck = max(struck, _MAY_BE_STRUCK)
    picture = _word_image(flat, ink, place, row.number - 1)
    picture = replace(picture, struck=struck, cancelled=_cancelled(flat, ink, row), letters=count)
    return BoxedWord(picture, np.maximum(logs, _LEAST))


def _ruled_words(flat: FlatSheet, ink: NDArray[np.uint8], rows: list[RowPlace]) -> list[WordImage]:
    """The words of all rows that have one."""
    found = [word for row in rows if (word := _ruled_word(flat, ink, row)) is not None]
    usual = usual_of([marks for _, marks in found])
    return [replace(image, struck=marks.struck(usual)) for image, marks in found]


def _ruled_word(
    flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace
) -> tuple[WordImage, Marks] | None:
    """The word of a row, and what may tell that it is crossed out; None where it has none."""
    line = row.writing
    room = Rect(line.x, line.y - _REACH, line.width, line.height + 2 * _REACH)
    own = _own_ink(ink, room)
    part = own[part_of(room)] > 255 * _INK
    if part.sum() < _WRITTEN_MM2 * PX_PER_MM**2:
        return None
    written = np.flatnonzero(part.sum(axis=0) > 1) / PX_PER_MM
    left, width = line.x + float(written[0]), float(np.ptp(written)) + 1 / PX_PER_MM
    word = _word_image(flat, own, Rect(left, room.y, width, room.height), row.number - 1)
    place = _quad(flat, Rect(left, line.y, width, line.height))
    cancelled = _cancelled(flat, ink, row)
    return replace(word, quad_px=place, cancelled=cancelled), marks_on(part)


def _own_ink(ink: NDArray[np.uint8], room: Rect) -> NDArray[np.uint8]:
    """Of the ink (height, width) of a page that of strokes with their middle in a row alone.

    Args:
        ink: of the page.
        room: the row and `_REACH` above and below it.
    """
    part = part_of(room)
    mask = (ink[part] > 255 * _INK / 2).astype(np.uint8)
    _, marks, _, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    edge = _REACH * PX_PER_MM
    own = (middles[:, 1] >= edge) & (middles[:, 1] < mask.shape[0] - edge)
    own[0] = False
    near = cv2.dilate(own[marks].astype(np.uint8), np.ones((3, 3), np.uint8))
    done = np.zeros_like(ink)
    done[part] = np.where(near > 0, ink[part], 0)
    return done


def _word_image(flat: FlatSheet, ink: NDArray[np.uint8], place: Rect, line: int) -> WordImage:
    picture = 255 - ink[part_of(place, 1.0)]
    return WordImage(np.ascontiguousarray(picture), _quad(flat, place), line)


def _part(ink: NDArray[np.uint8], box: Rect) -> NDArray[np.uint8]:
    """The ink of a box and of its margin."""
    rows, cols = part_of(box)
    top, left = rows.start - _MARGIN_PX, cols.start - _MARGIN_PX
    return ink[max(0, top) : rows.stop + _MARGIN_PX, max(0, left) : cols.stop + _MARGIN_PX]


def _glyph(part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return glyph_of(part, _MARGIN_PX) if part.any() else np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)


def _cancelled(flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace) -> float:
    """Probability that a row is cancelled by its circle.

    A ring around it may mean that, too, and so may a shade in it.
    """
    may_be = max(_ringed(flat, ink, row), _shaded(flat, ink, row))
    return max(_filled(flat, ink, row), _MEANT * may_be)


def _ringed(flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace) -> float:
    """Probability that a ring is drawn around the circle of a row: ink on all sides of it."""
    radius = flat.layout.bubble_radius
    x, y = row.bubble
    reach = _RING[1] * radius
    part = ink[part_of(Rect(x - reach, y - reach, 2 * reach, 2 * reach))] > 255 * _INK
    away = np.argwhere(part) - (np.array(part.shape) - 1) / 2
    far = np.hypot(*away.T) / PX_PER_MM
    around = away[(far > _RING[0] * radius) & (far < reach)]
    sides = np.unique(np.floor(np.arctan2(*around.T) / (2 * np.pi) * _SIDES))
    return float(np.interp(len(sides) / _SIDES, _AROUND, (0.0, 1.0)))


def _filled(flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace) -> float:
    """Probability that the circle of a row is filled."""
    share = float((_disc(flat, ink, row, 0.8) > 255 * _INK).mean())
    return float(np.interp(share, _FILLED, (0.0, 1.0)))


def _shaded(flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace) -> float:
    """Whether the middle of the circle of a row, where nothing is printed, is not white."""
    return float(np.median(_disc(flat, ink, row, 0.5)) >= _SHADE)


def _disc(
    flat: FlatSheet, ink: NDArray[np.uint8], row: RowPlace, share: float
) -> NDArray[np.uint8]:
    """The ink (n,) within a share of the radius of the circle of a row."""
    radius = share * flat.layout.bubble_radius
    x, y = row.bubble
    part = ink[part_of(Rect(x - radius, y - radius, 2 * radius, 2 * radius))]
    return part[cv2.getStructuringElement(cv2.MORPH_ELLIPSE, part.shape[::-1]) > 0]


def _runs_on(ink: NDArray[np.uint8], boxes: Sequence[Rect], deepest: float) -> bool:
    """Whether ink, pale as it may be, runs from any box into the next: letters hardly ever do.

    Args:
        ink: of the page (height, width).
        boxes: of the word.
        deepest: ink of the word; between letters that stand close there is some for their blur.
    """
    least = max(_PALEST_LINE, _BLUR * deepest)
    ends = (
        Rect(box.right - _NEXT, box.y - _NEXT, 2 * _NEXT, box.height + 2 * _NEXT)
        for box in boxes[:-1]
    )
    return any(_is_run_through(ink[part_of(end)] >= least) for end in ends)


def _has_faint_ink(ink: NDArray[np.uint8], deepest: float) -> bool:
    """Whether there is ink beside the letters of a word (height, width), as of a pale pen."""
    letters = (ink >= _STROKES * deepest).astype(np.uint8)
    beside = cv2.dilate(letters, np.ones((_ASIDE, _ASIDE), np.uint8)) == 0
    return bool(beside.any() and (ink[beside] >= _FAINT_INK).mean() > _FAINT_SHARE)


def _is_run_through(strokes: NDArray[np.bool_]) -> bool:
    """Whether a stroke runs from the left to the right of a part (height, width)."""
    _, marks = cv2.connectedComponents(strokes.astype(np.uint8), connectivity=8)
    both = np.intersect1d(marks[:, 0], marks[:, -1])
    return bool((both > 0).any())


def _struck(ink: NDArray[np.uint8]) -> float:
    """Probability that a level line runs through all of a word (height, width)."""
    mask = (cv2.dilate(ink, np.ones((5, 1), np.uint8)) > 255 * _INK).astype(np.uint8)
    height, width = mask.shape
    best = 0.0
    for tilt in np.linspace(-_STRIKE_TILT, _STRIKE_TILT, 9):
        lean = np.array([[1, 0, 0], [tilt, 1, -tilt * width / 2]])
        level = cv2.warpAffine(mask, lean, (width, height), flags=cv2.INTER_NEAREST)
        middle = level[height // 6 : height - height // 6]
        best = max(best, float(middle.mean(axis=1).max()))
    return float(np.interp(best, _STRIKE, (0.0, 1.0)))


def _quad(flat: FlatSheet, place: Rect) -> Quad:
    first, second, third, fourth = (_point(at) for at in flat.in_photo(np.array(place.corners)))
    return first, second, third, fourth


def _point(at: NDArray[np.float64]) -> Point:
    return float(at[0]), float(at[1])
