"""Results of every table, corrections and adjustments with what they change, the log and undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from firmware_host.tournament_desk import reason, undoing
from firmware_host.tournament_office.correcting import (
    Correction,
    check_mark,
    check_place,
    corrected,
)
from firmware_host.tournament_office.entered import PlayerName, Text
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.tournament_results import log_page, table_document
from firmware_host.web.problems import answers
from firmware_host.web.sessions import Session
from firmware_host.web.views import example
from scoring.match import Event
from scoring.players import composed
from scoring.tournament.log import Log
from scoring.tournament.plan import MOST_POINTS

router = APIRouter(prefix="/api", tags=["corrections"])

MOST_ENTRIES = 200
"""Of the log in one answer."""

MOST_LINES = 1000

Line = Annotated[str, StringConstraints(max_length=200)]
Name = Annotated[PlayerName, AfterValidator(composed)]
Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]


def state(_office: Office) -> Document:
    """Nothing: whatever is corrected changes the event."""
    return {}


class AtTable(BaseModel):
    """Something about a table's board; ``mark`` is that of the table as the referee saw it."""

    round: int = Field(ge=1)
    board: int = Field(ge=1)
    table: int = Field(ge=1)
    why: Text | None = Field(default=None, description="of a correction: kept and shown")
    mark: int | None = Field(default=None, ge=0, description="null: whatever was changed since")
    preview: bool = Field(default=False, description="tell what would change, and enter nothing")

    @property
    def place(self) -> dict[str, Any]:
        """As events have it."""
        named = {"round": self.round, "board": self.board, "table": self.table}
        return {**named, **reason(self.why or None)}


class ListsAsked(AtTable):
    """Lists of a table; those of others stay. ``shown`` is its board, where it has none yet."""

    model_config = example(
        round=2, board=1, table=3, lists={"Anna": ["quiet", "toe"]}, why="misread", mark=41
    )

    lists: dict[Name, Annotated[list[Line], Field(max_length=MOST_LINES)]] = Field(min_length=1)
    shown: str | None = Field(default=None, max_length=200)


class ScoresAsked(AtTable):
    """Points of all of a table, which no list proves."""

    model_config = example(
        round=2, board=1, table=3, points={"Anna": 12, "Bo": 3}, why="added wrong", mark=41
    )

    points: dict[Name, Points] = Field(min_length=1)


class AdjustmentAsked(BaseModel):
    """Points that the referee gives in a round, or takes."""

    model_config = example(round=2, player="Anna", points=-5, why="late")

    round: int = Field(ge=1)
    player: Name
    points: Points
    why: Text
    preview: bool = False


class UndoAsked(BaseModel):
    """Take an entry back."""

    model_config = example(why="wrong player", preview=True)

    why: Text
    preview: bool = False


@router.get(
    "/results/{number}/{board}/{table}", response_model=None, responses=answers(401, 409, 422)
)
def result(
    number: Annotated[int, Path(ge=1)],
    board: Annotated[int, Path(ge=1)],
    table: Annotated[int, Path(ge=1)],
    office: OfOffice,
    _referee: Referee,
) -> Document:
    """What a table made of a board, word by word."""
    log = office.log
    check_place(log, number, (board, table))
    return table_document(log, number, (board, table))


@router.post("/corrections/lists", response_model=None, responses=answers(401, 403, 409, 422))
def correct_lists(asked: ListsAsked, office: OfOffice, referee: Referee) -> Document:
    """Enter lists of a table, or replace them; scores and standings follow."""
    shown = [] if asked.shown is None else [{"type": "board", **asked.place, "shown": asked.shown}]
    lists = {"type": "lists", **asked.place, "lists": asked.lists}
    return _corrected(office, referee, asked, *shown, lists)


@router.post("/corrections/scores", response_model=None, responses=answers(401, 403, 409, 422))
def correct_scores(asked: ScoresAsked, office: OfOffice, referee: Referee) -> Document:
    """Enter points of a table, or replace them."""
    scores = {name: {"points": points} for name, points in asked.points.items()}
    entered = {"type": "scores", **asked.place, "scores": scores, "entered": True}
    return _corrected(office, referee, asked, entered)


@router.post("/corrections/adjustments", response_model=None, responses=answers(401, 403, 409, 422))
def adjust(asked: AdjustmentAsked, office: OfOffice, referee: Referee) -> Document:
    """Give a player points in a round, or take some."""
    event = {"type": "adjust", **asked.model_dump(exclude={"preview"})}
    return corrected(office, referee, lambda _log, _after: [event], preview=asked.preview)


@router.get("/log", response_model=None, responses=answers(401, 422))
def log(
    office: OfOffice,
    _referee: Referee,
    before: Annotated[int | None, Query(ge=1)] = None,
    count: Annotated[int, Query(ge=1, le=MOST_ENTRIES)] = 100,
) -> Document:
    """Entries with who, when and why, the last one first; ``before`` a number the ones before."""
    kept = office.log
    return {"entries": log_page(kept, before, count), "count": len(kept.entries)}


@router.post("/log/{entry}/undo", response_model=None, responses=answers(401, 403, 409, 422))
def undo(
    entry: Annotated[int, Path(ge=1)], asked: UndoAsked, office: OfOffice, referee: Referee
) -> Document:
    """Take an entry back on which nothing rests; the log keeps both."""

    def wanted(log: Log, after: Callable[..., Log]) -> list[Event]:
        return undoing(log, entry, asked.why, after)

    return corrected(office, referee, wanted, preview=asked.preview)


def _corrected(office: Office, referee: Session, asked: AtTable, *events: Event) -> Document:
    def wanted(log: Log, after: Callable[..., Log]) -> list[Event]:
        place = asked.board, asked.table
        check_place(log, asked.round, place)
        check_mark(log, asked.round, place, asked.mark)
        return Correction(asked.round, asked.board, events, asked.why or None).events_at(after)

    return corrected(office, referee, wanted, preview=asked.preview)
