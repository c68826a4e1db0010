"""The pages themselves, and the files that they load."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from firmware_host.web import offline
from firmware_host.web.problems import Problem
from firmware_host.web.sessions import LASTS_S, Role, Session
from firmware_host.web.site import Site
from firmware_host.web.visitors import Anybody, OfSite, remember

router = APIRouter(include_in_schema=False)

HERE = Path(str(resources.files("firmware_host.web")))

NAMES = frozenset(file.stem for file in (HERE / "templates").glob("*.html")) - {
    "layout",
    "door",
    "lobby",
    "sure",
}
"""Pages that there are."""

OF_PLAY = frozenset({"join", "touch", "swoggle"})
"""Pages on which nothing works in safe mode."""

LANGUAGE = "language"
"""Cookie of the language that somebody chose."""

WEEK_S = 7 * 24 * 3600
YEAR_S = 365 * 24 * 3600

Asked = Annotated[str | None, Query(alias="lang", max_length=8)]


READ = ["GET", "HEAD"]
"""How a page is asked for: all of it, or whether it is there."""


class Files(StaticFiles):
    """Files with their tags, and how long they are good without another question.

    Args:
        folder: where they lie.
        cached: the header that says so.
    """

    def __init__(self, folder: Path, cached: str) -> None:
        super().__init__(directory=folder)
        self._cached = cached

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As of `StaticFiles.get_response`."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = self._cached
        # Weak: the same text goes out compressed and as it is.
        if tag := response.headers.get("etag"):
            response.headers["etag"] = f"W/{tag.removeprefix('W/')}"
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the files of the pages.

    Scripts and sheets are compressed: everybody is sent the same. Answers that hold a code or what
    somebody typed are not, as their length would tell of it. They are asked for each time whether
    they have changed: those of two versions do not go together. Fonts are good for a week.
    """
    fonts = Files(HERE / "static" / "fonts", f"public, max-age={WEEK_S}")
    app.mount("/static/fonts", fonts, name="fonts")
    texts = GZipMiddleware(Files(HERE / "static", "no-cache"))
    app.mount("/static", texts, name="static")


@router.api_route("/worker.js", methods=READ)
async def worker() -> Response:
    """What keeps the players' page on a phone; it is asked for whenever that page is opened."""
    text = offline.worker()
    return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache"})


@router.api_route("/", methods=READ)
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


@router.api_route("/join", methods=READ)
@router.api_route("/play", methods=READ)
@router.api_route("/referee", methods=READ)
@router.api_route("/maintenance", methods=READ)
@router.api_route("/help", methods=READ)
@router.api_route("/touch", methods=READ)
@router.api_route("/swoggle", methods=READ)
async def other(request: Request, site: OfSite, visitor: Anybody, lang: Asked = None) -> Response:
    """Any other page; what it shows it asks of the routes, which know who may see it."""
    name = request.url.path.removeprefix("/")
    if site.machine.safe and name in OF_PLAY:
        answer = _page("off", request, site, visitor, lang)
        answer.status_code = 503
        return answer
    return _page(name, request, site, visitor, lang)


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
        challenge_s=site.table.challenge_s,
        besides=_besides_language(request),
    )
    answer = HTMLResponse(html, headers={"cache-control": "no-cache", "vary": "cookie"})
    if asked == texts.language:
        answer.set_cookie(LANGUAGE, asked, max_age=YEAR_S, samesite="lax", secure=site.secure)
    return answer


def _besides_language(request: Request) -> str:
    """What a page was asked for besides its language, such as a match: to be asked again."""
    asked = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return f"{urlencode(asked)}&" if asked else ""


def _made_display(site: Site, link: str) -> Response:
    answer = RedirectResponse("/", 303)
    session = site.sessions.read(link)
    if session is not None and session.role is Role.DISPLAY:
        remember(answer, site, session, LASTS_S[Role.DISPLAY])
    return answer
