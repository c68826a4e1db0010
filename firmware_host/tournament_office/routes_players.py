"""Registration and check-in: who is enrolled, who is there, and what was a slip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, Field

from firmware_host.tournament_checkin import Ticks, counts
from firmware_host.tournament_intake import enrolments_of, text_of
from firmware_host.tournament_office.entered import Entered, PlayerName, Text, entered
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.web.problems import Problem, answers
from firmware_host.web.views import example
from scoring.match import Event
from scoring.tournament.drawing import next_round
from scoring.tournament.fold import MOST_RATING
from scoring.tournament.log import Log
from scoring.tournament.plan import MOST_PLAYERS
from scoring.tournament.state import Player

router = APIRouter(prefix="/api", tags=["players"])

REFUSED = answers(401, 409, 422)

Players = Annotated[list[PlayerName], Field(min_length=1, max_length=MOST_PLAYERS)]


class Particulars(BaseModel):
    """What is known of a player; what is not given stays, or is that of anybody."""

    division: Text | None = None
    rating: int | None = Field(default=None, ge=0, le=MOST_RATING)
    team: Text | None = None
    shown: Text | None = Field(default=None, description="what is printed in place of the name")


class Enrolled(Particulars):
    """Somebody is enrolled, or what is known of them is changed."""

    model_config = example(player="Anna", division="main", rating=1200, team="Reds")

    player: PlayerName


class StatusChanged(BaseModel):
    """A player leaves, is suspended for a reason, or is drawn again."""

    model_config = example(player="Anna", does="withdraw")

    player: PlayerName
    does: Literal["withdraw", "suspend", "return"]
    why: Text | None = None


class ByeAsked(BaseModel):
    """A player will not be there for a round to come."""

    model_config = example(player="Anna", round=3)

    player: PlayerName
    round: int = Field(ge=1)


class CheckedIn(BaseModel):
    """Players are there, or are not; null takes back what was said."""

    model_config = example(players=["Anna", "Bo"], here=True)

    players: Players
    here: bool | None
    again: bool = Field(
        default=True, description="those who are ticked off already, too; else their ticks stay"
    )


def state(office: Office) -> Document:
    """How many are there; ``ticks`` is another one where anybody was ticked off."""
    ticks = office.roll.ticks()
    latest = max((tick.at for tick in ticks.values()), default=0.0)
    return {**counts(office.log, ticks), "ticks": [len(ticks), latest]}


@router.get("/players", responses=answers(401, 503))
def players(office: OfOffice, _referee: Referee) -> Document:
    """All who were ever enrolled, in the order of enrolling, and who is there."""
    log, ticks = office.log, office.roll.ticks()
    return {
        "divisions": list(log.plan.divisions),
        "rounds": {"next": next_round(log.state), "last": log.plan.rounds},
        "players": [_player(log, ticks, player) for player in log.state.players.values()],
    }


@router.post("/players", status_code=201, responses=REFUSED)
def enrol(asked: Enrolled, office: OfOffice, referee: Referee) -> Entered:
    """Enrol somebody; in the middle of an event they have not lost the rounds before."""
    return entered(office.play(referee, _event("enrol", asked)))


@router.put("/players", responses=REFUSED)
def amend(asked: Enrolled, office: OfOffice, referee: Referee) -> Entered:
    """Change what is known of a player; what is not given stays."""
    return entered(office.play(referee, _event("amend", asked)))


@router.post("/players/file", responses=REFUSED)
def enrol_file(
    office: OfOffice,
    referee: Referee,
    data: Annotated[bytes, Body(media_type="application/octet-stream")],
    *,
    name: Annotated[str, Query(max_length=200)] = "the file",
    keep: bool = False,
) -> Document:
    """Enrol the players of a CSV file, all or none: columns name, division, rating, team.

    Without ``keep`` it is only looked at.
    """
    events = enrolments_of(name, text_of(name, data), office.log)
    if not events:
        raise Problem(409, f"{name} names no player", "Write a player a line.", kind="players")
    log = office.play(referee, *events) if keep else office.log.play(office.clock(), *events)
    return {"kept": keep, "players": _named(log, events), "entries": len(log.entries)}


@router.post("/players/status", responses=REFUSED)
def change_status(asked: StatusChanged, office: OfOffice, referee: Referee) -> Entered:
    """Have a player leave, be suspended, or be drawn again."""
    return entered(office.play(referee, _event(asked.does, asked, "does")))


@router.post("/players/bye", responses=REFUSED)
def ask_bye(asked: ByeAsked, office: OfOffice, referee: Referee) -> Entered:
    """Give a player a bye in a round to come."""
    return entered(office.play(referee, _event("ask_bye", asked)))


@router.post("/checkin", status_code=204, responses=answers(401, 409, 422, 503))
def check_in(asked: CheckedIn, office: OfOffice, referee: Referee) -> None:
    """Tick players off. Who is not there sits at no table when the next round is drawn."""
    known = office.log.state.players
    stranger = next((name for name in asked.players if name not in known), None)
    if stranger is not None:
        detail = f"nobody called {stranger!r} is enrolled"
        raise Problem(409, detail, "Look how they are written.", kind="unknown_player")
    office.tick(referee, asked.players, here=asked.here, again=asked.again)


def _event(kind: str, asked: BaseModel, *left_out: str) -> Event:
    """An event of what was asked; what was not given is not in it."""
    return {"type": kind, **asked.model_dump(exclude_none=True, exclude=set(left_out))}


def _named(log: Log, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Those whom events enrolled, as they stand now."""
    last = list(log.state.players.values())[-len(events) :]
    return [_particulars(player) for player in last]


def _particulars(player: Player) -> dict[str, Any]:
    names = ("name", "division", "rating", "team", "shown")
    return {name: getattr(player, name) for name in names}


def _player(log: Log, ticks: Ticks, player: Player) -> dict[str, Any]:
    tick = ticks.get(player.name)
    last = log.state.rounds[-1] if log.state.rounds else None
    return {
        **_particulars(player),
        "status": str(player.status),
        "since": player.since,
        "byes": sorted(player.byes),
        "table": None if last is None else last.table_of.get(player.name),
        "here": None if tick is None else tick.here,
        "ticked_by": "" if tick is None else tick.by,
        "ticked_at": None if tick is None else tick.at,
    }
