"""The camera's view: the photo that was read, as soon as all may see its letters."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from firmware_host.web.pictures import jpeg
from firmware_host.web.problems import Problem, answers
from firmware_host.web.visitors import OfSite, Referee

router = APIRouter(prefix="/api", tags=["machine"])

SIDE = 1600
"""Pixels of its longer side, at most."""


@router.get(
    "/photo",
    response_class=Response,
    responses=answers(401, 403, 404, 409)
    | {200: {"content": {"image/jpeg": {}}, "description": "the tray as it was photographed"}},
)
async def photo(site: OfSite, _visitor: Referee) -> Response:
    """The photo of this round, once the sand runs; in a pause the referee may look at it, too."""
    state = site.state
    if state.photo is None:
        raise Problem(404, "there is no photo of this round", "It is taken after the shake.")
    if state.arbitrated_board is None:
        raise Problem(409, "the letters are hidden now", "Turn the hourglass.", kind="hidden")
    return Response(await asyncio.to_thread(_reduced, state.photo), media_type="image/jpeg")


def _reduced(file: Path) -> bytes:
    from vision.errors import PhotoError
    from vision.photo import load_reduced

    try:
        pixels = load_reduced(file, SIDE).pixels
    except PhotoError as error:
        raise Problem(404, str(error), error.advice, kind="photo") from error
    return jpeg(pixels, SIDE)
