"""The pages themselves, and the files that they load."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from firmware_host.web.render import Pages
from firmware_host.web.sessions import Role
from firmware_host.web.site import Site
from firmware_host.web.visitors import Anybody, OfSite

router = APIRouter(include_in_schema=False)

HERE = Path(str(resources.files("firmware_host.web")))

LANGUAGE = "lang"
"""Cookie that keeps a language."""

KEPT_LANGUAGE_S = 365 * 24 * 3600

HEADERS = {"cache-control": "no-cache", "vary": "accept-language, cookie"}


class Files(StaticFiles):
    """Files with their tags: a browser asks again, and gets what has changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As of `StaticFiles.get_response`."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the files of the pages."""
    app.mount("/static", Files(directory=HERE / "static"), name="static")


def page(name: str, request: Request, values: Mapping[str, object]) -> HTMLResponse:
    """A page in the language that its visitor asks for, or has asked for before."""
    pages: Pages = request.app.state.pages
    asked = request.query_params.get("lang")
    texts = pages.catalogues.chosen(
        asked, request.cookies.get(LANGUAGE), request.headers.get("accept-language")
    )
    response = HTMLResponse(pages.html(name, texts, **values), headers=HEADERS)
    if asked == texts.language:
        response.set_cookie(LANGUAGE, asked, max_age=KEPT_LANGUAGE_S, samesite="lax")
    return response


@router.get("/")
async def display(request: Request, site: OfSite, visitor: Anybody) -> HTMLResponse:
    """The table's display."""
    values = _simulated(site)
    if visitor is not None and visitor.role is not Role.PLAYER:
        values |= {"join_url": site.table.join_url(), "code": site.access.code}
    return page("display", request, values)


@router.get("/join", response_model=None)
async def join(request: Request, site: OfSite, visitor: Anybody) -> Response:
    """Where players join; who sits at the table already goes on to their words."""
    if visitor is not None and visitor.role is Role.PLAYER:
        return RedirectResponse("/play", 303)
    return page("join", request, _simulated(site))


@router.get("/play", response_model=None)
async def play(request: Request, site: OfSite, visitor: Anybody) -> Response:
    """A player's page; strangers join first."""
    if visitor is None or visitor.role is not Role.PLAYER:
        return RedirectResponse("/join", 303)
    return page("play", request, _simulated(site))


def _simulated(site: Site) -> dict[str, object]:
    return {"simulated": site.table.simulated}
