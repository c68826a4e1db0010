"""The pages of the hall: read-only and public, so that they need neither PIN nor session."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Header, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from firmware_host import tournament_notice, tournaments
from firmware_host.tournament_wall.feed import feed
from firmware_host.web.guards import Guard
from firmware_host.web.plain import plain_app
from firmware_host.web.problems import Problem, answers, tell_problems
from firmware_host.web.render import Pages
from firmware_host.web.routes.pages import LANGUAGE, mount_files
from scoring.encoding import canonical
from scoring.tournament.log import EventError

Stamp = tuple[object, ...]


@dataclass
class Hall:
    """An event as the pages see it; the file is read again when it has changed.

    Attributes:
        name: of the event.
        clock: seconds since 1970.
        pages: the templates in all languages.
        join_url: the address that phones use.
    """

    name: str
    clock: Callable[[], float]
    pages: Pages
    join_url: Callable[[], str]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _read: tuple[Stamp, dict[str, Any]] | None = field(default=None, repr=False)

    def document(self) -> dict[str, Any]:
        """The feed of this moment; what all phones ask for is computed once for each change.

        Raises:
            CommandError, EventError, OSError: the event cannot be read.
        """
        with self._lock:
            notice = tournament_notice.announced(self.name)
            stamp = (tournaments.stamp(self.name), notice)
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, feed(tournaments.load(self.name), notice, 0.0))
            return self._read[1] | {"now": self.clock()}


router = APIRouter(tags=["hall"])
pages = APIRouter(include_in_schema=False)

EXAMPLE = {
    "title": "Spring Cup", "entries": 31, "head": "9f86d081…", "now": 1764.5,
    "rounds": {"planned": 5, "counted": 1}, "criteria": ["points", "wins", "strength"],
    "round": {
        "number": 2, "started": True, "byes": [], "boards": [],
        "tables": [{"table": 1, "players": ["Anna", "Bo"], "complete": False}],
    },
    "standings": {"main": [
        {"rank": 1, "name": "Anna", "team": "", "points": 31, "wins": 1, "strength": 0.5,
         "by_round": [{"round": 1, "table": 1, "points": 31, "wins": 1}]}]},
    "prizes": [], "notice": {"text": "Lunch", "until": 2000.0},
}  # fmt: skip


@router.get(
    "/api/live",
    responses={
        200: {"content": {"application/json": {"example": EXAMPLE}}},
        304: {"description": "Nothing has changed since the answer of this tag."},
        **answers(503),
    },
)
def live(
    request: Request, if_none_match: Annotated[str | None, Header(max_length=200)] = None
) -> Response:
    """Where the event stands; for any page, of any site."""
    hall: Hall = request.app.state.hall
    try:
        document = hall.document()
    except (EventError, OSError) as error:
        advice = "Look at it at the desk; the pages go on when it can be read again."
        raise Problem(503, str(error), advice) from error
    headers = {
        "etag": f'"{_tag(document)}"',
        "cache-control": "no-cache",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "etag",
    }
    if if_none_match == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return JSONResponse(document, headers=headers)


@pages.get("/")
@pages.get("/me")
@pages.get("/overlay")
def page(request: Request, lang: Annotated[str | None, Query(max_length=8)] = None) -> HTMLResponse:
    """A page; what it shows it asks of the feed."""
    hall: Hall = request.app.state.hall
    texts = hall.pages.catalogues.chosen(
        lang, request.cookies.get(LANGUAGE), request.headers.get("accept-language")
    )
    name = {"/": "wall", "/me": "seat", "/overlay": "overlay"}[request.url.path]
    html = hall.pages.html(name, texts, join_url=hall.join_url())
    return HTMLResponse(html, headers={"cache-control": "no-cache"})


def hall_app(hall: Hall, names: Collection[str], version: str = "0") -> FastAPI:
    """The application.

    Args:
        hall: the event.
        names: host names of this machine.
        version: of wordtray, for OpenAPI.
    """
    app = plain_app("wordtray hall", version)
    app.state.hall = hall
    tell_problems(app)
    app.include_router(router)
    app.include_router(pages)
    mount_files(app)
    app.add_middleware(Guard, names=frozenset(names))
    return app


def _tag(document: dict[str, Any]) -> str:
    """What changes when anything but the moment does."""
    parts = [document["head"], document["notice"]]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:32]
