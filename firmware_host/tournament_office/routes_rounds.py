"""The round to come: its tables, its boards, its seats, and the start on all trays at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from firmware_host import tournament_checkin
from firmware_host.station.base import Given
from firmware_host.station.directing import cancelled, directed, seated, started
from firmware_host.station.direction import Direction, ToTray
from firmware_host.tournament_desk import (
    board_to_show,
    check_complete,
    check_settled,
    last_entry,
    play_scored,
    reason,
    round_of,
    unsettled,
)
from firmware_host.tournament_documents import remarks_document, round_document
from firmware_host.tournament_office.entered import Entered, PlayerName, Text, entered
from firmware_host.tournament_office.office import Document, Office, moved
from firmware_host.tournament_office.starts import Begun
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.tournament_rounds import (
    asks,
    by_hand,
    chosen_board,
    divisions_of,
    draw_events,
    drawing,
    drawn,
    editions,
    odd_about,
    start_event,
)
from firmware_host.tournament_rounds import promise as promised
from firmware_host.web.problems import answers
from firmware_host.web.views import example
from scoring.tournament.drawing import next_round
from scoring.tournament.log import Log
from scoring.tournament.plan import MOST_PLAYERS, Method, methods_for
from scoring.tournament.state import ROOM, Draw

router = APIRouter(prefix="/api", tags=["rounds"])

REFUSED = answers(401, 409, 422)

SHOWN_S = 600.0
"""Seconds for which orders are shown."""

LONGEST_WAIT_S = 600.0
"""Seconds before a start, at most."""

Board = Annotated[int, Field(ge=1, description="which board of the round")]
Tables = Annotated[
    list[Annotated[int, Field(ge=1)]], Field(max_length=MOST_PLAYERS, description="empty is all")
]
Points = Annotated[int, Field(ge=0, le=100_000)]
BoardText = Annotated[str, Field(max_length=400, examples=["IETC/HQuPE/SEYH/TOER"])]
Seated = Annotated[list[list[PlayerName]], Field(max_length=MOST_PLAYERS)]


class DrawAsked(BaseModel):
    """Tables are drawn; what is not given is as agreed, and for each division."""

    model_config = example(method="swiss", strict=True)

    division: Text | None = None
    method: Method | None = None
    strict: bool = Field(default=False, description="who was not ticked off sits at no table")


class TablesGiven(BaseModel):
    """The tables of a division by hand; who sits alone has a bye."""

    model_config = example(division="main", tables=[["Anna", "Bo"], ["Cy"]], over=12, keep=False)

    division: Text
    tables: Seated
    absent: list[PlayerName] = Field(default=[], max_length=MOST_PLAYERS)
    over: int = Field(ge=0, description="number of the draw that they are made of; 0 for none")
    keep: bool = Field(default=False, description="else they are only looked at")


class Promised(BaseModel):
    """A board for all tables is chosen and kept secret; rolled where none is given."""

    model_config = example(board=1, cubes="new_4x4")

    board: Board = 1
    given: BoardText | None = None
    cubes: str | None = Field(default=None, max_length=40)
    between: tuple[Points, Points] | None = Field(
        default=None, description="rolled until it holds from so many points to so many"
    )
    why: Text | None = None


class ShownBoard(BaseModel):
    """A board is shown in the tournament: the promised one, where none is given."""

    model_config = example(board=1, table=0)

    board: Board = 1
    table: int = Field(default=ROOM, ge=0)
    given: BoardText | None = None
    why: Text | None = None


class ToTables(BaseModel):
    """An order for tables."""

    model_config = example(board=1, tables=[])

    board: Board = 1
    tables: Tables = []


class StartOrdered(ToTables):
    """The sand is turned at the same moment, so many seconds from now."""

    model_config = example(board=1, tables=[], seconds=10, promised=True)

    seconds: float = Field(default=10.0, ge=1, le=LONGEST_WAIT_S)
    promised: bool = Field(default=False, description="with the promised board, sent before")


class TimeOrdered(ToTables):
    """More time."""

    model_config = example(tables=[4], seconds=30)

    seconds: float = Field(ge=1, le=120)


def state(office: Office) -> Document:
    """What keeps the round from its start, and what became of orders."""
    log = office.log
    return {
        "unsettled": _unsettled(office, log),
        "orders": _orders(office),
        "promise": office.troubles.last,
    }


@router.get("/round", responses=answers(401, 503))
def last_round(office: OfOffice, _referee: Referee) -> Document:
    """The last round that was drawn, what is odd about it, and how the next can be drawn."""
    log = office.log
    played = log.state.rounds[-1] if log.state.rounds else None
    waiting = played is not None and not played.started
    draws = list(played.draws.values()) if played else []
    return {
        "next": next_round(log.state),
        "method": str(log.plan.method),
        "methods": [str(method) for method in methods_for(log.plan.seats)],
        "divisions": list(log.plan.divisions),
        "editions": editions(log.plan),
        "round": None if played is None else round_document(log, played),
        "draws": [_draw(log, each) for each in draws],
        "remarks": remarks_document(odd_about(log, draws)) if waiting else [],
        "unsettled": _unsettled(office, log),
    }


@router.post("/round/draw", responses=REFUSED)
def draw_tables(asked: DrawAsked, office: OfOffice, referee: Referee) -> Document:
    """Draw the tables of the round to come, and again until it starts.

    Who was ticked off as not there sits at none.
    """
    log = office.log
    away = tournament_checkin.absent(log, office.roll.ticks(), strict=asked.strict)
    how = drawing(log, asked.method, away)
    draws = drawn(log, divisions_of(log.plan, asked.division), how)
    after = office.play_on(referee, log, *draw_events(log, draws))
    return _seen(log, draws) | entered(after).model_dump()


@router.post("/round/tables", responses=REFUSED)
def set_tables(asked: TablesGiven, office: OfOffice, referee: Referee) -> Document:
    """Seat a division by hand; without ``keep`` it is only told what is odd about it."""
    log = office.log
    if asked.over != _entry_of(log, next_round(log.state), asked.division):
        raise moved()
    how = by_hand(log, asked.tables, asked.absent)
    draws = drawn(log, divisions_of(log.plan, asked.division), how)
    events = draw_events(log, draws)
    if asked.keep:
        return _seen(log, draws) | entered(office.play_on(referee, log, *events)).model_dump()
    log.play(office.clock(), *events)
    return _seen(log, draws)


@router.post("/round/start", responses=REFUSED)
def start_round(office: OfOffice, referee: Referee) -> Entered:
    """Start the round without trays: its tables stay as they are."""
    with office.continuing(referee) as event:
        check_complete(event.log)
        _check_ready(office, event.log)
        event.play(start_event(event.log))
        return entered(event.log)


@router.post("/round/promise", responses=REFUSED)
def promise(asked: Promised, office: OfOffice, referee: Referee) -> Document:
    """Choose a board for all tables, keep it secret, and publish its hash."""
    plan = office.log.plan
    cubes = asked.cubes or editions(plan)[0]
    board = chosen_board(plan, asked.given, cubes, asked.between)
    with office.continuing(referee) as event:
        digest = promised(event, office.name, asked.board, board, asked.why)
        return {"hash": digest} | entered(event.log).model_dump()


@router.post("/round/board", responses=REFUSED)
def show_board(asked: ShownBoard, office: OfOffice, referee: Referee) -> Entered:
    """Show a board of the round to everybody: the round starts with the first."""
    place = (asked.board, asked.table)
    with office.continuing(referee) as event:
        number = round_of(event.log, None, office.name).number
        _check_ready(office, event.log)
        shown = board_to_show(office.name, event.log, asked.given, place)
        where = {"round": number, "board": asked.board, "table": asked.table}
        laid = {"type": "board", **where, **shown, **reason(asked.why)}
        play_scored(event, number, asked.board, [laid], asked.why)
        return entered(event.log)


@router.post("/orders/seat", responses=REFUSED)
def seat(asked: ToTables, office: OfOffice, _referee: Referee) -> Document:
    """Tell trays who plays, and what it counts for."""
    return _give(office, asked, seated)


@router.post("/orders/start", responses=REFUSED)
def start_trays(asked: StartOrdered, office: OfOffice, referee: Referee) -> Document:
    """Turn the sand at the same moment on all tables.

    A promised board is shown in the tournament once a table has started.
    """
    base, log, now = office.base(), office.log, office.clock()
    _check_ready(office, log)
    to = directed(log, asked.board, asked.tables, now)
    begun = started(office.name, to, now + asked.seconds, promised=asked.promised)
    base.give(begun.orders, now)
    office.troubles.tell("")
    if begun.laid is not None:
        showing = Begun(office, referee, begun, now, office.troubles)
        office.later(asked.seconds + 1, showing)
    return _ordered(begun.orders, now + asked.seconds)


@router.post("/orders/time", responses=REFUSED)
def give_time(asked: TimeOrdered, office: OfOffice, _referee: Referee) -> Document:
    """Give tables more time, for a disturbance."""
    return _give(office, asked, lambda to: to.extra_time(asked.seconds))


@router.post("/orders/cancel", responses=REFUSED)
def cancel(asked: ToTables, office: OfOffice, _referee: Referee) -> Document:
    """Give up the round at tables that are named; seat them again before they play it anew."""
    return _give(office, asked, cancelled)


def _give(office: Office, asked: ToTables, orders: Callable[[Direction], list[ToTray]]) -> Document:
    base, now = office.base(), office.clock()
    given = orders(directed(office.log, asked.board, asked.tables, now))
    base.give(given, now)
    return _ordered(given, now)


def _ordered(given: Iterable[ToTray], at: float) -> Document:
    """To how many trays orders were given, and when they are to happen."""
    return {"trays": len({tray for tray, _ in given}), "at": at}


def _check_ready(office: Office, log: Log) -> None:
    """See that the tables of a round that has not started are right, and fit who is there."""
    check_settled(log, office.name)
    tournament_checkin.check_settled(log, office.roll.ticks())


def _unsettled(office: Office, log: Log) -> list[str]:
    return [*unsettled(log), *tournament_checkin.unsettled(log, office.roll.ticks())]


def _seen(log: Log, draws: list[Draw]) -> Document:
    """What is odd about tables, and whether somebody must confirm that."""
    odd = odd_about(log, draws)
    return {"remarks": remarks_document(odd), "asks": asks(odd)}


def _draw(log: Log, made: Draw) -> Document:
    return {
        "division": made.division,
        "entry": _entry_of(log, len(log.state.rounds), made.division),
        "method": made.method,
        "tables": [list(table) for table in made.tables],
        "byes": list(made.byes),
        "absent": list(made.absent),
    }


def _entry_of(log: Log, number: int, division: str) -> int:
    """Number of the entry that seated a division in a round; 0 where there is none."""
    return last_entry(log, type="draw", round=number, division=division)


def _orders(office: Office) -> list[Document]:
    """What was ordered together and what became of it, the last first."""
    base = office.branch.base()
    if base is None:
        return []
    batches: defaultdict[tuple[float, str], list[Given]] = defaultdict(list)
    for each in base.given_since(office.clock() - SHOWN_S):
        batches[each.given, each.order.kind].append(each)
    return [_batch(kind, given) for (_, kind), given in reversed(batches.items())]


def _batch(kind: str, given: Iterable[Given]) -> Document:
    outcomes: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    held = list(given)
    for each in held:
        outcome = "open" if each.answer is None else str(each.answer.outcome)
        why = "" if each.answer is None else each.answer.why
        outcomes[outcome].append({"tray": each.tray, "why": why})
    return {
        "kind": kind,
        "given": held[0].given,
        "at": held[0].order.at,
        "count": {outcome: len(trays) for outcome, trays in outcomes.items()},
        "failed": [*outcomes["refused"], *outcomes["late"]],
    }
