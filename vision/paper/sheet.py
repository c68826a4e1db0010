"""Where everything is on a printed word sheet: what drawing and reading both know.

All lengths are millimetres from the upper left corner of the page, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

MARGIN = 10.0
"""Paper around all print: home printers leave up to 6 mm white."""

VERSION = 1
"""Of the layout: sheets of another one are printed and read by another wordtray."""

MARK_SET = "DICT_5X5_250"
"""Name of the set of ArUco marks that the corners are of."""

LONGEST_NAME = 60
"""Letters of a player's name or a round's that a code holds; those that are not ASCII need more."""

MOST_SHEETS = 99
"""Sheets of one player."""

_MARK = 12.0
_HEAD = 25.0  # of the page within its margins
_FOOT = 15.0
_CODE = 21.0
_QUIET = 3.0  # white around the code, and between the marks and the text
_COLUMN_HEAD = 4.0
_GUTTER = 5.0
_NUMBER = 6.5
_BUBBLE = 6.5
_BUBBLE_RADIUS = 2.0
_BOX_HEIGHT, _LINE_HEIGHT = 7.4, 9.6
_BETWEEN = 1.4  # rows of boxes
_NARROWEST, _WIDEST, _MOST_BOXES = 5.5, 8.0, 16
_FEWEST_BOXES, _SHORTEST_LINE = 7, 40.0


Place = tuple[float, float]
"""x and y."""


class SheetError(ValueError):
    """No such sheet can be printed."""


class Kind(StrEnum):
    """What words are written into."""

    BOXES = "boxes"
    ROWS = "rows"


@dataclass(frozen=True)
class PageSize:
    """A size of paper.

    Attributes:
        name: as printers have it.
        width: mm.
        height: mm.
    """

    name: str
    width: float
    height: float


PAGE_SIZES = (
    PageSize("A4", 210.0, 297.0),
    PageSize("A5", 148.0, 210.0),
    PageSize("Letter", 215.9, 279.4),
)
COLUMNS = (1, 2, 3)


@dataclass(frozen=True)
class Rect:
    """An upright rectangle.

    Attributes:
        x: its left edge.
        y: its upper edge.
        width: to the right.
        height: down.
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Upper left, upper right, lower right, lower left."""
        return (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.bottom),
            (self.x, self.bottom),
        )


@dataclass(frozen=True)
class Form:
    """All that decides where things are on a sheet.

    Attributes:
        size: name of the paper, of `PAGE_SIZES`.
        kind: letter boxes or ruled rows.
        columns: of rows, of `COLUMNS`.
        rows: of each column; as many as there is room for where None.
    """

    size: str = "A4"
    kind: Kind = Kind.BOXES
    columns: int = 2
    rows: int | None = None


@dataclass(frozen=True)
class Label:
    """What tells one sheet from another.

    Attributes:
        player: whose it is; empty on a sheet for anybody, who then writes a name on it.
        round: which round it is for; may be empty.
        number: of this sheet among the player's, from 1.
        of: how many sheets the player has.
        table: printed beside the name, not part of the code.
    """

    player: str = ""
    round: str = ""
    number: int = 1
    of: int = 1
    table: str = ""


@dataclass(frozen=True)
class RowPlace:
    """Where a row is.

    Attributes:
        number: from 1, down the first column and on in the next.
        column: from 0.
        writing: where its word is written.
        boxes: its letter boxes from the left, side by side; none in a ruled row.
        bubble: middle of the circle that cancels it.
    """

    number: int
    column: int
    writing: Rect
    boxes: tuple[Rect, ...]
    bubble: tuple[float, float]


@dataclass(frozen=True)
class SheetLayout:
    """Where everything is on a page.

    Attributes:
        form: what was asked for; its rows as many as there are.
        page: the paper.
        marks: the four marks at the corners: upper left, upper right, lower right, lower left.
        mark_ids: their numbers.
        code: the square of the code with player, round and sheet.
        head: between the upper marks, for the name; the code is not in it.
        foot: between the lower marks.
        rows: column by column.
        pitch: from a row to the next.
        bubble_radius: of the circles that cancel.
    """

    form: Form
    page: PageSize
    marks: tuple[Rect, Rect, Rect, Rect]
    mark_ids: tuple[int, int, int, int]
    code: Rect
    head: Rect
    foot: Rect
    rows: tuple[RowPlace, ...]
    pitch: float
    bubble_radius: float


_FORMS = tuple(product((size.name for size in PAGE_SIZES), Kind, COLUMNS))
"""Forms that have marks of their own, by their number."""


@lru_cache(maxsize=32)
def layout_of(form: Form) -> SheetLayout:
    """Where everything is on a sheet of a form.

    Raises:
        SheetError: there is no such paper, or no room for so many columns or rows.
    """
    page = page_size(form.size)
    if form.columns not in COLUMNS:
        raise SheetError(f"a sheet has one, two or three columns, not {form.columns}")
    inner = Rect(MARGIN, MARGIN, page.width - 2 * MARGIN, page.height - 2 * MARGIN)
    area_top = inner.y + _HEAD + _COLUMN_HEAD
    pitch = _BOX_HEIGHT + _BETWEEN if form.kind is Kind.BOXES else _LINE_HEIGHT
    room = int((inner.bottom - _FOOT - area_top) / pitch)
    count = room if form.rows is None else form.rows
    if not 1 <= count <= room:
        raise SheetError(f"a column of {page.name} has room for 1 to {room} rows, not {count}")
    columns = [_column(form, inner, column) for column in range(form.columns)]
    return SheetLayout(
        form=Form(page.name, form.kind, form.columns, count),
        page=page,
        marks=_marks(inner),
        mark_ids=_mark_ids(form, full=count == room),
        code=Rect(inner.right - _MARK - _QUIET - _CODE, inner.y, _CODE, _CODE),
        head=Rect(
            inner.x + _MARK + _QUIET, inner.y,
            inner.width - 2 * _MARK - _CODE - 4 * _QUIET, _HEAD - _QUIET,
        ),
        foot=Rect(
            inner.x + _MARK + _QUIET, inner.bottom - _MARK,
            inner.width - 2 * (_MARK + _QUIET), _MARK,
        ),
        rows=tuple(
            _row(form.kind, place, area_top + line * pitch, column, column * count + line + 1)
            for column, place in enumerate(columns)
            for line in range(count)
        ),
        pitch=pitch,
        bubble_radius=_BUBBLE_RADIUS,
    )  # fmt: skip


def page_size(name: str) -> PageSize:
    """The paper of a name, whatever its case.

    Raises:
        SheetError: there is none.
    """
    for size in PAGE_SIZES:
        if size.name.lower() == name.lower():
            return size
    known = ", ".join(size.name for size in PAGE_SIZES)
    raise SheetError(f"{name} is no size of paper that is known here: {known}")


def form_of_mark(mark: int) -> tuple[Form, int, bool] | None:
    """The form that a mark's number tells, and the mark's corner, 0 to 3 as of `SheetLayout`.

    The last of the three is False where the number of rows must be read from the code. None where
    no sheet has such a mark.
    """
    number, corner = divmod(mark, 4)
    full, number = divmod(number, len(_FORMS))
    if full > 1:
        return None
    size, kind, columns = _FORMS[number]
    return Form(size, kind, columns), corner, full == 0


def lines_of(layout: SheetLayout) -> Iterator[tuple[Place, Place]]:
    """Ends of the lines of all boxes and rows."""
    for row in layout.rows:
        place = row.writing
        yield (place.x, place.bottom), (place.right, place.bottom)
        if row.boxes:
            yield (place.x, place.y), (place.right, place.y)
            edges = (*(box.x for box in row.boxes), place.right)
            yield from (((x, place.y), (x, place.bottom)) for x in edges)


def code_of(form: Form, label: Label) -> str:
    """The text of a sheet's code.

    Raises:
        SheetError: the player's or the round's name is too long for it.
    """
    printed = layout_of(form).form
    size = f"{printed.size[0]}{printed.size[-1]}"
    place = f"{size}{printed.kind.value[0]}{printed.columns}.{printed.rows}"
    names = (
        _ascii(what, name) for what, name in (("round", label.round), ("player", label.player))
    )
    return ";".join((f"wordtray{VERSION}", place, f"{label.number}.{label.of}", *names))


def label_of(code: str) -> tuple[Form, Label] | None:
    """What a code tells; None where it is no code of a sheet of this `VERSION`."""
    parts = code.split(";")
    if len(parts) != 5 or parts[0] != f"wordtray{VERSION}":
        return None
    _, place, sheets, round_name, player = parts
    sizes = {f"{size.name[0]}{size.name[-1]}": size.name for size in PAGE_SIZES}
    kinds = {kind.value[0]: kind for kind in Kind}
    try:
        columns, rows = (int(part) for part in place[3:].split("."))
        number, of = (int(part) for part in sheets.split("."))
        form = Form(sizes[place[:2]], kinds[place[2:3]], columns, rows)
        layout_of(form)
        return form, Label(_name(player), _name(round_name), number, of)
    except (ValueError, KeyError):
        return None


def _ascii(what: str, name: str) -> str:
    """A name as a code has it: short in any alphabet (RFC 3492), and without semicolons."""
    if not name.isprintable():
        raise SheetError(f"the name of the {what} {name!r} has signs that cannot be printed")
    coded = name.encode("punycode").decode("ascii").replace("%", "%25").replace(";", "%3B")
    if len(coded) > LONGEST_NAME:
        raise SheetError(f"the name of the {what} {name!r} is too long for a sheet")
    return coded


def _name(coded: str) -> str:
    return coded.replace("%3B", ";").replace("%25", "%").encode("ascii").decode("punycode")


def _column(form: Form, inner: Rect, column: int) -> Rect:
    width = (inner.width - (form.columns - 1) * _GUTTER) / form.columns
    writing = width - _NUMBER - _BUBBLE
    least = _FEWEST_BOXES * _NARROWEST if form.kind is Kind.BOXES else _SHORTEST_LINE
    if writing < least:
        raise SheetError(f"{form.size} is too narrow for {form.columns} columns of {form.kind}")
    return Rect(inner.x + column * (width + _GUTTER), inner.y, width, inner.height)


def _row(kind: Kind, place: Rect, top: float, column: int, number: int) -> RowPlace:
    left, room = place.x + _NUMBER, place.width - _NUMBER - _BUBBLE
    boxes = _boxes(left, top, room) if kind is Kind.BOXES else ()
    writing = Rect(left, top, room, _LINE_HEIGHT)
    if boxes:
        writing = Rect(left, top, boxes[-1].right - left, _BOX_HEIGHT)
    bubble = (writing.right + _BUBBLE / 2 + 0.4, writing.y + _BOX_HEIGHT / 2)
    return RowPlace(number, column, writing, boxes, bubble)


def _boxes(left: float, top: float, room: float) -> tuple[Rect, ...]:
    count = min(_MOST_BOXES, int(room / _NARROWEST))
    width = min(_WIDEST, room / count)
    return tuple(Rect(left + box * width, top, width, _BOX_HEIGHT) for box in range(count))


def _marks(inner: Rect) -> tuple[Rect, Rect, Rect, Rect]:
    right, low = inner.right - _MARK, inner.bottom - _MARK
    return (
        Rect(inner.x, inner.y, _MARK, _MARK),
        Rect(right, inner.y, _MARK, _MARK),
        Rect(right, low, _MARK, _MARK),
        Rect(inner.x, low, _MARK, _MARK),
    )


def _mark_ids(form: Form, *, full: bool) -> tuple[int, int, int, int]:
    size = page_size(form.size).name
    number = _FORMS.index((size, form.kind, form.columns)) + (0 if full else len(_FORMS))
    first = 4 * number
    return first, first + 1, first + 2, first + 3
