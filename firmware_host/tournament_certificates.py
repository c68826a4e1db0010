"""Certificates of a tournament: a page for each prize; without prizes, for the first places."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scoring.tournament.explain import TITLES, value_text
from scoring.tournament.plan import Criterion, PrizeKind
from scoring.tournament.prizes import awards
from scoring.tournament.standings import Standings

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from scoring.tournament.log import Log
    from scoring.tournament.standings import Standing

WIDTH, HEIGHT = 842.0, 595.0
"""Of a page: A4 across, in points."""

PLACES = 3
"""Of each division, where no prizes were agreed on."""


@dataclass(frozen=True)
class Certificate:
    """What stands on a page.

    Attributes:
        winner: a player, or a team.
        title: what for.
        lines: in small letters below.
    """

    winner: str
    title: str
    lines: tuple[str, ...]


def certificates(log: Log) -> list[Certificate]:
    """The certificates of an event as it stands, none where nothing was played."""
    standings = Standings(log.plan, log.state)
    if not standings.rounds:
        return []
    return list(_of_prizes(log, standings) if log.plan.prizes else _of_places(log, standings))


def to_pdf(log: Log, pages: list[Certificate], hash_digits: int) -> bytes:
    """The pages as a PDF: A4 across, at the foot the day, the last hash, and whether it is over.

    Args:
        log: the event.
        pages: one or more.
        hash_digits: how many digits of the hash.
    """
    from reportlab.pdfgen.canvas import Canvas

    from firmware_host.tournament_pdf import register_fonts

    register_fonts()
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setTitle(log.plan.name)
    canvas.setCreator("wordtray")
    day = f"{datetime.fromtimestamp(log.last_moment, UTC):%Y-%m-%d}"
    parts = (day, stage_of(log), f"{len(log.entries)} entries, hash {log.last_hash[:hash_digits]}")
    foot = " · ".join(part for part in parts if part)
    for page in pages:
        _paint(canvas, log.plan.name, page, foot)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def stage_of(log: Log) -> str:
    """How far an event has come that is not over yet; empty where it is."""
    rounds = log.state.rounds
    if len(rounds) == log.plan.rounds and all(r.is_complete(log.plan.boards) for r in rounds):
        return ""
    counted = len(Standings(log.plan, log.state).rounds)
    return f"the event is not over: round {counted} of {log.plan.rounds}"


def _of_prizes(log: Log, standings: Standings) -> Iterator[Certificate]:
    ranked = {each.name: each for each in standings.of()}
    for award in awards(standings):
        for winner in award.winners:
            of_team = award.prize.kind is PrizeKind.TEAM
            printed = winner if of_team else log.state.players[winner].printed
            lines = (award.why,) if of_team else (award.why, _values(ranked[winner]))
            yield Certificate(printed, award.prize.title, lines)


def _of_places(log: Log, standings: Standings) -> Iterator[Certificate]:
    for division in log.plan.divisions:
        of = f" of {division}" if len(log.plan.divisions) > 1 else ""
        for each in standings.of(division):
            if each.rank <= PLACES:
                printed = log.state.players[each.name].printed
                yield Certificate(printed, f"Place {each.rank}{of}", (_values(each),))


def _values(standing: Standing) -> str:
    return ", ".join(
        f"{TITLES[each]} {value_text(each, value)}"
        for each, value in standing.values.items()
        if each is not Criterion.LONG_WORDS  # a line of numbers that says nothing on a wall
    )


def _paint(canvas: Canvas, event: str, page: Certificate, foot: str) -> None:
    from firmware_host.tournament_pdf import BOLD, PLAIN

    for inset, line in ((28, 2.0), (34, 0.6)):
        canvas.setLineWidth(line)
        canvas.rect(inset, inset, WIDTH - 2 * inset, HEIGHT - 2 * inset)
    _centred(canvas, event, BOLD, 26, HEIGHT - 130)
    _centred(canvas, page.title, PLAIN, 24, HEIGHT - 215)
    _centred(canvas, page.winner, BOLD, 44, HEIGHT - 300)
    for number, text in enumerate(page.lines):
        _centred(canvas, text, PLAIN, 13, HEIGHT - 350 - 22 * number)
    _centred(canvas, foot, PLAIN, 9, 48)


def _centred(canvas: Canvas, text: str, font: str, size: float, y: float) -> None:
    """A line in the middle, in smaller letters where it would be too long."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    fitting = min(size, size * (WIDTH - 120) / max(stringWidth(text, font, size), 1))
    canvas.setFont(font, fitting)
    canvas.drawCentredString(WIDTH / 2, y, text)
