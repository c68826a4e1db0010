"""Printed word sheets: where everything is, and the code that tells whose a sheet is."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.paper.sheet import (
    COLUMNS,
    LONGEST_NAME,
    PAGE_SIZES,
    Form,
    Kind,
    Label,
    Rect,
    SheetError,
    SheetLayout,
    code_of,
    form_of_mark,
    label_of,
    layout_of,
    page_size,
)
from vision.paper.sheet_print import DROP_OUT, Fill, Text, label_shapes
from vision.render.word_sheet import print_sheet

TOO_NARROW = {("A5", kind, 3) for kind in Kind}
FORMS = [
    Form(size.name, kind, columns)
    for size, kind, columns in product(PAGE_SIZES, Kind, COLUMNS)
    if (size.name, kind, columns) not in TOO_NARROW
]


def _things(layout: SheetLayout) -> list[Rect]:
    """What must not lie on one another."""
    bubbles = [
        Rect(x - layout.bubble_radius, y - layout.bubble_radius, *[2 * layout.bubble_radius] * 2)
        for x, y in (row.bubble for row in layout.rows)
    ]
    writing = [row.writing for row in layout.rows]
    return [*layout.marks, layout.code, layout.head, layout.foot, *writing, *bubbles]


def _apart(first: Rect, second: Rect) -> bool:
    slack = 1e-6
    beside = first.right <= second.x + slack or second.right <= first.x + slack
    return beside or first.bottom <= second.y + slack or second.bottom <= first.y + slack


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_everything_is_within_the_margins_of_home_printers_and_apart(form: Form) -> None:
    layout = layout_of(form)
    page = layout.page
    for thing in _things(layout):
        assert min(thing.x, thing.y) >= 10 - 1e-6
        assert thing.right <= page.width - 10 + 1e-6
        assert thing.bottom <= page.height - 10 + 1e-6
    assert all(_apart(*pair) for pair in combinations(_things(layout), 2))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_rows_are_numbered_down_the_columns_and_boxes_fill_them(form: Form) -> None:
    layout = layout_of(form)
    assert [row.number for row in layout.rows] == [*range(1, len(layout.rows) + 1)]
    assert [row.column for row in layout.rows] == sorted(row.column for row in layout.rows)
    for row in layout.rows:
        if form.kind is Kind.ROWS:
            assert row.boxes == ()
            assert row.writing.width >= 40
        else:
            assert len(row.boxes) >= 7
            assert all(5.4 < box.width <= 8 for box in row.boxes)
            assert row.boxes[0].x == row.writing.x
            assert row.boxes[-1].right == pytest.approx(row.writing.right)


def test_each_form_has_marks_of_its_own_that_tell_it() -> None:
    numbers = [number for form in FORMS for number in layout_of(form).mark_ids]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) < 125  # as many again for sheets with fewer rows
    for form in FORMS:
        for corner, number in enumerate(layout_of(form).mark_ids):
            assert form_of_mark(number) == (form, corner, True)


def test_marks_of_a_sheet_with_fewer_rows_say_that_they_do_not_tell_how_many() -> None:
    short = Form("A5", Kind.BOXES, 1, rows=5)
    assert form_of_mark(layout_of(short).mark_ids[2]) == (Form("A5", Kind.BOXES, 1), 2, False)
    assert form_of_mark(249) is None


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (Form("A3"), "no size of paper"),
        (Form("A5", columns=3), "too narrow"),
        (Form(columns=4), "columns"),
        (Form(rows=0), "room for 1 to"),
        (Form(rows=99), "room for 1 to"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_the_reason(form: Form, why: str) -> None:
    with pytest.raises(SheetError, match=why):
        layout_of(form)


def test_paper_is_known_in_any_case() -> None:
    assert page_size("letter").name == "Letter"
    assert layout_of(Form("a4")).page.name == "A4"


@given(
    form=st.sampled_from(FORMS),
    player=st.text(max_size=6),
    round_name=st.text(max_size=6),
    number=st.integers(1, 99),
)
def test_a_code_tells_what_it_was_made_of(
    form: Form, player: str, round_name: str, number: int
) -> None:
    label = Label(player, round_name, number, 99)
    try:
        code = code_of(form, label)
    except SheetError:
        assert not (player + round_name).isprintable() or len(player + round_name) > 4
        return
    assert code.isascii()
    told = label_of(code)
    assert told is not None
    assert told[1] == label
    assert layout_of(told[0]) == layout_of(form)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "https://example.org",
        "wordtray2;A4b2.26;1.1;-;-",
        "wordtray1;A3b2.26;1.1;-;-",
        "wordtray1;A4b2.99;1.1;-;-",
        "wordtray1;A4x2.26;1.1;-;-",
        "wordtray1;A4b2.26;1;-;-",
        "wordtray1;A4b2.26;1.1;Anna-",
        "wordtray1;A4b2.26;1.1;-;\xe9",
    ],
)
def test_a_code_of_something_else_tells_nothing(code: str) -> None:
    assert label_of(code) is None


def test_a_name_that_no_code_holds_is_refused() -> None:
    with pytest.raises(SheetError, match="too long"):
        code_of(Form(), Label("x" * LONGEST_NAME))
    with pytest.raises(SheetError, match="printed"):
        code_of(Form(), Label("a\nb"))
    assert code_of(Form(), Label("x" * (LONGEST_NAME - 1)))
    assert len(code_of(Form(), Label("Александр Александрович"))) < 75


def test_boxes_and_numbers_vanish_in_red_light_and_are_plain_in_blue() -> None:
    sheet = print_sheet(Form("A5"), Label("Anna", "Final"), 6.0)
    row = sheet.layout.rows[3].writing
    top, left = (round(6 * (place - 2)) for place in (row.y, row.x))
    part = sheet.pixels[top : top + 50, left : left + 300]
    assert part[..., 0].min() > 250
    assert part[..., 2].min() < DROP_OUT[2] + 10


def test_a_name_is_printed_or_there_is_a_line_for_it() -> None:
    layout = layout_of(Form())
    named = [one.text for one in label_shapes(layout, Label("Zoë")) if isinstance(one, Text)]
    blank = [one.text for one in label_shapes(layout, Label()) if isinstance(one, Text)]
    assert "Zoë" in named
    assert "Name" in blank


def test_the_code_fills_its_square() -> None:
    layout = layout_of(Form())
    cells = [one.rect for one in label_shapes(layout, Label("Zoë")) if isinstance(one, Fill)]
    assert min(cell.x for cell in cells) == pytest.approx(layout.code.x)
    assert max(cell.bottom for cell in cells) == pytest.approx(layout.code.bottom)
    assert np.ptp([cell.height for cell in cells]) < 1e-9
