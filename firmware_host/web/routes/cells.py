"""Cubes: doubtful ones, their pictures, what a person says of them; and those found misread."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import BaseModel, Field

from firmware_host import rounds
from firmware_host.rounds import CellCorrected, RoundState
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Role, Session
from firmware_host.web.views import example
from firmware_host.web.visitors import AtControls, OfSite, Referee

router = APIRouter(prefix="/api/cells", tags=["cells"])

LONGEST_REASON = 200
REASON = r"^[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"

Place = Annotated[int, Path(ge=0, le=15, examples=[1])]


class Reading(BaseModel):
    """What a cube may show."""

    face: str
    probability: float


class CellView(BaseModel):
    """A doubtful cube; ``face`` is what a person said, null as long as nobody did."""

    model_config = example(
        row=1,
        col=2,
        face=None,
        alternatives=[{"face": "N", "probability": 0.61}, {"face": "Z", "probability": 0.37}],
        cocked=False,
        crop_url="/api/cells/1/2.png",
    )

    row: int
    col: int
    face: str | None
    alternatives: list[Reading]
    cocked: bool
    crop_url: str


class FaceGiven(BaseModel):
    """What a cube shows: a face such as A or Qu, # for a blank, _ for no cube."""

    model_config = example(face="N")

    face: str = Field(min_length=1, max_length=4)


class CorrectionGiven(BaseModel):
    """What a cube shows in truth, as of `FaceGiven`, and how it was found out."""

    model_config = example(face="Z", why="lies on its side in the photo")

    face: str = Field(min_length=1, max_length=4)
    why: str = Field(min_length=1, max_length=LONGEST_REASON, pattern=REASON)


class CorrectedView(BaseModel):
    """A cube that was corrected, and what was played with before."""

    model_config = example(row=1, col=2, was="N", face="Z")

    row: int
    col: int
    was: str
    face: str


@router.get("", responses=answers(401, 403))
async def cells(site: OfSite, _visitor: AtControls) -> list[CellView]:
    """The cubes that are asked about, or were, since the last shake."""
    state = site.state
    return [_view(state, row, col) for row, col in _asked(state)]


@router.get(
    "/{row}/{col}.png",
    response_class=Response,
    responses=answers(401, 403, 404, 422)
    | {200: {"content": {"image/png": {}}, "description": "the cube from above"}},
)
async def crop(row: Place, col: Place, site: OfSite, visitor: AtControls) -> Response:
    """The picture of a cube; of one that was not asked about for the referee, once it is played."""
    from firmware_host.crops import cell_crop

    state = site.state
    if state.reading is None or state.photo is None or not _may_see(state, visitor, (row, col)):
        raise Problem(404, "there is no picture of this cube now", "See which are asked about.")
    data = await asyncio.to_thread(cell_crop, state.photo, state.reading, (row, col))
    return Response(data, media_type="image/png")


@router.post("/{row}/{col}", responses=answers(401, 403, 409, 422))
async def confirm(
    row: Place, col: Place, given: FaceGiven, site: OfSite, visitor: AtControls
) -> list[CellView]:
    """Say what a doubtful cube shows."""
    event = rounds.CellConfirmed((row, col), given.face, visitor.role.value)
    taken = await site.take(event)
    if not taken.changed:
        detail = f"{given.face!r} is no face, or nobody asks about this cube"
        raise Problem(409, detail, "See which cubes are asked about.")
    return [_view(taken.after, *cell) for cell in _asked(taken.after)]


@router.put("/{row}/{col}", responses=answers(401, 403, 404, 409, 422))
async def correct(
    row: Place, col: Place, given: CorrectionGiven, site: OfSite, visitor: Referee
) -> CorrectedView:
    """Correct a cube of the board that is played, or was; every list is judged by it anew."""
    by, at = visitor.role.value, site.clock.monotonic()

    def meant(state: RoundState) -> CellCorrected | None:
        if state.board is None or (row, col) not in state.board.cells:
            return None
        was = state.board.faces[row][col]
        return CellCorrected((row, col), was, given.face, given.why.strip(), by, at)

    taken = await site.take(meant)
    if not taken.changed or taken.before.board is None:
        raise _not_corrected(taken.before, (row, col), given.face)
    return CorrectedView(row=row, col=col, was=taken.before.board.faces[row][col], face=given.face)


def _not_corrected(state: RoundState, cell: tuple[int, int], face: str) -> Problem:
    if state.prescribed:
        advice = "Lay the cubes as it says, or give the round up."
        return Problem(409, "this board was prescribed, and not read", advice, kind="prescribed")
    board = state.arbitrated_board
    if board is None:
        detail = f"no board is seen where the round is {state.phase}"
        advice = "Correct it once the sand has been turned."
        return Problem(409, detail, advice, kind="no_board")
    if cell not in board.cells:
        size = f"{board.rows}×{board.cols}"
        detail = f"there is no cube at {cell[0]}, {cell[1]} of a {size} board"
        return Problem(404, detail, "Rows and columns count from 0.")
    detail = f"{face!r} is no face, or what this cube shows already"
    advice = "Give another face: a letter, Qu, # for a blank."
    return Problem(409, detail, advice, kind="same_face")


def _asked(state: RoundState) -> list[tuple[int, int]]:
    return sorted({*state.unconfirmed, *state.confirmed})


def _may_see(state: RoundState, visitor: Session, cell: tuple[int, int]) -> bool:
    board = state.reading.board if state.reading else None
    if board is None or cell not in board.cells:
        return False
    seen = state.arbitrated_board is not None and visitor.role is not Role.DISPLAY
    return seen or cell in _asked(state)


def _view(state: RoundState, row: int, col: int) -> CellView:
    read = state.reading.cells[row][col].alternatives if state.reading else ()
    return CellView(
        row=row,
        col=col,
        face=state.confirmed.get((row, col)),
        alternatives=[Reading(face=face, probability=float(share)) for face, share in read],
        cocked=(row, col) in state.cocked,
        crop_url=f"/api/cells/{row}/{col}.png",
    )
