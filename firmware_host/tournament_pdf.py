"""Pages of a tournament to be put up: tables of a round, standings, score sheets, prizes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.tournament.document import award_document
from scoring.tournament.explain import TITLES, explain, value_text
from scoring.tournament.plan import Criterion
from scoring.tournament.prizes import awards
from scoring.tournament.standings import Standings, Value

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

    from scoring.tournament.log import Log

HASH_DIGITS = 16
"""Digits of the last hash at the foot of each page: what is printed cannot be changed later."""


@dataclass(frozen=True)
class Sheet:
    """A table of text with a title.

    Attributes:
        title: above it.
        head: names of the columns.
        rows: the cells.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def pairings(log: Log, number: int) -> list[Sheet]:
    """The tables of a round, and where each player sits."""
    played = log.state.rounds[number - 1]
    printed = {name: player.printed for name, player in log.state.players.items()}
    tables = tuple(
        (str(table), ", ".join(printed[name] for name in players))
        for table, players in played.tables.items()
    )
    byes = tuple(("bye", printed[name]) for name in sorted(played.byes))
    seats = sorted((printed[name], str(table)) for name, table in played.table_of.items())
    return [
        Sheet(f"Round {number}: tables", ("table", "players"), (*tables, *byes)),
        Sheet(f"Round {number}: seats", ("player", "table"), tuple(seats)),
    ]


def standings_sheets(log: Log) -> list[Sheet]:
    """The standings of each division, the teams, and the prizes."""
    standings = Standings(log.plan, log.state)
    after = f"after round {len(standings.rounds)}"
    return [
        *(
            Sheet(
                f"Standings {after}" + (f", {division}" if len(log.plan.divisions) > 1 else ""),
                ("rank", "player", *_titles(log)),
                tuple(
                    (
                        str(each.rank),
                        log.state.players[each.name].printed,
                        *_shown(each.values),
                    )
                    for each in standings.of(division)
                ),
            )
            for division in log.plan.divisions
        ),
        *_team_sheets(standings, log, after),
        *_prize_sheets(standings),
    ]


def score_sheets(log: Log) -> list[Sheet]:
    """For each player how the rank came about."""
    standings = Standings(log.plan, log.state)
    return [
        Sheet(
            f"{log.state.players[each.name].printed}, rank {each.rank}",
            ("how it came about",),
            tuple((line,) for line in explain(log.plan, ranked, each.name)),
        )
        for division in log.plan.divisions
        for ranked in [standings.of(division)]
        for each in ranked
    ]


def to_pdf(log: Log, sheets: Sequence[Sheet]) -> bytes:
    """The sheets as a PDF: A4, name of the event above and the last hash below each page."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import SimpleDocTemplate

    register_fonts()
    target = io.BytesIO()
    document = SimpleDocTemplate(
        target, pagesize=A4, title=log.plan.name, creator="wordtray", invariant=1,
        leftMargin=50, rightMargin=50, topMargin=60, bottomMargin=50,
    )  # fmt: skip
    foot = f"{log.plan.name} · {len(log.entries)} entries, hash {log.last_hash[:HASH_DIGITS]}"

    def around(canvas: Canvas, _document: object) -> None:
        canvas.setFont(PLAIN, 9)
        canvas.drawString(50, 30, foot)
        canvas.drawRightString(A4[0] - 50, 30, str(canvas.getPageNumber()))

    parts = [part for sheet in sheets for part in _flowables(sheet)]
    document.build(parts, onFirstPage=around, onLaterPages=around)
    return target.getvalue()


PLAIN, BOLD = "wordtray", "wordtray-bold"
"""Names of the fonts, once they are registered."""


def register_fonts() -> None:
    """Make the typeface of the word sheets known to reportlab."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    from vision.paper.sheet_print import typeface

    for name, bold in ((PLAIN, False), (BOLD, True)):
        registerFont(TTFont(name, str(typeface(bold=bold))))


def _flowables(sheet: Sheet) -> Iterator[Flowable]:
    from xml.sax.saxutils import escape

    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, Spacer, Table

    heading = ParagraphStyle("heading", fontName=BOLD, fontSize=14, leading=24, keepWithNext=1)
    text = ParagraphStyle("text", fontName=PLAIN, fontSize=9, leading=11)
    bold = ParagraphStyle("head", text, fontName=BOLD)
    head = [Paragraph(escape(cell), bold) for cell in sheet.head]
    cells = [[Paragraph(escape(cell), text) for cell in row] for row in sheet.rows]
    yield Paragraph(escape(sheet.title), heading)
    yield Table(
        [head, *cells],
        colWidths=_widths(len(sheet.head)),
        repeatRows=1,
        style=[
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, "#333333"),
            ("LINEBELOW", (0, 1), (-1, -1), 0.25, "#bbbbbb"),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ],
    )
    yield Spacer(0, 16)


def _widths(columns: int) -> list[float]:
    """Of 495 points: a narrow first column where there are several."""
    if columns == 1:
        return [495.0]
    if columns == 2:
        return [150.0, 345.0]
    rest = (495.0 - 40.0 - 150.0) / (columns - 2)
    return [40.0, 150.0, *[rest] * (columns - 2)]


def _titles(log: Log) -> tuple[str, ...]:
    return tuple(TITLES[each] for each in log.plan.ranking if each is not Criterion.LONG_WORDS)


def _shown(values: Mapping[Criterion, Value]) -> Iterator[str]:
    """The values that have a column."""
    return (
        value_text(each, value)
        for each, value in values.items()
        if each is not Criterion.LONG_WORDS
    )


def _team_sheets(standings: Standings, log: Log, after: str) -> Iterator[Sheet]:
    rows = tuple(
        (
            str(team.rank),
            team.name,
            *_shown(team.values),
        )
        for team in standings.teams()
    )
    if rows:
        yield Sheet(f"Teams {after}", ("rank", "team", *_titles(log)), rows)


def _prize_sheets(standings: Standings) -> Iterator[Sheet]:
    found = map(award_document, awards(standings))
    rows = tuple((each["title"], ", ".join(each["winners"]) or each["why"]) for each in found)
    if rows:
        yield Sheet("Prizes", ("prize", "winner"), rows)
