"""The application of the desk, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse

from firmware_host.tournament_intake import LARGEST_FILE
from firmware_host.tournament_office import (
    people,
    routes_challenges,
    routes_corrections,
    routes_exports,
    routes_monitor,
    routes_notices,
    routes_players,
    routes_review,
    routes_rounds,
)
from firmware_host.tournament_office.office import Office
from firmware_host.tournament_office.state import Part, state_router
from firmware_host.tournament_office.visitors import OfOffice
from firmware_host.web.guards import Guard
from firmware_host.web.plain import plain_app
from firmware_host.web.problems import answers, tell_problems
from firmware_host.web.routes.pages import LANGUAGE, YEAR_S, mount_files
from scoring.cubes import UnknownCubeSetError
from scoring.lexicon import LexiconError
from scoring.match import RuleError
from scoring.tournament.log import EventError

SECTIONS = {
    "players": routes_players,
    "rounds": routes_rounds,
    "tables": routes_monitor,
    "review": routes_review,
    "challenges": routes_challenges,
    "corrections": routes_corrections,
    "notices": routes_notices,
    "exports": routes_exports,
}
"""Routes by what they add to the state: each has a ``router`` and a ``state``."""

FILES: Mapping[str, int] = {"/api/players/file": LARGEST_FILE}
"""Where files are taken as they are, and how many bytes of one."""

DESCRIPTION = """The referees' desk of a tournament.

`/api/desk` tells where it stands; ask for it with the tag of the last answer."""

pages = APIRouter(include_in_schema=False)


@pages.get("/")
def page(
    request: Request, office: OfOffice, lang: Annotated[str | None, Query(max_length=8)] = None
) -> HTMLResponse:
    """The page; what it shows it asks of the routes, which know who may see it."""
    texts = office.pages.catalogues.chosen(
        lang, request.cookies.get(LANGUAGE), request.headers.get("accept-language")
    )
    html = office.pages.html("desk", texts, event=office.name, title=office.log.plan.name)
    answer = HTMLResponse(html, headers={"cache-control": "no-cache", "vary": "cookie"})
    if lang == texts.language:
        answer.set_cookie(LANGUAGE, lang, max_age=YEAR_S, samesite="lax", secure=office.secure)
    return answer


def office_app(office: Office, names: Collection[str], version: str = "0") -> FastAPI:
    """The application.

    Args:
        office: what the routes share.
        names: host names of this machine.
        version: of wordtray, for OpenAPI.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        office.branch.close()

    app = plain_app("wordtray desk", version, DESCRIPTION, lifespan)
    app.state.office = office
    tell_problems(app, RuleError, EventError, LexiconError, UnknownCubeSetError, OSError)
    parts: dict[str, Part] = {name: section.state for name, section in SECTIONS.items()}
    routers = (people.router, state_router(parts), *(each.router for each in SECTIONS.values()))
    for router in routers:
        app.include_router(router, responses=answers(413, 415, 421, 503))
    app.include_router(pages)
    mount_files(app)
    app.add_middleware(Guard, names=frozenset(names), files=FILES)
    return app
