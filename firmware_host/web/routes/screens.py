"""What the display shows between rounds: statistics, and whether the shaker is fair."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, Field

from firmware_host.errors import CommandError
from firmware_host.fairness import POOLED, Report, report
from firmware_host.fairness_log import shakes_of_log
from firmware_host.round_statistics import Statistics, evening, statistics
from firmware_host.store.log import open_log
from firmware_host.web.problems import answers
from firmware_host.web.site import Machine, Site
from firmware_host.web.views import example
from firmware_host.web.visitors import AtControls, OfSite

router = APIRouter(prefix="/api", tags=["screens"])

MOST_ROUNDS = 500
"""Rounds that statistics are of, the last ones."""


class CreditView(BaseModel):
    """A word, and whose it was."""

    word: str
    points: int
    name: str
    number: int = Field(description="of the round")


class StandingView(BaseModel):
    """What a player has come to."""

    name: str
    points: int
    rounds: int
    won: int
    words: int


class RoundsView(BaseModel):
    """What rounds have come to."""

    rounds: int
    found: int
    possible: int
    best: CreditView | None
    longest: CreditView | None
    players: list[StandingView]


_ROUNDS = {
    "rounds": 2,
    "found": 31,
    "possible": 205,
    "best": {"word": "assent", "points": 3, "name": "ada", "number": 12},
    "longest": {"word": "assent", "points": 3, "name": "ada", "number": 12},
    "players": [{"name": "ada", "points": 25, "rounds": 2, "won": 1, "words": 11}],
}


class StatisticsView(BaseModel):
    """The rounds of this evening, and all; those of simulated trays where this one is."""

    model_config = example(evening=_ROUNDS, all=_ROUNDS, simulated=False)

    evening: RoundsView
    all: RoundsView
    simulated: bool


class ShakerTestView(BaseModel):
    """A test of the shaker; shares are from 0 to 1."""

    test: str
    cube: str | None
    what: str | None
    seen: float
    fair: float
    unfair: bool
    enough: bool
    shakes_needed: int


class FairnessView(BaseModel):
    """What the shakes of the log say of the shaker, as `wordtray fairness` tells it."""

    model_config = example(
        verdict="too_few",
        edition="new_4x4",
        shakes=112,
        fewest=30,
        simulated=False,
        tests=[
            {
                "test": "repeats",
                "cube": None,
                "what": None,
                "seen": 0.171,
                "fair": 0.169,
                "unfair": False,
                "enough": False,
                "shakes_needed": 402,
            }
        ],
    )

    verdict: str = Field(description="`unfair`, `fair`, `too_few`, `none` or `other`")
    edition: str | None
    shakes: int
    fewest: int
    simulated: bool
    tests: list[ShakerTestView]


@router.get("/statistics", responses=answers(401, 403))
async def rounds(site: OfSite, _visitor: AtControls) -> StatisticsView:
    """What the rounds of this evening, and the last 500, have come to."""
    return await asyncio.to_thread(_statistics, site, site.hub.seq)


@router.get("/fairness", responses=answers(401, 403))
async def fairness(site: OfSite, _visitor: AtControls) -> FairnessView:
    """Whether the shaker is fair, as far as the shakes of the log tell."""
    return await asyncio.to_thread(_fairness, site, site.hub.seq)


def _statistics(site: Site, seq: int) -> StatisticsView:
    found: StatisticsView = site.told.statistics.of(seq, lambda: statistics_view(site.machine))
    return found


def _fairness(site: Site, seq: int) -> FairnessView:
    found: FairnessView = site.told.fairness.of(seq, lambda: fairness_view(site.machine))
    return found


def statistics_view(machine: Machine) -> StatisticsView:
    """The statistics of a machine's log."""
    with open_log(machine.place) as log:
        kept = [one for one in log.results(MOST_ROUNDS) if one.simulated == machine.simulated]
    return StatisticsView(
        evening=_rounds_view(statistics(evening(kept))),
        all=_rounds_view(statistics(kept)),
        simulated=machine.simulated,
    )


def _rounds_view(found: Statistics) -> RoundsView:
    return RoundsView.model_validate(asdict(found))


def fairness_view(machine: Machine) -> FairnessView:
    """What a machine's log says of its shaker."""
    shakes = 0
    try:
        with open_log(machine.place) as log:
            recorded = shakes_of_log(log, simulated=machine.simulated)
        shakes = len(recorded.shakes)
        return _view(machine, report(recorded.shakes, left_out_before=recorded.left_out))
    except CommandError as error:
        few = error.complaint.kind in {"no_rounds", "too_few_shakes"}
        return _untold(machine, "none" if few else "other", shakes)


def _untold(machine: Machine, verdict: str, shakes: int) -> FairnessView:
    from scoring.fairness.verdict import FEWEST

    return FairnessView(
        verdict=verdict,
        edition=None,
        shakes=shakes,
        fewest=FEWEST,
        simulated=machine.simulated,
        tests=[],
    )


def _view(machine: Machine, told: Report) -> FairnessView:
    """With the tests of all cubes, and that of a single one which is the least likely."""
    pooled = [one for one in told.findings if one.test in POOLED]
    single = [one for one in told.findings if one.test not in POOLED]
    shown = [*sorted(single, key=lambda one: one.p)[:1], *pooled]
    tests = [
        ShakerTestView(
            test=one.test,
            cube=one.subject or None,
            what=one.what or None,
            seen=round(one.seen, 4),
            fair=round(one.fair, 4),
            unfair=one.unfair,
            enough=one.enough,
            shakes_needed=one.needed,
        )
        for one in shown
    ]
    return _untold(machine, told.verdict, told.shakes).model_copy(
        update={"edition": told.edition.name, "tests": tests}
    )
