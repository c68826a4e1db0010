"""What is printed on a word sheet, as plain shapes in millimetres, for any painter.

The boxes, numbers and lines are light orange: in the red light of a photo they are white, so that
only the writing is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from vision.paper.sheet import (
    MARK_SET,
    Form,
    Kind,
    Label,
    Rect,
    SheetLayout,
    code_of,
    layout_of,
    lines_of,
)

Colour = tuple[int, int, int]

DROP_OUT: Colour = (255, 164, 104)
"""RGB of what vanishes in red light."""

BLACK: Colour = (0, 0, 0)
GREY: Colour = (90, 90, 90)
LINE_MM = 0.35
"""Thickness of the lines of boxes, rows and bubbles."""

_MARK_CELLS = 7
_NAME, _TEXT, _SMALL = 7.0, 3.6, 2.5  # heights of type
_HELP = {
    Kind.BOXES: "One CAPITAL in each box. Black or blue pen, or a soft pencil.",
    Kind.ROWS: "One word in each row, on the line. Black or blue pen, or a soft pencil.",
}
_CANCEL = "To cancel a word, fill the circle behind it."


@dataclass(frozen=True)
class Fill:
    """A filled rectangle."""

    rect: Rect
    colour: Colour


@dataclass(frozen=True)
class Line:
    """A straight line, `LINE_MM` thick."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: Colour


@dataclass(frozen=True)
class Ring:
    """A circle's line, `LINE_MM` thick."""

    middle: tuple[float, float]
    radius: float
    colour: Colour


@dataclass(frozen=True)
class Text:
    """A line of text.

    Attributes:
        place: of its start, middle or end, on its base line.
        text: what it says.
        height: of the type.
        colour: of it.
        anchor: ``start``, ``middle`` or ``end``.
        width: it is made smaller where it would be wider.
        bold: its weight.
    """

    place: tuple[float, float]
    text: str
    height: float
    colour: Colour
    anchor: str = "start"
    width: float = 1000.0
    bold: bool = False


Shape = Fill | Line | Ring | Text


def typeface(*, bold: bool) -> Path:
    """The font file that all text is set in."""
    name = "SourceSansPro-Semibold.ttf" if bold else "SourceSansPro-Regular.ttf"
    return Path(str(resources.files("font_source_sans_pro") / "files" / name))


def form_shapes(layout: SheetLayout) -> Iterator[Shape]:
    """What is alike on all sheets of a form."""
    for mark, number in zip(layout.marks, layout.mark_ids, strict=True):
        yield from _mark_shapes(mark, number)
    yield from _column_heads(layout)
    for row in layout.rows:
        yield Text(
            (row.writing.x - 1.2, row.writing.y + 5.0), str(row.number), _SMALL + 0.5, DROP_OUT,
            anchor="end", bold=True,
        )  # fmt: skip
        yield Ring(row.bubble, layout.bubble_radius, DROP_OUT)
    yield from (Line(start, end, DROP_OUT) for start, end in lines_of(layout))
    foot = layout.foot
    for number, text in enumerate((_HELP[layout.form.kind], _CANCEL)):
        place = (foot.middle[0], foot.y + 6.5 + 4 * number)
        yield Text(place, text, _SMALL + 0.5, GREY, anchor="middle", width=foot.width)


def label_shapes(layout: SheetLayout, label: Label) -> Iterator[Shape]:
    """What is of one sheet alone.

    Raises:
        SheetError: a name is too long.
    """
    yield from _code_shapes(layout.code, code_of(layout.form, label))
    head = layout.head
    if label.player:
        name = (head.x, head.y + 7.5)
        yield Text(name, label.player, _NAME, BLACK, width=head.width, bold=True)
    else:
        yield Text((head.x, head.y + 7.5), "Name", _TEXT, GREY)
        yield Line((head.x + 11, head.y + 7.5), (head.right, head.y + 7.5), GREY)
    about = "   ".join(filter(None, (label.round, label.table)))
    yield Text((head.x, head.y + 14.0), about, _TEXT, BLACK, width=head.width)
    sheet = f"Sheet {label.number} of {label.of}" if label.of > 1 else "wordtray word sheet"
    yield Text((head.x, head.y + 19.5), sheet, _TEXT, GREY, width=head.width)


def mark_cells(number: int) -> NDArray[np.bool_]:
    """Cells (7, 7) of a mark, True where it is black."""
    marks = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARK_SET))
    return cv2.aruco.generateImageMarker(marks, number, _MARK_CELLS) < 128


def layout_and_shapes(form: Form, label: Label) -> tuple[SheetLayout, list[Shape]]:
    """All of one sheet.

    Raises:
        SheetError: there is no such sheet, or a name is too long.
    """
    layout = layout_of(form)
    return layout, [*form_shapes(layout), *label_shapes(layout, label)]


def _column_heads(layout: SheetLayout) -> Iterator[Shape]:
    for row in layout.rows:
        if row.number % (layout.form.rows or 1) == 1 or layout.form.rows == 1:
            place = (row.bubble[0] + 3.0, row.writing.y - 1.3)
            yield Text(place, "cancel", _SMALL, DROP_OUT, anchor="end")


def _mark_shapes(mark: Rect, number: int) -> Iterator[Shape]:
    yield from _cells(mark, mark_cells(number))


def _code_shapes(place: Rect, code: str) -> Iterator[Shape]:
    symbol = segno.make(code, error="m", micro=False, boost_error=False, mode="byte")
    yield from _cells(place, np.array([list(row) for row in symbol.matrix]) > 0)


def _cells(place: Rect, black: NDArray[np.bool_]) -> Iterator[Fill]:
    """Black cells of a square, one rectangle for each run of a row."""
    side = place.width / len(black)
    for line, cells in enumerate(black):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(np.int8), [0]])))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            run = Rect(place.x + start * side, place.y + line * side, (end - start) * side, side)
            yield Fill(run, BLACK)
