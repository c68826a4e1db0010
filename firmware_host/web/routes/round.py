"""The round: the same that the tray's buttons do."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from fastapi import APIRouter
from pydantic import BaseModel, Field

from firmware_host import rounds
from firmware_host.owner import Meant
from firmware_host.presses import Press
from firmware_host.rounds import MOST_EXTRA_S, Event, Phase
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site, Taken
from firmware_host.web.views import example
from firmware_host.web.visitors import AtControls, OfSite

router = APIRouter(prefix="/api/round", tags=["round"])


class Act(StrEnum):
    """What may be done to a round."""

    PRESS = "press"
    HOLD = "hold"
    PAUSE = "pause"
    RESUME = "resume"
    REROLL = "reroll"
    CANCEL = "cancel"
    LAST_CHANCE = "last_chance"
    AGREE = "agree"
    CLOSE_LISTS = "close_lists"


class ExtraAsked(BaseModel):
    """Seconds for a disturbance."""

    model_config = example(seconds=30)

    seconds: float = Field(gt=0, le=MOST_EXTRA_S, allow_inf_nan=False)


class PhaseView(BaseModel):
    """Where the round stands after it."""

    model_config = example(phase="running")

    phase: Phase


# Before the acts: it would be taken for one.
@router.post("/extra-time", responses=answers(401, 403, 409, 422))
async def extra_time(asked: ExtraAsked, site: OfSite, visitor: AtControls) -> PhaseView:
    """Grant seconds, as far as they are granted: 120 in a round."""
    at = site.clock.monotonic()
    return _done(await site.take(rounds.ExtraTime(asked.seconds, at, visitor.role.value)))


@router.post("/{act}", responses=answers(401, 403, 409, 422))
async def do(act: Act, site: OfSite, visitor: AtControls) -> PhaseView:
    """Do what a button of the tray does."""
    meant = _meant(act, site)
    return _done(await site.take(lambda state: _signed(meant(state), visitor.role.value)))


def _signed(event: Event | None, by: str) -> Event | None:
    """An event with who did it, where it can tell."""
    return replace(event, by=by) if isinstance(event, _SIGNED) else event


_SIGNED = (
    *(rounds.ButtonPressed, rounds.PauseAsked, rounds.ResumeAsked, rounds.RerollAsked),
    *(rounds.Cancelled, rounds.CellConfirmed, rounds.ListsClosed),
)


def _meant(act: Act, site: Site) -> Meant:
    at = site.clock.monotonic()
    events: dict[Act, Event] = {
        Act.PAUSE: rounds.PauseAsked(at),
        Act.RESUME: rounds.ResumeAsked(at),
        Act.AGREE: rounds.Agreed("", at),
        Act.CLOSE_LISTS: rounds.ListsClosed(),
    }
    if act in events:
        return lambda _: events[act]
    if act is Act.HOLD:
        return Press(site.table.long_press, at, long=True).meant
    return Press(act.value, at).meant


def _done(taken: Taken) -> PhaseView:
    if not taken.changed:
        phase = taken.before.phase
        raise Problem(
            409, f"it changes nothing where the round is {phase}", "See what it waits for."
        )
    return PhaseView(phase=taken.after.phase)
