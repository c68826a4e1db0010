"""Standings with how each rank came about, and files of all of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathPart

from firmware_host.errors import wrong_use
from firmware_host.tournament_archive import write_archive
from firmware_host.tournament_desk import check_round, check_settled, round_of
from firmware_host.tournament_documents import standings_document
from firmware_host.tournament_export import exported
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.tournament_sheets import labels
from firmware_host.web.problems import Problem, answers
from scoring.players import LONGEST_NAME, composed
from scoring.tournament.log import Log

router = APIRouter(prefix="/api", tags=["exports"])

Make = Callable[[Log], bytes]


def state(_office: Office) -> Document:
    """What files there are."""
    return {"files": list(FILES)}


@router.get("/standings", response_model=None, responses=answers(401, 409, 422))
def standings(
    office: OfOffice,
    _referee: Referee,
    after: Annotated[int | None, Query(ge=0)] = None,
    explain: Annotated[str | None, Query(max_length=LONGEST_NAME)] = None,
) -> Document:
    """Ranks, teams and prizes, also as they were after a round; how a player's rank came about."""
    log = office.log
    check_round(log, after)
    player = None if explain is None else composed(explain)
    if player is not None and player not in log.state.players:
        message = f"nobody called {explain!r} is enrolled"
        raise wrong_use("unknown_player", message, "Look how they are written.")
    return standings_document(office.name, log, after, player)


@router.get(
    "/exports/{file}",
    response_class=Response,
    responses={200: {"description": "The file."}, **answers(401, 404, 409, 422)},
)
def export(
    file: Annotated[str, PathPart(max_length=40)], office: OfOffice, _referee: Referee
) -> Response:
    """A file of the event, as it stands."""
    if file not in FILES:
        raise Problem(404, f"there is no file {file!r}", f"There are {', '.join(FILES)}.")
    log = office.log
    media = _MEDIA[Path(file).suffix]
    attached = {"content-disposition": f'attachment; filename="{office.name}-{file}"'}
    return Response(FILES[file](log), media_type=media, headers=attached)


def _exported(ending: str, what: str) -> Make:
    return lambda log: exported(log, ending, what)


def _sheets(log: Log) -> bytes:
    """Word sheets for every seat of the last round."""
    from firmware_host.sheets import sheets_pdf
    from vision.paper.sheet import Form

    played = round_of(log, None)
    check_settled(log)
    boards = range(1, log.plan.boards + 1)
    return sheets_pdf(Form(), labels(played, boards, 1), lambda _pages: None)


def _archive(log: Log) -> bytes:
    """The event in one file; pictures lie where they were taken, and are not in it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "event.zip")
        write_archive(file, log, {}, None)
        return file.read_bytes()


FILES: Mapping[str, Make] = MappingProxyType(
    {
        "standings.pdf": _exported(".pdf", "standings"),
        "standings.csv": _exported(".csv", "standings"),
        "pairings.pdf": _exported(".pdf", "pairings"),
        "pairings.csv": _exported(".csv", "pairings"),
        "scores.pdf": _exported(".pdf", "scores"),
        "scores.csv": _exported(".csv", "scores"),
        "certificates.pdf": _exported(".pdf", "certificates"),
        "sheets.pdf": _sheets,
        "event.json": _exported(".json", ""),
        "archive.zip": _archive,
    }
)
"""The files that there are, and what makes each."""

_MEDIA = MappingProxyType(
    {
        ".csv": "text/csv; charset=utf-8",
        ".json": "application/json",
        ".pdf": "application/pdf",
        ".zip": "application/zip",
    }
)
