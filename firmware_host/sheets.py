"""Printable word sheets as a PDF: for one player, or for a whole tournament in one file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.errors import unusable_file
from firmware_host.files import read_given
from vision.paper.sheet import Form, Label, SheetLayout, layout_of
from vision.paper.sheet_print import (
    LINE_MM,
    Fill,
    Line,
    Ring,
    Shape,
    Text,
    form_shapes,
    label_shapes,
    typeface,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_MM = 72 / 25.4
_LARGEST_BYTES = 1_000_000
_HEADINGS = {"name", "player"}
_FORM = "form"
_FONTS = {False: "wordtray", True: "wordtray-bold"}


@dataclass(frozen=True)
class Player:
    """Somebody who gets sheets.

    Attributes:
        name: printed, and in the code; empty for anybody.
        table: printed beside the name.
    """

    name: str = ""
    table: str = ""


def players_in(file: Path) -> list[Player]:
    """The players of a file, a line each; of a ``.csv`` file, name and perhaps table.

    A first line ``name`` or ``player`` is a heading.

    Raises:
        CommandError: it cannot be read, is not UTF-8, or names nobody.
    """
    data = read_given(file, _LARGEST_BYTES, "players", "list of players")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"{file} is not in UTF-8"
        raise unusable_file("players", message, "Save it as UTF-8 text.") from None
    delimiter = ";" if ";" in text and "," not in text else ","
    lines = text.splitlines()
    cells = csv.reader(lines, delimiter=delimiter) if _is_csv(file) else ([line] for line in lines)
    rows = [[" ".join(cell.split()) for cell in row] for row in cells if row and row[0].strip()]
    if _is_csv(file) and rows and rows[0][0].lower() in _HEADINGS:
        rows = rows[1:]
    if not rows:
        raise unusable_file("players", f"{file} names no player", "Write a name a line.")
    return [Player(row[0], row[1] if len(row) > 1 else "") for row in rows]


def _is_csv(file: Path) -> bool:
    return file.suffix.lower() == ".csv"


def labels_of(
    players: Sequence[Player], round_name: str, sheets: int, copies: int = 1
) -> list[Label]:
    """A label for each page: all sheets of a player in a row, each as often as asked for."""
    return [
        Label(player.name, round_name, number, sheets, player.table)
        for player in players
        for number in range(1, sheets + 1)
        for _ in range(copies)
    ]


def missing_signs(labels: Iterable[Label]) -> str:
    """Characters on labels that the printed font lacks."""
    return lacking({text for label in labels for text in (label.player, label.round, label.table)})


def lacking(texts: Iterable[str]) -> str:
    """Characters that the printed font lacks: they print as empty boxes."""
    from reportlab.pdfbase.ttfonts import TTFontFile

    known = TTFontFile(str(typeface(bold=True))).charToGlyph
    return "".join(sorted({sign for text in texts for sign in text if ord(sign) not in known}))


def sheets_pdf(form: Form, labels: Sequence[Label], tell: Callable[[int], None]) -> bytes:
    """A PDF with a page for each label.

    What all pages share is stored once, so that the sheets of 200 players take some hundred
    kilobytes.

    Args:
        form: of the sheets.
        labels: of the pages, one or more.
        tell: is told how many pages are done.

    Raises:
        SheetError: there is no such sheet, or a name is too long.
    """
    from reportlab.pdfgen.canvas import Canvas

    layout = layout_of(form)
    target = io.BytesIO()
    size = (layout.page.width * _MM, layout.page.height * _MM)
    _register_fonts()
    canvas = Canvas(
        target, pagesize=size, pageCompression=1, invariant=1, initialFontName=_FONTS[False]
    )
    canvas.setTitle("wordtray word sheets")
    canvas.setCreator("wordtray")
    _store_form(canvas, layout)
    for number, label in enumerate(labels, 1):
        _draw_page(canvas, layout, label_shapes(layout, label))
        tell(number)
    canvas.save()
    return target.getvalue()


def _register_fonts() -> None:
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for bold, name in _FONTS.items():
        registerFont(TTFont(name, str(typeface(bold=bold))))


def _store_form(canvas: Canvas, layout: SheetLayout) -> None:
    canvas.beginForm(_FORM, 0, 0, layout.page.width * _MM, layout.page.height * _MM)
    _turn_upright(canvas, layout)
    for shape in form_shapes(layout):
        _paint(canvas, shape)
    canvas.endForm()


def _draw_page(canvas: Canvas, layout: SheetLayout, shapes: Iterable[Shape]) -> None:
    canvas.doForm(_FORM)
    _turn_upright(canvas, layout)
    for shape in shapes:
        _paint(canvas, shape)
    canvas.showPage()


def _turn_upright(canvas: Canvas, layout: SheetLayout) -> None:
    """Count in millimetres from the upper left corner, down."""
    canvas.transform(_MM, 0, 0, -_MM, 0, layout.page.height * _MM)
    canvas.setLineWidth(LINE_MM)
    canvas.setLineCap(1)


def _paint(canvas: Canvas, shape: Shape) -> None:
    colour = tuple(part / 255 for part in shape.colour)
    canvas.setFillColorRGB(*colour)
    canvas.setStrokeColorRGB(*colour)
    match shape:
        case Fill(rect):
            canvas.rect(rect.x, rect.y, rect.width, rect.height, stroke=0, fill=1)
        case Line(start, end):
            canvas.line(*start, *end)
        case Ring(middle, radius):
            canvas.circle(*middle, radius, stroke=1, fill=0)
        case Text():
            _set_text(canvas, shape)


def _set_text(canvas: Canvas, text: Text) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    font = _FONTS[text.bold]
    height = text.height * min(
        1.0, text.width / max(stringWidth(text.text, font, text.height), 1e-6)
    )
    canvas.saveState()
    canvas.translate(*text.place)
    canvas.scale(1, -1)
    canvas.setFont(font, height)
    draw: dict[str, Any] = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }
    draw[text.anchor](0, 0, text.text)
    canvas.restoreState()
