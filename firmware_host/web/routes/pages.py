"""The pages themselves, and the files that they load."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from firmware_host.web.problems import Problem
from firmware_host.web.sessions import LASTS_S, Role, Session
from firmware_host.web.site import Site
from firmware_host.web.visitors import Anybody, OfSite, remember

router = APIRouter(include_in_schema=False)

HERE = Path(str(resources.files("firmware_host.web")))

NAMES = frozenset(file.stem for file in (HERE / "templates").glob("*.html")) - {"layout"}
"""Pages that there are."""

LANGUAGE = "language"
"""Cookie of the language that somebody chose."""

YEAR_S = 365 * 24 * 3600

Asked = Annotated[str | None, Query(alias="lang", max_length=8)]


class Files(StaticFiles):
    """Files with their tags: a browser asks whether one has changed, and gets it only then."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As of `StaticFiles.get_response`."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the files of the pages."""
    app.mount("/static", Files(directory=HERE / "static"), name="static")


@router.get("/")
async def display(
    request: Request,
    site: OfSite,
    visitor: Anybody,
    lang: Asked = None,
    display: Annotated[str | None, Query(max_length=500)] = None,
) -> Response:
    """The table's display; a link of the referee makes another machine one."""
    if display is not None:
        return _made_display(site, display)
    return _page("display", request, site, visitor, lang)


@router.get("/join")
@router.get("/play")
@router.get("/referee")
@router.get("/maintenance")
@router.get("/help")
@router.get("/touch")
@router.get("/swoggle")
async def other(request: Request, site: OfSite, visitor: Anybody, lang: Asked = None) -> Response:
    """Any other page; what it shows it asks of the routes, which know who may see it."""
    return _page(request.url.path.removeprefix("/"), request, site, visitor, lang)


def _page(
    name: str, request: Request, site: Site, visitor: Session | None, asked: str | None
) -> Response:
    if name not in NAMES:
        raise Problem(404, f"there is no page {name}", "The table is at /.")
    texts = site.pages.catalogues.chosen(
        asked, request.cookies.get(LANGUAGE), request.headers.get("accept-language")
    )
    is_table = visitor is not None and visitor.role is not Role.PLAYER
    html = site.pages.html(
        name,
        texts,
        simulated=site.table.simulated,
        join_url=site.table.join_url() if is_table else "",
        code=site.access.code if is_table else None,
    )
    answer = HTMLResponse(html, headers={"cache-control": "no-cache", "vary": "cookie"})
    if asked == texts.language:
        answer.set_cookie(LANGUAGE, asked, max_age=YEAR_S, samesite="lax", secure=site.secure)
    return answer


def _made_display(site: Site, link: str) -> Response:
    answer = RedirectResponse("/", 303)
    session = site.sessions.read(link)
    if session is not None and session.role is Role.DISPLAY:
        remember(answer, site, session, LASTS_S[Role.DISPLAY])
    return answer
