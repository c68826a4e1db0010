"""The pages themselves, and the files that they load."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from firmware_host.web.visitors import Anybody, OfSite

router = APIRouter(include_in_schema=False)

HERE = Path(str(resources.files("firmware_host.web")))

KEPT_S = 3600
"""Seconds that a browser uses a file before it asks whether it is still the same."""


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


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(HERE / "templates")
    return Environment(loader=loader, autoescape=select_autoescape(default=True))


def page(name: str, request: Request, context: dict[str, Any]) -> HTMLResponse:
    """A page from its template."""
    known = {"texts": {}, "language": "en", "nonce": "", "page": name, "request": request}
    text = _templates().get_template(f"{name}.html").render(known | context)
    return HTMLResponse(text, headers={"cache-control": "no-cache"})


@router.get("/")
async def display(request: Request, site: OfSite, visitor: Anybody) -> HTMLResponse:
    """The table's display."""
    return page("display", request, {"site": site, "visitor": visitor})
