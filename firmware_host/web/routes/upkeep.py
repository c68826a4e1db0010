"""What the owner does with the devices while no round is on: look, calibrate, try the motor."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from firmware_host.calibration.stored import Step, load
from firmware_host.errors import CommandError
from firmware_host.upkeep import BusyError, Report, Task, Upkeep, Work
from firmware_host.web.pictures import jpeg
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site
from firmware_host.web.views import FaultView, example, fault_view
from firmware_host.web.visitors import OfSite, Owner
from hardware.devices import LONGEST_SHAKE_S

router = APIRouter(prefix="/api/upkeep", tags=["upkeep"])

SIDE = 960
"""Pixels of the longer side of a live picture, at most."""

_QUALITY = 70


class FoundView(BaseModel):
    """What a step of a calibration found."""

    step: str
    text: str


class UpkeepView(BaseModel):
    """How it stands: what is done or was done last, and what came of it.

    Whoever began it asks for this at least every four seconds: else it ends, and the motor stops.
    ``frame`` is the number of the last picture; 0 is none.
    """

    model_config = example(
        work="calibrate",
        running=False,
        simulated=True,
        told=["corners: picture 7 of 7"],
        found=[{"step": "corners", "text": "4×4 cubes within …"}],
        stored=True,
        problem=None,
        frame=12,
        most_power=0.8,
        longest_s=6.0,
    )

    work: Work | None
    running: bool
    simulated: bool
    told: list[str]
    found: list[FoundView]
    stored: bool
    problem: FaultView | None
    frame: int
    most_power: float
    longest_s: float


class UpkeepAsked(BaseModel):
    """What is to be done. What moves the motor needs ``hands_off``: no finger is in the tray."""

    model_config = example(
        work="calibrate", steps=["exposure", "corners"], seconds=1, power=0.5, hands_off=False
    )

    work: Work
    steps: list[Step] = Field(default_factory=lambda: [Step.EXPOSURE, Step.CORNERS], max_length=4)
    seconds: float = Field(default=1.0, gt=0, le=LONGEST_SHAKE_S, allow_inf_nan=False)
    power: float = Field(default=0.5, gt=0, le=1, allow_inf_nan=False)
    hands_off: bool = False


class CalibratedView(BaseModel):
    """What is stored of a step, with its age."""

    model_config = example(step="corners", text="4×4 cubes within …", at=1796050000.0)

    step: str
    text: str
    at: float


@router.get("", responses=answers(401, 403, 409))
async def standing(site: OfSite, _visitor: Owner) -> UpkeepView:
    """How it stands."""
    upkeep = _of(site)
    upkeep.renew()
    return _view(site, upkeep)


@router.post("", status_code=202, responses=answers(401, 403, 409, 422))
async def begin(asked: UpkeepAsked, site: OfSite, _visitor: Owner) -> UpkeepView:
    """Begin: the devices are lent, and taken back at its end."""
    upkeep = _of(site)
    _check(asked, upkeep)
    task = Task(asked.work, tuple(asked.steps), asked.seconds, asked.power)
    try:
        upkeep.begin(task)
    except BusyError:
        detail = "something is done already"
        raise Problem(409, detail, "Wait for its end, or end it.", kind="upkeep") from None
    return _view(site, upkeep)


@router.delete("", status_code=204, responses=answers(401, 403, 409))
async def end(site: OfSite, _visitor: Owner) -> None:
    """End it now: the motor stops at once."""
    await asyncio.to_thread(_of(site).halt)


@router.get(
    "/frame.jpg",
    response_class=Response,
    responses=answers(401, 403, 404, 409)
    | {200: {"content": {"image/jpeg": {}}, "description": "the last picture of the camera"}},
)
async def frame(site: OfSite, _visitor: Owner) -> Response:
    """The last picture that the camera took for it."""
    photo = _of(site).photo
    if photo is None:
        raise Problem(404, "there is no picture yet", "Begin to look, or to calibrate.")
    data = await asyncio.to_thread(jpeg, photo[1], SIDE, _QUALITY)
    return Response(data, media_type="image/jpeg")


@router.get("/calibration", responses=answers(401, 403, 409))
async def calibration(site: OfSite, _visitor: Owner) -> list[CalibratedView]:
    """What is stored, as of `wordtray calibrate --show`."""
    try:
        kept = load(_of(site).bench.file)
    except CommandError as error:
        told = error.complaint
        raise Problem(409, told.message, told.advice, kind=told.kind) from error
    return [
        CalibratedView(step=step, text=str(one), at=one.at.timestamp())
        for step, one in (kept.steps.items() if kept else ())
    ]


def _of(site: Site) -> Upkeep:
    if site.upkeep is None:
        advice = "Restart the service without safe mode."
        raise Problem(409, "there are no devices in safe mode", advice, kind="safe_mode")
    return site.upkeep


def _check(asked: UpkeepAsked, upkeep: Upkeep) -> None:
    moves = asked.work is Work.MOTOR or (asked.work is Work.CALIBRATE and Step.MOTOR in asked.steps)
    if moves and not asked.hands_off:
        raise Problem(422, "hands_off: the motor is to move", "See that no hand is in the tray.")
    if asked.work is Work.CALIBRATE and not asked.steps:
        raise Problem(422, "steps: none is named", "Name one.")
    shaker = upkeep.bench.settings.shaker
    if asked.work is Work.MOTOR and (
        asked.power > shaker.power or asked.seconds > shaker.longest_s
    ):
        bounds = f"at most {shaker.power:.0%} of full power for {shaker.longest_s:g} s"
        raise Problem(422, f"the settings allow {bounds}", "Give less.")


def _view(site: Site, upkeep: Upkeep) -> UpkeepView:
    report: Report = upkeep.report
    shaker = upkeep.bench.settings.shaker
    return UpkeepView(
        work=report.task.work if report.task else None,
        running=report.running,
        simulated=site.table.simulated,
        told=list(report.told),
        found=[FoundView(step=step, text=text) for step, text in report.found],
        stored=report.stored,
        problem=fault_view(report.problem),
        frame=report.frames,
        most_power=shaker.power,
        longest_s=shaker.longest_s,
    )
