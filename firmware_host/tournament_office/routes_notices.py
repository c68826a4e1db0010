"""Announcements and countdowns: on the pages of the hall, and on the tables' own displays."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from firmware_host.rounds import Announced
from firmware_host.station.base import Given
from firmware_host.station.directing import directed, told
from firmware_host.station.direction import VALID_S
from firmware_host.store.codec import kind_of_type
from firmware_host.tournament_notice import LONGEST, Notice, announce, announced
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.web.problems import answers
from firmware_host.web.views import example

router = APIRouter(prefix="/api", tags=["notices"])

MOST_TABLES = 1000

LOOK_BACK_S = 10 * VALID_S
"""Seconds for which is told what became of an announcement at the tables."""


class NoticeAsked(BaseModel):
    """Something for everybody to read, perhaps with a countdown."""

    model_config = example(text="Round 3 begins", minutes=5, hall=True, tables=[])

    text: str = Field(min_length=1, max_length=LONGEST)
    minutes: float | None = Field(default=None, ge=0, le=1440, allow_inf_nan=False)
    hall: bool = Field(default=True, description="on the pages of the hall")
    tables: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=MOST_TABLES)] | None = (
        Field(default=None, description="on the displays of these tables; empty for all, null none")
    )


def state(office: Office) -> Document:
    """What is announced in the hall, and which tables have it."""
    notice = announced(office.name)
    shown = None if notice is None else {"text": notice.text, "until": notice.until}
    return {"notice": shown, "tables": _at_tables(office)}


@router.post("/notices", response_model=None, responses=answers(401, 403, 409, 422))
def put_up(asked: NoticeAsked, office: OfOffice, _referee: Referee) -> Document:
    """Put an announcement up. Tables take it while the station is at work."""
    until = None if asked.minutes is None else office.clock() + 60 * asked.minutes
    if asked.tables is not None:  # first: without a station nothing is to be up by half
        _tell_tables(office, asked.text.strip(), until, asked.tables)
    if asked.hall:
        announce(office.name, Notice(asked.text, until))
    return state(office)


@router.delete("/notices", response_model=None, responses=answers(401, 403, 409))
def take_down(office: OfOffice, _referee: Referee) -> Document:
    """Take it down everywhere; at the tables where there is a station."""
    announce(office.name, None)
    if office.branch.base() is not None and office.log.state.rounds:
        _tell_tables(office, "", None, [])
    return state(office)


def _tell_tables(office: Office, text: str, until: float | None, tables: list[int]) -> None:
    now = office.clock()
    orders = told(directed(office.log, 1, tables, now), text, until)
    office.base().give(orders, now)


def _at_tables(office: Office) -> Document | None:
    """How many tables have taken the last announcement; None where there was none of late."""
    base = office.branch.base()
    if base is None:
        return None
    given = base.given_since(office.clock() - LOOK_BACK_S)
    last = {each.tray: each for each in given if each.order.kind == kind_of_type(Announced)}
    if not last:
        return None
    outcomes = Counter(map(_outcome, last.values()))
    behind = sorted(tray for tray, each in last.items() if _outcome(each) != "done")
    return {"given": len(last), "done": outcomes["done"], "behind": behind}


def _outcome(given: Given) -> str:
    return "" if given.answer is None else str(given.answer.outcome)
